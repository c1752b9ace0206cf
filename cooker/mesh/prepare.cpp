#include "cooker/mesh/prepare.hpp"

#include "cooker/blend_shape/sparse.hpp"
#include "cooker/mesh/angle.hpp"
#include "cooker/mesh/normals.hpp"
#include "cooker/mesh/quantise.hpp"
#include "cooker/mesh/tangents.hpp"
#include "cooker/mesh/vertex_order.hpp"
#include "cooker/mesh/vertex_table.hpp"
#include "cooker/mesh/weld.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace sinter {
namespace {

// Unit to float rounding: such vectors are left as they are, so that preparing twice changes nothing.
constexpr double kUnitRounding = 1e-6;

struct Counted {
    std::uint64_t made = 0;        // zero or not finite
    std::uint64_t normalized = 0;  // of another length
};

enum class Length : std::uint8_t { Unit, Other, None };

// Makes a direction unit; says what it was.
Length make_unit(Float3& direction) {
    if (!is_finite(direction)) return Length::None;
    const double squared = dot(to_double(direction), to_double(direction));
    if (std::abs(squared - 1) <= kUnitRounding) return Length::Unit;
    const Double3 unit = normalized_or_zero(to_double(direction));
    if (unit == Double3{}) return Length::None;
    direction = to_float(unit);
    return std::abs(std::sqrt(squared) - 1) <= kUnitLengthTolerance ? Length::Unit : Length::Other;
}

void check_normals(VertexTable& table, const std::string& subject, Issues& issues) {
    Counted counted;
    for (std::size_t v = 0; v < table.normals.size(); ++v) {
        if ((table.flags[v] & kHasNormal) == 0) continue;
        const Length length = make_unit(table.normals[v]);
        counted.normalized += length == Length::Other ? 1 : 0;
        if (length != Length::None) continue;
        ++counted.made;
        table.normals[v] = {};
        table.flags[v] &= ~std::uint32_t{kHasNormal};
    }
    const std::uint64_t count = counted.made + counted.normalized;
    if (count == 0) return;
    issues.add(
        IssueCode::InvalidNormals, subject,
        fmt::format("{} normals are zero or not finite and were made anew, {} were not of unit length and "
                    "were normalised",
                    counted.made, counted.normalized),
        count);
}

void check_tangents(VertexTable& table, const std::string& subject, Issues& issues) {
    Counted counted;
    for (std::size_t v = 0; v < table.tangents.size(); ++v) {
        if ((table.flags[v] & kHasTangent) == 0) continue;
        Float4& tangent = table.tangents[v];
        Float3 direction{tangent.x, tangent.y, tangent.z};
        const Length length = make_unit(direction);
        if (length == Length::None || std::isnan(tangent.w)) {
            ++counted.made;
            tangent = {};
            table.flags[v] &= ~std::uint32_t{kHasTangent};
            continue;
        }
        const bool good_sign = std::abs(std::abs(to_double(tangent.w)) - 1) <= kUnitLengthTolerance;
        counted.normalized += length == Length::Other || !good_sign ? 1 : 0;
        tangent = {direction.x, direction.y, direction.z, tangent.w < 0 ? -1.0F : 1.0F};
    }
    const std::uint64_t count = counted.made + counted.normalized;
    if (count == 0) return;
    issues.add(
        IssueCode::InvalidTangents, subject,
        fmt::format(
            "{} tangents are zero or not finite and were made anew, {} had another length than 1 or a w "
            "other than +1 or -1 and were corrected",
            counted.made, counted.normalized),
        count);
}

// Grid positions and points of the table; the grid and its measured error.
struct Placed {
    PositionGrid grid;
    float max_error = 0;
};

Result<Placed> place_vertices(VertexTable& table, const Mesh& mesh, const EncodedInfluences& influences,
                              const MeshOptions& options) {
    Placed placed;
    SINTER_TRY_ASSIGN(placed.grid, fit_grid(table.positions, options));
    placed.max_error = grid_error(placed.grid, table.positions);
    table.grid.reserve(table.vertex_count());
    for (const Float3 p : table.positions) table.grid.push_back(to_grid(placed.grid, p));

    MotionClasses classes = motion_classes(mesh, table.source, influences);
    std::vector<KeyStream> key{key_stream(std::span<const GridPosition>(table.grid))};
    if (!classes.of_point.empty())
        key.push_back(key_stream(std::span<const std::uint32_t>(classes.of_point)));
    WeldMap points = weld(key, table.vertex_count());
    table.point_count = static_cast<std::uint32_t>(points.unique_count());
    table.points = std::move(points.unique_of_vertex);
    table.motion = std::move(classes.of_vertex);
    return placed;
}

struct Dropped {
    std::uint64_t degenerate = 0;
    std::uint64_t duplicate = 0;
};

// The points of a triangle, the smallest first, winding kept: equal for the same triangle from any corner.
std::array<std::uint32_t, 3> rotated(std::array<std::uint32_t, 3> p) {
    if (p[1] < p[0] && p[1] < p[2]) return {p[1], p[2], p[0]};
    if (p[2] < p[0] && p[2] < p[1]) return {p[2], p[0], p[1]};
    return p;
}

// Leaves out the triangles for which keep(triangle, submesh) is false, and submeshes that become empty.
template <typename Keep>
void filter_triangles(VertexTable& table, const Keep& keep) {
    std::vector<Submesh> submeshes;
    std::size_t end = 0;
    for (std::uint32_t s = 0; s < table.submeshes.size(); ++s) {
        const Submesh& old = table.submeshes[s];
        Submesh kept{old.material, static_cast<std::uint32_t>(end), 0};
        for (std::size_t t = old.first_index / 3; t < (old.first_index + old.index_count) / 3; ++t) {
            if (!keep(t, s)) continue;
            for (std::size_t k = 0; k < 3; ++k) table.indices[end++] = table.indices[3 * t + k];
        }
        kept.index_count = static_cast<std::uint32_t>(end) - kept.first_index;
        if (kept.index_count > 0) submeshes.push_back(kept);
    }
    table.indices.resize(end);
    table.submeshes = std::move(submeshes);
}

Dropped drop_triangles(VertexTable& table) {
    Dropped dropped;
    const auto point = [&](std::size_t corner) { return table.points[table.indices[corner]]; };
    std::vector<std::array<std::uint32_t, 3>> corners;
    std::vector<std::uint32_t> submesh_of;
    corners.reserve(table.triangle_count());
    submesh_of.reserve(table.triangle_count());
    filter_triangles(table, [&](std::size_t t, std::uint32_t submesh) {
        const std::array<std::uint32_t, 3> p{point(3 * t), point(3 * t + 1), point(3 * t + 2)};
        if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) {
            ++dropped.degenerate;
            return false;
        }
        corners.push_back(rotated(p));
        submesh_of.push_back(submesh);
        return true;
    });
    const KeyStream key[] = {key_stream(std::span<const std::array<std::uint32_t, 3>>(corners)),
                             key_stream(std::span<const std::uint32_t>(submesh_of))};
    const WeldMap map = weld(key, corners.size());
    dropped.duplicate = corners.size() - map.unique_count();
    if (dropped.duplicate > 0) {
        filter_triangles(table, [&](std::size_t t, std::uint32_t) {
            return map.first_vertex[map.unique_of_vertex[t]] == t;
        });
    }
    return dropped;
}

