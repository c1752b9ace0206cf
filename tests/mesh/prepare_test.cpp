#include "cooker/mesh/prepare.hpp"

#include "cooker/mesh/angle.hpp"
#include "cooker/mesh/quantise.hpp"
#include "meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

using namespace sinter;
using namespace sinter::test;

namespace {

PreparedMesh prepared_of(const Mesh& mesh, const MeshOptions& options = {},
                         const EncodedInfluences& influences = {}) {
    Issues issues;
    auto prepared = prepare_mesh(mesh, influences, options, issues);
    REQUIRE(prepared.ok());
    return *std::move(prepared);
}

// One rigid joint a vertex.
EncodedInfluences rigid(const std::vector<std::uint16_t>& joints) {
    EncodedInfluences influences;
    influences.stride = 1;
    influences.joints = joints;
    influences.weights.assign(joints.size(), 65535);
    return influences;
}

// Everything about one corner, for comparing meshes whatever their order.
using Corner = std::vector<float>;
using Triangle = std::array<Corner, 3>;

Corner corner_of(const PreparedMesh& m, std::uint32_t v) {
    Corner corner;
    const auto add3 = [&](Float3 f) { corner.insert(corner.end(), {f.x, f.y, f.z}); };
    add3(m.positions[v]);
    if (!m.normals.empty()) add3(m.normals[v]);
    if (!m.tangents.empty()) {
        add3({m.tangents[v].x, m.tangents[v].y, m.tangents[v].z});
        corner.push_back(m.tangents[v].w);
    }
    for (const auto& uvs : m.uv_sets) corner.insert(corner.end(), {uvs[v].x, uvs[v].y});
    if (!m.colors.empty())
        corner.insert(corner.end(), {m.colors[v].x, m.colors[v].y, m.colors[v].z, m.colors[v].w});
    for (std::uint32_t i = 0; i < m.influences.stride; ++i) {
        corner.push_back(m.influences.joints[v * m.influences.stride + i]);
        corner.push_back(m.influences.weights[v * m.influences.stride + i]);
    }
    return corner;
}

// All triangles with their material, rotated so that the smallest corner comes first (the winding stays).
std::multiset<std::pair<std::int32_t, Triangle>> triangle_set(const PreparedMesh& m) {
    std::multiset<std::pair<std::int32_t, Triangle>> set;
    for (const Submesh& submesh : m.submeshes) {
        for (std::uint32_t i = submesh.first_index; i < submesh.first_index + submesh.index_count; i += 3) {
            Triangle t{corner_of(m, m.indices[i]), corner_of(m, m.indices[i + 1]),
                       corner_of(m, m.indices[i + 2])};
            std::rotate(t.begin(), std::ranges::min_element(t), t.end());
            set.insert({submesh.material, t});
        }
    }
    return set;
}

void check_invariants(const PreparedMesh& m) {
    const std::size_t count = m.vertex_count();
    CHECK(m.positions.size() == count);
    CHECK(m.point_of_vertex.size() == count);
    CHECK((m.normals.size() == count && (m.tangents.empty() || m.tangents.size() == count)));
    CHECK(m.influences.joints.size() == count * m.influences.stride);
    std::vector<bool> used(count, false);
    std::uint32_t next = 0;
    for (const std::uint32_t v : m.indices) {
        REQUIRE(v < count);
        CHECK(v <= next);  // first use in ascending order
        next = std::max(next, v + 1);
        used[v] = true;
    }
    CHECK(std::ranges::all_of(used, [](bool b) { return b; }));
    std::set<std::uint32_t> points(m.point_of_vertex.begin(), m.point_of_vertex.end());
    CHECK(points.size() == m.point_count);
    CHECK((points.empty() || *points.rbegin() + 1 == m.point_count));
    std::uint32_t covered = 0;
    for (const Submesh& submesh : m.submeshes) {
        CHECK(submesh.first_index == covered);
        CHECK(submesh.index_count > 0);
        covered += submesh.index_count;
    }
    CHECK(covered == m.indices.size());
    for (std::size_t v = 0; v < count; ++v) {
        CHECK(m.positions[v] == from_grid(m.grid, m.grid_positions[v]));
        CHECK(std::abs(length(to_double(m.normals[v])) - 1) < 1e-6);
        CHECK(length(to_double(m.positions[v]) - to_double(m.bounds.center)) <= to_double(m.bounds.radius));
    }
}

// A random mesh with everything: coincident vertices, several materials, UVs, colours, influences.
Mesh random_mesh(std::uint32_t seed, EncodedInfluences& influences) {
    Random random(seed);
    Mesh mesh;
    mesh.name = std::string("random");
    mesh.shapes.push_back({"a", 0, {0.5F, 1.0F}});
    std::vector<std::uint16_t> joints;
    for (std::int32_t material : {2, kNone, 0}) {
        Primitive p;
        p.material = material;
        p.uv_sets.resize(1);
        p.shape_frames.resize(2);
        for (int i = 0; i < 120; ++i) {
            const auto whole = [&](std::uint32_t n) { return static_cast<float>(random.below(n)); };
            const float x = whole(3), y = whole(3), z = whole(3), u = whole(2);
            p.positions.push_back({x - 1, y - 1, z - 1});
            p.uv_sets[0].push_back({u, x});
            p.colors.push_back({1, 1, 1, whole(2)});
            joints.push_back(static_cast<std::uint16_t>(random.below(2)));
            for (ShapeDeltas& frame : p.shape_frames) {
                const float moved = random.below(8) == 0 ? 1.0F : 0.0F;
                frame.positions.push_back({moved, 0, 0});
            }
        }
        for (int i = 0; i < 3 * 300; ++i) p.indices.push_back(random.below(120));
        mesh.primitives.push_back(std::move(p));
    }
    influences = rigid(joints);
    return mesh;
}

}  // namespace

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
    CHECK(m->indices.size() == 3 * 4);
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

