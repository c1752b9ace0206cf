// A group as the edge-collapse simplifier sees it: wedges, corners that move together.
#pragma once

#include "cooker/cluster/attributes.hpp"
#include "cooker/cluster/simplify.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Which corners at a point are one wedge. Corners of different materials never are: so the material of a triangle
// follows from its wedges, and a material border is kept like any other seam.
enum class WedgeKind : std::uint8_t { Vertex, PointAndUv, Point };

// A result: wedges, three a triangle.
struct Collapsed {
    std::vector<std::uint32_t> indices;
    float error = 0;  // metres
};

// What edges are collapsed in: vertices are numbered from 0.
struct CollapseInput {
    std::vector<std::uint32_t> indices;
    std::vector<Float3> positions;
    std::vector<float> attributes;
    std::size_t attribute_count = 0;
    std::vector<std::uint8_t> locked;
};

// Indices, positions and locks are those of wedges, attributes the mean of a wedge's vertices.
struct WedgeMesh : CollapseInput {
    std::vector<std::uint32_t> point;     // of each wedge
    std::vector<std::uint32_t> material;  // of each wedge, index into `materials`
    std::vector<std::int32_t> materials;
    AttributeLayout layout;
    std::vector<std::uint32_t> first_vertex;  // of each wedge in `vertices`, and the end
    std::vector<std::uint32_t> vertices;      // of the mesh, rising in each wedge
    std::uint32_t points = 0;
    std::uint32_t locked_points = 0;
    std::uint32_t held_points = 0;  // not locked, but of three or more wedges: no edge collapse moves them
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(point.size()); }
    [[nodiscard]] std::span<const std::uint32_t> vertices_of(std::uint32_t wedge) const {
        return std::span(vertices).subspan(first_vertex[wedge],
                                           first_vertex[wedge + 1] - first_vertex[wedge]);
    }
};

// Wedges at points that are locked by `owner` or kept by the goal are locked; only the first are counted so.
[[nodiscard]] WedgeMesh make_wedges(const PreparedMesh& mesh, const Triangles& group,
                                    std::span<const std::uint32_t> owner, WedgeKind kind,
                                    const SimplifyGoal& goal = {});

// Collapses edges until at most `goal` triangles are left, or no edge can go. Locked vertices stay.
[[nodiscard]] Collapsed collapse_edges(const CollapseInput& input, std::size_t goal);

// Triangles of wedges as triangles of vertices: each corner takes the vertex of its wedge whose normal fits the triangle
// best, or one that another corner has taken and that fits nearly as well (fewer vertices a cluster). Triangles with two
// corners on one point are left out.
[[nodiscard]] Triangles with_vertices(const PreparedMesh& mesh, const WedgeMesh& local,
                                      std::span<const std::uint32_t> indices);

}  // namespace sinter
