#include "verify_bounds.hpp"
#include "verify_context.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/mesh_arrays.hpp>
#include <sinter/formats/vertex_codec.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sinter {
namespace {

// The checks of one mesh, in the order of its sections.
class MeshCheck {
public:
    MeshCheck(VerifyContext& context, std::uint32_t index)
        : context_(context),
          index_(index),
          mesh_(*context.manifest.meshes[index]),
          where_(place("mesh", index, mesh_.name)) {}

    MeshFacts run() {
        if (!mesh_.grid || !mesh_.grid->center || !mesh_.bounds || !mesh_.bounds->min || !mesh_.bounds->max ||
            !mesh_.bounds->center || !mesh_.normal || !mesh_.tangent) {
            add(FindingCode::ManifestField, "grid, bounds, normal or tangent is absent");
            mention_all();
            return {};
        }
        check_counts();
        check_submeshes();
        MeshFacts facts;
        if (!check_grid()) {
            mention_geometry();
        } else if (mesh_.cluster_dag) {
            facts = verify_cluster_dag(context_, index_);
        } else {
            check_positions();
            check_normals();
            check_tangents();
            check_indices();
        }
        for (std::uint32_t set = 0; set < std::min(mesh_.uv_sets, kMaxUvSets); ++set) check_uvs(set);
        if (mesh_.has_colors) check_floats<ColorRecord>(SectionType::MeshColors, index_);
        return facts;
    }

private:
    // The sections of one of the two forms.
    void mention_geometry() {
        if (mesh_.cluster_dag) {
            mention_cluster_dag(context_, index_);
            return;
        }
        for (const SectionType type : {SectionType::MeshPositions, SectionType::MeshNormals,
                                       SectionType::MeshTangents, SectionType::MeshIndices}) {
            context_.sections.mention(type, index_);
        }
    }
    void mention_all() {
        mention_geometry();
        context_.sections.mention(SectionType::MeshColors, index_);
        for (std::uint32_t set = 0; set < kMaxUvSets; ++set) {
            context_.sections.mention(SectionType::MeshUvs, uv_section_id(index_, set));
        }
    }

    void add(FindingCode code, std::string message) { context_.list.add(code, where_, std::move(message)); }
    [[nodiscard]] std::string in(std::string_view section) const { return cat(where_, ", ", section); }

    void check_counts() {
        const std::uint64_t stored = mesh_.index_count / 3;
        const std::uint64_t dropped = mesh_.degenerate_triangles + mesh_.duplicate_triangles;
        if (mesh_.source_triangles < dropped || mesh_.source_triangles - dropped != stored) {
            add(FindingCode::TriangleCount,
                cat(mesh_.source_triangles, " source triangles, ", mesh_.degenerate_triangles,
                    " degenerate and ", mesh_.duplicate_triangles, " duplicate ones, but ", stored,
                    " stored"));
        }
        if (mesh_.point_count > mesh_.vertex_count || (mesh_.point_count == 0) != (mesh_.vertex_count == 0) ||
            (mesh_.index_count > 0 && mesh_.vertex_count == 0)) {
            add(FindingCode::VertexCounts, cat(mesh_.point_count, " points, ", mesh_.vertex_count,
                                               " vertices, ", mesh_.index_count, " indices"));
        }
        const bool normal_ok = mesh_.normal->bits == 0 || mesh_.normal->bits == 20 ||
                               mesh_.normal->bits == 8 * sizeof(OctNormal);
        const std::size_t tangent_size = mesh_.cluster_dag ? sizeof(TangentCode) : sizeof(TangentRecord);
        const bool tangent_ok = mesh_.tangent->bits == 0 || mesh_.tangent->bits == 8 * tangent_size;
        const bool uvs_ok =
            mesh_.uv_sets <= kMaxUvSets && mesh_.uvs.size() == mesh_.uv_sets &&
            std::ranges::all_of(mesh_.uvs, [](const auto& uv) { return uv->bits == 16 || uv->bits == 32; });
        if (!normal_ok || !tangent_ok || !uvs_ok) {
            add(FindingCode::AttributeBits,
                cat("normals of ", mesh_.normal->bits, " bits, tangents of ", mesh_.tangent->bits, ", ",
                    mesh_.uv_sets, " UV sets, ", mesh_.uvs.size(), " described"));
        }
        if (mesh_.skin < -1 || mesh_.skin >= static_cast<std::int64_t>(context_.manifest.skins.size())) {
            add(FindingCode::NodeReference, cat("skin ", mesh_.skin, " of ", context_.manifest.skins.size()));
        }
    }

