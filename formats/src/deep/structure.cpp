#include "structure.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace sinter::deep {
namespace {

// Above this the squares of the cut rule leave the range of float.
constexpr float kLargest = 1e18F;

bool is_usable(const Float3& p) {
    return std::ranges::all_of(p, [](float x) { return std::abs(x) < kLargest; });  // false for NaN
}
bool is_usable(const DagSphere& s) { return is_usable(s.center) && s.radius >= 0 && s.radius < kLargest; }
bool is_error(float error) { return error >= 0 && error < kLargest; }

void vertex_ranges(const Context& k, Findings& found) {
    const DagModel& m = k.model;
    found.count(m.positions.size());
    found.expect(
        m.point_of_vertex.size() == m.positions.size(), [] { return std::string("vertices"); },
        [&] { return cat(m.point_of_vertex.size(), " points for ", m.positions.size(), " vertices"); });
    for (std::size_t v = 0; v < m.positions.size(); ++v) {
        found.expect(
            is_usable(m.positions[v]), [&] { return cat("vertex ", v); },
            [] { return std::string("its position is not finite, or beyond 1e18"); });
    }
    for (std::size_t v = 0; v < m.point_of_vertex.size(); ++v) {
        found.expect(
            m.point_of_vertex[v] < m.positions.size(), [&] { return cat("vertex ", v); },
            [&] { return cat("is point ", m.point_of_vertex[v], ", of at most ", m.positions.size()); });
    }
    for (std::size_t i = 0; i < m.corners.size(); ++i) {
        found.expect(
            m.corners[i] < m.positions.size(), [&] { return cat("corner ", i); },
            [&] { return cat("refers to vertex ", m.corners[i], " of ", m.positions.size()); });
    }
    const auto pose_ranges = [&](const auto& poses, std::string_view noun) {
        for (std::size_t p = 0; p < poses.size(); ++p) {
            found.expect(
                poses[p].size() == m.positions.size() &&
                    std::ranges::all_of(poses[p], [](const Float3& x) { return is_usable(x); }),
                [&] { return cat(noun, ' ', p); },
                [&] { return cat("has not ", m.positions.size(), " finite positions"); });
        }
    };
    pose_ranges(m.poses, "pose");
    pose_ranges(m.held_out_poses, "held-out pose");
}

void cluster_ranges(const Context& k, Findings& found) {
    const DagModel& m = k.model;
    found.count(m.clusters.size());
    for (std::size_t c = 0; c < m.clusters.size(); ++c) {
        const DagCluster& cluster = m.clusters[c];
        const auto where = [&] { return cat("cluster ", c); };
        found.expect(cluster.first_corner + std::uint64_t{cluster.triangle_count} * 3 <= m.corners.size(),
                     where, [&] { return cat("its corners end beyond ", m.corners.size()); });
        found.expect(cluster.group < m.groups.size(), where,
                     [&] { return cat("is in group ", cluster.group, " of ", m.groups.size()); });
        found.expect(
            cluster.child_group == -1 ||
                (cluster.child_group >= 0 && static_cast<std::size_t>(cluster.child_group) < m.groups.size()),
            where, [&] { return cat("replaces group ", cluster.child_group, " of ", m.groups.size()); });
        found.expect(is_usable(cluster.cull_bounds) && is_usable(cluster.cone_axis) &&
                         std::isfinite(cluster.cone_cutoff),
                     where, [] { return std::string("its bounds or its cone are not finite"); });
    }
}

void group_ranges(const Context& k, Findings& found) {
    const DagModel& m = k.model;
    found.count(m.groups.size());
    std::uint64_t next = 0;
    for (std::size_t g = 0; g < m.groups.size(); ++g) {
        const DagGroup& group = m.groups[g];
        const auto where = [&] { return cat("group ", g); };
        found.expect(group.first_cluster == next && group.cluster_count > 0, where, [&] {
            return cat("has clusters ", group.first_cluster, " + ", group.cluster_count,
                       "; the first must be ", next, " and the count not 0");
        });
        next = std::uint64_t{group.first_cluster} + group.cluster_count;
        for (std::uint64_t c = group.first_cluster; c < std::min<std::uint64_t>(next, m.clusters.size());
             ++c) {
            const DagCluster& cluster = m.clusters[c];
            found.expect(
                cluster.group == g, [&] { return cat("cluster ", c); },
                [&] { return cat("is in group ", g, " and says ", cluster.group); });
            const auto child = static_cast<std::size_t>(cluster.child_group);
            found.expect(
                cluster.child_group < 0 || child >= m.groups.size() || m.groups[child].level < group.level,
                [&] { return cat("cluster ", c); },
                [&] {
                    return cat("of level ", group.level, " replaces a group of level ", m.groups[child].level,
                               ", which must be lower");
                });
        }
        found.expect(is_usable(group.lod_bounds) && is_error(group.geometric_error) &&
                         is_error(group.posed_error) && group.lod_error >= 0,
                     where,
                     [] { return std::string("its lod_bounds or errors are negative or not finite"); });
    }
    found.expect(
        next == m.clusters.size(), [] { return std::string("groups"); },
        [&] { return cat("have ", next, " clusters of ", m.clusters.size()); });
}

using Corners = std::array<std::uint32_t, 4>;  // three points, the lowest first, winding kept; material

Corners rotated(std::array<std::uint32_t, 3> p, std::int32_t material) {
    std::ranges::rotate(p, std::ranges::min_element(p));
    return {p[0], p[1], p[2], static_cast<std::uint32_t>(material)};
}

std::vector<Corners> full_detail(const Context& k) {
    std::vector<Corners> out;
    for (std::size_t c = 0; c < k.model.clusters.size(); ++c) {
        if (k.model.clusters[c].child_group >= 0) continue;
        const auto corners = k.corners(c);
        for (std::size_t i = 0; i < corners.size(); i += 3) {
            const auto point = [&](std::size_t e) { return k.model.point_of_vertex[corners[i + e]]; };
            out.push_back(rotated({point(0), point(1), point(2)}, k.model.clusters[c].material));
        }
    }
    std::ranges::sort(out);
    return out;
}

void check_full_detail(const Context& k, Findings& found) {
    const std::vector<Corners> leaves = full_detail(k);
    const auto where = [] { return std::string("full detail"); };
    found.expect(leaves.size() == k.model.source_triangles, where,
                 [&] { return cat(leaves.size(), " triangles for a mesh of ", k.model.source_triangles); });
    if (k.model.source.empty()) return;
    std::vector<Corners> source;
    for (const DagSourceTriangle& t : k.model.source) source.push_back(rotated(t.points, t.material));
    std::ranges::sort(source);
    std::size_t common = 0;
    for (std::size_t a = 0, b = 0; a < leaves.size() && b < source.size();) {
        if (leaves[a] == source[b]) ++common;
        const bool step_a = leaves[a] <= source[b], step_b = source[b] <= leaves[a];
        a += step_a ? 1U : 0U;
        b += step_b ? 1U : 0U;
    }
    found.expect(common == leaves.size() && common == source.size(), where, [&] {
        return cat("only ", common, " of ", source.size(), " triangles are those of the mesh");
    });
    found.figure("source_triangles", static_cast<double>(source.size()));
}

std::set<std::int32_t> materials_of(const Context& k, std::span<const std::uint32_t> clusters) {
    std::set<std::int32_t> out;
    for (const std::uint32_t c : clusters) out.insert(k.model.clusters[c].material);
    return out;
}

void check_pair(const Context& k, std::size_t cluster, Findings& found) {
    const DagCluster& c = k.model.clusters[cluster];
    const DagGroup& parent = k.model.groups[c.group];
    const DagGroup& child = k.model.groups[static_cast<std::size_t>(c.child_group)];
    const auto where = [&] { return cat("group ", c.group, ", child group ", c.child_group); };
    found.expect(parent.geometric_error >= child.geometric_error && parent.posed_error >= child.posed_error,
                 where, [&] {
                     return cat("geometric and posed error ", parent.geometric_error, " and ",
                                parent.posed_error, " must not be below the child's, ", child.geometric_error,
                                " and ", child.posed_error);
                 });
    found.expect(never_fine(parent.lod_error) || parent.lod_error >= child.lod_error * 1.001F, where, [&] {
        return cat("lod_error ", parent.lod_error, " must be at least 1.001 times ", child.lod_error);
    });
}

}  // namespace

