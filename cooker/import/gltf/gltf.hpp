// glTF 2.0 import (.gltf and .glb), from the container to the Scene, without a glTF library: every
// error names the JSON pointer of what is wrong, and nothing is read past its buffer.
// Source: The Khronos Group, glTF 2.0 Specification, 2021, and the extensions named in docs/import-gltf.md.
#pragma once

#include "cooker/issues.hpp"
#include "cooker/scene.hpp"
#include "cooker/source_files.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <vector>

namespace sinter {

// Decodes `bytes`, the content of files.asset(), which is a GLB if it starts with "glTF" and JSON if not.
// Files that its buffers refer to are read through `files`, once each and only when something uses them;
// pictures are never read, only looked for.
//
// The scene is as the file says: glTF's convention is Sinter's, so nothing is converted, and attributes
// are decoded but not repaired (check_scene does that). Indices within the scene are in range: children,
// joints, meshes, skins, materials, vertex indices. Not checked here: finite values, joint numbers of
// influences against the skin, weight sums, order of keys. Influences with weight 0 are left out.
//
// Errors (where = "file: /json/pointer"): InvalidInput (broken container, JSON, reference or accessor),
// Unsupported (version, required extension), Io (a buffer's file), Limit (a few bytes that unfold to
// more than kExpansionBaseBytes + kExpansionFactor times the bytes read, document.hpp).
// Deterministic: a pure function of the bytes of the asset and its buffers.
[[nodiscard]] Result<Scene> import_gltf(SourceFiles& files, std::vector<std::byte> bytes, Issues& issues);

}  // namespace sinter