TEST_CASE("source normals and tangents that are not unit are repaired and counted") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Primitive p = grid_plane(2, 2);
    p.normals.assign(9, {0, 0, 1});
    p.tangents.assign(9, {1, 0, 0, 1});
    p.normals[0] = {0, 0, 3};
    p.normals[1] = {};
    p.normals[2] = {0, nan, 1};
    p.normals[3] = {0, 0, 1.005F};  // as 8 bits leave it: made unit, not counted
    p.tangents[4] = {0, 0, 0, 1};
    p.tangents[5] = {2, 0, 0, 1};
    p.tangents[6] = {1, 0, 0, -0.5F};
    Issues issues;
    const auto m = prepare_mesh(mesh_of(p), {}, {}, issues);
    REQUIRE(m.ok());
    CHECK(issues.count_of(IssueCode::InvalidNormals) == 3);
    CHECK(issues.count_of(IssueCode::InvalidTangents) == 3);
    CHECK(m->made_normals);
    CHECK(m->made_tangents);
    CHECK(m->vertex_count() == 9);
    for (const Float3 n : m->normals) CHECK(n == Float3{0, 0, 1});
    CHECK(std::ranges::count(m->tangents, Float4{1, 0, 0, 1}) == 8);
    CHECK(std::ranges::count(m->tangents, Float4{1, 0, 0, -1}) == 1);
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

TEST_CASE("tangents are made only if asked for") {
    MeshOptions options;
    options.make_tangents = false;
    const PreparedMesh m = prepared_of(mesh_of(grid_plane(1, 1)), options);
    CHECK(m.tangents.empty());
    CHECK(!m.made_tangents);
}

