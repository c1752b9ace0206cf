// The float twin of passes/select.hpp: the same clusters by the same float operations in the same order, but over all groups
// instead of through the tree. And the cuts that both take, made in double.
#pragma once

#include "runtime/camera.hpp"
#include "runtime/scene/motion.hpp"
#include "runtime/scene/scene.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// How detailed an instance is drawn, without its places in the lists of a device. An instance that stands still needs its
// transform: `stretch` and the eye in its mesh's space are set for every kind of cut.
[[nodiscard]] gpu::InstanceCut still_cut(const Camera& camera, const Affine3& world_from_mesh);
[[nodiscard]] gpu::InstanceCut moving_cut(const Camera& camera);

// Makes a cut of `pixels` pixels of error at most. Where an instance is stretched unevenly, distances are taken at the
// smallest stretch and errors at the largest. Pre: pixels > 0, the linear part is invertible.
void set_pixels(gpu::InstanceCut& cut, const Camera& camera, const Affine3& world_from_mesh, double pixels);
// The same for a skinned instance. `world_scale`: lengths in the world over lengths in the mesh's space.
void set_pixels_of_box(gpu::InstanceCut& cut, const Camera& camera, double world_scale, double pixels);

// What the twin reads: of the device's buffers the parts that shaders have written, read back.
struct SelectInput {
    gpu::Selection selection;  // addresses are not used
    std::span<const gpu::Instance> instances;
    std::span<const gpu::InstanceCut> cuts;
    std::span<const gpu::Transform> world;    // a node
    std::span<const gpu::Transform> palette;  // a joint
    std::span<const gpu::PoseGrid> grids;     // a skinned instance
    std::span<const float> pyramid;
};

// Clusters of all instances, by instance, then in the order of the pages.
[[nodiscard]] std::vector<gpu::VisibleCluster>
select_clusters(const PackageScene& scene, const SceneMotion& motion, const SelectInput& input);

// The vertices of a skinned instance that its cut needs.
[[nodiscard]] std::uint32_t vertex_prefix(const SceneMotion& motion, const gpu::SkinnedInstance& skin,
                                          const gpu::InstanceCut& cut, const gpu::PoseGrid& box);

}  // namespace sinter
