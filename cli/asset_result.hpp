// What a worker tells the supervisor about its asset, and how it is spelt on the pipe between them.
#pragma once

#include "cooker/issues.hpp"

#include <sinter/formats/manifest.hpp>
#include <sinter/formats/result.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

// Sums and maxima over a package, for the summary and the report. Lengths in metres.
struct AssetFacts {
    std::uint64_t source_bytes = 0;  // of every file that was read
    std::uint64_t package_bytes = 0;
    std::string content_root;  // hexadecimal
    std::uint64_t meshes = 0;
    std::uint64_t instances = 0;  // nodes that draw a mesh
    std::uint64_t triangles = 0;  // of the source, degenerate ones included
    std::uint64_t dropped_triangles = 0;
    std::uint64_t vertices = 0;
    std::uint64_t source_vertices = 0;
    std::uint64_t clusters = 0;  // of all levels
    std::uint64_t levels = 0;    // of the mesh with most
    std::uint64_t stuck_groups = 0;
    std::uint64_t bones = 0;  // joints, without helper bones
    std::uint64_t helper_bones = 0;
    std::uint64_t clips = 0;
    std::uint64_t blend_shapes = 0;
    double max_position_error = 0;
    double max_position_error_relative = 0;  // in radii of the mesh that has it
    double max_normal_error_deg = 0;
    double max_tangent_error_deg = 0;
    double max_lod_error = 0;       // of the coarsest groups that a cut can choose
    double max_dropped_weight = 0;  // most weight that one vertex lost
    double max_posed_error = 0;  // what the influences' encoding moves a vertex by, over poses of the clips
    double max_clip_translation_error = 0;
    double max_clip_rotation_error_deg = 0;
    double max_clip_scale_error = 0;
    double max_clip_weight_error = 0;
    double max_blend_shape_error = 0;
};

struct ReadFile {
    std::filesystem::path path;  // as opened
    std::string name;
    std::uint64_t bytes = 0;
    std::string sha256;  // hexadecimal
};

struct AssetResult {
    std::optional<Error> error;  // nothing was written
    std::vector<Issue> issues;
    std::vector<ReadFile> files;
    AssetFacts facts;
};

// The facts that a package's manifest holds; source_bytes, package_bytes and content_root are the caller's.
[[nodiscard]] AssetFacts facts_of(const manifest::ManifestT& manifest);

// JSON, one document.
[[nodiscard]] std::string encode_result(const AssetResult& result);
// Errors: Internal.
[[nodiscard]] Result<AssetResult> decode_result(std::string_view text);

// Calls visit(name, field) for each number of the facts, in the order of the report.
template <typename Facts, typename Visitor>
void visit_facts(Facts& facts, Visitor&& visit) {
    visit("source_bytes", facts.source_bytes);
    visit("package_bytes", facts.package_bytes);
    visit("meshes", facts.meshes);
    visit("instances", facts.instances);
    visit("triangles", facts.triangles);
    visit("dropped_triangles", facts.dropped_triangles);
    visit("vertices", facts.vertices);
    visit("source_vertices", facts.source_vertices);
    visit("clusters", facts.clusters);
    visit("levels", facts.levels);
    visit("stuck_groups", facts.stuck_groups);
    visit("bones", facts.bones);
    visit("helper_bones", facts.helper_bones);
    visit("clips", facts.clips);
    visit("blend_shapes", facts.blend_shapes);
    visit("max_position_error", facts.max_position_error);
    visit("max_position_error_relative", facts.max_position_error_relative);
    visit("max_normal_error_deg", facts.max_normal_error_deg);
    visit("max_tangent_error_deg", facts.max_tangent_error_deg);
    visit("max_lod_error", facts.max_lod_error);
    visit("max_dropped_weight", facts.max_dropped_weight);
    visit("max_posed_error", facts.max_posed_error);
    visit("max_clip_translation_error", facts.max_clip_translation_error);
    visit("max_clip_rotation_error_deg", facts.max_clip_rotation_error_deg);
    visit("max_clip_scale_error", facts.max_clip_scale_error);
    visit("max_clip_weight_error", facts.max_clip_weight_error);
    visit("max_blend_shape_error", facts.max_blend_shape_error);
}

}  // namespace sinter
