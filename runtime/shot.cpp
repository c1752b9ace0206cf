#include "runtime/shot.hpp"

#include "runtime/gpu/commands.hpp"
#include "runtime/gpu/image.hpp"
#include "runtime/reference/nodes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <span>

namespace sinter {
namespace {

gpu::InstanceCut cut_of(const Stage& stage, const Shot& shot, std::size_t instance,
                        const std::vector<Affine3>& world) {
    Camera seen = shot.camera;  // by pixels of the picture
    seen.width = std::max(1U, seen.width / shot.samples);
    seen.height = std::max(1U, seen.height / shot.samples);
    const std::uint32_t skin = stage.motion.skin_of_instance[instance];
    const Affine3 place = world_from_instance(stage, instance, world);
    gpu::InstanceCut out = skin == gpu::kNone ? still_cut(seen, place) : moving_cut(seen);
    if (shot.detail.level) {
        out.kind = gpu::kCutLevel;
        out.level = *shot.detail.level;
    } else if (shot.detail.pixels && skin == gpu::kNone) {
        set_pixels(out, seen, place, *shot.detail.pixels);
    } else if (shot.detail.pixels) {
        set_pixels_of_box(out, seen, stage.world_scale[skin], *shot.detail.pixels);
    }
    const SceneMesh& mesh = stage.scene.meshes[stage.scene.instances[instance].mesh];
    out.first_word = stage.selection.first_word[instance];
    out.first_node = mesh.nodes.first;
    out.first_cluster = mesh.clusters.first;
    out.first_group = mesh.groups.first;
    return out;
}

Result<Unit> upload_selection(const Stage& stage, const Shot& shot, std::uint32_t cull, ShotInput& out) {
    const SelectView view{.camera = shot.camera,
                          .cull = cull,
                          .pyramid = out.pyramid ? &*out.pyramid : nullptr,
                          .instances = &out.device_instances,
                          .cuts = &out.device_cuts};
    out.selection = selection_of(view, stage.device_scene, stage.device_motion, stage.selection);
    SINTER_TRY_ASSIGN(out.device_selection,
                      upload_records<gpu::Selection>(*stage.device, {&out.selection, 1}));
    return Unit{};
}

// The scene in its pose, chosen and drawn; `after` records what is done with the target.
Result<Unit> draw_once(const Stage& stage, const Shot& shot, const ShotInput& input,
                       const RenderTarget& target, const std::function<void(VkCommandBuffer)>& after) {
    const gpu::Frame frame = frame_of({.camera = shot.camera,
                                       .mode = shot.mode,
                                       .show_back_faces = shot.show_back_faces,
                                       .instances = &input.device_instances},
                                      stage.device_scene, stage.device_motion, stage.selection);
    SINTER_TRY_ASSIGN(const Buffer device_frame, upload_records<gpu::Frame>(*stage.device, {&frame, 1}));
    return submit(*stage.device, [&](VkCommandBuffer commands) {
        record_pose(commands, stage.pose_passes, stage.device_scene, stage.motion, stage.device_motion,
                    shot.clip, input.device_cuts);
        record_selection(commands, stage.select_passes, stage.selection, input.device_selection);
        record_draw(commands, stage.draw_pass, stage.selection, target, device_frame);
        after(commands);
    });
}

// The first picture of an occlusion shot, for the pyramid of its depths.
Result<Unit> draw_pyramid(const Stage& stage, const Shot& shot, ShotInput& input,
                          const RenderTarget& target) {
    SINTER_TRY_ASSIGN(input.pyramid, create_pyramid(*stage.device, target.width, target.height));
    SINTER_TRY(draw_once(stage, shot, input, target, [&](VkCommandBuffer commands) {
        copy_depth(commands, target, input.pyramid->depths.handle());
        record_pyramid(commands, stage.select_passes, *input.pyramid);
    }));
    return upload_selection(stage, shot, shot.cull, input);
}

bool occludes(const Shot& shot) { return (shot.cull & gpu::kCullOcclusion) != 0; }

Result<std::vector<gpu::VisibleCluster>> read_visible(const Stage& stage) {
    SINTER_TRY_ASSIGN(const auto count,
                      read_records<std::uint32_t>(*stage.device, stage.selection.draw_count, 1));
    return read_records<gpu::VisibleCluster>(*stage.device, stage.selection.visible, count[0]);
}

// Clusters that only one list has, both being in the same order; any difference of order counts too.
std::uint64_t count_differences(std::span<const gpu::VisibleCluster> a,
                                std::span<const gpu::VisibleCluster> b) {
    const auto key = [](const gpu::VisibleCluster& v) { return std::array{v.instance, v.page, v.cluster}; };
    std::uint64_t out = 0;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (key(a[i]) == key(b[j])) {
            ++i;
            ++j;
        } else {
            ++out;
            if (key(a[i]) < key(b[j])) ++i;
            else ++j;
        }
    }
    return out + (a.size() - i) + (b.size() - j);
}

Result<Unit> check_prefixes(const Stage& stage, const ShotInput& input, std::span<const gpu::PoseGrid> grids,
                            std::span<const gpu::VisibleCluster> visible, SelectCheck& out) {
    const auto& skins = stage.motion.skins;
    SINTER_TRY_ASSIGN(const auto counts,
                      read_records<gpu::SkinCount>(*stage.device, stage.device_motion.counts, skins.size()));
    for (std::size_t s = 0; s < skins.size(); ++s) {
        ++out.prefixes;
        const auto expected = vertex_prefix(stage.motion, skins[s], input.cuts[skins[s].instance], grids[s]);
        if (counts[s].vertex_count != expected) ++out.wrong_prefixes;
    }
    for (const gpu::VisibleCluster& v : visible) {
        const std::uint32_t skin = input.instances[v.instance].skin;
        if (skin == gpu::kNone) continue;
        const auto vertices =
            cluster_vertices(stage.scene, stage.scene.pages[v.page].first_cluster + v.cluster);
        if (std::ranges::max(vertices) >= counts[skin].vertex_count) out.out_of_prefix = true;
    }
    return Unit{};
}

// Depth is the near plane over the distance.
std::vector<float> distances_of(const Camera& camera, std::span<const std::byte> depths) {
    std::vector<float> out(depths.size() / sizeof(float));
    if (!out.empty()) std::memcpy(out.data(), depths.data(), depths.size());
    const auto near_plane = static_cast<float>(camera.near_plane);
    for (float& value : out) value = value > 0 ? near_plane / value : std::numeric_limits<float>::infinity();
    return out;
}

}  // namespace

