#include <sinter/formats/codecs.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace sinter {
namespace {

using Direction = std::array<float, 3>;

// The angle by another way than the library's: long double arc sine of half the chord.
double reference_angle_deg(const Direction& a, const Direction& b) {
    const auto unit = [](const Direction& v) {
        std::array<long double, 3> u{};
        std::ranges::transform(v, u.begin(), [](float c) { return static_cast<long double>(c); });
        const long double len = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        for (long double& c : u) c /= len;
        return u;
    };
    const auto ua = unit(a);
    const auto ub = unit(b);
    long double squared = 0;
    for (std::size_t i = 0; i < 3; ++i) squared += (ua[i] - ub[i]) * (ua[i] - ub[i]);
    return static_cast<double>(2 * std::asin(std::min(std::sqrt(squared) / 2, 1.0L)) * 180 /
                               std::numbers::pi_v<long double>);
}

double round_trip_error_deg(const Direction& d) { return reference_angle_deg(d, oct_decode(oct_encode(d))); }

}  // namespace

TEST_CASE("octahedral normals stay within the promised angle over a dense sweep of the sphere") {
    double worst = 0;
    constexpr int kSteps =
        1500;  // 2.25 million directions, a quarter of a code apart at most in the finest part
    for (int i = 0; i < kSteps; ++i) {
        for (int j = 0; j < kSteps; ++j) {
            // Offset by irrational fractions, so that the sweep does not stay on lines of codes.
            const double z = -1 + 2 * (i + 0.381966) / kSteps;
            const double phi = 2 * std::numbers::pi * (j + 0.618034 * i) / kSteps;
            const double r = std::sqrt(1 - z * z);
            const Direction d{static_cast<float>(r * std::cos(phi)), static_cast<float>(r * std::sin(phi)),
                              static_cast<float>(z)};
            // The chord is enough to find the worst; arc sine for each would take most of the time.
            const Direction back = oct_decode(oct_encode(d));
            double squared = 0;
            for (std::size_t c = 0; c < 3; ++c) {
                const double delta = static_cast<double>(d[c]) - static_cast<double>(back[c]);
                squared += delta * delta;
            }
            worst = std::max(worst, squared);
        }
    }
    const double worst_deg = std::sqrt(worst) * 180 / std::numbers::pi;
    CAPTURE(worst_deg);
    CHECK(worst_deg <= static_cast<double>(kMaxOctErrorDeg));
    // Half a diagonal of the largest cell: a smaller worst case would mean that the sweep misses it.
    CHECK(worst_deg > 0.0023);
}

TEST_CASE("octahedral normals stay within the promised angle where cells are largest and folds meet") {
    std::mt19937 random(7);
    std::normal_distribution<float> near(0, 1e-3F);
    double worst = 0;
    for (int i = 0; i < 200000; ++i) {
        // The middle of an octant's edges, the axes, and the fold at z = 0.
        const float s = (i & 1) != 0 ? 1.0F : -1.0F;
        const Direction centres[] = {{s, 1, 0}, {s, 0, 1}, {0, s, -1}, {s, 0, 0}, {0, 0, s}, {s, s, 1e-6F}};
        Direction d = centres[static_cast<std::size_t>(i) % std::size(centres)];
        for (float& c : d) c += near(random);
        worst = std::max(worst, round_trip_error_deg(d));
    }
    CAPTURE(worst);
    CHECK(worst <= static_cast<double>(kMaxOctErrorDeg));
}

TEST_CASE("every octahedral code decodes to a unit vector that encodes to the same direction") {
    // All pairs of a coarse grid of codes with the ends and the middle in it, and random ones.
    std::mt19937 random(11);
    std::uniform_int_distribution<int> code(-32767, 32767);
    const auto check = [](OctNormal n) {
        const Direction d = oct_decode(n);
        const double len = std::sqrt(static_cast<double>(d[0]) * static_cast<double>(d[0]) +
                                     static_cast<double>(d[1]) * static_cast<double>(d[1]) +
                                     static_cast<double>(d[2]) * static_cast<double>(d[2]));
        const Direction again = oct_decode(oct_encode(d));
        // Float rounding of a normalisation: a few units in the last place of 1.
        return std::abs(len - 1) < 3e-7 && reference_angle_deg(d, again) < 2e-5;
    };
    int failures = 0;
    for (int u = -32767; u <= 32767; u += 257) {
        for (int v = -32767; v <= 32767; v += 257) {
            if (!check({static_cast<std::int16_t>(u), static_cast<std::int16_t>(v)})) ++failures;
        }
    }
    for (int i = 0; i < 300000; ++i) {
        if (!check({static_cast<std::int16_t>(code(random)), static_cast<std::int16_t>(code(random))}))
            ++failures;
    }
    CHECK(failures == 0);
    for (const auto& [n, d] : {std::pair{OctNormal{0, 0}, Direction{0, 0, 1}},
                               {OctNormal{32767, 0}, {1, 0, 0}},
                               {OctNormal{0, -32767}, {0, -1, 0}},
                               {OctNormal{32767, 32767}, {0, 0, -1}}}) {
        CHECK(oct_decode(n) == d);
        CHECK(reference_angle_deg(oct_decode(oct_encode(d)), d) == 0);
    }
}

TEST_CASE("encoding is as good as the best of all nearby codes") {
    std::mt19937 random(3);
    std::normal_distribution<float> normal(0, 1);
    for (int i = 0; i < 20000; ++i) {
        const Direction d{normal(random), normal(random), normal(random)};
        const OctNormal chosen = oct_encode(d);
        const double error = reference_angle_deg(d, oct_decode(chosen));
        for (int du = -2; du <= 2; ++du) {
            for (int dv = -2; dv <= 2; ++dv) {
                const OctNormal other{static_cast<std::int16_t>(std::clamp(chosen.u + du, -32767, 32767)),
                                      static_cast<std::int16_t>(std::clamp(chosen.v + dv, -32767, 32767))};
                // Decoded values are floats: two codes may tie within their rounding, 1e-5 degrees.
                REQUIRE(error <= reference_angle_deg(d, oct_decode(other)) + 1e-5);
            }
        }
    }
}

TEST_CASE("angles agree with the arc sine, small and large ones") {
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0, 1);
    for (int i = 0; i < 20000; ++i) {
        const Direction a{normal(random), normal(random), normal(random)};
        Direction b = a;
        const float spread = std::pow(10.0F, -static_cast<float>(i % 7));
        for (float& c : b) c += spread * normal(random);
        const double expected = reference_angle_deg(a, b);
        // Both sides compute in at least double: only its rounding is between them, but near 180 degrees the
        // arc sine is ill-conditioned.
        REQUIRE(std::abs(angle_deg(a, b) - expected) <= (expected > 179 ? 1e-4 : 1e-9 + 1e-12 * expected));
    }
    CHECK(angle_deg({1, 0, 0}, {1, 0, 0}) == 0);
    CHECK(angle_deg({1, 0, 0}, {-1, 0, 0}) == 180);
    CHECK(std::abs(angle_deg({1, 0, 0}, {0, 2, 0}) - 90) < 1e-12);
}

TEST_CASE("grid positions decode by one multiplication and one addition in float") {
    const auto p = grid_decode({1, -2, 0.1F}, 0.25F, {4, -8, 3});
    CHECK(p == std::array<float, 3>{2, -4, 0.1F + 0.75F});
}

}  // namespace sinter
