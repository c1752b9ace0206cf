// Checks after import: whatever an importer hands over leaves here finite, in range and in one order, or
// not at all. Every check has a number (IssueCode) and a place; docs/checks.md lists each with its rule,
// what is repaired, what is refused, and why.
#pragma once

#include "cooker/issues.hpp"
#include "cooker/scene.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>

namespace sinter {

// Weights whose sum differs from 1 by more than this are counted as wrong (WeightSum). All weights are
// divided by their sum either way; the tolerance only decides what is worth telling. Four 8-bit weights that
// were rounded one by one may miss the sum by 2/255 = 0.0078: that is rounding, not a wrong weight.
inline constexpr double kWeightSumTolerance = 1e-2;

// Rotations whose length differs from 1 by more than this are counted (UnnormalizedRotations); all are
// normalised. Below it lies what 8-bit normalised components leave behind.
inline constexpr double kRotationLengthTolerance = 1e-2;

// Most joints of one skin: influences are stored with 16-bit joint indices.
inline constexpr std::size_t kMaxJoints = 65536;

// Repairs what has one sane repair (an Issue with count and first place), refuses the rest.
//
// Comes back with: nodes parents before children (stable: roots and siblings keep their order), every node
// index remapped; every index in range; positions, normals, tangents, UVs, colours, deltas, matrices, keys
// finite; rotations of nodes and of rotation keys unit length (CubicSpline keys keep theirs, but never 0);
// influences of each vertex without negative, zero or repeated entries, at least one where the mesh is
// skinned, weights summing to 1 within float rounding, in the file's order; keys strictly rising; at most
// one channel for each property of a node; start_s and end_s of each clip from its keys. More than 8
// influences are left for skin/, degenerate and duplicate triangles for mesh/.
//
// Errors (InvalidInput, or Limit for more than kMaxJoints joints): `code` is the check's IssueCode number,
// `where` is the asset's file name and the place ("hero.glb: mesh 3 'Head', primitive 0, vertex 17").
// Names are never used as keys. Deterministic: a function of the scene alone;
// a scene that was checked passes again without an issue that repairs, and unchanged.
[[nodiscard]] Result<Scene> check_scene(Scene scene, Issues& issues);

}  // namespace sinter
