#include "tests/cluster/checker.hpp"

#include "tests/mesh/meshes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <span>
#include <tuple>

namespace sinter::test {
namespace {

struct Checker {
    const PreparedMesh& mesh;
    const ClusterDag& dag;
    const ClusterOptions& options;
    DagCheck report;
    std::vector<std::vector<std::uint32_t>> parents;  // of each group: the clusters that replace it
    std::set<std::pair<std::uint32_t, std::uint32_t>> ever_open;

    void expect(bool holds, const std::string& what, std::size_t where) {
        if (!holds && report.faults.size() < 20)
            report.faults.push_back(what + " at " + std::to_string(where));
    }
    [[nodiscard]] std::span<const std::uint32_t> indices_of(std::size_t cluster) const {
        const Cluster& c = dag.clusters[cluster];
        return std::span(dag.indices).subspan(c.first_index, std::size_t{c.triangle_count} * 3);
    }
    [[nodiscard]] std::uint32_t point(std::uint32_t vertex) const { return mesh.point_of_vertex[vertex]; }
};

void add_boundary(const Checker& k, std::span<const std::uint32_t> indices, Chain& chain, int sign) {
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint32_t a = k.point(indices[i + e]), b = k.point(indices[i + (e + 1) % 3]);
            const auto at = chain.try_emplace({std::min(a, b), std::max(a, b)}, 0).first;
            at->second += a < b ? sign : -sign;
            if (at->second == 0) chain.erase(at);
        }
    }
}

using Corners = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>;

Corners rotated(const std::uint32_t* c, std::int32_t material) {
    const std::size_t first = static_cast<std::size_t>(std::min_element(c, c + 3) - c);
    return {c[first], c[(first + 1) % 3], c[(first + 2) % 3], material};
}

void check_clusters(Checker& k) {
    std::uint32_t next_index = 0;
    double fill = 0;
    for (std::size_t c = 0; c < k.dag.clusters.size(); ++c) {
        const Cluster& cluster = k.dag.clusters[c];
        k.expect(cluster.first_index == next_index, "cluster's indices do not follow the last one's", c);
        next_index = cluster.first_index + cluster.triangle_count * 3;
        if (next_index > k.dag.indices.size()) return k.expect(false, "indices beyond the end", c);
        const auto indices = k.indices_of(c);
        const std::set<std::uint32_t> vertices(indices.begin(), indices.end());
        k.expect(cluster.triangle_count > 0 && cluster.triangle_count <= k.options.max_triangles, "triangles",
                 c);
        k.expect(vertices.size() == cluster.vertex_count && vertices.size() <= k.options.max_vertices,
                 "vertices", c);
        if (*vertices.rbegin() >= k.mesh.vertex_count()) return k.expect(false, "vertex out of range", c);
        for (std::size_t i = 0; i < indices.size(); i += 3) {
            const std::set<std::uint32_t> points = {k.point(indices[i]), k.point(indices[i + 1]),
                                                    k.point(indices[i + 2])};
            k.expect(points.size() == 3, "two corners on one point", c);
        }
        fill += std::max(static_cast<double>(cluster.triangle_count) / k.options.max_triangles,
                         static_cast<double>(cluster.vertex_count) / k.options.max_vertices);
    }
    k.expect(next_index == k.dag.indices.size(), "indices that no cluster has", next_index);
    k.report.lod_fill = fill / static_cast<double>(std::max<std::size_t>(k.dag.clusters.size(), 1));
}

void check_groups(Checker& k) {
    k.parents.resize(k.dag.groups.size());
    std::uint32_t next_cluster = 0, level = 0;
    for (std::size_t g = 0; g < k.dag.groups.size(); ++g) {
        const ClusterGroup& group = k.dag.groups[g];
        k.expect(group.first_cluster == next_cluster && group.cluster_count > 0, "group's clusters", g);
        next_cluster = group.first_cluster + group.cluster_count;
        if (next_cluster > k.dag.clusters.size()) return k.expect(false, "clusters beyond the end", g);
        k.expect(group.level == level || group.level == level + 1, "levels do not rise by one", g);
        level = group.level;
        for (std::uint32_t c = group.first_cluster; c < next_cluster; ++c) {
            const Cluster& cluster = k.dag.clusters[c];
            k.expect(cluster.group == g, "cluster of another group", c);
            if (cluster.child_group == kNone) continue;
            const auto child = static_cast<std::size_t>(cluster.child_group);
            if (child >= g) return k.expect(false, "child group does not stand before", c);
            k.expect(k.dag.groups[child].end == GroupEnd::Simplified, "child group has ended", c);
            k.expect(k.dag.groups[child].level < group.level, "child group on the same level", c);
            k.parents[child].push_back(c);
        }
    }
    k.expect(next_cluster == k.dag.clusters.size(), "clusters that no group has", next_cluster);
    for (std::size_t g = 0; g < k.dag.groups.size(); ++g) {
        const bool replaced = k.dag.groups[g].end == GroupEnd::Simplified;
        k.expect(replaced == !k.parents[g].empty(), "replaced by nothing, or replaced after its end", g);
    }
}

