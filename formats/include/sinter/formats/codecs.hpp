// Pure functions between records and values. No state, no allocation, safe from any thread; only additions,
// multiplications, divisions and square roots in float or double, so that results are the same on every
// machine that rounds by IEEE 754 (build with -ffp-contract=off).
#pragma once

#include <sinter/formats/records.hpp>

#include <array>
#include <span>

namespace sinter {

// The largest angle between a unit vector and what oct_decode(oct_encode(it)) gives, in degrees. Half the
// diagonal of a code cell where cells are largest (the middle of an octant's edge) gives 0.00245; the
// tests measure it over a dense sweep.
inline constexpr float kMaxOctErrorDeg = 0.0025F;

// Octahedral mapping (Cigolle, Donow, Evangelakos, Mara, McGuire, Meyer: "A Survey of Efficient
// Representations for Independent Unit Vectors", JCGT 2014, section 3.1 and the precise rounding of 4.1):
// project onto |x| + |y| + |z| = 1, fold the lower half over the diagonals, round each coordinate to
// 1/32767. Of the four codes around the exact point the one whose decoded direction is nearest is taken
// (ties: the one with floor in u, then in v).
// Pre: finite and not zero; the length does not matter.
[[nodiscard]] OctNormal oct_encode(std::array<float, 3> direction);

// Unit vector of a code; every pair in [-32767, 32767]^2 is valid, -32768 decodes like -32767.
// Several codes on the border of the square decode to the same direction.
[[nodiscard]] std::array<float, 3> oct_decode(OctNormal code);

// Angle between two directions in degrees, exact for small angles too. Pre: neither is zero.
[[nodiscard]] double angle_deg(std::array<float, 3> a, std::array<float, 3> b);

// A point of a mesh's grid: one multiplication and one addition in float a component.
[[nodiscard]] constexpr std::array<float, 3> grid_decode(std::array<float, 3> center, float step,
                                                         std::array<std::int32_t, 3> grid) {
    return {center[0] + step * static_cast<float>(grid[0]), center[1] + step * static_cast<float>(grid[1]),
            center[2] + step * static_cast<float>(grid[2])};
}

// The rectangle of a UV set in codes: 0 is its lowest value, 65535 its highest.
struct UvGrid {
    std::array<float, 2> min{}, step{};
};

// One multiplication and one addition in float a coordinate.
[[nodiscard]] constexpr UvRecord uv_decode(const UvGrid& grid, UvCode code) {
    return {grid.min[0] + grid.step[0] * static_cast<float>(code.u),
            grid.min[1] + grid.step[1] * static_cast<float>(code.v)};
}

// The rectangle of these values. Pre: finite.
[[nodiscard]] UvGrid uv_grid(std::span<const UvRecord> uvs);

// The code whose decoded value is nearest (ties: the lower one). Pre: inside the rectangle.
[[nodiscard]] UvCode uv_encode(const UvGrid& grid, UvRecord uv);

}  // namespace sinter
