// Spheres against the smallest one where that is known, cones against their definition.
#include "cooker/cluster/bounds.hpp"
#include "tests/mesh/meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace sinter {
namespace {

double distance(Float3 a, Float3 b) {
    const double x = static_cast<double>(a.x) - static_cast<double>(b.x),
                 y = static_cast<double>(a.y) - static_cast<double>(b.y),
                 z = static_cast<double>(a.z) - static_cast<double>(b.z);
    return std::sqrt(x * x + y * y + z * z);
}

}  // namespace

TEST_CASE("A sphere around points contains each of them in double, at any scale and place") {
    test::Random random(1);
    for (int round = 0; round < 300; ++round) {
        const float scale = std::ldexp(1.0F, static_cast<int>(random.below(60)) - 30);
        const Float3 at = random.point(1000 * scale);
        std::vector<Float3> points(1 + random.below(200));
        for (Float3& p : points) p = at + random.point(scale);
        const Sphere sphere = sphere_around_points(points);
        for (const Float3 p : points)
            REQUIRE(distance(p, sphere.center) <= static_cast<double>(sphere.radius));
    }
}

TEST_CASE("A sphere around points of a ball is at most six percent larger than the ball") {
    // The ball is the smallest one: its six poles are among the points.
    test::Random random(2);
    for (int round = 0; round < 50; ++round) {
        std::vector<Float3> points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
        for (int i = 0; i < 100; ++i) {
            const Float3 p = random.point(1);
            if (length(p) < 1) points.insert(points.begin() + random.below(6), p);
        }
        CHECK(sphere_around_points(points).radius < 1.06F);
    }
}

TEST_CASE("A sphere around spheres contains each of them in double") {
    test::Random random(3);
    for (int round = 0; round < 300; ++round) {
        std::vector<Sphere> spheres(1 + random.below(30));
        for (Sphere& s : spheres) s = {random.point(10), random.between(0, 5)};
        const Sphere outer = sphere_around_spheres(spheres);
        for (const Sphere& s : spheres) {
            REQUIRE(distance(s.center, outer.center) + static_cast<double>(s.radius) <=
                    static_cast<double>(outer.radius));
        }
    }
}

TEST_CASE("One point has a sphere without a radius, and no points have the zero sphere") {
    const Float3 p = {1, 2, 3};
    CHECK(sphere_around_points(std::array{p}).center == p);
    CHECK(sphere_around_points(std::array{p}).radius == 0);
    CHECK(sphere_around_points({}).radius == 0);
}

TEST_CASE("The cone of one triangle is the half space behind it, less the margin") {
    const std::array<Float3, 3> corners = {Float3{0, 0, 0}, Float3{1, 0, 0}, Float3{0, 1, 0}};
    const std::array<std::uint32_t, 3> indices = {0, 1, 2};
    const NormalCone cone = cone_of_triangles(corners, indices);
    CHECK(cone.axis == Float3{0, 0, 1});
    CHECK(cone.cutoff > 0);
    CHECK(cone.cutoff < 3e-6F);
}

TEST_CASE("Opposite triangles, slivers and triangles on a line hide nothing or have no say") {
    const std::array<Float3, 5> p = {Float3{0, 0, 0}, Float3{1, 0, 0}, Float3{0, 1, 0},
                                     Float3{0.5F, 1e-12F, 0}, Float3{0.5F, 0, 0}};
    const auto hides_nothing = [&](std::vector<std::uint32_t> indices) {
        const NormalCone cone = cone_of_triangles(p, indices);
        return cone.axis == Float3{} && cone.cutoff == 1;
    };
    CHECK(hides_nothing({0, 1, 2, 0, 2, 1}));
    CHECK(hides_nothing({0, 1, 2, 0, 1, 3}));
    CHECK(hides_nothing({0, 4, 1}));
    CHECK_FALSE(hides_nothing({0, 1, 2, 0, 4, 1}));
}

}  // namespace sinter
