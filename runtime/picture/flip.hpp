// FLIP: how different two pictures look to somebody who flips between them.
//
// P. Andersson, J. Nilsson, T. Akenine-Möller, M. Oskarsson, K. Åström, M. D. Fairchild: "FLIP: A Difference Evaluator for
// Alternating Images", HPG 2020, written from the paper, for pictures of low dynamic range. A pixel's difference has two
// parts. Colours are compared after what the eye cannot resolve from the viewing distance is filtered out; edges and points
// that only one of the pictures has raise the difference: colour ^ (1 - features).
#pragma once

#include "runtime/picture/picture.hpp"

#include <vector>

namespace sinter {

// Pixels a degree of the field of view: a screen 0.7 m wide with 3840 pixels, seen from 0.7 m (the paper's default).
inline constexpr double kFlipPixelsPerDegree = 67;

// One value a pixel, rows from the top: 0 no difference to 1 the largest. It does not matter which picture is first; of
// two equal pictures every value is 0. Alpha is not looked at. Outside of a picture its edge goes on.
// Values may differ in their last digits between C libraries (cube roots and powers).
// Pre: both of one size; pixels_per_degree > 0.
[[nodiscard]] std::vector<float> flip_map(const Picture& a, const Picture& b,
                                          double pixels_per_degree = kFlipPixelsPerDegree);

// The mean of the map, 0 for pictures without pixels.
[[nodiscard]] double flip_mean(const Picture& a, const Picture& b,
                               double pixels_per_degree = kFlipPixelsPerDegree);

}  // namespace sinter
