#include "cli/asset_result.hpp"

#include "cli/json_reader.hpp"
#include "cli/json_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <type_traits>

namespace sinter {
namespace {

// Paths are bytes and JSON is Unicode: everything but plain ASCII travels as %NN.
std::string escape_bytes(std::string_view bytes) {
    std::string text;
    for (const char character : bytes) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || byte > 0x7E || byte == '%') text += fmt::format("%{:02x}", byte);
        else text += character;
    }
    return text;
}

std::string unescape_bytes(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned value = 0;
        if (text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr == text.data() + i + 3) {
            bytes += static_cast<char>(static_cast<unsigned char>(value));
            i += 2;
        } else {
            bytes += text[i];
        }
    }
    return bytes;
}

void raise(double& largest, double value) { largest = std::max(largest, value); }

void add_dag(AssetFacts& facts, const manifest::ClusterDagT& dag) {
    facts.clusters += dag.cluster_count;
    facts.levels = std::max<std::uint64_t>(facts.levels, dag.levels.size());
    for (const auto& level : dag.levels) {
        facts.stuck_groups += level->stuck_groups;
        raise(facts.max_lod_error, static_cast<double>(level->max_error));
    }
}

void add_mesh(AssetFacts& facts, const manifest::MeshT& mesh) {
    facts.triangles += mesh.source_triangles;
    facts.dropped_triangles += mesh.degenerate_triangles + mesh.duplicate_triangles;
    facts.vertices += mesh.vertex_count;
    facts.source_vertices += mesh.source_vertices;
    facts.blend_shapes += mesh.shapes.size();
    if (mesh.grid) {
        const double error = static_cast<double>(mesh.grid->max_error);
        const double radius = mesh.bounds ? static_cast<double>(mesh.bounds->radius) : 0.0;
        raise(facts.max_position_error, error);
        if (radius > 0) raise(facts.max_position_error_relative, error / radius);
    }
    if (mesh.normal) raise(facts.max_normal_error_deg, static_cast<double>(mesh.normal->max_error_deg));
    if (mesh.tangent) raise(facts.max_tangent_error_deg, static_cast<double>(mesh.tangent->max_error_deg));
    if (mesh.cluster_dag) add_dag(facts, *mesh.cluster_dag);
    if (mesh.influences) {
        raise(facts.max_dropped_weight, static_cast<double>(mesh.influences->max_dropped_weight));
        raise(facts.max_posed_error, static_cast<double>(mesh.influences->max_posed_error));
    }
    for (const auto& shape : mesh.shapes) {
        if (shape) raise(facts.max_blend_shape_error, static_cast<double>(shape->max_error));
    }
}

void add_clip(AssetFacts& facts, const manifest::ClipT& clip) {
    raise(facts.max_clip_translation_error, static_cast<double>(clip.max_translation_error));
    raise(facts.max_clip_rotation_error_deg, static_cast<double>(clip.max_rotation_error_deg));
    raise(facts.max_clip_scale_error, static_cast<double>(clip.max_scale_error));
    raise(facts.max_clip_weight_error, static_cast<double>(clip.max_weight_error));
}

void write_error(JsonWriter& json, const Error& error) {
    json.key("error");
    json.begin_object();
    json.member("kind", static_cast<std::int32_t>(error.kind));
    json.member("where", escape_bytes(error.where));
    json.member("message", escape_bytes(error.message));
    json.member("remedy", escape_bytes(error.remedy));
    json.member("code", std::uint32_t{error.code});
    json.end_object();
}

void write_issue(JsonWriter& json, const Issue& issue) {
    json.begin_object();
    json.member("code", static_cast<std::uint32_t>(issue.code));
    json.member("severity", static_cast<std::uint32_t>(issue.severity));
    json.member("where", escape_bytes(issue.where));
    json.member("message", escape_bytes(issue.message));
    json.member("count", issue.count);
    json.end_object();
}

void write_file_entry(JsonWriter& json, const ReadFile& file) {
    json.begin_object();
    json.member("path", escape_bytes(file.path.string()));
    json.member("name", escape_bytes(file.name));
    json.member("bytes", file.bytes);
    json.member("sha256", file.sha256);
    json.end_object();
}

// Reading: what is missing reads as empty, for both ends are of one build.
const JsonValue& member_of(const JsonValue& object, std::string_view key) {
    static const JsonValue absent;
    const JsonValue* const found = object.find(key);
    return found ? *found : absent;
}

std::string text_of(const JsonValue& object, std::string_view key) {
    return unescape_bytes(member_of(object, key).text);
}

std::uint64_t count_at(const JsonValue& object, std::string_view key) {
    return count_of(member_of(object, key));
}

}  // namespace

AssetFacts facts_of(const manifest::ManifestT& manifest) {
    AssetFacts facts;
    facts.meshes = manifest.meshes.size();
    facts.clips = manifest.clips.size();
    for (const auto& node : manifest.nodes) facts.instances += node && node->mesh >= 0 ? 1U : 0U;
    for (const auto& mesh : manifest.meshes) {
        if (mesh) add_mesh(facts, *mesh);
    }
    for (const auto& skeleton : manifest.skeletons) {
        for (const auto& bone : skeleton->bones) ++(bone->helper ? facts.helper_bones : facts.bones);
    }
    for (const auto& clip : manifest.clips) {
        if (clip) add_clip(facts, *clip);
    }
    return facts;
}

std::string encode_result(const AssetResult& result) {
    JsonWriter json;
    json.begin_object();
    if (result.error) write_error(json, *result.error);
    json.key("issues");
    json.begin_array();
    for (const Issue& issue : result.issues) write_issue(json, issue);
    json.end_array();
    json.key("files");
    json.begin_array();
    for (const ReadFile& file : result.files) write_file_entry(json, file);
    json.end_array();
    json.key("facts");
    json.begin_object();
    json.member("content_root", result.facts.content_root);
    visit_facts(result.facts, [&](std::string_view name, const auto& value) { json.member(name, value); });
    json.end_object();
    json.end_object();
    return json.text();
}

Result<AssetResult> decode_result(std::string_view text) {
    SINTER_TRY_ASSIGN(const JsonValue root, parse_json(text, "worker"));
    AssetResult result;
    if (const JsonValue* const error = root.find("error")) {
        result.error = Error{static_cast<ErrorKind>(count_at(*error, "kind")), text_of(*error, "where"),
                             text_of(*error, "message"), text_of(*error, "remedy"),
                             static_cast<std::uint16_t>(count_at(*error, "code"))};
    }
    for (const JsonValue& issue : member_of(root, "issues").items) {
        result.issues.push_back({static_cast<IssueCode>(count_at(issue, "code")),
                                 static_cast<Severity>(count_at(issue, "severity")), text_of(issue, "where"),
                                 text_of(issue, "message"), count_at(issue, "count")});
    }
    for (const JsonValue& file : member_of(root, "files").items) {
        result.files.push_back(
            {text_of(file, "path"), text_of(file, "name"), count_at(file, "bytes"), text_of(file, "sha256")});
    }
    const JsonValue& facts = member_of(root, "facts");
    result.facts.content_root = text_of(facts, "content_root");
    visit_facts(result.facts, [&](std::string_view name, auto& value) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, double>) {
            value = number_of(member_of(facts, name));
        } else {
            value = count_at(facts, name);
        }
    });
    return result;
}

}  // namespace sinter
