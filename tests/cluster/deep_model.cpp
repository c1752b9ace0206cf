#include "tests/cluster/deep_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace sinter::test {
namespace {

DagSphere sphere_of(const Sphere& s) { return {array_of(s.center), s.radius}; }

// New numbers of vertices: by falling error of the group that uses them last. Unused ones are left out.
std::vector<std::uint32_t> order_by_owner(const ClusterDag& dag, std::size_t vertex_count) {
    std::vector<float> error(vertex_count, -1);
    for (const Cluster& c : dag.clusters) {  // children stand before parents, so the last use stays
        for (std::uint32_t i = 0; i < c.triangle_count * 3; ++i) {
            error[dag.indices[c.first_index + i]] = dag.groups[c.group].lod_error;
        }
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t v = 0; v < vertex_count; ++v) {
        if (error[v] >= 0) order.push_back(v);
    }
    std::ranges::sort(order, {}, [&](std::uint32_t v) { return std::pair(-error[v], v); });
    return order;
}

void add_clusters(const ClusterDag& dag, DagModel& model) {
    for (const Cluster& c : dag.clusters) {
        DagCluster out;
        out.group = c.group;
        out.child_group = c.child_group;
        out.material = c.material;
        out.first_corner = c.first_index;
        out.triangle_count = c.triangle_count;
        out.vertex_count = c.vertex_count;
        out.cull_bounds = sphere_of(c.cull_bounds);
        out.cone_axis = array_of(c.cone.axis);
        out.cone_cutoff = c.cone.cutoff;
        model.clusters.push_back(out);
    }
    for (const ClusterGroup& g : dag.groups) {
        DagGroup out;
        out.level = g.level;
        out.first_cluster = g.first_cluster;
        out.cluster_count = g.cluster_count;
        out.end = static_cast<DagEnd>(g.end);
        out.geometric_error = g.geometric_error;
        out.posed_error = g.posed_error;
        out.lod_error = g.lod_error;
        out.lod_bounds = sphere_of(g.lod_bounds);
        model.groups.push_back(out);
    }
}

// At up to 12 of the groups' errors and at 0.
void add_prefixes(DagModel& model) {
    std::set<float> errors{0.0F};
    for (const DagGroup& g : model.groups) {
        if (std::isfinite(g.lod_error)) errors.insert(g.lod_error);
    }
    std::vector<float> falling(errors.rbegin(), errors.rend());
    for (std::size_t i = 0; i < falling.size();
         i += i + 1 == falling.size() ? 1 : std::min(falling.size() - 1 - i, falling.size() / 12 + 1)) {
        DagPrefix prefix;
        prefix.lod_error = falling[i];
        for (const DagCluster& c : model.clusters) {
            const bool drawn =
                model.groups[c.group].lod_error > falling[i] &&
                (c.child_group < 0 ||
                 model.groups[static_cast<std::size_t>(c.child_group)].lod_error <= falling[i]);
            if (!drawn) continue;
            prefix.triangle_count += c.triangle_count;
            for (std::uint32_t k = 0; k < c.triangle_count * 3; ++k) {
                prefix.vertex_count = std::max(prefix.vertex_count, model.corners[c.first_corner + k] + 1);
            }
        }
        model.prefixes.push_back(prefix);
    }
}

// A sphere around spheres, far from tight: 0.1 % is for every rounding.
DagHierarchyChild entry_around(const std::vector<DagHierarchyChild>& children, std::uint32_t node) {
    DagHierarchyChild out{children[0].bounds, 0, node, false};
    double radius = 0;
    for (const DagHierarchyChild& c : children) {
        double squared = 0;
        for (std::size_t a = 0; a < 3; ++a) {
            const double d =
                static_cast<double>(c.bounds.center[a]) - static_cast<double>(out.bounds.center[a]);
            squared += d * d;
        }
        radius = std::max(radius, std::sqrt(squared) + static_cast<double>(c.bounds.radius));
        out.lod_error = std::max(out.lod_error, c.lod_error * 1.001F);
    }
    out.bounds.radius = static_cast<float>(radius * 1.001) + 1e-18F;
    return out;
}

std::uint32_t add_node(DagModel& model, std::uint32_t first, std::uint32_t count) {
    const auto node = static_cast<std::uint32_t>(model.hierarchy.size());
    model.hierarchy.emplace_back();
    std::vector<DagHierarchyChild> children;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint32_t from = first + count * i / 8, to = first + count * (i + 1) / 8;
        if (from == to) continue;
        if (to - from > 1) {
            const std::uint32_t below = add_node(model, from, to - from);
            children.push_back(entry_around(model.hierarchy[below].children, below));
        } else {
            const DagGroup& g = model.groups[from];
            const std::vector<DagHierarchyChild> own{{g.lod_bounds, g.lod_error, from, true}};
            children.push_back(entry_around(own, from));
            children.back().is_group = true;
        }
    }
    model.hierarchy[node].children = children;
    return node;
}

}  // namespace

DagModel deep_model(const PreparedMesh& mesh, const ClusterDag& dag) {
    DagModel model;
    const std::vector<std::uint32_t> order = order_by_owner(dag, mesh.vertex_count());
    std::vector<std::uint32_t> number(mesh.vertex_count());
    for (std::uint32_t v = 0; v < order.size(); ++v) {
        number[order[v]] = v;
        model.positions.push_back(array_of(mesh.positions[order[v]]));
    }
    std::vector<std::byte> points(order.size() * 4);
    for (std::size_t v = 0; v < order.size(); ++v) {
        for (std::size_t b = 0; b < 4; ++b) {
            points[v * 4 + b] = static_cast<std::byte>(mesh.point_of_vertex[order[v]] >> (8 * b));
        }
    }
    model.point_of_vertex = number_points(points, 4);
    for (const std::uint32_t v : dag.indices) model.corners.push_back(number[v]);
    add_clusters(dag, model);
    model.source_triangles = mesh.indices.size() / 3;
    model.measured_error = dag.measured_error;
    for (const Submesh& s : mesh.submeshes) {
        for (std::uint32_t i = s.first_index; i < s.first_index + s.index_count; i += 3) {
            const auto point = [&](std::uint32_t e) {
                return model.point_of_vertex[number[mesh.indices[i + e]]];
            };
            model.source.push_back({{point(0), point(1), point(2)}, s.material});
        }
    }
    if (!model.groups.empty()) {
        add_prefixes(model);
        add_node(model, 0, static_cast<std::uint32_t>(model.groups.size()));
    }
    return model;
}

}  // namespace sinter::test
