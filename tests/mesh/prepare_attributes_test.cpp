#include "cooker/mesh/prepare.hpp"

#include "cooker/mesh/angle.hpp"
#include "cooker/mesh/quantise.hpp"
#include "prepared.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <limits>

using namespace sinter;
using namespace sinter::test;

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

TEST_CASE("tangents are made only if asked for") {
    MeshOptions options;
    options.make_tangents = false;
    const PreparedMesh m = prepared_of(mesh_of(grid_plane(1, 1)), options);
    CHECK(m.tangents.empty());
    CHECK(!m.made_tangents);
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
    influences.joints.assign(40, 0);
    influences.weights.assign(40, 0);
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