void report_dropped(const Dropped& dropped, const std::string& subject, Issues& issues) {
    if (dropped.degenerate > 0) {
        issues.add(IssueCode::DegenerateTriangles, subject,
                   "{n} triangles have two corners on one point and were left out", dropped.degenerate);
    }
    if (dropped.duplicate > 0) {
        issues.add(IssueCode::DuplicateTriangles, subject,
                   "{n} triangles repeat an earlier one and were left out", dropped.duplicate);
    }
}

// Normals for the vertices that have none; returns whether there were such.
bool fill_normals(VertexTable& table, double hard_edge_angle_deg) {
    const auto lacks = [&](std::uint32_t vertex) { return (table.flags[vertex] & kHasNormal) == 0; };
    if (std::ranges::none_of(table.indices, lacks)) return false;
    std::vector<Float3> corners = make_corner_normals(
        {table.indices, table.positions, table.points, table.point_count, hard_edge_angle_deg});
    for (std::size_t c = 0; c < corners.size(); ++c) {
        const std::uint32_t vertex = table.indices[c];
        corners[c] = lacks(vertex) ? corners[c] + Float3{} : table.normals[vertex];
    }
    SplitTable split = split_by_corners(std::move(table), key_stream(std::span<const Float3>(corners)));
    table = std::move(split.table);
    table.normals.clear();
    table.normals.reserve(table.vertex_count());
    for (const std::uint32_t corner : split.vertex_corner) table.normals.push_back(corners[corner]);
    return true;
}

