#include "cooker/mesh/normals.hpp"

#include "cooker/mesh/angle.hpp"
#include "meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

using namespace sinter;
using namespace sinter::test;

namespace {

// Normals of a mesh whose vertices are its points.
std::vector<Float3> corner_normals(const Primitive& p, double hard_edge_angle_deg = 180) {
    std::vector<std::uint32_t> points(p.vertex_count());
    std::iota(points.begin(), points.end(), 0U);
    return make_corner_normals({p.indices, p.positions, points, points.size(), hard_edge_angle_deg});
}

std::set<std::tuple<float, float, float>> distinct(const std::vector<Float3>& normals) {
    std::set<std::tuple<float, float, float>> set;
    for (const Float3 n : normals) set.insert({n.x + 0.0F, n.y + 0.0F, n.z + 0.0F});
    return set;
}

double angle_deg(Float3 a, Float3 b) { return angle_between(to_double(a), to_double(b)) * 180 / kPi; }

}  // namespace

TEST_CASE("a smooth cube has one normal a corner, along its diagonal whatever the triangulation") {
    // Angle weights: every face brings 90 degrees to each corner, in one triangle or in two.
    const Primitive cube = shared_cube();
    const std::vector<Float3> normals = corner_normals(cube);
    CHECK(distinct(normals).size() == 8);
    for (std::size_t c = 0; c < normals.size(); ++c) {
        const Float3 diagonal = cube.positions[cube.indices[c]] * (1 / std::sqrt(3.0F));
        CHECK(angle_deg(normals[c], diagonal) < 1e-5);  // float rounding of three components
    }
}

TEST_CASE("below 90 degrees a cube is hard: 24 normals, each that of its face") {
    const Primitive cube = shared_cube();
    const std::vector<Float3> normals = corner_normals(cube, 60);
    std::set<std::tuple<std::uint32_t, float, float, float>> split;
    for (std::size_t c = 0; c < normals.size(); ++c) {
        split.insert({cube.indices[c], normals[c].x + 0.0F, normals[c].y + 0.0F, normals[c].z + 0.0F});
        CHECK(dot(normals[c], cube.positions[cube.indices[c]]) == 1);  // exactly an axis
    }
    CHECK(split.size() == 24);
    CHECK(distinct(corner_normals(cube, 90)).size() == 8);  // 90 is not larger than 90
    CHECK(distinct(corner_normals(cube, 89.9)).size() == 6);
}

TEST_CASE("normals of a sphere point outwards") {
    // The triangles' corners lie on the sphere, so by symmetry the normal is radial along meridians and rings; the
    // rest is the curvature within a triangle (128 columns: 2.8 degrees each, error of second order).
    const Primitive sphere = lat_long_sphere(128, 64);
    std::vector<std::uint32_t> points(sphere.vertex_count());
    for (std::uint32_t i = 0; i < points.size(); ++i) points[i] = i % 129 == 128 ? i - 128 : i;
    const auto normals = make_corner_normals({sphere.indices, sphere.positions, points, points.size(), 180});
    double largest = 0;
    for (std::size_t c = 0; c < normals.size(); ++c) {
        const std::uint32_t row = sphere.indices[c] / 129;
        if (row < 2 || row > 62) continue;  // triangles of the pole are slivers
        largest = std::max(largest, angle_deg(normals[c], sphere.positions[sphere.indices[c]]));
    }
    CHECK(largest < 0.2);
}

TEST_CASE("normals equal a brute-force sum with libm's angles on random meshes") {
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        Random random(seed);
        Primitive p;
        for (int i = 0; i < 30; ++i) p.positions.push_back(random.point(10));
        for (int i = 0; i < 80; ++i) {
            const std::uint32_t a = random.below(30), b = (a + 1 + random.below(28)) % 30;
            std::uint32_t c = random.below(30);
            while (c == a || c == b) c = (c + 1) % 30;
            p.indices.insert(p.indices.end(), {a, b, c});
        }
        const std::vector<Float3> normals = corner_normals(p);
        for (std::size_t corner = 0; corner < normals.size(); ++corner) {
            const std::uint32_t v = p.indices[corner];
            Double3 sum;
            for (std::size_t t = 0; t < p.indices.size(); t += 3) {
                for (std::size_t k = 0; k < 3; ++k) {
                    if (p.indices[t + k] != v) continue;
                    const Double3 here = to_double(p.positions[v]);
                    const Double3 e1 = to_double(p.positions[p.indices[t + (k + 1) % 3]]) - here;
                    const Double3 e2 = to_double(p.positions[p.indices[t + (k + 2) % 3]]) - here;
                    const Double3 n = cross(e1, e2);
                    sum = sum + n * (std::acos(dot(e1, e2) / (length(e1) * length(e2))) / length(n));
                }
            }
            // 2e-7: rounding of the result to float; acos loses digits only near 0 and pi, which do not occur here
            CHECK(length(to_double(normals[corner]) - sum * (1 / length(sum))) < 2e-7);
        }
    }
}

