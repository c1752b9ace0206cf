#include "cooker/mesh/vertex_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace sinter {
namespace {

constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();

Float2 no_negative_zero(Float2 v) { return {v.x + 0.0F, v.y + 0.0F}; }
Float3 no_negative_zero(Float3 v) { return {v.x + 0.0F, v.y + 0.0F, v.z + 0.0F}; }
Float4 no_negative_zero(Float4 v) { return {v.x + 0.0F, v.y + 0.0F, v.z + 0.0F, v.w + 0.0F}; }

bool finite(Float2 v) { return std::isfinite(v.x) && std::isfinite(v.y); }
bool finite(Float4 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) && std::isfinite(v.w);
}

Error invalid(IssueCode code, std::string where, std::string message) {
    return {ErrorKind::InvalidInput, std::move(where), std::move(message),
            "repair the mesh and export it again", static_cast<std::uint16_t>(code)};
}

std::string place_of(std::size_t primitive, std::size_t vertex) {
    return fmt::format("primitive {}, vertex {}", primitive, vertex);
}

Result<Unit> check_lengths(const Primitive& primitive, std::size_t index) {
    const std::size_t count = primitive.vertex_count();
    const auto fits = [count](std::size_t length) { return length == 0 || length == count; };
    bool good =
        fits(primitive.normals.size()) && fits(primitive.tangents.size()) && fits(primitive.colors.size());
    for (const auto& uvs : primitive.uv_sets) good = good && fits(uvs.size());
    for (const ShapeDeltas& frame : primitive.shape_frames) {
        good =
            good && fits(frame.positions.size()) && fits(frame.normals.size()) && fits(frame.tangents.size());
    }
    if (!good) {
        return Error{ErrorKind::Internal, fmt::format("primitive {}", index),
                     fmt::format("per-vertex arrays are not all {} long", count), "report this as a bug", 0};
    }
    if (primitive.indices.size() % 3 != 0) {
        return invalid(IssueCode::IndexOutOfRange, fmt::format("primitive {}", index),
                       fmt::format("{} indices are no whole number of triangles", primitive.indices.size()));
    }
    return Unit{};
}

// Which optional arrays the whole table has.
struct Layout {
    bool normals = false;
    bool tangents = false;
    bool colors = false;
    std::size_t uv_sets = 0;
    std::size_t vertices = 0;
    std::size_t indices = 0;
};

Result<Layout> layout_of(const Mesh& mesh) {
    Layout layout;
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
        const Primitive& primitive = mesh.primitives[i];
        SINTER_TRY(check_lengths(primitive, i));
        layout.vertices += primitive.vertex_count();
        layout.indices += primitive.indices.size();
        if (primitive.indices.empty()) continue;
        layout.normals |= !primitive.normals.empty();
        layout.tangents |= !primitive.tangents.empty() && !primitive.normals.empty();
        layout.colors |= !primitive.colors.empty();
        layout.uv_sets = std::max(layout.uv_sets, primitive.uv_sets.size());
    }
    if (layout.vertices >= kUnused || layout.indices >= kUnused) {
        return Error{ErrorKind::Limit, "",
                     fmt::format("{} vertices and {} indices; a mesh holds fewer than {} of each",
                                 layout.vertices, layout.indices, kUnused),
                     "split the mesh", 0};
    }
    return layout;
}

std::uint32_t flags_of(const Primitive& primitive) {
    const bool has_uv = !primitive.uv_sets.empty() && !primitive.uv_sets[0].empty();
    std::uint32_t flags = has_uv ? kHasUv : 0U;
    if (!primitive.normals.empty())
        flags |= primitive.tangents.empty() ? kHasNormal : kHasNormal | kHasTangent;
    return flags;
}

