#include "cooker/animation/quaternion.hpp"

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

constexpr int kHalvings = 4;

QuatD combine(const QuatD& a, double s, const QuatD& b, double t) {
    return {a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t, a[3] * s + b[3] * t};
}

// Length of the chord between two unit quaternions.
double chord(const QuatD& a, const QuatD& b) {
    const QuatD d = combine(a, 1, b, -1);
    return std::sqrt(dot(d, d));
}

// Angle whose sine is x, for 0 <= x <= 0.1: the power series to x^11, remainder below 0.018 x^13 = 2e-15.
double small_arcsine(double x) {
    const double s = x * x;
    return x *
           (1 + s * (1.0 / 6 + s * (3.0 / 40 + s * (15.0 / 336 + s * (105.0 / 3456 + s * (945.0 / 42240))))));
}

// Sine of 0 <= x <= 0.1: the power series to x^9, remainder below x^11 / 11! = 3e-19.
double small_sine(double x) {
    const double s = x * x;
    return x * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72))));
}

}  // namespace

double dot(const QuatD& a, const QuatD& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

QuatD normalized(const QuatD& q) {
    const double length = std::sqrt(dot(q, q));
    if (!(length > 0)) return {0, 0, 0, 1};
    return {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

QuatD slerp(const QuatD& a, const QuatD& b, double s) {
    QuatD low = a;
    QuatD high = dot(a, b) < 0 ? combine(b, -1, b, 0) : b;
    if (s <= 0 || low == high) return low;
    if (s >= 1) return high;
    for (int i = 0; i < kHalvings; ++i) {
        const QuatD middle = normalized(combine(low, 1, high, 1));
        s *= 2;
        if (s < 1) {
            high = middle;
        } else {
            low = middle;
            s -= 1;
        }
    }
    const double angle = 2 * small_arcsine(chord(low, high) / 2);
    if (angle < 1e-8) return normalized(combine(low, 1 - s, high, s));  // differs from the arc by angle^3
    const double sine = small_sine(angle);
    return normalized(combine(low, small_sine(angle * (1 - s)) / sine, high, small_sine(angle * s) / sine));
}

QuatD nlerp(const QuatD& a, const QuatD& b, double s) {
    return normalized(combine(a, 1 - s, b, dot(a, b) < 0 ? -s : s));
}

double rotation_angle_deg(const QuatD& a, const QuatD& b) {
    const QuatD near = dot(a, b) < 0 ? combine(b, -1, b, 0) : b;
    // Sine of half the angle between the quaternions (a quarter of the rotation's), then halved further.
    double half = std::min(chord(a, near) / 2, std::sqrt(0.5));
    for (int i = 0; i < kHalvings; ++i) half = half / std::sqrt(2 * (1 + std::sqrt(1 - half * half)));
    constexpr double kDegrees = 57.295779513082320877;
    return 4 * (1 << kHalvings) * small_arcsine(half) * kDegrees;
}

}  // namespace sinter
