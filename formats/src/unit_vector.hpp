// Directions in double precision, for encoders. Internal to formats.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace sinter {

using Double3 = std::array<double, 3>;

[[nodiscard]] inline double length(const Double3& v) {
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Pre: not zero.
[[nodiscard]] inline Double3 unit_vector(std::array<float, 3> v) {
    Double3 out{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
    const double len = length(out);
    for (double& c : out) c /= len;
    return out;
}

[[nodiscard]] inline double squared_distance(const Double3& a, std::array<float, 3> b) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const double d = a[i] - static_cast<double>(b[i]);
        sum += d * d;
    }
    return sum;
}

// The point of the square [-1, 1]^2 to which the octahedral map takes a direction.
[[nodiscard]] inline std::array<double, 2> octahedral_point(const Double3& n) {
    const double sum = std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]);
    const double u = n[0] / sum;
    const double v = n[1] / sum;
    if (n[2] >= 0) return {u, v};
    return {(1 - std::abs(v)) * (u >= 0 ? 1 : -1), (1 - std::abs(u)) * (v >= 0 ? 1 : -1)};
}

}  // namespace sinter
