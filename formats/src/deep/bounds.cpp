#include "bounds.hpp"

#include "parallel.hpp"
#include "random.hpp"

#include <algorithm>
#include <cmath>

namespace sinter::deep {
namespace {

struct DecisionCounts {
    std::uint64_t made = 0, wrong = 0;
};

// Eyes next to the edge of the region in which `inner` is too coarse, half of them where the two spheres touch or come
// nearest to it, where rounding decides; counts where inner is too coarse and outer is not.
DecisionCounts compare_decisions(const DagSphere& inner, float inner_error, const DagSphere& outer,
                                 float outer_error, std::uint64_t seed) {
    if (never_fine(inner_error)) return {0, never_fine(outer_error) ? 0U : 1U};
    constexpr int kEyes = 24;
    Random random(seed);
    DecisionCounts counts;
    const Vec center = vec(inner.center), away = center - vec(outer.center);
    const double apart = length(away);
    for (int i = 0; i < kEyes; ++i) {
        const Vec direction = i % 2 == 0 && apart > 0 ? away * (1 / apart) : random.direction();
        // From nearly nothing to thousands of radii of reach beyond the sphere.
        const double radius = std::max(static_cast<double>(inner.radius), 1e-6);
        const double wanted = radius * std::pow(10.0, random.unit() * 7 - 3);
        const auto scale = static_cast<float>(
            inner_error > 0 ? std::min(wanted / static_cast<double>(inner_error), 1e15) : wanted);
        const float reach = inner.radius + inner_error * scale;
        const double off = (random.unit() * 2 - 1) * 2.4e-7;  // four float steps to either side
        const Float3 eye = to_float(center + direction * (static_cast<double>(reach) * (1 + off)));
        if (!too_coarse(inner, inner_error, eye, scale)) continue;
        ++counts.made;
        if (!too_coarse(outer, outer_error, eye, scale)) ++counts.wrong;
    }
    return counts;
}

struct Triangle {
    Vec a, normal;     // normal not of unit length
    double area = 0;   // length of the normal
    double slack = 0;  // how well the direction of the normal is known
};

// The triangles of a cluster whose normals are known to 1e-6.
std::vector<Triangle> faces_of(const Context& k, std::size_t cluster) {
    const auto corners = k.corners(cluster);
    std::vector<Triangle> out;
    for (std::size_t i = 0; i < corners.size(); i += 3) {
        const Vec a = vec(k.model.positions[corners[i]]);
        const Vec ab = vec(k.model.positions[corners[i + 1]]) - a,
                  ac = vec(k.model.positions[corners[i + 2]]) - a;
        Triangle t{a, cross(ab, ac), 0, 0};
        t.area = length(t.normal);
        if (t.area == 0) continue;
        t.slack = 1e-15 * length(ab) * length(ac) / t.area;
        if (t.slack < 1e-6) out.push_back(t);
    }
    return out;
}

// All directions of the cone see all triangles from behind: each normal is less than 90 degrees from every direction, that
// is, the sine of its angle to the axis is at most the cosine of the cone's half angle.
bool hides_no_front(const DagCluster& c, std::span<const Triangle> faces) {
    const Vec axis = vec(c.cone_axis);
    const double size = length(axis), cosine = static_cast<double>(c.cone_cutoff) / size;
    return std::ranges::all_of(faces, [&](const Triangle& t) {
        return dot(t.normal, axis) > 0 && length(cross(t.normal, axis)) / (t.area * size) <= cosine + t.slack;
    });
}

float float_dot(const Float3& a, const Float3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

bool seen_from_behind(std::span<const Triangle> faces, Vec eye) {
    return std::ranges::all_of(faces, [&](const Triangle& t) {
        const Vec view = t.a - eye;
        return dot(t.normal, view) >= -(t.slack + 1e-12) * t.area * length(view);
    });
}

// Directions and eyes around the edge of the cone, by the float tests that a shader makes.
std::uint64_t wrong_views(const DagCluster& c, std::span<const Triangle> faces, std::uint64_t seed) {
    constexpr int kViews = 8;
    Random random(seed);
    std::uint64_t wrong = 0;
    const Vec axis = vec(c.cone_axis) * (1 / length(vec(c.cone_axis)));
    const double cosine = std::min(1.0, static_cast<double>(c.cone_cutoff) / length(vec(c.cone_axis)));
    for (int i = 0; i < kViews; ++i) {
        Vec side = cross(axis, random.direction());
        if (length(side) < 1e-3) continue;
        side = side * (1 / length(side));
        const double x = std::min(1.0, cosine * (1 + (random.unit() - 0.5) * 2e-7));
        const Vec d = axis * x + side * std::sqrt(std::max(0.0, 1 - x * x));
        if (float_dot(to_float(d), c.cone_axis) >= c.cone_cutoff) {
            wrong +=
                std::ranges::all_of(
                    faces, [&](const Triangle& t) { return dot(t.normal, d) >= -(t.slack + 1e-12) * t.area; })
                    ? 0U
                    : 1U;
        }
        const double far = static_cast<double>(c.cull_bounds.radius) * std::pow(10.0, random.unit() * 3);
        const Float3 eye = to_float(vec(c.cull_bounds.center) - d * far);
        const Float3 to_center = {c.cull_bounds.center[0] - eye[0], c.cull_bounds.center[1] - eye[1],
                                  c.cull_bounds.center[2] - eye[2]};
        const float distance = std::sqrt(float_dot(to_center, to_center));
        if (float_dot(to_center, c.cone_axis) >=
            c.cone_cutoff * distance + c.cone_scale * c.cull_bounds.radius) {
            wrong += seen_from_behind(faces, vec(eye)) ? 0U : 1U;
        }
    }
    return wrong;
}

// Calls visit(group, child group, cluster) for each pair, once if the clusters of a child stand together.
template <typename Visit>
void each_pair(const Context& k, std::size_t g, const Visit& visit) {
    std::int32_t last = -1;
    for (std::size_t c = k.model.groups[g].first_cluster; c < k.last_cluster(k.model.groups[g]); ++c) {
        const std::int32_t child = k.model.clusters[c].child_group;
        if (child < 0 || child == last) continue;
        last = child;
        visit(static_cast<std::size_t>(child));
    }
}

// --- the tree over groups ---

struct Tree {
    std::vector<std::uint32_t> above;  // of each node: the node that has it, or none
    std::vector<std::uint32_t> above_slot;
    std::vector<std::uint32_t> found;  // of each group: how often
};
constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

const DagHierarchyChild* entry_above(const Context& k, const Tree& tree, std::uint32_t node) {
    if (node == 0 || tree.above[node] == kNowhere) return nullptr;
    return &k.model.hierarchy[tree.above[node]].children[tree.above_slot[node]];
}

// Nodes reached from node 0, each once, in the order in which they were found.
std::vector<std::uint32_t> walk_tree(const Context& k, Tree& tree, Findings& found) {
    const auto& nodes = k.model.hierarchy;
    tree.above.assign(nodes.size(), kNowhere);
    tree.above_slot.assign(nodes.size(), 0);
    tree.found.assign(k.model.groups.size(), 0);
    std::vector<std::uint32_t> reached{0};
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const auto& children = nodes[reached[i]].children;
        for (std::uint32_t slot = 0; slot < children.size(); ++slot) {
            const DagHierarchyChild& child = children[slot];
            const auto where = [&] { return cat("node ", reached[i], ", slot ", slot); };
            const std::size_t size = child.is_group ? k.model.groups.size() : nodes.size();
            if (child.index >= size) {
                found.add(where(), cat("refers to ", child.index, " of ", size));
            } else if (child.is_group) {
                ++tree.found[child.index];
            } else if (child.index == 0 || tree.above[child.index] != kNowhere) {
                found.add(where(), cat("leads to node ", child.index, ", which the tree has already"));
            } else {
                tree.above[child.index] = reached[i];
                tree.above_slot[child.index] = slot;
                reached.push_back(child.index);
            }
        }
    }
    return reached;
}

struct Bounded {
    const DagSphere& bounds;
    float lod_error = 0;
};

void check_entry(const DagHierarchyChild& outer, const Bounded& inner, std::uint64_t seed,
                 std::uint64_t& decisions, const std::string& where, Findings& found) {
    const bool error_holds =
        outer.lod_error >= inner.lod_error || (never_fine(outer.lod_error) && never_fine(inner.lod_error));
    if (!error_holds)
        found.add(where, cat("error ", outer.lod_error, " is below ", inner.lod_error, " inside it"));
    if (!sphere_contains(outer.bounds, inner.bounds))
        found.add(where, "its sphere does not contain what is below it");
    const DecisionCounts counts =
        compare_decisions(inner.bounds, inner.lod_error, outer.bounds, outer.lod_error, seed);
    decisions += counts.made;
    if (counts.wrong != 0) {
        found.add(where,
                  cat("is left out at ", counts.wrong, " sampled eyes where what is below it is too coarse"));
    }
}

}  // namespace

DeepCheck check_lod_bounds(const Context& context) {
    Findings found(context, "lod_bounds", "vertices and child groups");
    std::vector<std::vector<DeepFinding>> faults(context.model.groups.size());
    std::vector<std::uint64_t> looked(faults.size());
    parallel_each(faults.size(), context.threads, [&](std::size_t g) {
        const DagGroup& group = context.model.groups[g];
        const auto where = [&] { return cat("group ", g); };
        for (std::size_t c = group.first_cluster; c < context.last_cluster(group); ++c) {
            for (const std::uint32_t v : context.corners(c)) {
                ++looked[g];
                if (sphere_contains(group.lod_bounds, {context.model.positions[v], 0})) continue;
                faults[g].push_back(
                    {where(), cat("its lod_bounds do not contain vertex ", v, " of cluster ", c)});
                break;
            }
        }
        each_pair(context, g, [&](std::size_t child) {
            ++looked[g];
            if (sphere_contains(group.lod_bounds, context.model.groups[child].lod_bounds)) return;
            faults[g].push_back({where(), cat("its lod_bounds do not contain those of child group ", child)});
        });
    });
    for (std::size_t g = 0; g < faults.size(); ++g) {
        found.count(looked[g]);
        found.take(faults[g]);
    }
    return found.done();
}

DeepCheck check_cut_decisions(const Context& context) {
    Findings found(context, "cut_decisions", "decisions on a group and its child");
    std::vector<std::vector<DeepFinding>> faults(context.model.groups.size());
    std::vector<std::uint64_t> made(faults.size());
    parallel_each(faults.size(), context.threads, [&](std::size_t g) {
        const DagGroup& group = context.model.groups[g];
        each_pair(context, g, [&](std::size_t child) {
            const DagGroup& below = context.model.groups[child];
            const DecisionCounts counts = compare_decisions(
                below.lod_bounds, below.lod_error, group.lod_bounds, group.lod_error, g * 0x10001 + child);
            made[g] += counts.made;
            if (counts.wrong == 0) return;
            faults[g].push_back({cat("group ", g, ", child group ", child),
                                 cat(counts.wrong, " of ", counts.made,
                                     " sampled eyes find the child too coarse and the group not")});
        });
    });
    for (std::size_t g = 0; g < faults.size(); ++g) {
        found.count(made[g]);
        found.take(faults[g]);
    }
    return found.done();
}

DeepCheck check_cull_bounds(const Context& context) {
    Findings found(context, "cull_bounds", "clusters");
    found.count(context.model.clusters.size());
    for (std::size_t c = 0; c < context.model.clusters.size(); ++c) {
        const DagSphere& bounds = context.model.clusters[c].cull_bounds;
        for (const std::uint32_t v : context.corners(c)) {
            if (sphere_contains(bounds, {context.model.positions[v], 0})) continue;
            found.add(cat("cluster ", c), cat("its cull_bounds do not contain vertex ", v));
            break;
        }
    }
    return found.done();
}

DeepCheck check_cones(const Context& context) {
    Findings found(context, "cones", "clusters whose cone hides something");
    const std::size_t clusters = context.model.clusters.size();
    std::vector<std::vector<DeepFinding>> faults(clusters);
    std::vector<std::uint8_t> hides(clusters);
    parallel_each(clusters, context.threads, [&](std::size_t c) {
        const DagCluster& cluster = context.model.clusters[c];
        if (static_cast<double>(cluster.cone_cutoff) > length(vec(cluster.cone_axis))) return;
        hides[c] = 1;
        const std::vector<Triangle> faces = faces_of(context, c);
        if (!hides_no_front(cluster, faces)) {
            faults[c].push_back({cat("cluster ", c), "its cone hides a front face"});
        } else if (const std::uint64_t wrong = wrong_views(cluster, faces, c); wrong != 0) {
            faults[c].push_back(
                {cat("cluster ", c), cat("its cone hides a front face from ", wrong, " sampled views")});
        }
    });
    for (std::size_t c = 0; c < clusters; ++c) {
        found.count(hides[c]);
        found.take(faults[c]);
    }
    return found.done();
}

DeepCheck check_hierarchy(const Context& context) {
    Findings found(context, "hierarchy", "groups and nodes");
    const DagModel& m = context.model;
    if (m.hierarchy.empty()) return found.done();
    Tree tree;
    std::uint64_t decisions = 0;
    const std::vector<std::uint32_t> reached = walk_tree(context, tree, found);
    found.count(m.groups.size() + m.hierarchy.size());
    found.expect(
        reached.size() == m.hierarchy.size(), [] { return std::string("nodes"); },
        [&] {
            return cat("only ", reached.size(), " of ", m.hierarchy.size(), " can be reached from node 0");
        });
    for (std::size_t g = 0; g < m.groups.size(); ++g) {
        found.expect(
            tree.found[g] == 1, [&] { return cat("group ", g); },
            [&] { return cat("is in the tree ", tree.found[g], " times instead of once"); });
    }
    for (const std::uint32_t node : reached) {
        const DagHierarchyChild* above = entry_above(context, tree, node);
        for (std::uint32_t slot = 0; slot < m.hierarchy[node].children.size(); ++slot) {
            const DagHierarchyChild& child = m.hierarchy[node].children[slot];
            const std::uint64_t seed = std::uint64_t{node} * 64 + slot;
            const std::string where = cat("node ", node, ", slot ", slot);
            if (child.is_group && child.index < m.groups.size()) {
                const DagGroup& group = m.groups[child.index];
                check_entry(child, {group.lod_bounds, group.lod_error}, seed, decisions, where, found);
            }
            if (above != nullptr) {
                check_entry(*above, {child.bounds, child.lod_error}, seed + 32, decisions, where, found);
            }
        }
    }
    found.figure("decisions", static_cast<double>(decisions));
    return found.done();
}

}  // namespace sinter::deep
