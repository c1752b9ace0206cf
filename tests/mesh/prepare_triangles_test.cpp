#include "cooker/mesh/prepare.hpp"

#include "cooker/mesh/angle.hpp"
#include "prepared.hpp"

#include <catch2/catch_test_macros.hpp>

#include <limits>

using namespace sinter;
using namespace sinter::test;

TEST_CASE("degenerate and duplicate triangles are left out and counted, others are kept") {
    Primitive p;
    p.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {2, 0, 0}, {1.00001F, 0, 0}};
    p.indices = {0, 1, 2,   // kept
                 0, 1, 1,   // equal index
                 0, 1, 3,   // equal position
                 0, 1, 5,   // equal once on the grid: 1e-5 of a radius of 1.1 is a third of a step
                 1, 2, 0,   // the first, from another corner
                 2, 0, 3,   // and with another vertex on the same point
                 0, 2, 1,   // its other side: kept
                 0, 1, 4};  // no area, but three points: kept
    Mesh mesh = mesh_of(p);
    p.indices = {0, 1, 2};
    p.material = 0;  // the same triangle in another material: kept
    mesh.primitives.push_back(p);
    mesh.source_triangles = 9;
    Issues issues;
    const auto m = prepare_mesh(mesh, {}, {}, issues);
    REQUIRE(m.ok());
    CHECK(m->indices.size() == 12);
    CHECK(m->degenerate_triangles == 3);
    CHECK(m->duplicate_triangles == 2);
    CHECK(m->source_triangles == 9);
    CHECK(issues.count_of(IssueCode::DegenerateTriangles) == 3);
    CHECK(issues.count_of(IssueCode::DuplicateTriangles) == 2);
    REQUIRE(m->submeshes.size() == 2);
    CHECK(m->submeshes[0].material == 0);
    CHECK(m->submeshes[0].index_count == 3);
    CHECK(m->submeshes[1].material == kNone);
    check_invariants(*m);
}

TEST_CASE("a triangle between coincident points of different bones is kept: it opens in motion") {
    Primitive p;
    p.positions = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    p.indices = {0, 1, 2};
    CHECK(prepared_of(mesh_of(p), {}, rigid({0, 0, 1})).indices.size() == 3);
    CHECK(prepared_of(mesh_of(p), {}, rigid({0, 0, 0})).degenerate_triangles == 1);
}

TEST_CASE("primitives are joined by material, kNone last, missing attributes filled") {
    Mesh mesh;
    mesh.name = std::string("joined");
    for (int i = 0; i < 4; ++i) {
        Primitive p = grid_plane(1, 1);
        for (Float3& at : p.positions) at.z = static_cast<float>(i);
        p.material = i == 0 ? kNone : i == 1 ? 7 : 2;
        if (i == 0) p.uv_sets.clear();
        if (i == 1) p.normals.assign(4, {0, 1, 0});
        if (i == 2) p.colors.assign(4, {0.5F, 0, 0, 1});
        if (i == 3) p.uv_sets.push_back(p.uv_sets[0]);
        mesh.primitives.push_back(p);
    }
    const PreparedMesh m = prepared_of(mesh);
    REQUIRE(m.submeshes.size() == 3);
    CHECK(m.submeshes[0].material == 2);
    CHECK(m.submeshes[0].index_count == 12);
    CHECK(m.submeshes[1].material == 7);
    CHECK(m.submeshes[2].material == kNone);
    REQUIRE(m.uv_sets.size() == 2);
    REQUIRE(m.colors.size() == 16);
    CHECK(m.made_normals);
    CHECK(m.made_tangents);
    for (std::size_t v = 0; v < m.vertex_count(); ++v) {
        const float layer = m.positions[v].z;
        CHECK(m.normals[v] == (layer > 0.5F && layer < 1.5F ? Float3{0, 1, 0} : Float3{0, 0, 1}));
        CHECK(m.colors[v] == (layer > 1.5F && layer < 2.5F ? Float4{0.5F, 0, 0, 1} : Float4{1, 1, 1, 1}));
        if (layer < 2.5F) CHECK(m.uv_sets[1][v] == Float2{});
        if (layer > 1.5F) CHECK(m.tangents[v] == Float4{1, 0, 0, 1});
        if (layer < 0.5F) CHECK(m.tangents[v].z == 0);  // without UVs: some perpendicular of +Z
    }
    check_invariants(m);
}

