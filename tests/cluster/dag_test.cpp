// Properties of the DAGs of generated meshes, by the checker in checker.hpp.
#include "cooker/cluster/dag.hpp"
#include "cooker/mesh/prepare.hpp"
#include "tests/cluster/checker.hpp"
#include "tests/cluster/meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace sinter {
namespace {

ClusterOptions own_errors() {
    ClusterOptions options;
    options.measure_error = false;
    return options;
}

PreparedMesh prepared(const Mesh& mesh, const EncodedInfluences& influences = {}) {
    Issues issues;
    auto result = prepare_mesh(mesh, influences, {}, issues);
    REQUIRE(result);
    return std::move(*result);
}

ClusterDag built(const PreparedMesh& mesh, const ClusterOptions& options, std::uint32_t threads = 2) {
    Issues issues;
    auto dag = build_cluster_dag(mesh, options, threads, issues);
    REQUIRE(dag);
    std::uint64_t stuck = 0;
    for (const ClusterGroup& g : dag->groups) stuck += g.end == GroupEnd::Stuck ? 1U : 0U;
    CHECK(issues.count_of(IssueCode::StuckGroup) == stuck);
    return std::move(*dag);
}

// The triangles of clusters that nothing replaces.
std::uint64_t root_triangles(const ClusterDag& dag) {
    std::uint64_t sum = 0;
    for (const Cluster& c : dag.clusters) {
        if (dag.groups[c.group].end != GroupEnd::Simplified) sum += c.triangle_count;
    }
    return sum;
}

std::uint64_t stuck_groups(const ClusterDag& dag) {
    std::uint64_t sum = 0;
    for (const ClusterGroup& g : dag.groups) sum += g.end == GroupEnd::Stuck ? 1U : 0U;
    return sum;
}

void check(const PreparedMesh& mesh, const ClusterDag& dag, const ClusterOptions& options) {
    const test::DagCheck report = test::check_dag(mesh, dag, options, 20);
    for (const std::string& fault : report.faults) FAIL_CHECK(fault);
    CHECK(report.groups > 0);
}

}  // namespace

TEST_CASE("The DAG of every kind of mesh is a proper one and tears in no cut") {
    for (const test::NamedMesh& named : test::all_meshes(12000)) {
        DYNAMIC_SECTION(named.name) {
            const PreparedMesh mesh = prepared(named.mesh);
            check(mesh, built(mesh, own_errors()), own_errors());
        }
    }
}

// Clusters of 32 triangles make two chunks for METIS out of a mesh that the thread sanitizer gets through.
TEST_CASE("The number of threads changes nothing in a DAG with several chunks and measured errors",
          "[threads]") {
    const PreparedMesh mesh = prepared(test::noise_sphere(80000));
    ClusterOptions options;
    options.max_triangles = 32;
    const auto bytes = [&](std::uint32_t threads) {
        const ClusterDag dag = built(mesh, options, threads);
        std::uint32_t leaves = 0;
        for (const Cluster& c : dag.clusters) leaves += c.child_group == kNone ? 1U : 0U;
        CHECK(leaves > 2048);
        return test::bytes_of(dag);
    };
    const std::string one = bytes(1);
    CHECK(one == bytes(2));
    CHECK(one == bytes(8));
}

TEST_CASE("The number of threads changes nothing in a DAG") {
    for (const test::NamedMesh& named : test::all_meshes(6000)) {
        DYNAMIC_SECTION(named.name) {
            const PreparedMesh mesh = prepared(named.mesh);
            const std::string one = test::bytes_of(built(mesh, own_errors(), 1));
            CHECK(one == test::bytes_of(built(mesh, own_errors(), 2)));
            CHECK(one == test::bytes_of(built(mesh, own_errors(), 8)));
        }
    }
}

