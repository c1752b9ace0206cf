#include "cooker/import/gltf/draco.hpp"
#include "cooker/import/gltf/extensions.hpp"
#include "cooker/import/gltf/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace sinter::gltf {
namespace {

enum class TriangleMode : std::uint8_t { Triangles = 4, Strip = 5, Fan = 6 };

// KHR_mesh_quantization lets positions, texture coordinates, normals and tangents be integers; they are
// read that way even where a file forgot to name the extension, since they have one meaning only.
constexpr std::array kQuantized = {ComponentType::F32, ComponentType::I8, ComponentType::U8,
                                   ComponentType::I16, ComponentType::U16};
constexpr std::array kFraction = {ComponentType::F32, ComponentType::U8, ComponentType::U16};
constexpr std::array kJoint = {ComponentType::U8, ComponentType::U16};
constexpr std::array kIndex = {ComponentType::U8, ComponentType::U16, ComponentType::U32};

constexpr Allowed kVec2{.rows = {2, 0}, .types = kQuantized};
constexpr Allowed kVec3{.rows = {3, 0}, .types = kQuantized};
constexpr Allowed kVec4{.rows = {4, 0}, .types = kQuantized};
constexpr Allowed kColor{.rows = {3, 4}, .types = kFraction};
constexpr Allowed kWeights{.rows = {4, 0}, .types = kFraction};
constexpr Allowed kJoints{.rows = {4, 0}, .types = kJoint};
constexpr Allowed kIndices{.rows = {1, 0}, .types = kIndex};

// The attributes of one primitive, from accessors or from Draco.
struct Attributes {
    Document* document = nullptr;
    JsonAt object;
    const DracoMesh* draco = nullptr;
    std::uint64_t vertex_count = 0;
    std::size_t used = 0;  // how many members of `object` were read