Result<ShotInput> prepare_shot(const Stage& stage, const Shot& shot) {
    ShotInput out;
    const std::vector<Affine3> world =
        world_from_nodes(*stage.manifest, sample_locals(*stage.manifest, stage.motion, shot.clip));
    for (std::size_t i = 0; i < stage.scene.instances.size(); ++i) {
        const SceneInstance& instance = stage.scene.instances[i];
        const std::uint32_t skin = stage.motion.skin_of_instance[i];
        out.cuts.push_back(cut_of(stage, shot, i, world));
        out.instances.push_back(
            {.mesh = instance.mesh,
             .node = instance.node,
             .skin = skin,
             .first_skinned = skin == gpu::kNone ? 0 : stage.motion.skins[skin].first_skinned});
    }
    SINTER_TRY_ASSIGN(out.device_instances, upload_records<gpu::Instance>(*stage.device, out.instances));
    SINTER_TRY_ASSIGN(out.device_cuts, upload_records<gpu::InstanceCut>(*stage.device, out.cuts));
    SINTER_TRY(upload_selection(stage, shot, shot.cull & ~gpu::kCullOcclusion, out));
    return out;
}

Result<Taken> take(const Stage& stage, const Shot& shot) {
    const std::uint32_t width = shot.camera.width;
    const std::uint32_t height = shot.camera.height;
    SINTER_TRY_ASSIGN(const RenderTarget target, create_target(*stage.device, width, height));
    SINTER_TRY_ASSIGN(ShotInput input, prepare_shot(stage, shot));
    if (occludes(shot)) SINTER_TRY(draw_pyramid(stage, shot, input, target));
    const std::uint64_t bytes = std::uint64_t{width} * height * 4;
    SINTER_TRY_ASSIGN(const Buffer pixels, Buffer::create(*stage.device, bytes, BufferUse::Readback));
    SINTER_TRY_ASSIGN(const Buffer depths,
                      Buffer::create(*stage.device, shot.with_distances ? bytes : 0, BufferUse::Readback));
    SINTER_TRY(draw_once(stage, shot, input, target, [&](VkCommandBuffer commands) {
        copy_color(commands, target, pixels.handle());
        if (shot.with_distances) copy_depth(commands, target, depths.handle());
        barrier(commands, Access::CopyWrite, Access::HostRead);
    }));
    const auto* data = reinterpret_cast<const std::uint8_t*>(pixels.mapped().data());
    Taken out{{width, height, {data, data + bytes}}, {}, 0, {}};
    if (shot.with_distances) out.distances = distances_of(shot.camera, depths.mapped());
    SINTER_TRY_ASSIGN(out.visible, read_visible(stage));
    for (const gpu::VisibleCluster& v : out.visible)
        out.triangles +=
            stage.scene.clusters[stage.scene.pages[v.page].first_cluster + v.cluster].triangle_count;
    return out;
}