TEST_CASE("Closed, flat-shaded, seam and mixed meshes end in one cluster a material and get stuck nowhere") {
    for (const std::string_view name : {"sphere", "seams", "flat", "half_flat", "materials"}) {
        DYNAMIC_SECTION(name) {
            const PreparedMesh mesh = prepared(test::mesh_by_name(name, 20000));
            const ClusterDag dag = built(mesh, own_errors());
            CHECK(stuck_groups(dag) == 0);
            CHECK(dag.groups.back().cluster_count == mesh.submeshes.size());
            const double triangles = static_cast<double>(mesh.indices.size()) / 3;
            CHECK(dag.level_count() <= std::ceil(std::log2(triangles / 128)) + 2);
        }
    }
}

TEST_CASE("Cards, loose triangles and shells coarsen to one percent") {
    for (const std::string_view name : {"cards", "loose", "shells"}) {
        DYNAMIC_SECTION(name) {
            const PreparedMesh mesh = prepared(test::mesh_by_name(name, 20000));
            const ClusterDag dag = built(mesh, own_errors());
            CHECK(root_triangles(dag) * 100 <= mesh.indices.size() / 3);
        }
    }
}

TEST_CASE("A skinned mesh, other sizes of clusters and groups, other ratios: all of them proper DAGs") {
    EncodedInfluences influences;
    const Mesh skinned = test::skinned_sphere(6000, influences);
    const PreparedMesh mesh = prepared(skinned, influences);
    ClusterOptions options = own_errors();
    const auto with = [&](std::uint32_t triangles, std::uint32_t vertices, std::uint32_t group,
                          double ratio) {
        options.max_triangles = triangles;
        options.max_vertices = vertices;
        options.group_size = group;
        options.ratio = ratio;
        check(mesh, built(mesh, options), options);
    };
    with(128, 128, 16, 0.5);
    with(64, 64, 8, 0.5);
    with(128, 32, 4, 0.65);
    with(32, 128, 24, 0.25);
    with(128, 128, 16, 0.85);
}

TEST_CASE("Limits that are no multiple of four hold for every kind of mesh, and clusters are as full as they "
          "can be") {
    for (const std::string_view name : {"sphere", "cards", "materials", "flat"}) {
        const PreparedMesh mesh = prepared(test::mesh_by_name(name, 6000));
        for (const auto& [triangles, vertices] :
             {std::pair{33U, 128U}, {126U, 128U}, {35U, 33U}, {127U, 32U}}) {
            DYNAMIC_SECTION(name << ", " << triangles << " triangles, " << vertices << " vertices") {
                ClusterOptions options = own_errors();
                options.max_triangles = triangles;
                options.max_vertices = vertices;
                const ClusterDag dag = built(mesh, options);
                check(mesh, dag, options);
                // Clusters grow to the next lower multiple of four: 32 of 35 is the worst of these, and 6 % less for
                // the last cluster of each group.
                CHECK(test::check_dag(mesh, dag, options, 0).lod_fill >= 0.85);
            }
        }
    }
}

TEST_CASE("The smallest and the largest step and groups give proper DAGs of every kind of mesh") {
    for (const test::NamedMesh& named : test::all_meshes(6000)) {
        DYNAMIC_SECTION(named.name) {
            const PreparedMesh mesh = prepared(named.mesh);
            ClusterOptions options = own_errors();
            options.ratio = 0.25;
            options.group_size = 4;
            check(mesh, built(mesh, options), options);
            options.ratio = 0.85;
            options.group_size = 24;
            check(mesh, built(mesh, options), options);
        }
    }
}

TEST_CASE("Each level stores about ratio times the triangles of the one below") {
    for (const std::string_view name : {"sphere", "cards", "loose", "shells", "flat"}) {
        DYNAMIC_SECTION(name) {
            const PreparedMesh mesh = prepared(test::mesh_by_name(name, 40000));
            const ClusterDag dag = built(mesh, own_errors());
            // 2.02 is the target: 1 + 1/2 + 1/4 and so on, and what the last levels need.
            CHECK(static_cast<double>(dag.indices.size()) <= 2.02 * static_cast<double>(mesh.indices.size()));
        }
    }
}

