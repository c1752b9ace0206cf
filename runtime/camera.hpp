// Cameras: where a picture is taken from, and the numbers that shaders and the choice of clusters need of it.
#pragma once

#include "runtime/math.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace sinter {

struct Camera {
    Vec3d eye{};
    Vec3d forward{0, 0, -1};  // unit
    Vec3d right{1, 0, 0};     // unit, across forward
    Vec3d up{0, 1, 0};        // cross(right, forward)
    double near_plane = 0.01;
    double focal = 1;  // 1 / tan(half of the vertical field of view)
    std::uint32_t width = 1, height = 1;

    // The size in pixels of something a metre large, a metre away, in the middle of the picture.
    [[nodiscard]] double pixels_per_radian() const { return focal * height / 2; }
    // Four rows: x right, y down, depth 1 at the near plane and 0 infinitely far away (reversed), w the depth in metres.
    [[nodiscard]] std::array<std::array<double, 4>, 4> clip_from_world() const;
    // The same as shaders read them.
    [[nodiscard]] std::array<gpu::vec4, 4> clip_rows() const;
};

struct Orbit {
    double azimuth_deg = 30;    // 0 looks along -Z from +Z, 90 from +X
    double elevation_deg = 15;  // above the horizon
    double distance = 1;  // in parts of the smallest distance from which everything fits into the picture
};

struct BoundingSphere {
    Vec3d center;
    double radius = 0;
};

// The camera of that direction that sees all spheres (or points: spheres without a radius) as large as the picture allows,
// with a small margin. No spheres: one of one metre at the origin. Pre: width and height at least 1, distance > 0.
[[nodiscard]] Camera frame_spheres(std::span<const BoundingSphere> spheres, const Orbit& orbit,
                                   std::uint32_t width, std::uint32_t height);

}  // namespace sinter
