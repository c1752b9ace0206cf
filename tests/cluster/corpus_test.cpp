// Real assets, when the corpus is there: rows B34, B35, B36, B38 and B45 of the list of other people's bugs that we
// must not have (B37 is in posed_corpus_test.cpp). Right values: what those reports ask for.
#include "cooker/cluster/dag.hpp"
#include "cooker/mesh/prepare.hpp"
#include "cooker/skin/influences.hpp"
#include "tests/cluster/checker.hpp"
#include "tests/support/corpus_scene.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace sinter {
namespace {

std::vector<PreparedMesh> corpus_meshes(const std::string& file) {
    test::skip_without_corpus();
    Issues issues;
    const Scene scene = test::corpus_scene(file, issues);
    std::vector<PreparedMesh> meshes;
    for (const Mesh& mesh : scene.meshes) {
        auto prepared = prepare_mesh(mesh, encode_influences(mesh, {}, issues), {}, issues);
        REQUIRE(prepared.ok());
        meshes.push_back(std::move(*prepared));
    }
    return meshes;
}

ClusterDag checked_dag(const PreparedMesh& mesh, Issues& issues) {
    const ClusterOptions options;
    auto dag = build_cluster_dag(mesh, options, 2, issues);
    REQUIRE(dag.ok());
    const test::DagCheck report = test::check_dag(mesh, *dag, options, 20);
    for (const std::string& fault : report.faults) FAIL_CHECK(fault);
    return std::move(*dag);
}

double coarsest_share(const ClusterDag& dag, const PreparedMesh& mesh) {
    double triangles = 0;
    for (const Cluster& c : dag.clusters) {
        if (dag.groups[c.group].end != GroupEnd::Simplified) triangles += c.triangle_count;
    }
    return triangles / (static_cast<double>(mesh.indices.size()) / 3);
}

}  // namespace

TEST_CASE("Unwelded corpus meshes coarsen over at least six levels, or the issue says why not") {
    for (const std::string file : {"static/synth_torus_soup.glb", "static/skull_low.stl"}) {
        DYNAMIC_SECTION(file) {
            for (const PreparedMesh& mesh : corpus_meshes(file)) {
                Issues issues;
                const ClusterDag dag = checked_dag(mesh, issues);
                CHECK(dag.level_count() >= 6);
                CHECK(coarsest_share(dag, mesh) < 0.05);
            }
        }
    }
}

TEST_CASE("An open terrain of the corpus coarsens below two percent") {
    for (const PreparedMesh& mesh : corpus_meshes("static/mountain.obj")) {
        Issues issues;
        CHECK(coarsest_share(checked_dag(mesh, issues), mesh) < 0.02);
    }
}

TEST_CASE("Corpus meshes with seams, parts and degenerate triangles tear in no cut") {
    for (const std::string file :
         {"static/spot.obj", "static/runeSword.glb", "static/retroufo.glb", "skinned/synth_lips_skin.glb"}) {
        DYNAMIC_SECTION(file) {
            for (const PreparedMesh& mesh : corpus_meshes(file)) {
                Issues issues;
                static_cast<void>(checked_dag(mesh, issues));
            }
        }
    }
}

TEST_CASE("Two assets cooked in either order in one process give the same bytes") {
    const std::vector<PreparedMesh> a = corpus_meshes("static/spot.obj"),
                                    b = corpus_meshes("static/skull_low.stl");
    Issues issues;
    const std::string a_first = test::bytes_of(checked_dag(a[0], issues));
    const std::string b_second = test::bytes_of(checked_dag(b[0], issues));
    CHECK(b_second == test::bytes_of(checked_dag(b[0], issues)));
    CHECK(a_first == test::bytes_of(checked_dag(a[0], issues)));
}

}  // namespace sinter