TEST_CASE("a chain of soft edges keeps a cylinder smooth and its caps hard") {
    constexpr std::uint32_t kSides = 24;  // 15 degrees between neighbouring sides
    Primitive p;
    for (std::uint32_t i = 0; i < kSides; ++i) {
        const double a = 2 * kPi * i / kSides;
        for (const float z : {0.0F, 1.0F}) {
            p.positions.push_back({static_cast<float>(std::cos(a)), static_cast<float>(std::sin(a)), z});
        }
    }
    p.positions.push_back({0, 0, 0});
    p.positions.push_back({0, 0, 1});
    for (std::uint32_t i = 0; i < kSides; ++i) {
        const std::uint32_t a = 2 * i, b = 2 * ((i + 1) % kSides);
        p.indices.insert(p.indices.end(),
                         {a, b, b + 1, a, b + 1, a + 1, b, a, 2 * kSides, a + 1, b + 1, 2 * kSides + 1});
    }
    const std::vector<Float3> normals = corner_normals(p, 30);
    std::set<std::tuple<std::uint32_t, float, float, float>> split;  // two normals a vertex of the rims
    for (std::size_t c = 0; c < normals.size(); ++c) {
        split.insert({p.indices[c], normals[c].x + 0.0F, normals[c].y + 0.0F, normals[c].z + 0.0F});
    }
    CHECK(split.size() == 4 * kSides + 2);
    for (std::size_t c = 0; c < normals.size(); ++c) {
        const Float3 at = p.positions[p.indices[c]];
        const bool cap = c % 12 >= 6;
        const Float3 truth = cap ? Float3{0, 0, at.z * 2 - 1} : Float3{at.x, at.y, 0};
        CHECK(angle_deg(normals[c], truth) < 1e-4);  // symmetric by construction, positions are floats
    }
}

TEST_CASE("both sides of a card on the same points keep their own normals") {
    Primitive card;
    card.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    card.indices = {0, 1, 2, 0, 2, 1};
    const std::vector<Float3> normals = corner_normals(card);
    for (std::size_t c = 0; c < 6; ++c) CHECK(normals[c] == Float3{0, 0, c < 3 ? 1.0F : -1.0F});

    // The back has its own vertices, off by less than a grid step: the sum is not zero, but points nowhere.
    card.positions.insert(card.positions.end(), {{0, 0, 1e-7F}, {1, 0, 0}, {0, 1, 0}});
    card.indices = {0, 1, 2, 3, 5, 4};
    const std::vector<std::uint32_t> points{0, 1, 2, 0, 1, 2};
    const auto nearly = make_corner_normals({card.indices, card.positions, points, 3, 180});
    for (std::size_t c = 0; c < 6; ++c) CHECK(angle_deg(nearly[c], {0, 0, c < 3 ? 1.0F : -1.0F}) < 1e-4);
}

TEST_CASE("triangles without an area get a normal all the same") {
    Primitive line;
    line.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}};
    line.indices = {0, 1, 2};
    for (const Float3 n : corner_normals(line)) CHECK(n == Float3{0, 1, 0});
    line.indices = {0, 1, 2, 0, 1, 3};  // corners that it shares take the good triangle's normal
    const std::vector<Float3> normals = corner_normals(line);
    CHECK(normals[0] == Float3{0, 0, 1});
    CHECK(normals[1] == Float3{0, 0, 1});
    CHECK(normals[2] == Float3{0, 1, 0});
}

TEST_CASE("normals do not depend on the size of the mesh") {
    const Primitive cube = shared_cube();
    for (const float scale : {1e-25F, 1e9F}) {
        Primitive scaled = cube;
        for (Float3& p : scaled.positions) p = p * scale;
        const std::vector<Float3> normals = corner_normals(scaled), truth = corner_normals(cube);
        for (std::size_t c = 0; c < normals.size(); ++c) CHECK(angle_deg(normals[c], truth[c]) < 1e-5);
    }
}
