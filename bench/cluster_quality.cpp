// What the clusters cost: triangles of a cut at a stored error, against the same mesh simplified as a whole to that error.
//   sinter_bench_cluster_quality [KIND [TRIANGLES [OPTIONS as cluster.ratio=0.65]]]
// KIND: see bench/cluster_input.hpp. Rest pose. The whole mesh is simplified by the edge collapses of the cluster stage
// (meshopt_simplifyWithAttributes), with the same attributes and nothing locked, and measured by the cluster stage's own
// sampler from every vertex of the source. Counts between two measured ones are interpolated, log over log.
// Attributes count by the extent of what is simplified, so the whole mesh spends more triangles on normals than its groups
// do. It is therefore simplified twice: with weights as they are, and with weights that mean in metres what they mean in a
// group of the first level.
#include "bench/cluster_input.hpp"
#include "bench/value_or_exit.hpp"
#include "cooker/cluster/dag.hpp"
#include "cooker/cluster/samples.hpp"
#include "cooker/cluster/wedges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

namespace sinter::bench {
namespace {

constexpr int kThresholds = 12;
constexpr double kFinest = 2000, kCoarsest = 60;  // parts of the radius

// Error and triangles of one simplification of the whole mesh.
struct WholeStep {
    double error = 0;
    double triangles = 0;
};

double error_of(const SourceSurface& source, std::span<const std::uint32_t> simplified) {
    return static_cast<double>(
        measure_step(source, {source.indices, simplified, {}, kFewSamples}).rest.error());
}

// From full detail down to `coarsest`, a tenth of the triangles less a step.
std::vector<WholeStep> simplify_whole(const PreparedMesh& mesh, const SourceSurface& source, double coarsest,
                                      float attribute_weight) {
    const std::vector<std::uint32_t> owner(mesh.point_count, kNobody);
    WedgeMesh local = make_wedges(mesh, {mesh.indices, mesh.submeshes}, owner, WedgeKind::Vertex);
    for (float& value : local.attributes) value *= attribute_weight;
    std::vector<WholeStep> steps;
    std::size_t count = mesh.indices.size() / 3;
    for (auto goal = static_cast<double>(count) * 0.95; goal >= 16; goal *= 0.9) {
        const Collapsed collapsed = collapse_edges(local, static_cast<std::size_t>(goal));
        const Triangles triangles = with_vertices(mesh, local, collapsed.indices);
        if (triangles.count() == 0 || triangles.count() == count) break;
        count = triangles.count();
        steps.push_back({error_of(source, triangles.indices), static_cast<double>(count)});
        if (steps.back().error > coarsest) break;
    }
    return steps;
}

// Triangles of the whole mesh at this error: 0 where it did not get there.
double whole_at(const std::vector<WholeStep>& steps, double error, double full) {
    const auto beyond = std::ranges::find_if(steps, [&](const WholeStep& s) { return s.error > error; });
    if (beyond == steps.end()) return 0;
    if (beyond == steps.begin()) return full;
    const WholeStep a = *(beyond - 1), b = *beyond;
    const double part = std::log(error / a.error) / std::log(b.error / a.error);
    return a.triangles * std::pow(b.triangles / a.triangles, part);
}

std::vector<std::uint32_t> uniform_cut(const ClusterDag& dag, double error) {
    std::vector<std::uint32_t> indices;
    for (const Cluster& c : dag.clusters) {
        const bool replaced = static_cast<double>(dag.groups[c.group].lod_error) <= error;
        const bool fine =
            c.child_group == kNone ||
            static_cast<double>(dag.groups[static_cast<std::size_t>(c.child_group)].lod_error) <= error;
        if (replaced || !fine) continue;
        const auto first = dag.indices.begin() + c.first_index;
        indices.insert(indices.end(), first, first + std::ptrdiff_t{3} * c.triangle_count);
    }
    return indices;
}

// The geometric mean of ratios, of those thresholds that the whole mesh gets to.
class Mean {
public:
    void add(double triangles, double whole) {
        if (whole <= 0) return;
        log_sum_ += std::log(triangles / whole);
        ++count_;
    }
    [[nodiscard]] double value() const { return count_ == 0 ? 0 : std::exp(log_sum_ / count_); }

private:
    double log_sum_ = 0;
    int count_ = 0;
};

double threshold(int i) { return kFinest * std::pow(kCoarsest / kFinest, 1.0 * i / (kThresholds - 1)); }

void print_thresholds(const PreparedMesh& mesh, const ClusterDag& dag, const SourceSurface& source,
                      const ClusterOptions& options) {
    const auto radius = static_cast<double>(mesh.bounds.radius);
    const double full = static_cast<double>(mesh.indices.size()) / 3;
    const double group = 1.0 * options.group_size * options.max_triangles;
    const auto group_weight = static_cast<float>(std::min(1.0, std::sqrt(group / full)));
    const double coarsest = 1.1 * radius / kCoarsest;
    const auto whole = simplify_whole(mesh, source, coarsest, 1);
    const auto alike = simplify_whole(mesh, source, coarsest, group_weight);
    std::printf(
        "  error    cut triangles  measured/stored  whole mesh  ratio  weights as in groups  ratio\n");
    Mean as_is, as_group;
    for (int i = 0; i < kThresholds; ++i) {
        const double error = radius / threshold(i);
        const std::vector<std::uint32_t> cut = uniform_cut(dag, error);
        const double triangles = static_cast<double>(cut.size()) / 3;
        const double a = whole_at(whole, error, full), b = whole_at(alike, error, full);
        as_is.add(triangles, a);
        as_group.add(triangles, b);
        std::printf("  R/%-6.0f %13.0f %16.3f %11.0f %6.3f %21.0f %6.3f\n", threshold(i), triangles,
                    error_of(source, cut) / error, a, a > 0 ? triangles / a : 0, b,
                    b > 0 ? triangles / b : 0);
    }
    std::printf("  mean: %.3f x, with weights as in groups %.3f x; stored %.3f x\n", as_is.value(),
                as_group.value(), static_cast<double>(dag.indices.size()) / 3 / full);
}

int run(const std::vector<std::string_view>& arguments) {
    const std::string_view kind = arguments.size() > 1 ? arguments[1] : "sphere";
    const auto triangles = arguments.size() > 2 ? number_of(arguments[2]) : 100000U;
    CookOptions options;
    if (arguments.size() > 3) value_or_exit(take_options({arguments.begin() + 3, arguments.end()}, options));
    Issues issues;
    const BenchMeshes input = value_or_exit(bench_meshes(kind, triangles, options, issues));
    for (const PreparedMesh& mesh : input.meshes) {
        if (mesh.indices.empty()) continue;
        const ClusterDag dag = value_or_exit(build_cluster_dag(mesh, options.cluster, 2, issues));
        std::printf("%s %s: %zu triangles\n", std::string(kind).c_str(), mesh.name.c_str(),
                    mesh.indices.size() / 3);
        print_thresholds(mesh, dag, make_source_surface(mesh.positions, mesh.indices, 2), options.cluster);
    }
    return 0;
}

}  // namespace
}  // namespace sinter::bench

int main(int count, char** arguments) { return sinter::bench::run({arguments, arguments + count}); }