TEST_CASE("mirrored UVs double the vertices of the line of symmetry, not its points") {
    Primitive plane = grid_plane(4, 2);
    for (Float2& uv : plane.uv_sets[0]) uv.x = std::abs(2 * uv.x - 1);
    const PreparedMesh m = prepared_of(mesh_of(plane));
    CHECK(m.vertex_count() == 15 + 3);
    CHECK(m.point_count == 15);
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

TEST_CASE("influences follow their vertices, and their classes are counted anew") {
    Primitive p = grid_plane(1, 1);
    p.positions.push_back({5, 5, 5});  // unused
    p.uv_sets[0].push_back({});
    EncodedInfluences influences;
    influences.stride = 8;
    influences.weight_bits = 8;
    influences.max_source = 11;
    influences.dropped_vertices = 2;
    influences.max_dropped_weight = 0.25F;
    influences.class_counts = {9, 9, 9, 9};
    influences.joints.assign(5 * 8, 0);
    influences.weights.assign(5 * 8, 0);
    const std::size_t counts[] = {0, 1, 3, 8, 5};
    for (std::size_t v = 0; v < 5; ++v) {
        for (std::size_t i = 0; i < counts[v]; ++i) {
            influences.joints[8 * v + i] = static_cast<std::uint16_t>(10 * v + i);
            influences.weights[8 * v + i] = static_cast<std::uint16_t>(i + 1);
        }
    }
    const PreparedMesh m = prepared_of(mesh_of(p), {}, influences);
    CHECK(m.influences.class_counts == std::array<std::uint64_t, 4>{1, 1, 1, 1});
    CHECK(m.influences.max_source == 11);
    CHECK(m.influences.dropped_vertices == 2);
    CHECK(m.influences.max_dropped_weight == 0.25F);
    CHECK(m.influences.weight_bits == 8);
    for (std::size_t v = 0; v < 4; ++v) {
        const std::size_t source = (m.positions[v].x > 0.5F ? 1U : 0U) + (m.positions[v].y > 0.5F ? 2U : 0U);
        for (std::size_t i = 0; i < 8; ++i) {
            CHECK(m.influences.joints[8 * v + i] == influences.joints[8 * source + i]);
            CHECK(m.influences.weights[8 * v + i] == influences.weights[8 * source + i]);
        }
    }
}

TEST_CASE("the numbering of the source's vertices does not matter") {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
        EncodedInfluences influences;
        const Mesh mesh = random_mesh(seed, influences);
        Mesh shuffled = mesh;
        EncodedInfluences shuffled_influences = influences;
        Random random(seed + 100);
        for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
            const Primitive& from = mesh.primitives[i];
            Primitive& to = shuffled.primitives[i];
            std::vector<std::uint32_t> place(from.vertex_count());
            std::iota(place.begin(), place.end(), 0U);
            for (std::uint32_t v = 119; v > 0; --v) std::swap(place[v], place[random.below(v + 1)]);
            for (std::uint32_t v = 0; v < 120; ++v) {
                to.positions[place[v]] = from.positions[v];
                to.uv_sets[0][place[v]] = from.uv_sets[0][v];
                to.colors[place[v]] = from.colors[v];
                for (std::size_t f = 0; f < 2; ++f) {
                    to.shape_frames[f].positions[place[v]] = from.shape_frames[f].positions[v];
                }
                shuffled_influences.joints[120 * i + place[v]] = influences.joints[120 * i + v];
            }
            for (std::uint32_t& index : to.indices) index = place[index];
        }
        const PreparedMesh a = prepared_of(mesh, {}, influences);
        const PreparedMesh b = prepared_of(shuffled, {}, shuffled_influences);
        CHECK(a.indices == b.indices);
        CHECK(a.grid_positions == b.grid_positions);
        CHECK(a.normals == b.normals);
        CHECK(a.tangents == b.tangents);
        CHECK(a.point_of_vertex == b.point_of_vertex);
        CHECK(a.influences.joints == b.influences.joints);
        CHECK(a.shapes[0].frames[0].vertices == b.shapes[0].frames[0].vertices);
        CHECK(triangle_set(a) == triangle_set(b));
        check_invariants(a);
    }
}