DeepCheck check_ranges(const Context& context) {
    Findings found(context, "ranges", "vertices, clusters, groups");
    vertex_ranges(context, found);
    cluster_ranges(context, found);
    group_ranges(context, found);
    return found.done();
}

void link_groups(Context& context) {
    const DagModel& m = context.model;
    Lists& lists = context.replacing;
    lists.first.assign(m.groups.size() + 1, 0);
    for (const DagCluster& c : m.clusters) {
        if (c.child_group >= 0) ++lists.first[static_cast<std::size_t>(c.child_group) + 1];
    }
    for (std::size_t g = 0; g < m.groups.size(); ++g) lists.first[g + 1] += lists.first[g];
    lists.items.resize(lists.first.back());
    std::vector<std::uint32_t> next(lists.first.begin(), lists.first.end() - 1);
    for (std::uint32_t c = 0; c < m.clusters.size(); ++c) {
        const std::int32_t child = m.clusters[c].child_group;
        if (child >= 0) lists.items[next[static_cast<std::size_t>(child)]++] = c;
    }
    context.order.resize(m.groups.size());
    for (std::uint32_t g = 0; g < m.groups.size(); ++g) context.order[g] = g;
    std::ranges::sort(context.order, {}, [&](std::uint32_t g) { return std::pair(m.groups[g].level, g); });
}

