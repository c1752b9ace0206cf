// Generated meshes for the tests and benchmarks of the cluster stage, one for each thing that builders stumble over.
// Deterministic, about as many triangles as asked for.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/scene.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sinter::test {

// A cube blown up to a sphere with fractal noise, closed and smooth; no UVs.
[[nodiscard]] Mesh noise_sphere(std::uint32_t triangles);

// The same with 6 x 36 UV charts: vertices on chart borders are split.
[[nodiscard]] Mesh seam_sphere(std::uint32_t triangles);

// An open height field with UVs.
[[nodiscard]] Mesh height_field(std::uint32_t triangles);

// Bent cards of 8 triangles, each for itself, in a ball.
[[nodiscard]] Mesh cards(std::uint32_t triangles);

// Single triangles, each for itself, in a ball.
[[nodiscard]] Mesh loose_triangles(std::uint32_t triangles);

// The noise sphere with three vertices a triangle and the triangle's normal on each.
[[nodiscard]] Mesh flat_sphere(std::uint32_t triangles);

// Half of it flat-shaded, half smooth.
[[nodiscard]] Mesh half_flat_sphere(std::uint32_t triangles);

// The noise sphere in two materials, by a wavy line.
[[nodiscard]] Mesh two_materials(std::uint32_t triangles);

// Small closed spheres, each for itself.
[[nodiscard]] Mesh shells(std::uint32_t count, std::uint32_t triangles_each);

// The noise sphere with fins: edges with three or four triangles, and both sides of some triangles.
[[nodiscard]] Mesh fins(std::uint32_t triangles);

// A sphere whose vertices follow three joints along its axis.
[[nodiscard]] Mesh skinned_sphere(std::uint32_t triangles, EncodedInfluences& influences);

struct NamedMesh {
    std::string_view name;
    Mesh mesh;
};
// One of each static kind; `triangles` each.
[[nodiscard]] std::vector<NamedMesh> all_meshes(std::uint32_t triangles);
[[nodiscard]] Mesh mesh_by_name(std::string_view name, std::uint32_t triangles);

}  // namespace sinter::test
