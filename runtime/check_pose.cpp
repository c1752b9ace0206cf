#include "runtime/check_pose.hpp"

#include "runtime/gpu/commands.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/vertex_codec.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinter {
namespace {

double angle_deg(Vec3d a, Vec3d b) {
    return std::atan2(length(cross(a, b)), dot(a, b)) * (180 / std::numbers::pi);
}

// Twice the angle between two unit quaternions that are nearly the same.
double quaternion_angle_deg(const std::array<double, 4>& a, gpu::vec4 q) {
    const std::array<double, 4> b{static_cast<double>(q.x), static_cast<double>(q.y),
                                  static_cast<double>(q.z), static_cast<double>(q.w)};
    double apart = 0;
    double together = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        apart += (a[i] - b[i]) * (a[i] - b[i]);
        together += (a[i] + b[i]) * (a[i] + b[i]);
    }
    return 4 * std::atan2(std::sqrt(std::min(apart, together)), std::sqrt(std::max(apart, together))) *
           (180 / std::numbers::pi);
}

// What the device made of a pose.
struct ReadBack {
    std::vector<gpu::Local> locals;
    std::vector<gpu::Transform> world;
    std::vector<gpu::PoseGrid> grids;
    std::vector<gpu::SkinnedVertex> skinned;
};

Result<ReadBack> run_passes(const Stage& stage, std::optional<ClipTime> clip) {
    // Full detail needs all vertices.
    const std::vector<gpu::InstanceCut> cuts(stage.scene.instances.size());
    SINTER_TRY_ASSIGN(const Buffer device_cuts, upload_records<gpu::InstanceCut>(*stage.device, cuts));
    SINTER_TRY(submit(*stage.device, [&](VkCommandBuffer commands) {
        record_pose(commands, stage.pose_passes, stage.device_scene, stage.motion, stage.device_motion, clip,
                    device_cuts);
    }));
    ReadBack out;
    Device& device = *stage.device;
    const DeviceMotion& motion = stage.device_motion;
    const std::size_t nodes = stage.motion.rest.size();
    SINTER_TRY_ASSIGN(out.locals, read_records<gpu::Local>(device, motion.locals, nodes));
    SINTER_TRY_ASSIGN(out.world, read_records<gpu::Transform>(device, motion.world, nodes));
    SINTER_TRY_ASSIGN(out.grids,
                      read_records<gpu::PoseGrid>(device, motion.grids, stage.motion.skins.size()));
    SINTER_TRY_ASSIGN(
        out.skinned, read_records<gpu::SkinnedVertex>(device, motion.skinned, stage.motion.skinned_vertices));
    return out;
}

void compare_locals(const std::vector<LocalTransform>& expected, const std::vector<gpu::Local>& found,
                    PoseErrors& out) {
    for (std::size_t n = 0; n < expected.size(); ++n) {
        if (expected[n].has_matrix) continue;
        out.translation =
            std::max(out.translation, length(expected[n].translation - vec3d_of(found[n].translation)));
        out.translation_reach = std::max(out.translation_reach, length(expected[n].translation));
        out.scale_reach = std::max(out.scale_reach, length(expected[n].scale));
        out.scale = std::max(out.scale, length(expected[n].scale - vec3d_of(found[n].scale)));
        out.rotation_deg =
            std::max(out.rotation_deg, quaternion_angle_deg(expected[n].rotation, found[n].rotation));
    }
}

void compare_world(const std::vector<Affine3>& expected, const std::vector<gpu::Transform>& found,
                   PoseErrors& out) {
    for (std::size_t n = 0; n < expected.size(); ++n) {
        Affine3 difference;
        for (std::size_t r = 0; r < 3; ++r) {
            const gpu::vec4 row = found[n].rows[r];
            difference.at(r, 0) = expected[n].at(r, 0) - static_cast<double>(row.x);
            difference.at(r, 1) = expected[n].at(r, 1) - static_cast<double>(row.y);
            difference.at(r, 2) = expected[n].at(r, 2) - static_cast<double>(row.z);
            difference.at(r, 3) = expected[n].at(r, 3) - static_cast<double>(row.w);
        }
        for (const Vec3d p : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
            out.world = std::max(out.world, length(difference.point(p)));
            out.world_reach = std::max(out.world_reach, length(expected[n].point(p)));
        }
    }
    out.nodes += expected.size();
}

