#include "cooker/cluster/dag.hpp"

#include "cooker/cluster/bounds.hpp"
#include "cooker/cluster/group.hpp"
#include "cooker/cluster/leaf.hpp"
#include "cooker/cluster/poses.hpp"
#include "cooker/cluster/samples.hpp"
#include "cooker/cluster/simplify.hpp"
#include "cooker/cluster/step.hpp"
#include "cooker/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace sinter {
namespace {

// How often a group's clusters are tried again with other neighbours before they end.
constexpr std::uint8_t kMostTries = 3;
constexpr float kErrorStep = 1.001F;

struct Build {
    const PreparedMesh& mesh;
    const ClusterOptions& options;
    std::uint32_t threads = 1;
    ClusterSet pending;                // the clusters of the level that nothing has replaced yet
    std::vector<std::uint8_t> tries;   // of each pending cluster: failed simplifications
    std::vector<std::uint32_t> owner;  // by point: kNobody, a group of this level, kSharedPoint, kFrozenPoint
    ClusterDag dag;
    std::optional<SourceSurface> source;  // to measure against
    const PoseSet* poses = nullptr;
    const BuildObserver* observer = nullptr;
    std::uint32_t few_samples = kFewSamples;  // of each group of this level
};

// Each point that two groups use is shared; frozen ones stay frozen.
void mark_owners(Build& build, const Grouping& grouping) {
    const InPhase phase(*build.observer, BuildPhase::Lock);
    for (std::uint32_t& owner : build.owner) {
        if (owner != kFrozenPoint) owner = kNobody;
    }
    for (std::uint32_t g = 0; g < grouping.count(); ++g) {
        for (const std::uint32_t c : grouping.of(g)) {
            for (const std::uint32_t v : build.pending.vertices_of(c)) {
                std::uint32_t& owner = build.owner[build.mesh.point_of_vertex[v]];
                if (owner == kNobody) {
                    owner = g;
                } else if (owner != g && owner != kFrozenPoint) {
                    owner = kSharedPoint;
                }
            }
        }
    }
}

// Clusters of one group by material, then by number.
std::vector<std::uint32_t> by_material(const ClusterSet& set, std::span<const std::uint32_t> clusters) {
    std::vector<std::uint32_t> order(clusters.begin(), clusters.end());
    std::ranges::sort(order, {}, [&](std::uint32_t c) { return std::pair(set.clusters[c].material, c); });
    return order;
}

Triangles triangles_of(const ClusterSet& set, std::span<const std::uint32_t> clusters) {
    Triangles triangles;
    for (const std::uint32_t c : by_material(set, clusters)) {
        const auto indices = set.indices_of(c);
        const auto first = static_cast<std::uint32_t>(triangles.indices.size());
        const auto count = static_cast<std::uint32_t>(indices.size());
        if (!triangles.submeshes.empty() && triangles.submeshes.back().material == set.clusters[c].material) {
            triangles.submeshes.back().index_count += count;
        } else {
            triangles.submeshes.push_back({set.clusters[c].material, first, count});
        }
        triangles.indices.insert(triangles.indices.end(), indices.begin(), indices.end());
    }
    return triangles;
}

std::size_t triangle_count(const ClusterSet& set, std::span<const std::uint32_t> clusters) {
    std::size_t count = 0;
    for (const std::uint32_t c : clusters) count += set.clusters[c].triangle_count;
    return count;
}

// Triangles of a full cluster as these are: soup fills the vertices of a cluster long before its triangles.
double full_cluster(const ClusterOptions& options, std::size_t triangles, std::size_t clusters) {
    const double mean = static_cast<double>(triangles) / static_cast<double>(clusters);
    return mean < 0.8 * options.max_triangles ? mean : options.max_triangles;
}

// What each group should become: its share of triangles, in whole clusters where that is near, for a cluster that is
// nearly empty costs as much as a full one. What rounding adds to a group is taken from the next, so that the mean is the
// ratio.
std::vector<StepGoal> goals_of(const Build& build, const Grouping& grouping) {
    const double ratio = build.options.ratio;
    std::vector<StepGoal> goals(grouping.count());
    double carried = 0;  // clusters
    for (std::size_t g = 0; g < goals.size(); ++g) {
        const auto clusters = grouping.of(g);
        const std::size_t triangles = triangle_count(build.pending, clusters);
        const double full = full_cluster(build.options, triangles, clusters.size());
        const double wanted = static_cast<double>(triangles) * ratio;
        const double whole = std::max(1.0, std::floor(wanted / full + carried + 0.5));
        const bool near = whole * full <= wanted + (static_cast<double>(triangles) - wanted) * 0.4;
        if (near) carried = std::clamp(carried + wanted / full - whole, -0.5, 0.5);
        goals[g].triangles =
            static_cast<std::size_t>(std::max(1.0, std::floor(near ? whole * full : wanted)));
        for (const std::uint32_t c : clusters) {
            const std::int32_t child = build.pending.clusters[c].child_group;
            if (child == kNone) continue;
            const ClusterGroup& below = build.dag.groups[static_cast<std::size_t>(child)];
            goals[g].child_estimate = std::max(goals[g].child_estimate, below.attribute_error);
            goals[g].child_error = std::max({goals[g].child_error, below.geometric_error, below.posed_error});
        }
    }
    return goals;
}

StepContext context_of(const Build& build) {
    return {build.mesh,   build.options,   build.owner,      build.source ? &*build.source : nullptr,
            *build.poses, *build.observer, build.few_samples};
}

std::vector<std::uint32_t> carried_samples(const Build& build, std::span<const std::uint32_t> clusters) {
    std::vector<std::uint32_t> carried;
    for (const std::uint32_t c : clusters) {
        if (build.pending.samples.empty()) break;
        carried.insert(carried.end(), build.pending.samples[c].begin(), build.pending.samples[c].end());
    }
    return carried;
}

// The smallest error of the steps that are refined.
float refined_from(const Build& build, std::span<const Step> steps) {
    if (build.poses->poses.empty()) return 0;
    const std::size_t count =
        std::max(kRefinedGroups, static_cast<std::size_t>(static_cast<double>(steps.size()) * kRefinedShare));
    if (steps.size() <= count) return 0;
    std::vector<float> errors;
    errors.reserve(steps.size());
    for (const Step& step : steps) errors.push_back(error_of(step));
    const auto last = errors.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::ranges::nth_element(errors, last, std::greater<>());
    return *last;
}

std::vector<Step> make_steps(const Build& build, const Grouping& grouping, std::span<const StepGoal> goals) {
    const StepContext context = context_of(build);
    std::vector<Step> steps(grouping.count());
    parallel_for(steps.size(), build.threads, [&](std::size_t g) {
        const auto clusters = grouping.of(g);
        steps[g] = make_step(context, triangles_of(build.pending, clusters), carried_samples(build, clusters),
                             goals[g]);
    });
    const float least = refined_from(build, steps);
    parallel_for(steps.size(), build.threads, [&](std::size_t g) {
        if (error_of(steps[g]) < least || !is_spoilt(context, steps[g], goals[g])) return;
        const auto clusters = grouping.of(g);
        steps[g] = refine_step(context, triangles_of(build.pending, clusters),
                               carried_samples(build, clusters), goals[g], std::move(steps[g]));
    });
    return steps;
}

// Errors of a group are those of its own step or of the worst child, whichever is larger.
void set_errors(const Build& build, const Step& step, ClusterGroup& group) {
    float least = 0;
    group.geometric_error = step.geometric_error;
    group.posed_error = step.posed_error;
    group.attribute_error = step.simplified.error;
    for (std::uint32_t c = group.first_cluster; c < group.first_cluster + group.cluster_count; ++c) {
        const std::int32_t child = build.dag.clusters[c].child_group;
        if (child == kNone) continue;
        const ClusterGroup& below = build.dag.groups[static_cast<std::size_t>(child)];
        group.geometric_error = std::max(group.geometric_error, below.geometric_error);
        group.posed_error = std::max(group.posed_error, below.posed_error);
        group.attribute_error = std::max(group.attribute_error, below.attribute_error);
        least = std::max(least, below.lod_error);
    }
    if (group.end != GroupEnd::Simplified) return;
    // The product may round below 1.001 times the child's error by half a step.
    const float raised =
        least > 0 ? std::nextafter(least * kErrorStep, std::numeric_limits<float>::infinity()) : 0;
    group.lod_error = std::max({group.geometric_error, group.posed_error, raised});
}

Sphere lod_bounds_of(const Build& build, const ClusterGroup& group) {
    std::vector<Sphere> spheres;
    std::vector<std::int32_t> children;
    for (std::uint32_t c = group.first_cluster; c < group.first_cluster + group.cluster_count; ++c) {
        const Cluster& cluster = build.dag.clusters[c];
        spheres.push_back(cluster.cull_bounds);
        if (cluster.child_group != kNone) children.push_back(cluster.child_group);
    }
    std::ranges::sort(children);
    const auto repeated = std::ranges::unique(children);
    children.erase(repeated.begin(), repeated.end());
    for (const std::int32_t child : children) {
        spheres.push_back(build.dag.groups[static_cast<std::size_t>(child)].lod_bounds);
    }
    return sphere_around_spheres(spheres);
}

// Writes a group and its clusters, by material, to the DAG; returns its number.
std::uint32_t append_group(Build& build, std::uint32_t level, std::span<const std::uint32_t> clusters,
                           GroupEnd end, const Step& step) {
    const auto number = static_cast<std::uint32_t>(build.dag.groups.size());
    ClusterGroup group;
    group.level = level;
    group.first_cluster = static_cast<std::uint32_t>(build.dag.clusters.size());
    group.cluster_count = static_cast<std::uint32_t>(clusters.size());
    group.end = end;
    group.path = step.simplified.path;
    group.reason = step.simplified.reason;
    group.points = step.simplified.points;
    group.locked_points = step.simplified.locked_points;
    for (const std::uint32_t c : by_material(build.pending, clusters)) {
        Cluster cluster = build.pending.clusters[c];
        const auto indices = build.pending.indices_of(c);
        cluster.first_index = static_cast<std::uint32_t>(build.dag.indices.size());
        cluster.group = number;
        build.dag.clusters.push_back(cluster);
        build.dag.indices.insert(build.dag.indices.end(), indices.begin(), indices.end());
    }
    set_errors(build, step, group);
    group.lod_bounds = lod_bounds_of(build, group);
    build.dag.groups.push_back(group);
    return number;
}

// A group that ends leaves the level, but its border stays for its neighbours: no one may move its points any more.
void append_stuck_group(Build& build, std::uint32_t level, std::span<const std::uint32_t> clusters,
                        const Step& step) {
    for (const std::uint32_t c : clusters) {
        for (const std::uint32_t v : build.pending.vertices_of(c)) {
            build.owner[build.mesh.point_of_vertex[v]] = kFrozenPoint;
        }
    }
    append_group(build, level, clusters, GroupEnd::Stuck, step);
}

// One cluster a material: nothing is left to merge.
bool is_root(const ClusterSet& set) {
    std::vector<std::int32_t> materials;
    for (const Cluster& cluster : set.clusters) {
        if (std::ranges::find(materials, cluster.material) != materials.end()) return false;
        materials.push_back(cluster.material);
        constexpr std::size_t kMostMaterials = 4096;  // such a set is no root, and the search stays short
        if (materials.size() > kMostMaterials) return false;
    }
    return true;
}

void append_root(Build& build, std::uint32_t level) {
    std::vector<std::uint32_t> all(build.pending.clusters.size());
    for (std::uint32_t c = 0; c < all.size(); ++c) all[c] = c;
    append_group(build, level, all, GroupEnd::Root, {});
    build.pending = {};
}

// Whether any of the clusters may be tried again: a group of all that is left has no other neighbours to meet.
bool may_retry(const Build& build, const Grouping& grouping, std::span<const std::uint32_t> clusters) {
    return grouping.count() > 1 &&
           std::ranges::any_of(clusters, [&](std::uint32_t c) { return build.tries[c] + 1 < kMostTries; });
}

Grouping group_pending(const Build& build, std::uint32_t round) {
    const InPhase phase(*build.observer, BuildPhase::Group);
    return group_clusters(build.mesh, build.pending, build.options.group_size, round, build.threads);
}

// `round` counts these calls: a round in which every group is put off for the next one makes no level.
void simplify_level(Build& build, std::uint32_t level, std::uint32_t round) {
    const Grouping grouping = group_pending(build, round);
    mark_owners(build, grouping);
    build.few_samples = few_samples(grouping.count(), build.poses->poses.size());
    const std::vector<StepGoal> goals = goals_of(build, grouping);
    std::vector<Step> steps = make_steps(build, grouping, goals);
    const InPhase phase(*build.observer, BuildPhase::Gather);
    ClusterSet next;
    std::vector<std::uint8_t> tries;
    for (std::size_t g = 0; g < steps.size(); ++g) {
        Step& step = steps[g];
        const auto clusters = grouping.of(g);
        if (step.simplified.path != SimplifyPath::None) {
            const std::uint32_t number = append_group(build, level, clusters, GroupEnd::Simplified, step);
            for (Cluster& cluster : step.clusters.clusters)
                cluster.child_group = static_cast<std::int32_t>(number);
            next.append(step.clusters);
        } else if (may_retry(build, grouping, clusters)) {
            for (const std::uint32_t c : clusters) {
                next.append(build.pending, c);
                tries.resize(next.clusters.size(), 0);
                tries.back() = static_cast<std::uint8_t>(build.tries[c] + 1);
            }
        } else {
            append_stuck_group(build, level, clusters, step);
        }
        tries.resize(next.clusters.size(), 0);
        step = {};
    }
    build.pending = std::move(next);
    build.tries = std::move(tries);
}

void report_stuck_groups(const Build& build, Issues& issues) {
    for (std::size_t g = 0; g < build.dag.groups.size(); ++g) {
        const ClusterGroup& group = build.dag.groups[g];
        if (group.end != GroupEnd::Stuck) continue;
        const char* why = group.reason == StuckReason::LockedBorder
                              ? "nearly all of their points lie on borders to other groups"
                              : "no way of simplifying them keeps 85 % of their triangles or fewer";
        issues.add(IssueCode::StuckGroup, "mesh '" + build.mesh.name + "', group " + std::to_string(g),
                   std::string("{n} groups of clusters are not simplified further: ") + why +
                       "; they are drawn in full at any distance");
    }
}

ClusterSet clusters_at_full_detail(const Build& build) {
    ClusterSet clusters;
    {
        const InPhase phase(*build.observer, BuildPhase::Leaf);
        clusters = leaf_clusters(build.mesh, build.options, build.threads);
    }
    const InPhase phase(*build.observer, BuildPhase::Bounds);
    set_bounds(build.mesh, clusters, build.threads);
    return clusters;
}

}  // namespace