DeepCheck check_limits(const Context& context) {
    Findings found(context, "limits", "clusters");
    const DagModel& m = context.model;
    found.count(m.clusters.size());
    std::vector<std::uint32_t> vertices;
    std::uint64_t triangles = 0;
    for (std::size_t c = 0; c < m.clusters.size(); ++c) {
        const auto corners = context.corners(c);
        const auto where = [&] { return cat("cluster ", c); };
        const std::size_t count = corners.size() / 3;
        triangles += count;
        found.expect(count > 0 && count <= context.options.max_triangles, where, [&] {
            return cat(count, " triangles; 1 to ", context.options.max_triangles, " are allowed");
        });
        vertices.assign(corners.begin(), corners.end());
        std::ranges::sort(vertices);
        vertices.erase(std::ranges::unique(vertices).begin(), vertices.end());
        found.expect(vertices.size() == m.clusters[c].vertex_count &&
                         vertices.size() <= context.options.max_vertices,
                     where, [&] {
                         return cat(vertices.size(), " vertices used, ", m.clusters[c].vertex_count,
                                    " stored; they must agree and be at most ", context.options.max_vertices);
                     });
        for (std::size_t i = 0; i < corners.size(); i += 3) {
            const auto point = [&](std::size_t e) { return m.point_of_vertex[corners[i + e]]; };
            found.expect(point(0) != point(1) && point(1) != point(2) && point(2) != point(0), where,
                         [&] { return cat("triangle ", i / 3, " has two corners on one point"); });
        }
    }
    found.figure("triangles", static_cast<double>(triangles));
    return found.done();
}

DeepCheck check_coverage(const Context& context) {
    Findings found(context, "coverage", "groups");
    const DagModel& m = context.model;
    found.count(m.groups.size());
    for (std::size_t g = 0; g < m.groups.size(); ++g) {
        const auto where = [&] { return cat("group ", g); };
        const auto replacing = context.replacing.of(g);
        found.expect((m.groups[g].end == DagEnd::Simplified) == !replacing.empty(), where, [&] {
            return replacing.empty() ? std::string("is simplified, but nothing replaces it")
                                     : cat("has ended, but ", replacing.size(), " clusters replace it");
        });
        std::vector<std::uint32_t> own(m.groups[g].cluster_count);
        for (std::uint32_t i = 0; i < own.size(); ++i) own[i] = m.groups[g].first_cluster + i;
        const auto had = materials_of(context, own);
        found.expect(std::ranges::includes(had, materials_of(context, replacing)), where,
                     [] { return std::string("is replaced by clusters of a material that it had not"); });
    }
    check_full_detail(context, found);
    return found.done();
}

DeepCheck check_monotone_errors(const Context& context) {
    Findings found(context, "monotone_errors", "pairs of group and child group");
    const DagModel& m = context.model;
    for (std::size_t g = 0; g < m.groups.size(); ++g) {
        const DagGroup& group = m.groups[g];
        const auto where = [&] { return cat("group ", g); };
        found.expect(never_fine(group.lod_error) == (group.end != DagEnd::Simplified), where, [&] {
            return cat("lod_error ", group.lod_error,
                       "; it is infinite exactly where nothing replaces a group");
        });
        found.expect(
            group.lod_error >= group.geometric_error && group.lod_error >= group.posed_error, where, [&] {
                return cat("lod_error ", group.lod_error, " is below the geometric or the posed error, ",
                           group.geometric_error, " and ", group.posed_error);
            });
        std::int32_t last = -1;
        for (std::size_t c = group.first_cluster; c < context.last_cluster(group); ++c) {
            const std::int32_t child = m.clusters[c].child_group;
            if (child < 0 || child == last) continue;
            last = child;
            found.count(1);
            check_pair(context, c, found);
        }
    }
    return found.done();
}

}  // namespace sinter::deep