Result<Unit> append_vertex(VertexTable& table, const Layout& layout, const Primitive& primitive,
                           SourceVertex source, std::uint32_t flags) {
    const std::size_t v = source.vertex;
    if (Result<Unit> checked = check_position(primitive.positions[v]); !checked) {
        checked.error().where = place_of(source.primitive, v);
        return checked;
    }
    table.source.push_back(source);
    table.flags.push_back(flags);
    table.positions.push_back(no_negative_zero(primitive.positions[v]));
    if (layout.normals) {
        table.normals.push_back((flags & kHasNormal) != 0 ? no_negative_zero(primitive.normals[v])
                                                          : Float3{});
    }
    if (layout.tangents) {
        table.tangents.push_back((flags & kHasTangent) != 0 ? no_negative_zero(primitive.tangents[v])
                                                            : Float4{});
    }
    if (layout.colors) {
        const Float4 color =
            primitive.colors.empty() ? Float4{1, 1, 1, 1} : no_negative_zero(primitive.colors[v]);
        if (!finite(color)) {
            return invalid(IssueCode::NonFiniteAttribute, place_of(source.primitive, v),
                           "a colour is not finite");
        }
        table.colors.push_back(color);
    }
    for (std::size_t set = 0; set < layout.uv_sets; ++set) {
        const bool given = set < primitive.uv_sets.size() && !primitive.uv_sets[set].empty();
        const Float2 uv = given ? no_negative_zero(primitive.uv_sets[set][v]) : Float2{};
        if (!finite(uv)) {
            return invalid(IssueCode::NonFiniteAttribute, place_of(source.primitive, v),
                           fmt::format("a coordinate of UV set {} is not finite", set));
        }
        table.uv_sets[set].push_back(uv);
    }
    return Unit{};
}

Result<Unit> append_primitive(VertexTable& table, const Layout& layout, const Mesh& mesh,
                              std::uint32_t index) {
    const Primitive& primitive = mesh.primitives[index];
    const std::uint32_t flags = flags_of(primitive);
    std::vector<std::uint32_t> table_vertex(primitive.vertex_count(), kUnused);
    const auto first_index = static_cast<std::uint32_t>(table.indices.size());
    for (std::size_t corner = 0; corner < primitive.indices.size(); ++corner) {
        const std::uint32_t v = primitive.indices[corner];
        if (v >= primitive.vertex_count()) {
            return invalid(IssueCode::IndexOutOfRange,
                           fmt::format("primitive {}, triangle {}", index, corner / 3),
                           fmt::format("index {} of {} vertices", v, primitive.vertex_count()));
        }
        if (table_vertex[v] == kUnused) {
            table_vertex[v] = static_cast<std::uint32_t>(table.vertex_count());
            SINTER_TRY(append_vertex(table, layout, primitive, {index, v}, flags));
        }
        table.indices.push_back(table_vertex[v]);
    }
    const auto added = static_cast<std::uint32_t>(primitive.indices.size());
    if (!table.submeshes.empty() && table.submeshes.back().material == primitive.material) {
        table.submeshes.back().index_count += added;
    } else {
        table.submeshes.push_back({primitive.material, first_index, added});
    }
    return Unit{};
}

// Primitives with triangles, by material (kNone last), then as the source has them.
std::vector<std::uint32_t> primitives_by_material(const Mesh& mesh) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < mesh.primitives.size(); ++i) {
        if (!mesh.primitives[i].indices.empty()) order.push_back(i);
    }
    const auto rank = [&](std::uint32_t i) {
        const std::int32_t material = mesh.primitives[i].material;
        return std::pair(material == kNone ? std::numeric_limits<std::int32_t>::max() : material, i);
    };
    std::ranges::sort(order, {}, rank);
    return order;
}

template <typename T>
void gather(std::vector<T>& values, std::span<const std::uint32_t> vertices) {
    if (values.empty()) return;
    std::vector<T> gathered;
    gathered.reserve(vertices.size());
    for (const std::uint32_t v : vertices) gathered.push_back(values[v]);
    values = std::move(gathered);
}

// Compared bit by bit: see motion_classes().
KeyStream bits_stream(std::span<const Float3> values) { return {std::as_bytes(values).data(), 3, false}; }