    [[nodiscard]] bool has(std::string_view name) const { return static_cast<bool>(member(object, name)); }
};

Result<Accessor> open_attribute(Attributes& attributes, const JsonAt& object, std::string_view name,
                                const Allowed& allowed) {
    const Document& document = *attributes.document;
    SINTER_TRY_ASSIGN(const std::uint32_t index,
                      required_index(object, name, top_count(document, "accessors"), "accessor"));
    SINTER_TRY_ASSIGN(Accessor accessor, read_accessor(document, index));
    SINTER_TRY(check_type(accessor, allowed, name));
    return accessor;
}

Result<Unit> check_count(const Attributes& attributes, const Accessor& accessor, const JsonAt& object,
                         std::string_view name) {
    if (accessor.count == attributes.vertex_count) return Unit{};
    return invalid(joined(object.pointer, name),
                   fmt::format("has {} elements ({}), but POSITION has {}", accessor.count, accessor.pointer,
                               attributes.vertex_count));
}

// An attribute of the primitive, ready to be decoded: from Draco where that holds it.
Result<Accessor> attribute(Attributes& attributes, std::string_view name, const Allowed& allowed) {
    SINTER_TRY_ASSIGN(Accessor accessor, open_attribute(attributes, attributes.object, name, allowed));
    ++attributes.used;
    const DracoAttribute* const compressed =
        attributes.draco == nullptr ? nullptr : attributes.draco->find(name);
    if (compressed != nullptr) {
        accessor.component = compressed->component;
        accessor.rows = compressed->rows;
        accessor.decoded = compressed->data;
        SINTER_TRY(check_type(accessor, allowed, name));
    }
    SINTER_TRY(check_count(attributes, accessor, attributes.object, name));
    return accessor;
}

Float2 as_float2(const float* v) { return {v[0], v[1]}; }
Float3 as_float3(const float* v) { return {v[0], v[1], v[2]}; }
Float4 as_float4(const float* v) { return {v[0], v[1], v[2], v[3]}; }

template <typename Vector>
std::vector<Vector> gathered(const std::vector<float>& values, std::size_t components,
                             Vector (*as_vector)(const float*)) {
    std::vector<Vector> out(values.size() / components);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = as_vector(values.data() + i * components);
    return out;
}

template <typename Vector>
Result<std::vector<Vector>> decode_attribute(Attributes& attributes, std::string_view name,
                                             const Allowed& allowed, Vector (*as_vector)(const float*)) {
    SINTER_TRY_ASSIGN(const Accessor accessor, attribute(attributes, name, allowed));
    SINTER_TRY_ASSIGN(const std::vector<float> values, decode_floats(*attributes.document, accessor));
    return gathered(values, accessor.components(), as_vector);
}

Result<Unit> read_colors(Attributes& attributes, const std::string& subject, Primitive& primitive) {
    if (!attributes.has("COLOR_0")) return Unit{};
    SINTER_TRY_ASSIGN(Accessor accessor, attribute(attributes, "COLOR_0", kColor));
    if (accessor.component != ComponentType::F32 && !accessor.normalized) {
        accessor.normalized = true;
        attributes.document->issues->add(
            IssueCode::RepairedSource, subject,
            "integer vertex colours without \"normalized\" were read as normalised");
    }
    SINTER_TRY_ASSIGN(const std::vector<float> values, decode_floats(*attributes.document, accessor));
    const std::size_t n = accessor.components();
    primitive.colors.resize(values.size() / n);
    for (std::size_t i = 0; i < primitive.colors.size(); ++i) {
        const float* const v = values.data() + i * n;
        primitive.colors[i] = {v[0], v[1], v[2], n == 4 ? v[3] : 1.0F};
    }
    return Unit{};
}

Result<Unit> read_uv_sets(Attributes& attributes, Primitive& primitive) {
    for (std::string name = "TEXCOORD_0"; attributes.has(name);
         name = fmt::format("TEXCOORD_{}", primitive.uv_sets.size())) {
        SINTER_TRY_ASSIGN(auto set, decode_attribute(attributes, name, kVec2, as_float2));
        primitive.uv_sets.push_back(std::move(set));
    }
    return Unit{};
}

struct InfluenceSet {
    std::vector<std::uint32_t> joints;
    std::vector<float> weights;
};

Result<std::vector<InfluenceSet>> read_influence_sets(Attributes& attributes) {
    std::vector<InfluenceSet> sets;
    for (std::string joints = "JOINTS_0"; attributes.has(joints);
         joints = fmt::format("JOINTS_{}", sets.size())) {
        const std::string weights = fmt::format("WEIGHTS_{}", sets.size());
        InfluenceSet set;
        SINTER_TRY_ASSIGN(const Accessor joint_accessor, attribute(attributes, joints, kJoints));
        SINTER_TRY_ASSIGN(set.joints, decode_uints(*attributes.document, joint_accessor));
        SINTER_TRY_ASSIGN(const Accessor weight_accessor, attribute(attributes, weights, kWeights));
        SINTER_TRY_ASSIGN(set.weights, decode_floats(*attributes.document, weight_accessor));
        sets.push_back(std::move(set));
    }
    return sets;
}

// Slots with weight 0 are how glTF fills up to four; they are no influences. NaN is kept for the check.
Result<Unit> read_influences(Attributes& attributes, Primitive& primitive) {
    SINTER_TRY_ASSIGN(const std::vector<InfluenceSet> sets, read_influence_sets(attributes));
    if (sets.empty()) return Unit{};
    const std::size_t vertices = primitive.vertex_count();
    SINTER_TRY(
        book(*attributes.document, attributes.object.pointer, vertices * sets.size() * 4, sizeof(Influence)));
    primitive.influence_offsets.reserve(vertices + 1);
    primitive.influence_offsets.push_back(0);
    for (std::size_t v = 0; v < vertices; ++v) {
        for (const InfluenceSet& set : sets) {
            for (std::size_t k = v * 4; k < v * 4 + 4; ++k) {
                if (set.weights[k] != 0.0F) primitive.influences.push_back({set.joints[k], set.weights[k]});
            }
        }
        if (primitive.influences.size() > std::numeric_limits<std::uint32_t>::max()) {
            return Error{ErrorKind::Limit, attributes.object.pointer,
                         "more than 2^32 influences in one primitive", "split the mesh"};
        }
        primitive.influence_offsets.push_back(static_cast<std::uint32_t>(primitive.influences.size()));
    }
    return Unit{};
}

void report_unread(const Attributes& attributes, const std::string& subject) {
    const std::size_t unread = attributes.object.size() - attributes.used;
    if (unread == 0) return;
    attributes.document->issues->add(IssueCode::IgnoredContent, subject,
                                     "vertex attributes were left out: only POSITION, NORMAL, TANGENT, "
                                     "COLOR_0 and TEXCOORD_n, JOINTS_n, WEIGHTS_n "
                                     "numbered from 0 without a gap are read",
                                     unread);
}

// One attribute of one morph target, empty where the target does not have it.
Result<std::vector<Float3>> read_deltas(Attributes& attributes, const JsonAt& target, std::string_view name) {
    if (!member(target, name)) return std::vector<Float3>{};
    SINTER_TRY_ASSIGN(const Accessor accessor, open_attribute(attributes, target, name, kVec3));
    SINTER_TRY(check_count(attributes, accessor, target, name));
    SINTER_TRY_ASSIGN(const std::vector<float> values, decode_floats(*attributes.document, accessor));
    return gathered(values, 3, as_float3);
}

Result<Unit> read_targets(Attributes& attributes, const JsonAt& at, std::size_t shape_count,
                          const std::string& subject, Primitive& primitive) {
    SINTER_TRY_ASSIGN(const JsonAt targets, array_member(at, "targets"));
    primitive.shape_frames.resize(shape_count);
    std::size_t unread = 0;
    for (std::size_t t = 0; t < targets.size(); ++t) {
        SINTER_TRY_ASSIGN(const JsonAt target, object_element(targets, t));
        ShapeDeltas& deltas = primitive.shape_frames[t];
        SINTER_TRY_ASSIGN(deltas.positions, read_deltas(attributes, target, "POSITION"));
        SINTER_TRY_ASSIGN(deltas.normals, read_deltas(attributes, target, "NORMAL"));
        SINTER_TRY_ASSIGN(deltas.tangents, read_deltas(attributes, target, "TANGENT"));
        for (const auto& [name, index] : target.value->items()) {
            if (name != "POSITION" && name != "NORMAL" && name != "TANGENT") ++unread;
        }
    }
    if (unread > 0) {
        attributes.document->issues->add(IssueCode::IgnoredContent, subject + " morph targets",
                                         "deltas other than POSITION, NORMAL and TANGENT were left out",
                                         unread);
    }
    return Unit{};
}

Result<std::vector<std::uint32_t>> read_source_indices(Attributes& attributes, const JsonAt& at) {
    if (!member(at, "indices")) {
        SINTER_TRY(book(*attributes.document, at.pointer, attributes.vertex_count, sizeof(std::uint32_t)));
        std::vector<std::uint32_t> all(static_cast<std::size_t>(attributes.vertex_count));
        std::iota(all.begin(), all.end(), 0U);
        return all;
    }
    SINTER_TRY_ASSIGN(const Accessor accessor, open_attribute(attributes, at, "indices", kIndices));
    SINTER_TRY_ASSIGN(std::vector<std::uint32_t> indices, decode_uints(*attributes.document, accessor));
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] < attributes.vertex_count) continue;
        Error error = invalid(at.pointer + "/indices",
                              fmt::format("index {} at place {} of {} is not below the {} "
                                          "vertices",
                                          indices[i], i, accessor.pointer, attributes.vertex_count));
        error.code = static_cast<std::uint16_t>(IssueCode::IndexOutOfRange);
        return error;
    }
    return indices;
}

