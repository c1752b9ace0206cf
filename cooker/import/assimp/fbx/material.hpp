// Materials of FBX.
#pragma once

#include "cooker/import/assimp/fbx/objects.hpp"
#include "cooker/issues.hpp"
#include "cooker/scene.hpp"
#include "cooker/source_files.hpp"

namespace sinter::fbx {

// Colour, opacity, roughness (from a Phong exponent) and the texture file of each slot of a Material object.
// Pictures are named by their path relative to the file; a missing one that is not embedded is an issue.
[[nodiscard]] Material read_material(const Objects& objects, std::size_t object, const SourceFiles& files,
                                     Issues& issues);

}  // namespace sinter::fbx