    void check_submeshes() {
        std::uint64_t next = 0;
        for (std::size_t i = 0; i < mesh_.submeshes.size(); ++i) {
            const manifest::SubmeshT& submesh = *mesh_.submeshes[i];
            if (submesh.first_index != next || submesh.index_count % 3 != 0) {
                add(FindingCode::SubmeshRange,
                    cat("submesh ", i, " has indices ", submesh.first_index, " + ", submesh.index_count,
                        ", must begin at ", next, " and hold triangles"));
            }
            next = std::uint64_t{submesh.first_index} + submesh.index_count;
            if (submesh.material < -1 ||
                submesh.material >= static_cast<std::int64_t>(context_.manifest.materials.size())) {
                add(FindingCode::MaterialReference, cat("submesh ", i, " has material ", submesh.material,
                                                        " of ", context_.manifest.materials.size()));
            }
        }
        if (next != mesh_.index_count || mesh_.index_count % 3 != 0) {
            add(FindingCode::SubmeshRange, cat("submeshes end at index ", next, " of ", mesh_.index_count));
        }
    }

    [[nodiscard]] bool check_grid() {
        const manifest::GridT& grid = *mesh_.grid;
        if ((grid.bits == 16 || grid.bits == 32) && grid.step > 0 && grid.kind <= manifest::GridKind::MAX)
            return true;
        add(FindingCode::Grid,
            cat(grid.bits, " bits, step ", grid.step, ", kind ", static_cast<unsigned>(grid.kind)));
        return false;
    }

    void check_positions() {
        const manifest::GridT& grid = *mesh_.grid;
        const bool is_short = grid.bits == 16;
        const std::uint32_t stride = is_short ? sizeof(GridPosition16) : sizeof(GridPosition32);
        const auto bytes =
            context_.sections.load(SectionType::MeshPositions, index_, stride, mesh_.vertex_count);
        if (!bytes) return;
        RecordProblem reserved(context_.list, FindingCode::ReservedBits, in("mesh_positions"));
        BoxAndSphere reached(mesh_, context_.list, in("mesh_positions"));
        for (std::size_t v = 0; v < mesh_.vertex_count; ++v) {
            std::array<std::int32_t, 3> q{};
            if (is_short) {
                const auto p = record_at<GridPosition16>(*bytes, v);
                q = {p.x, p.y, p.z};
                if (p.reserved != 0 || std::ranges::min(q) == std::numeric_limits<std::int16_t>::min()) {
                    reserved.at(v, [&] {
                        return cat("(", q[0], ", ", q[1], ", ", q[2], ", ", p.reserved,
                                   "): codes are in [-32767, 32767], the fourth is 0");
                    });
                }
            } else {
                const auto p = record_at<GridPosition32>(*bytes, v);
                q = {p.x, p.y, p.z};
            }
            reached.add(v, grid_decode(point_of(*grid.center), grid.step, q));
        }
        if (!reached.box_is_exact()) {
            add(FindingCode::BoundsBox, "the stored box is not the box of the decoded positions");
        }
    }

    void check_normals() {
        const std::uint64_t count = mesh_.normal->bits == 0 ? 0 : mesh_.vertex_count;
        const auto bytes = context_.sections.load(SectionType::MeshNormals, index_, sizeof(OctNormal), count);
        if (!bytes) return;
        RecordProblem reserved(context_.list, FindingCode::ReservedBits, in("mesh_normals"));
        for (std::size_t v = 0; v < count; ++v) {
            const auto code = record_at<OctNormal>(*bytes, v);
            if (std::min(code.u, code.v) == std::numeric_limits<std::int16_t>::min()) {
                reserved.at(
                    v, [&] { return cat("(", code.u, ", ", code.v, "): codes are in [-32767, 32767]"); });
            } else if (mesh_.normal->bits == 20 && !oct20_of(code)) {
                reserved.at(v,
                            [&] { return cat("(", code.u, ", ", code.v, "): not that of a 20-bit code"); });
            }
        }
    }

    void check_tangents() {
        const std::uint64_t count = mesh_.tangent->bits == 0 ? 0 : mesh_.vertex_count;
        const auto bytes =
            context_.sections.load(SectionType::MeshTangents, index_, sizeof(TangentRecord), count);
        if (!bytes) return;
        // Tangents of 8-bit sources are up to sqrt(3) / 254 = 0.0068 off.
        constexpr double kUnitTolerance = 0.01;
        RecordProblem wrong(context_.list, FindingCode::Tangent, in("mesh_tangents"));
        for (std::size_t v = 0; v < count; ++v) {
            const auto t = record_at<TangentRecord>(*bytes, v);
            const double len = distance_of({t.x, t.y, t.z}, {0, 0, 0});
            if (!(std::abs(len - 1) <= kUnitTolerance) || (t.w != 1 && t.w != -1)) {
                wrong.at(v, [&] { return cat("length ", len, ", w ", t.w, "; must be 1 and +1 or -1"); });
            }
        }
    }

