// OBJ, PLY and STL through Assimp.
#pragma once

#include "cooker/issues.hpp"
#include "cooker/scene.hpp"
#include "cooker/source_files.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace sinter {

// One source mesh and one node for each OBJ object or group with faces, one for a PLY, one for each solid of an
// STL, in the file's coordinates. Where the file gives no name, the name is the asset's without extension.
// source_vertices: positions (OBJ: "v" lines of the object), PLY vertices, three for each STL triangle.
// Errors: InvalidInput (where: file, line of an OBJ). Deterministic.
[[nodiscard]] Result<Scene> import_static_mesh(SourceFiles& files, std::span<const std::byte> bytes,
                                               std::string_view format, Issues& issues);

}  // namespace sinter
