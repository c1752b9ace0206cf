#include "cooker/mesh/prepare.hpp"

#include "prepared.hpp"

#include <catch2/catch_test_macros.hpp>

#include <map>

using namespace sinter;
using namespace sinter::test;

TEST_CASE("a soup of a closed cube welds to eight vertices and points") {
    const PreparedMesh m = prepared_of(mesh_of(soup_of(shared_cube())));
    CHECK(m.vertex_count() == 8);
    CHECK(m.point_count == 8);
    CHECK(m.indices.size() == 36);
    CHECK(m.made_normals);
    CHECK(!m.made_tangents);
    check_invariants(m);
}

TEST_CASE("a hard cube has 24 vertices on 8 points") {
    MeshOptions options;
    options.hard_edge_angle_deg = 30;
    const PreparedMesh m = prepared_of(mesh_of(shared_cube()), options);
    CHECK(m.vertex_count() == 24);
    CHECK(m.point_count == 8);
    check_invariants(m);
}

TEST_CASE("UV seams split vertices but not points, and made normals are equal across them") {
    const PreparedMesh m = prepared_of(mesh_of(lat_long_sphere(16, 8)));
    // 17 columns on 7 rings, and at each pole one vertex for each of its 16 triangles that is not degenerate
    CHECK(m.point_count == 7 * 16 + 2);
    CHECK(m.degenerate_triangles == 32);
    CHECK(m.vertex_count() == 7 * 17 + 2 * 16);
    CHECK(m.made_tangents);
    std::map<std::uint32_t, Float3> normal_of_point;
    for (std::size_t v = 0; v < m.vertex_count(); ++v) {
        const auto [at, added] = normal_of_point.insert({m.point_of_vertex[v], m.normals[v]});
        CHECK(at->second == m.normals[v]);
    }
    check_invariants(m);
}

TEST_CASE("coincident vertices of different bones stay apart (B05)") {
    // Two strips, closed like lips along y = 0: 33 pairs with equal position, normal and UV.
    Primitive p;
    std::vector<std::uint16_t> joints;
    p.uv_sets.resize(1);
    for (std::uint16_t lip = 0; lip < 2; ++lip) {
        for (std::uint32_t row = 0; row < 2; ++row) {
            for (std::uint32_t x = 0; x < 33; ++x) {
                const float height = (lip == 0 ? 1.0F : -1.0F) * static_cast<float>(row);
                p.positions.push_back({static_cast<float>(x), height, 0});
                p.normals.push_back({0, 0, 1});
                p.uv_sets[0].push_back({static_cast<float>(x) / 32, height});
                joints.push_back(lip);
            }
        }
        for (std::uint32_t x = 0; x < 32; ++x) {
            const std::uint32_t a = lip * 66U + x, b = a + 1, c = a + 33, d = c + 1;
            if (lip == 0) p.indices.insert(p.indices.end(), {a, b, d, a, d, c});
            if (lip == 1) p.indices.insert(p.indices.end(), {a, d, b, a, c, d});
        }
    }
    const PreparedMesh skinned = prepared_of(mesh_of(p), {}, rigid(joints));
    CHECK(skinned.vertex_count() == 132);
    CHECK(skinned.point_count == 132);
    for (std::size_t v = 0; v < 132; ++v) {
        CHECK(skinned.influences.weights[v] == 65535);
        if (skinned.positions[v].y > 0.5F) CHECK(skinned.influences.joints[v] == 0);
        if (skinned.positions[v].y < -0.5F) CHECK(skinned.influences.joints[v] == 1);
    }
    const PreparedMesh unskinned = prepared_of(mesh_of(p));
    CHECK(unskinned.vertex_count() == 99);
    CHECK(unskinned.point_count == 99);

    Mesh shaped = mesh_of(p);  // B06: the same, parted by a blend shape of the upper lip
    shaped.shapes.push_back({"open", 0, {1.0F}});
    shaped.primitives[0].shape_frames.resize(1);
    for (std::size_t v = 0; v < 132; ++v) {
        shaped.primitives[0].shape_frames[0].positions.push_back({0, joints[v] == 0 ? 0.4F : -0.0F, 0});
    }
    const PreparedMesh parted = prepared_of(shaped);
    CHECK(parted.vertex_count() == 132);
    CHECK(parted.point_count == 132);
    REQUIRE(parted.shapes.size() == 1);
    CHECK(parted.shapes[0].frames[0].vertices.size() == 66);
    for (const std::uint32_t v : parted.shapes[0].frames[0].vertices) CHECK(parted.positions[v].y >= 0);
}

