// Angles without libm: only + - * / sqrt, which IEEE 754 rounds the same way everywhere, so that weights
// and smoothing decisions made from angles give the same bytes with every compiler and C library.
#pragma once

#include "cooker/math.hpp"

#include <array>

namespace sinter {

inline constexpr double kPi = 3.14159265358979323846;

// Vectors of the mesh stage's inner sums; double, so that neither tiny nor huge meshes under- or overflow.
struct Double3 {
    double x = 0, y = 0, z = 0;
    bool operator==(const Double3&) const = default;
};

[[nodiscard]] inline double to_double(float v) { return static_cast<double>(v); }
[[nodiscard]] inline Double3 to_double(Float3 v) { return {to_double(v.x), to_double(v.y), to_double(v.z)}; }
[[nodiscard]] inline Float3 to_float(Double3 v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
[[nodiscard]] inline Double3 operator+(Double3 a, Double3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
[[nodiscard]] inline Double3 operator-(Double3 a, Double3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
[[nodiscard]] inline Double3 operator*(Double3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
[[nodiscard]] inline double dot(Double3 a, Double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] inline Double3 cross(Double3 a, Double3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double length(Double3 a) { return std::sqrt(dot(a, a)); }

// The unit vector along v, or zero where v is zero (or too short for its square to be a normal number).
[[nodiscard]] Double3 normalized_or_zero(Double3 v);

// A unit vector perpendicular to the unit vector n; a function of n alone.
[[nodiscard]] Double3 any_perpendicular(Double3 n);

// atan2(y, x) for y >= 0, so in [0, pi]; atan2(0, 0) = 0. Two argument reductions bring the ratio to
// |t| <= tan(pi / 12), where the alternating Taylor series of atan to t^17 leaves less than
// |t|^19 / 19 < 7.1e-13. Together with rounding: within 1e-12 of the true angle.
[[nodiscard]] double atan2_upper(double y, double x);

// The angle between two vectors, [0, pi]; 0 where one of them is zero. Exact to 1e-12 also near 0 and pi
// (cross and dot product, not acos).
[[nodiscard]] double angle_between(Double3 a, Double3 b);

}  // namespace sinter
