#include "cooker/cluster/deviation.hpp"

#include "tests/mesh/meshes.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace sinter;
using sinter::test::Random;

namespace {

struct Vec {
    double x = 0, y = 0, z = 0;
};
Vec vec(Float3 p) { return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)}; }
Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double along(Vec a, Vec d, double t, Vec p) {  // distance from p to a + d t
    const Vec r{p.x - a.x - d.x * t, p.y - a.y - d.y * t, p.z - a.z - d.z * t};
    return std::sqrt(dot(r, r));
}

double segment(Vec p, Vec a, Vec b) {
    const Vec d = b - a;
    const double length2 = dot(d, d);
    return along(a, d, length2 > 0 ? std::clamp(dot(p - a, d) / length2, 0.0, 1.0) : 0.0, p);
}

// The slow way in double: the three edges, and the plane where the foot is inside (its signs by edge planes).
double slow_distance(Float3 point, Float3 fa, Float3 fb, Float3 fc) {
    const Vec p = vec(point), a = vec(fa), b = vec(fb), c = vec(fc);
    double best = std::min({segment(p, a, b), segment(p, b, c), segment(p, c, a)});
    const auto cross = [](Vec u, Vec v) {
        return Vec{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    };
    const Vec n = cross(b - a, c - a);
    const bool inside =
        dot(cross(b - a, p - a), n) > 0 && dot(cross(c - b, p - b), n) > 0 && dot(cross(a - c, p - c), n) > 0;
    if (inside) best = std::min(best, std::abs(dot(p - a, n)) / std::sqrt(dot(n, n)));
    return best;
}

struct Soup {
    std::vector<Float3> positions;
    std::vector<std::uint32_t> indices;
    [[nodiscard]] double distance(Float3 p) const {
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < indices.size(); i += 3) {
            best = std::min(best, slow_distance(p, positions[indices[i]], positions[indices[i + 1]],
                                                positions[indices[i + 2]]));
        }
        return best;
    }
};

// Triangles of all sizes and shapes around the origin, every fifth one without an area.
Soup random_soup(Random& random, std::uint32_t triangles) {
    Soup soup;
    for (std::uint32_t t = 0; t < triangles; ++t) {
        const Float3 a = random.point(1);
        const float size = std::exp(random.between(-8, 0));
        Float3 b = a + random.point(size), c = a + random.point(size);
        if (t % 10 == 3) c = a + (b - a) * random.between(-1, 2);
        if (t % 10 == 8) b = c = a;
        const auto first = static_cast<std::uint32_t>(soup.positions.size());
        soup.positions.insert(soup.positions.end(), {a, b, c});
        soup.indices.insert(soup.indices.end(), {first, first + 1, first + 2});
    }
    return soup;
}

float root(float squared) { return std::sqrt(squared); }

// Coordinates within 2: differences of floats are exact to 2^-24 of their own size, a distance is some ten operations.
constexpr double kRounding = 2e-6;

}  // namespace

TEST_CASE("the distance to a triangle in each of its seven regions is the closed form") {
    const Float3 a{0, 0, 0}, b{4, 0, 0}, c{0, 3, 0};
    CHECK(distance_squared({1, 1, 2}, a, b, c) == 4);    // above the inside
    CHECK(distance_squared({1, 1, -2}, a, b, c) == 4);   // below it
    CHECK(distance_squared({1, 1, 0}, a, b, c) == 0);    // on it
    CHECK(distance_squared({-1, -2, 2}, a, b, c) == 9);  // corner a
    CHECK(distance_squared({6, -1, 2}, a, b, c) == 9);   // corner b
    CHECK(distance_squared({-1, 5, 2}, a, b, c) == 9);   // corner c
    CHECK(distance_squared({2, -3, 4}, a, b, c) == 25);  // edge ab
    CHECK(distance_squared({-3, 1, 4}, a, b, c) == 25);  // edge ac
    // Edge bc: its outward normal is (3, 4, 0) / 5; 5 away from its middle (2, 1.5, 0), and 12 up.
    CHECK(static_cast<double>(distance_squared({5, 5.5F, 12}, a, b, c)) == Catch::Approx(169).epsilon(1e-6));
}

