#include "cooker/mesh/angle.hpp"

#include "meshes.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace sinter;
using namespace sinter::test;

TEST_CASE("atan2_upper is within 1e-12 of the true angle over the whole half circle") {
    // The truth is the parameter itself: (sin a, cos a) of libm carries about 1e-16.
    double largest = 0;
    for (int i = 0; i <= 200000; ++i) {
        const double angle = kPi * i / 200000;
        for (const double radius : {1.0, 1e-30, 3e25}) {
            const double y = std::abs(std::sin(angle)) * radius;
            largest = std::max(largest, std::abs(atan2_upper(y, std::cos(angle) * radius) - angle));
        }
    }
    CHECK(largest < 1e-12);
    CHECK(largest > 1e-16);  // the series is cut: an exact answer would mean that nothing was measured
}

TEST_CASE("atan2_upper knows its corners") {
    CHECK(atan2_upper(0, 0) == 0);
    CHECK(atan2_upper(0, 1) == 0);
    CHECK(std::abs(atan2_upper(1, 0) - kPi / 2) < 1e-15);
    CHECK(std::abs(atan2_upper(0, -1) - kPi) < 1e-15);
}

TEST_CASE("angle_between agrees with the long double atan2 for random vectors") {
    Random random(5);
    double largest = 0;
    for (int i = 0; i < 20000; ++i) {
        const Double3 a = to_double(random.point(1)), b = to_double(random.point(1));
        const Double3 c = cross(a, b);
        const long double truth =
            std::atan2(std::sqrt(static_cast<long double>(dot(c, c))), static_cast<long double>(dot(a, b)));
        largest = std::max(largest, std::abs(angle_between(a, b) - static_cast<double>(truth)));
    }
    CHECK(largest < 1e-12);
    CHECK(angle_between({}, {1, 0, 0}) == 0);
}

TEST_CASE("any_perpendicular is unit and perpendicular") {
    Random random(6);
    for (int i = 0; i < 1000; ++i) {
        const Double3 n = normalized_or_zero(to_double(random.point(1)));
        const Double3 p = any_perpendicular(n);
        CHECK(std::abs(dot(n, p)) < 1e-15);  // rounding of three products
        CHECK(std::abs(length(p) - 1) < 1e-15);
    }
    CHECK(normalized_or_zero({}) == Double3{});
}
