#include "cooker/cluster/wedges.hpp"

#include "cooker/cluster/local_index.hpp"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cstddef>

namespace sinter {
namespace {

// The number of each vertex's UVs among the group's vertices of one point; equal UVs (all sets, bit by bit apart from the
// sign of zero) have one number.
std::vector<std::uint32_t> uv_classes(const PreparedMesh& mesh, std::span<const std::uint32_t> vertices) {
    std::vector<std::uint32_t> order(vertices.size()), classes(vertices.size(), 0);
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto compare = [&](std::uint32_t i, std::uint32_t j) {
        const std::uint32_t a = vertices[i], b = vertices[j];
        if (mesh.point_of_vertex[a] != mesh.point_of_vertex[b]) {
            return mesh.point_of_vertex[a] < mesh.point_of_vertex[b] ? -1 : 1;
        }
        for (const std::vector<Float2>& set : mesh.uv_sets) {
            if (set[a].x != set[b].x) return set[a].x < set[b].x ? -1 : 1;
            if (set[a].y != set[b].y) return set[a].y < set[b].y ? -1 : 1;
        }
        return 0;
    };
    std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
        const int c = compare(i, j);
        return c < 0 || (c == 0 && i < j);
    });
    for (std::size_t k = 1; k < order.size(); ++k) {
        classes[order[k]] = classes[order[k - 1]] + (compare(order[k - 1], order[k]) != 0 ? 1U : 0U);
    }
    return classes;
}

// The corners of a group in order: their vertices and materials.
struct Corners {
    LocalIndex vertices;
    std::vector<std::uint32_t> local;  // of each corner, in `vertices`: keys are (material << 32) + vertex
    std::vector<std::int32_t> materials;
};

Corners corners_of(const Triangles& group) {
    Corners corners{LocalIndex(group.indices.size()), {}, {}};
    corners.local.reserve(group.indices.size());
    for (const Submesh& submesh : group.submeshes) {
        const std::uint64_t material = std::uint64_t{corners.materials.size()} << 32U;
        corners.materials.push_back(submesh.material);
        for (std::uint32_t i = 0; i < submesh.index_count; ++i) {
            corners.local.push_back(corners.vertices.add(material | group.indices[submesh.first_index + i]));
        }
    }
    return corners;
}

constexpr std::uint64_t kVertexMask = 0xFFFFFFFF;

// The wedge of each (vertex, material).
std::vector<std::uint32_t> wedge_of_local(const PreparedMesh& mesh, const Corners& corners, WedgeKind kind) {
    const std::vector<std::uint64_t>& keys = corners.vertices.keys();
    std::vector<std::uint32_t> wedges(keys.size());
    if (kind == WedgeKind::Vertex) {
        for (std::uint32_t i = 0; i < wedges.size(); ++i) wedges[i] = i;
        return wedges;
    }
    std::vector<std::uint32_t> vertices, classes;
    for (const std::uint64_t key : keys) vertices.push_back(static_cast<std::uint32_t>(key & kVertexMask));
    if (kind == WedgeKind::PointAndUv) classes = uv_classes(mesh, vertices);
    LocalIndex numbers(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::uint32_t id = classes.empty() ? mesh.point_of_vertex[vertices[i]] : classes[i];
        wedges[i] = numbers.add((keys[i] & ~kVertexMask) | id);
    }
    return wedges;
}

// Lists the vertices of each wedge: a counting sort.
void list_vertices(const Corners& corners, std::span<const std::uint32_t> wedges, WedgeMesh& out) {
    out.first_vertex.assign(std::size_t{out.size()} + 1, 0);
    for (const std::uint32_t w : wedges) ++out.first_vertex[w + 1];
    for (std::size_t w = 1; w < out.first_vertex.size(); ++w) out.first_vertex[w] += out.first_vertex[w - 1];
    std::vector<std::uint32_t> next(out.first_vertex);
    out.vertices.resize(wedges.size());
    for (std::size_t i = 0; i < wedges.size(); ++i) {
        out.vertices[next[wedges[i]]++] =
            static_cast<std::uint32_t>(corners.vertices.keys()[i] & kVertexMask);
    }
    for (std::uint32_t w = 0; w < out.size(); ++w) {
        std::sort(out.vertices.begin() + out.first_vertex[w], out.vertices.begin() + out.first_vertex[w + 1]);
    }
}

float extent_of(std::span<const Float3> positions) {
    Float3 low = positions[0], high = low;
    for (const Float3 p : positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Float3 size = high - low;
    return std::max({size.x, size.y, size.z});
}

void fill_attributes(const PreparedMesh& mesh, const Triangles& group, const AttributeWeights& weights,
                     WedgeMesh& out) {
    out.layout = attribute_layout(mesh, group.indices, extent_of(out.positions), weights);
    out.attribute_count = out.layout.count();
    const std::size_t width = out.layout.count();
    out.attributes.resize(out.size() * width);
    std::vector<float> row(width);
    for (std::uint32_t w = 0; w < out.size(); ++w) {
        const std::span<float> mean = std::span(out.attributes).subspan(w * width, width);
        const auto vertices = out.vertices_of(w);
        write_attributes(mesh, out.layout, vertices[0], mean);
        if (vertices.size() == 1) continue;
        for (const std::uint32_t v : vertices.subspan(1)) {
            write_attributes(mesh, out.layout, v, row);
            for (std::size_t k = 0; k < width; ++k) mean[k] += row[k];
        }
        for (float& value : mean) value /= static_cast<float>(vertices.size());
    }
}

void count_points(std::span<const std::uint32_t> owner, WedgeMesh& out) {
    LocalIndex points(out.size());
    std::vector<std::uint32_t> wedges;
    for (const std::uint32_t p : out.point) {
        const std::uint32_t number = points.add(p);
        if (number == wedges.size()) wedges.push_back(0);
        ++wedges[number];
    }
    out.points = points.size();
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        if (is_locked(owner[points.keys()[i]])) {
            ++out.locked_points;
        } else if (wedges[i] > 2) {
            ++out.held_points;
        }
    }
}

}  // namespace

