#include "runtime/passes/select.hpp"

#include "runtime/gpu/commands.hpp"
#include "runtime/shaders/spirv.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <span>

namespace sinter {
namespace {

// Levels of a tree from a node on.
std::uint32_t tree_depth(std::span<const ClusterHierarchyNode> nodes, std::uint32_t node) {
    std::uint32_t below = 0;
    for (const std::uint32_t child : nodes[node].child) {
        if (child == kHierarchyNone || (child & kHierarchyGroup) != 0) continue;
        below = std::max(below, tree_depth(nodes, child));
    }
    return below + 1;
}

gpu::vec4 plane_of(Vec3d normal, Vec3d point) {
    const Vec3d n = normalized(normal);
    return {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z),
            static_cast<float>(-dot(n, point))};
}

void set_view(gpu::Selection& out, const Camera& camera) {
    const double aspect = static_cast<double>(camera.width) / camera.height;
    const Vec3d f = camera.forward;
    out.planes[0] = plane_of(camera.right * camera.focal + f * aspect, camera.eye);
    out.planes[1] = plane_of(camera.right * -camera.focal + f * aspect, camera.eye);
    out.planes[2] = plane_of(camera.up * -camera.focal + f, camera.eye);
    out.planes[3] = plane_of(camera.up * camera.focal + f, camera.eye);
    out.planes[4] = plane_of(f, camera.eye + f * camera.near_plane);
    std::ranges::copy(camera.clip_rows(), out.clip_from_world);
    // A hair more, so that rounding makes no bounds smaller.
    constexpr double kOutwards = 1 + 1e-6;
    out.clip_lengths = {static_cast<float>(camera.focal / aspect * kOutwards),
                        static_cast<float>(camera.focal * kOutwards), static_cast<float>(kOutwards)};
    out.near_plane = static_cast<float>(camera.near_plane);
    out.width = camera.width;
    out.height = camera.height;
}

struct FirstWork {
    std::vector<gpu::Work> work;
    std::vector<gpu::WorkCount> counts;
};

FirstWork first_work_of(const PackageScene& scene, std::uint32_t tree_levels) {
    FirstWork out;
    for (std::uint32_t i = 0; i < scene.instances.size(); ++i) {
        const SceneMesh& mesh = scene.meshes[scene.instances[i].mesh];
        if (mesh.nodes.count != 0) out.work.push_back({i, mesh.nodes.first});
    }
    out.counts.assign(std::size_t{tree_levels} + 2, {0, 1, 1, 0});
    const auto count = static_cast<std::uint32_t>(out.work.size());
    out.counts[0] = {std::min((count + 7) / 8, gpu::kMaxWorkgroups), 1, 1, count};
    return out;
}

}  // namespace

Result<SelectPasses> create_select_passes(Device& device) {
    SelectPasses out;
    SINTER_TRY_ASSIGN(out.nodes,
                      Pipeline::compute(device, spirv::select_nodes_comp(), sizeof(gpu::SelectPush)));
    SINTER_TRY_ASSIGN(out.clusters,
                      Pipeline::compute(device, spirv::select_clusters_comp(), sizeof(gpu::SelectPush)));
    SINTER_TRY_ASSIGN(out.compact, Pipeline::compute(device, spirv::compact_comp(), sizeof(gpu::SelectPush)));
    SINTER_TRY_ASSIGN(out.pyramid,
                      Pipeline::compute(device, spirv::pyramid_comp(), sizeof(gpu::PyramidPush)));
    return out;
}