TEST_CASE("a triangle without an area is a segment or a point") {
    const Float3 a{0, 0, 0}, b{2, 0, 0}, c{1, 0, 0};
    for (const auto& [p, q, r] : {std::array{a, b, c}, std::array{b, c, a}, std::array{c, a, b}}) {
        CHECK(distance_squared({1.5F, 3, 4}, p, q, r) == 25);
        CHECK(distance_squared({-3, 0, 4}, p, q, r) == 25);
        CHECK(distance_squared({5, 0, 4}, p, q, r) == 25);
    }
    CHECK(distance_squared({3, 0, 4}, a, a, a) == 25);
    CHECK(distance_squared({3, 0, 4}, a, a, b) == 17);
    CHECK(distance_squared({0, 0, 0}, a, a, a) == 0);
}

TEST_CASE("slivers of any thinness measure as a second implementation does") {
    Random random(1);
    for (int i = 0; i < 20000; ++i) {
        const Float3 a = random.point(1), b = random.point(1);
        const float thin = std::exp(random.between(-18, 0));
        const Float3 c = a + (b - a) * random.between(-0.2F, 1.2F) + random.point(thin);
        // Far points, points on the triangle, and points close above it: there an inexact foot shows.
        const float u = random.between(0, 1), v = random.between(0, 1 - u);
        const Float3 on = a + (b - a) * u + (c - a) * v;
        for (const Float3& p : {random.point(2), on, on + random.point(0.001F)}) {
            const double more =
                static_cast<double>(root(distance_squared(p, a, b, c))) - slow_distance(p, a, b, c);
            REQUIRE(more > -kRounding);
            // The foot is off by (2^-24 length / height)^2 lengths, and an edge is not farther than the height: together
            // at most (2^-48)^(1/3) lengths.
            REQUIRE(more < (thin > 0.001F ? kRounding : 6e-5));
        }
    }
}

TEST_CASE("the tree finds the nearest of all triangles, whatever the hint") {
    Random random(2);
    for (const std::uint32_t triangles :
         {1U, 2U, 3U, 4U, 5U, 8U, 15U, 16U, 17U, 63U, 64U, 65U, 257U, 1000U}) {
        const Soup soup = random_soup(random, triangles);
        TriangleSurface surface;
        surface.build(soup.positions, soup.indices);
        REQUIRE(surface.triangle_count() == triangles);
        for (int i = 0; i < 200; ++i) {
            const Float3 p = i % 2 == 0 ? random.point(1.5F)
                                        : soup.positions[random.below(3 * triangles)] + random.point(0.01F);
            const double right = soup.distance(p);
            const Nearest found = surface.nearest(p, {.start = random.below(triangles)});
            REQUIRE(std::abs(static_cast<double>(root(found.distance_squared)) - right) < kRounding);
            // The triangle named is one at that distance.
            const std::uint32_t* corner = &soup.indices[3 * std::size_t{found.triangle}];
            REQUIRE(std::abs(slow_distance(p, soup.positions[corner[0]], soup.positions[corner[1]],
                                           soup.positions[corner[2]]) -
                             right) < kRounding);
            REQUIRE(surface.nearest(p, {.start = found.leaf}).distance_squared == found.distance_squared);
        }
    }
}

TEST_CASE("a large tree is the same one by any number of threads", "[threads]") {
    Random random(17);
    const Soup soup = random_soup(random, 70000);
    TriangleSurface one;
    one.build(soup.positions, soup.indices);
    for (const std::uint32_t threads : {2U, 8U}) {
        TriangleSurface other;
        other.build(soup.positions, soup.indices, threads);
        for (int i = 0; i < 500; ++i) {
            const Float3 p = random.point(1);
            const Nearest a = one.nearest(p), b = other.nearest(p);
            CHECK(a.triangle == b.triangle);
            CHECK(a.leaf == b.leaf);
            CHECK(a.distance_squared == b.distance_squared);
        }
    }
}

