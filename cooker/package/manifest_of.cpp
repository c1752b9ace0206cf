#include "cooker/package/manifest_of.hpp"

#include "cooker/options.hpp"
#include "cooker/package/library_versions.hpp"
#include "cooker/package/manifest_dag.hpp"

#include <sinter/formats/hash.hpp>
#include <sinter/formats/records.hpp>
#include <sinter/formats/utf8.hpp>
#include <sinter/formats/vertex_codec.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sinter {
namespace {

namespace mf = manifest;

std::string text(std::string_view bytes) {
    if (is_utf8(bytes)) return std::string(bytes);
    std::string out;
    for (const char c : bytes) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x80) {
            out += c;
        } else {
            out += static_cast<char>(0xC0U | (code >> 6U));
            out += static_cast<char>(0x80U | (code & 0x3FU));
        }
    }
    return out;
}

std::unique_ptr<mf::Float3> float3(Float3 v) { return std::make_unique<mf::Float3>(v.x, v.y, v.z); }
std::unique_ptr<mf::Float4> float4(Float4 v) { return std::make_unique<mf::Float4>(v.x, v.y, v.z, v.w); }

template <std::size_t N>
std::vector<std::uint8_t> bytes_of(const std::array<std::uint8_t, N>& array) {
    return {array.begin(), array.end()};
}

std::unique_ptr<mf::ProvenanceT> provenance_of(const CookedAsset& asset) {
    auto out = std::make_unique<mf::ProvenanceT>();
    out->source = std::make_unique<mf::SourceT>();
    out->source->name = text(asset.source.name);
    out->source->format = text(asset.source.format);
    out->source->generator = text(asset.source.generator);
    out->tool = "sinter";
    out->tool_version = tool_version();
    for (const LibraryVersion& library : library_versions()) {
        auto entry = std::make_unique<mf::LibraryT>();
        entry->name = library.name;
        entry->version = library.version;
        out->libraries.push_back(std::move(entry));
    }
    out->options_json = options_json(asset.options);
    out->options_digest = bytes_of(sha256(std::as_bytes(std::span(out->options_json))));
    for (const InputFile& input : asset.inputs) {
        auto entry = std::make_unique<mf::InputT>();
        entry->name = text(input.name);
        entry->bytes = input.bytes;
        entry->sha256 = bytes_of(input.sha256);
        out->inputs.push_back(std::move(entry));
    }
    return out;
}

std::unique_ptr<mf::IssueT> issue_of(const Issue& issue) {
    auto out = std::make_unique<mf::IssueT>();
    out->code = static_cast<std::uint16_t>(issue.code);
    out->severity = issue.severity == Severity::Warning ? mf::Severity::Warning : mf::Severity::Info;
    out->where = text(issue.where);
    out->message = text(issue.message);
    out->count = issue.count;
    return out;
}

std::unique_ptr<mf::MaterialT> material_of(const Material& material) {
    auto out = std::make_unique<mf::MaterialT>();
    out->name = text(material.name);
    out->base_color = float4(material.base_color);
    out->emissive = float3(material.emissive);
    out->metallic = material.metallic;
    out->roughness = material.roughness;
    out->alpha_cutoff = material.alpha_cutoff;
    out->alpha_mode = static_cast<mf::AlphaMode>(material.alpha_mode);
    out->double_sided = material.double_sided;
    for (const TextureRef& texture : material.textures) {
        auto entry = std::make_unique<mf::TextureT>();
        entry->slot = text(texture.slot);
        entry->uri = text(texture.uri);
        entry->uv_set = texture.uv_set;
        out->textures.push_back(std::move(entry));
    }
    return out;
}

std::unique_ptr<mf::NodeT> node_of(const Node& node) {
    auto out = std::make_unique<mf::NodeT>();
    out->name = text(node.name);
    out->parent = node.parent;
    out->translation = float3(node.local.translation);
    out->rotation = float4(node.local.rotation);
    out->scale = float3(node.local.scale);
    if (node.local_matrix) out->matrix.assign(node.local_matrix->m.begin(), node.local_matrix->m.end());
    out->mesh = node.mesh;
    out->skin = node.skin;
    out->shape_weights = node.shape_weights;
    out->in_scene = node.in_scene;
    return out;
}

std::unique_ptr<mf::InfluencesT> influences_of(const EncodedInfluences& influences) {
    if (influences.stride == 0) return nullptr;
    auto out = std::make_unique<mf::InfluencesT>();
    out->stride = influences.stride;
    out->weight_bits = influences.weight_bits;
    out->max_source = influences.max_source;
    out->max = influences.max;
    out->dropped_vertices = influences.dropped_vertices;
    out->max_dropped_weight = influences.max_dropped_weight;
    out->class_0 = influences.class_counts[0];
    out->class_1 = influences.class_counts[1];
    out->class_4 = influences.class_counts[2];
    out->class_8 = influences.class_counts[3];
    out->max_posed_error = influences.max_posed_error;
    return out;
}

