// The parts of export_gltf: each adds its arrays to `root` and its bulk data to `glb`, in the order below.
#pragma once

#include "exporter/dag_cut.hpp"
#include "exporter/glb.hpp"
#include "exporter/gltf.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::gltf_out {

// Full detail, or a level or an error beside it.
struct Copy {
    std::string name;    // "full detail", "level 3"
    std::string suffix;  // of the names of its meshes and nodes: "", ".level3"
    DagCut cut;
    std::uint64_t triangles = 0;
};

struct Writer {
    const PackageView& package;
    const manifest::ManifestT& manifest;
    std::vector<Copy> copies;  // [0] is full detail
    Json root;
    GlbBuilder glb;
    std::vector<std::vector<std::int32_t>> meshes;  // [copy][mesh]: index in the file, -1 without triangles
    std::vector<std::int32_t> skins;                // in the file, of full detail; -1 without joints
    std::uint32_t skin_count = 0;                   // in the file, of each copy
    std::vector<std::string> notes;
};

// Which copies `options` ask for. Errors: Usage.
[[nodiscard]] Result<std::vector<Copy>> copies_of(const manifest::ManifestT& manifest,
                                                  const GltfOptions& options);

// How far along +X copies stand from each other: 1.2 times the width of the scene in its rest pose, so that boxes do not
// touch; 1 where nothing is drawn.
[[nodiscard]] double spacing_of(const manifest::ManifestT& manifest,
                                const std::vector<std::vector<float>>& inverse_binds);

// The records of the inverse bind matrices of a skin, twelve floats a joint. Errors: those of PackageView::decode.
[[nodiscard]] Result<std::vector<float>> read_floats(const PackageView& package, SectionType type,
                                                     std::uint64_t id);

void write_materials(Writer& out);
[[nodiscard]] Result<Unit> write_meshes(Writer& out);
[[nodiscard]] Result<Unit> write_scene(Writer& out);  // skins, nodes, the scene
[[nodiscard]] Result<Unit> write_clips(Writer& out);

}  // namespace sinter::gltf_out
