#include "cli/inspect.hpp"
#include "cli/inspect_dag.hpp"
#include "cli/json_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter {
namespace {

void float3(JsonWriter& json, std::string_view name, const std::unique_ptr<manifest::Float3>& value) {
    const manifest::Float3& v = value_or_default(value);
    json.key(name);
    json.begin_inline_array();
    for (const float component : {v.x(), v.y(), v.z()}) json.number(component);
    json.end_array();
}

void write_sections(JsonWriter& json, const PackageView& view, bool check) {
    json.key("sections");
    json.begin_array();
    for (const TocEntry& entry : view.sections()) {
        json.begin_object();
        json.member("type", name_of_section(entry.type));
        json.member("id", entry.id);
        json.member("codec", codec_name(entry.codec).value_or("unknown"));
        json.member("stored_bytes", entry.stored_size);
        json.member("raw_bytes", entry.raw_size);
        json.member("digest", to_hex(entry.raw_digest));
        if (check) json.member("damaged", !view.is_intact(entry));
        json.end_object();
    }
    json.end_array();
}

void write_issues(JsonWriter& json, const manifest::ManifestT& manifest) {
    json.key("issues");
    json.begin_array();
    for (const auto& issue : manifest.issues) {
        json.begin_object();
        json.member("code", std::uint32_t{issue->code});
        json.member("severity", issue->severity == manifest::Severity::Info ? "info" : "warning");
        json.member("where", issue->where);
        json.member("message", issue->message);
        json.member("count", issue->count);
        json.end_object();
    }
    json.end_array();
}

void write_materials(JsonWriter& json, const manifest::ManifestT& manifest) {
    static constexpr std::string_view kAlphaModes[] = {"opaque", "mask", "blend"};
    json.key("materials");
    json.begin_array();
    for (const auto& material : manifest.materials) {
        const auto mode = static_cast<std::size_t>(material->alpha_mode);
        const manifest::Float4& color = value_or_default(material->base_color);
        json.begin_object();
        json.member("name", material->name);
        json.key("base_color");
        json.begin_inline_array();
        for (const float component : {color.x(), color.y(), color.z(), color.w()}) json.number(component);
        json.end_array();
        float3(json, "emissive", material->emissive);
        json.member("metallic", material->metallic);
        json.member("roughness", material->roughness);
        json.member("alpha_mode", kAlphaModes[std::min<std::size_t>(mode, 2)]);
        json.member("alpha_cutoff", material->alpha_cutoff);
        json.member("double_sided", material->double_sided);
        json.key("textures");
        json.begin_array();
        for (const auto& texture : material->textures) {
            json.begin_object();
            json.member("slot", texture->slot);
            json.member("uri", texture->uri);
            json.member("uv_set", texture->uv_set);
            json.end_object();
        }
        json.end_array();
        json.end_object();
    }
    json.end_array();
}

void write_instances(JsonWriter& json, const manifest::ManifestT& manifest) {
    json.member("nodes", manifest.nodes.size());
    json.key("instances");
    json.begin_array();
    for (std::size_t i = 0; i < manifest.nodes.size(); ++i) {
        if (manifest.nodes[i]->mesh < 0) continue;
        json.begin_object();
        json.member("node", i);
        json.member("name", manifest.nodes[i]->name);
        json.member("mesh", manifest.nodes[i]->mesh);
        json.member("skin", manifest.nodes[i]->skin);
        json.end_object();
    }
    json.end_array();
}

void write_bounds(JsonWriter& json, const manifest::BoundsT& bounds) {
    json.key("bounds");
    json.begin_object();
    float3(json, "center", bounds.center);
    json.member("radius", bounds.radius);
    float3(json, "min", bounds.min);
    float3(json, "max", bounds.max);
    json.end_object();
}

void write_precision(JsonWriter& json, const manifest::MeshT& mesh) {
    const manifest::GridT& grid = value_or_default(mesh.grid);
    json.key("position");
    json.begin_object();
    json.member("grid", grid.kind == manifest::GridKind::World ? "world" : "sphere");
    json.member("bits", grid.bits);
    json.member("step", grid.step);
    float3(json, "origin", grid.center);
    json.member("max_error", grid.max_error);
    json.end_object();

    const manifest::NormalInfoT& normal = value_or_default(mesh.normal);
    json.key("normal");
    json.begin_object();
    json.member("bits", normal.bits);
    json.member("max_error_deg", normal.max_error_deg);
    json.member("made", normal.made);
    json.end_object();

    const manifest::TangentInfoT& tangent = value_or_default(mesh.tangent);
    json.key("tangent");
    json.begin_object();
    json.member("bits", tangent.bits);
    json.member("max_error_deg", tangent.max_error_deg);
    json.member("made", tangent.made);
    json.end_object();

    json.key("uv");
    json.begin_object();
    json.member("sets", mesh.uv_sets);
    json.key("stored");
    json.begin_array();
    for (const auto& uv : mesh.uvs) {
        json.begin_object();
        json.member("bits", uv->bits);
        json.member("max_error", uv->max_error);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    json.key("color");
    json.begin_object();
    json.member("stored", mesh.has_colors);
    json.end_object();
}

void write_influences(JsonWriter& json, const manifest::MeshT& mesh) {
    manifest::InfluencesT none;  // a mesh without a skin: every vertex has 0 influences
    none.class_0 = mesh.vertex_count;
    const manifest::InfluencesT& influences = mesh.influences ? *mesh.influences : none;
    json.key("influences");
    json.begin_object();
    json.member("max_source", influences.max_source);
    json.member("max", influences.max);
    json.member("dropped_vertices", influences.dropped_vertices);
    json.member("max_dropped_weight", influences.max_dropped_weight);
    json.key("classes");
    json.begin_object();
    json.member("0", influences.class_0);
    json.member("1", influences.class_1);
    json.member("4", influences.class_4);
    json.member("8", influences.class_8);
    json.end_object();
    json.member("weight_bits", influences.weight_bits);
    json.member("max_posed_error", influences.max_posed_error);
    json.end_object();
}

void write_shapes(JsonWriter& json, const manifest::MeshT& mesh) {
    json.key("blend_shapes");
    json.begin_array();
    for (const auto& shape : mesh.shapes) {
        json.begin_object();
        json.member("name", shape->name);
        json.member("default_weight", shape->default_weight);
        json.member("affected_vertices", shape->affected_vertices);
        json.member("max_delta", shape->max_delta);
        json.member("max_error", shape->max_error);
        json.key("in_between_weights");
        json.begin_inline_array();
        for (std::size_t i = 0; i + 1 < shape->frames.size(); ++i) json.number(shape->frames[i]->weight);
        json.end_array();
        json.end_object();
    }
    json.end_array();
}

// Names of the materials that the mesh's submeshes use, in their order; "" for triangles without one.
void write_mesh_materials(JsonWriter& json, const manifest::MeshT& mesh,
                          const manifest::ManifestT& manifest) {
    json.key("materials");
    json.begin_inline_array();
    for (const auto& submesh : mesh.submeshes) {
        const auto index = static_cast<std::size_t>(submesh->material);
        const bool known = submesh->material >= 0 && index < manifest.materials.size();
        json.string(known ? manifest.materials[index]->name : std::string());
    }
    json.end_array();
}

void write_mesh(JsonWriter& json, const OpenPackage& package, std::uint32_t index) {
    const manifest::ManifestT& manifest = *package.manifest;
    const manifest::MeshT& mesh = *manifest.meshes[index];
    json.begin_object();
    json.member("name", mesh.name);
    json.member("triangles", mesh.source_triangles);
    json.member("dropped_triangles", mesh.degenerate_triangles + mesh.duplicate_triangles);
    json.member("degenerate_triangles", mesh.degenerate_triangles);
    json.member("duplicate_triangles", mesh.duplicate_triangles);
    json.member("vertices", mesh.vertex_count);
    json.member("points", mesh.point_count);
    json.member("source_vertices", mesh.source_vertices);
    write_mesh_materials(json, mesh, manifest);
    write_bounds(json, value_or_default(mesh.bounds));
    json.member("skin", mesh.skin);
    write_precision(json, mesh);
    write_influences(json, mesh);
    if (mesh.cluster_dag) json.member("skin_batches", mesh.cluster_dag->skin_batch_count);
    write_dag_json(json, package, index);
    write_shapes(json, mesh);
    json.end_object();
}

void write_skins(JsonWriter& json, const manifest::ManifestT& manifest) {
    json.key("skins");
    json.begin_array();
    for (const auto& skin : manifest.skins) {
        json.begin_object();
        json.member("name", skin->name);
        json.member("skeleton", skin->skeleton);
        json.member("joints", skin->bone_of_joint.size());
        json.end_object();
    }
    json.end_array();
    json.key("skeletons");
    json.begin_array();
    for (const auto& skeleton : manifest.skeletons) {
        json.begin_object();
        json.member("name", skeleton->name);
        json.key("bones");
        json.begin_array();
        for (const auto& bone : skeleton->bones) {
            json.begin_object();
            json.member("name", bone->name);
            json.member("parent", bone->parent);
            json.member("helper", bone->helper);
            json.end_object();
        }
        json.end_array();
        json.member("leaf_bones", skeleton->leaf_bones);
        json.member("max_depth", skeleton->max_depth);
        json.end_object();
    }
    json.end_array();
}

void write_clips(JsonWriter& json, const OpenPackage& package) {
    json.key("clips");
    json.begin_array();
    const auto& clips = package.manifest->clips;
    for (std::size_t i = 0; i < clips.size(); ++i) {
        const manifest::ClipT& clip = *clips[i];
        const TocEntry* samples = package.view.find(SectionType::ClipSamples, i);
        const auto constant =
            std::ranges::count_if(clip.tracks, [](const auto& track) { return track->constant; });
        json.begin_object();
        json.member("name", clip.name);
        json.member("start_s", clip.start_s);
        json.member("duration_s", clip.duration_s);
        json.member("sample_rate_hz", clip.sample_rate_hz);
        json.member("frames", clip.frame_count);
        json.member("tracks", clip.tracks.size());
        json.member("constant_tracks", static_cast<std::uint64_t>(constant));
        json.member("bytes", samples ? samples->stored_size : 0);
        json.member("raw_bytes", clip.raw_bytes);
        json.member("max_error", clip.max_translation_error);
        json.member("max_rotation_error_deg", clip.max_rotation_error_deg);
        json.member("max_scale_error", clip.max_scale_error);
        json.member("max_weight_error", clip.max_weight_error);
        json.member("max_step_error_s", clip.max_step_error_s);
        json.end_object();
    }
    json.end_array();
}

}  // namespace

std::string name_of_section(SectionType type) {
    const auto name = section_type_name(type);
    return name ? std::string(*name) : fmt::format("unknown_{:#06x}", static_cast<std::uint32_t>(type));
}

std::string inspect_json(const OpenPackage& package, const InspectOptions& options) {
    const manifest::ManifestT& manifest = *package.manifest;
    const manifest::ProvenanceT& provenance = value_or_default(manifest.provenance);
    const manifest::SourceT& source = value_or_default(provenance.source);
    const FormatVersion format = package.view.header().format;
    JsonWriter json;
    json.begin_object();
    json.member("schema", "sinter-inspect/1");
    json.member("format_version", fmt::format("{}.{}", format.major, format.minor));
    json.member("content_root", to_hex(package.view.content_root()));
    json.member("bytes", package.view.size_bytes());
    write_sections(json, package.view, options.sections);
    json.key("source");
    json.begin_object();
    json.member("name", source.name);
    json.member("format", source.format);
    json.member("generator", source.generator);
    json.end_object();
    json.member("options_digest", to_hex(provenance.options_digest));
    write_issues(json, manifest);
    write_instances(json, manifest);
    write_materials(json, manifest);
    json.key("meshes");
    json.begin_array();
    for (std::uint32_t i = 0; i < manifest.meshes.size(); ++i) write_mesh(json, package, i);
    json.end_array();
    write_skins(json, manifest);
    write_clips(json, package);
    json.end_object();
    return json.text();
}

}  // namespace sinter