// Corners whose vertex has a UV but no tangent; their triangles take part in the making of tangents.
bool wants_tangent(const VertexTable& table, std::uint32_t vertex) {
    return (table.flags[vertex] & (kHasUv | kHasTangent)) == kHasUv;
}

// The tangent of every corner: made, of the source, or any.
std::vector<Float4> corner_tangents(const VertexTable& table, bool make) {
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t t = 0; make && t < table.triangle_count(); ++t) {
        const auto corners = std::span(table.indices).subspan(std::size_t{3} * t, 3);
        if (std::ranges::none_of(corners, [&](std::uint32_t v) { return wants_tangent(table, v); })) continue;
        triangles.push_back(t);
        indices.insert(indices.end(), corners.begin(), corners.end());
    }
    std::vector<Float4> made;
    if (!triangles.empty()) {
        made = make_corner_tangents({indices, table.positions, table.grid, table.normals, table.uv_sets[0]});
    }
    std::vector<Float4> tangents(table.indices.size());
    for (std::size_t c = 0; c < tangents.size(); ++c) {
        const std::uint32_t v = table.indices[c];
        if ((table.flags[v] & kHasTangent) != 0) {
            tangents[c] = table.tangents[v];
        } else if (!make || !wants_tangent(table, v)) {
            const Float3 any = to_float(any_perpendicular(to_double(table.normals[v])));
            tangents[c] = {any.x + 0.0F, any.y + 0.0F, any.z + 0.0F, 1};
        }
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (wants_tangent(table, indices[i])) tangents[3 * std::size_t{triangles[i / 3]} + i % 3] = made[i];
    }
    return tangents;
}

// Welds, with tangents made between two welds where they are wanted. Returns whether tangents were made.
bool weld_with_tangents(VertexTable& table, bool make_tangents) {
    const auto has_tangent = [&](std::uint32_t v) { return (table.flags[v] & kHasTangent) != 0; };
    const bool any_given = std::ranges::any_of(table.indices, has_tangent);
    const bool make = make_tangents && std::ranges::any_of(table.indices, [&](std::uint32_t v) {
                          return wants_tangent(table, v);
                      });
    const bool complete = any_given && std::ranges::all_of(table.indices, has_tangent);
    if (!any_given) table.tangents.clear();
    if (complete || (!any_given && !make)) {
        table = weld_vertices(std::move(table), false);
        return false;
    }
    // The first weld keeps vertices of different origin apart, the last one joins those that came out equal.
    for (std::uint32_t& flags : table.flags) flags &= kHasUv | kHasTangent;
    table = weld_vertices(std::move(table), true);
    const std::vector<Float4> corners = corner_tangents(table, make);
    SplitTable split = split_by_corners(std::move(table), key_stream(std::span<const Float4>(corners)));
    table = std::move(split.table);
    table.tangents.clear();
    table.tangents.reserve(table.vertex_count());
    for (const std::uint32_t corner : split.vertex_corner) table.tangents.push_back(corners[corner]);
    const std::uint32_t first = table.flags.empty() ? 0 : table.flags.front();
    const bool mixed = std::ranges::any_of(table.flags, [&](std::uint32_t flags) { return flags != first; });
    if (mixed) table = weld_vertices(std::move(table), false);
    return make;
}

EncodedInfluences gather_influences(const Mesh& mesh, std::span<const SourceVertex> vertices,
                                    const EncodedInfluences& all) {
    EncodedInfluences gathered = all;
    gathered.joints.clear();
    gathered.weights.clear();
    gathered.class_counts = {};
    const std::vector<std::size_t> offsets = primitive_offsets(mesh);
    gathered.joints.reserve(vertices.size() * all.stride);
    gathered.weights.reserve(vertices.size() * all.stride);
    for (const SourceVertex& source : vertices) {
        const std::size_t first = (offsets[source.primitive] + source.vertex) * all.stride;
        std::size_t used = 0;
        for (std::size_t i = first; i < first + all.stride; ++i) {
            gathered.joints.push_back(all.joints[i]);
            gathered.weights.push_back(all.weights[i]);
            if (all.weights[i] != 0) ++used;
        }
        ++gathered.class_counts[used == 0 ? 0 : used == 1 ? 1 : used <= 4 ? 2 : 3];
    }
    return gathered;
}