    // Codes are all good; what they mean must be.
    void check_uvs(std::uint32_t set) {
        const std::uint64_t id = uv_section_id(index_, set);
        const bool described = set < mesh_.uvs.size();  // else check_counts says so
        const manifest::UvInfoT info = described ? *mesh_.uvs[set] : manifest::UvInfoT{};
        if (info.bits == 16) {
            static_cast<void>(
                context_.sections.load(SectionType::MeshUvs, id, sizeof(UvCode), mesh_.vertex_count));
        } else {
            check_floats<UvRecord>(SectionType::MeshUvs, id);
        }
        const UvGrid grid = uv_grid_of(info);
        const UvRecord last = uv_decode(grid, {65535, 65535});
        const bool no_grid = grid.min == std::array{0.0F, 0.0F} && grid.step == std::array{0.0F, 0.0F};
        const bool good = info.bits == 16 ? grid.step[0] >= 0 && grid.step[1] >= 0 && std::isfinite(last.u) &&
                                                std::isfinite(last.v) && info.max_error >= 0
                                          : no_grid && info.max_error == 0;
        if (described && !good) {
            add(FindingCode::AttributeBits,
                cat("UV set ", set, " of ", info.bits, " bits from ", grid.min[0], ", ", grid.min[1],
                    " in steps of ", grid.step[0], ", ", grid.step[1], ", error ", info.max_error));
        }
    }

    // A section of float records, one a vertex.
    template <typename Record>
    void check_floats(SectionType type, std::uint64_t id) {
        const auto bytes = context_.sections.load(type, id, sizeof(Record), mesh_.vertex_count);
        if (!bytes) return;
        RecordProblem finite(context_.list, FindingCode::NonFinite, in(*section_type_name(type)));
        constexpr std::size_t kFloats = sizeof(Record) / sizeof(float);
        for (std::size_t v = 0; v < mesh_.vertex_count; ++v) {
            const auto record = record_at<std::array<float, kFloats>>(*bytes, v);
            if (!std::ranges::all_of(record, [](float f) { return std::isfinite(f); })) {
                finite.at(v, [] { return "a value that is not finite"; });
            }
        }
    }

    void check_indices() {
        const auto bytes = context_.sections.load(SectionType::MeshIndices, index_, sizeof(std::uint32_t),
                                                  mesh_.index_count);
        if (!bytes) return;
        RecordProblem range(context_.list, FindingCode::IndexRange, in("mesh_indices"));
        for (std::size_t i = 0; i < mesh_.index_count; ++i) {
            const auto vertex = record_at<std::uint32_t>(*bytes, i);
            if (vertex >= mesh_.vertex_count) {
                range.at(i, [&] { return cat("vertex ", vertex, " of ", mesh_.vertex_count); });
            }
        }
    }

    VerifyContext& context_;
    std::uint32_t index_;
    const manifest::MeshT& mesh_;
    std::string where_;
};

// Vertices that one shape's frames list, and the longest position delta.
struct ShapeReach {
    std::vector<std::uint32_t> vertices;
    double max_squared = 0;
};

class ShapeCheck {
public:
    ShapeCheck(VerifyContext& context, const manifest::MeshT& mesh, std::span<const std::byte> records,
               const std::string& where)
        : mesh_(mesh),
          records_(records),
          vertex_(context.list, FindingCode::ShapeVertex, where),
          delta_(context.list, FindingCode::ShapeDelta, where),
          finite_(context.list, FindingCode::NonFinite, where) {}