// glTF 2.0, section 3.7.2.1: strips keep the winding of their first triangle, fans share vertex 0.
std::vector<std::uint32_t> triangles_of(TriangleMode mode, std::vector<std::uint32_t> source) {
    if (mode == TriangleMode::Triangles) {
        source.resize(source.size() / 3 * 3);
        return source;
    }
    std::vector<std::uint32_t> out;
    const std::size_t count = source.size() < 3 ? 0 : source.size() - 2;
    out.reserve(count * 3);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t odd = i % 2;
        if (mode == TriangleMode::Strip) {
            out.insert(out.end(), {source[i], source[i + 1 + odd], source[i + 2 - odd]});
        } else {
            out.insert(out.end(), {source[i + 1], source[i + 2], source[0]});
        }
    }
    return out;
}

Result<Unit> read_triangles(Attributes& attributes, const JsonAt& at, TriangleMode mode,
                            const std::string& subject, Primitive& primitive) {
    SINTER_TRY_ASSIGN(std::vector<std::uint32_t> source, read_source_indices(attributes, at));
    const bool leftover =
        mode == TriangleMode::Triangles ? source.size() % 3 != 0 : source.size() < 3 && !source.empty();
    if (leftover) {
        attributes.document->issues->add(
            IssueCode::RepairedSource, subject,
            fmt::format("{} has {} indices, which do not end in a whole triangle; the "
                        "rest were left out",
                        at.pointer, source.size()));
    }
    SINTER_TRY(book(*attributes.document, at.pointer, source.size(), 3 * sizeof(std::uint32_t)));
    primitive.indices = triangles_of(mode, std::move(source));
    return Unit{};
}

