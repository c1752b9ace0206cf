#include "exporter/gltf_writer.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/mesh_arrays.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sinter::gltf_out {
namespace {

// Everything that the vertices of a mesh have, decoded as far as glTF wants it.
struct Source {
    const manifest::MeshT& mesh;
    MeshArrays arrays;
    std::vector<std::array<float, 3>> positions;
    std::vector<std::vector<UvRecord>> uv_sets;  // one a vertex
    std::vector<float> colors;                   // four a vertex
    std::vector<std::byte> influences;
    std::vector<BlendShapeDelta> deltas;
};

// Triangles of one material with the vertices that they use.
struct Part {
    std::int32_t material = -1;
    std::vector<std::uint32_t> vertices;  // of the mesh, rising
    std::vector<std::uint32_t> indices;   // into `vertices`
};

Error too_short(std::uint32_t mesh) {
    return {ErrorKind::Validation, fmt::format("mesh {}", mesh),
            "its arrays are not as long as the manifest says", "run sinter validate; cook the package again"};
}

Result<std::vector<BlendShapeDelta>> read_deltas(const PackageView& package, std::uint32_t mesh) {
    std::vector<BlendShapeDelta> out;
    if (!package.find(SectionType::BlendShapeDeltas, mesh)) return out;
    SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes,
                      package.decode(SectionType::BlendShapeDeltas, mesh));
    out.resize(bytes.size() / sizeof(BlendShapeDelta));
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(BlendShapeDelta));
    return out;
}

Result<Source> read_source(const PackageView& package, const manifest::ManifestT& manifest,
                           std::uint32_t index) {
    Source out{*manifest.meshes[index], {}, {}, {}, {}, {}, {}};
    SINTER_TRY_ASSIGN(out.arrays, read_mesh_arrays(package, manifest, index));
    out.positions = positions_of(out.mesh, out.arrays);
    const std::size_t count = out.positions.size();
    for (std::uint32_t set = 0; set < out.mesh.uv_sets; ++set) {
        SINTER_TRY_ASSIGN(std::vector<UvRecord> uvs, read_uvs(package, manifest, index, set));
        if (uvs.size() != count) return too_short(index);
        out.uv_sets.push_back(std::move(uvs));
    }
    if (out.mesh.has_colors) {
        SINTER_TRY_ASSIGN(out.colors, read_floats(package, SectionType::MeshColors, index));
        if (out.colors.size() != 4 * count) return too_short(index);
    }
    if (out.mesh.influences) {
        const manifest::InfluencesT& info = *out.mesh.influences;
        SINTER_TRY_ASSIGN(out.influences, package.decode(SectionType::MeshInfluences, index));
        const bool known = info.weight_bits == 8 || info.weight_bits == 16;
        if (!known || info.stride == 0 || info.stride > 8 ||
            out.influences.size() != count * influence_record_size(info.stride, info.weight_bits))
            return too_short(index);
    }
    SINTER_TRY_ASSIGN(out.deltas, read_deltas(package, index));
    return out;
}

// By material, rising.
std::vector<Part> parts_of(const std::vector<CutTriangle>& triangles, std::size_t vertex_count) {
    std::map<std::int32_t, Part> by_material;
    for (const CutTriangle& triangle : triangles) {
        Part& part = by_material[triangle.material];
        part.indices.insert(part.indices.end(), triangle.vertices.begin(), triangle.vertices.end());
    }
    std::vector<Part> out;
    std::vector<std::uint32_t> local(vertex_count);
    for (auto& [material, part] : by_material) {
        part.material = material;
        part.vertices = part.indices;
        std::ranges::sort(part.vertices);
        const auto repeated = std::ranges::unique(part.vertices);
        part.vertices.erase(repeated.begin(), repeated.end());
        for (std::uint32_t i = 0; i < part.vertices.size(); ++i) local[part.vertices[i]] = i;
        for (std::uint32_t& index : part.indices) index = local[index];
        out.push_back(std::move(part));
    }
    return out;
}

std::uint32_t add_indices(GlbBuilder& glb, const Part& part) {
    constexpr std::size_t kMaxShort = 65535;  // the last index, 65535, means a restart in some interfaces
    if (part.vertices.size() > kMaxShort) {
        return glb.add<std::uint32_t>(
            {.type = "SCALAR", .component = Component::U32, .target = Target::Indices}, 1, part.indices);
    }
    std::vector<std::uint16_t> narrow;
    narrow.reserve(part.indices.size());
    for (const std::uint32_t index : part.indices) narrow.push_back(static_cast<std::uint16_t>(index));
    return glb.add<std::uint16_t>({.type = "SCALAR", .component = Component::U16, .target = Target::Indices},
                                  1, narrow);
}

