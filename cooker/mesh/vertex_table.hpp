// The mesh while it is being prepared: all primitives in one vertex table. Internal to cooker/mesh.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/mesh/quantise.hpp"
#include "cooker/mesh/source_vertex.hpp"
#include "cooker/mesh/weld.hpp"
#include "cooker/scene.hpp"

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Bits that say what a vertex has of its own; the rest is made.
inline constexpr std::uint32_t kHasNormal = 1;
inline constexpr std::uint32_t kHasTangent = 2;
inline constexpr std::uint32_t kHasUv = 4;  // its primitive has a UV set

// Per-vertex arrays are empty or as long as `positions`. No float is -0
// (deltas stay in the source). Triangles stand in the order of their
// primitives' materials (kNone last), `submeshes` are the ranges of equal material, none of them empty.
struct VertexTable {
    std::vector<std::uint32_t> indices;
    std::vector<Submesh> submeshes;
    std::vector<SourceVertex> source;
    std::vector<std::uint32_t> flags;  // of the bits above
    std::vector<Float3> positions;     // of the source, not of the grid
    std::vector<GridPosition> grid;
    std::vector<Float3> normals;
    std::vector<Float4> tangents;
    std::vector<std::vector<Float2>> uv_sets;
    std::vector<Float4> colors;
    std::vector<std::uint32_t> motion;  // MotionClasses::of_vertex, or empty
    std::vector<std::uint32_t> points;  // < point_count
    std::uint32_t point_count = 0;
    [[nodiscard]] std::size_t vertex_count() const { return positions.size(); }
    [[nodiscard]] std::size_t triangle_count() const { return indices.size() / 3; }
};

// Concatenates the primitives into a table of the vertices that triangles use, in the order of their first use (so
// that it does not depend on how the source numbers them). UV sets: as many as the primitive with most has,
// (0, 0) where one is missing; colours: white where they are missing; normals and tangents: zero, without the flag.
// A tangent without a normal counts as none (glTF 2.0, 3.7.2.1). `grid`, `motion` and `points` stay empty.
// Errors, `where` = "primitive 0, vertex 17": InvalidInput for an index out of range, a list that is not in threes,
// a position, UV or colour that is not finite or (positions) beyond kMaxCoordinate; Internal for arrays of
// unequal length; Limit for 2^32 - 1 or more vertices or indices.
[[nodiscard]] Result<VertexTable> concatenate(const Mesh& mesh);

// Numbers that are equal where influences and blend-shape deltas are exactly equal; empty where the mesh has neither.
struct MotionClasses {
    std::vector<std::uint32_t> of_point;   // influences and position deltas: equal = never parts in motion
    std::vector<std::uint32_t> of_vertex;  // normal and tangent deltas too
};

// Classes of the vertices; `influences` is of all source vertices, concatenated. Deltas are compared bit by bit, so
// that -0 is not 0: where the author parts two lips with mirrored deltas, +d and -d, the signs of the zeros at the
// corners of the mouth still tell upper from lower, and all pairs of the seam are treated alike.
// Costs one pass over the deltas, and hashing of the ones that are not zero.
[[nodiscard]] MotionClasses motion_classes(const Mesh& mesh, std::span<const SourceVertex> vertices,
                                           const EncodedInfluences& influences);

// Position in the concatenated vertices of all primitives of the first vertex of each primitive.
[[nodiscard]] std::vector<std::size_t> primitive_offsets(const Mesh& mesh);

// The table with vertex i taken from vertex `vertices[i]`; indices are left as they are.
[[nodiscard]] VertexTable gather_vertices(VertexTable table, std::span<const std::uint32_t> vertices);

// Makes vertices with equal keys one. The key: grid position, normal, tangent, every UV set, colour, motion, and the
// flags if asked for. The first vertex of each key stays.
[[nodiscard]] VertexTable weld_vertices(VertexTable table, bool with_flags);

// Splits vertices whose corners want different values: afterwards corner_values[vertex_corner[v]] is the value of
// vertex v for every corner that refers to it.
struct SplitTable {
    VertexTable table;
    std::vector<std::uint32_t> vertex_corner;
};
[[nodiscard]] SplitTable split_by_corners(VertexTable table, KeyStream corner_values);

}  // namespace sinter
