// The figures of docs/pages.md: sinter_tests_cluster "[figures]" prints them. Hidden, as it takes half a minute.
#include "cooker/cluster/hierarchy.hpp"
#include "cooker/cluster/layout.hpp"
#include "tests/cluster/laid_out.hpp"
#include "tests/cluster/meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <numeric>

namespace sinter {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print_references(const test::LaidOut& laid) {
    const PagedMesh& paged = laid.paged;
    const test::LayoutCheck report = test::check_layout(laid, 0);
    std::size_t pages = 0, dependencies = paged.dependencies.size(), most_dependencies = 0;
    for (const PagedCluster& c : paged.clusters) pages += c.table_size;
    for (const Page& p : paged.pages)
        most_dependencies = std::max<std::size_t>(most_dependencies, p.dependency_count);
    fmt::print("  {} vertices, {} owner clones, {} table clones; owned {:.1f} % of {} references\n",
               paged.source_vertex.size(), paged.owner_clones, paged.table_clones,
               100 - 100.0 * static_cast<double>(report.foreign) / static_cast<double>(report.references),
               report.references);
    fmt::print(
        "  {} pages; a cluster's references go to {} pages at most, its table has {:.1f} entries; page "
        "depends on {:.1f}, {} at most; {} table entries\n",
        paged.pages.size(), report.most_pages,
        static_cast<double>(pages) / static_cast<double>(paged.clusters.size()),
        static_cast<double>(dependencies) / static_cast<double>(paged.pages.size()), most_dependencies,
        paged.tables.size());
}

void print_bytes(const test::LaidOut& laid) {
    const PagedMesh& paged = laid.paged;
    const double triangles = static_cast<double>(laid.mesh.indices.size()) / 3;
    const auto each = [&](std::size_t bytes) { return static_cast<double>(bytes) / triangles; };
    const std::size_t pages =
        std::accumulate(paged.pages.begin(), paged.pages.end(), std::size_t{0},
                        [](std::size_t sum, const Page& p) { return sum + p.byte_count; });
    const std::size_t v = paged.source_vertex.size();
    fmt::print("  bytes a triangle: position {:.2f}, normal {:.2f}, references {:.2f}, triangles {:.2f}, "
               "clusters {:.2f}, "
               "tables {:.2f}: pages {:.2f}; groups {:.2f}\n",
               each(v * 8), each(v * 4), each(paged.references.size() * 2), each(paged.triangles.size()),
               each(paged.clusters.size() * 48), each(paged.tables.size() * 4), each(pages),
               each(paged.groups.size() * 64));
}

void print_prefixes(const test::LaidOut& laid) {
    const auto all = static_cast<double>(laid.paged.source_vertex.size());
    fmt::print("  {} bands; vertices of the cut at", laid.paged.prefixes.size());
    for (std::uint32_t level = 1; level < laid.dag.level_count(); ++level) {
        // The error at which half of the groups below the level are replaced.
        std::vector<float> errors;
        for (const ClusterGroup& g : laid.dag.groups) {
            if (g.level + 1 == level && g.end == GroupEnd::Simplified) errors.push_back(g.lod_error);
        }
        if (errors.empty()) continue;
        std::ranges::sort(errors);
        const float error = errors[errors.size() / 2];
        const auto p = std::ranges::find_if(
            laid.paged.prefixes, [&](const VertexPrefix& prefix) { return prefix.lod_error <= error; });
        fmt::print(" {}: {:.2f}", level, 100 * p->vertices / all);
    }
    fmt::print(" %\n");
}

double traversal_share(const std::vector<HierarchyGroup>& groups, bool by_band, const test::LaidOut& laid) {
    std::vector<HierarchyGroup> layered = groups;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        layered[g].layer =
            by_band ? laid.paged.groups[g].band : laid.dag.groups[laid.paged.groups[g].source].level;
    }
    const auto tree = build_hierarchy(layered);
    double tests = 0, coarse = 0;
    for (int k = 0; k < 200; ++k) {
        const float distance = 1 + static_cast<float>(k % 20), angle = static_cast<float>(k);
        const Float3 eye{distance * std::cos(angle), distance * std::sin(angle), 0.3F};
        const auto is = [&](float x, float y, float z, float r, float e) {
            const Float3 d = Float3{x, y, z} - eye;
            const float reach = r + e * 1000;
            return dot(d, d) < reach * reach;
        };
        std::vector<std::uint32_t> open{0};
        while (!open.empty()) {
            const ClusterHierarchyNode& n = tree[open.back()];
            open.pop_back();
            for (std::size_t i = 0; i < 8 && n.child[i] != kHierarchyNone; ++i, ++tests) {
                if (!is(n.center_x[i], n.center_y[i], n.center_z[i], n.radius[i], n.lod_error[i])) continue;
                if ((n.child[i] & kHierarchyGroup) == 0) {
                    open.push_back(n.child[i]);
                } else {
                    ++coarse;
                }
            }
        }
    }
    return tests / coarse;
}

void print_hierarchy(const test::LaidOut& laid) {
    std::vector<HierarchyGroup> groups;
    for (const PagedGroup& g : laid.paged.groups) {
        groups.push_back({laid.dag.groups[g.source].lod_bounds, g.lod_error, 0});
    }
    fmt::print("  {} groups; tests a group found: layers by level {:.2f}, by band {:.2f}\n", groups.size(),
               traversal_share(groups, false, laid), traversal_share(groups, true, laid));
}

}  // namespace

TEST_CASE("Figures of the layout", "[.][figures]") {
    for (const std::string_view name : {"sphere", "seams", "terrain", "cards", "half_flat", "materials"}) {
        for (const std::uint32_t triangles : {100000U, 1000000U}) {
            if (triangles > 100000 && name != "sphere") continue;
            const test::LaidOut laid = test::laid_out(test::mesh_by_name(name, triangles));
            const auto start = std::chrono::steady_clock::now();
            const auto again = lay_out_pages(laid.mesh, laid.dag, 1);
            REQUIRE(again);
            fmt::print("{} {}: laid out in {:.3f} s on one thread\n", name, laid.mesh.indices.size() / 3,
                       seconds_since(start));
            print_references(laid);
            print_bytes(laid);
            print_prefixes(laid);
            print_hierarchy(laid);
        }
    }
}

}  // namespace sinter
