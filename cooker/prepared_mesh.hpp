// A mesh as the mesh stage leaves it (cooker/mesh/prepare.hpp): one vertex table, its triangles, influences and shapes.
#pragma once

#include "cooker/options.hpp"
#include "cooker/scene.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

// The grid on which a mesh's positions lie: decoded = center + step * integer, evaluated in float as
// one multiply and one add a component. For Sphere grids center and radius are the bounding sphere of
// the source positions and step = radius / 32767 (16 bits); World grids have center 0 and a step that is
// a power of two.
struct PositionGrid {
    GridKind kind = GridKind::Sphere;
    std::uint32_t bits = 16;  // of each stored signed component, 16 or 32
    Float3 center;
    float step = 1;
};

struct Bounds {
    Float3 min, max;  // of the decoded positions
    Float3 center;    // of a sphere that contains them
    float radius = 0;
};

struct Submesh {  // triangles of one material, a range of PreparedMesh::indices
    std::int32_t material = kNone;
    std::uint32_t first_index = 0;
    std::uint32_t index_count = 0;
};

// Deltas of one blend-shape frame, only vertices with a delta that is not exactly zero, ascending.
struct SparseShapeFrame {
    float weight = 1;  // full weight of this frame
    std::vector<std::uint32_t> vertices;
    std::vector<Float3> positions;  // one a listed vertex
    std::vector<Float3> normals;    // one a listed vertex, or empty
    std::vector<Float3> tangents;   // one a listed vertex, or empty
};

struct PreparedShape {
    std::string name;
    float default_weight = 0;
    std::vector<SparseShapeFrame> frames;
};

// Encoded influences: `stride` slots a vertex (1, 4 or 8; 0 = no skin), slots sorted by falling weight,
// unused ones are joint 0 with weight 0. The weights of a vertex sum to exactly 2^weight_bits - 1.
struct EncodedInfluences {
    std::uint32_t stride = 0;
    std::uint32_t weight_bits = 16;
    std::vector<std::uint16_t> joints;
    std::vector<std::uint16_t> weights;
    // statistics over the mesh's vertices
    std::uint32_t max_source = 0;        // most influences on one source vertex
    std::uint32_t max = 0;               // most after the reduction
    std::uint64_t dropped_vertices = 0;  // source vertices that lost an influence
    float max_dropped_weight = 0;        // largest sum of weights that one vertex lost, before renormalising
    std::array<std::uint64_t, 4> class_counts{};  // vertices with 0, 1, <= 4, <= 8 influences
    float max_posed_error = 0;  // metres: encoded against source weights over sampled poses of the clips
};

// One vertex table and its triangles. Per-vertex arrays are empty or have vertex_count() entries.
struct PreparedMesh {
    std::string name;
    PositionGrid grid;
    Bounds bounds;
    std::vector<std::array<std::int32_t, 3>> grid_positions;
    std::vector<Float3> positions;  // decoded
    std::vector<Float3> normals;    // unit
    std::vector<Float4> tangents;
    std::vector<std::vector<Float2>> uv_sets;
    std::vector<Float4> colors;
    EncodedInfluences influences;
    std::vector<PreparedShape> shapes;
    std::vector<std::uint32_t> point_of_vertex;  // same point: equal grid position, influences and deltas
    std::uint32_t point_count = 0;
    std::vector<std::uint32_t> indices;
    std::vector<Submesh> submeshes;
    // statistics
    std::uint64_t source_triangles = 0;
    std::uint64_t degenerate_triangles = 0;  // left out; a triangle flattened by the grid counts
    std::uint64_t duplicate_triangles = 0;   // left out
    std::uint64_t source_vertices = 0;
    bool made_normals = false;
    bool made_tangents = false;
    float max_position_error = 0;  // metres, decoded against source
    [[nodiscard]] std::size_t vertex_count() const { return grid_positions.size(); }
};

}  // namespace sinter