double squared_length(Float3 v) {
    const auto x = static_cast<double>(v.x);
    const auto y = static_cast<double>(v.y);
    const auto z = static_cast<double>(v.z);
    return x * x + y * y + z * z;
}

// `next_record` is the first free record of the mesh's blend_shape_deltas, moved past this shape's frames.
std::unique_ptr<mf::ShapeT> shape_of(const PreparedShape& shape, std::uint64_t& next_record) {
    auto out = std::make_unique<mf::ShapeT>();
    out->name = text(shape.name);
    out->default_weight = shape.default_weight;
    std::vector<std::uint32_t> affected;
    double max_squared = 0;
    for (const SparseShapeFrame& frame : shape.frames) {
        auto entry = std::make_unique<mf::ShapeFrameT>();
        entry->weight = frame.weight;
        entry->first_record = next_record;
        entry->record_count = frame.vertices.size();
        entry->has_normals = !frame.normals.empty();
        entry->has_tangents = !frame.tangents.empty();
        next_record += frame.vertices.size();
        affected.insert(affected.end(), frame.vertices.begin(), frame.vertices.end());
        for (const Float3 delta : frame.positions) max_squared = std::max(max_squared, squared_length(delta));
        out->frames.push_back(std::move(entry));
    }
    std::ranges::sort(affected);
    const auto repeated = std::ranges::unique(affected);
    out->affected_vertices = static_cast<std::uint32_t>(affected.size() - repeated.size());
    out->max_delta = static_cast<float>(std::sqrt(max_squared));
    return out;
}

// For each mesh the skin of the first node that draws it with one.
std::vector<std::int32_t> skins_of_meshes(const CookedAsset& asset) {
    std::vector<std::int32_t> skins(asset.meshes.size(), kNone);
    for (const Node& node : asset.nodes) {
        if (node.mesh == kNone || node.skin == kNone) continue;
        std::int32_t& skin = skins[static_cast<std::size_t>(node.mesh)];
        if (skin == kNone) skin = node.skin;
    }
    return skins;
}

std::unique_ptr<mf::GridT> grid_of(const PreparedMesh& mesh) {
    auto out = std::make_unique<mf::GridT>();
    out->kind = static_cast<mf::GridKind>(mesh.grid.kind);
    out->bits = mesh.grid.bits;
    out->center = float3(mesh.grid.center);
    out->step = mesh.grid.step;
    out->max_error = mesh.max_position_error;
    return out;
}

std::unique_ptr<mf::BoundsT> bounds_of(const Bounds& bounds) {
    auto out = std::make_unique<mf::BoundsT>();
    out->min = float3(bounds.min);
    out->max = float3(bounds.max);
    out->center = float3(bounds.center);
    out->radius = bounds.radius;
    return out;
}

std::unique_ptr<mf::UvInfoT> uv_info_of(const EncodedUvs& uvs) {
    auto out = std::make_unique<mf::UvInfoT>();
    out->bits = uvs.codes.empty() ? 32 : 16;
    out->min_u = uvs.grid.min[0];
    out->min_v = uvs.grid.min[1];
    out->step_u = uvs.grid.step[0];
    out->step_v = uvs.grid.step[1];
    out->max_error = uvs.max_error;
    return out;
}

void add_geometry(mf::MeshT& out, const PreparedMesh& mesh, const MeshEncodingErrors& errors, bool paged,
                  std::uint32_t normal_bits) {
    out.vertex_count = static_cast<std::uint32_t>(mesh.vertex_count());
    out.index_count = mesh.indices.size();
    out.grid = grid_of(mesh);
    out.bounds = bounds_of(mesh.bounds);
    for (const Submesh& submesh : mesh.submeshes) {
        auto entry = std::make_unique<mf::SubmeshT>();
        entry->material = submesh.material;
        entry->first_index = submesh.first_index;
        entry->index_count = submesh.index_count;
        out.submeshes.push_back(std::move(entry));
    }
    out.normal = std::make_unique<mf::NormalInfoT>();
    out.normal->bits = mesh.normals.empty() ? 0 : normal_bits;
    out.normal->max_error_deg = errors.max_normal_error_deg;
    out.normal->made = mesh.made_normals;
    out.tangent = std::make_unique<mf::TangentInfoT>();
    out.tangent->bits = mesh.tangents.empty() ? 0 : 8 * (paged ? sizeof(TangentCode) : sizeof(TangentRecord));
    out.tangent->max_error_deg = errors.max_tangent_error_deg;
    out.tangent->made = mesh.made_tangents;
    out.uv_sets = mesh.vertex_count() == 0 ? 0 : static_cast<std::uint32_t>(mesh.uv_sets.size());
    for (std::size_t set = 0; set < out.uv_sets; ++set) out.uvs.push_back(uv_info_of(errors.uvs[set]));
    out.has_colors = !mesh.colors.empty();
}

