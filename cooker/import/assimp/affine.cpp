#include "cooker/import/assimp/affine.hpp"

#include <algorithm>

namespace sinter {
namespace {

// Shepperd, "Quaternion from rotation matrix", 1978: the largest of the four components first.
DoubleQuat quat_of_rotation(const double (&r)[3][3]) {
    const double trace = r[0][0] + r[1][1] + r[2][2];
    DoubleQuat q;
    if (trace >= r[0][0] && trace >= r[1][1] && trace >= r[2][2]) {
        q = {r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1], 1 + trace};
    } else if (r[0][0] >= r[1][1] && r[0][0] >= r[2][2]) {
        q = {1 + r[0][0] - r[1][1] - r[2][2], r[0][1] + r[1][0], r[0][2] + r[2][0], r[2][1] - r[1][2]};
    } else if (r[1][1] >= r[2][2]) {
        q = {r[0][1] + r[1][0], 1 - r[0][0] + r[1][1] - r[2][2], r[1][2] + r[2][1], r[0][2] - r[2][0]};
    } else {
        q = {r[0][2] + r[2][0], r[1][2] + r[2][1], 1 - r[0][0] - r[1][1] + r[2][2], r[1][0] - r[0][1]};
    }
    const double norm = std::sqrt(dot(q, q));
    if (!(norm > 0) || !std::isfinite(norm)) return {};
    return {q.x / norm, q.y / norm, q.z / norm, q.w / norm};
}

}  // namespace

Double3 rotate(DoubleQuat q, Double3 v) {
    const Double3 axis{q.x, q.y, q.z};
    const Double3 twice = cross(axis, v) * 2.0;
    return v + twice * q.w + cross(axis, twice);
}

Affine operator*(const Affine& a, const Affine& b) {
    Affine out;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            double sum = column == 3 ? a.at(row, 3) : 0.0;
            for (int k = 0; k < 3; ++k) sum += a.at(row, k) * b.at(k, column);
            out.at(row, column) = sum;
        }
    }
    return out;
}

Affine affine_of(const DoubleTrs& t) {
    const auto& [x, y, z, w] = t.rotation;
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    const double s[3] = {t.scale.x, t.scale.y, t.scale.z};
    const double translation[3] = {t.translation.x, t.translation.y, t.translation.z};
    Affine out;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) out.at(row, column) = r[row][column] * s[column];
        out.at(row, 3) = translation[row];
    }
    return out;
}

Double3 transform_vector(const Affine& m, Double3 v) {
    return {m.at(0, 0) * v.x + m.at(0, 1) * v.y + m.at(0, 2) * v.z,
            m.at(1, 0) * v.x + m.at(1, 1) * v.y + m.at(1, 2) * v.z,
            m.at(2, 0) * v.x + m.at(2, 1) * v.y + m.at(2, 2) * v.z};
}

Double3 transform_point(const Affine& m, Double3 p) {
    return transform_vector(m, p) + Double3{m.at(0, 3), m.at(1, 3), m.at(2, 3)};
}

double determinant(const Affine& m) {
    return dot(
        Double3{m.at(0, 0), m.at(0, 1), m.at(0, 2)},
        cross(Double3{m.at(1, 0), m.at(1, 1), m.at(1, 2)}, Double3{m.at(2, 0), m.at(2, 1), m.at(2, 2)}));
}

bool is_finite(const Affine& m) {
    return std::all_of(m.m.begin(), m.m.end(), [](double value) { return std::isfinite(value); });
}

Mat3x4 to_float(const Affine& m) {
    Mat3x4 out;
    for (std::size_t i = 0; i < 12; ++i) out.m[i] = static_cast<float>(m.m[i]);
    return out;
}

std::optional<Affine> inverse(const Affine& m) {
    const double det = determinant(m);
    if (!std::isfinite(det) || det == 0 || !is_finite(m)) return std::nullopt;
    Affine out;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            const int r1 = (column + 1) % 3;
            const int r2 = (column + 2) % 3;
            const int c1 = (row + 1) % 3;
            const int c2 = (row + 2) % 3;
            out.at(row, column) = (m.at(r1, c1) * m.at(r2, c2) - m.at(r1, c2) * m.at(r2, c1)) / det;
        }
    }
    const Double3 moved = transform_vector(out, {m.at(0, 3), m.at(1, 3), m.at(2, 3)});
    out.at(0, 3) = -moved.x;
    out.at(1, 3) = -moved.y;
    out.at(2, 3) = -moved.z;
    if (!is_finite(out)) return std::nullopt;
    return out;
}

Decomposed decompose(const Affine& m) {
    Decomposed out;
    out.trs.translation = {m.at(0, 3), m.at(1, 3), m.at(2, 3)};
    double scale[3];
    double r[3][3];
    for (int column = 0; column < 3; ++column) {
        scale[column] = length(Double3{m.at(0, column), m.at(1, column), m.at(2, column)});
    }
    if (determinant(m) < 0) scale[0] = -scale[0];
    double largest = 0;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            r[row][column] =
                scale[column] != 0 ? m.at(row, column) / scale[column] : (row == column ? 1.0 : 0.0);
            largest = std::max(largest, std::abs(m.at(row, column)));
        }
    }
    out.trs.rotation = quat_of_rotation(r);
    out.trs.scale = {scale[0], scale[1], scale[2]};
    const Affine again = affine_of(out.trs);
    for (std::size_t i = 0; i < 12; ++i) {
        if (!(std::abs(again.m[i] - m.m[i]) <= 1e-5 * largest)) out.exact = false;
    }
    return out;
}

}  // namespace sinter
