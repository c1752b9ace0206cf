// The cluster DAG of generated meshes, level by level, with speed and memory.
//   sinter_bench_cluster [KIND [TRIANGLES [THREADS [OPTIONS as group_size= ratio=]]]]
// CPU seconds are of all threads; memory is the growth of the resident size's peak over building the DAG.
#include "cooker/cluster/dag.hpp"
#include "cooker/mesh/prepare.hpp"
#include "peak_memory.hpp"
#include "tests/cluster/meshes.hpp"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

namespace sinter::bench {
namespace {

struct LevelRow {
    std::uint64_t clusters = 0, triangles = 0, groups = 0, stuck = 0, points = 0, locked = 0, vertices = 0;
    double fill = 0;
    float least = 1e30F, most = 0;
    std::uint64_t paths[4] = {};
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
                    static_cast<unsigned long long>(r.paths[2]), static_cast<double>(r.least),
                    static_cast<double>(r.most));
        fill += r.fill;
        triangles += static_cast<double>(r.triangles);
    }
    const auto clusters = static_cast<double>(dag.clusters.size());
    std::printf("all: %.0f clusters, fill %.2f %%, triangle fill %.2f %%\n", clusters, 100 * fill / clusters,
                100 * triangles / 128 / clusters);
}

std::uint32_t number(std::string_view text) {
    std::uint32_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

int run(int count, char** arguments) {
    const std::string_view kind = count > 1 ? arguments[1] : "sphere";
    const auto triangles = count > 2 ? number(arguments[2]) : 100000U;
    const auto threads = count > 3 ? number(arguments[3]) : 1U;
    CookOptions options;
    options.cluster.measure_error = false;
    for (int i = 4; i < count; ++i) {
        const std::string_view text = arguments[i];
        const std::size_t equals = text.find('=');
        if (!set_option(options, text.substr(0, equals), text.substr(equals + 1))) return 1;
    }
    Issues issues;
    auto prepared = prepare_mesh(test::mesh_by_name(kind, triangles), {}, options.mesh, issues);
    if (!prepared) return 1;
    reset_peak_memory();
    const double memory = peak_memory_mib();
    const std::clock_t cpu = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    const auto dag = build_cluster_dag(*prepared, options.cluster, threads, issues);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    if (!dag) return 1;
    const auto source = static_cast<double>(prepared->indices.size()) / 3;
    print_levels(*dag);
    std::printf("%s: %.0f triangles, %zu vertices; stored %.3f x; CPU %.3f s = %.3f Mtri/s; wall %.3f s; "
                "%+.0f B/tri\n",
                arguments[1], source, prepared->vertex_count(),
                static_cast<double>(dag->indices.size()) / 3 / source, cpu_seconds,
                source / 1e6 / cpu_seconds, seconds, (peak_memory_mib() - memory) * 1048576 / source);
    for (const Issue& issue : issues.list())
        std::printf("issue: %s: %s\n", issue.where.c_str(), issue.message.c_str());
    return 0;
}

}  // namespace
}  // namespace sinter::bench

int main(int count, char** arguments) { return sinter::bench::run(count, arguments); }
