// Triangles of a polygon.
#pragma once

#include "cooker/import/assimp/affine.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Most corners for which ears are looked for; larger polygons are cut into a fan.
inline constexpr std::size_t kMaxEarCorners = 1024;

// Appends corners - 2 triangles (corner numbers, counter-clockwise as the polygon) to `out`, whatever the polygon
// looks like: ears of its projection along its area vector, a quad by the diagonal that keeps both halves
// turned the right way (the one from corner 0 where both do), a fan where no ear is left. Fewer than three
// corners give none. Source of the method: Meisters, "Polygons have ears", 1975. O(corners^3) at worst.
void triangulate(std::span<const Double3> polygon, std::vector<std::array<std::uint32_t, 3>>& out);

}  // namespace sinter
