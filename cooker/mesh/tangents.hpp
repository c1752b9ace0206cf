// Tangents by the definition that normal-map bakers share (known as MikkTSpace): M. S. Mikkelsen, "Simulation of
// Wrinkled Surfaces Revisited", master's thesis, University of Copenhagen, 2008, chapter 3. Written from
// that description.
//
// Corners belong together when they have the same position, normal and UV, are connected by shared edges around that
// vertex, and their triangles' UVs have the same orientation. The tangent of such a group is the sum of its triangles'
// unit dP/du, each projected into the plane of the vertex normal, made unit again and weighted by its angle in
// that plane. Triangles without a UV area join the group of a neighbour and add nothing; triangles without
// an area stand apart and take the tangent of another triangle's corner at the same vertex.
#pragma once

#include "cooker/math.hpp"
#include "cooker/mesh/quantise.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

struct TangentInput {
    std::span<const std::uint32_t> indices;  // 3 a triangle
    std::span<const Float3> positions;       // per vertex, for edges and angles
    std::span<const GridPosition> grid;      // per vertex; equal = the same position
    std::span<const Float3> normals;         // unit
    std::span<const Float2> uvs;             // (0, 0) is the top left
};

// One tangent a corner: unit and perpendicular to the normal, w = +1 or -1, bitangent = w * cross(normal, tangent).
// The bitangent points up in the picture, towards falling v (glTF 2.0, 3.7.2.1 and 3.9.3). Where the UVs give no
// direction: any_perpendicular(normal), w = 1. Deterministic: sums run in the order of the triangles.
[[nodiscard]] std::vector<Float4> make_corner_tangents(const TangentInput& input);

}  // namespace sinter