std::int16_t low_half(std::uint32_t word) { return static_cast<std::int16_t>(word & 0xFFFFU); }
std::int16_t high_half(std::uint32_t word) { return static_cast<std::int16_t>(word >> 16U); }

void compare_vertex(const SkinnedReference& expected, const gpu::SkinnedVertex& found,
                    const gpu::PoseGrid& grid, bool has_tangents, PoseErrors& out) {
    const Vec3d at =
        vec3d_of(grid_decode({grid.center.x, grid.center.y, grid.center.z}, grid.step,
                             {low_half(found.xy), high_half(found.xy), low_half(found.z_tangent)}));
    const Vec3d apart = at - expected.position;
    const auto step = static_cast<double>(grid.step);
    out.position = std::max(out.position, length(apart));
    out.position_steps = std::max(
        {out.position_steps, std::abs(apart.x) / step, std::abs(apart.y) / step, std::abs(apart.z) / step});
    out.largest_step = std::max(out.largest_step, step);
    const Vec3d low = vec3d_of(grid.low) - expected.position;
    const Vec3d high = expected.position - vec3d_of(grid.high);
    out.outside_bounds = std::max({out.outside_bounds, low.x, low.y, low.z, high.x, high.y, high.z});
    ++out.vertices;
    if (length(expected.normal) == 0) return;
    const OctNormal code{low_half(found.normal), high_half(found.normal)};
    out.normal_deg = std::max(out.normal_deg, angle_deg(vec3d_of(oct_decode(code)), expected.normal));
    ++out.normals;
    if (!has_tangents || length(expected.tangent) == 0) return;
    const TangentCode tangent{static_cast<std::uint16_t>(found.z_tangent >> 16U)};
    out.tangent_deg = std::max(out.tangent_deg,
                               angle_deg(vec3d_of(tangent_decode(code, tangent).tangent), expected.tangent));
}

}  // namespace

void PoseErrors::add(const PoseErrors& other) {
    translation = std::max(translation, other.translation);
    rotation_deg = std::max(rotation_deg, other.rotation_deg);
    scale = std::max(scale, other.scale);
    world = std::max(world, other.world);
    translation_reach = std::max(translation_reach, other.translation_reach);
    scale_reach = std::max(scale_reach, other.scale_reach);
    world_reach = std::max(world_reach, other.world_reach);
    position = std::max(position, other.position);
    position_steps = std::max(position_steps, other.position_steps);
    normal_deg = std::max(normal_deg, other.normal_deg);
    tangent_deg = std::max(tangent_deg, other.tangent_deg);
    largest_step = std::max(largest_step, other.largest_step);
    outside_bounds = std::max(outside_bounds, other.outside_bounds);
    nodes += other.nodes;
    vertices += other.vertices;
    normals += other.normals;
}

Result<PoseErrors> check_pose(const Stage& stage, std::optional<ClipTime> clip) {
    SINTER_TRY_ASSIGN(const ReadBack found, run_passes(stage, clip));
    const std::vector<LocalTransform> locals = sample_locals(*stage.manifest, stage.motion, clip);
    const std::vector<Affine3> world = world_from_nodes(*stage.manifest, locals);
    PoseErrors out;
    compare_locals(locals, found.locals, out);
    compare_world(world, found.world, out);
    for (std::uint32_t s = 0; s < stage.motion.skins.size(); ++s) {
        const gpu::SkinnedInstance& skin = stage.motion.skins[s];
        const auto& tangent = stage.manifest->meshes[skin.mesh]->tangent;
        const std::uint32_t count = stage.scene.meshes[skin.mesh].vertex_count;
        const auto expected = skin_vertices(stage.scene, stage.motion, world, s, count);
        for (std::uint32_t v = 0; v < count; ++v)
            compare_vertex(expected[v], found.skinned[skin.first_skinned + v], found.grids[s],
                           tangent && tangent->bits != 0, out);
    }
    return out;
}

}  // namespace sinter
