// The sections of a mesh that has a cluster DAG (docs/pages.md). Internal to this folder.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/package/manifest_of.hpp"
#include "cooker/package/sections.hpp"

namespace sinter {

// Adds the groups, the hierarchy, the pages with their vertices and clusters, the prefixes and the skin batches of
// mesh `index`, and returns what the encoding of normals and tangents lost. `mesh` is in page order.
// Errors: Internal (content that a reader would refuse).
[[nodiscard]] Result<MeshEncodingErrors> add_pages(Sections& sections, std::uint32_t index,
                                                   const PreparedMesh& mesh, const ClusteredMesh& clustered,
                                                   std::uint32_t normal_bits);

}  // namespace sinter
