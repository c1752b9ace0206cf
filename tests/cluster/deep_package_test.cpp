// The deep checks on packages: generated meshes laid out in pages, fixtures with skins and blend shapes, and pages with one
// thing broken.
#include "cooker/cluster/hierarchy.hpp"
#include "cooker/cluster/poses.hpp"
#include "cooker/cook.hpp"
#include "cooker/mesh/prepare.hpp"
#include "cooker/package/assemble.hpp"
#include "tests/cluster/meshes.hpp"
#include "tests/paths.hpp"

#include <sinter/formats/deep.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <ranges>
#include <set>
#include <string>

namespace sinter {
namespace {

std::vector<std::byte> package_of(const Mesh& mesh, const EncodedInfluences& influences = {}) {
    Issues issues;
    auto prepared = prepare_mesh(mesh, influences, {}, issues);
    REQUIRE(prepared);
    ClusteredMesh clustered;
    auto dag = build_cluster_dag(*prepared, {}, 2, issues);
    REQUIRE(dag);
    clustered.dag = std::move(*dag);
    auto paged = lay_out_pages(*prepared, clustered.dag, 2);
    REQUIRE(paged);
    clustered.paged = std::move(*paged);
    clustered.hierarchy = hierarchy_of(clustered.dag, clustered.paged);
    CookedAsset asset;
    asset.meshes.push_back(in_page_order(*prepared, clustered.paged));
    asset.clustered.push_back(std::move(clustered));
    auto bytes = assemble_package(asset);
    REQUIRE(bytes);
    return std::move(*bytes);
}

DagModel model_in(const std::vector<std::byte>& bytes) {
    const auto view = PackageView::open(bytes);
    REQUIRE(view);
    const auto manifest = view->read_manifest();
    REQUIRE(manifest);
    auto model = read_dag_model(*view, **manifest, 0);
    REQUIRE(model);
    return std::move(*model);
}

void check_all(const std::vector<std::byte>& bytes) {
    const auto reports = validate_dags(bytes);
    REQUIRE(reports);
    REQUIRE(!reports->empty());
    for (const MeshDeepReport& mesh : *reports) {
        for (const DeepCheck& check : mesh.report.checks) {
            for (const DeepFinding& f : check.findings) {
                FAIL_CHECK(mesh.name + ": " + std::string(check.name) + ": " + f.where + ": " + f.message);
            }
        }
        CHECK(mesh.report.ok());
        CHECK(mesh.report.find("pages")->checked > 0);
        CHECK(mesh.report.find("prefixes")->checked > 0);
        CHECK(mesh.report.find("hierarchy")->checked > 0);
    }
}

std::set<std::string> failed_in(const DagModel& model) {
    std::set<std::string> out;
    for (const DeepCheck& check : validate_dag(model).checks) {
        if (check.failed != 0) out.insert(std::string(check.name));
    }
    return out;
}

void print_reports(std::string_view name, const std::vector<std::byte>& bytes) {
    const auto begin = std::chrono::steady_clock::now();
    const auto reports = validate_dags(bytes);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    REQUIRE(reports);
    for (const MeshDeepReport& mesh : *reports) {
        std::cout << name << ' ' << mesh.name << ", " << mesh.triangles
                  << " triangles: " << (mesh.report.ok() ? "ok" : "FAILED") << ", " << taken.count()
                  << " s for the package\n";
        for (const DeepCheck& c : mesh.report.checks) {
            std::cout << "  " << c.name << ": " << c.failed << " of " << c.checked << ' ' << c.subject;
            for (const DeepFigure& f : c.figures) std::cout << ", " << f.name << ' ' << f.value;
            std::cout << '\n';
            for (const DeepFinding& f : c.findings)
                std::cout << "    " << f.where << ": " << f.message << '\n';
        }
    }
}

std::vector<std::byte> cooked_file(const std::filesystem::path& path) {
    SourceFiles files(path);
    Issues issues;
    const auto asset = cook_asset(files, {}, issues, {}, 2);
    REQUIRE(asset);
    auto bytes = assemble_package(*asset);
    REQUIRE(bytes);
    return std::move(*bytes);
}

}  // namespace

// Not a test of its own: figures for docs/validate-deep.md. SINTER_TRIANGLES of each mesh, or of SINTER_MESH
// alone; or SINTER_ASSET, a file to cook.
TEST_CASE("Deep checks print what they measure", "[.measure]") {
    if (const char* file = std::getenv("SINTER_ASSET"); file != nullptr) {
        print_reports(std::filesystem::path(file).filename().string(), cooked_file(file));
        return;
    }
    const char* size = std::getenv("SINTER_TRIANGLES");
    const char* only = std::getenv("SINTER_MESH");
    const auto triangles =
        static_cast<std::uint32_t>(size == nullptr ? 12000 : std::strtoul(size, nullptr, 10));
    for (const std::string_view name : {"sphere", "seams", "terrain", "cards", "loose", "flat", "half_flat",
                                        "materials", "shells", "fins"}) {
        if (only == nullptr || only == name)
            print_reports(name, package_of(test::mesh_by_name(name, triangles)));
    }
}

TEST_CASE("The package of every kind of mesh passes the deep checks") {
    for (const test::NamedMesh& named : test::all_meshes(6000)) {
        DYNAMIC_SECTION(named.name) { check_all(package_of(named.mesh)); }
    }
    SECTION("skinned") {
        EncodedInfluences influences;
        const Mesh mesh = test::skinned_sphere(6000, influences);
        const std::vector<std::byte> bytes = package_of(mesh, influences);
        check_all(bytes);
    }
}

TEST_CASE("Fixtures pass the deep checks") {
    for (const char* name : {"creature.glb", "cloth.glb", "foliage.glb", "prop.glb"}) {
        DYNAMIC_SECTION(name) { check_all(cooked_file(test::repository(std::string("fixtures/") + name))); }
    }
}

// Two implementations of posing: the deep checks' against the cooker's, by lengths between vertices, which no place changes.
TEST_CASE("The deep checks pose a mesh as the cooker does") {
    for (const char* name : {"creature.glb"}) {
        SourceFiles files(test::repository(std::string("fixtures/") + name));
        Issues issues;
        const auto asset = cook_asset(files, {}, issues, {}, 2);
        REQUIRE(asset);
        const auto bytes = assemble_package(*asset);
        REQUIRE(bytes);
        const DagModel model = model_in(*bytes);
        const PreparedMesh& mesh = asset->meshes[0];
        const PoseSet set =
            pick_poses({asset->nodes, asset->skins, asset->skeletons, asset->clips}, 0, mesh, 8);
        REQUIRE(!model.poses.empty());
        std::size_t compared = 0;
        for (std::size_t p = 0; p < model.poses.size(); ++p) {
            // Vertices are in another order than when poses were picked, so that others may be picked.
            const auto same = std::ranges::find_if(set.poses, [&](const Pose& pose) {
                const PoseOrigin& mine = asset->clustered[0].dag.poses[p];
                return pose.origin.node == mine.node && pose.origin.clip == mine.clip &&
                       pose.origin.frame == mine.frame && pose.origin.shape == mine.shape &&
                       pose.origin.shape_frame == mine.shape_frame;
            });
            if (same == set.poses.end()) continue;
            ++compared;
            std::vector<std::uint32_t> all(mesh.vertex_count());
            std::ranges::copy(std::views::iota(0U, mesh.vertex_count()), all.begin());
            std::vector<Float3> posed(all.size());
            pose_vertices(mesh, *same, all, posed);
            float farthest = 0;
            for (std::size_t v = 0; v < all.size(); ++v) {
                const auto& other = model.poses[p][v];
                const Float3 offset = (posed[v] - posed[0]) * (1 / model.pose_scale);
                farthest = std::max(farthest, length(offset - Float3{other[0], other[1], other[2]}));
            }
            CHECK(farthest <=
                  4e-6F * mesh.bounds.radius);  // the cooker's floats: some steps of 2^-24 of the pose
        }
        CHECK(compared > 0);
    }
}

TEST_CASE("Posed errors are checked from the package alone") {
    static const std::vector<std::byte> bytes = cooked_file(test::repository("fixtures/creature.glb"));
    DagModel model = model_in(bytes);
    model.prefixes.clear();
    const DeepReport report = validate_dag(model);
    const DeepCheck& check = *report.find("posed_errors");
    CHECK(check.failed == 0);
    CHECK(check.checked > 0);
    CHECK(check.figure("poses") > 0);
    CHECK(check.figure("held_out_poses") > 0);
    CHECK(check.figure("held_out_median_true_over_stored") > 0);
    SECTION("a posed error that is too small") {
        // Of all groups, so that errors still rise.
        for (DagGroup& g : model.groups) g.posed_error *= 0.5F;
        CHECK(failed_in(model) == std::set<std::string>{"posed_errors"});
    }
    SECTION("a scale that makes all poses small") {
        model.pose_scale *= 2;
        for (auto& pose : model.poses) {
            for (auto& p : pose) {
                for (float& x : p) x *= 0.5F;
            }
        }
        CHECK(failed_in(model) == std::set<std::string>{"posed_errors"});
    }
    SECTION("another pose") {
        for (auto& p : model.poses[0]) p[1] *= 3;
        CHECK(failed_in(model) == std::set<std::string>{"posed_errors"});
    }
}

TEST_CASE("Broken pages are found") {
    static const std::vector<std::byte> bytes = package_of(test::noise_sphere(12000));
    DagModel model = model_in(bytes);
    REQUIRE(model.pages.size() > 1);
    CHECK(failed_in(model).empty());
    SECTION("a page that is not named") {
        DagPage& page =
            *std::ranges::find_if(model.pages, [](const DagPage& p) { return !p.dependencies.empty(); });
        page.dependencies.pop_back();
        CHECK(failed_in(model) == std::set<std::string>{"pages"});
    }
    SECTION("too many bytes") {
        DagPage& page =
            *std::ranges::find_if(model.pages, [](const DagPage& p) { return p.group_count > 1; });
        page.byte_count = 200000;
        CHECK(failed_in(model) == std::set<std::string>{"pages"});
    }
    SECTION("a vertex in the page of another group") {
        model.pages[0].vertex_count -= 1;
        model.pages[1].first_vertex -= 1;
        model.pages[1].vertex_count += 1;
        CHECK(failed_in(model) == std::set<std::string>{"pages"});
    }
    SECTION("a page too few for a prefix") {
        model.prefixes.back().page_count -= 1;
        CHECK(failed_in(model) == std::set<std::string>{"prefixes"});
    }
}

TEST_CASE("What is no package with a DAG is an error, not a crash") {
    CHECK(!validate_dags({}));
    const std::vector<std::byte> bytes = package_of(test::noise_sphere(500));
    CHECK(!validate_dags(std::span(bytes).first(bytes.size() - 1)));
}

}  // namespace sinter
