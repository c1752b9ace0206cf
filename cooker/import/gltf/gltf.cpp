#include "cooker/import/gltf/gltf.hpp"

#include "cooker/import/gltf/readers.hpp"

#include <fmt/format.h>

namespace sinter {
namespace gltf {
namespace {

Result<Scene> read_scene(SourceFiles& files, std::vector<std::byte> bytes, Issues& issues) {
    SINTER_TRY_ASSIGN(Document document, open_document(files, std::move(bytes), issues));
    Scene scene;
    scene.source.name = files.asset().filename().string();
    scene.source.format = document.is_glb ? "glb" : "gltf";
    SINTER_TRY_ASSIGN(scene.source.generator, string_member(member(document.root(), "asset"), "generator"));
    SINTER_TRY(read_materials(document, scene));
    SINTER_TRY(read_meshes(document, scene));
    SINTER_TRY(read_nodes(document, scene));
    SINTER_TRY(read_skins(document, scene));
    SINTER_TRY(read_shown_scene(document, scene));
    SINTER_TRY(read_animations(document, scene));
    return scene;
}

}  // namespace

std::string subject_of(std::string_view noun, std::size_t index, std::string_view name) {
    return name.empty() ? fmt::format("{} {}", noun, index) : fmt::format("{} {} '{}'", noun, index, name);
}

}  // namespace gltf

Result<Scene> import_gltf(SourceFiles& files, std::vector<std::byte> bytes, Issues& issues) {
    auto scene = gltf::read_scene(files, std::move(bytes), issues);
    if (scene) return scene;
    Error error = std::move(scene).error();
    const std::string file = files.asset().filename().string();
    error.where = error.where.empty() ? file : file + ": " + error.where;
    return error;
}

}  // namespace sinter
