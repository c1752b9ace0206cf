// Ownership, order, pages, batches and prefixes of generated meshes and of DAGs made by hand.
#include "cooker/cluster/layout.hpp"
#include "cooker/skin/influences.hpp"
#include "tests/cluster/laid_out.hpp"
#include "tests/cluster/meshes.hpp"
#include "tests/support/corpus_scene.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace sinter {
namespace {

using test::LaidOut;

test::LayoutCheck check_all(const LaidOut& laid) {
    const test::LayoutCheck report = test::check_layout(laid, 40);
    for (const std::string& fault : report.faults) FAIL_CHECK(fault);
    const std::set<std::uint32_t> distinct(laid.paged.source_vertex.begin(), laid.paged.source_vertex.end());
    CHECK(distinct.size() == laid.mesh.vertex_count());
    CHECK(laid.paged.source_vertex.size() - distinct.size() ==
          laid.paged.owner_clones + laid.paged.table_clones);
    return report;
}

// --- a DAG by hand: strips of triangles over ranges of vertices ---

struct HandMade {
    PreparedMesh mesh;
    ClusterDag dag;

    explicit HandMade(std::uint32_t vertices) {
        for (std::uint32_t v = 0; v < vertices; ++v) {
            const auto x = static_cast<std::int32_t>(v);
            mesh.grid_positions.push_back({x % 1000, x / 1000, (x * 7) % 5});
            mesh.positions.push_back({static_cast<float>(x % 1000), static_cast<float>(x / 1000), 0});
            mesh.point_of_vertex.push_back(v);
        }
        mesh.point_count = vertices;
        mesh.bounds.max = {1000, 1000, 0};
    }

    // A group whose clusters are added next.
    void add_group(std::uint32_t level, float error) {
        ClusterGroup& group = dag.groups.emplace_back();
        group.level = level;
        group.lod_error = error;
        group.end = std::isinf(error) ? GroupEnd::Root : GroupEnd::Simplified;
        group.first_cluster = static_cast<std::uint32_t>(dag.clusters.size());
    }

    // A cluster of the last group: a strip over these vertices.
    void add_strip(const std::vector<std::uint32_t>& vertices, std::int32_t child_group) {
        Cluster& cluster = dag.clusters.emplace_back();
        cluster.first_index = static_cast<std::uint32_t>(dag.indices.size());
        cluster.triangle_count = static_cast<std::uint32_t>(vertices.size()) - 2;
        cluster.vertex_count = static_cast<std::uint32_t>(vertices.size());
        cluster.group = static_cast<std::uint32_t>(dag.groups.size()) - 1;
        cluster.child_group = child_group;
        ++dag.groups.back().cluster_count;
        for (std::size_t i = 0; i + 2 < vertices.size(); ++i) {
            for (std::size_t k = 0; k < 3; ++k) dag.indices.push_back(vertices[i + k]);
        }
    }

    [[nodiscard]] LaidOut laid_out() const {
        auto paged = lay_out_pages(mesh, dag, 1);
        REQUIRE(paged);
        return {mesh, dag, std::move(*paged), false};
    }
};

std::vector<std::uint32_t> range_of(std::uint32_t first, std::uint32_t count) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < count; ++i) out.push_back(first + i);
    return out;
}

constexpr float kEnd = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("The layout of every kind of mesh holds the DAG, and its prefixes are exact") {
    for (const test::NamedMesh& named : test::all_meshes(12000)) {
        DYNAMIC_SECTION(named.name) {
            const test::LayoutCheck report = check_all(test::laid_out(named.mesh));
            CHECK(report.exact_cuts >= 40);
            CHECK(report.foreign > 0);
            CHECK(report.foreign < report.references);
        }
    }
}

TEST_CASE("A layout of several pages keeps all limits") {
    const LaidOut laid = test::laid_out(test::noise_sphere(100000));
    const test::LayoutCheck report = check_all(laid);
    CHECK(laid.paged.pages.size() >= 12);
    CHECK(report.most_pages >= 4);
    CHECK(report.most_pages <= 16);
}

TEST_CASE("A prefix grows by little more than half from one error to the next") {
    const LaidOut laid = test::laid_out(test::noise_sphere(100000));
    const auto& prefixes = laid.paged.prefixes;
    for (std::size_t i = 1; i < prefixes.size(); ++i) {
        // One group more than asked for: at most a group's vertices, some thousand.
        CHECK(prefixes[i].vertices <= prefixes[i - 1].vertices * 1.5 + 2048);
    }
}

TEST_CASE("A skinned mesh has batches of one band and class, and each vertex is in one of them") {
    EncodedInfluences influences;
    const Mesh mesh = test::skinned_sphere(30000, influences);
    const LaidOut laid = test::laid_out(mesh, influences);
    check_all(laid);
    std::set<std::uint16_t> classes;
    for (const SkinBatch& batch : laid.paged.batches) classes.insert(batch.influences);
    CHECK(classes == std::set<std::uint16_t>{1, 4});
}

