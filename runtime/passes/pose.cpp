#include "runtime/passes/pose.hpp"

#include "runtime/gpu/commands.hpp"
#include "runtime/shaders/spirv.hpp"

namespace sinter {
namespace {

constexpr std::uint32_t kGroupSize = 64;

std::uint32_t groups_for(std::size_t count) {
    return static_cast<std::uint32_t>((count + kGroupSize - 1) / kGroupSize);
}

void sample_clip(VkCommandBuffer commands, const PosePasses& passes, const SceneMotion& motion,
                 const DeviceMotion& device, const ClipTime& at) {
    const SceneClip& clip = motion.clips[at.clip];
    if (clip.tracks.count == 0) return;
    const FramePair frames = frames_at(clip, at.time_s);
    passes.sample.bind(
        commands, gpu::SamplePush{.tracks = device.tracks.address() + clip.tracks.first * sizeof(gpu::Track),
                                  .values = device.values.address(),
                                  .locals = device.locals.address(),
                                  .track_count = clip.tracks.count,
                                  .frame = frames.frame,
                                  .fraction = static_cast<float>(frames.fraction),
                                  .padding = 0});
    vkCmdDispatch(commands, groups_for(clip.tracks.count), 1, 1);
    barrier(commands, Access::ComputeWrite, Access::ComputeWrite);
}

// The device itself finds out how many workgroups that takes.
void skin_instances(VkCommandBuffer commands, const PosePasses& passes, const DeviceScene& scene,
                    const SceneMotion& motion, const DeviceMotion& device, const Buffer& cuts,
                    const PassMark& mark) {
    const auto skins = static_cast<std::uint32_t>(motion.skins.size());
    passes.prefix.bind(commands, gpu::PrefixPush{.skins = device.skins.address(),
                                                 .grids = device.grids.address(),
                                                 .cuts = cuts.address(),
                                                 .prefixes = device.prefixes.address(),
                                                 .counts = device.counts.address(),
                                                 .skin_count = skins,
                                                 .reserved = 0});
    vkCmdDispatch(commands, groups_for(skins), 1, 1);
    barrier(commands, Access::ComputeWrite, Access::ComputeWrite);
    barrier(commands, Access::ComputeWrite, Access::IndirectRead);
    mark(commands, "prefix");
    for (std::uint32_t s = 0; s < skins; ++s) {
        const Range batches = motion.batches_of_mesh[motion.skins[s].mesh];
        passes.skin.bind(
            commands, gpu::SkinPush{.heap = scene.heap.address(),
                                    .pages = scene.pages.address(),
                                    .batches = device.batches.address() + batches.first * sizeof(gpu::Batch),
                                    .influences = device.influences.address(),
                                    .skins = device.skins.address(),
                                    .palette = device.palette.address(),
                                    .grids = device.grids.address(),
                                    .skinned = device.skinned.address(),
                                    .meshes = scene.meshes.address(),
                                    .counts = device.counts.address(),
                                    .skin = s,
                                    .reserved = 0});
        vkCmdDispatchIndirect(commands, device.counts.handle(), s * sizeof(gpu::SkinCount));
    }
}

}  // namespace

Result<PosePasses> create_pose_passes(Device& device) {
    PosePasses out;
    SINTER_TRY_ASSIGN(out.sample, Pipeline::compute(device, spirv::sample_comp(), sizeof(gpu::SamplePush)));
    SINTER_TRY_ASSIGN(out.skeleton,
                      Pipeline::compute(device, spirv::skeleton_comp(), sizeof(gpu::SkeletonPush)));
    SINTER_TRY_ASSIGN(out.bounds, Pipeline::compute(device, spirv::bounds_comp(), sizeof(gpu::BoundsPush)));
    SINTER_TRY_ASSIGN(out.prefix, Pipeline::compute(device, spirv::prefix_comp(), sizeof(gpu::PrefixPush)));
    SINTER_TRY_ASSIGN(out.skin, Pipeline::compute(device, spirv::skin_comp(), sizeof(gpu::SkinPush)));
    return out;
}

Result<DeviceMotion> upload_motion(Device& device, const SceneMotion& motion) {
    DeviceMotion out;
    const auto table = [&]<typename Record>(Buffer& buffer,
                                            const std::vector<Record>& records) -> Result<Unit> {
        SINTER_TRY_ASSIGN(buffer, upload_records<Record>(device, records));
        return Unit{};
    };
    const auto space = [&](Buffer& buffer, std::size_t bytes) -> Result<Unit> {
        SINTER_TRY_ASSIGN(buffer, Buffer::create(device, bytes, BufferUse::Storage));
        return Unit{};
    };
    SINTER_TRY(table(out.rest, motion.rest));
    SINTER_TRY(table(out.matrices, motion.matrices));
    SINTER_TRY(table(out.leaves, motion.leaves));
    SINTER_TRY(table(out.path_nodes, motion.path_nodes));
    SINTER_TRY(table(out.tracks, motion.tracks));
    SINTER_TRY(table(out.values, motion.values));
    SINTER_TRY(table(out.skins, motion.skins));
    SINTER_TRY(table(out.joints, motion.joints));
    SINTER_TRY(table(out.batches, motion.batches));
    SINTER_TRY(table(out.influences, motion.influences));
    SINTER_TRY(table(out.prefixes, motion.prefixes));
    SINTER_TRY(space(out.locals, motion.rest.size() * sizeof(gpu::Local)));
    SINTER_TRY(space(out.world, motion.rest.size() * sizeof(gpu::Transform)));
    SINTER_TRY(space(out.palette, motion.joints.size() * sizeof(gpu::Transform)));
    SINTER_TRY(space(out.grids, motion.skins.size() * sizeof(gpu::PoseGrid)));
    SINTER_TRY(space(out.counts, motion.skins.size() * sizeof(gpu::SkinCount)));
    SINTER_TRY(space(out.skinned, std::size_t{motion.skinned_vertices} * sizeof(gpu::SkinnedVertex)));
    return out;
}

void record_pose(VkCommandBuffer commands, const PosePasses& passes, const DeviceScene& device_scene,
                 const SceneMotion& motion, const DeviceMotion& device, std::optional<ClipTime> clip,
                 const Buffer& cuts, const PassMark& given_mark) {
    const PassMark mark = given_mark ? given_mark : [](VkCommandBuffer, std::string_view) {};
    if (motion.rest.empty()) return;
    const VkBufferCopy all{.srcOffset = 0, .dstOffset = 0, .size = device.rest.bytes()};
    vkCmdCopyBuffer(commands, device.rest.handle(), device.locals.handle(), 1, &all);
    barrier(commands, Access::CopyWrite, Access::ComputeWrite);
    if (clip) sample_clip(commands, passes, motion, device, *clip);
    mark(commands, "clips");
    passes.skeleton.bind(commands,
                         gpu::SkeletonPush{.leaves = device.leaves.address(),
                                           .path_nodes = device.path_nodes.address(),
                                           .locals = device.locals.address(),
                                           .matrices = device.matrices.address(),
                                           .world = device.world.address(),
                                           .leaf_count = static_cast<std::uint32_t>(motion.leaves.size()),
                                           .padding = 0});
    vkCmdDispatch(commands, groups_for(motion.leaves.size()), 1, 1);
    barrier(commands, Access::ComputeWrite, Access::ComputeWrite);
    mark(commands, "skeleton");
    if (!motion.skins.empty()) {
        passes.bounds.bind(commands, gpu::BoundsPush{.skins = device.skins.address(),
                                                     .joints = device.joints.address(),
                                                     .world = device.world.address(),
                                                     .palette = device.palette.address(),
                                                     .grids = device.grids.address()});
        vkCmdDispatch(commands, static_cast<std::uint32_t>(motion.skins.size()), 1, 1);
        barrier(commands, Access::ComputeWrite, Access::ComputeWrite);
        mark(commands, "bounds");
        skin_instances(commands, passes, device_scene, motion, device, cuts, mark);
    }
    barrier(commands, Access::ComputeWrite, Access::DrawRead);
    barrier(commands, Access::ComputeWrite, Access::CopyRead);
    if (!motion.skins.empty()) mark(commands, "skinning");
}

}  // namespace sinter