Result<DeviceSelection> create_selection(Device& device, const PackageScene& scene,
                                         const SceneMotion& motion) {
    DeviceSelection out;
    std::uint64_t slots = 0;
    std::uint64_t groups = 0;
    std::uint64_t nodes = 0;
    std::vector<std::uint32_t> instance_of_word;
    for (std::uint32_t i = 0; i < scene.instances.size(); ++i) {
        const SceneMesh& mesh = scene.meshes[scene.instances[i].mesh];
        slots += mesh.clusters.count;
        groups += mesh.groups.count;
        nodes += mesh.nodes.count;
        if (slots > std::numeric_limits<std::int32_t>::max()) {
            return Error{ErrorKind::Limit, "instances", "they have more than 2^31 clusters together",
                         "look at the meshes one by one"};
        }
        out.first_word.push_back(static_cast<std::uint32_t>(instance_of_word.size()));
        instance_of_word.insert(instance_of_word.end(), (mesh.clusters.count + 31) / 32, i);
    }
    for (const SceneMesh& mesh : scene.meshes) {
        if (mesh.nodes.count == 0) continue;
        const auto tree = std::span(scene.nodes).subspan(mesh.nodes.first, mesh.nodes.count);
        out.tree_levels = std::max(out.tree_levels, tree_depth(tree, 0));
    }
    out.word_count = static_cast<std::uint32_t>(instance_of_word.size());
    out.cluster_slots = static_cast<std::uint32_t>(slots);
    const FirstWork first = first_work_of(scene, out.tree_levels);
    SINTER_TRY_ASSIGN(out.nodes, upload_records<ClusterHierarchyNode>(device, scene.nodes));
    SINTER_TRY_ASSIGN(out.page_of_cluster, upload_records<std::uint32_t>(device, scene.page_of_cluster));
    SINTER_TRY_ASSIGN(out.bones, upload_records<gpu::ClusterBone>(device, motion.bones));
    SINTER_TRY_ASSIGN(out.first_bones, upload_records<std::uint32_t>(device, motion.first_bones));
    SINTER_TRY_ASSIGN(out.instance_of_word, upload_records<std::uint32_t>(device, instance_of_word));
    SINTER_TRY_ASSIGN(out.first_work, upload_records<gpu::Work>(device, first.work));
    SINTER_TRY_ASSIGN(out.first_counts, upload_records<gpu::WorkCount>(device, first.counts));
    const auto space = [&](Buffer& buffer, std::uint64_t bytes) -> Result<Unit> {
        SINTER_TRY_ASSIGN(buffer, Buffer::create(device, bytes, BufferUse::Storage));
        return Unit{};
    };
    SINTER_TRY(space(out.work_a, nodes * sizeof(gpu::Work)));
    SINTER_TRY(space(out.work_b, nodes * sizeof(gpu::Work)));
    SINTER_TRY(space(out.work_groups, groups * sizeof(gpu::Work)));
    SINTER_TRY(space(out.work_counts, first.counts.size() * sizeof(gpu::WorkCount)));
    SINTER_TRY(space(out.visible_bits, std::uint64_t{out.word_count} * 4));
    SINTER_TRY(space(out.visible, slots * sizeof(gpu::VisibleCluster)));
    SINTER_TRY(space(out.commands, slots * sizeof(VkDrawIndirectCommand)));
    SINTER_TRY(space(out.draw_count, 4));
    return out;
}

