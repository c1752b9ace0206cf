// Bringing a package into a pose, on the device: clip sampling, skeleton evaluation, bounds, skinning. Each vertex is
// skinned once, into 12 bytes that all later passes read.
#pragma once

#include "runtime/gpu/pipeline.hpp"
#include "runtime/passes/device_scene.hpp"
#include "runtime/scene/motion.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace sinter {

struct PosePasses {
    Pipeline sample, skeleton, bounds, prefix, skin;
};
[[nodiscard]] Result<PosePasses> create_pose_passes(Device& device);

// What moves, on the device, and where the passes write.
struct DeviceMotion {
    Buffer rest, matrices, leaves, path_nodes, tracks, values, skins, joints, batches, influences, prefixes;
    Buffer locals;   // Local a node
    Buffer world;    // Transform a node
    Buffer palette;  // Transform a joint
    Buffer grids;    // PoseGrid a skinned instance
    Buffer counts;   // SkinCount a skinned instance
    Buffer skinned;  // SkinnedVertex
};
[[nodiscard]] Result<DeviceMotion> upload_motion(Device& device, const SceneMotion& motion);

struct ClipTime {
    std::uint32_t clip = 0;
    double time_s = 0;
};

// Called after each pass has been recorded, with its name: for timestamps.
using PassMark = std::function<void(VkCommandBuffer, std::string_view)>;

// Records all passes with their barriers; what they write can then be read by shaders, draws and copies. No clip: the rest
// pose. `cuts`: InstanceCut an instance of the scene; of each skinned mesh the prefix of its vertices that its cut needs is
// skinned. Pre: the clip exists.
void record_pose(VkCommandBuffer commands, const PosePasses& passes, const DeviceScene& device_scene,
                 const SceneMotion& motion, const DeviceMotion& device_motion, std::optional<ClipTime> clip,
                 const Buffer& cuts, const PassMark& mark = {});

}  // namespace sinter