void check_coverage(Checker& k) {
    std::multiset<Corners> source, leaves;
    for (const Submesh& s : k.mesh.submeshes) {
        for (std::uint32_t i = s.first_index; i < s.first_index + s.index_count; i += 3) {
            source.insert(rotated(&k.mesh.indices[i], s.material));
        }
    }
    for (std::size_t c = 0; c < k.dag.clusters.size(); ++c) {
        if (k.dag.clusters[c].child_group != kNone) continue;
        const auto indices = k.indices_of(c);
        for (std::size_t i = 0; i < indices.size(); i += 3) {
            leaves.insert(rotated(&indices[i], k.dag.clusters[c].material));
        }
    }
    k.expect(source == leaves, "leaf clusters are not the source's triangles", leaves.size());
}

// What replaces a group uses only vertices that it had, each with a material that it had there.
void check_vertices(Checker& k, std::size_t g) {
    std::set<std::pair<std::uint32_t, std::int32_t>> had;
    const ClusterGroup& group = k.dag.groups[g];
    std::uint64_t before = 0, after = 0;
    for (std::uint32_t c = group.first_cluster; c < group.first_cluster + group.cluster_count; ++c) {
        for (const std::uint32_t v : k.indices_of(c)) had.insert({v, k.dag.clusters[c].material});
        before += k.dag.clusters[c].triangle_count;
    }
    for (const std::uint32_t c : k.parents[g]) {
        for (const std::uint32_t v : k.indices_of(c)) {
            k.expect(had.contains({v, k.dag.clusters[c].material}), "vertex or material from elsewhere", g);
        }
        after += k.dag.clusters[c].triangle_count;
    }
    // 85 % at most; where the ratio is larger, half of the way to a goal that lies at most 0.4 above it.
    const double most = std::max(0.85, 0.7 + 0.3 * k.options.ratio);
    k.expect(static_cast<double>(after) <= most * static_cast<double>(before), "hardly simplified", g);
}

// Where more than two triangles meet at an edge, or twins of opposite winding lie on each other, there is no telling
// which of them ends there: the border of such a sheet may move to other points than the source's border.
struct Borders {
    Chain open;                      // boundary of the surface with all groups before this one replaced
    std::set<std::uint32_t> points;  // of the source's border
    std::set<std::uint32_t>
        loose;  // of edges with more than two uses, and where such borders have moved since
};

Borders source_borders(const Checker& k) {
    Borders borders;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
    for (std::size_t i = 0; i < k.mesh.indices.size(); i += 3) {
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint32_t a = k.point(k.mesh.indices[i + e]);
            const std::uint32_t b = k.point(k.mesh.indices[i + (e + 1) % 3]);
            ++uses[{std::min(a, b), std::max(a, b)}];
        }
    }
    add_boundary(k, k.mesh.indices, borders.open, 1);
    for (const auto& [edge, count] : borders.open) borders.points.insert({edge.first, edge.second});
    for (const auto& [edge, count] : uses) {
        if (count > 2) borders.loose.insert({edge.first, edge.second});
    }
    return borders;
}

// The boundary of what replaces a group is that of the group, apart from edges that no other group has: those of the
// mesh's open border. They may only go away, or come between points of the source's border; no more come than go, since
// each that comes is one that went, moved.
void check_border(Checker& k, std::size_t g, Borders& borders) {
    Chain change;
    const ClusterGroup& group = k.dag.groups[g];
    for (std::uint32_t c = group.first_cluster; c < group.first_cluster + group.cluster_count; ++c) {
        add_boundary(k, k.indices_of(c), change, -1);
    }
    k.report.border_edges += change.size();
    for (const std::uint32_t c : k.parents[g]) add_boundary(k, k.indices_of(c), change, 1);
    std::set<std::uint32_t> came;
    bool loose = false, strays = false;
    int balance = 0;
    for (const auto& [edge, count] : change) {
        const auto [a, b] = edge;
        const auto found = borders.open.find(edge);
        const int before = found == borders.open.end() ? 0 : found->second;
        const bool goes = before != 0 && (before > 0) != (count > 0) && std::abs(count) <= std::abs(before);
        balance += goes ? -std::abs(count) : std::abs(count);
        if (goes && (borders.loose.contains(a) || borders.loose.contains(b))) loose = true;
        if (!goes) {
            strays = strays || !borders.points.contains(a) || !borders.points.contains(b);
            came.insert({a, b});
        }
        borders.open[edge] = before + count;
        if (before + count == 0) borders.open.erase(edge);
        if (before + count != 0) k.ever_open.insert(edge);
    }
    k.expect(balance <= 0, "more border edges come than go", g);
    k.expect(!strays || loose, "border edge changed", g);
    if (loose) borders.loose.insert(came.begin(), came.end());
}