// Of the vertices of a part, `width` floats each.
template <typename ValuesOf>
std::uint32_t add_vertices(GlbBuilder& glb, const Part& part, std::string_view type, std::uint32_t width,
                           ValuesOf values_of) {
    std::vector<float> values;
    values.reserve(part.vertices.size() * width);
    for (const std::uint32_t v : part.vertices) {
        const auto value = values_of(v);
        values.insert(values.end(), value.begin(), value.end());
    }
    return glb.add<float>({.type = type, .target = Target::Vertices, .range = type == "VEC3"}, width, values);
}

// Weights keep their stored integers, whose sum is exactly one. Slots beyond the stride are joint 0 with weight 0.
template <typename Weight>
void add_influences(GlbBuilder& glb, const Source& source, const Part& part, Json& attributes) {
    const std::uint32_t stride = source.mesh.influences->stride;
    const std::size_t record = influence_record_size(stride, 8 * sizeof(Weight));
    for (std::uint32_t set = 0; set * 4 < stride; ++set) {
        const std::uint32_t slots = std::min(4U, stride - set * 4);
        std::vector<std::uint16_t> joints(part.vertices.size() * 4);
        std::vector<Weight> weights(part.vertices.size() * 4);
        for (std::size_t i = 0; i < part.vertices.size(); ++i) {
            const std::byte* const at = source.influences.data() + part.vertices[i] * record;
            std::memcpy(joints.data() + 4 * i, at + std::size_t{2} * 4 * set, std::size_t{2} * slots);
            std::memcpy(weights.data() + 4 * i, at + std::size_t{2} * stride + sizeof(Weight) * 4 * set,
                        sizeof(Weight) * slots);
        }
        attributes[fmt::format("JOINTS_{}", set)] = glb.add<std::uint16_t>(
            {.type = "VEC4", .component = Component::U16, .target = Target::Vertices}, 4, joints);
        attributes[fmt::format("WEIGHTS_{}", set)] =
            glb.add<Weight>({.type = "VEC4",
                             .component = sizeof(Weight) == 1 ? Component::U8 : Component::U16,
                             .normalized = true,
                             .target = Target::Vertices},
                            4, weights);
    }
}

Json attributes_of(GlbBuilder& glb, const Source& source, const Part& part) {
    Json out;
    out["POSITION"] = add_vertices(glb, part, "VEC3", 3, [&](auto v) { return source.positions[v]; });
    if (!source.arrays.normals.empty()) {
        out["NORMAL"] =
            add_vertices(glb, part, "VEC3", 3, [&](auto v) { return oct_decode(source.arrays.normals[v]); });
    }
    if (!source.arrays.normals.empty() && !source.arrays.tangents.empty()) {
        out["TANGENT"] = add_vertices(glb, part, "VEC4", 4, [&](auto v) {
            const TangentRecord& t = source.arrays.tangents[v];
            return std::array{t.x, t.y, t.z, t.w};
        });
    }
    for (std::size_t set = 0; set < source.uv_sets.size(); ++set) {
        const std::vector<UvRecord>& uvs = source.uv_sets[set];
        out[fmt::format("TEXCOORD_{}", set)] =
            add_vertices(glb, part, "VEC2", 2, [&](std::size_t v) { return std::array{uvs[v].u, uvs[v].v}; });
    }
    if (!source.colors.empty()) {
        out["COLOR_0"] = add_vertices(
            glb, part, "VEC4", 4, [&](std::size_t v) { return std::span(source.colors).subspan(4 * v, 4); });
    }
    if (source.mesh.influences) {
        if (source.mesh.influences->weight_bits == 8) add_influences<std::uint8_t>(glb, source, part, out);
        else add_influences<std::uint16_t>(glb, source, part, out);
    }
    return out;
}

// Indices into the part and the record of the package for each of its vertices that the frame moves.
struct Moved {
    std::vector<std::uint32_t> vertices;
    std::vector<const BlendShapeDelta*> records;
};

Moved moved_by(const Source& source, const Part& part, const manifest::ShapeFrameT& frame) {
    Moved out;
    const std::uint64_t size = source.deltas.size();
    const std::uint64_t first = std::min(frame.first_record, size);
    const auto records = std::span(source.deltas).subspan(first, std::min(frame.record_count, size - first));
    std::size_t i = 0;
    for (const BlendShapeDelta& record : records) {
        while (i < part.vertices.size() && part.vertices[i] < record.vertex) ++i;
        if (i == part.vertices.size() || part.vertices[i] != record.vertex) continue;
        out.vertices.push_back(static_cast<std::uint32_t>(i));
        out.records.push_back(&record);
        ++i;
    }
    return out;
}

std::uint32_t add_deltas(GlbBuilder& glb, const Part& part, const Moved& moved,
                         std::array<float, 3> BlendShapeDelta::* member, bool range) {
    std::vector<float> values;
    for (const BlendShapeDelta* const record : moved.records)
        values.insert(values.end(), (record->*member).begin(), (record->*member).end());
    return glb.add_sparse(part.vertices.size(), moved.vertices, values, range);
}