Result<DepthPyramid> create_pyramid(Device& device, std::uint32_t width, std::uint32_t height) {
    DepthPyramid out;
    std::uint64_t floats = 0;
    for (;;) {
        assert(out.first.size() < gpu::kMaxPyramidLevels);
        out.first.push_back(static_cast<std::uint32_t>(floats));
        out.widths.push_back(width);
        out.heights.push_back(height);
        floats += std::uint64_t{width} * height;
        if (width == 1 && height == 1) break;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    SINTER_TRY_ASSIGN(out.depths, Buffer::create(device, floats * sizeof(float), BufferUse::Storage));
    return out;
}

gpu::Selection selection_of(const SelectView& view, const DeviceScene& scene, const DeviceMotion& motion,
                            const DeviceSelection& selection) {
    gpu::Selection out{};
    set_view(out, view.camera);
    out.cull = view.pyramid == nullptr ? view.cull & ~gpu::kCullOcclusion : view.cull;
    out.word_count = selection.word_count;
    out.heap = scene.heap.address();
    out.pages = scene.pages.address();
    out.meshes = scene.meshes.address();
    out.instances = view.instances->address();
    out.groups = scene.groups.address();
    out.nodes = selection.nodes.address();
    out.materials = scene.materials.address();
    out.page_of_cluster = selection.page_of_cluster.address();
    out.cuts = view.cuts->address();
    out.world = motion.world.address();
    out.palette = motion.palette.address();
    out.grids = motion.grids.address();
    out.skins = motion.skins.address();
    out.bones = selection.bones.address();
    out.bones_of_cluster = selection.first_bones.address();
    out.work_nodes[0] = selection.work_a.address();
    out.work_nodes[1] = selection.work_b.address();
    out.work_groups = selection.work_groups.address();
    out.work_counts = selection.work_counts.address();
    out.visible_bits = selection.visible_bits.address();
    out.instance_of_word = selection.instance_of_word.address();
    out.visible = selection.visible.address();
    out.commands = selection.commands.address();
    out.draw_count = selection.draw_count.address();
    out.group_count_slot = selection.tree_levels + 1;
    if (view.pyramid != nullptr) {
        out.pyramid = view.pyramid->depths.address();
        std::ranges::copy(view.pyramid->first, out.pyramid_first);
    }
    return out;
}

void record_selection(VkCommandBuffer commands, const SelectPasses& passes, const DeviceSelection& selection,
                      const Buffer& record) {
    const auto copy = [&](const Buffer& from, const Buffer& to) {
        if (from.bytes() == 0) return;
        const VkBufferCopy all{.srcOffset = 0, .dstOffset = 0, .size = from.bytes()};
        vkCmdCopyBuffer(commands, from.handle(), to.handle(), 1, &all);
    };
    copy(selection.first_work, selection.work_a);
    copy(selection.first_counts, selection.work_counts);
    vkCmdFillBuffer(commands, selection.visible_bits.handle(), 0, VK_WHOLE_SIZE, 0);
    barrier(commands, Access::CopyWrite, Access::ComputeWrite);
    barrier(commands, Access::CopyWrite, Access::IndirectRead);
    VkBuffer counts = selection.work_counts.handle();
    for (std::uint32_t level = 0; level < selection.tree_levels; ++level) {
        passes.nodes.bind(commands, gpu::SelectPush{record.address(), level, 0});
        vkCmdDispatchIndirect(commands, counts, level * sizeof(gpu::WorkCount));
        barrier(commands, Access::ComputeWrite, Access::ComputeWrite);
        barrier(commands, Access::ComputeWrite, Access::IndirectRead);
    }
    passes.clusters.bind(commands, gpu::SelectPush{record.address(), 0, 0});
    vkCmdDispatchIndirect(commands, counts, (selection.tree_levels + 1) * sizeof(gpu::WorkCount));
    barrier(commands, Access::ComputeWrite, Access::ComputeWrite);
    passes.compact.bind(commands, gpu::SelectPush{record.address(), 0, 0});
    vkCmdDispatch(commands, 1, 1, 1);
    barrier(commands, Access::ComputeWrite, Access::IndirectRead);
    barrier(commands, Access::ComputeWrite, Access::DrawRead);
    barrier(commands, Access::ComputeWrite, Access::CopyRead);
}

void record_pyramid(VkCommandBuffer commands, const SelectPasses& passes, const DepthPyramid& pyramid) {
    barrier(commands, Access::CopyWrite, Access::ComputeWrite);
    for (std::size_t level = 1; level < pyramid.first.size(); ++level) {
        passes.pyramid.bind(commands, gpu::PyramidPush{.pyramid = pyramid.depths.address(),
                                                       .from = pyramid.first[level - 1],
                                                       .to = pyramid.first[level],
                                                       .from_width = pyramid.widths[level - 1],
                                                       .from_height = pyramid.heights[level - 1],
                                                       .to_width = pyramid.widths[level],
                                                       .to_height = pyramid.heights[level]});
        vkCmdDispatch(commands, (pyramid.widths[level] + 7) / 8, (pyramid.heights[level] + 7) / 8, 1);
        barrier(commands, Access::ComputeWrite, Access::ComputeWrite);
    }
    barrier(commands, Access::ComputeWrite, Access::CopyRead);
}

}  // namespace sinter