TEST_CASE("vertices that no triangle uses are left out, and do not widen the grid") {
    Primitive p = shared_cube();
    const PreparedMesh clean = prepared_of(mesh_of(p));
    p.positions.insert(p.positions.begin(), {1e6F, 0, std::numeric_limits<float>::quiet_NaN()});
    for (std::uint32_t& index : p.indices) ++index;
    const PreparedMesh m = prepared_of(mesh_of(p));
    CHECK(m.vertex_count() == 8);
    CHECK(m.grid.step == clean.grid.step);
    CHECK(triangle_set(m) == triangle_set(clean));
}

TEST_CASE("a mesh without triangles gives an empty table with its name, shapes and counts") {
    Mesh empty;
    empty.name = std::string("nothing");
    empty.source_vertices = 3;
    empty.shapes.push_back({"smile", 0.25F, {1.0F}});
    Primitive points;
    points.positions = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    empty.primitives.push_back(points);
    for (int step = 0; step < 3; ++step) {
        const PreparedMesh m = prepared_of(empty, {}, rigid(std::vector<std::uint16_t>(step < 2 ? 3 : 0)));
        CHECK(m.name == "nothing");
        CHECK(m.vertex_count() == 0);
        CHECK(m.indices.empty());
        CHECK(m.submeshes.empty());
        CHECK(m.shapes.size() == 1);
        CHECK(m.source_vertices == 3);
        CHECK(m.bounds.radius == 0);
        if (step == 0) empty.primitives[0].indices = {0, 0, 1};  // all degenerate
        if (step == 1) empty.primitives.clear();
    }
}

TEST_CASE("a fan of 300,000 triangles around one vertex takes no quadratic time") {
    // Quadratic would be 10^11 steps: minutes, where the time limit of the test program ends it.
    constexpr std::uint32_t kSides = 300000;
    Primitive p;
    p.positions.push_back({0, 0, 1});
    for (std::uint32_t i = 0; i < kSides; ++i) {
        const double a = 2 * kPi * i / kSides;
        p.positions.push_back(
            {static_cast<float>(1000 * std::cos(a)), static_cast<float>(1000 * std::sin(a)), 0});
        p.indices.insert(p.indices.end(), {0, 1 + i, 1 + (i + 1) % kSides});
    }
    for (const double hard_edge_angle_deg : {180.0, 0.0}) {
        MeshOptions options;
        options.position_tolerance = 5e-4;  // neighbours are 2 cm apart, a 16-bit step is 3 cm
        options.hard_edge_angle_deg = hard_edge_angle_deg;
        const PreparedMesh m = prepared_of(mesh_of(p), options);
        CHECK(m.indices.size() == std::size_t{3} * kSides);
        CHECK(m.point_count == kSides + 1);
    }
}

TEST_CASE("content that cannot be prepared is refused, with place and value") {
    const auto error_of = [](auto change) {
        Primitive p = shared_cube();
        p.uv_sets.assign(1, std::vector<Float2>(8));
        p.colors.assign(8, {});
        change(p);
        Issues issues;
        const auto prepared = prepare_mesh(mesh_of(p), {}, {}, issues);
        REQUIRE(!prepared.ok());
        return prepared.error();
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Error huge = error_of([](Primitive& p) { p.positions[3].y = 1e38F; });
    CHECK(huge.kind == ErrorKind::InvalidInput);
    CHECK(huge.where == "mesh 'm', primitive 0, vertex 3");
    CHECK(huge.message.find("1e+38") != std::string::npos);
    CHECK(error_of([&](Primitive& p) { p.positions[3].y = nan; }).code == 1001);
    CHECK(error_of([&](Primitive& p) { p.uv_sets[0][2].x = nan; }).where ==
          "mesh 'm', primitive 0, vertex 2");
    CHECK(error_of([&](Primitive& p) { p.colors[1].w = nan; }).code == 1001);
    CHECK(error_of([](Primitive& p) { p.indices[4] = 8; }).message == "index 8 of 8 vertices");
    CHECK(error_of([](Primitive& p) { p.indices.pop_back(); }).code == 1002);
    CHECK(error_of([](Primitive& p) { p.normals.resize(7); }).kind == ErrorKind::Internal);
    Issues issues;
    CHECK(prepare_mesh(mesh_of(shared_cube()), rigid({0, 1}), {}, issues).error().kind ==
          ErrorKind::Internal);
}
