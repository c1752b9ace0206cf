#include <sinter/formats/verify.hpp>

#include <array>
#include <utility>

namespace sinter {
namespace {

constexpr std::array<std::pair<FindingCode, std::string_view>, 77> kNames{{
    {FindingCode::Truncated, "truncated"},
    {FindingCode::BadMagic, "bad_magic"},
    {FindingCode::HeaderHash, "header_hash"},
    {FindingCode::HeaderField, "header_field"},
    {FindingCode::NewerFormat, "newer_format"},
    {FindingCode::FileSize, "file_size"},
    {FindingCode::TocHash, "toc_hash"},
    {FindingCode::TocOrder, "toc_order"},
    {FindingCode::TocField, "toc_field"},
    {FindingCode::SectionRange, "section_range"},
    {FindingCode::UnusedBytes, "unused_bytes"},
    {FindingCode::Padding, "padding"},
    {FindingCode::UnknownRequiredSection, "unknown_required_section"},
    {FindingCode::UnknownCodec, "unknown_codec"},
    {FindingCode::LimitExceeded, "limit_exceeded"},
    {FindingCode::StoredHash, "stored_hash"},
    {FindingCode::Decode, "decode"},
    {FindingCode::RawDigest, "raw_digest"},
    {FindingCode::ManifestMissing, "manifest_missing"},
    {FindingCode::ManifestStructure, "manifest_structure"},
    {FindingCode::ContentRoot, "content_root"},
    {FindingCode::SectionMissing, "section_missing"},
    {FindingCode::SectionUnexpected, "section_unexpected"},
    {FindingCode::SectionShape, "section_shape"},
    {FindingCode::ManifestField, "manifest_field"},
    {FindingCode::NonFinite, "non_finite"},
    {FindingCode::InvalidText, "invalid_text"},
    {FindingCode::NegativeError, "negative_error"},
    {FindingCode::NodeParent, "node_parent"},
    {FindingCode::NodeReference, "node_reference"},
    {FindingCode::NodeTransform, "node_transform"},
    {FindingCode::NodeShapeWeights, "node_shape_weights"},
    {FindingCode::MaterialReference, "material_reference"},
    {FindingCode::Provenance, "provenance"},
    {FindingCode::IndexRange, "index_range"},
    {FindingCode::SubmeshRange, "submesh_range"},
    {FindingCode::TriangleCount, "triangle_count"},
    {FindingCode::BoundsBox, "bounds_box"},
    {FindingCode::BoundsSphere, "bounds_sphere"},
    {FindingCode::Grid, "grid"},
    {FindingCode::ReservedBits, "reserved_bits"},
    {FindingCode::Tangent, "tangent"},
    {FindingCode::VertexCounts, "vertex_counts"},
    {FindingCode::AttributeBits, "attribute_bits"},
    {FindingCode::InfluenceWeightSum, "influence_weight_sum"},
    {FindingCode::InfluenceJoint, "influence_joint"},
    {FindingCode::InfluenceOrder, "influence_order"},
    {FindingCode::InfluenceStatistics, "influence_statistics"},
    {FindingCode::SkinReference, "skin_reference"},
    {FindingCode::BoneParent, "bone_parent"},
    {FindingCode::BoneNode, "bone_node"},
    {FindingCode::SkeletonStatistics, "skeleton_statistics"},
    {FindingCode::ShapeRange, "shape_range"},
    {FindingCode::ShapeVertex, "shape_vertex"},
    {FindingCode::ShapeFrames, "shape_frames"},
    {FindingCode::ShapeStatistics, "shape_statistics"},
    {FindingCode::ShapeDelta, "shape_delta"},
    {FindingCode::ClipTiming, "clip_timing"},
    {FindingCode::ClipTrack, "clip_track"},
    {FindingCode::ClipRange, "clip_range"},
    {FindingCode::ClipRotation, "clip_rotation"},
    {FindingCode::Page, "page"},
    {FindingCode::PageRecord, "page_record"},
    {FindingCode::PageReference, "page_reference"},
    {FindingCode::PageDependency, "page_dependency"},
    {FindingCode::ClusterLimits, "cluster_limits"},
    {FindingCode::ClusterGroup, "cluster_group"},
    {FindingCode::GroupLink, "group_link"},
    {FindingCode::GroupEnd, "group_end"},
    {FindingCode::GroupError, "group_error"},
    {FindingCode::GroupBounds, "group_bounds"},
    {FindingCode::HierarchyTree, "hierarchy_tree"},
    {FindingCode::HierarchyBounds, "hierarchy_bounds"},
    {FindingCode::Prefix, "prefix"},
    {FindingCode::SkinBatch, "skin_batch"},
    {FindingCode::DagStatistics, "dag_statistics"},
    {FindingCode::FullDetail, "full_detail"},
}};

}  // namespace

std::string_view finding_name(FindingCode code) {
    for (const auto& [known, name] : kNames) {
        if (known == code) return name;
    }
    return "unknown";
}

}  // namespace sinter
