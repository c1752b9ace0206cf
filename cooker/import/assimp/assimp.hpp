// Import of everything that is not glTF: COLLADA, OBJ, PLY and STL through Assimp (this folder is the only one
// that sees its headers), FBX through our own reader (fbx/), because Assimp loses or changes FBX facts that a
// package must keep (docs/import-assimp.md lists them with their measurements).
#pragma once

#include "cooker/issues.hpp"
#include "cooker/options.hpp"
#include "cooker/scene.hpp"
#include "cooker/source_files.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace sinter {

// Reads an asset whose bytes are given. `format` is "fbx", "dae", "obj", "ply" or "stl"; everything else is
// Unsupported, by name. Further files (an OBJ's .mtl) are read through `files` only, so that each is recorded.
// The scene follows scene.hpp's convention: units and axes come from the file or from `options`, which win.
// Nodes may come back in any order; nothing is welded, limited or renormalised.
// Errors: InvalidInput (where: file name, then line or object), Unsupported, Limit. Never throws.
// Deterministic: depends on the bytes of the files, the options and, except for FBX, Assimp's version.
[[nodiscard]] Result<Scene> import_assimp(SourceFiles& files, std::vector<std::byte> bytes,
                                          std::string_view format, const ImportOptions& options,
                                          Issues& issues);

}  // namespace sinter
