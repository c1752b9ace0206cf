// A node's matrix as translation, rotation and scale.
#pragma once

#include "cooker/math.hpp"

#include <array>

namespace sinter::gltf {

struct Decomposed {
    Trs trs;
    bool exact = false;  // false: shear, or an axis of length 0; then the matrix must be kept
};

// `columns` are the twelve numbers of an affine matrix, column by column (x axis, y axis, z axis,
// translation). A mirrored matrix gets a negative x scale. `exact` says that the transform, put together
// again, differs from the matrix by no more than 4e-6 of the longest axis in any number: rounding to float
// and the six digits that exporters print stay below that, and a shear of 0.001 degrees is above.
// Source: Shoemake and Duff, Matrix Animation and Polar Decomposition, 1992, for what shear does to a
// decomposition; without shear the axes' lengths are the scale.
[[nodiscard]] Decomposed decompose(const std::array<float, 12>& columns);

}  // namespace sinter::gltf
