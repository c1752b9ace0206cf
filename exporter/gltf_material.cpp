#include "exporter/gltf_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sinter::gltf_out {
namespace {

float unit(float value) { return std::clamp(value, 0.0F, 1.0F); }

// The names of pictures in packages are decoded. '%' must not stay, as it would be decoded once more.
std::string uri_text(std::string_view uri) {
    constexpr std::string_view kKept = "-._~/!$&'()*+,;=:@";
    std::string out;
    for (const char c : uri) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || kKept.find(c) != std::string_view::npos) out += c;
        else out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

// Pictures inside of the source are not in the package: there is only a name for them.
bool is_embedded(std::string_view uri) {
    return uri.empty() || uri.starts_with("buffer_view:") || uri.starts_with("data_uri:");
}

// Textures by URI: each picture once.
class Textures {
public:
    explicit Textures(Json& root) : root_(root) {}

    Json use(const manifest::TextureT& texture) {
        const auto [found, added] = index_of_.insert({texture.uri, index_of_.size()});
        if (added) {
            root_["images"].push_back(Json{{"uri", uri_text(texture.uri)}});
            root_["textures"].push_back(Json{{"source", found->second}});
        }
        Json out{{"index", found->second}};
        if (texture.uv_set != 0) out["texCoord"] = texture.uv_set;
        return out;
    }

private:
    Json& root_;
    std::map<std::string, std::size_t> index_of_;
};

void set_texture(Json& material, std::string_view slot, Json texture) {
    if (slot == "base_color") material["pbrMetallicRoughness"]["baseColorTexture"] = std::move(texture);
    else if (slot == "metallic_roughness")
        material["pbrMetallicRoughness"]["metallicRoughnessTexture"] = std::move(texture);
    else if (slot == "normal") material["normalTexture"] = std::move(texture);
    else if (slot == "occlusion") material["occlusionTexture"] = std::move(texture);
    else if (slot == "emissive") material["emissiveTexture"] = std::move(texture);
}

bool set_emissive(Json& out, const manifest::MaterialT& material) {
    if (!material.emissive) return false;
    const std::array<float, 3> e{material.emissive->x(), material.emissive->y(), material.emissive->z()};
    const float strength = std::max({1.0F, e[0], e[1], e[2]});
    out["emissiveFactor"] = {unit(e[0] / strength), unit(e[1] / strength), unit(e[2] / strength)};
    if (strength == 1.0F) return false;
    out["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"] = strength;
    return true;
}

Json factors_of(const manifest::MaterialT& material) {
    Json out;
    if (!material.name.empty()) out["name"] = material.name;
    Json& pbr = out["pbrMetallicRoughness"];
    if (const auto& c = material.base_color)
        pbr["baseColorFactor"] = {unit(c->x()), unit(c->y()), unit(c->z()), unit(c->w())};
    pbr["metallicFactor"] = unit(material.metallic);
    pbr["roughnessFactor"] = unit(material.roughness);
    if (material.alpha_mode == manifest::AlphaMode::Mask) {
        out["alphaMode"] = "MASK";
        out["alphaCutoff"] = std::max(0.0F, material.alpha_cutoff);
    }
    if (material.alpha_mode == manifest::AlphaMode::Blend) out["alphaMode"] = "BLEND";
    if (material.double_sided) out["doubleSided"] = true;
    return out;
}

}  // namespace

void write_materials(Writer& out) {
    Textures textures(out.root);
    std::uint64_t embedded = 0;
    bool strong = false;
    Json list = Json::array();
    for (const auto& material : out.manifest.materials) {
        Json json = factors_of(*material);
        strong = set_emissive(json, *material) || strong;
        for (const auto& texture : material->textures) {
            if (is_embedded(texture->uri)) ++embedded;
            else set_texture(json, texture->slot, textures.use(*texture));
        }
        list.push_back(std::move(json));
    }
    if (!list.empty()) out.root["materials"] = std::move(list);
    if (strong) out.root["extensionsUsed"] = {"KHR_materials_emissive_strength"};
    if (embedded != 0) {
        out.notes.push_back(
            fmt::format("{} to pictures embedded in the source left out: packages hold no pictures",
                        embedded == 1 ? "1 reference" : fmt::format("{} references", embedded)));
    }
}

}  // namespace sinter::gltf_out
