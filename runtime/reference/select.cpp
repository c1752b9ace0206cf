#include "runtime/reference/select.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace sinter {
namespace {

// The squares of the smallest and the largest stretch of a linear map: bounds of the eigenvalues of its Gram matrix.
// Exact for rotations with an even scale; else on the safe side (Gershgorin's circles).
std::array<double, 2> stretch_bounds(const Affine3& map) {
    const std::array<Vec3d, 3> columns{Vec3d{map.at(0, 0), map.at(1, 0), map.at(2, 0)},
                                       Vec3d{map.at(0, 1), map.at(1, 1), map.at(2, 1)},
                                       Vec3d{map.at(0, 2), map.at(1, 2), map.at(2, 2)}};
    double least = dot(columns[0], columns[0]);
    double most = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        double off_diagonal = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            if (j != i) off_diagonal += std::abs(dot(columns[i], columns[j]));
        }
        least = std::min(least, dot(columns[i], columns[i]) - off_diagonal);
        most = std::max(most, dot(columns[i], columns[i]) + off_diagonal);
    }
    return {std::max(least, most * 1e-6), most};
}

// mesh_from_world of a point: Cramer's rule.
Vec3d inverse_point(const Affine3& map, Vec3d world) {
    const Vec3d p = world - Vec3d{map.at(0, 3), map.at(1, 3), map.at(2, 3)};
    const std::array<Vec3d, 3> columns{Vec3d{map.at(0, 0), map.at(1, 0), map.at(2, 0)},
                                       Vec3d{map.at(0, 1), map.at(1, 1), map.at(2, 1)},
                                       Vec3d{map.at(0, 2), map.at(1, 2), map.at(2, 2)}};
    const double determinant = dot(columns[0], cross(columns[1], columns[2]));
    return {dot(p, cross(columns[1], columns[2])) / determinant,
            dot(p, cross(columns[2], columns[0])) / determinant,
            dot(p, cross(columns[0], columns[1])) / determinant};
}

float squared_box_distance(const gpu::vec3& eye, const gpu::vec3& low, const gpu::vec3& high) {
    const float x = std::max(std::max(low.x - eye.x, eye.x - high.x), 0.0F);
    const float y = std::max(std::max(low.y - eye.y, eye.y - high.y), 0.0F);
    const float z = std::max(std::max(low.z - eye.z, eye.z - high.z), 0.0F);
    return x * x + y * y + z * z;
}

}  // namespace

InstanceCut pixel_cut(const Camera& camera, const Affine3& world_from_mesh, double pixels) {
    const Vec3d eye = inverse_point(world_from_mesh, camera.eye);
    const auto [least, most] = stretch_bounds(world_from_mesh);
    InstanceCut out;
    out.kind = CutKind::Pixels;
    out.eye = {static_cast<float>(eye.x), static_cast<float>(eye.y), static_cast<float>(eye.z)};
    out.scale = static_cast<float>(camera.pixels_per_radian() / pixels * std::sqrt(most / least));
    return out;
}

InstanceCut box_cut(const Camera& camera, gpu::vec3 low, gpu::vec3 high, double world_scale, double pixels) {
    InstanceCut out;
    out.kind = CutKind::Box;
    out.eye = {static_cast<float>(camera.eye.x), static_cast<float>(camera.eye.y),
               static_cast<float>(camera.eye.z)};
    out.low = low;
    out.high = high;
    out.scale = static_cast<float>(camera.pixels_per_radian() / pixels * world_scale);
    return out;
}

std::uint32_t vertex_prefix(const PackageScene& scene, const SceneMesh& mesh, const InstanceCut& cut) {
    if (cut.kind != CutKind::Error && cut.kind != CutKind::Box) return mesh.vertex_count;
    for (std::uint32_t p = mesh.prefixes.first; p < mesh.prefixes.end(); ++p) {
        ClusterGroupRecord at_prefix;
        at_prefix.lod_error = scene.prefixes[p].lod_error;
        if (!is_too_coarse(at_prefix, cut)) return scene.prefixes[p].vertex_count;
    }
    return mesh.vertex_count;
}

bool is_too_coarse(const ClusterGroupRecord& group, const InstanceCut& cut) {
    switch (cut.kind) {
    case CutKind::Full: return true;
    case CutKind::Level: return group.level >= cut.level || group.lod_error >= kNoReplacementError;
    case CutKind::Error: return group.lod_error > cut.error;
    case CutKind::Pixels:
    case CutKind::Box: break;
    }
    if (group.lod_error >= kNoReplacementError) return true;
    if (cut.kind == CutKind::Box) {
        const float reach = group.lod_error * cut.scale;
        return squared_box_distance(cut.eye, cut.low, cut.high) < reach * reach;
    }
    const float x = group.lod_center[0] - cut.eye.x;
    const float y = group.lod_center[1] - cut.eye.y;
    const float z = group.lod_center[2] - cut.eye.z;
    const float squared_distance = x * x + y * y + z * z;
    const float reach = group.lod_radius + group.lod_error * cut.scale;
    return squared_distance < reach * reach;
}

std::vector<gpu::VisibleCluster> select_clusters(const PackageScene& scene,
                                                 std::span<const InstanceCut> cuts) {
    assert(cuts.size() == scene.instances.size());
    std::vector<gpu::VisibleCluster> out;
    std::vector<bool> too_coarse;
    for (std::uint32_t i = 0; i < scene.instances.size(); ++i) {
        const SceneMesh& mesh = scene.meshes[scene.instances[i].mesh];
        too_coarse.assign(mesh.groups.count, false);
        for (std::uint32_t g = 0; g < mesh.groups.count; ++g)
            too_coarse[g] = is_too_coarse(scene.groups[mesh.groups.first + g], cuts[i]);
        for (std::uint32_t c = mesh.clusters.first; c < mesh.clusters.end(); ++c) {
            const ClusterRecord& cluster = scene.clusters[c];
            const bool child_suffices =
                cluster.child_group < 0 || !too_coarse[static_cast<std::uint32_t>(cluster.child_group)];
            if (!too_coarse[cluster.group] || !child_suffices) continue;
            const std::uint32_t page = scene.page_of_cluster[c];
            out.push_back({i, page, c - scene.pages[page].first_cluster});
        }
    }
    return out;
}

}  // namespace sinter
