#include "cooker/import/assimp/convert.hpp"

#include "cooker/import/assimp/affine.hpp"
#include "cooker/import/assimp/polygon.hpp"

#include <assimp/material.h>
#include <assimp/mesh.h>
#include <assimp/scene.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace sinter {
namespace {

Float3 to_float3(const aiVector3D& v) { return {v.x, v.y, v.z}; }

struct TextureSlot {
    aiTextureType type;
    const char* slot;
};

// In each slot the first type that is set wins.
constexpr TextureSlot kTextureSlots[] = {
    {aiTextureType_BASE_COLOR, "base_color"},
    {aiTextureType_DIFFUSE, "base_color"},
    {aiTextureType_METALNESS, "metallic_roughness"},
    {aiTextureType_NORMALS, "normal"},
    {aiTextureType_HEIGHT, "normal"},
    {aiTextureType_AMBIENT_OCCLUSION, "occlusion"},
    {aiTextureType_EMISSION_COLOR, "emissive"},
    {aiTextureType_EMISSIVE, "emissive"},
};

void add_textures(const aiMaterial& source, Material& material) {
    for (const TextureSlot& entry : kTextureSlots) {
        const auto same = [&](const TextureRef& texture) { return texture.slot == entry.slot; };
        if (std::ranges::any_of(material.textures, same)) continue;
        aiString uri;
        unsigned int uv_set = 0;
        if (source.GetTexture(entry.type, 0, &uri, nullptr, &uv_set) != aiReturn_SUCCESS || uri.length == 0)
            continue;
        std::string text(uri.C_Str());
        std::replace(text.begin(), text.end(), '\\', '/');
        material.textures.push_back({entry.slot, std::move(text), uv_set});
    }
}

// A Phong exponent as the roughness whose Blinn-Phong lobe is as wide: Walter et al., "Microfacet Models for
// Refraction through Rough Surfaces", 2007, section 5.2: alpha = sqrt(2 / (n + 2)), and alpha = roughness^2.
float roughness_of_exponent(float exponent) {
    if (!(exponent > 0)) return 1;
    return std::sqrt(std::sqrt(2.0F / (exponent + 2.0F)));
}

Material convert_material(const aiMaterial& source) {
    Material material;
    aiString name;
    if (source.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS) material.name = name.C_Str();
    material.metallic = 0;
    aiColor4D color(1, 1, 1, 1);
    if (source.Get(AI_MATKEY_COLOR_DIFFUSE, color) == aiReturn_SUCCESS) {
        material.base_color = {color.r, color.g, color.b, 1};
    }
    float opacity = 1;
    if (source.Get(AI_MATKEY_OPACITY, opacity) == aiReturn_SUCCESS) material.base_color.w = opacity;
    if (material.base_color.w < 1) material.alpha_mode = AlphaMode::Blend;
    aiColor3D emissive(0, 0, 0);
    if (source.Get(AI_MATKEY_COLOR_EMISSIVE, emissive) == aiReturn_SUCCESS) {
        material.emissive = {emissive.r, emissive.g, emissive.b};
    }
    float exponent = 0;
    if (source.Get(AI_MATKEY_SHININESS, exponent) == aiReturn_SUCCESS) {
        material.roughness = roughness_of_exponent(exponent);
    }
    float factor = 0;
    if (source.Get(AI_MATKEY_ROUGHNESS_FACTOR, factor) == aiReturn_SUCCESS) material.roughness = factor;
    if (source.Get(AI_MATKEY_METALLIC_FACTOR, factor) == aiReturn_SUCCESS) material.metallic = factor;
    int two_sided = 0;
    if (source.Get(AI_MATKEY_TWOSIDED, two_sided) == aiReturn_SUCCESS) material.double_sided = two_sided != 0;
    add_textures(source, material);
    return material;
}

void convert_tangents(const aiMesh& mesh, Primitive& primitive) {
    if (!mesh.HasTangentsAndBitangents() || !mesh.HasNormals()) return;
    primitive.tangents.reserve(mesh.mNumVertices);
    for (unsigned int v = 0; v < mesh.mNumVertices; ++v) {
        const Float3 t = to_float3(mesh.mTangents[v]);
        const float side = dot(cross(to_float3(mesh.mNormals[v]), t), to_float3(mesh.mBitangents[v]));
        primitive.tangents.push_back({t.x, t.y, t.z, side < 0 ? -1.0F : 1.0F});
    }
}

void add_triangles(const aiMesh& mesh, Primitive& primitive) {
    std::vector<Double3> ring;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    primitive.indices.reserve(std::size_t{mesh.mNumFaces} * 3);
    for (unsigned int f = 0; f < mesh.mNumFaces; ++f) {
        const std::span<const unsigned int> face(mesh.mFaces[f].mIndices, mesh.mFaces[f].mNumIndices);
        if (face.size() == 3) {
            primitive.indices.insert(primitive.indices.end(), face.begin(), face.end());
            continue;
        }
        ring.clear();
        for (const unsigned int index : face) {
            const bool known = index < primitive.positions.size();
            ring.push_back(known ? to_double(primitive.positions[index]) : Double3{});
        }
        triangles.clear();
        triangulate(ring, triangles);
        for (const auto& corners : triangles) {
            for (const std::uint32_t corner : corners) primitive.indices.push_back(face[corner]);
        }
    }
}

}  // namespace