Result<ClusterDag> build_cluster_dag(const PreparedMesh& mesh, const ClusterOptions& options,
                                     std::uint32_t threads, Issues& issues, const PoseSet& poses,
                                     const BuildObserver& observer) {
    Build build{mesh, options, std::max(threads, 1U), {}, {}, {}, {}, {}, &poses, &observer};
    build.dag.measured_error = options.measure_error;
    if (mesh.indices.empty()) return std::move(build.dag);
    if (options.measure_error && !poses.poses.empty()) {
        for (const Pose& pose : poses.poses) build.dag.poses.push_back(pose.origin);
        build.dag.pose_scale = poses.scale;
    }
    if (options.measure_error) {
        const InPhase phase(*build.observer, BuildPhase::Source);
        build.source = make_source_surface(mesh.positions, mesh.indices, build.threads);
    }
    build.owner.assign(mesh.point_count, kNobody);
    build.pending = clusters_at_full_detail(build);
    build.tries.assign(build.pending.clusters.size(), 0);
    // Each level adds about ratio times the one before.
    const double levels = 1.02 / (1 - std::min(options.ratio, 0.85));
    build.dag.indices.reserve(static_cast<std::size_t>(static_cast<double>(mesh.indices.size()) * levels));
    for (std::uint32_t round = 0; !build.pending.clusters.empty(); ++round) {
        const std::uint32_t level = build.dag.level_count();
        if (is_root(build.pending)) {
            append_root(build, level);
        } else {
            simplify_level(build, level, round);
        }
    }
    report_stuck_groups(build, issues);
    return std::move(build.dag);
}

}  // namespace sinter
