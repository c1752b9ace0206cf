// FBX -> Scene, without Assimp.
#pragma once

#include "cooker/issues.hpp"
#include "cooker/options.hpp"
#include "cooker/scene.hpp"
#include "cooker/source_files.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <span>

namespace sinter::fbx {

// Deepest hierarchy of models; no rig comes near it, and evaluation walks it from leaf to root.
inline constexpr int kMaxNodeDepth = 1024;

// Reads binary and text FBX from version 7000 on, in the scene convention: axes and UnitScaleFactor come from
// GlobalSettings unless the options say otherwise.
//
// Nodes: every Model, in file order, pivots folded in; in_scene where the scene's root reaches it. Meshes: every
// Geometry of polygons, shown or not, named like the geometry or, where that has no name, like the first model that
// shows it. Skins: the clusters as listed. Bind matrices are the clusters' "Transform" where all of them agree
// on where the mesh was bound (within 1e-4 of its size), else they are made anew from "TransformLink" and the
// mesh's bind pose. Clips: see animation.hpp.
// Errors: InvalidInput, Unsupported, Limit; where names the file and the object. Deterministic.
[[nodiscard]] Result<Scene> import_fbx(SourceFiles& files, std::span<const std::byte> bytes,
                                       const ImportOptions& options, Issues& issues);

}  // namespace sinter::fbx
