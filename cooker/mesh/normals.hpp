// Vertex normals for meshes that come without.
//
// Each triangle adds its unit normal to its three points, weighted by its angle there: G. Thuermer and
// C. A. Wuethrich, "Computing Vertex Normals from Polygonal Facets", Journal of Graphics Tools 3(1), 1998. The
// result does not depend on how a flat or curved face is cut into triangles, as area weights do (compared in
// N. Max, "Weights for Computing Vertex Normals from Facet Normals", Journal of Graphics Tools 4(2), 1999).
#pragma once

#include "cooker/math.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Edges whose angle is this little above the limit still count as smooth: rounding of float positions must not
// make the 90 degrees of a box an edge of more than 90 degrees.
inline constexpr double kHardEdgeSlackDeg = 1e-3;

struct NormalInput {
    std::span<const std::uint32_t> indices;  // 3 a triangle, no triangle with two equal points
    std::span<const Float3> positions;       // per vertex
    std::span<const std::uint32_t> points;  // per vertex, < point_count: vertices of one point share a normal
    std::size_t point_count = 0;
    double hard_edge_angle_deg = 180;  // [0, 180]
};

// One unit normal a corner.
//
// With 180 degrees all triangles at a point share one normal, across UV seams and materials. Below that, triangles
// around a point belong together where a chain of shared edges connects them, each edge with an angle between its
// two triangle normals of at most the limit; edges of more than two triangles connect in pairs, edges whose
// triangles run in the same direction do not connect.
//
// Where the weighted sum vanishes (both sides of a card on the same points) each triangle keeps its own normal;
// where there is no triangle with an area, the normal is (0, 1, 0).
// Deterministic: sums run in the order of the triangles, no libm but sqrt.
[[nodiscard]] std::vector<Float3> make_corner_normals(const NormalInput& input);

}  // namespace sinter
