// What bone weights in the simplifier gain, and what stored errors are worth in motion.
//   sinter_bench_posed_quality FILE...
// For each skinned mesh of at least 500 triangles of each file:
// - the largest deviation from full detail in held-out poses, of cuts of 25 % and 5 % of the triangles (between two cuts:
//   interpolated, log over log; left out where the root has more), against those of a DAG that was built in the same way
//   but knows nothing of bones: normals only, measured at rest;
// - levels of the DAG in the same held-out poses, over the error stored.
// Held-out poses: five times a clip, between frames, none of them one of the poses that the builder measures. Deviations are
// measured by random points (bench/random_deviation.hpp), 20,000 each way. Blend shapes rest.
#include "bench/random_deviation.hpp"
#include "bench/value_or_exit.hpp"
#include "cooker/animation/pose.hpp"
#include "cooker/animation/sample.hpp"
#include "cooker/cluster/dag.hpp"
#include "cooker/cluster/poses.hpp"
#include "cooker/import/import.hpp"
#include "cooker/mesh/prepare.hpp"
#include "cooker/skeleton/skeleton.hpp"
#include "cooker/skin/influences.hpp"
#include "cooker/source_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace sinter::bench {
namespace {

constexpr std::size_t kLeastTriangles = 500;
constexpr std::size_t kRandomPoints = 20000;
constexpr std::size_t kMostPoses = 60;  // of a mesh

struct Asset {
    Scene scene;
    std::vector<SampledClip> clips;
    Skeletons skeletons;
};

Asset asset_of(const char* path) {
    SourceFiles files{path};
    Issues issues;
    Asset asset{value_or_exit(import_scene(files, {}, issues)), {}, {}};
    asset.clips = value_or_exit(sample_clips(asset.scene, {}, issues));
    asset.skeletons = value_or_exit(build_skeletons(asset.scene, issues));
    return asset;
}

// Positions of all vertices in one pose.
using Positions = std::vector<Float3>;

Positions posed(const Asset& asset, const PreparedMesh& mesh, std::int32_t skin, const SampledClip& clip,
                double time) {
    const auto world = world_from_nodes(asset.scene.nodes, clip, time);
    Pose pose;
    for (const PoseMatrix& matrix :
         skinning_matrices(asset.scene.skins[static_cast<std::size_t>(skin)], world)) {
        std::ranges::transform(matrix.m, pose.scene_from_mesh.emplace_back().m.begin(),
                               [](double x) { return static_cast<float>(x); });
    }
    std::vector<std::uint32_t> all(mesh.vertex_count());
    std::iota(all.begin(), all.end(), 0U);
    Positions positions(all.size());
    pose_vertices(mesh, pose, all, positions);
    return positions;
}

std::vector<Positions> held_out(const Asset& asset, const PreparedMesh& mesh, std::int32_t skin) {
    constexpr std::array<double, 5> kParts{0.07, 0.29, 0.51, 0.73, 0.94};
    std::vector<Positions> poses;
    const std::size_t step = 1 + asset.clips.size() * kParts.size() / kMostPoses;
    for (std::size_t i = 0; i < asset.clips.size() * kParts.size(); i += step) {
        const SampledClip& clip = asset.clips[i / kParts.size()];
        const double frame = 0.37 / clip.sample_rate_hz;  // between two frames
        const double time = clip.start_s + clip.duration_s * kParts[i % kParts.size()] + frame;
        poses.push_back(posed(asset, mesh, skin, clip, std::min(time, clip.start_s + clip.duration_s)));
    }
    return poses;
}

double worst_of(const std::vector<Positions>& poses, std::span<const std::uint32_t> full,
                std::span<const std::uint32_t> simplified) {
    double worst = 0;
    for (const Positions& positions : poses)
        worst = std::max(worst, random_deviation(positions, full, simplified, kRandomPoints));
    return worst;
}

std::vector<std::uint32_t> uniform_cut(const ClusterDag& dag, float error) {
    std::vector<std::uint32_t> indices;
    for (const Cluster& c : dag.clusters) {
        if (dag.groups[c.group].lod_error <= error) continue;
        if (c.child_group != kNone && dag.groups[static_cast<std::size_t>(c.child_group)].lod_error > error)
            continue;
        const auto first = dag.indices.begin() + c.first_index;
        indices.insert(indices.end(), first, first + std::ptrdiff_t{3} * c.triangle_count);
    }
    return indices;
}

// A cut and its largest deviation in motion.
struct PosedCut {
    double triangles = 0, error = 0;
};

// The worst posed error of a DAG at a number of triangles: of the two cuts next to it, log over log. 0 where it has no
// cut as coarse as that.
double error_at(const ClusterDag& dag, const std::vector<Positions>& poses,
                std::span<const std::uint32_t> full, double triangles) {
    std::vector<float> errors;
    for (const ClusterGroup& g : dag.groups) {
        if (g.end == GroupEnd::Simplified) errors.push_back(g.lod_error);
    }
    std::ranges::sort(errors);
    const auto coarse = std::ranges::partition_point(errors, [&](float error) {
        return static_cast<double>(uniform_cut(dag, error).size()) / 3 > triangles;
    });
    if (coarse == errors.end()) return 0;
    const auto measured = [&](float error) {
        const std::vector<std::uint32_t> cut = uniform_cut(dag, error);
        return PosedCut{static_cast<double>(cut.size()) / 3, worst_of(poses, full, cut)};
    };
    const PosedCut b = measured(*coarse);
    if (coarse == errors.begin() || b.triangles == triangles) return b.error;
    const PosedCut a = measured(*(coarse - 1));
    if (!(a.error > 0)) return b.error;
    const double part = std::log(triangles / a.triangles) / std::log(b.triangles / a.triangles);
    return a.error * std::pow(b.error / a.error, part);
}

// The largest deviation of the cut at each level's largest error, over that error.
double held_out_over_stored(const ClusterDag& dag, const PreparedMesh& mesh,
                            const std::vector<Positions>& poses, float scale) {
    std::vector<float> errors(dag.level_count(), 0);
    for (const ClusterGroup& g : dag.groups) {
        if (g.end == GroupEnd::Simplified) errors[g.level] = std::max(errors[g.level], g.lod_error);
    }
    double worst = 0;
    for (const float error : errors) {
        if (!(error > 0)) continue;
        const double found = worst_of(poses, mesh.indices, uniform_cut(dag, error));
        worst = std::max(worst, found / static_cast<double>(error * scale));
    }
    return worst;
}

struct Report {
    std::vector<double> gains;     // with / without, both parts of all meshes
    std::vector<double> held_out;  // found / stored
};

void report_mesh(const char* path, const Asset& asset, std::uint32_t index, std::int32_t skin,
                 Report& report) {
    const Mesh& source = asset.scene.meshes[index];
    Issues issues;
    const EncodedInfluences influences = encode_influences(source, {}, issues);
    const PreparedMesh mesh = value_or_exit(prepare_mesh(source, influences, {}, issues));
    if (mesh.indices.size() / 3 < kLeastTriangles || influences.stride == 0) return;
    const std::vector<Positions> poses = held_out(asset, mesh, skin);
    if (poses.empty()) return;
    const ClusterOptions options;
    const PoseSet set =
        pick_poses({asset.scene.nodes, asset.skeletons.skins, asset.skeletons.skeletons, asset.clips}, index,
                   mesh, options.poses);
    std::printf("%s %s: %zu triangles, %zu held-out poses\n", path, mesh.name.c_str(),
                mesh.indices.size() / 3, poses.size());
    PreparedMesh plain = mesh;
    plain.influences = {};
    const ClusterDag dag = value_or_exit(build_cluster_dag(mesh, options, 2, issues, set));
    const ClusterDag other = value_or_exit(build_cluster_dag(plain, options, 2, issues));
    const double size = static_cast<double>(mesh.bounds.radius * set.scale);
    for (const double part : {0.25, 0.05}) {
        const double triangles = part * static_cast<double>(mesh.indices.size() / 3);
        const double with = error_at(dag, poses, mesh.indices, triangles) / size;
        const double without = error_at(other, poses, mesh.indices, triangles) / size;
        if (with <= 0 || without <= 0) continue;
        std::printf("  %3.0f %%: worst posed error %.5f R, of the other %.5f R: %+.1f %%\n", 100 * part, with,
                    without, 100 * (with / without - 1));
        report.gains.push_back(with / without);
    }
    report.held_out.push_back(held_out_over_stored(dag, mesh, poses, set.scale));
    std::printf("  held-out poses: %.3f of the stored error at most, %zu poses stored\n",
                report.held_out.back(), set.poses.size());
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return (values[values.size() / 2] + values[(values.size() - 1) / 2]) / 2;
}

int run(std::span<char*> paths) {
    Report report;
    for (const char* path : paths) {
        const Asset asset = asset_of(path);
        std::vector<std::int32_t> done;
        for (const Node& node : asset.scene.nodes) {
            if (node.mesh == kNone || node.skin == kNone || std::ranges::count(done, node.mesh) > 0) continue;
            done.push_back(node.mesh);
            report_mesh(path, asset, static_cast<std::uint32_t>(node.mesh), node.skin, report);
        }
    }
    std::printf(
        "median of %zu: %+.1f %% with bone weights; held-out over stored: median %.3f, largest %.3f\n",
        report.gains.size(), 100 * (median(report.gains) - 1), median(report.held_out),
        report.held_out.empty() ? 0 : std::ranges::max(report.held_out));
    return 0;
}

}  // namespace
}  // namespace sinter::bench

int main(int count, char** arguments) {
    return sinter::bench::run({arguments + 1, static_cast<std::size_t>(count - 1)});
}