// Reads the number of vertices from POSITION's accessor or from Draco; they must agree.
Result<Unit> read_vertex_count(Attributes& attributes) {
    SINTER_TRY_ASSIGN(const Accessor accessor,
                      open_attribute(attributes, attributes.object, "POSITION", kVec3));
    attributes.vertex_count = accessor.count;
    if (attributes.draco != nullptr && attributes.draco->vertex_count != accessor.count) {
        return invalid(joined(attributes.object.pointer, "POSITION"),
                       fmt::format("has {} elements ({}), but the Draco data has {} vertices", accessor.count,
                                   accessor.pointer, attributes.draco->vertex_count));
    }
    if (accessor.count > std::numeric_limits<std::uint32_t>::max()) {
        return invalid(accessor.pointer + "/count",
                       fmt::format("is {}, more vertices than 32-bit indices can name", accessor.count));
    }
    return Unit{};
}

Result<Unit> read_vertices(Attributes& attributes, const std::string& subject, Primitive& primitive) {
    SINTER_TRY_ASSIGN(primitive.positions, decode_attribute(attributes, "POSITION", kVec3, as_float3));
    if (attributes.has("NORMAL")) {
        SINTER_TRY_ASSIGN(primitive.normals, decode_attribute(attributes, "NORMAL", kVec3, as_float3));
    }
    if (attributes.has("TANGENT")) {
        SINTER_TRY_ASSIGN(primitive.tangents, decode_attribute(attributes, "TANGENT", kVec4, as_float4));
    }
    SINTER_TRY(read_uv_sets(attributes, primitive));
    SINTER_TRY(read_colors(attributes, subject, primitive));
    SINTER_TRY(read_influences(attributes, primitive));
    report_unread(attributes, subject);
    return Unit{};
}

Result<std::optional<TriangleMode>> read_mode(Document& document, const JsonAt& at,
                                              const std::string& subject) {
    constexpr std::uint64_t kTriangles = 4, kFan = 6;
    SINTER_TRY_ASSIGN(const std::uint64_t mode, uint_member(at, "mode", kTriangles));
    if (mode > kFan) return invalid(at.pointer + "/mode", fmt::format("is {}, but must be 0 to 6", mode));
    if (mode < kTriangles) {
        document.issues->add(IssueCode::PointsOrLines, subject,
                             "primitives of points or lines were left out");
        return std::optional<TriangleMode>{};
    }
    return std::optional<TriangleMode>{static_cast<TriangleMode>(mode)};
}

