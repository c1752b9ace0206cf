#include "runtime/check_package.hpp"

#include "runtime/picture/compare.hpp"
#include "runtime/picture/flip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <map>
#include <numbers>
#include <utility>

namespace sinter {
namespace {

// A moment of a clip: `part` of the way, off the middle so that it lies between frames.
ClipTime moment(const Stage& stage, std::uint32_t clip, double part) {
    const SceneClip& entry = stage.motion.clips[clip];
    return {clip, entry.start_s + entry.duration_s * part};
}

Result<Unit> check_poses(const Stage& stage, const GpuCheckOptions& options, GpuReport& out) {
    SINTER_TRY_ASSIGN(const PoseErrors rest, check_pose(stage, std::nullopt));
    out.pose.add(rest);
    out.poses = 1;
    for (std::uint32_t c = 0; c < stage.motion.clips.size(); ++c) {
        for (std::uint32_t i = 0; i < options.poses; ++i) {
            const double part = (i + 0.37) / options.poses;
            SINTER_TRY_ASSIGN(const PoseErrors errors, check_pose(stage, moment(stage, c, part)));
            out.pose.add(errors);
            ++out.poses;
        }
    }
    return Unit{};
}

// Directions spread evenly over the sphere (Fibonacci lattice).
Orbit direction(std::uint32_t i, std::uint32_t count) {
    constexpr double kDegrees = 180 / std::numbers::pi;
    constexpr double kGoldenTurnDeg = 137.50776405003785;
    return {.azimuth_deg = kGoldenTurnDeg * i,
            .elevation_deg = std::asin(1 - (2.0 * i + 1) / count) * kDegrees,
            .distance = 1};
}

// Every other view is in motion where there is motion, each in another moment of another clip.
std::optional<ClipTime> clip_of_view(const Stage& stage, std::uint32_t i) {
    const auto clips = static_cast<std::uint32_t>(stage.motion.clips.size());
    if (clips == 0 || i % 2 == 0) return std::nullopt;
    return moment(stage, i / 2 % clips, std::fmod(0.137 + 0.618 * i, 1.0));
}

// Bounds of each pose, for cameras.
class Cameras {
public:
    explicit Cameras(const Stage& stage) : stage_(stage) {}

