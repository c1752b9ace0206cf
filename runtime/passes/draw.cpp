#include "runtime/passes/draw.hpp"

#include "runtime/shaders/spirv.hpp"

#include <algorithm>

namespace sinter {
namespace {

struct Push {
    std::uint64_t frame = 0;
};

}  // namespace

std::optional<DrawMode> draw_mode_from_name(std::string_view name) {
    const auto* found = std::ranges::find(kDrawModeNames, name);
    if (found == kDrawModeNames.end()) return std::nullopt;
    return static_cast<DrawMode>(found - kDrawModeNames.begin());
}

Result<DrawPass> create_draw_pass(Device& device) {
    DrawPass out;
    SINTER_TRY_ASSIGN(out.pipeline, Pipeline::graphics(device, spirv::draw_vert(), spirv::draw_frag(),
                                                       sizeof(Push), kColorFormat, kDepthFormat));
    return out;
}

gpu::Frame frame_of(const DrawInput& input, const DeviceScene& scene, const DeviceMotion& motion,
                    const DeviceSelection& selection) {
    gpu::Frame frame{};
    std::ranges::copy(input.camera.clip_rows(), frame.clip_from_world);
    const Camera& camera = input.camera;
    frame.eye = vec3_of(camera.eye);
    frame.pixels_per_radian = static_cast<float>(camera.pixels_per_radian());
    frame.light = vec3_of(normalized(camera.forward * -1 + camera.up * 0.7 + camera.right * -0.5));
    frame.mode = static_cast<std::uint32_t>(input.mode);
    frame.show_back_faces = input.show_back_faces ? 1 : 0;
    frame.heap = scene.heap.address();
    frame.pages = scene.pages.address();
    frame.meshes = scene.meshes.address();
    frame.instances = input.instances->address();
    frame.materials = scene.materials.address();
    frame.groups = scene.groups.address();
    frame.max_levels = scene.max_levels.address();
    frame.visible = selection.visible.address();
    frame.world = motion.world.address();
    frame.grids = motion.grids.address();
    frame.skinned = motion.skinned.address();
    frame.skins = motion.skins.address();
    frame.influences = motion.influences.address();
    return frame;
}

void record_draw(VkCommandBuffer commands, const DrawPass& pass, const DeviceSelection& selection,
                 const RenderTarget& target, const Buffer& frame) {
    begin_rendering(commands, target);
    pass.pipeline.bind(commands, Push{frame.address()});
    if (selection.cluster_slots != 0) {
        vkCmdDrawIndirectCount(commands, selection.commands.handle(), 0, selection.draw_count.handle(), 0,
                               selection.cluster_slots, sizeof(VkDrawIndirectCommand));
    }
    end_rendering(commands, target);
}

}  // namespace sinter
