// Mesh preparation: one welded vertex table with normals, tangents and a good order, on the mesh's grid.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/issues.hpp"
#include "cooker/options.hpp"
#include "cooker/scene.hpp"

#include <sinter/formats/result.hpp>

namespace sinter {

// Source normals and tangents whose length differs from 1 by more than this are counted as invalid. Those of
// 8-bit components differ by up to sqrt(3) / 254 = 0.0068 and are none of the author's mistakes.
inline constexpr double kUnitLengthTolerance = 1e-2;

// Prepares a mesh; docs/mesh.md tells the reasons. In this order:
//  1. all primitives into one table (vertex_table.hpp: what is missing in some of them), vertices that no triangle
//     uses left out;
//  2. positions onto the grid (quantise.hpp), the error measured and stored;
//  3. points: vertices with equal grid position, influences and blend-shape position deltas;
//  4. triangles with two corners on one point are left out (degenerate), and those on the same three points with the
//     same winding and material as an earlier one (duplicate). Kept: triangles without an area on three distinct
//     points (they close T-junctions), and twins of opposite winding (both sides of a card);
//  5. normals where there are none (normals.hpp) from source positions; source normals made unit, zero or
//     non-finite ones made;
//  6. weld: vertices whose grid position, normal, tangent, UVs, colour, encoded influences and deltas of all frames are
//     equal become one; -0 equals 0, except in deltas (vertex_table.hpp, motion_classes);
//  7. tangents (tangents.hpp, UV set 0) where the source has none, if options.make_tangents. Where only a part of the
//     mesh has or gets tangents, the rest gets any_perpendicular(normal), w = 1;
//  8. vertex-cache and first-use order (vertex_order.hpp), submeshes by material, kNone last;
//  9. influences and sparse blend shapes of the vertices that are left.
//
// `influences` are of all source vertices, concatenated (encode_influences); their statistics are passed through,
// but class_counts are counted anew. A mesh without triangles gives an empty table with its name, shapes and counts.
// The result is a function of the arguments; how the source numbers its vertices does not matter.
//
// Issues: DegenerateTriangles, DuplicateTriangles, InvalidNormals, InvalidTangents, EmptyBlendShape, each with its count.
// Errors: those of concatenate() and fit_grid(); Internal where `influences` do not fit the mesh. `where` starts
// with the mesh's name. Memory: about 300 bytes a source triangle at most.
[[nodiscard]] Result<PreparedMesh> prepare_mesh(const Mesh& mesh, const EncodedInfluences& influences,
                                                const MeshOptions& options, Issues& issues);

}  // namespace sinter
