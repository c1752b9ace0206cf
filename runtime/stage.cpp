#include "runtime/stage.hpp"

#include "runtime/reference/nodes.hpp"

#include <algorithm>
#include <array>

namespace sinter {
namespace {

// Vertices by which an instance's extent is judged: a prefix, which is a level of detail by itself.
constexpr std::uint32_t kBoundsVertices = 4096;

struct Extent {
    std::uint32_t vertex_count = 0;
    double error = 0;  // metres that the surface may be beyond these vertices
};
Extent extent_of(const PackageScene& scene, const SceneMesh& mesh) {
    Extent out;
    for (std::uint32_t p = mesh.prefixes.first; p < mesh.prefixes.end(); ++p) {
        const ClusterPrefixRecord& prefix = scene.prefixes[p];
        if (p != mesh.prefixes.first && prefix.vertex_count > kBoundsVertices) break;
        out = {prefix.vertex_count,
               static_cast<double>(std::min(prefix.lod_error, static_cast<float>(mesh.radius)))};
    }
    return out;
}

double largest_stretch(const Affine3& map) {
    // The Frobenius norm bounds it; of an even scale it is sqrt(3) times too much.
    return std::sqrt(dot(map.row(0), map.row(0)) + dot(map.row(1), map.row(1)) + dot(map.row(2), map.row(2)));
}

void add_bounds(const Stage& stage, std::optional<ClipTime> clip, std::vector<BoundingSphere>& out) {
    const std::vector<Affine3> world =
        world_from_nodes(*stage.manifest, sample_locals(*stage.manifest, stage.motion, clip));
    for (std::size_t i = 0; i < stage.scene.instances.size(); ++i) {
        const std::uint32_t mesh = stage.scene.instances[i].mesh;
        const Extent extent = extent_of(stage.scene, stage.scene.meshes[mesh]);
        const std::uint32_t skin = stage.motion.skin_of_instance[i];
        if (skin != gpu::kNone) {
            for (const SkinnedReference& v :
                 skin_vertices(stage.scene, stage.motion, world, skin, extent.vertex_count))
                out.push_back({v.position, extent.error * stage.world_scale[skin]});
            continue;
        }
        const Affine3 map = world_from_instance(stage, i, world);
        for (const auto& v : mesh_positions(stage.scene, mesh, extent.vertex_count))
            out.push_back({map.point(vec3d_of(v)), extent.error * largest_stretch(map)});
    }
}

// Lengths in the world over lengths in the mesh, at rest, over pairs of its vertices.
double scale_of_skin(const Stage& stage, std::uint32_t skin, const std::vector<Affine3>& world) {
    const std::uint32_t mesh = stage.motion.skins[skin].mesh;
    const std::uint32_t count = extent_of(stage.scene, stage.scene.meshes[mesh]).vertex_count;
    const auto posed = skin_vertices(stage.scene, stage.motion, world, skin, count);
    const auto still = mesh_positions(stage.scene, mesh, count);
    double in_world = 0;
    double in_mesh = 0;
    for (std::size_t i = 0; i < posed.size(); ++i) {
        for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{61}}) {
            const std::size_t other = (i + step) % posed.size();
            in_world += length(posed[other].position - posed[i].position);
            in_mesh += length(vec3d_of(still[other]) - vec3d_of(still[i]));
        }
    }
    return in_world > 0 && in_mesh > 0 ? in_world / in_mesh : 1;
}

}  // namespace

Affine3 world_from_instance(const Stage& stage, std::size_t instance, const std::vector<Affine3>& world) {
    const std::uint32_t node = stage.scene.instances[instance].node;
    const bool placed = node != kNoNode && stage.motion.skin_of_instance[instance] == gpu::kNone;
    return placed ? world[node] : Affine3{};
}

Result<Stage> create_stage(std::unique_ptr<Device> device, const PackageView& package,
                           const manifest::ManifestT& manifest, std::uint32_t copies) {
    Stage out;
    out.device = std::move(device);
    out.manifest = &manifest;
    SINTER_TRY_ASSIGN(out.scene, load_scene(package, manifest));
    const std::vector<SceneInstance> once = out.scene.instances;
    for (std::uint32_t i = 1; i < copies; ++i)
        out.scene.instances.insert(out.scene.instances.end(), once.begin(), once.end());
    SINTER_TRY_ASSIGN(out.motion, load_motion(package, manifest, out.scene));
    SINTER_TRY_ASSIGN(out.device_scene, upload_scene(*out.device, out.scene));
    SINTER_TRY_ASSIGN(out.device_motion, upload_motion(*out.device, out.motion));
    SINTER_TRY_ASSIGN(out.pose_passes, create_pose_passes(*out.device));
    SINTER_TRY_ASSIGN(out.selection, create_selection(*out.device, out.scene, out.motion));
    SINTER_TRY_ASSIGN(out.select_passes, create_select_passes(*out.device));
    SINTER_TRY_ASSIGN(out.draw_pass, create_draw_pass(*out.device));
    const std::vector<Affine3> world = world_from_nodes(manifest, rest_transforms(manifest));
    for (std::uint32_t s = 0; s < out.motion.skins.size(); ++s)
        out.world_scale.push_back(scale_of_skin(out, s, world));
    return out;
}

std::vector<BoundingSphere> scene_bounds(const Stage& stage, std::optional<std::uint32_t> clip,
                                         std::uint32_t samples) {
    std::vector<BoundingSphere> out;
    if (!clip) {
        add_bounds(stage, std::nullopt, out);
        return out;
    }
    const SceneClip& entry = stage.motion.clips[*clip];
    for (std::uint32_t i = 0; i < samples; ++i) {
        const double part = samples < 2 ? 0 : static_cast<double>(i) / (samples - 1);
        add_bounds(stage, ClipTime{*clip, entry.start_s + entry.duration_s * part}, out);
    }
    return out;
}

}  // namespace sinter