    // Pre: the frame's records lie inside.
    void frame(const manifest::ShapeFrameT& frame, ShapeReach& reach) {
        std::int64_t before = -1;
        for (std::uint64_t i = frame.first_record; i < frame.first_record + frame.record_count; ++i) {
            const auto d = record_at<BlendShapeDelta>(records_, i);
            if (d.vertex >= mesh_.vertex_count || d.vertex <= before) {
                vertex_.at(i, [&] {
                    return cat("vertex ", d.vertex, " of ", mesh_.vertex_count, " after ", before);
                });
            }
            before = d.vertex;
            constexpr std::array<float, 3> kZero{};
            if ((!frame.has_normals && d.normal != kZero) || (!frame.has_tangents && d.tangent != kZero)) {
                delta_.at(i, [] { return "a normal or tangent delta in a frame that says it has none"; });
            }
            const auto is_finite = [](const Point& p) {
                return std::ranges::all_of(p, [](float f) { return std::isfinite(f); });
            };
            if (!is_finite(d.position) || !is_finite(d.normal) || !is_finite(d.tangent)) {
                finite_.at(i, [] { return "a delta that is not finite"; });
            }
            reach.vertices.push_back(d.vertex);
            const double len = distance_of(d.position, kZero);
            reach.max_squared = std::max(reach.max_squared, len * len);
        }
    }

private:
    const manifest::MeshT& mesh_;
    std::span<const std::byte> records_;
    RecordProblem vertex_;
    RecordProblem delta_;
    RecordProblem finite_;
};

// Frames follow each other; returns the number of records, or nothing if they do not.
std::optional<std::uint64_t> check_frame_ranges(VerifyContext& context, const manifest::MeshT& mesh,
                                                const std::string& where) {
    std::uint64_t next = 0;
    bool ranges_ok = true;
    for (std::size_t s = 0; s < mesh.shapes.size(); ++s) {
        const manifest::ShapeT& shape = *mesh.shapes[s];
        const std::string shape_where = cat(where, ", ", place("shape", s, shape.name));
        if (shape.frames.empty()) context.list.add(FindingCode::ShapeFrames, shape_where, "has no frame");
        for (std::size_t f = 0; f < shape.frames.size(); ++f) {
            const manifest::ShapeFrameT& frame = *shape.frames[f];
            if (f > 0 && !(frame.weight > shape.frames[f - 1]->weight)) {
                context.list.add(FindingCode::ShapeFrames, shape_where,
                                 cat("weight ", frame.weight, " of frame ", f, " does not rise"));
            }
            if (frame.first_record != next || frame.record_count > mesh.vertex_count) {
                context.list.add(FindingCode::ShapeRange, shape_where,
                                 cat("frame ", f, " has records ", frame.first_record, " + ",
                                     frame.record_count, ", must begin at ", next,
                                     " and list each vertex once"));
                ranges_ok = false;
                continue;
            }
            next += frame.record_count;
        }
    }
    return ranges_ok ? std::optional(next) : std::nullopt;
}

void check_shape_statistics(VerifyContext& context, const std::string& where, const manifest::ShapeT& shape,
                            ShapeReach reach) {
    std::ranges::sort(reach.vertices);
    const auto repeated = std::ranges::unique(reach.vertices);
    const std::size_t affected = reach.vertices.size() - repeated.size();
    const double max_delta = std::sqrt(reach.max_squared);
    // Stored as the nearest float.
    constexpr double kRounding = 1e-6;
    if (affected != shape.affected_vertices ||
        std::abs(max_delta - static_cast<double>(shape.max_delta)) > kRounding * max_delta) {
        context.list.add(FindingCode::ShapeStatistics, where,
                         cat(shape.affected_vertices, " vertices and ", shape.max_delta, " m stored, ",
                             affected, " and ", max_delta, " counted"));
    }
}

}  // namespace

MeshFacts verify_mesh(VerifyContext& context, std::uint32_t index) { return MeshCheck(context, index).run(); }

void verify_shapes(VerifyContext& context, std::uint32_t index) {
    const manifest::MeshT& mesh = *context.manifest.meshes[index];
    const std::string where = place("mesh", index, mesh.name);
    const auto record_count = check_frame_ranges(context, mesh, where);
    if (!record_count) {
        context.sections.mention(SectionType::BlendShapeDeltas, index);
        return;
    }
    const auto records =
        context.sections.load(SectionType::BlendShapeDeltas, index, sizeof(BlendShapeDelta), *record_count);
    if (!records && *record_count > 0) return;
    const std::span<const std::byte> bytes =
        records ? std::span<const std::byte>(*records) : std::span<const std::byte>();
    ShapeCheck check(context, mesh, bytes, where + ", blend_shape_deltas");
    for (std::size_t s = 0; s < mesh.shapes.size(); ++s) {
        ShapeReach reach;
        for (const auto& frame : mesh.shapes[s]->frames) check.frame(*frame, reach);
        check_shape_statistics(context, cat(where, ", ", place("shape", s, mesh.shapes[s]->name)),
                               *mesh.shapes[s], std::move(reach));
    }
}

}  // namespace sinter
