#include "cooker/cluster/bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace sinter {
namespace {

struct Double3 {
    double x = 0, y = 0, z = 0;
};

Double3 to_double(Float3 p) {
    return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}
Double3 minus(Double3 a, Double3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
double dot_of(Double3 a, Double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length_of(Double3 a) { return std::sqrt(dot_of(a, a)); }
Double3 cross_of(Double3 a, Double3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Double3 towards(Double3 from, Double3 to, double share) {
    return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share,
            from.z + (to.z - from.z) * share};
}

struct Ball {
    Double3 center;
    double radius = 0;
};

Ball ball_of(Float3 p) { return {to_double(p), 0}; }
Ball ball_of(const Sphere& s) { return {to_double(s.center), static_cast<double>(s.radius)}; }

// How far something reaches from a center; order() is in the same order, without a root for points.
double reach(Double3 center, Float3 p) { return length_of(minus(to_double(p), center)); }
double reach(Double3 center, const Sphere& s) {
    return length_of(minus(to_double(s.center), center)) + static_cast<double>(s.radius);
}
double order(Double3 center, Float3 p) {
    const Double3 d = minus(to_double(p), center);
    return dot_of(d, d);
}
double order(Double3 center, const Sphere& s) { return reach(center, s); }

// The item that reaches farthest, the first of equals.
template <typename Item>
const Item& farthest(std::span<const Item> items, Double3 center) {
    const Item* best = items.data();
    double best_order = -1;
    for (const Item& item : items) {
        if (const double o = order(center, item); o > best_order) {
            best_order = o;
            best = &item;
        }
    }
    return *best;
}

// The smallest ball around two.
Ball join(const Ball& a, const Ball& b) {
    const double distance = length_of(minus(b.center, a.center));
    if (distance + b.radius <= a.radius) return a;
    if (distance + a.radius <= b.radius) return b;
    const double radius = (distance + a.radius + b.radius) / 2;
    return {towards(a.center, b.center, (radius - a.radius) / distance), radius};
}

// The radius is measured from the rounded center and rounded up: four roundings of double, 1e-15 each, are below the
// 1e-12 that is added, and nextafter covers the rounding to float.
template <typename Item>
Sphere rounded_outwards(std::span<const Item> items, Double3 center) {
    const Float3 c = {static_cast<float>(center.x), static_cast<float>(center.y),
                      static_cast<float>(center.z)};
    double radius = 0;
    for (const Item& item : items) radius = std::max(radius, reach(to_double(c), item));
    if (radius == 0) return {c, 0};
    const auto rounded = static_cast<float>(radius * (1 + 1e-12));
    return {c, std::nextafter(rounded, std::numeric_limits<float>::infinity())};
}

template <typename Item>
Sphere sphere_around(std::span<const Item> items) {
    if (items.empty()) return {};
    const Item& first = farthest(items, ball_of(items[0]).center);
    Ball ball = join(ball_of(first), ball_of(farthest(items, ball_of(first).center)));
    for (const Item& item : items) {
        if (reach(ball.center, item) > ball.radius) ball = join(ball, ball_of(item));
    }
    Double3 best = ball.center, center = ball.center;
    double best_order = std::numeric_limits<double>::infinity();
    constexpr int kSteps = 5;
    for (int step = 0; step < kSteps; ++step) {
        const Item& far = farthest(items, center);
        if (const double o = order(center, far); o < best_order) {
            best_order = o;
            best = center;
        }
        center = towards(center, ball_of(far).center, 0.25 / (step + 2));
    }
    return rounded_outwards(items, best);
}

// Thinner than this, the direction of a cross product is not known to 1e-7: its components are off by at most 2^-52
// times the product of the edges (differences of floats are exact in double up to 29 bits of scale, rounding beyond).
constexpr double kThinnest = 1e-8;

// The unit normals, in triangle order; false when one of them is not known well enough.
bool gather_normals(std::span<const Float3> positions, std::span<const std::uint32_t> indices,
                    std::vector<Double3>& normals) {
    normals.reserve(indices.size() / 3);
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        const Double3 a = to_double(positions[indices[i]]);
        const Double3 ab = minus(to_double(positions[indices[i + 1]]), a);
        const Double3 ac = minus(to_double(positions[indices[i + 2]]), a);
        const Double3 n = cross_of(ab, ac);
        const double area = length_of(n);
        if (area == 0) continue;
        if (!(area > kThinnest * length_of(ab) * length_of(ac))) return false;
        normals.push_back({n.x / area, n.y / area, n.z / area});
    }
    return true;
}

// The largest sine of the angle between the axis and a normal; 1 where one of them is at least 89 degrees away. A cross
// product, since 1 - cosine^2 has no digits left where the angle is small.
double largest_sine(std::span<const Double3> normals, Double3 axis) {
    const double size = length_of(axis);
    double largest = 0;
    for (const Double3& n : normals) {
        if (!(dot_of(n, axis) > 0.017 * size)) return 1;
        largest = std::max(largest, length_of(cross_of(n, axis)) / size);
    }
    return largest;
}

}  // namespace

Sphere sphere_around_points(std::span<const Float3> points) { return sphere_around(points); }

Sphere sphere_around_spheres(std::span<const Sphere> spheres) { return sphere_around(spheres); }

NormalCone cone_of_triangles(std::span<const Float3> positions, std::span<const std::uint32_t> indices) {
    std::vector<Double3> normals;
    if (!gather_normals(positions, indices, normals) || normals.empty()) return {};
    Double3 sum;
    for (const Double3& n : normals) sum = {sum.x + n.x, sum.y + n.y, sum.z + n.z};
    const double size = length_of(sum);
    if (!(size > 1e-6)) return {};
    const Float3 axis = {static_cast<float>(sum.x / size), static_cast<float>(sum.y / size),
                         static_cast<float>(sum.z / size)};
    // The margin covers the normals (1e-7), the axis that is a unit vector only to 1.2e-7, and the caller's float dot.
    constexpr double kMargin = 2e-6;
    const double cutoff = largest_sine(normals, to_double(axis)) + kMargin;
    if (cutoff >= 1) return {};
    return {axis, std::nextafter(static_cast<float>(cutoff), 2.0F)};
}

}  // namespace sinter
