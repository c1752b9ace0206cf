// The cluster DAG of a mesh: clusters of at most 128 triangles in groups, each group simplified behind a locked border
// into fewer clusters, until nothing is left to merge. Any cut of it is watertight (docs/cluster-dag.md).
//
// A mesh is drawn at error e by the clusters whose own group is too coarse to be replaced (lod_error > e) and whose
// child group is fine enough (lod_error <= e, or none). Groups decide as a whole, so a cut never tears.
//
// Sources: Karis, Stubbe, Wihlidal, "A Deep Dive into Nanite Virtualized Geometry" (SIGGRAPH 2021 course "Advances in
// Real-Time Rendering in Games"); Cignoni et al., "Batched Multi Triangulation" (IEEE Visualization 2005).
#pragma once

#include "cooker/cluster/pose_set.hpp"
#include "cooker/issues.hpp"
#include "cooker/options.hpp"
#include "cooker/prepared_mesh.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace sinter {

struct Sphere {
    Float3 center;
    float radius = 0;
};

// Directions from which every triangle is seen from behind: a view direction d (unit, from the eye to the cluster) with
// dot(d, axis) >= cutoff sees no front face. cutoff 1 with a zero axis: the cone hides nothing.
struct NormalCone {
    Float3 axis;
    float cutoff = 1;
};

// What became of a group.
enum class GroupEnd : std::uint8_t {
    Simplified,  // its clusters are replaced by those whose child_group it is
    Root,        // one cluster a material: nothing is left to merge
    Stuck,       // it could not be simplified by enough; StuckReason says why
};

// How a group was simplified, from the first way that went far enough.
enum class SimplifyPath : std::uint8_t {
    Regular,  // on the mesh's vertices, seams kept
    Welded,  // on points: normals, UVs and colours of a corner may change to those of another vertex of the point
    Fallback,  // whole pieces removed and points clustered; locked points stay
    None,      // not simplified
};

enum class StuckReason : std::uint8_t {
    None,
    LockedBorder,  // too many of its points are locked
    Topology,      // no way collapsed enough of its free points
};

struct Cluster {
    std::uint32_t first_index = 0;     // into ClusterDag::indices
    std::uint32_t triangle_count = 0;  // 1 to 128
    std::uint32_t vertex_count = 0;    // distinct vertices, 1 to 128
    std::int32_t material = kNone;
    std::uint32_t group = 0;           // the group in which it may be replaced
    std::int32_t child_group = kNone;  // the group that it replaces; kNone: full detail
    Sphere cull_bounds;                // contains its vertices, tightly (rest pose)
    NormalCone cone;
};

struct ClusterGroup {
    std::uint32_t level = 0;          // of its clusters; 0 = full detail
    std::uint32_t first_cluster = 0;  // its clusters follow each other
    std::uint32_t cluster_count = 0;
    GroupEnd end = GroupEnd::Root;
    SimplifyPath path = SimplifyPath::None;
    StuckReason reason = StuckReason::None;
    // Errors of its simplification against the source, metres; none is below a child's.
    float geometric_error = 0;  // two-sided deviation in the rest pose
    float posed_error = 0;      // the same, largest over the stored poses; 0 without poses
    float attribute_error = 0;  // the simplifier's own, normals, UVs and weights in it; a hint, no bound
    // The error that cuts compare: the larger of the first two, at least 1.001 times each child's; infinite at the end.
    float lod_error = std::numeric_limits<float>::infinity();
    Sphere lod_bounds;                // contains its clusters and the lod_bounds of all child groups
    std::uint32_t locked_points = 0;  // points that its simplification had to keep
    std::uint32_t points = 0;
};

struct ClusterDag {
    std::vector<Cluster> clusters;       // by group
    std::vector<ClusterGroup> groups;    // by level, 0 first: every child group stands before its parents
    std::vector<std::uint32_t> indices;  // vertices of the PreparedMesh, three a triangle, winding kept
    bool measured_error = false;         // false: errors are the simplifier's own estimates
    std::vector<PoseOrigin> poses;       // in which errors were measured
    float pose_scale = 0;                // PoseSet::scale; 0 without poses
    [[nodiscard]] std::uint32_t level_count() const { return groups.empty() ? 0 : groups.back().level + 1; }
};

// What building a DAG consists of; docs/cluster-dag.md tells what each does.
enum class BuildPhase : std::uint8_t {
    Leaf,      // triangles into clusters at full detail
    Source,    // the search structure to measure against
    Group,     // clusters into groups
    Lock,      // points of several groups
    Simplify,  // a group
    Cluster,   // what is left of a group into clusters
    Bounds,    // spheres and cones
    Measure,   // the error of a group
    Gather,    // clusters into the DAG and the next level
};
inline constexpr std::size_t kBuildPhaseCount = 9;
// Told that a phase begins (true) or ends (false), by the thread that runs it: phases of one thread follow each other,
// those of several threads overlap. For measuring only; may be empty.
using BuildObserver = std::function<void(BuildPhase, bool begins)>;

// Builds the DAG of a mesh. A mesh without triangles has an empty one. The result depends on mesh, options and poses
// only: `threads` (at least 1) changes nothing in it. Posed errors are in metres of the mesh's own space. No poses:
// the rest pose only.
//
// Issues: StuckGroup, counted by reason. Errors: Internal only. Memory: see docs/cluster-dag.md.
[[nodiscard]] Result<ClusterDag> build_cluster_dag(const PreparedMesh& mesh, const ClusterOptions& options,
                                                   std::uint32_t threads, Issues& issues,
                                                   const PoseSet& poses = {},
                                                   const BuildObserver& observer = {});

}  // namespace sinter
