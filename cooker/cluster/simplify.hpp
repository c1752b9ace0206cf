// One group with fewer triangles: the same border, points and vertices that were there before.
#pragma once

#include "cooker/cluster/attributes.hpp"
#include "cooker/cluster/dag.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sinter {

// Who holds a point of the mesh while a level is simplified.
inline constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint32_t kSharedPoint = kNobody - 1;  // several groups
inline constexpr std::uint32_t kFrozenPoint = kNobody - 2;  // a group that has ended
[[nodiscard]] inline bool is_locked(std::uint32_t owner) {
    return owner == kSharedPoint || owner == kFrozenPoint;
}

// Triangles of a group, those of each material together.
struct Triangles {
    std::vector<std::uint32_t> indices;  // vertices of the mesh
    std::vector<Submesh> submeshes;      // ranges of `indices`, none empty, each material once
    [[nodiscard]] std::size_t count() const { return indices.size() / 3; }
};

struct Simplified {
    Triangles triangles;  // empty when stuck
    SimplifyPath path = SimplifyPath::None;
    StuckReason reason = StuckReason::None;
    float error = 0;  // metres, the simplifier's own estimate of place and attributes together
    std::uint32_t points = 0;
    std::uint32_t locked_points = 0;
};

// A group that keeps more than this share of its triangles is stuck: it would cost memory and give nothing. Where the
// goal itself is a large share (cluster.ratio above 0.5), half of the way to it is enough.
inline constexpr double kMostKept = 0.85;

// What a group should become.
struct SimplifyGoal {
    std::size_t triangles = 1;  // at least 1
    float child_error = 0;      // the largest error of the groups that it replaces; 0 at full detail
    AttributeWeights weights{};
    std::span<const std::uint32_t> kept_points{};  // stay, besides the locked ones; rising
};

// Simplifies a group to about goal.triangles, at least one. `owner` is by point: locked ones stay, so that the border to
// other groups is the same chain of edges; open borders of the mesh only move along themselves. Every corner of the
// result is a vertex of the group, every triangle has the material of the vertices that it was made from, and three
// distinct points.
//
// In order, until one keeps little enough: on vertices, seams kept; on points with equal UVs; on points; and last with
// pieces removed and points clustered (fallback.hpp). Where none reaches the goal the best of them counts. Where seams
// hold many points in place, or the error leaps, further ways are tried too and the smallest error wins.
// Edge collapses: meshoptimizer 0.22, after Garland and Heckbert, "Surface Simplification Using Quadric Error Metrics"
// (SIGGRAPH 1997) and Hoppe, "New Quadric Metric for Simplifying Meshes with Appearance Attributes" (IEEE Visualization
// 1999). Pure function of its arguments; time and memory grow with the group only.
[[nodiscard]] Simplified simplify_group(const PreparedMesh& mesh, const Triangles& group,
                                        std::span<const std::uint32_t> owner, const SimplifyGoal& goal);

}  // namespace sinter
