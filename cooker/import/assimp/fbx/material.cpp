#include "cooker/import/assimp/fbx/material.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinter::fbx {
namespace {

struct Slot {
    std::string_view property;
    std::string_view slot;
};

constexpr std::array kSlots{
    Slot{"DiffuseColor", "base_color"},
    Slot{"Maya|baseColor", "base_color"},
    Slot{"Maya|TEX_color_map", "base_color"},
    Slot{"3dsMax|Parameters|base_color_map", "base_color"},
    Slot{"NormalMap", "normal"},
    Slot{"Bump", "normal"},
    Slot{"Maya|normalCamera", "normal"},
    Slot{"3dsMax|Parameters|bump_map", "normal"},
    Slot{"EmissiveColor", "emissive"},
    Slot{"Maya|emissionColor", "emissive"},
    Slot{"3dsMax|Parameters|emission_map", "emissive"},
    Slot{"ReflectionFactor", "metallic_roughness"},
    Slot{"Maya|metalness", "metallic_roughness"},
};

std::string_view text_of(const Object& object, std::string_view child) {
    const Node* node = object.node->find(child);
    return node == nullptr ? std::string_view{} : text_at(*node, 0);
}

// A path relative to the file; of an absolute one only the file's name is of use elsewhere.
std::string picture_of(const Object& texture) {
    std::string path(text_of(texture, "RelativeFilename"));
    if (path.empty()) path = text_of(texture, "FileName");
    std::replace(path.begin(), path.end(), '\\', '/');
    const bool absolute = path.starts_with('/') || (path.size() > 1 && path[1] == ':');
    if (absolute) path.erase(0, path.find_last_of('/') + 1);
    return path;
}

bool is_embedded(const Objects& objects, std::size_t texture) {
    return std::ranges::any_of(objects.sources_of(texture, "Video"), [&](std::size_t video) {
        const Node* content = objects.list()[video].node->find("Content");
        return content != nullptr && !text_at(*content, 0).empty();
    });
}

void add_texture(const Objects& objects, std::size_t texture, std::string_view slot, Material& material,
                 const SourceFiles& files, Issues& issues) {
    const auto same = [&](const TextureRef& ref) { return ref.slot == slot; };
    if (std::ranges::any_of(material.textures, same)) return;
    std::string uri = picture_of(objects.list()[texture]);
    if (uri.empty()) return;
    if (!is_embedded(objects, texture) && !files.sibling_exists(uri)) {
        issues.add(
            IssueCode::MissingTexture, fmt::format("material '{}', {}", material.name, slot),
            fmt::format("the picture '{}' is not there, seen from the asset's folder; its name travels along",
                        uri));
    }
    material.textures.push_back({std::string(slot), std::move(uri), 0});
}

}  // namespace

Material read_material(const Objects& objects, std::size_t object, const SourceFiles& files, Issues& issues) {
    Material material;
    material.name = objects.list()[object].name;
    material.metallic = 0;
    const Double3 color =
        objects.vector(object, "DiffuseColor", {1, 1, 1}) * objects.number(object, "DiffuseFactor", 1);
    // Opacity wins where the material itself has it: TransparencyFactor means it only times TransparentColor.
    double opacity = 1;
    if (objects.own_property(object, "Opacity") != nullptr) {
        opacity = objects.number(object, "Opacity", 1);
    } else {
        const Double3 filter = objects.vector(object, "TransparentColor", {0, 0, 0});
        opacity = 1 - objects.number(object, "TransparencyFactor", 0) * (filter.x + filter.y + filter.z) / 3;
    }
    if (!std::isfinite(opacity)) opacity = 1;
    opacity = std::clamp(opacity, 0.0, 1.0);
    const Float3 base = to_float(color);
    material.base_color = {base.x, base.y, base.z, static_cast<float>(opacity)};
    if (opacity < 1) material.alpha_mode = AlphaMode::Blend;
    material.emissive =
        to_float(objects.vector(object, "EmissiveColor", {}) * objects.number(object, "EmissiveFactor", 1));
    const double exponent =
        objects.number(object, "ShininessExponent", objects.number(object, "Shininess", 0));
    // The roughness whose lobe is as wide: Walter et al., "Microfacet Models for Refraction", 2007, section 5.2.
    if (exponent > 0 && std::isfinite(exponent)) {
        material.roughness = static_cast<float>(std::sqrt(std::sqrt(2 / (exponent + 2))));
    }
    for (const auto& [property, slot] : kSlots) {
        for (const Link& link : objects.sources_of(object)) {
            if (link.property != property || objects.list()[link.object].kind != "Texture") continue;
            add_texture(objects, link.object, slot, material, files, issues);
        }
    }
    return material;
}

}  // namespace sinter::fbx
