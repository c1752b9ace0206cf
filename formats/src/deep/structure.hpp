// Deep checks of what a DAG is made of: ranges, limits, coverage, errors.
#pragma once

#include "context.hpp"

namespace sinter::deep {

// Every index in range, clusters by group, levels that fall from a cluster to what it replaces, finite numbers. What fails
// here makes all other checks unsafe.
[[nodiscard]] DeepCheck check_ranges(const Context& context);

// Context::replacing and order. Pre: check_ranges found nothing.
void link_groups(Context& context);

// 1 to max_triangles triangles and max_vertices vertices a cluster, counts as stored, three points a triangle.
[[nodiscard]] DeepCheck check_limits(const Context& context);

// Simplified groups and no others are replaced; materials stay; full detail is the source.
[[nodiscard]] DeepCheck check_coverage(const Context& context);

// No error below a child's, lod_error at least 1.001 times each child's and at least the other two, infinite at the ends only.
[[nodiscard]] DeepCheck check_monotone_errors(const Context& context);

}  // namespace sinter::deep
