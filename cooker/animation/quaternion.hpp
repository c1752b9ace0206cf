// Quaternion interpolation in double precision with + - * / and square root only, so that every compiler and
// libm gives the same bits.
#pragma once

#include <array>

namespace sinter {

using QuatD = std::array<double, 4>;  // x y z w

[[nodiscard]] double dot(const QuatD& a, const QuatD& b);

// q / |q|; the identity where |q| is 0.
[[nodiscard]] QuatD normalized(const QuatD& q);

// Spherical linear interpolation along the shorter arc, s in [0, 1] (glTF 2.0, appendix C.4). Pre: unit
// quaternions. The arc is halved four times (the middle of two unit vectors is their normalised sum,
// exactly); what is left is at most pi/32 and is done by power series whose remainder is below 1e-16. The
// result's distance from the exact one is below 1e-14; equal ends come back bit-equal.
[[nodiscard]] QuatD slerp(const QuatD& a, const QuatD& b, double s);

// Normalised linear interpolation along the shorter arc: what readers of sampled clips do between samples.
[[nodiscard]] QuatD nlerp(const QuatD& a, const QuatD& b, double s);

// Angle in degrees, [0, 180], of the rotation that leads from a to b (q and -q are the same rotation).
// Error below 1e-9 degrees. Pre: unit quaternions.
[[nodiscard]] double rotation_angle_deg(const QuatD& a, const QuatD& b);

}  // namespace sinter
