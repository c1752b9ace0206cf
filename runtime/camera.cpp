#include "runtime/camera.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sinter {

std::array<std::array<double, 4>, 4> Camera::clip_from_world() const {
    const double aspect = static_cast<double>(width) / height;
    const auto row = [&](Vec3d axis, double factor) {
        return std::array{axis.x * factor, axis.y * factor, axis.z * factor, -dot(axis, eye) * factor};
    };
    return {row(right, focal / aspect), row(up, -focal), std::array{0.0, 0.0, 0.0, near_plane},
            row(forward, 1)};
}

std::array<gpu::vec4, 4> Camera::clip_rows() const {
    std::array<gpu::vec4, 4> out{};
    const auto rows = clip_from_world();
    for (std::size_t r = 0; r < 4; ++r) {
        out[r] = {static_cast<float>(rows[r][0]), static_cast<float>(rows[r][1]),
                  static_cast<float>(rows[r][2]), static_cast<float>(rows[r][3])};
    }
    return out;
}

namespace {

constexpr double kRadians = std::numbers::pi / 180;

void look_along(Camera& camera, const Orbit& orbit) {
    const double azimuth = orbit.azimuth_deg * kRadians;
    const double elevation = orbit.elevation_deg * kRadians;
    camera.forward = Vec3d{std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                           std::cos(azimuth) * std::cos(elevation)} *
                     -1;
    camera.right = {std::cos(azimuth), 0, -std::sin(azimuth)};
    camera.up = cross(camera.right, camera.forward);
}

// Where the eye must be, along one axis of the picture and behind the origin, so that both planes of that axis have all
// spheres on their inner side: plane normals are (+-cos h, sin h) along (axis, forward), and a sphere is inside when its
// center is at least its radius away from the plane.
struct Fit {
    double offset = 0, distance = 0;
};
Fit fit(std::span<const BoundingSphere> spheres, Vec3d axis, Vec3d forward, double half_angle) {
    const double c = std::cos(half_angle);
    const double s = std::sin(half_angle);
    double low = -std::numeric_limits<double>::max();
    double high = low;
    for (const BoundingSphere& sphere : spheres) {
        const double along = dot(axis, sphere.center);
        const double depth = dot(forward, sphere.center);
        low = std::max(low, sphere.radius - (c * along + s * depth));
        high = std::max(high, sphere.radius - (-c * along + s * depth));
    }
    return {(high - low) / (2 * c), (low + high) / (2 * s)};
}

}  // namespace

Camera frame_spheres(std::span<const BoundingSphere> spheres, const Orbit& orbit, std::uint32_t width,
                     std::uint32_t height) {
    constexpr double kFieldOfViewDeg = 30;  // vertical: little distortion, still some depth
    constexpr double kMargin = 1.06;
    const BoundingSphere unit{{}, 1};
    if (spheres.empty()) spheres = {&unit, 1};
    Camera out;
    out.width = width;
    out.height = height;
    out.focal = 1 / std::tan(kFieldOfViewDeg / 2 * kRadians);
    look_along(out, orbit);
    const double aspect = static_cast<double>(width) / height;
    const Fit across = fit(spheres, out.right, out.forward, std::atan(aspect / out.focal));
    const Fit upright = fit(spheres, out.up, out.forward, std::atan(1 / out.focal));
    const double fitting = std::max(across.distance, upright.distance) * kMargin;
    // All in one point: a metre away.
    const double distance = (fitting > 0 ? fitting : 1) * orbit.distance;
    out.eye = out.right * across.offset + out.up * upright.offset - out.forward * distance;
    double nearest = std::numeric_limits<double>::max();
    for (const BoundingSphere& s : spheres)
        nearest = std::min(nearest, dot(out.forward, s.center - out.eye) - s.radius);
    out.near_plane = std::max(nearest, std::abs(distance) * 1e-3) * 0.5;
    return out;
}

}  // namespace sinter
