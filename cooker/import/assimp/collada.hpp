// COLLADA through Assimp, with joints, bind matrices, names, units and clips from the XML.
#pragma once

#include "cooker/issues.hpp"
#include "cooker/options.hpp"
#include "cooker/scene.hpp"
#include "cooker/source_files.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <span>

namespace sinter {

// Nodes, meshes (one for each geometry, or geometry with its controller), skins with every listed joint, and the
// declared clips, or one clip of all animations where none are declared. Units and axes are applied as the file
// says unless the options do. A clip is cut to its declared range only where its keys reach past that range by
// more than one and a half times its shortest key distance.
// Limits of Assimp that stay: transforms are sampled at keys, curves between keys are straight (an issue says where
// the file's are not), and morph weights are not animated.
// Errors: InvalidInput, Limit; where names the file and the element. Deterministic for one version of Assimp.
[[nodiscard]] Result<Scene> import_collada(SourceFiles& files, std::span<const std::byte> bytes,
                                           const ImportOptions& options, Issues& issues);

}  // namespace sinter
