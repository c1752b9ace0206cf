#include "runtime/camera.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace sinter::test {
namespace {

// A point in clip space, divided: x right and y down from -1 to 1, z the depth.
std::array<double, 3> project(const Camera& camera, Vec3d p) {
    const auto rows = camera.clip_from_world();
    std::array<double, 4> clip{};
    for (std::size_t r = 0; r < 4; ++r)
        clip[r] = rows[r][0] * p.x + rows[r][1] * p.y + rows[r][2] * p.z + rows[r][3];
    return {clip[0] / clip[3], clip[1] / clip[3], clip[2] / clip[3]};
}

TEST_CASE("all spheres are inside of the picture, and nearly fill it one way") {
    std::mt19937 random(3);
    const auto value = [&](double low, double high) {
        return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
    };
    const auto side = [&] { return static_cast<std::uint32_t>(100 + random() % 1000); };
    for (int round = 0; round < 50; ++round) {
        std::vector<BoundingSphere> spheres;
        for (int i = 0; i < 12; ++i)
            spheres.push_back({{value(-3, 5), value(-1, 9), value(-4, 4)}, value(0.01, 2)});
        const Orbit orbit{value(0, 360), value(-90, 90), 1};
        const Camera camera = frame_spheres(spheres, orbit, side(), side());
        double reach = 0;
        for (const BoundingSphere& s : spheres) {
            for (int i = 0; i < 200; ++i) {  // points on the sphere
                Vec3d d{value(-1, 1), value(-1, 1), value(-1, 1)};
                const auto at = project(camera, s.center + normalized(d) * s.radius);
                reach = std::max({reach, std::abs(at[0]), std::abs(at[1])});
                REQUIRE(at[2] > 0);
                REQUIRE(at[2] < 1);
            }
        }
        CHECK(reach <= 1);
        // Points at random reach to nearly the edge of a sphere; 6 % are margin.
        CHECK(reach > 0.85);
    }
}

TEST_CASE("points without extent are framed as well, and so is nothing at all") {
    const std::vector<BoundingSphere> points{{{5, 5, 5}, 0}, {{6, 5, 5}, 0}, {{5, 7, 5}, 0}};
    const Camera camera = frame_spheres(points, {}, 300, 200);
    double reach = 0;
    for (const BoundingSphere& p : points) {
        const auto at = project(camera, p.center);
        reach = std::max({reach, std::abs(at[0]), std::abs(at[1])});
    }
    CHECK(reach <= 1);
    // The slack is the same towards both planes of an axis, so the farther of two points is more inside.
    CHECK(reach > 0.8);
    for (const std::vector<BoundingSphere>& few : {std::vector<BoundingSphere>{}, {{{5, 5, 5}, 0}}}) {
        const Camera other = frame_spheres(few, {}, 300, 200);
        const auto at = project(other, few.empty() ? Vec3d{} : few[0].center);
        CHECK(std::abs(at[0]) < 0.5);
        CHECK(std::abs(at[1]) < 0.5);
        CHECK(at[2] > 0);
    }
}

TEST_CASE("a length across the view covers as many pixels as the camera says") {
    const Camera camera = frame_spheres(std::vector<BoundingSphere>{{{1, 2, 3}, 4}}, {40, 25, 1}, 640, 480);
    const Vec3d center = camera.eye + camera.forward * 10;
    const auto a = project(camera, center);
    const auto b = project(camera, center + camera.right * 0.5);
    const auto c = project(camera, center + camera.up * 0.5);
    CHECK(std::abs((b[0] - a[0]) / 2 * 640 - 0.5 / 10 * camera.pixels_per_radian()) < 1e-9);
    CHECK(std::abs((a[1] - c[1]) / 2 * 480 - 0.5 / 10 * camera.pixels_per_radian()) < 1e-9);
}

}  // namespace
}  // namespace sinter::test
