// Vectors and affine transforms in double: cameras, nodes and the references. Points are columns: p' = M * (p, 1).
#pragma once

#include "runtime/shaders/records.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace sinter {

struct Vec3d {
    double x = 0, y = 0, z = 0;
    friend Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }
};

[[nodiscard]] inline double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] inline Vec3d cross(Vec3d a, Vec3d b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double length(Vec3d a) { return std::sqrt(dot(a, a)); }
// Pre: not zero.
[[nodiscard]] inline Vec3d normalized(Vec3d a) { return a * (1 / length(a)); }

[[nodiscard]] inline Vec3d vec3d_of(const std::array<float, 3>& v) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}
[[nodiscard]] inline Vec3d vec3d_of(gpu::vec3 v) { return vec3d_of(std::array{v.x, v.y, v.z}); }
[[nodiscard]] inline gpu::vec3 vec3_of(Vec3d v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

// Three rows of four, row-major; the fourth row is (0, 0, 0, 1).
struct Affine3 {
    std::array<double, 12> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    [[nodiscard]] double at(std::size_t row, std::size_t column) const { return m[row * 4 + column]; }
    [[nodiscard]] double& at(std::size_t row, std::size_t column) { return m[row * 4 + column]; }
    [[nodiscard]] Vec3d row(std::size_t r) const { return {at(r, 0), at(r, 1), at(r, 2)}; }
    [[nodiscard]] Vec3d direction(Vec3d d) const { return {dot(row(0), d), dot(row(1), d), dot(row(2), d)}; }
    [[nodiscard]] Vec3d point(Vec3d p) const { return direction(p) + Vec3d{at(0, 3), at(1, 3), at(2, 3)}; }
};

[[nodiscard]] inline Affine3 operator*(const Affine3& a, const Affine3& b) {
    Affine3 out;
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 4; ++c) {
            double sum = c == 3 ? a.at(r, 3) : 0;
            for (std::size_t k = 0; k < 3; ++k) sum += a.at(r, k) * b.at(k, c);
            out.at(r, c) = sum;
        }
    }
    return out;
}

// A local transform: scale, then rotation (unit quaternion x y z w), then translation.
[[nodiscard]] Affine3 affine_of(Vec3d translation, std::array<double, 4> rotation, Vec3d scale);

}  // namespace sinter