void check_borders(Checker& k) {
    Borders borders = source_borders(k);
    for (const auto& [edge, count] : borders.open) k.ever_open.insert(edge);
    for (std::size_t g = 0; g < k.dag.groups.size(); ++g) {
        if (k.dag.groups[g].end != GroupEnd::Simplified) continue;
        check_vertices(k, g);
        check_border(k, g, borders);
        ++k.report.groups;
    }
}

double distance(Float3 a, Float3 b) {
    const auto d = [](float x, float y) { return static_cast<double>(x) - static_cast<double>(y); };
    return std::sqrt(d(a.x, b.x) * d(a.x, b.x) + d(a.y, b.y) * d(a.y, b.y) + d(a.z, b.z) * d(a.z, b.z));
}

bool is_finite(const Sphere& s) {
    return sinter::is_finite(s.center) && std::isfinite(s.radius) && s.radius >= 0;
}

bool contains(const Sphere& outer, const Sphere& inner) {
    return distance(outer.center, inner.center) + static_cast<double>(inner.radius) <=
           static_cast<double>(outer.radius);
}

void check_errors(Checker& k) {
    for (std::size_t g = 0; g < k.dag.groups.size(); ++g) {
        const ClusterGroup& group = k.dag.groups[g];
        k.expect(is_finite(group.lod_bounds), "lod_bounds", g);
        k.expect(std::isfinite(group.geometric_error) && group.geometric_error >= 0, "geometric_error", g);
        k.expect(std::isinf(group.lod_error) == (group.end != GroupEnd::Simplified), "lod_error at the end",
                 g);
        k.expect(group.lod_error >= std::max(group.geometric_error, group.posed_error), "lod_error too small",
                 g);
        for (std::uint32_t c = group.first_cluster; c < group.first_cluster + group.cluster_count; ++c) {
            const Cluster& cluster = k.dag.clusters[c];
            k.expect(is_finite(cluster.cull_bounds), "cull_bounds", c);
            k.expect(contains(group.lod_bounds, cluster.cull_bounds), "lod_bounds without a cluster", g);
            for (const std::uint32_t v : k.indices_of(c)) {
                k.expect(contains(cluster.cull_bounds, {k.mesh.positions[v], 0}), "vertex outside its bounds",
                         c);
            }
            if (cluster.child_group == kNone) continue;
            const ClusterGroup& child = k.dag.groups[static_cast<std::size_t>(cluster.child_group)];
            k.expect(contains(group.lod_bounds, child.lod_bounds), "lod_bounds without a child group", g);
            k.expect(group.geometric_error >= child.geometric_error, "geometric_error falls", g);
            k.expect(static_cast<double>(group.lod_error) >= 1.001 * static_cast<double>(child.lod_error),
                     "lod_error does not rise by 1.001", g);
        }
    }
}

// Whether a direction sees the front of a triangle, in double.
bool faces(const Checker& k, const std::uint32_t* corner, Float3 direction) {
    const auto at = [&](std::size_t i, float Float3::* axis) {
        return static_cast<double>(k.mesh.positions[corner[i]].*axis);
    };
    const std::array<float Float3::*, 3> axes = {&Float3::x, &Float3::y, &Float3::z};
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto j = axes[(i + 1) % 3], m = axes[(i + 2) % 3];
        const double n =
            (at(1, j) - at(0, j)) * (at(2, m) - at(0, m)) - (at(1, m) - at(0, m)) * (at(2, j) - at(0, j));
        sum += n * static_cast<double>(direction.*axes[i]);
    }
    return sum < 0;
}

void check_cones(Checker& k) {
    Random random(3);
    for (std::size_t c = 0; c < k.dag.clusters.size(); ++c) {
        const NormalCone& cone = k.dag.clusters[c].cone;
        k.expect(sinter::is_finite(cone.axis) && std::isfinite(cone.cutoff) && cone.cutoff <= 1, "cone", c);
        for (int view = 0; view < 32; ++view) {
            // Anywhere, then just inside the cone's edge.
            Float3 d = random.point(1);
            if (length(d) < 0.01F) continue;
            if (view >= 8) {
                Float3 side = d + cone.axis * -dot(d, cone.axis);
                if (length(side) < 0.01F) continue;
                side = side * (1 / length(side));
                const float cosine = cone.cutoff + 1e-6F;
                d = cone.axis * cosine + side * std::sqrt(std::max(0.0F, 1 - cosine * cosine));
            }
            d = d * (1 / length(d));
            if (dot(d, cone.axis) < cone.cutoff) continue;
            ++k.report.cone_views;
            const auto indices = k.indices_of(c);
            for (std::size_t i = 0; i < indices.size(); i += 3) {
                k.expect(!faces(k, &indices[i], d), "cone hides a front face", c);
            }
        }
    }
}

