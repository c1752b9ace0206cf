// Meshes with a cluster DAG: what a reader gets out of the pages is what the stages put in.
#include "cooker/cook.hpp"
#include "cooker/package/assemble.hpp"
#include "tests/paths.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/mesh_arrays.hpp>
#include <sinter/formats/verify.hpp>
#include <sinter/formats/vertex_codec.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

using namespace sinter;

namespace {

struct Cooked {
    CookedAsset asset;
    std::vector<std::byte> bytes;
};

Cooked cooked(const CookOptions& options) {
    SourceFiles files(test::repository("fixtures/creature.glb"));
    Issues issues;
    auto asset = cook_asset(files, options, issues);
    REQUIRE(asset.ok());
    auto bytes = assemble_package(*asset);
    REQUIRE(bytes.ok());
    return {*std::move(asset), *std::move(bytes)};
}

MeshArrays arrays_of(const Cooked& cooked) {
    const auto view = PackageView::open(cooked.bytes);
    REQUIRE(view.ok());
    const auto manifest = view->read_manifest();
    REQUIRE(manifest.ok());
    auto arrays = read_mesh_arrays(*view, **manifest, 0);
    REQUIRE(arrays.ok());
    return *std::move(arrays);
}

// Each triangle from its smallest vertex on, winding kept; all of them sorted.
std::vector<std::array<std::uint32_t, 3>> triangle_set(std::span<const std::uint32_t> indices) {
    std::vector<std::array<std::uint32_t, 3>> out;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        std::array<std::uint32_t, 3> t{indices[i], indices[i + 1], indices[i + 2]};
        std::ranges::rotate(t, std::ranges::min_element(t));
        out.push_back(t);
    }
    std::ranges::sort(out);
    return out;
}

}  // namespace

TEST_CASE("positions and triangles of the full detail come back out of pages exactly") {
    for (const double tolerance : {0.0, 1e-6}) {  // 16-bit and 32-bit grids
        CookOptions options;
        options.mesh.position_tolerance = tolerance;
        const Cooked package = cooked(options);
        const PreparedMesh& mesh = package.asset.meshes[0];
        REQUIRE_FALSE(package.asset.clustered[0].paged.pages.empty());
        CHECK(mesh.grid.bits == (tolerance > 0 ? 32 : 16));
        CHECK(verify_package(package.bytes).ok());
        const MeshArrays arrays = arrays_of(package);
        CHECK(arrays.grid_positions == mesh.grid_positions);
        // No vertex of the creature is repeated, so that vertices name triangles.
        REQUIRE(package.asset.clustered[0].paged.owner_clones == 0);
        CHECK(triangle_set(arrays.indices) == triangle_set(mesh.indices));
    }
}

TEST_CASE("normals and tangents in pages are off by no more than the manifest says, and by no more than "
          "their codes may") {
    for (const std::uint32_t bits : {20U, 32U}) {
        CookOptions options;
        options.mesh.normal_bits = bits;
        const Cooked package = cooked(options);
        const PreparedMesh& mesh = package.asset.meshes[0];
        const MeshArrays arrays = arrays_of(package);
        REQUIRE(arrays.normals.size() == mesh.vertex_count());
        double worst = 0;
        for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
            worst = std::max(worst, angle_deg(array_of(mesh.normals[v]), oct_decode(arrays.normals[v])));
        }
        const auto manifest = PackageView::open(package.bytes)->read_manifest();
        const auto& info = *(*manifest)->meshes[0];
        CHECK(static_cast<float>(worst) == info.normal->max_error_deg);
        CHECK(info.normal->bits == bits);
        // Bounds of vertex_codec.hpp and codecs.hpp.
        CHECK(worst < (bits == 20 ? static_cast<double>(kMaxOct20ErrorDeg) : 0.0026));
        // A tangent is across its normal only up to the normal's own code.
        CHECK(static_cast<double>(info.tangent->max_error_deg) <
              static_cast<double>(kMaxTangentErrorDeg) + worst + 0.001);
        CHECK(info.tangent->max_error_deg > 0);
    }
}

TEST_CASE("the same cook gives the same bytes on any number of threads") {
    SourceFiles files(test::repository("fixtures/creature.glb"));
    std::vector<std::vector<std::byte>> all;
    for (const std::uint32_t threads : {1U, 2U, 8U}) {
        Issues issues;
        const auto asset = cook_asset(files, {}, issues, {}, threads);
        REQUIRE(asset.ok());
        auto bytes = assemble_package(*asset);
        REQUIRE(bytes.ok());
        all.push_back(*std::move(bytes));
    }
    CHECK(all[1] == all[0]);
    CHECK(all[2] == all[0]);
}
