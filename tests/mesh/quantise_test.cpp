#include "cooker/mesh/quantise.hpp"

#include "cooker/mesh/angle.hpp"
#include "meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <limits>

using namespace sinter;
using namespace sinter::test;

namespace {

std::vector<Float3> cloud(std::uint32_t seed, Float3 center, Float3 extent, int count = 2000) {
    Random random(seed);
    std::vector<Float3> points;
    for (int i = 0; i < count; ++i) {
        const Float3 p = random.point(1);
        points.push_back({center.x + extent.x * p.x, center.y + extent.y * p.y, center.z + extent.z * p.z});
    }
    return points;
}

double largest_error(const PositionGrid& grid, std::span<const Float3> points) {
    double largest = 0;
    for (const Float3 p : points) {
        largest = std::max(largest, length(to_double(from_grid(grid, to_grid(grid, p))) - to_double(p)));
    }
    return largest;
}

std::int32_t largest_integer(const PositionGrid& grid, std::span<const Float3> points) {
    std::int32_t largest = 0;
    for (const Float3 p : points) {
        for (const std::int32_t q : to_grid(grid, p)) largest = std::max(largest, std::abs(q));
    }
    return largest;
}

}  // namespace

TEST_CASE("the default grid has 16 bits and an error of at most 2.65e-5 of the radius") {
    const Float3 extents[] = {{1, 1, 1}, {1000, 0.01F, 0.01F}, {1e-20F, 2e-20F, 1e-20F}, {1e8F, 1e8F, 5e8F}};
    for (const Float3 extent : extents) {
        const std::vector<Float3> points = cloud(1, extent * 0.5F, extent);
        const auto grid = fit_grid(points, {});
        REQUIRE(grid.ok());
        const Bounds sphere = bounds_of(points);
        CHECK(grid->kind == GridKind::Sphere);
        CHECK(grid->bits == 16);
        CHECK(largest_integer(*grid, points) <= 32767);
        CHECK(largest_integer(*grid, points) > 16383);  // no bit is wasted along the longest axis
        const double error = largest_error(*grid, points);
        CHECK(error <= kDefaultRelativeError * to_double(sphere.radius));
        CHECK(error > 0.5e-5 * to_double(sphere.radius));  // 2000 points come near the corner of a cell
        CHECK(to_double(grid_error(*grid, points)) >= error);
        CHECK(to_double(grid_error(*grid, points)) <= error * (1 + 1e-6));  // rounded up to the next float
    }
}

TEST_CASE("a thin mesh keeps its own precision next to a large one (B41)") {
    // Per-mesh grids: the error of each is bounded by its own radius over 32767.
    for (const Float3 extent : {Float3{0.5F, 0.02F, 0.004F}, Float3{5000, 300, 5000}}) {
        const std::vector<Float3> points = cloud(2, {3, 1, 0}, extent);
        const auto grid = fit_grid(points, {});
        REQUIRE(grid.ok());
        CHECK(largest_error(*grid, points) <= to_double(bounds_of(points).radius) / 32767);
    }
}

TEST_CASE("a tolerance takes as many bits as it needs and is kept") {
    const std::vector<Float3> points = cloud(3, {1, 2, 3}, {1, 1, 1});
    float last_step = 1;
    for (const double tolerance : {1e-3, 1e-5, 3e-6, 1e-6}) {
        MeshOptions options;
        options.position_tolerance = tolerance;
        const auto grid = fit_grid(points, options);
        REQUIRE(grid.ok());
        CHECK(largest_error(*grid, points) <= tolerance);
        CHECK(grid->step <= last_step);
        CHECK(grid->bits == (largest_integer(*grid, points) <= 32767 ? 16U : 32U));
        last_step = grid->step;
    }
    MeshOptions too_fine;
    too_fine.position_tolerance = 1e-9;  // floats near 4 are 2.4e-7 apart
    const auto refused = fit_grid(points, too_fine);
    REQUIRE(!refused.ok());
    CHECK(refused.error().kind == ErrorKind::Limit);
    too_fine.position_tolerance = std::numeric_limits<double>::quiet_NaN();
    CHECK(fit_grid(points, too_fine).error().kind == ErrorKind::Usage);
}

