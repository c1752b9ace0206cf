#include "cooker/cluster/step.hpp"

#include "cooker/cluster/local_index.hpp"
#include "cooker/cluster/poses.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace sinter {
namespace {

// A measured error that is more than this above both the simplifier's own and the children's is not that of the group as a
// whole: a few places are to blame.
constexpr float kLeap = 4;
// In motion there is always something to gain, down to about what the children have already.
constexpr float kPosedLeap = 1.1F;
constexpr int kMostRounds = 8;
// Places at least this share of the error away are held.
constexpr float kFarShare = 0.6F;
// Held places are apart by this share of their distance.
constexpr float kApart = 0.5F;
// Other weights that are tried for a group in motion: none is best for all, as bones tell of bends and normals of shape.
constexpr std::array<AttributeWeights, 4> kOtherWeights{AttributeWeights{1, 0.3F}, AttributeWeights{1, 0},
                                                        AttributeWeights{0.4F, 1},
                                                        AttributeWeights{0.4F, 0.3F}};

// Measures a step against the source, and gives its clusters the samples to carry.
void measure(const StepContext& context, const Triangles& replaced, std::span<const std::uint32_t> carried,
             Step& step) {
    const InPhase phase(context.observer, BuildPhase::Measure);
    const MeasuredStep measured = measure_step(
        *context.source, {replaced.indices, step.clusters.indices, carried, context.few_samples});
    step.geometric_error = measured.rest.error();
    for (const Pose& pose : context.poses.poses) {
        const Deviation posed = measure_posed(
            *context.source, measured, [&](std::span<const std::uint32_t> vertices, std::span<Float3> out) {
                pose_vertices(context.mesh, pose, vertices, out);
            });
        step.posed_error = std::max(step.posed_error, posed.error() / context.poses.scale);
    }
    for (const Cluster& cluster : step.clusters.clusters) {
        const std::size_t triangle = cluster.first_index / 3;
        const auto first = measured.samples.begin() + measured.first_sample[triangle];
        const auto last = measured.samples.begin() + measured.first_sample[triangle + cluster.triangle_count];
        step.clusters.samples.emplace_back(first, last);
    }
}

ClusterSet clusters_of(const StepContext& context, const Triangles& triangles) {
    ClusterSet clusters;
    {
        const InPhase phase(context.observer, BuildPhase::Cluster);
        for (const Submesh& submesh : triangles.submeshes) {
            const auto indices =
                std::span(triangles.indices).subspan(submesh.first_index, submesh.index_count);
            cut_into_clusters(context.mesh, indices, submesh.material, context.options, clusters);
        }
    }
    const InPhase phase(context.observer, BuildPhase::Bounds);
    set_bounds(context.mesh, clusters, 1);
    return clusters;
}

Step attempt(const StepContext& context, const Triangles& group, std::span<const std::uint32_t> carried,
             const SimplifyGoal& goal) {
    Step step;
    {
        const InPhase phase(context.observer, BuildPhase::Simplify);
        step.simplified = simplify_group(context.mesh, group, context.owner, goal);
    }
    step.geometric_error = step.simplified.error;
    if (step.simplified.triangles.count() == 0) return step;
    step.clusters = clusters_of(context, step.simplified.triangles);
    step.simplified.triangles = {};
    if (context.source != nullptr) measure(context, group, carried, step);
    return step;
}

std::vector<std::uint32_t> distinct_vertices(std::span<const std::uint32_t> indices) {
    std::vector<std::uint32_t> vertices(indices.begin(), indices.end());
    std::ranges::sort(vertices);
    const auto repeated = std::ranges::unique(vertices);
    vertices.erase(repeated.begin(), repeated.end());
    return vertices;
}

// A place of the group or of the source that may be far from what is left.
struct Witness {
    std::array<std::uint32_t, 3> corners{};  // vertices; the place is their mean
    std::array<std::uint32_t, 3> keep{};     // vertices that hold the surface there
    float distance = 0;
};

// Vertices that are gone, middles of triangles, and samples, which are held by the triangle of the group next to them.
std::vector<Witness> witnesses_of(const StepContext& context, const Triangles& group, const Step& step,
                                  std::span<const std::uint32_t> carried) {
    const std::vector<std::uint32_t> before = distinct_vertices(group.indices),
                                     after = distinct_vertices(step.clusters.indices);
    std::vector<Witness> witnesses;
    for (const std::uint32_t v : before) {
        if (!std::ranges::binary_search(after, v)) witnesses.push_back({{v, v, v}, {v, v, v}});
    }
    const auto corners_of = [&](std::size_t t) {
        return std::array{group.indices[3 * t], group.indices[3 * t + 1], group.indices[3 * t + 2]};
    };
    for (std::size_t t = 0; t < group.count(); ++t) witnesses.push_back({corners_of(t), corners_of(t)});
    TriangleSurface surface;
    surface.build(context.mesh.positions, group.indices);
    for (const std::uint32_t v : carried) {
        const std::size_t t = surface.nearest(context.mesh.positions[v]).triangle;
        witnesses.push_back({{v, v, v}, corners_of(t)});
    }
    return witnesses;
}

// Distances in one pose, or at rest without one; each grows to the largest so far.
void measure_witnesses(const StepContext& context, const Step& step, const Pose* pose,
                       std::vector<Witness>& witnesses) {
    LocalIndex numbers(step.clusters.indices.size() + 3 * witnesses.size());
    std::vector<std::uint32_t> triangles;
    triangles.reserve(step.clusters.indices.size());
    for (const std::uint32_t v : step.clusters.indices) triangles.push_back(numbers.add(v));
    for (const Witness& w : witnesses) {
        for (const std::uint32_t v : w.corners) numbers.add(v);
    }
    const std::vector<std::uint32_t> vertices(numbers.keys().begin(), numbers.keys().end());
    std::vector<Float3> positions(vertices.size());
    if (pose != nullptr) {
        pose_vertices(context.mesh, *pose, vertices, positions);
    } else {
        for (std::size_t i = 0; i < vertices.size(); ++i) positions[i] = context.mesh.positions[vertices[i]];
    }
    TriangleSurface surface;
    surface.build(positions, triangles);
    const float scale = pose != nullptr ? context.poses.scale : 1;
    for (Witness& w : witnesses) {
        Float3 sum;
        for (const std::uint32_t v : w.corners) sum = sum + positions[numbers.add(v)];
        const float squared = surface.nearest(sum * (1.0F / 3)).distance_squared;
        w.distance = std::max(w.distance, std::sqrt(squared) / scale);
    }
}

// Adds the points that hold the places farthest from what is left, places some way from each other; false where there is
// none far away.
bool add_kept_points(const StepContext& context, const Triangles& group,
                     std::span<const std::uint32_t> carried, const Step& step,
                     std::vector<std::uint32_t>& kept) {
    std::vector<Witness> witnesses = witnesses_of(context, group, step, carried);
    measure_witnesses(context, step, nullptr, witnesses);
    for (const Pose& pose : context.poses.poses) measure_witnesses(context, step, &pose, witnesses);
    const float least = error_of(step) * kFarShare;
    std::erase_if(witnesses, [&](const Witness& w) { return w.distance < least; });
    std::ranges::sort(witnesses, [](const Witness& a, const Witness& b) {
        if (a.distance != b.distance) return a.distance > b.distance;
        return a.keep != b.keep ? a.keep < b.keep : a.corners < b.corners;
    });
    const std::size_t had = kept.size(), most = had + group.count() / 64 + 3;
    std::vector<Float3> places;
    for (const Witness& w : witnesses) {
        if (kept.size() >= most) break;
        const Float3 place = context.mesh.positions[w.corners[0]];
        const bool near =
            std::ranges::any_of(places, [&](Float3 p) { return length(p - place) < w.distance * kApart; });
        if (near) continue;
        places.push_back(place);
        for (const std::uint32_t v : w.keep) {
            const std::uint32_t point = context.mesh.point_of_vertex[v];
            if (!is_locked(context.owner[point])) kept.push_back(point);
        }
    }
    std::ranges::sort(kept);
    const auto repeated = std::ranges::unique(kept);
    kept.erase(repeated.begin(), repeated.end());
    return kept.size() > had;
}

// The best step of a group so far.
struct Search {
    const StepContext& context;
    const Triangles& group;
    std::span<const std::uint32_t> carried;
    const StepGoal& goal;
    Step best{};