TEST_CASE("nothing is left to weld, and points are exactly equal position, influences and deltas") {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
        EncodedInfluences influences;
        const Mesh mesh = random_mesh(seed, influences);
        const PreparedMesh m = prepared_of(mesh, {}, influences);
        using PointKey = std::tuple<GridPosition, std::uint16_t, std::vector<float>>;
        std::vector<std::vector<float>> deltas(m.vertex_count(), std::vector<float>(2, 0.0F));
        for (std::size_t f = 0; f < 2; ++f) {
            const SparseShapeFrame& frame = m.shapes[0].frames[f];
            for (std::size_t i = 0; i < frame.vertices.size(); ++i)
                deltas[frame.vertices[i]][f] = frame.positions[i].x;
        }
        std::map<PointKey, std::uint32_t> point_of;
        std::set<std::pair<Corner, std::vector<float>>> vertices;
        for (std::uint32_t v = 0; v < m.vertex_count(); ++v) {
            const PointKey key{m.grid_positions[v], m.influences.joints[v], deltas[v]};
            const auto [at, added] = point_of.insert({key, m.point_of_vertex[v]});
            CHECK(at->second == m.point_of_vertex[v]);
            CHECK(vertices.insert({corner_of(m, v), deltas[v]}).second);
        }
        CHECK(point_of.size() == m.point_count);
    }
}

namespace {

// A prepared mesh as a source again.
Mesh as_source(const PreparedMesh& m) {
    Mesh mesh;
    mesh.name = m.name;
    for (const Submesh& submesh : m.submeshes) {
        Primitive p;
        p.material = submesh.material;
        p.positions = m.positions;
        p.normals = m.normals;
        p.tangents = m.tangents;
        p.uv_sets = m.uv_sets;
        p.colors = m.colors;
        const auto first = m.indices.begin() + submesh.first_index;
        p.indices.assign(first, first + submesh.index_count);
        mesh.primitives.push_back(std::move(p));
    }
    return mesh;
}

}  // namespace

TEST_CASE("preparing the decoded result again changes nothing") {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
        EncodedInfluences ignored;
        Mesh mesh = random_mesh(seed, ignored);
        mesh.shapes.clear();
        Random random(seed);
        for (Primitive& p : mesh.primitives) {
            p.shape_frames.clear();
            for (Float3& at : p.positions) at = at + Float3{0.3F, 0.7F, random.between(0, 0.1F)};
        }
        MeshOptions options;
        options.position_grid = GridKind::World;  // a sphere's centre moves with the rounding of its extremes
        options.position_tolerance = 1e-3;
        const PreparedMesh once = prepared_of(mesh, options);
        const PreparedMesh twice = prepared_of(as_source(once), options);
        CHECK(twice.max_position_error == 0);
        CHECK(twice.degenerate_triangles == 0);
        CHECK(twice.duplicate_triangles == 0);
        CHECK(!twice.made_normals);
        CHECK(!twice.made_tangents);
        CHECK(twice.vertex_count() == once.vertex_count());
        CHECK(twice.point_count == once.point_count);
        CHECK(triangle_set(twice) == triangle_set(once));
    }
}

TEST_CASE("the stored position error is the largest one, against the decoded positions") {
    Random random(11);
    Primitive p;
    for (int i = 0; i < 300; ++i) p.positions.push_back(random.point(3));
    for (std::uint32_t i = 0; i < 300; ++i) p.indices.push_back(i);
    p.normals.assign(300, {0, 0, 1});
    const PreparedMesh m = prepared_of(mesh_of(p));
    REQUIRE(m.vertex_count() == 300);
    double largest = 0;
    for (const Float3 at : p.positions) {
        double nearest = 1;  // to whichever decoded vertex: no two of the source are that near
        for (const Float3 decoded : m.positions) {
            nearest = std::min(nearest, length(to_double(at) - to_double(decoded)));
        }
        largest = std::max(largest, nearest);
    }
    CHECK(std::abs(to_double(m.max_position_error) - largest) <= 1e-6 * largest);  // rounded up to a float
    CHECK(largest <= kDefaultRelativeError * to_double(m.bounds.radius));
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