std::vector<Material> convert_materials(const aiScene& scene) {
    std::vector<Material> materials;
    for (unsigned int i = 0; i < scene.mNumMaterials; ++i) {
        materials.push_back(convert_material(*scene.mMaterials[i]));
    }
    return materials;
}

bool is_made_up_material(const Material& material) { return material.name == AI_DEFAULT_MATERIAL_NAME; }

Primitive convert_mesh(const aiMesh& mesh) {
    Primitive primitive;
    const std::size_t count = mesh.mNumVertices;
    primitive.positions.reserve(count);
    for (std::size_t v = 0; v < count; ++v) primitive.positions.push_back(to_float3(mesh.mVertices[v]));
    // STL writes (0, 0, 0) for "compute it from the triangle": normals that are all zero are no normals.
    const auto is_zero = [](const aiVector3D& n) { return n.x == 0 && n.y == 0 && n.z == 0; };
    if (mesh.HasNormals() && !std::all_of(mesh.mNormals, mesh.mNormals + count, is_zero)) {
        primitive.normals.reserve(count);
        for (std::size_t v = 0; v < count; ++v) primitive.normals.push_back(to_float3(mesh.mNormals[v]));
    }
    convert_tangents(mesh, primitive);
    for (unsigned int set = 0; set < AI_MAX_NUMBER_OF_TEXTURECOORDS && mesh.HasTextureCoords(set); ++set) {
        std::vector<Float2>& uvs = primitive.uv_sets.emplace_back();
        uvs.reserve(count);
        for (std::size_t v = 0; v < count; ++v) {
            uvs.push_back({mesh.mTextureCoords[set][v].x, 1.0F - mesh.mTextureCoords[set][v].y});
        }
    }
    if (mesh.HasVertexColors(0)) {
        primitive.colors.reserve(count);
        for (std::size_t v = 0; v < count; ++v) {
            const aiColor4D& c = mesh.mColors[0][v];
            primitive.colors.push_back({c.r, c.g, c.b, c.a});
        }
    }
    add_triangles(mesh, primitive);
    return primitive;
}

std::uint64_t count_points_and_lines(const aiMesh& mesh) {
    std::uint64_t count = 0;
    for (unsigned int f = 0; f < mesh.mNumFaces; ++f) count += mesh.mFaces[f].mNumIndices < 3 ? 1U : 0U;
    return count;
}

void convert_influences(const aiMesh& mesh, const std::vector<std::int32_t>& joint_of_bone,
                        Primitive& primitive) {
    const std::size_t count = mesh.mNumVertices;
    std::vector<std::uint32_t> offsets(count + 1, 0);
    const auto for_each = [&](auto&& visit) {
        for (unsigned int b = 0; b < mesh.mNumBones; ++b) {
            if (joint_of_bone[b] == kNone) continue;
            const aiBone& bone = *mesh.mBones[b];
            for (unsigned int w = 0; w < bone.mNumWeights; ++w) {
                if (bone.mWeights[w].mVertexId >= count) continue;
                visit(bone.mWeights[w], static_cast<std::uint32_t>(joint_of_bone[b]));
            }
        }
    };
    for_each([&](const aiVertexWeight& w, std::uint32_t) { ++offsets[w.mVertexId + 1]; });
    for (std::size_t v = 0; v < count; ++v) offsets[v + 1] += offsets[v];
    primitive.influences.resize(offsets[count]);
    std::vector<std::uint32_t> next(offsets.begin(), offsets.end() - 1);
    for_each([&](const aiVertexWeight& w, std::uint32_t joint) {
        primitive.influences[next[w.mVertexId]++] = {joint, w.mWeight};
    });
    primitive.influence_offsets = std::move(offsets);
}

void set_local(Node& node, const float* row_major_4x4) {
    Affine m;
    for (std::size_t i = 0; i < 12; ++i) m.m[i] = static_cast<double>(row_major_4x4[i]);
    const Decomposed parts = decompose(m);
    node.local = to_float(parts.trs);
    if (!parts.exact) node.local_matrix = to_float(m);
}

void check_textures(const std::vector<Material>& materials, const SourceFiles& files, Issues& issues) {
    for (const Material& material : materials) {
        for (const TextureRef& texture : material.textures) {
            if (texture.uri.starts_with("buffer_view:") || files.sibling_exists(texture.uri)) continue;
            issues.add(
                IssueCode::MissingTexture, fmt::format("material '{}', {}", material.name, texture.slot),
                fmt::format(
                    "the picture '{}' is not there, seen from the asset's folder; its name travels along",
                    texture.uri));
        }
    }
}

}  // namespace sinter
