#include "runtime/passes/draw.hpp"

#include "runtime/gpu/commands.hpp"
#include "runtime/shaders/spirv.hpp"

#include <algorithm>

namespace sinter {
namespace {

gpu::vec3 vec3_of(Vec3d v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

struct Push {
    std::uint64_t frame = 0;
};

// Buffers of one picture.
struct FrameBuffers {
    Buffer instances, visible, commands, frame, pixels;
};

gpu::Frame frame_of(const DrawInput& input, const DeviceScene& scene, const DeviceMotion& motion,
                    const FrameBuffers& buffers) {
    gpu::Frame frame{};
    const auto rows = input.camera.clip_from_world();
    for (std::size_t r = 0; r < 4; ++r) {
        frame.clip_from_world[r] = {static_cast<float>(rows[r][0]), static_cast<float>(rows[r][1]),
                                    static_cast<float>(rows[r][2]), static_cast<float>(rows[r][3])};
    }
    const Camera& camera = input.camera;
    frame.eye = vec3_of(camera.eye);
    frame.pixels_per_radian = static_cast<float>(camera.pixels_per_radian());
    frame.light = vec3_of(normalized(camera.forward * -1 + camera.up * 0.7 + camera.right * -0.5));
    frame.mode = static_cast<std::uint32_t>(input.mode);
    frame.heap = scene.heap.address();
    frame.pages = scene.pages.address();
    frame.meshes = scene.meshes.address();
    frame.instances = buffers.instances.address();
    frame.materials = scene.materials.address();
    frame.groups = scene.groups.address();
    frame.max_levels = scene.max_levels.address();
    frame.visible = buffers.visible.address();
    frame.world = motion.world.address();
    frame.grids = motion.grids.address();
    frame.skinned = motion.skinned.address();
    return frame;
}

// One command a cluster; its number reaches the shader as the first instance.
std::vector<VkDrawIndirectCommand> commands_of(const PackageScene& scene,
                                               std::span<const gpu::VisibleCluster> visible) {
    std::vector<VkDrawIndirectCommand> out;
    out.reserve(visible.size());
    for (std::uint32_t i = 0; i < visible.size(); ++i) {
        const std::uint32_t cluster = scene.pages[visible[i].page].first_cluster + visible[i].cluster;
        out.push_back({.vertexCount = 3U * scene.clusters[cluster].triangle_count,
                       .instanceCount = 1,
                       .firstVertex = 0,
                       .firstInstance = i});
    }
    return out;
}

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

Result<Picture> draw(Device& device, const DrawPass& pass, const PackageScene& scene,
                     const DeviceScene& device_scene, const DeviceMotion& device_motion,
                     const DrawInput& input) {
    const std::uint32_t width = input.camera.width;
    const std::uint32_t height = input.camera.height;
    SINTER_TRY_ASSIGN(const RenderTarget target, create_target(device, width, height));
    const auto commands = commands_of(scene, input.visible);
    FrameBuffers buffers;
    SINTER_TRY_ASSIGN(buffers.instances, upload_records<gpu::Instance>(device, input.instances));
    SINTER_TRY_ASSIGN(buffers.visible, upload_records<gpu::VisibleCluster>(device, input.visible));
    SINTER_TRY_ASSIGN(buffers.commands, upload_records<VkDrawIndirectCommand>(device, commands));
    const gpu::Frame frame = frame_of(input, device_scene, device_motion, buffers);
    SINTER_TRY_ASSIGN(buffers.frame, upload_records<gpu::Frame>(device, {&frame, 1}));
    const std::uint64_t bytes = std::uint64_t{width} * height * 4;
    SINTER_TRY_ASSIGN(buffers.pixels, Buffer::create(device, bytes, BufferUse::Readback));
    SINTER_TRY(submit(device, [&](VkCommandBuffer list) {
        if (input.before) input.before(list);
        begin_rendering(list, target);
        pass.pipeline.bind(list, Push{buffers.frame.address()});
        vkCmdDrawIndirect(list, buffers.commands.handle(), 0, static_cast<std::uint32_t>(commands.size()),
                          sizeof(VkDrawIndirectCommand));
        end_rendering(list, target);
        copy_color(list, target, buffers.pixels.handle());
        barrier(list, Access::CopyWrite, Access::HostRead);
    }));
    const auto* pixels = reinterpret_cast<const std::uint8_t*>(buffers.pixels.mapped().data());
    return Picture{width, height, {pixels, pixels + bytes}};
}

}  // namespace sinter
