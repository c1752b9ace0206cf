// The few vector types that cross stage borders. Points are columns: p' = M * (p, 1).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace sinter {

struct Float2 {
    float x = 0, y = 0;
    bool operator==(const Float2&) const = default;
};
struct Float3 {
    float x = 0, y = 0, z = 0;
    bool operator==(const Float3&) const = default;
};
struct Float4 {
    float x = 0, y = 0, z = 0, w = 0;
    bool operator==(const Float4&) const = default;
};

// The form that the records of formats/ have.
[[nodiscard]] inline std::array<float, 3> array_of(Float3 v) { return {v.x, v.y, v.z}; }

// Unit quaternion, x y z w, w = cosine of the half angle.
using Quat = Float4;

// A local transform: scale first, then rotation, then translation.
struct Trs {
    Float3 translation;
    Quat rotation{0, 0, 0, 1};
    Float3 scale{1, 1, 1};
    bool operator==(const Trs&) const = default;
};

// Affine transform, three rows of four, row-major; the fourth row is (0, 0, 0, 1) and not stored.
struct Mat3x4 {
    std::array<float, 12> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    [[nodiscard]] float& at(int row, int column) { return m[index_of(row, column)]; }
    [[nodiscard]] float at(int row, int column) const { return m[index_of(row, column)]; }
    [[nodiscard]] static std::size_t index_of(int row, int column) {
        return static_cast<std::size_t>(row) * 4 + static_cast<std::size_t>(column);
    }
    bool operator==(const Mat3x4&) const = default;
};

[[nodiscard]] inline Float3 operator+(Float3 a, Float3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
[[nodiscard]] inline Float3 operator-(Float3 a, Float3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
[[nodiscard]] inline Float3 operator*(Float3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
[[nodiscard]] inline float dot(Float3 a, Float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] inline Float3 cross(Float3 a, Float3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline float length(Float3 a) { return std::sqrt(dot(a, a)); }
[[nodiscard]] inline bool is_finite(Float3 a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

// The matrix of a local transform.
[[nodiscard]] inline Mat3x4 matrix_of(const Trs& t) {
    const auto& [x, y, z, w] = t.rotation;
    const float r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                           {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                           {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    const float s[3] = {t.scale.x, t.scale.y, t.scale.z};
    const float translation[3] = {t.translation.x, t.translation.y, t.translation.z};
    Mat3x4 out;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) out.at(row, column) = r[row][column] * s[column];
        out.at(row, 3) = translation[row];
    }
    return out;
}

// a after b: the transform that applies b first.
[[nodiscard]] inline Mat3x4 operator*(const Mat3x4& a, const Mat3x4& b) {
    Mat3x4 out;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            float sum = column == 3 ? a.at(row, 3) : 0.0F;
            for (int k = 0; k < 3; ++k) sum += a.at(row, k) * b.at(k, column);
            out.at(row, column) = sum;
        }
    }
    return out;
}

[[nodiscard]] inline Float3 transform_point(const Mat3x4& m, Float3 p) {
    return {m.at(0, 0) * p.x + m.at(0, 1) * p.y + m.at(0, 2) * p.z + m.at(0, 3),
            m.at(1, 0) * p.x + m.at(1, 1) * p.y + m.at(1, 2) * p.z + m.at(1, 3),
            m.at(2, 0) * p.x + m.at(2, 1) * p.y + m.at(2, 2) * p.z + m.at(2, 3)};
}

[[nodiscard]] inline float determinant3(const Mat3x4& m) {
    return dot({m.at(0, 0), m.at(0, 1), m.at(0, 2)},
               cross({m.at(1, 0), m.at(1, 1), m.at(1, 2)}, {m.at(2, 0), m.at(2, 1), m.at(2, 2)}));
}

}  // namespace sinter
