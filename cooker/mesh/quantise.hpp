// Positions onto the mesh's grid, before anything else looks at them: welding, dropping and simplifying
// then all see the same integers, and a position is decoded by one float multiply and one float add.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/options.hpp"
#include "cooker/scene.hpp"

#include <sinter/formats/result.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

using GridPosition = std::array<std::int32_t, 3>;

// Coordinates beyond this many metres are refused: products of areas (the fourth power of a length) would
// no longer be finite in the float arithmetic of simplifiers and shaders.
inline constexpr float kMaxCoordinate = 1e9F;

// Largest error of the default 16-bit Sphere grid relative to the radius of the sphere: half the diagonal of a
// cell, sqrt(3) / 2 / 32767 = 2.643e-5; the rest is room for the float rounding of the decoder, for meshes
// whose centre is not much further from the origin than their radius.
inline constexpr double kDefaultRelativeError = 2.65e-5;

// InvalidInput (code NonFiniteAttribute, no `where`) for a position that is not finite or beyond kMaxCoordinate.
[[nodiscard]] Result<Unit> check_position(Float3 p);

// The grid of a mesh, for the positions given.
//
// Sphere: centre of the box of the positions, radius to the farthest of them; step = radius / (2^(b-1) - 1).
// b = 16 where there is no tolerance or 16 bits meet it, else the smallest b in [17, 24] whose measured error does.
// World: centre 0; step is the largest power of two whose cells keep the error, sqrt(3) / 2 step, within the
// tolerance. The step is then the same for all meshes, and neighbours cooked apart line up exactly.
// Without a tolerance, 2.65e-5 of the mesh's own radius takes its place: grids of larger and smaller meshes
// are then nested, but only those with the same step line up (all positions equal: of its distance from the
// origin). |integers| < 2^30.
// The stored integers take `bits` = 16 where all lie in [-32767, 32767], else 32. Without an extent, step is 1 (Sphere).
//
// Errors: as check_position, `where` names the vertex; Limit where no such grid meets the tolerance; Usage for a
// tolerance that is negative or not finite.
[[nodiscard]] Result<PositionGrid> fit_grid(std::span<const Float3> positions, const MeshOptions& options);

// The grid point nearest to p, a component at a time (halves away from zero): a pure function of p.
// Pre: p lies within the bounds of the positions that the grid was fitted to.
[[nodiscard]] GridPosition to_grid(const PositionGrid& grid, Float3 p);

// center + step * integer, in float: what every reader evaluates.
[[nodiscard]] inline Float3 from_grid(const PositionGrid& grid, const GridPosition& q) {
    return {grid.center.x + grid.step * static_cast<float>(q[0]),
            grid.center.y + grid.step * static_cast<float>(q[1]),
            grid.center.z + grid.step * static_cast<float>(q[2])};
}

// Largest distance between a position and its decoded grid point, in metres, rounded up to float.
[[nodiscard]] float grid_error(const PositionGrid& grid, std::span<const Float3> positions);

// Box of the positions, and the sphere around the box's centre that contains them all (radius rounded up).
// All zero where there are no positions.
[[nodiscard]] Bounds bounds_of(std::span<const Float3> positions);

}  // namespace sinter
