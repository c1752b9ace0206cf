#include "cooker/import/gltf/extensions.hpp"
#include "cooker/import/gltf/readers.hpp"
#include "cooker/import/gltf/uri.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <vector>

namespace sinter::gltf {
namespace {

// Texture extensions that name a picture of another codec, used where "source" is missing.
constexpr std::array<std::string_view, 4> kPictureExtensions = {"KHR_texture_basisu", "EXT_texture_webp",
                                                                "EXT_texture_avif", "MSFT_texture_dds"};

Result<std::optional<std::uint32_t>> image_of(const JsonAt& texture, std::size_t image_count) {
    SINTER_TRY_ASSIGN(auto image, index_member(texture, "source", image_count, "image"));
    for (std::size_t i = 0; !image && i < kPictureExtensions.size(); ++i) {
        SINTER_TRY_ASSIGN(const JsonAt other, extension(texture, kPictureExtensions[i]));
        SINTER_TRY_ASSIGN(image, index_member(other, "source", image_count, "image"));
    }
    return image;
}

// A picture in a data URI is named by its image: the text itself can have megabytes.
Result<std::string> uri_of_image(Document& document, std::uint32_t index) {
    SINTER_TRY_ASSIGN(const JsonAt images, top_array(document, "images"));
    SINTER_TRY_ASSIGN(const JsonAt image, object_element(images, index));
    SINTER_TRY_ASSIGN(const auto view,
                      index_member(image, "bufferView", top_count(document, "bufferViews"), "buffer view"));
    if (view) return fmt::format("buffer_view:{}", *view);
    SINTER_TRY_ASSIGN(const std::string uri, string_member(image, "uri"));
    if (is_data_uri(uri)) return fmt::format("data_uri:{}", index);
    return percent_decoded(uri);
}

bool is_outside_file(std::string_view uri) {
    return uri.substr(0, 12) != "buffer_view:" && uri.substr(0, 9) != "data_uri:";
}

// A material on its way, with the transform of each of its textures.
struct MaterialParts {
    Material material;
    std::vector<UvTransform> transforms;
};

Result<Unit> read_texture(Document& document, const JsonAt& owner, std::string_view key,
                          std::string_view slot, const std::string& subject, MaterialParts& parts) {
    SINTER_TRY_ASSIGN(const JsonAt info, object_member(owner, key));
    if (!info) return Unit{};
    SINTER_TRY_ASSIGN(const JsonAt textures, top_array(document, "textures"));
    SINTER_TRY_ASSIGN(const std::uint32_t index, required_index(info, "index", textures.size(), "texture"));
    SINTER_TRY_ASSIGN(const JsonAt texture, object_element(textures, index));
    SINTER_TRY_ASSIGN(const auto image, image_of(texture, top_count(document, "images")));
    TextureRef ref;
    ref.slot = slot;
    SINTER_TRY_ASSIGN(const JsonAt transform, extension(info, "KHR_texture_transform"));
    SINTER_TRY_ASSIGN(const std::uint64_t own_set, uint_member(info, "texCoord", 0));
    SINTER_TRY_ASSIGN(const std::uint64_t uv_set, uint_member(transform, "texCoord", own_set));
    ref.uv_set = static_cast<std::uint32_t>(std::min<std::uint64_t>(uv_set, 0xFFFFFFFFU));
    SINTER_TRY_ASSIGN(const UvTransform uv_transform, read_uv_transform(transform));
    if (image) {
        SINTER_TRY_ASSIGN(ref.uri, uri_of_image(document, *image));
    }
    if (ref.uri.empty() || (is_outside_file(ref.uri) && !document.files->sibling_exists(ref.uri))) {
        document.issues->add(
            IssueCode::MissingTexture, subject,
            fmt::format("the picture \"{}\" for {} is not there; its name was kept", ref.uri, slot));
    }
    parts.material.textures.push_back(std::move(ref));
    parts.transforms.push_back(uv_transform);
    return Unit{};
}

// The transforms that UVs can be given, since all textures that read them have the same. UVs that are read in two ways
// cannot be right for both: they stay as they are.
MaterialUvs agreed_transforms(Document& document, const MaterialParts& parts, const std::string& subject) {
    MaterialUvs out;
    std::set<std::uint32_t> disputed;
    for (std::size_t i = 0; i < parts.transforms.size(); ++i) {
        const TextureRef& ref = parts.material.textures[i];
        if (ref.slot == "normal") out.tangent_set = ref.uv_set;
        const auto [found, added] = out.of_set.insert({ref.uv_set, parts.transforms[i]});
        if (!added && found->second != parts.transforms[i]) disputed.insert(ref.uv_set);
    }
    for (const std::uint32_t set : disputed) {
        out.of_set.erase(set);
        document.issues->add(
            IssueCode::UnknownOptionalExtension, subject,
            fmt::format("its textures read UV set {} through different KHR_texture_transforms; none was "
                        "applied, and the UVs stay as they are in the file",
                        set));
    }
    return out;
}

Result<AlphaMode> alpha_mode_of(const JsonAt& at) {
    SINTER_TRY_ASSIGN(const std::string name, string_member(at, "alphaMode"));
    if (name.empty() || name == "OPAQUE") return AlphaMode::Opaque;
    if (name == "MASK") return AlphaMode::Mask;
    if (name == "BLEND") return AlphaMode::Blend;
    return invalid(at.pointer + "/alphaMode",
                   fmt::format("is \"{}\", but must be OPAQUE, MASK or BLEND", name));
}

Result<Material> read_material(Document& document, const JsonAt& at, std::size_t index) {
    MaterialParts parts;
    Material& material = parts.material;
    SINTER_TRY_ASSIGN(material.name, string_member(at, "name"));
    const std::string subject = subject_of("material", index, material.name);
    SINTER_TRY_ASSIGN(const JsonAt pbr, object_member(at, "pbrMetallicRoughness"));
    std::array<float, 4> base = {1, 1, 1, 1};
    std::array<float, 3> emissive = {0, 0, 0};
    SINTER_TRY(floats_member(pbr, "baseColorFactor", base));
    SINTER_TRY(floats_member(at, "emissiveFactor", emissive));
    material.base_color = {base[0], base[1], base[2], base[3]};
    material.emissive = {emissive[0], emissive[1], emissive[2]};
    SINTER_TRY(float_member(pbr, "metallicFactor", material.metallic));
    SINTER_TRY(float_member(pbr, "roughnessFactor", material.roughness));
    SINTER_TRY(float_member(at, "alphaCutoff", material.alpha_cutoff));
    SINTER_TRY_ASSIGN(material.alpha_mode, alpha_mode_of(at));
    SINTER_TRY_ASSIGN(material.double_sided, bool_member(at, "doubleSided", false));
    SINTER_TRY(read_texture(document, pbr, "baseColorTexture", "base_color", subject, parts));
    SINTER_TRY(read_texture(document, pbr, "metallicRoughnessTexture", "metallic_roughness", subject, parts));
    SINTER_TRY(read_texture(document, at, "normalTexture", "normal", subject, parts));
    SINTER_TRY(read_texture(document, at, "occlusionTexture", "occlusion", subject, parts));
    SINTER_TRY(read_texture(document, at, "emissiveTexture", "emissive", subject, parts));
    document.material_uvs.push_back(agreed_transforms(document, parts, subject));
    return std::move(parts.material);
}

}  // namespace

Result<Unit> read_materials(Document& document, Scene& scene) {
    SINTER_TRY_ASSIGN(const JsonAt list, top_array(document, "materials"));
    scene.materials.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        SINTER_TRY_ASSIGN(const JsonAt at, object_element(list, i));
        SINTER_TRY_ASSIGN(Material material, read_material(document, at, i));
        scene.materials.push_back(std::move(material));
    }
    return Unit{};
}

}  // namespace sinter::gltf
