// Deep checks of spheres, cones and the tree over groups.
#pragma once

#include "context.hpp"

namespace sinter::deep {

// lod_bounds contain the vertices of the group's clusters and the lod_bounds of all child groups.
[[nodiscard]] DeepCheck check_lod_bounds(const Context& context);

// In float arithmetic, at sampled eyes and scales next to where decisions change: a group is too coarse whenever a child is.
[[nodiscard]] DeepCheck check_cut_decisions(const Context& context);

// cull_bounds contain the cluster's vertices.
[[nodiscard]] DeepCheck check_cull_bounds(const Context& context);

// Cones hide no front face: exactly, and in float arithmetic at sampled view directions and eyes.
[[nodiscard]] DeepCheck check_cones(const Context& context);

// Each group is found once from node 0, and every sphere and error on the way is at least the group's; decisions in float
// arithmetic at sampled eyes and scales agree.
[[nodiscard]] DeepCheck check_hierarchy(const Context& context);

// Whether one sphere contains another, in double; 1e-12 is left for the rounding of this evaluation.
[[nodiscard]] inline bool sphere_contains(const DagSphere& outer, const DagSphere& inner) {
    return length(vec(outer.center) - vec(inner.center)) + static_cast<double>(inner.radius) <=
           static_cast<double>(outer.radius) * (1 + 1e-12);
}

}  // namespace sinter::deep