TEST_CASE("nothing beyond the upper bound is found, everything before it is") {
    Random random(3);
    const Soup soup = random_soup(random, 300);
    TriangleSurface surface;
    surface.build(soup.positions, soup.indices);
    for (int i = 0; i < 500; ++i) {
        const Float3 p = random.point(1.5F);
        const Nearest exact = surface.nearest(p);
        const Nearest none = surface.nearest(p, {.below_squared = exact.distance_squared});
        CHECK(none.triangle == kNoTriangle);
        CHECK(none.distance_squared == INFINITY);
        const float above = std::nextafter(exact.distance_squared, INFINITY);
        CHECK(surface.nearest(p, {.below_squared = above}).distance_squared == exact.distance_squared);
    }
}

TEST_CASE("a search that may stop early gives an upper bound, and the maximum over points is exact") {
    Random random(4);
    const Soup soup = random_soup(random, 300);
    TriangleSurface surface;
    surface.build(soup.positions, soup.indices);
    float all = 0, early = 0;
    std::uint32_t start = 0;
    for (int i = 0; i < 2000; ++i) {
        const Float3 p = random.point(1);
        const Nearest exact = surface.nearest(p);
        const Nearest bound = surface.nearest(p, {.enough_squared = early, .start = start});
        REQUIRE(bound.distance_squared >= exact.distance_squared);
        start = bound.leaf;
        all = std::max(all, exact.distance_squared);
        early = std::max(early, bound.distance_squared);
    }
    CHECK(all == early);
}

TEST_CASE("refitted to other positions, the tree still finds the nearest triangle") {
    Random random(5);
    Soup soup = random_soup(random, 200);
    TriangleSurface surface;
    surface.build(soup.positions, soup.indices);
    std::vector<Float3> moved = soup.positions;
    for (Float3& p : moved) p = Float3{p.y * 1.3F, -p.x, p.z} + random.point(0.3F);
    surface.refit(moved);
    soup.positions = moved;
    for (int i = 0; i < 500; ++i) {
        const Float3 p = random.point(2);
        REQUIRE(std::abs(static_cast<double>(root(surface.nearest(p).distance_squared)) - soup.distance(p)) <
                kRounding);
    }
}

TEST_CASE("far from the origin only the rounding of the input is left") {
    Random random(6);
    Soup soup = random_soup(random, 100);
    const Float3 far{1000, -2000, 4000};
    for (Float3& p : soup.positions) p = p + far;
    TriangleSurface surface;
    surface.build(soup.positions, soup.indices);
    for (int i = 0; i < 500; ++i) {
        const Float3 p = random.point(1) + far;
        REQUIRE(std::abs(static_cast<double>(root(surface.nearest(p).distance_squared)) - soup.distance(p)) <
                kRounding);
    }
}

TEST_CASE("a surface without triangles has no nearest one, and a surface can be built again") {
    TriangleSurface surface;
    surface.build({}, {});
    CHECK(surface.nearest({0, 0, 0}).triangle == kNoTriangle);
    CHECK(surface.nearest({0, 0, 0}).distance_squared == INFINITY);
    Random random(7);
    for (const std::uint32_t triangles : {40U, 3U, 0U, 90U}) {
        const Soup soup = random_soup(random, triangles);
        surface.build(soup.positions, soup.indices);
        TriangleSurface fresh;
        fresh.build(soup.positions, soup.indices);
        CHECK(surface.nearest({0.3F, 0.1F, 0.2F}).distance_squared ==
              fresh.nearest({0.3F, 0.1F, 0.2F}).distance_squared);
    }
}
