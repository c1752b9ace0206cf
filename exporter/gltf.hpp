// A package as binary glTF 2.0 (.glb), to be looked at or taken on in any tool. docs/export.md says what becomes what.
#pragma once

#include <sinter/formats/manifest.hpp>
#include <sinter/formats/reader.hpp>
#include <sinter/formats/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

struct GltfOptions {
    std::vector<std::uint32_t> levels;  // levels to add beside full detail; 0 adds nothing
    std::vector<float> lod_errors;      // cuts at one error to add, in metres; finite, >= 0
    bool all_levels = false;            // every level from 1 on of the mesh that has most
};

// What stands in the file beside full detail, or full detail itself.
struct GltfCopy {
    std::string name;             // "full detail", "level 3", "error 0.01"
    std::uint64_t triangles = 0;  // of all meshes once, drawn or not
};

struct GltfFile {
    std::vector<std::byte> glb;
    std::vector<GltfCopy> copies;    // full detail first
    std::vector<std::string> notes;  // what glTF cannot hold and was left out, one sentence each
};

// Full detail first, then for each level (rising) and each error (rising) a copy of the whole scene with its meshes at that
// level, moved along +X. Floats are those that the package decodes to; the bytes depend on the package, the options and
// the libraries only. Pre: verify_package found nothing wrong with the package, whose manifest it is. A package that was
// not verified gives an Error or a wrong file, but no access outside of its arrays.
// Errors: Usage (a level that no mesh has, an error that is no length, levels of a package without any); Validation (sections
// that cannot be read); Limit (more than a .glb can hold, 4 GiB).
[[nodiscard]] Result<GltfFile> export_gltf(const PackageView& package, const manifest::ManifestT& manifest,
                                           const GltfOptions& options);

}  // namespace sinter