TEST_CASE("vertices that differ in one part of the key only stay apart") {
    // Two triangles on the same three positions, with opposite winding so that none is a duplicate.
    const auto count_with = [](auto change) {
        Primitive p;
        for (int twice = 0; twice < 2; ++twice) {
            p.positions.insert(p.positions.end(), {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
            p.normals.insert(p.normals.end(), 3, {0, 0, 1});
            p.tangents.insert(p.tangents.end(), 3, {1, 0, 0, 1});
            p.colors.insert(p.colors.end(), 3, {0, 0, 0, 1});
        }
        p.uv_sets.assign(2, std::vector<Float2>(6));
        p.indices = {0, 1, 2, 3, 5, 4};
        Mesh mesh = mesh_of(p);
        mesh.shapes.push_back({"s", 0, {0.5F, 1.0F}});
        mesh.primitives[0].shape_frames.resize(2);
        for (ShapeDeltas& frame : mesh.primitives[0].shape_frames) {
            frame.positions.resize(6);
            frame.normals.resize(6);
            frame.tangents.resize(6);
        }
        change(mesh.primitives[0]);
        const PreparedMesh m = prepared_of(mesh);
        return std::pair(m.vertex_count(), m.point_count);
    };
    using Counts = std::pair<std::size_t, std::uint32_t>;
    CHECK(count_with([](Primitive&) {}) == Counts{3, 3});
    CHECK(count_with([](Primitive& p) { p.normals[3] = {0, 1, 0}; }) == Counts{4, 3});
    CHECK(count_with([](Primitive& p) { p.tangents[3] = {0, 1, 0, 1}; }) == Counts{4, 3});
    CHECK(count_with([](Primitive& p) { p.tangents[3].w = -1; }) == Counts{4, 3});
    CHECK(count_with([](Primitive& p) { p.colors[3].w = 0; }) == Counts{4, 3});
    CHECK(count_with([](Primitive& p) { p.uv_sets[0][3].y = 0.5F; }) == Counts{4, 3});
    CHECK(count_with([](Primitive& p) { p.uv_sets[1][3].x = 1e-30F; }) == Counts{4, 3});
    CHECK(count_with([](Primitive& p) { p.uv_sets[1][3].x = -0.0F; }) == Counts{3, 3});
    CHECK(count_with([](Primitive& p) { p.positions[3].z = -0.0F; }) == Counts{3, 3});
    CHECK(count_with([](Primitive& p) { p.positions[3].z = 0.1F; }) == Counts{4, 4});
    CHECK(count_with([](Primitive& p) { p.shape_frames[1].positions[3].x = 1e-30F; }) == Counts{4, 4});
    CHECK(count_with([](Primitive& p) { p.shape_frames[0].positions[3].x = -0.0F; }) ==
          Counts{4, 4});  // bits
    CHECK(count_with([](Primitive& p) { p.shape_frames[0].normals[3].x = 1; }) == Counts{4, 3});
    CHECK(count_with([](Primitive& p) { p.shape_frames[1].tangents[3].x = 1; }) == Counts{4, 3});
}

TEST_CASE("stored and made tangents that come out equal weld across primitives") {
    Primitive left = grid_plane(1, 1);
    left.normals.assign(4, {0, 0, 1});
    Primitive right = left;  // continues at x = 1, u = 1
    for (std::size_t v = 0; v < 4; ++v) {
        right.positions[v].x += 1;
        right.uv_sets[0][v].x += 1;
    }
    right.tangents.assign(4, {1, 0, 0, 1});
    Mesh mesh = mesh_of(left);
    mesh.primitives.push_back(right);
    CHECK(prepared_of(mesh).vertex_count() == 6);
    for (Float4& t : mesh.primitives[1].tangents) t.w = -1;
    CHECK(prepared_of(mesh).vertex_count() == 8);
}

TEST_CASE("mirrored UVs double the vertices of the line of symmetry, not its points") {
    Primitive plane = grid_plane(4, 2);
    for (Float2& uv : plane.uv_sets[0]) uv.x = std::abs(2 * uv.x - 1);
    const PreparedMesh m = prepared_of(mesh_of(plane));
    CHECK(m.vertex_count() == 15 + 3);
    CHECK(m.point_count == 15);
}
