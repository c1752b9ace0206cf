// The last stage: a cooked asset becomes the bytes of a package (docs/package-format.md).
#pragma once

#include "cooker/cooked_asset.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <vector>

namespace sinter {

// Encodes every mesh, skin, clip and name, measures what the encoding lost (normals, by decoding them
// again), and writes the container. Same asset, same options: same bytes.
// Pre: the asset is what the stages promise (cooked_asset.hpp). Errors: Limit (more meshes, UV sets or
// vertices than the format can count), Internal (a broken promise of an earlier stage).
[[nodiscard]] Result<std::vector<std::byte>> assemble_package(const CookedAsset& asset);

}  // namespace sinter
