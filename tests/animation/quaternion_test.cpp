#include "cooker/animation/quaternion.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <random>

using namespace sinter;

namespace {

constexpr double kPi = 3.14159265358979323846;

QuatD about_z(double angle) { return {0, 0, std::sin(angle / 2), std::cos(angle / 2)}; }

QuatD random_unit(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return normalized({normal(random), normal(random), normal(random), normal(random)});
}

double distance(const QuatD& a, const QuatD& b) {
    double square = 0;
    for (std::size_t i = 0; i < 4; ++i) square += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(square);
}

// The formula of glTF 2.0, appendix C.4, with libm.
QuatD textbook_slerp(const QuatD& a, const QuatD& b, double t) {
    const double d = dot(a, b), angle = std::acos(std::min(1.0, std::abs(d))), sign = d < 0 ? -1 : 1;
    QuatD out{};
    for (std::size_t i = 0; i < 4; ++i) {
        out[i] = std::sin(angle * (1 - t)) / std::sin(angle) * a[i] +
                 sign * std::sin(angle * t) / std::sin(angle) * b[i];
    }
    return out;
}

}  // namespace

TEST_CASE("slerp turns at constant speed about one axis, for every angle below a half turn") {
    for (int step = -127; step <= 127; ++step) {
        const double angle = step * kPi / 128;
        for (double s = 0; s <= 1; s += 1.0 / 32) {
            CHECK(distance(slerp(about_z(0.3), about_z(0.3 + angle), s), about_z(0.3 + angle * s)) < 1e-14);
        }
    }
}

TEST_CASE("slerp takes the shorter arc and keeps its ends bit for bit") {
    const QuatD a = about_z(0.25), b = about_z(0.75);
    const QuatD opposite{-b[0], -b[1], -b[2], -b[3]};
    CHECK(distance(slerp(a, opposite, 0.5), about_z(0.5)) < 1e-15);
    CHECK(slerp(a, b, 0) == a);
    CHECK(slerp(a, b, 1) == b);
    CHECK(slerp(a, a, 0.37) == a);
}

TEST_CASE("slerp equals the formula with acos and sin over random rotations") {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> part(0, 1);
    for (int i = 0; i < 20000; ++i) {
        const QuatD a = random_unit(random), b = random_unit(random);
        const double s = part(random);
        // acos near 1 loses half its digits, so that the formula itself is no better than 1e-8 there.
        const double tolerance = std::abs(dot(a, b)) > 0.999 ? 1e-8 : 1e-13;
        CHECK(distance(slerp(a, b, s), textbook_slerp(a, b, s)) < tolerance);
    }
}

TEST_CASE("slerp of nearly equal rotations stays between them") {
    for (const double angle : {1e-4, 1e-7, 1e-9, 1e-12, 1e-15}) {
        const QuatD middle = slerp(about_z(0), about_z(angle), 0.25);
        CHECK(middle[2] == Catch::Approx(angle / 8).epsilon(1e-9));  // sine of half of a quarter of the angle
    }
}

TEST_CASE("rotation_angle_deg measures the rotation between two quaternions, sign ignored") {
    for (double angle = 0; angle <= kPi; angle += kPi / 256) {
        const QuatD b = about_z(1 + angle);
        CHECK(rotation_angle_deg(about_z(1), b) == Catch::Approx(angle * 180 / kPi).margin(1e-9));
        CHECK(rotation_angle_deg(about_z(1), {-b[0], -b[1], -b[2], -b[3]}) ==
              Catch::Approx(angle * 180 / kPi).margin(1e-9));
    }
    CHECK(rotation_angle_deg(about_z(0), about_z(1e-6)) == Catch::Approx(1e-6 * 180 / kPi).epsilon(1e-6));
}

TEST_CASE("nlerp meets slerp at ends and middle and leaves it by the cube of the angle between") {
    const QuatD a = about_z(0), b = about_z(0.1);
    CHECK(distance(nlerp(a, b, 0.5), slerp(a, b, 0.5)) < 1e-15);
    // tan(u) = (2s - 1) tan(t/2) for the angle u from the middle of two quaternions an angle t apart:
    // expanded, the difference to (2s - 1) t/2 is t^3/6 s (1 - s) (2s - 1), at most t^3 sqrt(3)/108.
    double worst = 0;
    for (double s = 0; s <= 1; s += 1.0 / 64)
        worst = std::max(worst, distance(nlerp(a, b, s), slerp(a, b, s)));
    const double expected = std::pow(0.05, 3) * std::sqrt(3.0) / 108;
    CHECK(worst == Catch::Approx(expected).epsilon(0.02));
}

TEST_CASE("the zero quaternion normalises to no rotation") {
    CHECK(normalized({0, 0, 0, 0}) == QuatD{0, 0, 0, 1});
}
