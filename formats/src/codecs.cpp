#include <sinter/formats/codecs.hpp>

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

constexpr float kOctScale = 32767.0F;

using Double3 = std::array<double, 3>;

double length(const Double3& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

Double3 unit(std::array<float, 3> v) {
    Double3 out{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
    const double len = length(out);
    for (double& c : out) c /= len;
    return out;
}

double squared_distance(const Double3& a, std::array<float, 3> b) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const double d = a[i] - static_cast<double>(b[i]);
        sum += d * d;
    }
    return sum;
}

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
    const Double3 n = unit(direction);
    const double sum = std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]);
    double u = n[0] / sum;
    double v = n[1] / sum;
    if (n[2] < 0) {
        const double folded_u = (1 - std::abs(v)) * (u >= 0 ? 1 : -1);
        v = (1 - std::abs(u)) * (v >= 0 ? 1 : -1);
        u = folded_u;
    }
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
    const Double3 ua = unit(a);
    const Double3 ub = unit(b);
    const double apart = length({ua[0] - ub[0], ua[1] - ub[1], ua[2] - ub[2]});
    const double together = length({ua[0] + ub[0], ua[1] + ub[1], ua[2] + ub[2]});
    constexpr double kDegreesPerRadian = 57.29577951308232;
    return together == 0 ? 180 : 2 * arc_tangent(apart / together) * kDegreesPerRadian;
}

}  // namespace sinter
