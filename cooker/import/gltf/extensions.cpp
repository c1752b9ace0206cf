#include "cooker/import/gltf/extensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sinter::gltf {
namespace {

// Decoded by this importer.
constexpr std::array kDecoded = {
    std::string_view("KHR_mesh_quantization"),   std::string_view("EXT_meshopt_compression"),
    std::string_view("KHR_meshopt_compression"), std::string_view("KHR_draco_mesh_compression"),
    std::string_view("KHR_texture_transform"),
};

// They say how a surface is shaded or which picture codec is used, or describe the file. Geometry, skins
// and animation are complete without them, so that even files that require them are cooked.
constexpr std::array kShadingOnly = {
    std::string_view("KHR_texture_basisu"), std::string_view("EXT_texture_webp"),
    std::string_view("EXT_texture_avif"),   std::string_view("MSFT_texture_dds"),
    std::string_view("KHR_xmp_json_ld"),    std::string_view("KHR_lights_punctual"),
};
constexpr std::string_view kMaterials = "KHR_materials_";

bool is_decoded(std::string_view name) { return std::ranges::find(kDecoded, name) != kDecoded.end(); }

bool is_shading_only(std::string_view name) {
    return name.substr(0, kMaterials.size()) == kMaterials ||
           std::ranges::find(kShadingOnly, name) != kShadingOnly.end();
}

Result<std::vector<std::string>> names_in(const JsonAt& root, std::string_view key) {
    SINTER_TRY_ASSIGN(const JsonAt list, array_member(root, key));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonAt at = element(list, i);
        if (!at.value->is_string())
            return invalid(at.pointer, "is " + shown(*at.value) + ", but must be a string");
        names.push_back(at.value->get<std::string>());
    }
    return names;
}

}  // namespace

Result<Unit> check_extensions(const JsonAt& root, Issues& issues) {
    SINTER_TRY_ASSIGN(const std::vector<std::string> required, names_in(root, "extensionsRequired"));
    for (std::size_t i = 0; i < required.size(); ++i) {
        if (is_decoded(required[i]) || is_shading_only(required[i])) continue;
        return unsupported(
            fmt::format("/extensionsRequired/{}", i),
            fmt::format("the file requires the extension {}, which this version does not read", required[i]),
            "export the asset without it");
    }
    SINTER_TRY_ASSIGN(std::vector<std::string> used, names_in(root, "extensionsUsed"));
    used.insert(used.end(), required.begin(), required.end());
    std::ranges::sort(used);
    used.erase(std::ranges::unique(used).begin(), used.end());
    for (const std::string& name : used) {
        if (is_decoded(name)) continue;
        issues.add(IssueCode::UnknownOptionalExtension, name,
                   is_shading_only(name)
                       ? "this extension is about shading and pictures, which are not converted"
                       : "this optional extension is not read; the asset was cooked without it");
    }
    return Unit{};
}

Result<JsonAt> extension(const JsonAt& object, std::string_view name) {
    SINTER_TRY_ASSIGN(const JsonAt extensions, object_member(object, "extensions"));
    return object_member(extensions, name);
}

}  // namespace sinter::gltf