TEST_CASE("world grids have a power-of-two step that neighbours share, and decode exactly onto it") {
    MeshOptions options;
    options.position_grid = GridKind::World;
    options.position_tolerance = 1e-3;
    // Two tiles of different size with a common border at x = 10.
    std::vector<Float3> left = cloud(4, {0, 0, 0}, {10, 3, 10}), right = cloud(5, {110, 0, 0}, {100, 40, 10});
    Random random(6);
    std::vector<Float3> border;
    for (int i = 0; i < 500; ++i) border.push_back({10, random.between(-1, 1), random.between(-9, 9)});
    left.insert(left.end(), border.begin(), border.end());
    right.insert(right.end(), border.begin(), border.end());
    const auto a = fit_grid(left, options), b = fit_grid(right, options);
    REQUIRE(a.ok());
    REQUIRE(b.ok());
    CHECK(a->step == b->step);
    CHECK(a->step == 1.0F / 1024);  // sqrt(3) / 2 / 1024 = 0.85 mm, the next power of two gives 1.7 mm
    CHECK(a->center == Float3{});
    for (const Float3 p : border) {
        CHECK(from_grid(*a, to_grid(*a, p)) == from_grid(*b, to_grid(*b, p)));
        const GridPosition q = to_grid(*a, p);
        CHECK(to_grid(*a, from_grid(*a, q)) == q);
    }
    CHECK(largest_error(*a, left) <= 1e-3);
    CHECK(a->bits == 16);
    CHECK(b->bits == 32);
}

TEST_CASE("a world grid without a tolerance keeps 2.65e-5 of the mesh's radius") {
    MeshOptions options;
    options.position_grid = GridKind::World;
    for (const float size : {1e-6F, 1.0F, 7e5F}) {
        const std::vector<Float3> points = cloud(7, {size, 0, 0}, {size, size, size});
        const auto grid = fit_grid(points, options);
        REQUIRE(grid.ok());
        CHECK(largest_error(*grid, points) <= kDefaultRelativeError * to_double(bounds_of(points).radius));
        int exponent = 0;
        CHECK(std::frexp(grid->step, &exponent) == 0.5F);
    }
    // Floats of 1e9 m are 64 m apart: integers of 1 micrometre would need 50 bits.
    options.position_tolerance = 1e-6;
    CHECK(fit_grid(std::vector<Float3>{{1e9F, 0, 0}}, options).error().kind == ErrorKind::Limit);
}

TEST_CASE("meshes without an extent lie on the grid exactly") {
    for (const Float3 p : {Float3{}, Float3{0.1F, -7.3F, 1e8F}}) {
        const std::vector<Float3> points(5, p);
        const auto grid = fit_grid(points, {});
        REQUIRE(grid.ok());
        CHECK(grid->step == 1);
        CHECK(to_grid(*grid, p) == GridPosition{});
        CHECK(from_grid(*grid, to_grid(*grid, p)) == p);
        CHECK(grid_error(*grid, points) == 0);
    }
    CHECK(fit_grid({}, {}).ok());
    CHECK(bounds_of({}).radius == 0);
}

TEST_CASE("coordinates that leave no room for arithmetic are refused, with the value and the vertex") {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    for (const float bad : {1e38F, -1e38F, nan, inf}) {
        const auto grid = fit_grid(std::vector<Float3>{{0, 0, 0}, {0, bad, 0}}, {});
        REQUIRE(!grid.ok());
        CHECK(grid.error().kind == ErrorKind::InvalidInput);
        CHECK(grid.error().where == "vertex 1");
        CHECK(grid.error().code == 1001);
    }
    CHECK(fit_grid(std::vector<Float3>{{0, 0, 0}, {0, 1e38F, 0}}, {}).error().message ==
          "position (0, 1e+38, 0) is not within 1000000000 m of the origin");
}

TEST_CASE("the sphere of bounds contains every point in double arithmetic") {
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const std::vector<Float3> points = cloud(seed, {100, 0, 0}, {3, 2, 1}, 200);
        const Bounds bounds = bounds_of(points);
        for (const Float3 p : points) {
            CHECK(length(to_double(p) - to_double(bounds.center)) <= to_double(bounds.radius));
            CHECK((p.x >= bounds.min.x && p.y >= bounds.min.y && p.z >= bounds.min.z));
            CHECK((p.x <= bounds.max.x && p.y <= bounds.max.y && p.z <= bounds.max.z));
        }
    }
}
