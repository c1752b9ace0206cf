// Spheres and normal cones that hold whatever rounding does. Everything is computed in double from float coordinates
// and rounded outwards, so that a sphere evaluated in exact arithmetic contains what it was made around.
#pragma once

#include "cooker/cluster/dag.hpp"
#include "cooker/math.hpp"

#include <cstdint>
#include <span>

namespace sinter {

// A sphere around points, at most a few per cent larger than the smallest one: Ritter, "An Efficient Bounding Sphere"
// (Graphics Gems, 1990), then steps towards the farthest point (Badoiu and Clarkson, "Smaller Core-Sets for Balls",
// SODA 2003). No points: the zero sphere. Pre: finite, |coordinate| < 1e18.
[[nodiscard]] Sphere sphere_around_points(std::span<const Float3> points);

// A sphere around spheres, made in the same way. No spheres: the zero sphere.
[[nodiscard]] Sphere sphere_around_spheres(std::span<const Sphere> spheres);

// The normal cone of triangles: three entries of `indices` each, into `positions`. It hides nothing when the normals
// spread over 90 degrees or more, or when a triangle is so thin that its normal is not known to 1e-7; a triangle whose
// corners lie on one line has no front and no say. Why it is conservative: docs/cluster-dag.md.
[[nodiscard]] NormalCone cone_of_triangles(std::span<const Float3> positions,
                                           std::span<const std::uint32_t> indices);

}  // namespace sinter
