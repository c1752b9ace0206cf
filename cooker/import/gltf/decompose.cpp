#include "cooker/import/gltf/decompose.hpp"

#include <algorithm>
#include <cmath>

namespace sinter::gltf {
namespace {

constexpr double kTolerance = 4e-6;

struct Axis {
    double x = 0, y = 0, z = 0;
};

Axis cross(const Axis& a, const Axis& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double dot(const Axis& a, const Axis& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(const Axis& a) { return std::sqrt(dot(a, a)); }
Axis scaled(const Axis& a, double s) { return {a.x * s, a.y * s, a.z * s}; }

// A right-handed orthonormal frame near unit axes of which some may be zero or parallel.
std::array<Axis, 3> orthonormal(std::array<Axis, 3> axes) {
    Axis z = axes[2];
    if (length(z) == 0) z = cross(axes[0], axes[1]);
    if (length(z) == 0) z = {0, 0, 1};
    z = scaled(z, 1 / length(z));
    Axis x = axes[0];
    x = {x.x - z.x * dot(x, z), x.y - z.y * dot(x, z), x.z - z.z * dot(x, z)};
    constexpr double kParallel = 1e-6;
    if (length(x) < kParallel) x = cross(axes[1], z);
    if (length(x) < kParallel) x = cross(std::abs(z.x) < 0.9 ? Axis{0, z.z, -z.y} : Axis{-z.z, 0, z.x}, z);
    if (length(x) < kParallel) x = {1, 0, 0};
    x = scaled(x, 1 / length(x));
    return {x, cross(z, x), z};
}

// Source: Shepperd, Quaternion from Rotation Matrix, 1978: divides by the largest component.
Quat quaternion_of(const std::array<Axis, 3>& r) {
    const double trace = r[0].x + r[1].y + r[2].z;
    const std::array<double, 4> squares = {1 + 2 * r[0].x - trace, 1 + 2 * r[1].y - trace,
                                           1 + 2 * r[2].z - trace, 1 + trace};
    const auto largest = std::max_element(squares.begin(), squares.end()) - squares.begin();
    const double s = 2 * std::sqrt(std::max(squares[static_cast<std::size_t>(largest)], 0.0));
    std::array<double, 4> q{};
    switch (largest) {
    case 0: q = {s / 4, (r[1].x + r[0].y) / s, (r[2].x + r[0].z) / s, (r[1].z - r[2].y) / s}; break;
    case 1: q = {(r[1].x + r[0].y) / s, s / 4, (r[2].y + r[1].z) / s, (r[2].x - r[0].z) / s}; break;
    case 2: q = {(r[2].x + r[0].z) / s, (r[2].y + r[1].z) / s, s / 4, (r[0].y - r[1].x) / s}; break;
    default: q = {(r[1].z - r[2].y) / s, (r[2].x - r[0].z) / s, (r[0].y - r[1].x) / s, s / 4}; break;
    }
    return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]),
            static_cast<float>(q[3])};
}

bool is_close(const Trs& trs, const std::array<float, 12>& columns, double longest) {
    const Mat3x4 again = matrix_of(trs);
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            const double wanted = static_cast<double>(
                columns[static_cast<std::size_t>(column) * 3 + static_cast<std::size_t>(row)]);
            const double difference = static_cast<double>(again.at(row, column)) - wanted;
            if (!(std::abs(difference) <= kTolerance * longest)) return false;
        }
    }
    return true;
}

}  // namespace

Decomposed decompose(const std::array<float, 12>& columns) {
    std::array<Axis, 3> axes;
    std::array<double, 3> scale{};
    for (std::size_t a = 0; a < 3; ++a) {
        axes[a] = {static_cast<double>(columns[a * 3]), static_cast<double>(columns[a * 3 + 1]),
                   static_cast<double>(columns[a * 3 + 2])};
        scale[a] = length(axes[a]);
        if (scale[a] > 0) axes[a] = scaled(axes[a], 1 / scale[a]);
    }
    const double longest = std::max({scale[0], scale[1], scale[2]});
    if (dot(axes[0], cross(axes[1], axes[2])) < 0) {
        scale[0] = -scale[0];
        axes[0] = scaled(axes[0], -1);
    }
    Decomposed out;
    out.trs.translation = {columns[9], columns[10], columns[11]};
    out.trs.scale = {static_cast<float>(scale[0]), static_cast<float>(scale[1]),
                     static_cast<float>(scale[2])};
    out.trs.rotation = quaternion_of(orthonormal(axes));
    out.exact = is_close(out.trs, columns, longest);
    return out;
}

}  // namespace sinter::gltf