// The open edges of the surface that a choice of replaced groups draws are the source's or those that came for them.
void check_cut(Checker& k, const std::vector<bool>& replaced, std::size_t number) {
    Chain chain;
    for (const Cluster& cluster : k.dag.clusters) {
        const bool fine_enough =
            cluster.child_group == kNone || replaced[static_cast<std::size_t>(cluster.child_group)];
        if (cluster.child_group != kNone && replaced[cluster.group]) {
            k.expect(fine_enough, "a group is replaced before its child", number);
        }
        if (replaced[cluster.group] || !fine_enough) continue;
        add_boundary(
            k, std::span(k.dag.indices).subspan(cluster.first_index, std::size_t{cluster.triangle_count} * 3),
            chain, 1);
    }
    for (const auto& [edge, count] : chain) k.expect(k.ever_open.contains(edge), "crack in cut", number);
    k.report.cut_edges += chain.size();
    ++k.report.cuts;
}

void check_cuts(Checker& k, std::uint32_t cuts) {
    Random random(9);
    std::vector<float> errors;
    for (const ClusterGroup& group : k.dag.groups) {
        if (std::isfinite(group.lod_error)) errors.push_back(group.lod_error);
    }
    if (errors.empty()) return;
    std::vector<bool> replaced(k.dag.groups.size());
    for (std::uint32_t i = 0; i < cuts; ++i) {
        const float error = errors[random.below(static_cast<std::uint32_t>(errors.size()))];
        for (std::size_t g = 0; g < replaced.size(); ++g) replaced[g] = k.dag.groups[g].lod_error <= error;
        check_cut(k, replaced, i);
        const Float3 eye = k.mesh.bounds.center + random.point(3 * k.mesh.bounds.radius);
        const float scale = k.mesh.bounds.radius / error * random.between(0.05F, 2);
        for (std::size_t g = 0; g < replaced.size(); ++g) {
            const ClusterGroup& group = k.dag.groups[g];
            replaced[g] = std::isfinite(group.lod_error) &&
                          distance(group.lod_bounds.center, eye) >=
                              static_cast<double>(group.lod_bounds.radius) +
                                  static_cast<double>(group.lod_error) * static_cast<double>(scale);
        }
        check_cut(k, replaced, i);
    }
}

}  // namespace

DagCheck check_dag(const PreparedMesh& mesh, const ClusterDag& dag, const ClusterOptions& options,
                   std::uint32_t cuts) {
    Checker k{mesh, dag, options, {}, {}, {}};
    check_clusters(k);
    if (k.report.faults.empty()) check_groups(k);
    if (!k.report.faults.empty()) return k.report;
    check_coverage(k);
    check_borders(k);
    check_errors(k);
    check_cones(k);
    check_cuts(k, cuts);
    return k.report;
}

std::vector<std::uint32_t> uniform_cut(const ClusterDag& dag, float error) {
    std::vector<std::uint32_t> indices;
    for (const Cluster& cluster : dag.clusters) {
        const bool drawn = dag.groups[cluster.group].lod_error > error &&
                           (cluster.child_group == kNone ||
                            dag.groups[static_cast<std::size_t>(cluster.child_group)].lod_error <= error);
        if (!drawn) continue;
        const auto first = dag.indices.begin() + cluster.first_index;
        indices.insert(indices.end(), first, first + std::ptrdiff_t{cluster.triangle_count} * 3);
    }
    return indices;
}

std::string bytes_of(const ClusterDag& dag) {
    std::string bytes;
    const auto add = [&](const auto&... values) {
        (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    };
    for (const Cluster& c : dag.clusters) {
        add(c.first_index, c.triangle_count, c.vertex_count, c.material, c.group, c.child_group,
            c.cull_bounds.center, c.cull_bounds.radius, c.cone.axis, c.cone.cutoff);
    }
    for (const ClusterGroup& g : dag.groups) {
        add(g.level, g.first_cluster, g.cluster_count, g.end, g.path, g.reason, g.geometric_error,
            g.posed_error, g.attribute_error, g.lod_error, g.lod_bounds.center, g.lod_bounds.radius,
            g.locked_points, g.points);
    }
    for (const std::uint32_t v : dag.indices) add(v);
    return bytes;
}

}  // namespace sinter::test