// Draco holds whole triangles, whatever the mode says; the index accessor's count is only a statement.
Result<Unit> take_draco_triangles(Attributes& attributes, const JsonAt& at, const std::string& subject,
                                  DracoMesh& draco, Primitive& primitive) {
    if (member(at, "indices")) {
        SINTER_TRY_ASSIGN(const Accessor accessor, open_attribute(attributes, at, "indices", kIndices));
        if (accessor.count != draco.indices.size()) {
            attributes.document->issues->add(
                IssueCode::RepairedSource, subject,
                fmt::format("{} announces {} indices, but the Draco data has {}, which were taken",
                            accessor.pointer, accessor.count, draco.indices.size()));
        }
    }
    primitive.indices = std::move(draco.indices);
    return Unit{};
}

// KHR_texture_transform of the primitive's material. Tangents follow the axes of the UVs that they were made for: where
// those turn, they are left out, and made anew like those of a file without any.
void apply_material_uvs(const Document& document, const std::string& subject, Primitive& primitive) {
    if (primitive.material == kNone) return;
    const MaterialUvs& uvs = document.material_uvs[static_cast<std::size_t>(primitive.material)];
    for (const auto& [set, transform] : uvs.of_set) {
        if (set >= primitive.uv_sets.size()) continue;
        transform_uvs(transform, primitive.uv_sets[set]);
        if (set != uvs.tangent_set || primitive.tangents.empty() || !turns_tangents(transform)) continue;
        primitive.tangents.clear();
        for (ShapeDeltas& deltas : primitive.shape_frames) deltas.tangents.clear();
        document.issues->add(
            IssueCode::IgnoredContent, subject,
            "tangents were left out, since a KHR_texture_transform turns or mirrors their UVs");
    }
}

Result<Unit> fill_primitive(Attributes& attributes, const JsonAt& at, TriangleMode mode,
                            std::size_t shape_count, const std::string& subject, Primitive& primitive) {
    Document& document = *attributes.document;
    SINTER_TRY_ASSIGN(const JsonAt compressed, extension(at, "KHR_draco_mesh_compression"));
    std::optional<DracoMesh> draco;
    if (compressed) {
        SINTER_TRY_ASSIGN(draco, decode_draco(document, compressed));
        attributes.draco = &*draco;
    }
    SINTER_TRY_ASSIGN(const auto material,
                      index_member(at, "material", top_count(document, "materials"), "material"));
    if (material) primitive.material = static_cast<std::int32_t>(*material);
    SINTER_TRY(read_vertex_count(attributes));
    SINTER_TRY(read_vertices(attributes, subject, primitive));
    if (draco) {
        SINTER_TRY(take_draco_triangles(attributes, at, subject, *draco, primitive));
    } else {
        SINTER_TRY(read_triangles(attributes, at, mode, subject, primitive));
    }
    SINTER_TRY(read_targets(attributes, at, shape_count, subject, primitive));
    apply_material_uvs(document, subject, primitive);
    return Unit{};
}

}  // namespace

Result<std::optional<Primitive>> read_primitive(Document& document, const JsonAt& at, std::size_t shape_count,
                                                const std::string& subject) {
    std::optional<Primitive> primitive;
    SINTER_TRY_ASSIGN(const auto mode, read_mode(document, at, subject));
    if (!mode) return primitive;
    Attributes attributes;
    attributes.document = &document;
    SINTER_TRY_ASSIGN(attributes.object, object_member(at, "attributes"));
    if (!attributes.has("POSITION")) {
        document.issues->add(IssueCode::IgnoredContent, subject,
                             "primitives without positions were left out");
        return primitive;
    }
    primitive.emplace();
    SINTER_TRY(fill_primitive(attributes, at, *mode, shape_count, subject, *primitive));
    return primitive;
}

}  // namespace sinter::gltf