// glTF has one state a shape: that of full weight.
Json targets_of(GlbBuilder& glb, const Source& source, const Part& part) {
    Json out = Json::array();
    for (const auto& shape : source.mesh.shapes) {
        const manifest::ShapeFrameT none;
        const manifest::ShapeFrameT& frame = shape->frames.empty() ? none : *shape->frames.back();
        const Moved moved = moved_by(source, part, frame);
        Json target;
        target["POSITION"] = add_deltas(glb, part, moved, &BlendShapeDelta::position, true);
        if (frame.has_normals && !source.arrays.normals.empty())
            target["NORMAL"] = add_deltas(glb, part, moved, &BlendShapeDelta::normal, false);
        if (frame.has_tangents && !source.arrays.normals.empty() && !source.arrays.tangents.empty())
            target["TANGENT"] = add_deltas(glb, part, moved, &BlendShapeDelta::tangent, false);
        out.push_back(std::move(target));
    }
    return out;
}

Json mesh_json(GlbBuilder& glb, const Source& source, std::uint32_t index, const Copy& copy,
               const std::vector<CutTriangle>& triangles) {
    Json out;
    const std::string name =
        source.mesh.name.empty() && !copy.suffix.empty() ? fmt::format("mesh{}", index) : source.mesh.name;
    if (!name.empty()) out["name"] = name + copy.suffix;
    for (const Part& part : parts_of(triangles, source.positions.size())) {
        Json primitive;
        primitive["attributes"] = attributes_of(glb, source, part);
        primitive["indices"] = add_indices(glb, part);
        if (part.material >= 0) primitive["material"] = part.material;
        if (!source.mesh.shapes.empty()) primitive["targets"] = targets_of(glb, source, part);
        out["primitives"].push_back(std::move(primitive));
    }
    if (source.mesh.shapes.empty()) return out;
    for (const auto& shape : source.mesh.shapes) {
        out["weights"].push_back(shape->default_weight);
        out["extras"]["targetNames"].push_back(shape->name);
    }
    return out;
}

std::uint64_t in_between_count(const manifest::ManifestT& manifest) {
    std::uint64_t count = 0;
    for (const auto& mesh : manifest.meshes) {
        for (const auto& shape : mesh->shapes) count += shape->frames.size() > 1 ? 1U : 0U;
    }
    return count;
}

// [copy]; null without triangles, and where the mesh is the same as at full detail because it has no levels.
Result<std::vector<Json>> write_mesh(Writer& out, std::uint32_t index) {
    std::vector<DagCut> cuts;
    const bool has_levels = out.manifest.meshes[index]->cluster_dag != nullptr;
    for (const Copy& copy : out.copies) {
        if (cuts.empty() || has_levels) cuts.push_back(copy.cut);
    }
    SINTER_TRY_ASSIGN(const Source source, read_source(out.package, out.manifest, index));
    SINTER_TRY_ASSIGN(const auto triangles, read_cuts(out.package, out.manifest, index, cuts));
    std::vector<Json> meshes(out.copies.size());
    for (std::size_t c = 0; c < out.copies.size(); ++c) {
        const auto& drawn = triangles[std::min(c, triangles.size() - 1)];
        out.copies[c].triangles += drawn.size();
        const bool used = std::ranges::all_of(drawn, [&](const CutTriangle& t) {
            return std::ranges::all_of(t.vertices, [&](auto v) { return v < source.positions.size(); });
        });
        if (!used) return too_short(index);
        if (c < cuts.size() && !drawn.empty())
            meshes[c] = mesh_json(out.glb, source, index, out.copies[c], drawn);
    }
    return meshes;
}

}  // namespace

Result<Unit> write_meshes(Writer& out) {
    const std::size_t count = out.manifest.meshes.size();
    std::vector<std::vector<Json>> meshes;  // [mesh][copy]
    std::uint64_t empty = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        SINTER_TRY_ASSIGN(meshes.emplace_back(), write_mesh(out, i));
        empty += meshes.back().front().is_null() ? 1U : 0U;
    }
    out.meshes.assign(out.copies.size(), std::vector<std::int32_t>(count, -1));
    for (std::size_t c = 0; c < out.copies.size(); ++c) {
        for (std::size_t i = 0; i < count; ++i) {
            if (meshes[i][c].is_null()) {
                if (!out.manifest.meshes[i]->cluster_dag) out.meshes[c][i] = out.meshes[0][i];
                continue;
            }
            out.meshes[c][i] = static_cast<std::int32_t>(out.root["meshes"].size());
            out.root["meshes"].push_back(std::move(meshes[i][c]));
        }
    }
    if (empty != 0)
        out.notes.push_back(fmt::format("meshes without triangles left out: {}; glTF has no such", empty));
    if (const std::uint64_t shapes = in_between_count(out.manifest); shapes != 0) {
        out.notes.push_back(
            fmt::format("in-betweens of {} left out: glTF has full weight only",
                        shapes == 1 ? "1 blend shape" : fmt::format("{} blend shapes", shapes)));
    }
    return Unit{};
}

}  // namespace sinter::gltf_out
