// The cluster DAG of a mesh, level by level, and the package with it: speed and the share of each phase, memory, bytes by
// stream.
//   sinter_bench_cluster [KIND [TRIANGLES [THREADS [OPTIONS as cluster.ratio=0.65]]]]
// KIND: a generated mesh (tests/cluster/meshes.hpp) or the path of a file, whose meshes come one after the other, in the
// rest pose. Errors are not measured unless cluster.measure_error=true; package=false leaves the package out.
// CPU seconds are of all threads, shares of phases of the thread that runs each (with several threads, what a phase does
// on others is missing). Memory is the growth of the resident size's peak.
#include "bench/cluster_input.hpp"
#include "bench/cluster_sizes.hpp"
#include "bench/peak_memory.hpp"
#include "bench/phase_clock.hpp"
#include "bench/value_or_exit.hpp"
#include "cooker/cluster/dag.hpp"
#include "cooker/cluster/hierarchy.hpp"
#include "cooker/cluster/layout.hpp"
#include "cooker/package/assemble.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter::bench {
namespace {

struct LevelRow {
    std::uint64_t clusters = 0, triangles = 0, groups = 0, stuck = 0, points = 0, locked = 0, vertices = 0;
    double fill = 0;
    float least = 1e30F, most = 0;
    std::array<std::uint64_t, 4> paths{};
};

void print_levels(const ClusterDag& dag) {
    std::vector<LevelRow> rows(dag.level_count());
    for (const ClusterGroup& g : dag.groups) {
        LevelRow& row = rows[g.level];
        ++row.groups;
        if (g.end == GroupEnd::Stuck) ++row.stuck;
        ++row.paths[static_cast<std::size_t>(g.path)];
        row.points += g.points;
        row.locked += g.locked_points;
        if (g.end == GroupEnd::Simplified) {
            row.least = std::min(row.least, g.lod_error);
            row.most = std::max(row.most, g.lod_error);
        }
        for (std::uint32_t c = g.first_cluster; c < g.first_cluster + g.cluster_count; ++c) {
            const Cluster& k = dag.clusters[c];
            ++row.clusters;
            row.triangles += k.triangle_count;
            row.vertices += k.vertex_count;
            row.fill += std::max(k.triangle_count, k.vertex_count) / 128.0;
        }
    }
    std::printf(
        "level clusters groups stuck  triangles  fill%%  tri%%  locked%%  reg/weld/fall  lod_error\n");
    double fill = 0, triangles = 0;
    std::uint64_t points = 0, locked = 0, stuck = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const LevelRow& r = rows[i];
        std::printf("%5zu %8llu %6llu %5llu %10llu %6.1f %5.1f %8.2f %5llu/%llu/%llu  %.5f - %.5f\n", i,
                    static_cast<unsigned long long>(r.clusters), static_cast<unsigned long long>(r.groups),
                    static_cast<unsigned long long>(r.stuck), static_cast<unsigned long long>(r.triangles),
                    100 * r.fill / static_cast<double>(r.clusters),
                    100.0 * static_cast<double>(r.triangles) / 128 / static_cast<double>(r.clusters),
                    100.0 * static_cast<double>(r.locked) /
                        static_cast<double>(std::max<std::uint64_t>(r.points, 1)),
                    static_cast<unsigned long long>(r.paths[0]), static_cast<unsigned long long>(r.paths[1]),
                    static_cast<unsigned long long>(r.paths[2]),
                    static_cast<double>(std::min(r.least, r.most)), static_cast<double>(r.most));
        fill += r.fill;
        triangles += static_cast<double>(r.triangles);
        points += r.points;
        locked += r.locked;
        stuck += r.stuck;
    }
    const auto clusters = static_cast<double>(dag.clusters.size());
    std::printf(
        "all: %.0f clusters, fill %.2f %%, triangle fill %.2f %%, locked %.2f %%, stuck groups %llu\n",
        clusters, 100 * fill / clusters, 100 * triangles / 128 / clusters,
        100 * static_cast<double>(locked) / static_cast<double>(std::max<std::uint64_t>(points, 1)),
        static_cast<unsigned long long>(stuck));
}

// What a span of work took.
struct Cost {
    double cpu_s = 0, wall_s = 0, mib = 0;
};

template <typename Work>
Cost cost_of(const Work& work) {
    reset_peak_memory();
    const double memory = peak_memory_mib();
    const double cpu = process_seconds();
    const auto begin = std::chrono::steady_clock::now();
    work();
    return {process_seconds() - cpu,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
            peak_memory_mib() - memory};
}