bool all_bits_zero(Float3 v) {
    return (std::bit_cast<std::uint32_t>(v.x) | std::bit_cast<std::uint32_t>(v.y) |
            std::bit_cast<std::uint32_t>(v.z)) == 0;
}

// Labels that get finer: vertices with equal labels are split where a value differs. Values that are zero keep
// their label, so that a pass costs hashing only where something moves.
class Refinement {
public:
    explicit Refinement(std::vector<std::uint32_t> labels) : labels_(std::move(labels)) {
        for (const std::uint32_t label : labels_) next_ = std::max(next_, label + 1);
    }

    void refine(std::span<const SourceVertex> vertices, std::span<const std::span<const Float3>> values) {
        moved_.clear();
        key_labels_.clear();
        key_values_.clear();
        for (std::uint32_t v = 0; v < vertices.size(); ++v) {
            const std::span<const Float3> own = values[vertices[v].primitive];
            if (own.empty()) continue;
            const Float3 value = own[vertices[v].vertex];
            if (all_bits_zero(value)) continue;
            moved_.push_back(v);
            key_labels_.push_back(labels_[v]);
            key_values_.push_back(value);
        }
        if (moved_.empty()) return;
        const KeyStream key[] = {key_stream(std::span<const std::uint32_t>(key_labels_)),
                                 bits_stream(key_values_)};
        const WeldMap map = weld(key, moved_.size());
        if (map.unique_count() >= kUnused - next_) renumber();
        for (std::size_t i = 0; i < moved_.size(); ++i) labels_[moved_[i]] = next_ + map.unique_of_vertex[i];
        next_ += static_cast<std::uint32_t>(map.unique_count());
    }

    [[nodiscard]] const std::vector<std::uint32_t>& labels() const { return labels_; }

private:
    void renumber() {
        const KeyStream key[] = {key_stream(std::span<const std::uint32_t>(labels_))};
        WeldMap map = weld(key, labels_.size());
        labels_ = std::move(map.unique_of_vertex);
        next_ = static_cast<std::uint32_t>(map.unique_count());
    }

    std::vector<std::uint32_t> labels_;
    std::uint32_t next_ = 0;
    std::vector<std::uint32_t> moved_;
    std::vector<std::uint32_t> key_labels_;
    std::vector<Float3> key_values_;
};

std::vector<std::uint32_t> influence_classes(const Mesh& mesh, std::span<const SourceVertex> vertices,
                                             const EncodedInfluences& influences) {
    if (influences.stride == 0) return std::vector<std::uint32_t>(vertices.size(), 0);
    const std::vector<std::size_t> offsets = primitive_offsets(mesh);
    std::vector<std::uint32_t> slots;
    slots.reserve(vertices.size() * influences.stride);
    for (const SourceVertex& source : vertices) {
        const std::size_t first = (offsets[source.primitive] + source.vertex) * influences.stride;
        for (std::size_t i = first; i < first + influences.stride; ++i) {
            slots.push_back(influences.joints[i] | static_cast<std::uint32_t>(influences.weights[i]) << 16U);
        }
    }
    const KeyStream key[] = {key_stream(std::span<const std::uint32_t>(slots), influences.stride)};
    return weld(key, vertices.size()).unique_of_vertex;
}

void refine_by_frames(Refinement& refinement, const Mesh& mesh, std::span<const SourceVertex> vertices,
                      std::vector<Float3> ShapeDeltas::* attribute) {
    std::size_t frames = 0;
    for (const Primitive& primitive : mesh.primitives)
        frames = std::max(frames, primitive.shape_frames.size());
    std::vector<std::span<const Float3>> values(mesh.primitives.size());
    for (std::size_t frame = 0; frame < frames; ++frame) {
        for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
            const auto& own = mesh.primitives[p].shape_frames;
            values[p] = frame < own.size() ? std::span<const Float3>(own[frame].*attribute)
                                           : std::span<const Float3>();
        }
        refinement.refine(vertices, values);
    }
}

}  // namespace