// Points of the vertices that are left, numbered by first use.
std::uint32_t renumber_points(std::vector<std::uint32_t>& points) {
    const KeyStream key[] = {key_stream(std::span<const std::uint32_t>(points))};
    WeldMap map = weld(key, points.size());
    points = std::move(map.unique_of_vertex);
    return static_cast<std::uint32_t>(map.unique_count());
}

// Moves the finished table over.
void take_table(PreparedMesh& prepared, VertexTable table, const Placed& placed) {
    prepared.grid = placed.grid;
    prepared.max_position_error = placed.max_error;
    prepared.grid_positions = std::move(table.grid);
    prepared.positions.reserve(prepared.grid_positions.size());
    for (const GridPosition& q : prepared.grid_positions)
        prepared.positions.push_back(from_grid(placed.grid, q));
    prepared.bounds = bounds_of(prepared.positions);
    prepared.normals = std::move(table.normals);
    prepared.tangents = std::move(table.tangents);
    prepared.uv_sets = std::move(table.uv_sets);
    prepared.colors = std::move(table.colors);
    prepared.point_count = renumber_points(table.points);
    prepared.point_of_vertex = std::move(table.points);
    prepared.indices = std::move(table.indices);
    prepared.submeshes = std::move(table.submeshes);
}

Result<Unit> check_influences(const Mesh& mesh, const EncodedInfluences& influences) {
    std::size_t vertices = 0;
    for (const Primitive& primitive : mesh.primitives) vertices += primitive.vertex_count();
    const std::size_t slots = vertices * influences.stride;
    if (influences.joints.size() == slots && influences.weights.size() == slots) return Unit{};
    return Error{ErrorKind::Internal, "",
                 fmt::format("{} joints and {} weights for {} vertices of {} slots", influences.joints.size(),
                             influences.weights.size(), vertices, influences.stride),
                 "report this as a bug", 0};
}

Result<PreparedMesh> prepare(const Mesh& mesh, const EncodedInfluences& influences,
                             const MeshOptions& options, const std::string& subject, Issues& issues) {
    SINTER_TRY(check_influences(mesh, influences));
    SINTER_TRY_ASSIGN(VertexTable table, concatenate(mesh));
    SINTER_TRY_ASSIGN(const Placed placed, place_vertices(table, mesh, influences, options));
    check_normals(table, subject, issues);
    check_tangents(table, subject, issues);
    const Dropped dropped = drop_triangles(table);
    report_dropped(dropped, subject, issues);

    PreparedMesh prepared;
    prepared.name = mesh.name;
    prepared.source_triangles = mesh.source_triangles;
    prepared.source_vertices = mesh.source_vertices;
    prepared.degenerate_triangles = dropped.degenerate;
    prepared.duplicate_triangles = dropped.duplicate;
    prepared.made_normals = fill_normals(table, options.hard_edge_angle_deg);
    prepared.made_tangents = weld_with_tangents(table, options.make_tangents);

    VertexOrder order = order_vertices(table.indices, table.submeshes, table.vertex_count());
    table = gather_vertices(std::move(table), order.vertices);
    table.indices = std::move(order.indices);
    prepared.influences = gather_influences(mesh, table.source, influences);
    prepared.shapes = sparse_shapes(mesh, table.source, subject, issues);
    take_table(prepared, std::move(table), placed);
    return prepared;
}

}  // namespace

Result<PreparedMesh> prepare_mesh(const Mesh& mesh, const EncodedInfluences& influences,
                                  const MeshOptions& options, Issues& issues) {
    const std::string subject = fmt::format("mesh '{}'", mesh.name);
    Result<PreparedMesh> prepared = prepare(mesh, influences, options, subject, issues);
    if (!prepared) {
        std::string& where = prepared.error().where;
        where = where.empty() ? subject : subject + ", " + where;
    }
    return prepared;
}

}  // namespace sinter
