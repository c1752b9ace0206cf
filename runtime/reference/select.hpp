// Which clusters are drawn: the rule of cluster_records.hpp in float, operation by operation as the device computes it
// (additions and multiplications only, so that both find the same clusters).
#pragma once

#include "runtime/camera.hpp"
#include "runtime/scene/scene.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Which groups are too coarse to be replaced.
enum class CutKind : std::uint8_t {
    Full,    // none is replaced
    Level,   // those of this level and above
    Error,   // lod_error > error: one threshold for a whole instance
    Pixels,  // by distance: |lod_center - eye|^2 < (lod_radius + lod_error * scale)^2
    Box,  // one threshold for an animated instance, by the distance of its box: distance^2 < (lod_error * scale)^2
};

// A cut of one instance, in the space of its mesh; Box in the world.
struct InstanceCut {
    CutKind kind = CutKind::Full;
    std::uint32_t level = 0;
    float error = 0;
    gpu::vec3 eye;
    float scale = 0;
    gpu::vec3 low, high;
};

// What `pixels` pixels of error at most mean for an instance. Where the instance is stretched unevenly, distances are
// taken at the smallest stretch and errors at the largest. Pre: pixels > 0, the linear part is invertible.
[[nodiscard]] InstanceCut pixel_cut(const Camera& camera, const Affine3& world_from_mesh, double pixels);

// The same for a skinned instance in a box of the world. `world_scale`: lengths in the world over lengths in the mesh's
// space, which its errors are in.
[[nodiscard]] InstanceCut box_cut(const Camera& camera, gpu::vec3 low, gpu::vec3 high, double world_scale,
                                  double pixels);

// The prefix of the mesh's vertices that a cut needs: all, where the cut is not by one threshold.
[[nodiscard]] std::uint32_t vertex_prefix(const PackageScene& scene, const SceneMesh& mesh,
                                          const InstanceCut& cut);

[[nodiscard]] bool is_too_coarse(const ClusterGroupRecord& group, const InstanceCut& cut);

// Clusters of all instances, by instance, then in the order of the pages. Pre: one cut an instance.
[[nodiscard]] std::vector<gpu::VisibleCluster> select_clusters(const PackageScene& scene,
                                                               std::span<const InstanceCut> cuts);

}  // namespace sinter