void SelectCheck::add(const SelectCheck& other) {
    clusters += other.clusters;
    differences += other.differences;
    prefixes += other.prefixes;
    wrong_prefixes += other.wrong_prefixes;
    out_of_prefix = out_of_prefix || other.out_of_prefix;
}

Result<SelectCheck> check_selection(const Stage& stage, const Shot& shot) {
    Device& device = *stage.device;
    SINTER_TRY_ASSIGN(ShotInput input, prepare_shot(stage, shot));
    std::vector<float> pyramid;
    if (occludes(shot)) {
        SINTER_TRY_ASSIGN(const RenderTarget target,
                          create_target(device, shot.camera.width, shot.camera.height));
        SINTER_TRY(draw_pyramid(stage, shot, input, target));
        SINTER_TRY_ASSIGN(pyramid, read_records<float>(device, input.pyramid->depths,
                                                       input.pyramid->depths.bytes() / sizeof(float)));
    }
    SINTER_TRY(submit(device, [&](VkCommandBuffer commands) {
        record_pose(commands, stage.pose_passes, stage.device_scene, stage.motion, stage.device_motion,
                    shot.clip, input.device_cuts);
        record_selection(commands, stage.select_passes, stage.selection, input.device_selection);
    }));
    SINTER_TRY_ASSIGN(const auto visible, read_visible(stage));
    const DeviceMotion& motion = stage.device_motion;
    SINTER_TRY_ASSIGN(const auto world,
                      read_records<gpu::Transform>(device, motion.world, stage.motion.rest.size()));
    SINTER_TRY_ASSIGN(const auto palette,
                      read_records<gpu::Transform>(device, motion.palette, stage.motion.joints.size()));
    SINTER_TRY_ASSIGN(const auto grids,
                      read_records<gpu::PoseGrid>(device, motion.grids, stage.motion.skins.size()));
    const auto expected = select_clusters(stage.scene, stage.motion,
                                          {.selection = input.selection,
                                           .instances = input.instances,
                                           .cuts = input.cuts,
                                           .world = world,
                                           .palette = palette,
                                           .grids = grids,
                                           .pyramid = pyramid});
    SelectCheck out;
    out.clusters = expected.size();
    out.differences = count_differences(visible, expected);
    SINTER_TRY(check_prefixes(stage, input, grids, visible, out));
    return out;
}

}  // namespace sinter
