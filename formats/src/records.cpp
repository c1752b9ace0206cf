#include <sinter/formats/records.hpp>

#include <utility>

namespace sinter {
namespace {

constexpr std::array<std::pair<SectionType, std::string_view>, 18> kSectionNames{{
    {SectionType::Manifest, "manifest"},
    {SectionType::MeshPositions, "mesh_positions"},
    {SectionType::MeshNormals, "mesh_normals"},
    {SectionType::MeshTangents, "mesh_tangents"},
    {SectionType::MeshUvs, "mesh_uvs"},
    {SectionType::MeshColors, "mesh_colors"},
    {SectionType::MeshIndices, "mesh_indices"},
    {SectionType::MeshInfluences, "mesh_influences"},
    {SectionType::BlendShapeDeltas, "blend_shape_deltas"},
    {SectionType::SkinInverseBinds, "skin_inverse_binds"},
    {SectionType::ClipSamples, "clip_samples"},
    {SectionType::ClusterGroups, "cluster_groups"},
    {SectionType::ClusterHierarchy, "cluster_hierarchy"},
    {SectionType::ClusterPages, "cluster_pages"},
    {SectionType::ClusterPageDependencies, "cluster_page_dependencies"},
    {SectionType::ClusterPrefixes, "cluster_prefixes"},
    {SectionType::SkinBatches, "skin_batches"},
    {SectionType::PageData, "page_data"},
}};

constexpr std::array<std::pair<Codec, std::string_view>, 6> kCodecNames{{
    {Codec::Raw, "raw"},
    {Codec::Zstd, "zstd"},
    {Codec::Meshopt, "meshopt"},
    {Codec::MeshoptZstd, "meshopt+zstd"},
    {Codec::GDeflate, "gdeflate"},
    {Codec::Page, "page"},
}};

}  // namespace

std::optional<std::string_view> section_type_name(SectionType type) {
    for (const auto& [known, name] : kSectionNames) {
        if (known == type) return name;
    }
    return std::nullopt;
}

std::optional<SectionType> section_type_from_name(std::string_view name) {
    for (const auto& [type, known] : kSectionNames) {
        if (known == name) return type;
    }
    return std::nullopt;
}

std::optional<std::string_view> codec_name(Codec codec) {
    for (const auto& [known, name] : kCodecNames) {
        if (known == codec) return name;
    }
    return std::nullopt;
}

}  // namespace sinter
