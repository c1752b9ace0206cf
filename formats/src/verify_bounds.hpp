// Bounds of a mesh, held against its decoded positions; spheres in spheres. Internal to formats.
#pragma once

#include "verify_context.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sinter {

using Point = std::array<float, 3>;

[[nodiscard]] inline Point point_of(const manifest::Float3& v) { return {v.x(), v.y(), v.z()}; }

[[nodiscard]] inline double distance_of(const Point& a, const Point& b) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += d * d;
    }
    return std::sqrt(sum);
}

// The cooker rounds radii up, so only the rounding of the sum of squares is allowed for.
inline constexpr double kRadiusRounding = 1 + 1e-12;

// Pre: finite.
[[nodiscard]] inline bool contains_sphere(const Point& center, float radius, const Point& inner_center,
                                          float inner_radius) {
    return distance_of(center, inner_center) + static_cast<double>(inner_radius) <=
           static_cast<double>(radius) * kRadiusRounding;
}

// Box and sphere of a mesh while its positions go by. Pre: the mesh has grid and bounds, with all of their parts.
class BoxAndSphere {
public:
    BoxAndSphere(const manifest::MeshT& mesh, FindingList& list, std::string where)
        : mesh_(mesh), outside_(list, FindingCode::BoundsSphere, std::move(where)) {}
    void add(std::size_t vertex, const Point& p) {
        for (std::size_t i = 0; i < 3; ++i) {
            min_[i] = std::min(min_[i], p[i]);
            max_[i] = std::max(max_[i], p[i]);
        }
        const double apart = distance_of(p, point_of(*mesh_.bounds->center));
        const auto radius = static_cast<double>(mesh_.bounds->radius);
        if (!(apart <= radius * kRadiusRounding)) {
            outside_.at(vertex, [&] { return cat(apart, " m from the centre, the radius is ", radius); });
        }
    }
    [[nodiscard]] bool box_is_exact() const {
        return min_ == point_of(*mesh_.bounds->min) && max_ == point_of(*mesh_.bounds->max);
    }

private:
    static constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const manifest::MeshT& mesh_;
    RecordProblem outside_;
    Point min_{kInfinity, kInfinity, kInfinity};
    Point max_{-kInfinity, -kInfinity, -kInfinity};
};

}  // namespace sinter
