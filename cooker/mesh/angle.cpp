#include "cooker/mesh/angle.hpp"

#include <cmath>
#include <limits>

namespace sinter {
namespace {

// atan(t) for t in [0, 1].
double atan_unit(double t) {
    constexpr double kTan15Deg = 0.26794919243112270647;
    constexpr double kSqrt3 = 1.73205080756887729353;
    double base = 0;
    if (t > kTan15Deg) {  // atan(t) = pi/6 + atan((t sqrt3 - 1) / (t + sqrt3))
        base = kPi / 6;
        t = (t * kSqrt3 - 1) / (t + kSqrt3);
    }
    const double s = t * t;
    double sum = 1.0 / 17;
    sum = 1.0 / 15 - s * sum;
    sum = 1.0 / 13 - s * sum;
    sum = 1.0 / 11 - s * sum;
    sum = 1.0 / 9 - s * sum;
    sum = 1.0 / 7 - s * sum;
    sum = 1.0 / 5 - s * sum;
    sum = 1.0 / 3 - s * sum;
    sum = 1.0 - s * sum;
    return base + t * sum;
}

}  // namespace

Double3 normalized_or_zero(Double3 v) {
    const double squared = dot(v, v);
    if (!(squared > std::numeric_limits<double>::min())) return {};
    const double scale = 1 / std::sqrt(squared);
    return v * scale;
}

Double3 any_perpendicular(Double3 n) {
    const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
    const Double3 axis = x <= y && x <= z ? Double3{1, 0, 0} : y <= z ? Double3{0, 1, 0} : Double3{0, 0, 1};
    return normalized_or_zero(axis - n * dot(n, axis));
}

double atan2_upper(double y, double x) {
    const double width = std::abs(x);
    if (y == 0 && width == 0) return 0;
    const double angle = y <= width ? atan_unit(y / width) : kPi / 2 - atan_unit(width / y);
    return x < 0 ? kPi - angle : angle;
}

double angle_between(Double3 a, Double3 b) { return atan2_upper(length(cross(a, b)), dot(a, b)); }

}  // namespace sinter
