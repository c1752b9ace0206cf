#include "runtime/render.hpp"

#include "runtime/reference/nodes.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace sinter {
namespace {

gpu::vec4 row_of(const Affine3& map, std::size_t row) {
    return {static_cast<float>(map.at(row, 0)), static_cast<float>(map.at(row, 1)),
            static_cast<float>(map.at(row, 2)), static_cast<float>(map.at(row, 3))};
}

// Around the clusters of full detail. A sphere is stretched by no more than the longest row times sqrt(3).
void add_bounds(Stage& stage) {
    for (std::size_t i = 0; i < stage.scene.instances.size(); ++i) {
        const SceneMesh& mesh = stage.scene.meshes[stage.scene.instances[i].mesh];
        const Affine3& map = stage.world_from_mesh[i];
        const std::array rows{length(map.row(0)), length(map.row(1)), length(map.row(2))};
        const bool even = std::ranges::max(rows) <= std::ranges::min(rows) * 1.001;
        const double stretch = std::ranges::max(rows) * (even ? 1 : std::numbers::sqrt3);
        for (std::uint32_t c = mesh.clusters.first; c < mesh.clusters.end(); ++c) {
            const ClusterRecord& cluster = stage.scene.clusters[c];
            if (cluster.child_group >= 0) continue;
            const Vec3d center{static_cast<double>(cluster.cull_center[0]),
                               static_cast<double>(cluster.cull_center[1]),
                               static_cast<double>(cluster.cull_center[2])};
            stage.bounds.push_back({map.point(center), stretch * static_cast<double>(cluster.cull_radius)});
        }
    }
}

InstanceCut cut_of(const RenderOptions& options, const Camera& camera, const Affine3& world_from_mesh) {
    if (options.pixels) return pixel_cut(camera, world_from_mesh, *options.pixels);
    InstanceCut out;
    if (options.level) {
        out.kind = CutKind::Level;
        out.level = *options.level;
    }
    return out;
}

}  // namespace

Result<Stage> create_stage(std::unique_ptr<Device> device, const PackageView& package,
                           const manifest::ManifestT& manifest) {
    Stage out;
    out.device = std::move(device);
    SINTER_TRY_ASSIGN(out.scene, load_scene(package, manifest));
    SINTER_TRY_ASSIGN(out.device_scene, upload_scene(*out.device, out.scene));
    SINTER_TRY_ASSIGN(out.draw_pass, create_draw_pass(*out.device));
    const std::vector<Affine3> nodes = world_from_nodes(manifest, rest_transforms(manifest));
    for (const SceneInstance& instance : out.scene.instances) {
        // The bones alone place a skinned mesh.
        const bool placed = instance.node != kNoNode && instance.skin < 0;
        out.world_from_mesh.push_back(placed ? nodes[instance.node] : Affine3{});
    }
    add_bounds(out);
    return out;
}

Result<Rendered> render(Stage& stage, const RenderOptions& options) {
    const std::uint32_t most = stage.device->properties.limits.maxImageDimension2D;
    std::uint32_t samples = options.samples;
    while (samples > 1 && std::max(options.width, options.height) > most / samples) --samples;
    DrawInput input;
    input.camera =
        frame_spheres(stage.bounds, options.orbit, options.width * samples, options.height * samples);
    input.mode = options.mode;
    // Errors count in pixels of the picture, whatever the number of samples.
    Camera shown = input.camera;
    shown.width = options.width;
    shown.height = options.height;
    std::vector<gpu::Instance> instances;
    std::vector<InstanceCut> cuts;
    for (std::size_t i = 0; i < stage.scene.instances.size(); ++i) {
        const Affine3& map = stage.world_from_mesh[i];
        instances.push_back(
            {{row_of(map, 0), row_of(map, 1), row_of(map, 2)}, stage.scene.instances[i].mesh, {}});
        cuts.push_back(cut_of(options, shown, map));
    }
    const auto visible = select_clusters(stage.scene, cuts);
    input.instances = instances;
    input.visible = visible;
    SINTER_TRY_ASSIGN(const Picture picture,
                      draw(*stage.device, stage.draw_pass, stage.scene, stage.device_scene, input));
    Rendered out{shrink_over(picture, samples, options.background), 0};
    for (const gpu::VisibleCluster& v : visible)
        out.triangles +=
            stage.scene.clusters[stage.scene.pages[v.page].first_cluster + v.cluster].triangle_count;
    return out;
}

}  // namespace sinter
