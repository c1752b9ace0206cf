#include "runtime/reference/pose.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/vertex_codec.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sinter {
namespace {

std::array<double, 4> sample_track(const SceneMotion& motion, const gpu::Track& track, const FramePair& at) {
    const std::size_t components = track.path == gpu::kPathRotation ? 4 : 3;
    std::size_t before = track.constant != 0 ? 0 : at.frame;
    double t = track.constant != 0 ? 0 : at.fraction;
    if (track.step != 0) {
        if (t >= 1) ++before;
        t = 0;
    }
    const std::size_t after = t == 0 ? before : before + 1;
    std::array<double, 4> a{};
    std::array<double, 4> b{};
    double cosine = 0;
    for (std::size_t c = 0; c < components; ++c) {
        a[c] = static_cast<double>(motion.values[track.first_value + before * components + c]);
        b[c] = static_cast<double>(motion.values[track.first_value + after * components + c]);
        cosine += a[c] * b[c];
    }
    const double sign = track.path == gpu::kPathRotation && cosine < 0 ? -1 : 1;
    double square = 0;
    for (std::size_t c = 0; c < 4; ++c) {
        a[c] += (sign * b[c] - a[c]) * t;
        square += a[c] * a[c];
    }
    if (track.path == gpu::kPathRotation) {
        for (double& component : a) component /= std::sqrt(square);
    }
    return a;
}

Affine3 affine_of_rows(const gpu::vec4 (&rows)[3]) {
    Affine3 out;
    for (std::size_t r = 0; r < 3; ++r) {
        out.at(r, 0) = static_cast<double>(rows[r].x);
        out.at(r, 1) = static_cast<double>(rows[r].y);
        out.at(r, 2) = static_cast<double>(rows[r].z);
        out.at(r, 3) = static_cast<double>(rows[r].w);
    }
    return out;
}

// The weighted sum of a vertex's matrices; nothing moves a vertex without weights.
Affine3 blended(const SceneMotion& motion, const gpu::SkinnedInstance& skin,
                const std::vector<Affine3>& palette, std::uint32_t vertex) {
    const std::size_t weight_bytes = skin.weight_bits / 8;
    const std::byte* joints =
        &motion.influences[skin.first_influence + std::size_t{vertex} * skin.stride * (2 + weight_bytes)];
    const std::byte* weights = joints + std::size_t{skin.stride} * 2;
    Affine3 sum;
    sum.m = {};
    std::uint64_t total = 0;
    for (std::size_t s = 0; s < skin.stride; ++s) {
        std::uint16_t joint = 0;
        std::uint16_t weight = 0;
        std::memcpy(&joint, joints + s * 2, 2);
        std::memcpy(&weight, weights + s * weight_bytes, weight_bytes);
        total += weight;
        const double share = static_cast<double>(weight) / (weight_bytes == 1 ? 255 : 65535);
        for (std::size_t i = 0; weight != 0 && i < 12; ++i) sum.m[i] += share * palette[joint].m[i];
    }
    return total == 0 ? Affine3{} : sum;
}

Vec3d moved_normal(const Affine3& map, Vec3d n) {
    const Vec3d yz = cross(map.row(1), map.row(2));
    const Vec3d moved{dot(yz, n), dot(cross(map.row(2), map.row(0)), n),
                      dot(cross(map.row(0), map.row(1)), n)};
    const double size = length(moved);
    if (size == 0) return {};
    return moved * ((dot(map.row(0), yz) < 0 ? -1 : 1) / size);
}

}  // namespace

std::vector<LocalTransform> sample_locals(const manifest::ManifestT& manifest, const SceneMotion& motion,
                                          std::optional<ClipTime> clip) {
    std::vector<LocalTransform> out = rest_transforms(manifest);
    if (!clip) return out;
    const SceneClip& entry = motion.clips[clip->clip];
    const FramePair at = frames_at(entry, clip->time_s);
    for (std::uint32_t i = entry.tracks.first; i < entry.tracks.end(); ++i) {
        const gpu::Track& track = motion.tracks[i];
        const std::array<double, 4> value = sample_track(motion, track, at);
        LocalTransform& local = out[track.node];
        local.has_matrix = false;
        if (track.path == gpu::kPathTranslation) local.translation = {value[0], value[1], value[2]};
        else if (track.path == gpu::kPathScale) local.scale = {value[0], value[1], value[2]};
        else local.rotation = value;
    }
    return out;
}

BoundingBox skinned_bounds(const SceneMotion& motion, const gpu::SkinnedInstance& skin,
                           const std::vector<Affine3>& world) {
    bool empty = true;
    BoundingBox out;
    const auto add = [&](gpu::vec3 low, gpu::vec3 high, const Affine3& map) {
        if (low.x > high.x) return;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3d p = map.point({static_cast<double>((corner & 1) != 0 ? high.x : low.x),
                                       static_cast<double>((corner & 2) != 0 ? high.y : low.y),
                                       static_cast<double>((corner & 4) != 0 ? high.z : low.z)});
            out.low =
                empty ? p
                      : Vec3d{std::min(out.low.x, p.x), std::min(out.low.y, p.y), std::min(out.low.z, p.z)};
            out.high = empty ? p
                             : Vec3d{std::max(out.high.x, p.x), std::max(out.high.y, p.y),
                                     std::max(out.high.z, p.z)};
            empty = false;
        }
    };
    add(skin.low, skin.high, Affine3{});
    for (std::uint32_t j = 0; j < skin.joint_count; ++j) {
        const gpu::Joint& joint = motion.joints[skin.first_joint + j];
        add(joint.low, joint.high, world[joint.node] * affine_of_rows(joint.bone_from_mesh));
    }
    return out;
}

std::vector<SkinnedReference> skin_vertices(const PackageScene& scene, const SceneMotion& motion,
                                            const std::vector<Affine3>& world, std::uint32_t skin_index,
                                            std::uint32_t vertex_count) {
    const gpu::SkinnedInstance& skin = motion.skins[skin_index];
    const gpu::Mesh& grid = scene.gpu_meshes[skin.mesh];
    std::vector<Affine3> palette;
    for (std::uint32_t j = 0; j < skin.joint_count; ++j) {
        const gpu::Joint& joint = motion.joints[skin.first_joint + j];
        palette.push_back(world[joint.node] * affine_of_rows(joint.bone_from_mesh));
    }
    std::vector<SkinnedReference> out;
    const SceneMesh& mesh = scene.meshes[skin.mesh];
    for (std::uint32_t p = mesh.pages.first; p < mesh.pages.end(); ++p) {
        const auto page = view_page(page_bytes(scene, p));
        for (std::uint32_t v = 0; page && v < page->header().vertex_count && out.size() < vertex_count; ++v) {
            const Affine3 map = blended(motion, skin, palette, scene.pages[p].first_vertex + v);
            const auto at =
                grid_decode({grid.center.x, grid.center.y, grid.center.z}, grid.step, page->grid_position(v));
            SkinnedReference vertex{map.point(vec3d_of(at)), {}, {}};
            if (grid.has_normals != 0) {
                vertex.normal = moved_normal(map, vec3d_of(oct_decode(page->normal(v))));
                const Vec3d t =
                    map.direction(vec3d_of(tangent_decode(page->normal(v), page->tangent(v)).tangent));
                const Vec3d across = t - vertex.normal * dot(t, vertex.normal);
                if (length(across) > 0) vertex.tangent = normalized(across);
            }
            out.push_back(vertex);
        }
    }
    return out;
}

}  // namespace sinter
