#include "cli/counted.hpp"
#include "cli/inspect.hpp"
#include "cli/inspect_dag.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <iterator>

namespace sinter {
namespace {

std::string shown(std::string_view name) {
    return name.empty() ? "(no name)" : fmt::format("'{}'", printable(name));
}

// Metres, and relative to the mesh's radius where there is one.
std::string error_of(float metres, float radius) {
    return radius > 0 ? fmt::format("{:.3g} m ({:.2g} R)", metres, metres / radius)
                      : fmt::format("{:.3g} m", metres);
}

class Page {
public:
    template <typename... T>
    void line(fmt::format_string<T...> format, T&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
        text_ += '\n';
    }
    void block(const std::string& lines) { text_ += lines; }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

void write_head(Page& page, const OpenPackage& package, bool stable) {
    const manifest::ProvenanceT& provenance = value_or_default(package.manifest->provenance);
    const manifest::SourceT& source = value_or_default(provenance.source);
    const FormatVersion format = package.view.header().format;
    page.line("content root   {}", to_hex(package.view.content_root()));
    if (stable) return;
    page.line("format         {}.{}, {}", format.major, format.minor,
              counted(package.view.size_bytes(), "byte"));
    page.line("source         {} ({}{})", shown(source.name), printable(source.format),
              source.generator.empty() ? "" : ", written by " + printable(source.generator));
    page.line("cooked by      {} {}, options {:.16}", printable(provenance.tool),
              printable(provenance.tool_version), to_hex(provenance.options_digest));
}

void write_influences(Page& page, const manifest::InfluencesT& influences, float radius, bool stable) {
    page.line("  influences   {} a vertex at most, {} bits; vertices with 0: {}, 1: {}, 2-4: {}, 5-8: {}",
              influences.max, influences.weight_bits, count_text(influences.class_0),
              count_text(influences.class_1), count_text(influences.class_4), count_text(influences.class_8));
    if (influences.dropped_vertices > 0) {
        page.line("               {} lost influences, {:.3g} of the weight at most",
                  counted(influences.dropped_vertices, "vertex", "vertices"), influences.max_dropped_weight);
    }
    if (!stable) page.line("               posed error {}", error_of(influences.max_posed_error, radius));
}

void write_mesh(Page& page, const OpenPackage& package, std::uint32_t index, bool stable) {
    const manifest::MeshT& mesh = *package.manifest->meshes[index];
    const manifest::GridT& grid = value_or_default(mesh.grid);
    const manifest::BoundsT& bounds = value_or_default(mesh.bounds);
    const manifest::NormalInfoT& normal = value_or_default(mesh.normal);
    const manifest::TangentInfoT& tangent = value_or_default(mesh.tangent);
    const manifest::Float3& low = value_or_default(bounds.min);
    const manifest::Float3& high = value_or_default(bounds.max);
    const std::uint64_t dropped = mesh.degenerate_triangles + mesh.duplicate_triangles;
    page.line("mesh {} {}", index, shown(mesh.name));
    page.line("  triangles    {}{}", count_text(mesh.source_triangles),
              dropped
                  ? fmt::format(", {} of them dropped ({} degenerate, {} doubled)", count_text(dropped),
                                count_text(mesh.degenerate_triangles), count_text(mesh.duplicate_triangles))
                  : "");
    page.line("  vertices     {} ({} in the source), {}", count_text(mesh.vertex_count),
              count_text(mesh.source_vertices), counted(mesh.point_count, "point"));
    page.line("  bounds       {} {} {} to {} {} {}, R {}", low.x(), low.y(), low.z(), high.x(), high.y(),
              high.z(), bounds.radius);
    page.line("  position     {} grid, {} bits, step {}, error {}",
              grid.kind == manifest::GridKind::World ? "world" : "sphere", grid.bits, grid.step,
              error_of(grid.max_error, bounds.radius));
    if (normal.bits > 0) {
        page.line("  normal       {} bits, error {:.3g} degrees{}", normal.bits, normal.max_error_deg,
                  normal.made ? ", made by the cooker" : "");
    }
    if (tangent.bits > 0)
        page.line("  tangent      {} bits, error {:.3g} degrees{}", tangent.bits, tangent.max_error_deg,
                  tangent.made ? ", made by the cooker" : "");
    for (std::size_t set = 0; set < mesh.uvs.size(); ++set) {
        const manifest::UvInfoT& uv = *mesh.uvs[set];
        page.line("  uv set {}     {} bits, error {:.3g} ({:.2g} texels of 4,096)", set, uv.bits,
                  uv.max_error, 4096 * uv.max_error);
    }
    if (mesh.influences) write_influences(page, *mesh.influences, bounds.radius, stable);
    page.block(dag_text(package, index, stable));
    for (const auto& shape : mesh.shapes) {
        page.line("  shape        {}: {}, longest delta {:.4g} m{}", shown(shape->name),
                  counted(shape->affected_vertices, "vertex", "vertices"), shape->max_delta,
                  shape->frames.size() > 1 ? ", " + counted(shape->frames.size() - 1, "in-between") : "");
    }
}

void write_clips(Page& page, const OpenPackage& package, bool stable) {
    const auto& clips = package.manifest->clips;
    for (std::size_t i = 0; i < clips.size(); ++i) {
        const manifest::ClipT& clip = *clips[i];
        const TocEntry* samples = package.view.find(SectionType::ClipSamples, i);
        page.line("clip {} {}: {:.4g} s from {:.4g} s, {}, {} at {:g} Hz{}", i, shown(clip.name),
                  clip.duration_s, clip.start_s, counted(clip.tracks.size(), "track"),
                  counted(clip.frame_count, "frame"), clip.sample_rate_hz,
                  stable || !samples ? "" : ", " + counted(samples->stored_size, "byte"));
        page.line("  error        {:.3g} m, {:.3g} degrees, scale {:.3g}, weights {:.3g}{}",
                  clip.max_translation_error, clip.max_rotation_error_deg, clip.max_scale_error,
                  clip.max_weight_error,
                  clip.max_step_error_s > 0 ? fmt::format(", steps {:.3g} s late", clip.max_step_error_s)
                                            : "");
    }
}

void write_sections(Page& page, const PackageView& view, bool stable) {
    for (const TocEntry& entry : view.sections()) {
        const std::string digest = to_hex(entry.raw_digest).substr(0, 16);
        const std::string_view mark = view.is_intact(entry) ? "" : "  DAMAGED";
        if (stable) {
            page.line("section {:<20} {:>6} {:>12} bytes  {}{}", name_of_section(entry.type), entry.id,
                      entry.raw_size, digest, mark);
            continue;
        }
        page.line("section {:<20} {:>6} {:>12} bytes of {:>12}  {:<5} {}{}", name_of_section(entry.type),
                  entry.id, entry.stored_size, entry.raw_size, codec_name(entry.codec).value_or("?"), digest,
                  mark);
    }
}

}  // namespace

std::string inspect_text(const OpenPackage& package, const InspectOptions& options) {
    const manifest::ManifestT& manifest = *package.manifest;
    Page page;
    write_head(page, package, options.stable);
    std::size_t instances = 0;
    for (const auto& node : manifest.nodes) instances += node->mesh >= 0 ? 1U : 0U;
    page.line("scene          {}, {}, {}", counted(manifest.nodes.size(), "node"),
              counted(instances, "mesh instance"), counted(manifest.materials.size(), "material"));
    for (std::uint32_t i = 0; i < manifest.meshes.size(); ++i) write_mesh(page, package, i, options.stable);
    for (std::size_t i = 0; i < manifest.skeletons.size(); ++i) {
        const manifest::SkeletonT& skeleton = *manifest.skeletons[i];
        page.line("skeleton {} {}: {}, {}, depth {}", i, shown(skeleton.name),
                  counted(skeleton.bones.size(), "bone"),
                  counted(skeleton.leaf_bones, "leaf bone", "leaf bones"), skeleton.max_depth);
    }
    write_clips(page, package, options.stable);
    if (!options.stable) {
        for (const auto& issue : manifest.issues) {
            page.line("{} {}: {}: {} (x{})", issue->severity == manifest::Severity::Info ? "note" : "warning",
                      issue->code, printable(issue->where), printable(issue->message), issue->count);
        }
    }
    if (options.sections) write_sections(page, package.view, options.stable);
    return page.text();
}

}  // namespace sinter
