// The deep checks on DAGs of generated meshes, which must pass, and on such DAGs with one thing broken, where exactly the
// check of that thing must fail.
#include "cooker/cluster/dag.hpp"
#include "cooker/mesh/prepare.hpp"
#include "tests/cluster/deep_model.hpp"
#include "tests/cluster/meshes.hpp"

#include <sinter/formats/deep.hpp>

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>

namespace sinter {
namespace {

DagModel model_of(const Mesh& mesh, const ClusterOptions& options = {}) {
    Issues issues;
    auto prepared = prepare_mesh(mesh, {}, {}, issues);
    REQUIRE(prepared);
    auto dag = build_cluster_dag(*prepared, options, 2, issues);
    REQUIRE(dag);
    return test::deep_model(*prepared, *dag);
}

void print(const DeepReport& report) {
    for (const DeepCheck& c : report.checks) {
        std::cout << "  " << c.name << ": " << c.failed << " of " << c.checked << ' ' << c.subject;
        for (const DeepFigure& f : c.figures) std::cout << ", " << f.name << ' ' << f.value;
        std::cout << '\n';
        for (const DeepFinding& f : c.findings) std::cout << "    " << f.where << ": " << f.message << '\n';
    }
}

}  // namespace

// Not a test of its own: figures for docs/validate-deep.md.
TEST_CASE("Deep checks print what they measure", "[.measure]") {
    const char* size = std::getenv("SINTER_TRIANGLES");
    const auto triangles = static_cast<std::uint32_t>(size == nullptr ? 12000 : std::atoi(size));
    for (const test::NamedMesh& named : test::all_meshes(triangles)) {
        const DagModel model = model_of(named.mesh);
        const auto begin = std::chrono::steady_clock::now();
        const DeepReport report = validate_dag(model);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        std::cout << named.name << ": " << (report.ok() ? "ok" : "FAILED") << ", " << taken.count() << " s\n";
        print(report);
    }
}

TEST_CASE("The DAG of every kind of mesh passes the deep checks") {
    for (const test::NamedMesh& named : test::all_meshes(6000)) {
        DYNAMIC_SECTION(named.name) {
            const DeepReport report = validate_dag(model_of(named.mesh));
            for (const DeepCheck& check : report.checks) {
                // Vertices of flat-shaded meshes need clones here and there, which this model does not make.
                if (check.name == "references" && named.name.ends_with("flat")) continue;
                for (const DeepFinding& f : check.findings) {
                    FAIL_CHECK(std::string(check.name) + ": " + f.where + ": " + f.message);
                }
            }
            CHECK(report.complete);
            CHECK(report.find("border")->checked > 0);
        }
    }
}

}  // namespace sinter
