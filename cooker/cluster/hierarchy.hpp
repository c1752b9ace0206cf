// A tree of eight children a node over the groups of a DAG, so that a GPU finds the groups that are too coarse for a view
// without looking at all of them.
//
// With scale = 1 / (error that is allowed a metre away), a group is too coarse where
//     |lod_center - eye|^2 < (lod_radius + lod_error * scale)^2
// and a traversal goes into a child where the same holds for the child's sphere and error. Whenever it holds for a group in
// float, each product and sum rounded to nearest, fused or not, it holds for all nodes above: see kHierarchySlack.
#pragma once

#include "cooker/cluster/dag.hpp"
#include "cooker/cluster/layout.hpp"

#include <sinter/formats/cluster_records.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// A group. Groups of one layer share nodes, layers of close numbers share the nodes above. Groups that are of interest to the
// same views should be in one layer: levels do, at 1.35 to 1.51 tests a group found, and better than bands (1.30 to 1.57) on
// closed meshes (sinter_tests_cluster "[figures]").
struct HierarchyGroup {
    Sphere lod_bounds;
    float lod_error = 0;  // infinite: stored as kNoReplacementError
    std::uint32_t layer = 0;
};

// Radius and error of a child are this share larger than exact arithmetic needs, for three roundings in the distance's square
// (relative to which differences of floats are off by one each), four in the other: fewer than 16 half steps of 2^-24 each side
// as a distance. The radius grows by kHierarchyLeast besides, so that squares that underflow harm nothing.
inline constexpr double kHierarchySlack = 1.0 / 524288;  // 2^-19
inline constexpr double kHierarchyLeast = 1e-18;

// Node 0 is the root; nodes stand breadth first, children of a node after each other. A leaf entry's group is an index into
// `groups`. Depth: ceil(log8 of the largest layer) + ceil(log8 of the number of layers) + 1 at most. No groups: no nodes. The
// result depends on the argument only.
// Pre: finite spheres, |coordinate| < 1e18; errors are 0 or more.
[[nodiscard]] std::vector<ClusterHierarchyNode> build_hierarchy(std::span<const HierarchyGroup> groups);

// The tree over the groups of a mesh in pages, a layer a level.
[[nodiscard]] std::vector<ClusterHierarchyNode> hierarchy_of(const ClusterDag& dag, const PagedMesh& paged);

}  // namespace sinter
