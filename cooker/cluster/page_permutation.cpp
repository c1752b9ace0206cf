#include "cooker/cluster/layout.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace sinter {
namespace {

// `stride` values a vertex; empty stays empty.
template <typename Value>
std::vector<Value> gathered(const std::vector<Value>& values, std::span<const std::uint32_t> source,
                            std::size_t stride = 1) {
    std::vector<Value> out;
    if (values.empty()) return out;
    out.reserve(source.size() * stride);
    for (const std::uint32_t v : source) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(v * stride);
        out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(stride));
    }
    return out;
}

EncodedInfluences gathered_influences(const EncodedInfluences& in, std::span<const std::uint32_t> source) {
    EncodedInfluences out = in;
    out.joints = gathered(in.joints, source, in.stride);
    out.weights = gathered(in.weights, source, in.stride);
    out.class_counts = {};
    for (std::size_t v = 0; v < source.size(); ++v) {
        std::size_t used = 0;
        for (std::size_t i = 0; i < in.stride; ++i) used += out.weights[v * in.stride + i] != 0 ? 1U : 0U;
        const std::size_t which = used <= 1 ? used : (used <= 4 ? 2 : 3);
        ++out.class_counts[which];
    }
    return out;
}

constexpr std::uint32_t kNoEntry = std::numeric_limits<std::uint32_t>::max();

// `entry`: scratch, one a source vertex, all kNoEntry before and after.
SparseShapeFrame gathered_frame(const SparseShapeFrame& in, std::span<const std::uint32_t> source,
                                std::vector<std::uint32_t>& entry) {
    for (std::uint32_t i = 0; i < in.vertices.size(); ++i) entry[in.vertices[i]] = i;
    SparseShapeFrame out;
    out.weight = in.weight;
    std::vector<std::uint32_t> entries;
    for (std::uint32_t v = 0; v < source.size(); ++v) {
        if (entry[source[v]] == kNoEntry) continue;
        out.vertices.push_back(v);
        entries.push_back(entry[source[v]]);
    }
    out.positions = gathered(in.positions, entries);
    out.normals = gathered(in.normals, entries);
    out.tangents = gathered(in.tangents, entries);
    for (const std::uint32_t v : in.vertices) entry[v] = kNoEntry;
    return out;
}

}  // namespace

PreparedMesh in_page_order(const PreparedMesh& mesh, const PagedMesh& paged) {
    const std::span<const std::uint32_t> source(paged.source_vertex);
    PreparedMesh out;
    out.name = mesh.name;
    out.grid = mesh.grid;
    out.bounds = mesh.bounds;
    out.grid_positions = gathered(mesh.grid_positions, source);
    out.positions = gathered(mesh.positions, source);
    out.normals = gathered(mesh.normals, source);
    out.tangents = gathered(mesh.tangents, source);
    for (const auto& set : mesh.uv_sets) out.uv_sets.push_back(gathered(set, source));
    out.colors = gathered(mesh.colors, source);
    out.influences = gathered_influences(mesh.influences, source);
    std::vector<std::uint32_t> scratch(mesh.vertex_count(), kNoEntry);
    for (const PreparedShape& shape : mesh.shapes) {
        PreparedShape& to = out.shapes.emplace_back(PreparedShape{shape.name, shape.default_weight, {}});
        for (const SparseShapeFrame& frame : shape.frames)
            to.frames.push_back(gathered_frame(frame, source, scratch));
    }
    out.point_of_vertex = gathered(mesh.point_of_vertex, source);
    out.point_count = mesh.point_count;
    for (std::uint32_t v = 0; v < source.size(); ++v) {
        if (scratch[source[v]] == kNoEntry) scratch[source[v]] = v;
    }
    for (const std::uint32_t v : mesh.indices) out.indices.push_back(scratch[v]);
    out.submeshes = mesh.submeshes;
    out.source_triangles = mesh.source_triangles;
    out.degenerate_triangles = mesh.degenerate_triangles;
    out.duplicate_triangles = mesh.duplicate_triangles;
    out.source_vertices = mesh.source_vertices;
    out.made_normals = mesh.made_normals;
    out.made_tangents = mesh.made_tangents;
    out.max_position_error = mesh.max_position_error;
    return out;
}

}  // namespace sinter