using BuildClock = PhaseClock<kBuildPhaseCount>;
constexpr std::array<const char*, kBuildPhaseCount> kPhaseNames{
    "leaf", "source", "group", "lock", "simplify", "re-cluster", "bounds", "measure", "gather"};

void print_phase(const char* name, double seconds, double all) {
    std::printf("  %-12s %8.3f s %6.1f %%\n", name, seconds, 100 * seconds / all);
}

void print_phases(const BuildClock& clock, double all) {
    double rest = all;
    for (std::size_t p = 0; p < kBuildPhaseCount; ++p) {
        print_phase(kPhaseNames[p], clock.seconds(p), all);
        rest -= clock.seconds(p);
    }
    print_phase("rest", rest, all);
}

struct Settings {
    CookOptions options;
    std::uint32_t threads = 1;
    bool package = true;
};

ClusterDag build(const PreparedMesh& mesh, const Settings& settings) {
    const auto source = static_cast<double>(mesh.indices.size()) / 3;
    ClusterDag dag;
    Issues issues;
    BuildClock clock;
    const Cost cost = cost_of([&] {
        dag = value_or_exit(build_cluster_dag(
            mesh, settings.options.cluster, settings.threads, issues, {},
            [&](BuildPhase phase, bool begins) { clock(static_cast<std::size_t>(phase), begins); }));
    });
    print_levels(dag);
    print_phases(clock, cost.cpu_s);
    std::printf("DAG: stored %.3f x; CPU %.3f s = %.3f Mtri/s; wall %.3f s; %+.1f B/tri\n",
                static_cast<double>(dag.indices.size()) / 3 / source, cost.cpu_s, source / 1e6 / cost.cpu_s,
                cost.wall_s, cost.mib * 1048576 / source);
    for (const Issue& issue : issues.list())
        std::printf("issue: %s: %s\n", issue.where.c_str(), issue.message.c_str());
    return dag;
}

// The DAG becomes a package, as the pipeline does it (cooker/cook.cpp).
void package(PreparedMesh mesh, std::vector<Material> materials, ClusterDag dag, const Settings& settings) {
    const auto source = static_cast<double>(mesh.indices.size()) / 3;
    CookedAsset asset;
    asset.options = settings.options;
    asset.materials = std::move(materials);
    ClusteredMesh clustered;
    clustered.dag = std::move(dag);
    const Cost pages = cost_of(
        [&] { clustered.paged = value_or_exit(lay_out_pages(mesh, clustered.dag, settings.threads)); });
    const Cost order = cost_of([&] {
        clustered.hierarchy = hierarchy_of(clustered.dag, clustered.paged);
        mesh = in_page_order(mesh, clustered.paged);
    });
    asset.meshes.push_back(std::move(mesh));
    asset.clustered.push_back(std::move(clustered));
    std::vector<std::byte> bytes;
    const Cost encode = cost_of([&] { bytes = value_or_exit(assemble_package(asset)); });
    std::printf("package:       CPU s  Mtri/s    B/tri of memory\n");
    for (const auto& [name, cost] :
         {std::pair{"ownership, pages", pages}, {"hierarchy, order", order}, {"encode, hash", encode}}) {
        std::printf("  %-16s %6.3f %7.3f %8.1f\n", name, cost.cpu_s, source / 1e6 / cost.cpu_s,
                    cost.mib * 1048576 / source);
    }
    asset = {};
    print_streams(value_or_exit(stream_sizes_of(bytes, settings.options.package.zstd_level)), source);
}

int run(std::vector<std::string_view> arguments) {
    const std::string_view kind = arguments.size() > 1 ? arguments[1] : "sphere";
    const auto triangles = arguments.size() > 2 ? number_of(arguments[2]) : 100000U;
    Settings settings;
    settings.threads = arguments.size() > 3 ? number_of(arguments[3]) : 1U;
    settings.options.cluster.measure_error = false;
    settings.package = std::erase(arguments, "package=false") == 0;
    if (arguments.size() > 4)
        value_or_exit(take_options({arguments.begin() + 4, arguments.end()}, settings.options));
    Issues issues;
    BenchMeshes input = value_or_exit(bench_meshes(kind, triangles, settings.options, issues));
    for (PreparedMesh& mesh : input.meshes) {
        std::printf("%s %s: %zu triangles, %zu vertices\n", std::string(kind).c_str(), mesh.name.c_str(),
                    mesh.indices.size() / 3, mesh.vertex_count());
        if (mesh.indices.empty()) continue;
        ClusterDag dag = build(mesh, settings);
        if (settings.package) package(std::move(mesh), input.materials, std::move(dag), settings);
    }
    return 0;
}

}  // namespace
}  // namespace sinter::bench

int main(int count, char** arguments) { return sinter::bench::run({arguments, arguments + count}); }