WedgeMesh make_wedges(const PreparedMesh& mesh, const Triangles& group, std::span<const std::uint32_t> owner,
                      WedgeKind kind, const SimplifyGoal& goal) {
    const Corners corners = corners_of(group);
    const std::vector<std::uint32_t> wedges = wedge_of_local(mesh, corners, kind);
    WedgeMesh out;
    out.materials = corners.materials;
    for (std::size_t i = 0; i < wedges.size(); ++i) {
        if (wedges[i] < out.point.size()) continue;
        const std::uint64_t key = corners.vertices.keys()[i];
        const std::uint32_t vertex = static_cast<std::uint32_t>(key & kVertexMask);
        const std::uint32_t point = mesh.point_of_vertex[vertex];
        out.point.push_back(point);
        out.material.push_back(static_cast<std::uint32_t>(key >> 32U));
        out.positions.push_back(mesh.positions[vertex]);
        out.locked.push_back(
            is_locked(owner[point]) || std::ranges::binary_search(goal.kept_points, point) ? 1 : 0);
    }
    out.indices.reserve(corners.local.size());
    for (const std::uint32_t corner : corners.local) out.indices.push_back(wedges[corner]);
    list_vertices(corners, wedges, out);
    fill_attributes(mesh, group, goal.weights, out);
    count_points(owner, out);
    return out;
}

Collapsed collapse_edges(const CollapseInput& input, std::size_t goal) {
    const std::size_t width = input.attribute_count;
    const std::vector<float> weights(width, 1.0F);
    Collapsed out;
    out.indices.resize(input.indices.size());
    out.indices.resize(meshopt_simplifyWithAttributes(
        out.indices.data(), input.indices.data(), input.indices.size(), &input.positions[0].x,
        input.positions.size(), sizeof(Float3), width == 0 ? nullptr : input.attributes.data(),
        width * sizeof(float), weights.data(), width, input.locked.data(), goal * 3, FLT_MAX,
        meshopt_SimplifyErrorAbsolute, &out.error));
    return out;
}

namespace {

// The direction of a triangle, as long as twice its area.
Float3 direction_of(const WedgeMesh& local, const std::uint32_t* corner) {
    const Float3 a = local.positions[corner[0]];
    return cross(local.positions[corner[1]] - a, local.positions[corner[2]] - a);
}

// The vertex of a wedge for a triangle that faces `direction` (unit, or zero). `taken`: the one that the wedge gave last,
// kNobody if none.
std::uint32_t choose_vertex(const PreparedMesh& mesh, std::span<const std::uint32_t> vertices,
                            Float3 direction, std::vector<std::uint8_t>& taken, std::size_t first) {
    if (vertices.size() == 1 || mesh.normals.empty()) return vertices[0];
    constexpr float kNearlyAsWell = 0.1F;
    std::size_t best = 0, best_taken = vertices.size();
    float best_fit = -2, best_taken_fit = -2;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const float fit = dot(mesh.normals[vertices[i]], direction);
        if (fit > best_fit) {
            best_fit = fit;
            best = i;
        }
        if (taken[first + i] != 0 && fit > best_taken_fit) {
            best_taken_fit = fit;
            best_taken = i;
        }
    }
    if (best_taken < vertices.size() && best_taken_fit >= best_fit - kNearlyAsWell) best = best_taken;
    taken[first + best] = 1;
    return vertices[best];
}

}  // namespace

Triangles with_vertices(const PreparedMesh& mesh, const WedgeMesh& local,
                        std::span<const std::uint32_t> indices) {
    // Triangles by material: those of each keep their order.
    std::vector<std::vector<std::uint32_t>> by_material(local.materials.size());
    std::vector<std::uint8_t> taken(local.vertices.size(), 0);
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        const std::uint32_t* corner = indices.data() + i;
        const std::uint32_t a = local.point[corner[0]], b = local.point[corner[1]],
                            c = local.point[corner[2]];
        if (a == b || b == c || c == a) continue;
        Float3 direction = direction_of(local, corner);
        if (const float size = length(direction); size > 0) direction = direction * (1 / size);
        std::vector<std::uint32_t>& out = by_material[local.material[corner[0]]];
        for (int k = 0; k < 3; ++k) {
            out.push_back(choose_vertex(mesh, local.vertices_of(corner[k]), direction, taken,
                                        local.first_vertex[corner[k]]));
        }
    }
    Triangles triangles;
    for (std::size_t m = 0; m < by_material.size(); ++m) {
        if (by_material[m].empty()) continue;
        triangles.submeshes.push_back({local.materials[m],
                                       static_cast<std::uint32_t>(triangles.indices.size()),
                                       static_cast<std::uint32_t>(by_material[m].size())});
        triangles.indices.insert(triangles.indices.end(), by_material[m].begin(), by_material[m].end());
    }
    return triangles;
}

}  // namespace sinter