Result<VertexTable> concatenate(const Mesh& mesh) {
    SINTER_TRY_ASSIGN(const Layout layout, layout_of(mesh));
    VertexTable table;
    table.indices.reserve(layout.indices);
    table.source.reserve(layout.vertices);
    table.flags.reserve(layout.vertices);
    table.positions.reserve(layout.vertices);
    if (layout.normals) table.normals.reserve(layout.vertices);
    if (layout.tangents) table.tangents.reserve(layout.vertices);
    if (layout.colors) table.colors.reserve(layout.vertices);
    table.uv_sets.resize(layout.uv_sets);
    for (auto& uvs : table.uv_sets) uvs.reserve(layout.vertices);
    for (const std::uint32_t index : primitives_by_material(mesh)) {
        SINTER_TRY(append_primitive(table, layout, mesh, index));
    }
    return table;
}

std::vector<std::size_t> primitive_offsets(const Mesh& mesh) {
    std::vector<std::size_t> offsets;
    std::size_t next = 0;
    for (const Primitive& primitive : mesh.primitives) {
        offsets.push_back(next);
        next += primitive.vertex_count();
    }
    return offsets;
}

MotionClasses motion_classes(const Mesh& mesh, std::span<const SourceVertex> vertices,
                             const EncodedInfluences& influences) {
    if (influences.stride == 0 && mesh.shapes.empty()) return {};
    Refinement refinement(influence_classes(mesh, vertices, influences));
    refine_by_frames(refinement, mesh, vertices, &ShapeDeltas::positions);
    MotionClasses classes;
    classes.of_point = refinement.labels();
    refine_by_frames(refinement, mesh, vertices, &ShapeDeltas::normals);
    refine_by_frames(refinement, mesh, vertices, &ShapeDeltas::tangents);
    classes.of_vertex = refinement.labels();
    return classes;
}

VertexTable gather_vertices(VertexTable table, std::span<const std::uint32_t> vertices) {
    gather(table.source, vertices);
    gather(table.flags, vertices);
    gather(table.positions, vertices);
    gather(table.grid, vertices);
    gather(table.normals, vertices);
    gather(table.tangents, vertices);
    for (auto& uvs : table.uv_sets) gather(uvs, vertices);
    gather(table.colors, vertices);
    gather(table.motion, vertices);
    gather(table.points, vertices);
    return table;
}

VertexTable weld_vertices(VertexTable table, bool with_flags) {
    std::vector<KeyStream> key{key_stream(std::span<const GridPosition>(table.grid))};
    if (!table.normals.empty()) key.push_back(key_stream(std::span<const Float3>(table.normals)));
    if (!table.tangents.empty()) key.push_back(key_stream(std::span<const Float4>(table.tangents)));
    for (const auto& uvs : table.uv_sets) key.push_back(key_stream(std::span<const Float2>(uvs)));
    if (!table.colors.empty()) key.push_back(key_stream(std::span<const Float4>(table.colors)));
    if (!table.motion.empty()) key.push_back(key_stream(std::span<const std::uint32_t>(table.motion)));
    if (with_flags) key.push_back(key_stream(std::span<const std::uint32_t>(table.flags)));
    const WeldMap map = weld(key, table.vertex_count());
    if (map.unique_count() == table.vertex_count()) return table;
    for (std::uint32_t& index : table.indices) index = map.unique_of_vertex[index];
    return gather_vertices(std::move(table), map.first_vertex);
}

SplitTable split_by_corners(VertexTable table, KeyStream corner_values) {
    const KeyStream key[] = {key_stream(std::span<const std::uint32_t>(table.indices)), corner_values};
    WeldMap map = weld(key, table.indices.size());
    std::vector<std::uint32_t> vertices;
    vertices.reserve(map.unique_count());
    for (const std::uint32_t corner : map.first_vertex) vertices.push_back(table.indices[corner]);
    table.indices = std::move(map.unique_of_vertex);
    return {gather_vertices(std::move(table), vertices), std::move(map.first_vertex)};
}

}  // namespace sinter
