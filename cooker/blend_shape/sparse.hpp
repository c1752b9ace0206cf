// Blend shapes as lists of the vertices that they move.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/issues.hpp"
#include "cooker/mesh/source_vertex.hpp"
#include "cooker/scene.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace sinter {

// The mesh's shapes over prepared vertices; `vertices` says where each comes from (any of the source vertices that
// were welded into it: their deltas are equal).
//
// A frame lists the vertices with a position, normal or tangent delta that is not exactly zero, ascending; deltas are
// the source's floats (-0 becomes 0), so that zero stays exactly zero. A frame's normals (tangents) are empty
// where no primitive has them, and zero for vertices of primitives without. Frames keep their weights, also the
// empty ones. Issue EmptyBlendShape for each shape that moves nothing. Pre: a checked mesh.
[[nodiscard]] std::vector<PreparedShape> sparse_shapes(const Mesh& mesh,
                                                       std::span<const SourceVertex> vertices,
                                                       std::string_view subject, Issues& issues);

}  // namespace sinter