TEST_CASE(
    "Clusters are full: 95 % of triangles on welded meshes, 90 % of triangles or vertices on loose ones") {
    for (const auto& [name, least] : {std::pair{"sphere", 0.95},
                                      {"seams", 0.95},
                                      {"terrain", 0.95},
                                      {"cards", 0.9},
                                      {"loose", 0.9},
                                      {"shells", 0.95}}) {
        DYNAMIC_SECTION(name) {
            const PreparedMesh mesh = prepared(test::mesh_by_name(name, 40000));
            const ClusterDag dag = built(mesh, own_errors());
            CHECK(test::check_dag(mesh, dag, own_errors(), 0).lod_fill >= least);
        }
    }
}

TEST_CASE("The checker finds what is wrong with a DAG") {
    const PreparedMesh mesh = prepared(test::noise_sphere(6000));
    const ClusterDag good = built(mesh, own_errors());
    const auto faulty = [&](const auto& spoil) {
        ClusterDag dag = good;
        spoil(dag);
        return !test::check_dag(mesh, dag, own_errors(), 5).faults.empty();
    };
    CHECK_FALSE(faulty([](ClusterDag&) {}));
    // A vertex of a coarse triangle moved to another one of its cluster.
    CHECK(faulty([](ClusterDag& d) { d.indices[d.clusters.back().first_index] = d.indices.back(); }));
    CHECK(faulty([](ClusterDag& d) { std::swap(d.indices[0], d.indices[1]); }));
    CHECK(faulty([](ClusterDag& d) { d.clusters[3].cull_bounds.radius *= 0.99F; }));
    CHECK(faulty([](ClusterDag& d) { d.clusters[3].cone = {{0, 0, 1}, -1}; }));
    CHECK(faulty([](ClusterDag& d) { d.groups[0].lod_bounds.radius *= 0.9F; }));
    CHECK(faulty([](ClusterDag& d) { d.groups[0].lod_error = 1e6F; }));
    CHECK(faulty([](ClusterDag& d) { d.clusters.back().child_group = 0; }));
}

TEST_CASE("A mesh without triangles has an empty DAG, and a single triangle is its own root") {
    CHECK(built(PreparedMesh{}, own_errors()).groups.empty());
    const PreparedMesh one = prepared(test::loose_triangles(1));
    const ClusterDag dag = built(one, own_errors());
    REQUIRE(dag.groups.size() == 1);
    CHECK(dag.groups[0].end == GroupEnd::Root);
    CHECK(dag.indices.size() == 3);
}

TEST_CASE("An observer hears phases that follow each other, and changes nothing") {
    const PreparedMesh mesh = prepared(test::noise_sphere(5000));
    const ClusterOptions options;
    std::array<std::size_t, kBuildPhaseCount> ended{};
    std::optional<BuildPhase> open;
    Issues issues;
    const auto dag = build_cluster_dag(mesh, options, 1, issues, {}, [&](BuildPhase phase, bool begins) {
        CHECK(open.has_value() != begins);
        if (!begins) {
            CHECK(open == phase);
            ++ended.at(static_cast<std::size_t>(phase));
        }
        open = begins ? std::optional(phase) : std::nullopt;
    });
    REQUIRE(dag);
    CHECK_FALSE(open.has_value());
    std::size_t simplified = 0;
    for (const ClusterGroup& g : dag->groups) simplified += g.end == GroupEnd::Simplified ? 1U : 0U;
    CHECK(ended[static_cast<std::size_t>(BuildPhase::Measure)] == simplified);
    CHECK(ended[static_cast<std::size_t>(BuildPhase::Source)] == 1);
    for (const std::size_t count : ended) CHECK(count > 0);
    CHECK(test::bytes_of(*dag) == test::bytes_of(built(mesh, options)));
}

}  // namespace sinter