std::unique_ptr<mf::MeshT> mesh_of(const CookedAsset& asset, std::size_t index, std::int32_t skin,
                                   const MeshEncodingErrors& errors) {
    auto out = std::make_unique<mf::MeshT>();
    const PreparedMesh& mesh = asset.meshes[index];
    const ClusteredMesh& clustered = asset.clustered[index];
    out->name = text(mesh.name);
    add_geometry(*out, mesh, errors, !clustered.paged.pages.empty(), asset.options.mesh.normal_bits);
    out->cluster_dag = manifest_dag_of(clustered, asset.options.cluster);
    out->skin = skin;
    out->influences = influences_of(mesh.influences);
    std::uint64_t next_record = 0;
    for (const PreparedShape& shape : mesh.shapes) out->shapes.push_back(shape_of(shape, next_record));
    out->point_count = mesh.point_count;
    out->source_triangles = mesh.source_triangles;
    out->degenerate_triangles = mesh.degenerate_triangles;
    out->duplicate_triangles = mesh.duplicate_triangles;
    out->source_vertices = mesh.source_vertices;
    return out;
}

std::unique_ptr<mf::SkinT> skin_of(const CookedSkin& skin) {
    auto out = std::make_unique<mf::SkinT>();
    out->name = text(skin.name);
    out->skeleton = skin.skeleton;
    out->bone_of_joint = skin.bone_of_joint;
    return out;
}

std::unique_ptr<mf::SkeletonT> skeleton_of(const Skeleton& skeleton) {
    auto out = std::make_unique<mf::SkeletonT>();
    out->name = text(skeleton.name);
    for (const Bone& bone : skeleton.bones) {
        auto entry = std::make_unique<mf::BoneT>();
        entry->name = text(bone.name);
        entry->parent = bone.parent;
        entry->node = bone.node;
        entry->helper = bone.helper;
        out->bones.push_back(std::move(entry));
    }
    out->leaf_bones = skeleton.leaf_bones;
    out->max_depth = skeleton.max_depth;
    return out;
}

std::unique_ptr<mf::ClipT> clip_of(const SampledClip& clip, std::uint64_t bones) {
    constexpr std::uint64_t kBytesPerPose = 40;  // translation, rotation, scale: ten floats
    auto out = std::make_unique<mf::ClipT>();
    out->name = text(clip.name);
    out->start_s = clip.start_s;
    out->duration_s = clip.duration_s;
    out->sample_rate_hz = clip.sample_rate_hz;
    out->frame_count = clip.frame_count;
    std::uint64_t next_value = 0;
    for (const SampledTrack& track : clip.tracks) {
        auto entry = std::make_unique<mf::TrackT>();
        entry->node = track.node;
        entry->path = static_cast<mf::TrackPath>(track.path);
        entry->step = track.step;
        entry->constant = track.constant;
        entry->components = track.components;
        entry->first_value = next_value;
        next_value += track.samples.size();
        out->tracks.push_back(std::move(entry));
    }
    out->raw_bytes = kBytesPerPose * bones * clip.frame_count;
    out->max_translation_error = clip.max_translation_error;
    out->max_rotation_error_deg = clip.max_rotation_error_deg;
    out->max_scale_error = clip.max_scale_error;
    out->max_weight_error = clip.max_weight_error;
    out->max_step_error_s = clip.max_step_error_s;
    return out;
}

}  // namespace

manifest::ManifestT manifest_of(const CookedAsset& asset, const std::vector<MeshEncodingErrors>& errors) {
    mf::ManifestT out;
    out.provenance = provenance_of(asset);
    for (const Issue& issue : asset.issues) out.issues.push_back(issue_of(issue));
    for (const Node& node : asset.nodes) out.nodes.push_back(node_of(node));
    for (const Material& material : asset.materials) out.materials.push_back(material_of(material));
    const std::vector<std::int32_t> skins = skins_of_meshes(asset);
    for (std::size_t i = 0; i < asset.meshes.size(); ++i) {
        out.meshes.push_back(mesh_of(asset, i, skins[i], errors[i]));
    }
    for (const CookedSkin& skin : asset.skins) out.skins.push_back(skin_of(skin));
    for (const Skeleton& skeleton : asset.skeletons) out.skeletons.push_back(skeleton_of(skeleton));
    std::uint64_t bones = 0;
    for (const Skeleton& skeleton : asset.skeletons) bones += skeleton.bones.size();
    for (const SampledClip& clip : asset.clips) out.clips.push_back(clip_of(clip, bones));
    return out;
}

}  // namespace sinter
