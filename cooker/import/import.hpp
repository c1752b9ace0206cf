// Import: the first arrow, path -> Scene. The format is told by the file's content first (GLB magic, FBX
// and STL and PLY headers), then by its extension; glTF is read by our own decoder (gltf/), everything else
// through Assimp (assimp/), and every scene goes through the same checks (check.hpp).
#pragma once

#include "cooker/issues.hpp"
#include "cooker/options.hpp"
#include "cooker/scene.hpp"
#include "cooker/source_files.hpp"

#include <sinter/formats/result.hpp>

namespace sinter {

// Reads and checks the asset of `files`. The scene that comes back follows scene.hpp's convention, has its
// nodes parents-first, and holds only finite values and indices in range.
// Errors: Io (missing, unreadable), InvalidInput (content), Unsupported (unknown format or required
// extension). Deterministic: depends on the bytes of the files and the options only.
[[nodiscard]] Result<Scene> import_scene(SourceFiles& files, const ImportOptions& options, Issues& issues);

}  // namespace sinter
