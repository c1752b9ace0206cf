// Prepared meshes for the tests of prepare_mesh, and what holds for each of them.
#pragma once

#include "cooker/mesh/prepare.hpp"
#include "meshes.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace sinter::test {

// The test fails when the mesh is refused.
[[nodiscard]] PreparedMesh prepared_of(const Mesh& mesh, const MeshOptions& options = {},
                                       const EncodedInfluences& influences = {});

// One rigid joint a vertex.
[[nodiscard]] EncodedInfluences rigid(const std::vector<std::uint16_t>& joints);

// Everything about one corner, for comparing meshes whatever their order.
using Corner = std::vector<float>;
using Triangle = std::array<Corner, 3>;
[[nodiscard]] Corner corner_of(const PreparedMesh& m, std::uint32_t v);

// All triangles with their material, rotated so that the smallest corner comes first (the winding stays).
[[nodiscard]] std::multiset<std::pair<std::int32_t, Triangle>> triangle_set(const PreparedMesh& m);

// Array sizes, first use of vertices in rising order, point numbers, submesh ranges, grid and bounds.
void check_invariants(const PreparedMesh& m);

// A random mesh with everything: coincident vertices, several materials, UVs, colours, influences.
[[nodiscard]] Mesh random_mesh(std::uint32_t seed, EncodedInfluences& influences);

}  // namespace sinter::test
