#include "exporter/gltf.hpp"

#include "exporter/gltf_writer.hpp"

#include <cstring>

namespace sinter {
namespace gltf_out {

Result<std::vector<float>> read_floats(const PackageView& package, SectionType type, std::uint64_t id) {
    SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes, package.decode(type, id));
    std::vector<float> out(bytes.size() / sizeof(float));
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
    return out;
}

}  // namespace gltf_out

Result<GltfFile> export_gltf(const PackageView& package, const manifest::ManifestT& manifest,
                             const GltfOptions& options) {
    SINTER_TRY_ASSIGN(std::vector<gltf_out::Copy> copies, gltf_out::copies_of(manifest, options));
    gltf_out::Writer out{.package = package,
                         .manifest = manifest,
                         .copies = std::move(copies),
                         .root = {},
                         .glb = {},
                         .meshes = {},
                         .skins = {},
                         .skin_count = 0,
                         .notes = {}};
    out.root["asset"]["version"] = "2.0";
    out.root["asset"]["generator"] = "sinter export";
    gltf_out::write_materials(out);
    SINTER_TRY(gltf_out::write_meshes(out));
    SINTER_TRY(gltf_out::write_scene(out));
    SINTER_TRY(gltf_out::write_clips(out));
    GltfFile file;
    SINTER_TRY_ASSIGN(file.glb, std::move(out.glb).finish(std::move(out.root)));
    for (const gltf_out::Copy& copy : out.copies) file.copies.push_back({copy.name, copy.triangles});
    file.notes = std::move(out.notes);
    return file;
}

}  // namespace sinter
