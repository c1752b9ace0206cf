// One group of a level: simplified, cut into clusters, measured, and simplified again where a few places spoil it.
#pragma once

#include "cooker/cluster/dag.hpp"
#include "cooker/cluster/leaf.hpp"
#include "cooker/cluster/samples.hpp"
#include "cooker/cluster/simplify.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace sinter {

// What the groups of a level have in common; refers to it.
struct StepContext {
    const PreparedMesh& mesh;
    const ClusterOptions& options;
    std::span<const std::uint32_t> owner;   // by point, as simplify_group() takes it
    const SourceSurface* source = nullptr;  // to measure against; null: not measured
    const PoseSet& poses;
    const BuildObserver& observer;
    std::uint32_t few_samples = kFewSamples;  // SimplifyStep::few_samples of each group of the level
};

struct StepGoal {
    std::size_t triangles = 1;
    float child_estimate = 0;  // the largest attribute_error of the groups that it replaces
    float child_error = 0;     // the largest geometric or posed error of them
};

// A simplified group and its clusters, not in the DAG yet.
struct Step {
    Simplified simplified;  // without its triangles: the clusters have them
    ClusterSet clusters;
    float geometric_error = 0;  // measured, or the simplifier's own
    float posed_error = 0;      // measured, 0 without poses
};

// Errors of a step are its largest ones.
[[nodiscard]] inline float error_of(const Step& step) {
    return std::max(step.geometric_error, step.posed_error);
}

// Simplifies a group, cuts it into clusters and measures it. `carried`: the samples of the group's clusters (samples.hpp).
// Stuck: no clusters. Pure function of its arguments.
[[nodiscard]] Step make_step(const StepContext& context, const Triangles& group,
                             std::span<const std::uint32_t> carried, const StepGoal& goal);

// Whether a few places may be to blame for the error of a step, so that refine_step() may find a better one. False for a step
// that is not measured or stuck.
[[nodiscard]] bool is_spoilt(const StepContext& context, const Step& step, const StepGoal& goal);

// Looks for a better step than `first`, which make_step() gave. An error is a maximum, and often a few places make it: a fold
// that slid along its own plane, a finger in a pose. Where the measured error leaps, and always where there are poses,
// the points that hold the farthest places are kept and the group is simplified again; in motion other weights of normals
// and bones are tried before. The step with the smallest error is taken, of those with no more triangles than the first.
// Up to twelve times the work of make_step(). Pure function of its arguments.
[[nodiscard]] Step refine_step(const StepContext& context, const Triangles& group,
                               std::span<const std::uint32_t> carried, const StepGoal& goal, Step first);

// In motion only the worst groups of a level are refined: this share of them, and at least so many. A cut's error is that of
// its worst group, and refining all of them made a build 14 times as long.
inline constexpr double kRefinedShare = 0.125;
inline constexpr std::size_t kRefinedGroups = 8;

// Tells the observer of a phase, from here to the end of the block.
class InPhase {
public:
    InPhase(const BuildObserver& observer, BuildPhase phase) : observer_(observer), phase_(phase) {
        if (observer_) observer_(phase_, true);
    }
    ~InPhase() {
        if (observer_) observer_(phase_, false);
    }
    InPhase(const InPhase&) = delete;
    InPhase& operator=(const InPhase&) = delete;

private:
    const BuildObserver& observer_;
    BuildPhase phase_;
};

}  // namespace sinter
