#include "runtime/render.hpp"

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

Affine3 world_from_mesh(const Stage& stage, std::size_t instance, const std::vector<Affine3>& world) {
    const std::uint32_t node = stage.scene.instances[instance].node;
    const bool placed = node != kNoNode && stage.motion.skin_of_instance[instance] == gpu::kNone;
    return placed ? world[node] : Affine3{};
}

// The first vertices of a mesh that is not skinned, in its own space.
std::vector<Vec3d> mesh_vertices(const PackageScene& scene, std::uint32_t mesh_index, std::uint32_t count) {
    const SceneMesh& mesh = scene.meshes[mesh_index];
    const gpu::Mesh& grid = scene.gpu_meshes[mesh_index];
    std::vector<Vec3d> out;
    for (std::uint32_t p = mesh.pages.first; p < mesh.pages.end() && out.size() < count; ++p) {
        const auto page = view_page(page_bytes(scene, p));
        for (std::uint32_t v = 0; page && v < page->header().vertex_count && out.size() < count; ++v) {
            const auto g = page->grid_position(v);
            const auto step = static_cast<double>(grid.step);
            out.push_back({static_cast<double>(grid.center.x) + step * g[0],
                           static_cast<double>(grid.center.y) + step * g[1],
                           static_cast<double>(grid.center.z) + step * g[2]});
        }
    }
    return out;
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
        const Affine3 map = world_from_mesh(stage, i, world);
        for (const Vec3d& v : mesh_vertices(stage.scene, mesh, extent.vertex_count))
            out.push_back({map.point(v), extent.error * largest_stretch(map)});
    }
}

// Lengths in the world over lengths in the mesh, at rest, over pairs of its vertices.
double scale_of_skin(const Stage& stage, std::uint32_t skin, const std::vector<Affine3>& world) {
    const std::uint32_t mesh = stage.motion.skins[skin].mesh;
    const std::uint32_t count = extent_of(stage.scene, stage.scene.meshes[mesh]).vertex_count;
    const auto posed = skin_vertices(stage.scene, stage.motion, world, skin, count);
    const auto still = mesh_vertices(stage.scene, mesh, count);
    double in_world = 0;
    double in_mesh = 0;
    for (std::size_t i = 0; i < posed.size(); ++i) {
        for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{61}}) {
            const std::size_t other = (i + step) % posed.size();
            in_world += length(posed[other].position - posed[i].position);
            in_mesh += length(still[other] - still[i]);
        }
    }
    return in_world > 0 && in_mesh > 0 ? in_world / in_mesh : 1;
}

// The box of an instance in a pose, from its joints' boxes (shaders/bounds.comp has the reason).
InstanceCut skinned_cut(const Stage& stage, std::uint32_t skin_index, const std::vector<Affine3>& world,
                        const Camera& camera, double pixels) {
    const gpu::SkinnedInstance& skin = stage.motion.skins[skin_index];
    const BoundingBox box = skinned_bounds(stage.motion, skin, world);
    const auto corner = [](Vec3d v) {
        return gpu::vec3{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
    };
    return box_cut(camera, corner(box.low), corner(box.high), stage.world_scale[skin_index], pixels);
}

InstanceCut cut_of(const Stage& stage, const RenderOptions& options, const Camera& camera,
                   std::size_t instance, const std::vector<Affine3>& world) {
    const std::uint32_t skin = stage.motion.skin_of_instance[instance];
    if (options.pixels && skin != gpu::kNone) return skinned_cut(stage, skin, world, camera, *options.pixels);
    if (options.pixels) return pixel_cut(camera, world_from_mesh(stage, instance, world), *options.pixels);
    InstanceCut out;
    if (options.level) {
        out.kind = CutKind::Level;
        out.level = *options.level;
    }
    return out;
}

// So many that the picture fits into an image of the device.
std::uint32_t samples_a_side(const Stage& stage, const RenderOptions& options) {
    const std::uint32_t most = stage.device->properties.limits.maxImageDimension2D;
    std::uint32_t samples = options.samples;
    while (samples > 1 && std::max(options.width, options.height) > most / samples) --samples;
    return samples;
}

}  // namespace

Result<Stage> create_stage(std::unique_ptr<Device> device, const PackageView& package,
                           const manifest::ManifestT& manifest) {
    Stage out;
    out.device = std::move(device);
    out.manifest = &manifest;
    SINTER_TRY_ASSIGN(out.scene, load_scene(package, manifest));
    SINTER_TRY_ASSIGN(out.motion, load_motion(package, manifest, out.scene));
    SINTER_TRY_ASSIGN(out.device_scene, upload_scene(*out.device, out.scene));
    SINTER_TRY_ASSIGN(out.device_motion, upload_motion(*out.device, out.motion));
    SINTER_TRY_ASSIGN(out.pose_passes, create_pose_passes(*out.device));
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

Result<Rendered> render(const Stage& stage, const RenderOptions& options) {
    const std::uint32_t samples = samples_a_side(stage, options);
    const auto bounds = scene_bounds(stage, options.clip ? std::optional(options.clip->clip) : std::nullopt);
    DrawInput input;
    input.camera = frame_spheres(bounds, options.orbit, options.width * samples, options.height * samples);
    input.mode = options.mode;
    // Errors count in pixels of the picture, whatever the number of samples.
    Camera shown = input.camera;
    shown.width = options.width;
    shown.height = options.height;
    const std::vector<Affine3> world =
        world_from_nodes(*stage.manifest, sample_locals(*stage.manifest, stage.motion, options.clip));
    std::vector<gpu::Instance> instances;
    std::vector<InstanceCut> cuts;
    std::vector<std::uint32_t> vertex_counts;
    for (std::size_t i = 0; i < stage.scene.instances.size(); ++i) {
        const SceneInstance& instance = stage.scene.instances[i];
        const std::uint32_t skin = stage.motion.skin_of_instance[i];
        cuts.push_back(cut_of(stage, options, shown, i, world));
        instances.push_back(
            {.mesh = instance.mesh,
             .node = instance.node,
             .skin = skin,
             .first_skinned = skin == gpu::kNone ? 0 : stage.motion.skins[skin].first_skinned});
        if (skin != gpu::kNone)
            vertex_counts.push_back(
                vertex_prefix(stage.scene, stage.scene.meshes[instance.mesh], cuts.back()));
    }
    const auto visible = select_clusters(stage.scene, cuts);
    input.instances = instances;
    input.visible = visible;
    input.before = [&](VkCommandBuffer commands) {
        record_pose(commands, stage.pose_passes, stage.device_scene, stage.motion, stage.device_motion,
                    options.clip, vertex_counts);
    };
    SINTER_TRY_ASSIGN(const Picture picture, draw(*stage.device, stage.draw_pass, stage.scene,
                                                  stage.device_scene, stage.device_motion, input));
    Rendered out{shrink_over(picture, samples, options.background), 0};
    for (const gpu::VisibleCluster& v : visible)
        out.triangles +=
            stage.scene.clusters[stage.scene.pages[v.page].first_cluster + v.cluster].triangle_count;
    return out;
}

}  // namespace sinter
