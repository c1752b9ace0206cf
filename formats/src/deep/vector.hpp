// Vectors of doubles made from stored floats, which they hold exactly.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace sinter::deep {

using Float3 = std::array<float, 3>;

struct Vec {
    double x = 0, y = 0, z = 0;
};

[[nodiscard]] inline Vec vec(const Float3& p) {
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}
[[nodiscard]] inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
[[nodiscard]] inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
[[nodiscard]] inline Vec operator*(Vec a, double s) { return {a.x * s, a.y * s, a.z * s}; }
[[nodiscard]] inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] inline Vec cross(Vec a, Vec b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double length(Vec a) { return std::sqrt(dot(a, a)); }
[[nodiscard]] inline Float3 to_float(Vec a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

}  // namespace sinter::deep
