// The change from a file's axes and units to the scene convention, made once over a whole scene, so that
// every reader builds its scene in the file's own coordinates.
#pragma once

#include "cooker/options.hpp"
#include "cooker/scene.hpp"

#include <array>

namespace sinter {

// scene = unit_m * axes * file. Each row of `axes` holds one +1 or -1 and zeros, no two rows the same column.
struct Basis {
    std::array<std::array<int, 3>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double unit_m = 1;
};

// +Y up stays, +Z up turns by -90 degrees about X: (x, y, z) -> (x, z, -y).
[[nodiscard]] Basis basis_of(UpAxis up, double unit_m);

// Changes positions, normals, tangents, deltas, node transforms, bind matrices and keys alike, so that bounds of
// every mesh and every track come out upright and in metres. Where the axes mirror, triangles are turned
// around and tangent signs flip, so that fronts stay fronts.
void change_basis(Scene& scene, const Basis& basis);

}  // namespace sinter
