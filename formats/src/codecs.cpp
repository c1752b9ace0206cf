#include <sinter/formats/codecs.hpp>

#include "unit_vector.hpp"

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

constexpr float kOctScale = 32767.0F;
constexpr double kUvCodeMax = 65535;

// Arc tangent of t >= 0 from basic operations only, so that it is the same with every libm: the angle is
// halved three times, then the Taylor series (t < 0.1: the first left-out term is below 1e-17).
double arc_tangent(double t) {
    constexpr double kHalfPi = 1.5707963267948966;
    if (t > 1) return kHalfPi - arc_tangent(1 / t);
    for (int i = 0; i < 3; ++i) t = t / (1 + std::sqrt(1 + t * t));
    const double t2 = t * t;
    double sum = 0;
    for (int k = 15; k >= 1; k -= 2) sum = 1.0 / k - t2 * sum;
    return 8 * t * sum;
}

}  // namespace

std::array<float, 3> oct_decode(OctNormal code) {
    float x = std::max(static_cast<float>(code.u) / kOctScale, -1.0F);
    float y = std::max(static_cast<float>(code.v) / kOctScale, -1.0F);
    const float z = 1.0F - std::abs(x) - std::abs(y);
    const float fold = std::max(-z, 0.0F);
    x += x >= 0 ? -fold : fold;
    y += y >= 0 ? -fold : fold;
    const float len = std::sqrt(x * x + y * y + z * z);
    return {x / len, y / len, z / len};
}

OctNormal oct_encode(std::array<float, 3> direction) {
    const Double3 n = unit_vector(direction);
    const auto [u, v] = octahedral_point(n);
    const double scale = static_cast<double>(kOctScale);
    const double floor_u = std::floor(u * scale);
    const double floor_v = std::floor(v * scale);
    OctNormal best;
    double best_distance = 8;  // above the square of the sphere's diameter
    for (int i = 0; i < 4; ++i) {
        const OctNormal code{static_cast<std::int16_t>(std::clamp(floor_u + (i & 1), -scale, scale)),
                             static_cast<std::int16_t>(std::clamp(floor_v + (i >> 1), -scale, scale))};
        const double distance = squared_distance(n, oct_decode(code));
        if (distance < best_distance) {
            best_distance = distance;
            best = code;
        }
    }
    return best;
}

double angle_deg(std::array<float, 3> a, std::array<float, 3> b) {
    const Double3 ua = unit_vector(a);
    const Double3 ub = unit_vector(b);
    const double apart = length({ua[0] - ub[0], ua[1] - ub[1], ua[2] - ub[2]});
    const double together = length({ua[0] + ub[0], ua[1] + ub[1], ua[2] + ub[2]});
    constexpr double kDegreesPerRadian = 57.29577951308232;
    return together == 0 ? 180 : 2 * arc_tangent(apart / together) * kDegreesPerRadian;
}

UvGrid uv_grid(std::span<const UvRecord> uvs) {
    if (uvs.empty()) return {};
    std::array<float, 2> low{uvs[0].u, uvs[0].v};
    std::array<float, 2> high = low;
    for (const UvRecord uv : uvs) {
        low = {std::min(low[0], uv.u), std::min(low[1], uv.v)};
        high = {std::max(high[0], uv.u), std::max(high[1], uv.v)};
    }
    const auto step = [&](std::size_t k) {
        return static_cast<float>((static_cast<double>(high[k]) - static_cast<double>(low[k])) / kUvCodeMax);
    };
    return {.min = low, .step = {step(0), step(1)}};
}

UvCode uv_encode(const UvGrid& grid, UvRecord uv) {
    const auto encode = [](float min, float step, float value) {
        if (step == 0) return std::uint16_t{0};
        const double at = (static_cast<double>(value) - static_cast<double>(min)) / static_cast<double>(step);
        const double low = std::clamp(std::floor(at), 0.0, kUvCodeMax);
        const double high = std::min(low + 1, kUvCodeMax);
        const auto distance_of = [&](double code) {
            return std::abs(static_cast<double>(min + step * static_cast<float>(code)) -
                            static_cast<double>(value));
        };
        return static_cast<std::uint16_t>(distance_of(high) < distance_of(low) ? high : low);
    };
    return {encode(grid.min[0], grid.step[0], uv.u), encode(grid.min[1], grid.step[1], uv.v)};
}

}  // namespace sinter
