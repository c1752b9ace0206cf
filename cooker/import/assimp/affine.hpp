// Affine transforms in double precision, for building a scene before it is rounded to float once.
#pragma once

#include "cooker/math.hpp"

#include <array>
#include <cmath>
#include <optional>

namespace sinter {

struct Double3 {
    double x = 0, y = 0, z = 0;
    bool operator==(const Double3&) const = default;
};

[[nodiscard]] inline Double3 operator+(Double3 a, Double3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
[[nodiscard]] inline Double3 operator-(Double3 a, Double3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
[[nodiscard]] inline Double3 operator*(Double3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
[[nodiscard]] inline double dot(Double3 a, Double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] inline Double3 cross(Double3 a, Double3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double length(Double3 a) { return std::sqrt(dot(a, a)); }
[[nodiscard]] inline Double3 scaled(Double3 a, Double3 s) { return {a.x * s.x, a.y * s.y, a.z * s.z}; }
[[nodiscard]] inline bool is_finite(Double3 a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
[[nodiscard]] inline Float3 to_float(Double3 a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
[[nodiscard]] inline Double3 to_double(Float3 a) {
    return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
}

struct DoubleQuat {
    double x = 0, y = 0, z = 0, w = 1;
};

[[nodiscard]] inline DoubleQuat operator*(DoubleQuat a, DoubleQuat b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
[[nodiscard]] inline DoubleQuat conjugate(DoubleQuat q) { return {-q.x, -q.y, -q.z, q.w}; }
[[nodiscard]] inline double dot(DoubleQuat a, DoubleQuat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
[[nodiscard]] Double3 rotate(DoubleQuat q, Double3 v);
[[nodiscard]] inline Quat to_float(DoubleQuat q) {
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
            static_cast<float>(q.w)};
}

struct DoubleTrs {
    Double3 translation;
    DoubleQuat rotation;
    Double3 scale{1, 1, 1};
};

[[nodiscard]] inline Trs to_float(const DoubleTrs& t) {
    return {to_float(t.translation), to_float(t.rotation), to_float(t.scale)};
}

// Three rows of four, row-major, points are columns.
struct Affine {
    std::array<double, 12> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    [[nodiscard]] double& at(int row, int column) {
        return m[static_cast<std::size_t>(row) * 4 + static_cast<std::size_t>(column)];
    }
    [[nodiscard]] double at(int row, int column) const {
        return m[static_cast<std::size_t>(row) * 4 + static_cast<std::size_t>(column)];
    }
};

[[nodiscard]] Affine operator*(const Affine& a, const Affine& b);
[[nodiscard]] Affine affine_of(const DoubleTrs& t);
[[nodiscard]] Double3 transform_point(const Affine& m, Double3 p);
[[nodiscard]] Double3 transform_vector(const Affine& m, Double3 v);  // without the translation
[[nodiscard]] double determinant(const Affine& m);
[[nodiscard]] bool is_finite(const Affine& m);
[[nodiscard]] Mat3x4 to_float(const Affine& m);
// Nothing where the determinant is 0 or not finite.
[[nodiscard]] std::optional<Affine> inverse(const Affine& m);

// Translation, rotation and scale of a matrix; a mirrored one gets a negative x scale. `exact` is false where
// the matrix has shear, so that the parts give another matrix back (by more than 1e-5 of its largest entry).
struct Decomposed {
    DoubleTrs trs;
    bool exact = true;
};
[[nodiscard]] Decomposed decompose(const Affine& m);

}  // namespace sinter