    Camera of(const Orbit& orbit, std::optional<ClipTime> clip, const GpuCheckOptions& options) {
        const std::uint32_t key = clip ? clip->clip : gpu::kNone;
        auto found = bounds_.find(key);
        if (found == bounds_.end()) {
            found =
                bounds_.emplace(key, scene_bounds(stage_, clip ? std::optional(key) : std::nullopt)).first;
        }
        return frame_spheres(found->second, orbit, options.width, options.height);
    }

private:
    const Stage& stage_;
    std::map<std::uint32_t, std::vector<BoundingSphere>> bounds_;
};

Result<Unit> check_choices(const Stage& stage, const GpuCheckOptions& options, Cameras& cameras,
                           GpuReport& out) {
    constexpr std::array kDistances{1.0, 0.4, 3.0, 12.0};
    constexpr std::array kPixels{1.0, 0.3, 4.0};
    for (std::uint32_t i = 0; i < options.select_views; ++i) {
        Shot shot;
        shot.clip = clip_of_view(stage, i);
        Orbit orbit = direction(i, options.select_views);
        orbit.distance = kDistances[i % kDistances.size()];
        shot.camera = cameras.of(orbit, shot.clip, options);
        shot.detail.pixels = kPixels[i % kPixels.size()];
        shot.cull = gpu::kCullFrustum | gpu::kCullCone | gpu::kCullOcclusion;
        SINTER_TRY_ASSIGN(const SelectCheck check, check_selection(stage, shot));
        out.select.add(check);
        ++out.select_views;
    }
    return Unit{};
}

constexpr std::array<std::uint8_t, 3> kGrey{128, 128, 128};

// Both pictures of a view, and what they say.
struct View {
    Taken full, cut;
    double pixel_size = 0;
    bool far = false;
};
struct ViewResult {
    bool far = false;
    double flip = 0, silhouette = 0;
    std::uint64_t crack_pixels = 0;
};

ViewResult compare(const View& view) {
    ViewResult out;
    out.far = view.far;
    out.flip = flip_mean(shrink_over(view.full.picture, 1, kGrey), shrink_over(view.cut.picture, 1, kGrey));
    out.silhouette = compare_silhouettes(view.full.picture, view.cut.picture, kSilhouetteBand).distance;
    out.crack_pixels = find_cracks(view.full.picture, view.cut.picture, kSilhouetteBand,
                                   {view.full.distances, view.cut.distances, view.pixel_size})
                           .count();
    return out;
}

Result<View> draw_view(const Stage& stage, Shot shot, LodCheck& out) {
    View view;
    shot.with_distances = true;
    view.pixel_size = 1 / shot.camera.pixels_per_radian();
    SINTER_TRY_ASSIGN(view.full, take(stage, shot));
    shot.detail.pixels = 1;
    SINTER_TRY_ASSIGN(view.cut, take(stage, shot));
    out.full_triangles += view.full.triangles;
    out.cut_triangles += view.cut.triangles;
    if (shot.clip) ++out.moving_views;
    return view;
}

void add_result(const ViewResult& view, LodCheck& out) {
    if (!view.far) out.mean_flip += view.flip;
    out.largest_flip = std::max(out.largest_flip, view.flip);
    out.silhouette = std::max(out.silhouette, view.silhouette);
    if (out.closed) out.crack_pixels += view.crack_pixels;
}

Result<Unit> check_levels(const Stage& stage, const GpuCheckOptions& options, Cameras& cameras,
                          LodCheck& out) {
    out.closed = true;
    for (const SceneInstance& instance : stage.scene.instances)
        out.closed = out.closed && is_closed(stage.scene, instance.mesh);
    // One view is compared while the next one is drawn.
    std::future<ViewResult> pending;
    for (std::uint32_t i = 0; i < options.views + options.far_views; ++i) {
        const bool far = i >= options.views;
        Orbit orbit = far ? direction(i - options.views, options.far_views) : direction(i, options.views);
        if (far) orbit.distance = 2U << i % 4;
        Shot shot;
        shot.clip = clip_of_view(stage, i);
        shot.camera = cameras.of(orbit, shot.clip, options);
        shot.show_back_faces = true;  // the inside of a closed mesh is seen through its cracks only
        shot.cull = gpu::kCullFrustum;
        SINTER_TRY_ASSIGN(View view, draw_view(stage, shot, out));
        view.far = far;
        ++(far ? out.far_views : out.views);
        if (pending.valid()) add_result(pending.get(), out);
        pending = std::async(std::launch::async, [view = std::move(view)] { return compare(view); });
    }
    if (pending.valid()) add_result(pending.get(), out);
    if (out.views != 0) out.mean_flip /= out.views;
    return Unit{};
}

void require(GpuReport& out, GpuPass pass, bool good, std::string text) {
    if (!good) out.breaches.push_back({pass, std::move(text)});
}

void find_pose_breaches(GpuReport& out) {
    const PoseErrors& pose = out.pose;
    const double max_rotation_deg = kMaxRounding * 180 / std::numbers::pi;
    require(out, GpuPass::Clips, pose.translation <= kMaxRounding * pose.translation_reach,
            fmt::format("a translation is {:.3g} m off, at most {:.3g} are allowed", pose.translation,
                        kMaxRounding * pose.translation_reach));
    require(out, GpuPass::Clips, pose.rotation_deg <= max_rotation_deg,
            fmt::format("a rotation is {:.3g} degrees off, at most {:.3g} are allowed", pose.rotation_deg,
                        max_rotation_deg));
    require(out, GpuPass::Clips, pose.scale <= kMaxRounding * pose.scale_reach,
            fmt::format("a scale is {:.3g} off, at most {:.3g} are allowed", pose.scale,
                        kMaxRounding * pose.scale_reach));
    require(out, GpuPass::Skeleton, pose.world <= kMaxRounding * pose.world_reach,
            fmt::format("a node is {:.3g} m off, at most {:.3g} are allowed", pose.world,
                        kMaxRounding * pose.world_reach));
    require(out, GpuPass::Skinning, pose.position_steps <= kMaxPositionSteps,
            fmt::format("a vertex is {:.3g} steps of its grid off, at most {} are allowed",
                        pose.position_steps, kMaxPositionSteps));
    require(out, GpuPass::Skinning, pose.normal_deg <= kMaxNormalDeg,
            fmt::format("a normal is {:.3g} degrees off, at most {} are allowed", pose.normal_deg,
                        kMaxNormalDeg));
    require(out, GpuPass::Skinning, pose.tangent_deg <= kMaxNormalDeg,
            fmt::format("a tangent is {:.3g} degrees off, at most {} are allowed", pose.tangent_deg,
                        kMaxNormalDeg));
    require(out, GpuPass::Bounds, pose.outside_bounds <= 0,
            fmt::format("a skinned vertex is {:.3g} m outside of the bounds of its instance",
                        pose.outside_bounds));
}

void find_breaches(GpuReport& out) {
    find_pose_breaches(out);
    require(out, GpuPass::Selection, out.select.differences == 0,
            fmt::format("the device and the reference differ in {} of {} clusters", out.select.differences,
                        out.select.clusters));
    require(out, GpuPass::Selection, out.select.wrong_prefixes == 0,
            fmt::format("{} of {} prefixes of skinned vertices are not those of the reference",
                        out.select.wrong_prefixes, out.select.prefixes));
    require(out, GpuPass::Selection, !out.select.out_of_prefix,
            "a cluster refers to a vertex beyond the prefix that its cut was promised");
    require(out, GpuPass::Levels, out.lod.mean_flip <= kMaxMeanFlip,
            fmt::format(
                "cuts at one pixel look different from full detail: mean FLIP {:.3g}, at most {} is allowed",
                out.lod.mean_flip, kMaxMeanFlip));
    require(
        out, GpuPass::Levels, out.lod.crack_pixels == 0,
        fmt::format("{} pixels of closed meshes show what is behind their surface", out.lod.crack_pixels));
}

using Place = std::array<float, 3>;

}  // namespace

bool is_closed(const PackageScene& scene, std::uint32_t mesh_index) {
    const SceneMesh& mesh = scene.meshes[mesh_index];
    const auto positions = mesh_positions(scene, mesh_index, gpu::kNone);
    // By the places of the ends, the lower one first, and the direction.
    std::vector<std::pair<std::array<Place, 2>, int>> edges;
    for (std::uint32_t c = mesh.clusters.first; c < mesh.clusters.end(); ++c) {
        if (scene.clusters[c].child_group >= 0) continue;
        const std::vector<std::uint32_t> vertices = cluster_vertices(scene, c);
        for (const auto& triangle : cluster_triangles(scene, c)) {
            for (std::size_t i = 0; i < 3; ++i) {
                const Place& a = positions[vertices[triangle[i]]];
                const Place& b = positions[vertices[triangle[(i + 1) % 3]]];
                if (a < b) edges.push_back({{a, b}, 1});
                else edges.push_back({{b, a}, -1});
            }
        }
    }
    if (edges.empty()) return false;
    std::ranges::sort(edges);
    for (std::size_t i = 0; i < edges.size(); i += 2) {
        // -1 stands before 1; a third use of the edge, or one of another direction, is somewhere in the way.
        if (i + 1 == edges.size() || edges[i].first != edges[i + 1].first) return false;
        if (edges[i].second != -1 || edges[i + 1].second != 1) return false;
        if (i + 2 < edges.size() && edges[i + 2].first == edges[i].first) return false;
    }
    return true;
}

Result<GpuReport> check_package(const Stage& stage, const GpuCheckOptions& options) {
    GpuReport out;
    out.device = stage.device->description();
    Cameras cameras(stage);
    SINTER_TRY(check_poses(stage, options, out));
    SINTER_TRY(check_choices(stage, options, cameras, out));
    SINTER_TRY(check_levels(stage, options, cameras, out.lod));
    find_breaches(out);
    return out;
}

}  // namespace sinter