    [[nodiscard]] Step attempt_with(const SimplifyGoal& simple) const {
        return attempt(context, group, carried, simple);
    }
    bool take(Step&& next) {
        const bool few = next.clusters.indices.size() <= best.clusters.indices.size();
        if (next.clusters.clusters.empty() || !few || error_of(next) >= error_of(best)) return false;
        best = std::move(next);
        return true;
    }
};

void try_other_weights(Search& search, SimplifyGoal& simple) {
    AttributeWeights chosen = simple.weights;
    for (const AttributeWeights& weights : kOtherWeights) {
        if (error_of(search.best) <= kPosedLeap * search.goal.child_error) break;
        simple.weights = weights;
        if (search.take(search.attempt_with(simple))) chosen = weights;
    }
    simple.weights = chosen;
}

// Each round holds what was far away in the one before, whether that was the best one or not.
void hold_far_places(Search& search, SimplifyGoal& simple) {
    std::vector<std::uint32_t> kept;
    Step last;
    const Step* from = &search.best;
    for (int round = 0; round < kMostRounds && is_spoilt(search.context, *from, search.goal); ++round) {
        if (!add_kept_points(search.context, search.group, search.carried, *from, kept)) return;
        simple.kept_points = kept;
        last = search.attempt_with(simple);
        if (last.clusters.clusters.empty()) return;
        from = search.take(std::move(last)) ? &search.best : &last;
    }
}

}  // namespace

bool is_spoilt(const StepContext& context, const Step& step, const StepGoal& goal) {
    if (context.source == nullptr || step.clusters.clusters.empty()) return false;
    if (!context.poses.poses.empty()) return error_of(step) > kPosedLeap * goal.child_error;
    return error_of(step) > kLeap * std::max(goal.child_error, step.simplified.error);
}

Step make_step(const StepContext& context, const Triangles& group, std::span<const std::uint32_t> carried,
               const StepGoal& goal) {
    return attempt(context, group, carried, {goal.triangles, goal.child_estimate, {}, {}});
}

Step refine_step(const StepContext& context, const Triangles& group, std::span<const std::uint32_t> carried,
                 const StepGoal& goal, Step first) {
    if (!is_spoilt(context, first, goal)) return first;
    SimplifyGoal simple{goal.triangles, goal.child_estimate, {}, {}};
    Search search{context, group, carried, goal, std::move(first)};
    if (!context.poses.poses.empty()) try_other_weights(search, simple);
    hold_far_places(search, simple);
    return std::move(search.best);
}

}  // namespace sinter