TEST_CASE("The mesh in page order has each vertex's values, and moved vertices once a clone") {
    PreparedMesh mesh;
    mesh.grid_positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.positions = {{0, 0, 0}, {0.5F, 0, 0}, {0, 0.5F, 0}};
    mesh.normals = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
    mesh.uv_sets = {{{0, 0}, {1, 0}, {0, 1}}, {{2, 2}, {3, 3}, {4, 4}}};
    mesh.influences.stride = 4;
    mesh.influences.joints = {7, 0, 0, 0, 1, 2, 0, 0, 3, 4, 5, 6};
    mesh.influences.weights = {65535, 0, 0, 0, 65000, 535, 0, 0, 60000, 5000, 500, 35};
    mesh.point_of_vertex = {0, 1, 2};
    mesh.point_count = 3;
    mesh.indices = {0, 1, 2};
    mesh.submeshes = {{kNone, 0, 3}};
    SparseShapeFrame frame;
    frame.vertices = {0, 2};
    frame.positions = {{1, 0, 0}, {2, 0, 0}};
    frame.normals = {{0, 1, 0}, {0, 2, 0}};
    mesh.shapes = {{"smile", 0.25F, {frame}}};
    PagedMesh paged;
    paged.source_vertex = {2, 0, 1, 2};

    const PreparedMesh out = in_page_order(mesh, paged);
    CHECK(out.grid_positions ==
          std::vector<std::array<std::int32_t, 3>>{{0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    CHECK(out.positions == std::vector<Float3>{{0, 0.5F, 0}, {0, 0, 0}, {0.5F, 0, 0}, {0, 0.5F, 0}});
    CHECK(out.normals == std::vector<Float3>{{1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}});
    CHECK(out.tangents.empty());
    CHECK(out.uv_sets[0] == std::vector<Float2>{{0, 1}, {0, 0}, {1, 0}, {0, 1}});
    CHECK(out.uv_sets[1] == std::vector<Float2>{{4, 4}, {2, 2}, {3, 3}, {4, 4}});
    CHECK(out.influences.joints ==
          std::vector<std::uint16_t>{3, 4, 5, 6, 7, 0, 0, 0, 1, 2, 0, 0, 3, 4, 5, 6});
    CHECK(out.influences.class_counts == std::array<std::uint64_t, 4>{0, 1, 3, 0});
    CHECK(out.point_of_vertex == std::vector<std::uint32_t>{2, 0, 1, 2});
    CHECK(out.indices == std::vector<std::uint32_t>{1, 2, 0});
    REQUIRE(out.shapes.size() == 1);
    CHECK(out.shapes[0].name == "smile");
    CHECK(out.shapes[0].default_weight == 0.25F);
    const SparseShapeFrame& moved = out.shapes[0].frames[0];
    CHECK(moved.vertices == std::vector<std::uint32_t>{0, 1, 3});
    CHECK(moved.positions == std::vector<Float3>{{2, 0, 0}, {1, 0, 0}, {2, 0, 0}});
    CHECK(moved.normals == std::vector<Float3>{{0, 2, 0}, {0, 1, 0}, {0, 2, 0}});
    CHECK(moved.tangents.empty());
}

TEST_CASE("The number of threads changes nothing in a layout") {
    for (const std::string_view name : {"sphere", "half_flat", "cards"}) {
        const LaidOut laid = test::laid_out(test::mesh_by_name(name, 12000));
        for (const std::uint32_t threads : {1U, 3U, 8U}) {
            const auto again = lay_out_pages(laid.mesh, laid.dag, threads);
            REQUIRE(again);
            CHECK(*again == laid.paged);
        }
    }
}

TEST_CASE("The layout of real assets holds their DAGs, and their prefixes are exact") {
    test::skip_without_corpus();
    for (const std::string file :
         {"skinned/synth_centipede_8inf.glb", "skinned/Knight.glb", "morph/MorphStressTest.gltf",
          "static/synth_torus_soup.glb", "static/PalmTree.gltf"}) {
        DYNAMIC_SECTION(file) {
            Issues issues;
            const Scene scene = test::corpus_scene(file, issues);
            for (const Mesh& mesh : scene.meshes) {
                check_all(test::laid_out(mesh, encode_influences(mesh, {}, issues)));
            }
        }
    }
}

TEST_CASE("A DAG without groups has no pages") {
    const auto paged = lay_out_pages(PreparedMesh{}, ClusterDag{}, 1);
    REQUIRE(paged);
    CHECK(*paged == PagedMesh{});
}

TEST_CASE("A single triangle has one page and one prefix") {
    const LaidOut laid = test::laid_out(test::loose_triangles(1));
    check_all(laid);
    REQUIRE(laid.paged.pages.size() == 1);
    CHECK(laid.paged.pages[0].vertex_count == 3);
    REQUIRE(laid.paged.prefixes.size() == 1);
    CHECK(laid.paged.prefixes[0] == VertexPrefix{0, 3, 1, 0, 1});
}

TEST_CASE("A vertex that no ancestor of a group owns is cloned into it, once") {
    // Two ends without a common ancestor share vertices 8 and 9; the group below the second one uses one of them as well.
    HandMade made(12);
    made.add_group(0, 0.5F);
    made.add_strip({0, 1, 2, 8}, kNone);
    made.add_strip({2, 3, 8, 9}, kNone);
    made.add_group(1, kEnd);
    made.add_strip({4, 5, 8, 9}, kNone);
    made.add_strip({10, 11, 8, 9}, kNone);
    made.add_group(1, kEnd);
    made.add_strip({0, 2, 9}, 0);
    made.add_strip({6, 7, 9}, 0);
    const LaidOut laid = made.laid_out();
    const test::LayoutCheck report = test::check_layout(laid, 10);
    for (const std::string& fault : report.faults) FAIL_CHECK(fault);
    // The last end owns 9, and the first one has a clone of it; group 0 owns its 8 apart from the end's 8.
    CHECK(laid.paged.owner_clones == 2);
    CHECK(laid.paged.table_clones == 0);
    CHECK(std::ranges::count(laid.paged.source_vertex, 9U) == 2);
    CHECK(std::ranges::count(laid.paged.source_vertex, 8U) == 2);
}

TEST_CASE("An end of many clusters is cut up, and clusters that would need more than 16 pages get clones") {
    constexpr std::uint32_t kSlices = 20, kPerSlice = 4096;
    HandMade made(kSlices * kPerSlice + 8);
    made.add_group(0, 0.5F);
    std::vector<std::uint32_t> one_of_each;
    for (std::uint32_t s = 0; s < kSlices; ++s) one_of_each.push_back(s * kPerSlice + s);
    one_of_each.push_back(kPerSlice * kSlices);
    made.add_strip(one_of_each, kNone);
    made.add_strip(range_of(kPerSlice * kSlices + 1, 7), kNone);
    made.add_group(1, kEnd);
    for (std::uint32_t c = 0; c < kSlices * 32; ++c) {
        made.add_strip(range_of(c * 128, 128), c % 32 == 0 ? 0 : kNone);
    }
    const LaidOut laid = made.laid_out();
    const test::LayoutCheck report = test::check_layout(laid, 10);
    for (const std::string& fault : report.faults) FAIL_CHECK(fault);
    CHECK(laid.paged.groups.size() == kSlices + 1);
    CHECK(laid.paged.pages.size() == kSlices + 1);
    CHECK(report.most_pages == 16);
    CHECK(laid.paged.owner_clones == 0);
    CHECK(laid.paged.table_clones == kSlices - 15);
}

TEST_CASE("A group that owns more vertices than a page takes is an error that names it") {
    HandMade made(33 * 128);
    made.mesh.name = "rock";
    made.add_group(0, 0.5F);
    for (std::uint32_t c = 0; c < 33; ++c) made.add_strip(range_of(c * 128, 128), kNone);
    made.add_group(1, kEnd);
    made.add_strip(range_of(0, 3), 0);
    const auto paged = lay_out_pages(made.mesh, made.dag, 1);
    REQUIRE_FALSE(paged);
    CHECK(paged.error().line().find("'rock', group 0: 33 clusters own 4221 vertices") != std::string::npos);
}

TEST_CASE("Groups whose error is no smaller than that of their replacement are refused") {
    HandMade made(6);
    made.add_group(0, 0.5F);
    made.add_strip(range_of(0, 6), kNone);
    made.add_group(1, 0.5F);
    made.add_strip(range_of(0, 3), 0);
    made.add_group(2, kEnd);
    made.add_strip(range_of(0, 3), 1);
    CHECK_FALSE(lay_out_pages(made.mesh, made.dag, 1));
}

TEST_CASE("Groups of error zero stand behind the last prefix") {
    HandMade made(9);
    made.add_group(0, 0);
    made.add_strip(range_of(0, 6), kNone);
    made.add_group(1, kEnd);
    made.add_strip({0, 1, 5}, 0);
    made.add_strip({6, 7, 8}, kNone);
    const LaidOut laid = made.laid_out();
    const test::LayoutCheck report = test::check_layout(laid, 10);
    for (const std::string& fault : report.faults) FAIL_CHECK(fault);
    REQUIRE(laid.paged.prefixes.size() == 1);
    CHECK(laid.paged.prefixes[0] == VertexPrefix{0, 6, 1, 0, 2});
    CHECK(laid.paged.source_vertex.size() == 9);
}

}  // namespace sinter
