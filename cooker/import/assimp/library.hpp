// The door to Assimp: memory in, aiScene out, no file opened that SourceFiles does not record.
#pragma once

#include "cooker/source_files.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct aiScene;     // NOLINT(readability-identifier-naming): Assimp's
namespace Assimp {  // NOLINT(readability-identifier-naming): Assimp's
class Importer;
}  // namespace Assimp

namespace sinter {

struct MissingFile {
    std::string name;    // as the asset writes it
    std::string reason;  // "cannot be opened: ...", "is not a regular file", ...
};

// A scene that Assimp read, with the importer that owns it.
struct LibraryScene {
    std::shared_ptr<Assimp::Importer> owner;
    const aiScene* scene = nullptr;
    std::vector<MissingFile> missing_files;  // asked for and not read, each once, in order
};

// Reads `bytes` with Assimp's reader for the extension `format` and no other, without any post-processing: polygons
// stay polygons (docs/import-assimp.md says why). Exceptions become errors (InvalidInput with Assimp's text, in which the asset has its own name; Limit where memory ran out).
[[nodiscard]] Result<LibraryScene> read_with_library(SourceFiles& files, std::span<const std::byte> bytes,
                                                     std::string_view format);

// Assimp's words with the name of the asset in place of the one by which Assimp knows it.
[[nodiscard]] std::string with_asset_name(std::string text, std::string_view asset);

}  // namespace sinter
