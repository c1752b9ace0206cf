// The manifest of a cooked asset: everything but the bulk arrays.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/package/uv_encoding.hpp"

#include <sinter/formats/manifest.hpp>

#include <vector>

namespace sinter {

// What encoding a mesh's arrays lost, measured on the decoded values.
struct MeshEncodingErrors {
    float max_normal_error_deg = 0;
    float max_tangent_error_deg = 0;
    std::vector<EncodedUvs> uvs;  // one a UV set
};

// `errors` has one entry a mesh. Names that are not UTF-8 are taken as Latin-1, the usual encoding of old
// files; everything else is passed through as it is.
[[nodiscard]] manifest::ManifestT manifest_of(const CookedAsset& asset,
                                              const std::vector<MeshEncodingErrors>& errors);

}  // namespace sinter
