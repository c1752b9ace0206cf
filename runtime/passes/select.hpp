// The choice of clusters on the device: through the tree over groups, culled by frustum, by normal cone and by the depth of
// an earlier picture, as a list in a fixed order with a draw command each. reference/select.hpp is its float twin.
#pragma once

#include "runtime/camera.hpp"
#include "runtime/gpu/pipeline.hpp"
#include "runtime/passes/device_scene.hpp"
#include "runtime/passes/pose.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

struct SelectPasses {
    Pipeline nodes, clusters, compact, pyramid;
};
[[nodiscard]] Result<SelectPasses> create_select_passes(Device& device);

// Tables that stay, and lists that the passes write; room for every cluster of every instance.
struct DeviceSelection {
    Buffer nodes, page_of_cluster, bones, first_bones, instance_of_word;
    Buffer first_work, first_counts;  // what a choice begins with
    Buffer work_a, work_b, work_groups, work_counts, visible_bits;
    Buffer visible, commands, draw_count;
    std::uint32_t word_count = 0, cluster_slots = 0, tree_levels = 0;
    std::vector<std::uint32_t> first_word;  // one an instance
};
// Errors: Limit where instances have more than 2^31 clusters together.
[[nodiscard]] Result<DeviceSelection> create_selection(Device& device, const PackageScene& scene,
                                                       const SceneMotion& motion);

// Depths of a picture and their pyramid.
struct DepthPyramid {
    Buffer depths;
    std::vector<std::uint32_t> first, widths, heights;  // of each level
};
[[nodiscard]] Result<DepthPyramid> create_pyramid(Device& device, std::uint32_t width, std::uint32_t height);

// What a view asks for; the addresses are those of what was made above. `instances` and `cuts` hold one record an
// instance. `cull`: kCull... bits; occlusion needs a pyramid of a picture by the same camera.
struct SelectView {
    Camera camera;
    std::uint32_t cull = gpu::kCullFrustum | gpu::kCullCone;
    const DepthPyramid* pyramid = nullptr;
    const Buffer* instances = nullptr;
    const Buffer* cuts = nullptr;
};
[[nodiscard]] gpu::Selection selection_of(const SelectView& view, const DeviceScene& scene,
                                          const DeviceMotion& motion, const DeviceSelection& selection);

// Records the passes; what they write can then be read by draws and copies. `record`: the gpu::Selection on the device.
void record_selection(VkCommandBuffer commands, const SelectPasses& passes, const DeviceSelection& selection,
                      const Buffer& record);

// Records the pyramid over depths that a copy has written to its first level.
void record_pyramid(VkCommandBuffer commands, const SelectPasses& passes, const DepthPyramid& pyramid);

}  // namespace sinter
