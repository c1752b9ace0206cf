#include "cooker/package/assemble.hpp"

#include "cooker/package/assemble_pages.hpp"
#include "cooker/package/encode_normal.hpp"
#include "cooker/package/manifest_of.hpp"
#include "cooker/package/sections.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/records.hpp>
#include <sinter/formats/writer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

namespace sinter {
namespace {

Error broken(ErrorKind kind, std::size_t mesh, const PreparedMesh& prepared, std::string message) {
    return {.kind = kind,
            .where = fmt::format("mesh {} '{}'", mesh, prepared.name),
            .message = std::move(message)};
}

Result<Unit> check_counts(std::size_t index, const PreparedMesh& mesh) {
    constexpr std::size_t kMaxCount = std::numeric_limits<std::uint32_t>::max();
    if (mesh.vertex_count() > kMaxCount || mesh.indices.size() > kMaxCount) {
        return broken(ErrorKind::Limit, index, mesh,
                      fmt::format("{} vertices and {} indices; the package format counts up to {}",
                                  mesh.vertex_count(), mesh.indices.size(), kMaxCount));
    }
    if (mesh.uv_sets.size() > kMaxUvSets) {
        return broken(
            ErrorKind::Limit, index, mesh,
            fmt::format("{} UV sets; the package format has room for {}", mesh.uv_sets.size(), kMaxUvSets));
    }
    const std::size_t slots = mesh.vertex_count() * mesh.influences.stride;
    const auto fits = [&](std::size_t size) { return size == 0 || size == mesh.vertex_count(); };
    if (!fits(mesh.normals.size()) || !fits(mesh.tangents.size()) || !fits(mesh.colors.size()) ||
        !std::ranges::all_of(mesh.uv_sets,
                             [&](const auto& set) { return set.size() == mesh.vertex_count(); }) ||
        mesh.influences.joints.size() != slots || mesh.influences.weights.size() != slots) {
        return broken(
            ErrorKind::Internal, index, mesh,
            fmt::format("an array does not have one entry for each of {} vertices", mesh.vertex_count()));
    }
    return Unit{};
}

Result<Unit> add_positions(Sections& sections, std::size_t index, const PreparedMesh& mesh) {
    if (mesh.grid.bits == 32) {
        std::vector<GridPosition32> records;
        records.reserve(mesh.vertex_count());
        for (const auto& [x, y, z] : mesh.grid_positions) records.push_back({.x = x, .y = y, .z = z});
        sections.add(SectionType::MeshPositions, index, records);
        return Unit{};
    }
    std::vector<GridPosition16> records;
    records.reserve(mesh.vertex_count());
    for (const auto& grid : mesh.grid_positions) {
        if (std::ranges::any_of(grid, [](std::int32_t c) { return !std::in_range<std::int16_t>(c); })) {
            return broken(
                ErrorKind::Internal, index, mesh,
                fmt::format("position ({}, {}, {}) does not fit its 16-bit grid", grid[0], grid[1], grid[2]));
        }
        records.push_back({.x = static_cast<std::int16_t>(grid[0]),
                           .y = static_cast<std::int16_t>(grid[1]),
                           .z = static_cast<std::int16_t>(grid[2])});
    }
    sections.add(SectionType::MeshPositions, index, records);
    return Unit{};
}

// Returns the largest angle between a normal and its decoded code.
float add_normals(Sections& sections, std::size_t index, const PreparedMesh& mesh, std::uint32_t bits) {
    std::vector<OctNormal> records;
    records.reserve(mesh.normals.size());
    double max_error_deg = 0;
    for (const Float3 normal : mesh.normals) {
        records.push_back(encode_normal(normal, bits));
        max_error_deg = std::max(max_error_deg, angle_deg(array_of(normal), oct_decode(records.back())));
    }
    sections.add(SectionType::MeshNormals, index, records);
    return static_cast<float>(max_error_deg);
}

void add_tangents(Sections& sections, std::size_t index, const PreparedMesh& mesh) {
    std::vector<TangentRecord> tangents;
    for (const Float4& t : mesh.tangents) tangents.push_back({.x = t.x, .y = t.y, .z = t.z, .w = t.w});
    sections.add(SectionType::MeshTangents, index, tangents);
}

std::vector<EncodedUvs> add_uvs(Sections& sections, std::size_t index, const PreparedMesh& mesh,
                                double tolerance) {
    std::vector<EncodedUvs> out;
    for (std::uint32_t set = 0; set < mesh.uv_sets.size(); ++set) {
        EncodedUvs uvs = encode_uvs(mesh.uv_sets[set], tolerance);
        const std::uint64_t id = uv_section_id(static_cast<std::uint32_t>(index), set);
        if (uvs.codes.empty()) sections.add(SectionType::MeshUvs, id, uvs.floats);
        else sections.add(SectionType::MeshUvs, id, uvs.codes);
        out.push_back(std::move(uvs));
    }
    return out;
}

void add_colors(Sections& sections, std::size_t index, const PreparedMesh& mesh) {
    std::vector<ColorRecord> colors;
    for (const Float4& c : mesh.colors) colors.push_back({.r = c.x, .g = c.y, .b = c.z, .a = c.w});
    sections.add(SectionType::MeshColors, index, colors);
}

void add_influences(Sections& sections, std::size_t index, const PreparedMesh& mesh) {
    const EncodedInfluences& in = mesh.influences;
    if (in.stride == 0) return;
    const std::uint32_t record_size = influence_record_size(in.stride, in.weight_bits);
    const std::size_t weight_size = in.weight_bits / 8;
    std::vector<std::byte> bytes(mesh.vertex_count() * record_size);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        std::byte* record = bytes.data() + v * record_size;
        std::memcpy(record, in.joints.data() + v * in.stride, in.stride * sizeof(std::uint16_t));
        std::byte* weights = record + in.stride * sizeof(std::uint16_t);
        for (std::size_t slot = 0; slot < in.stride; ++slot) {  // little endian: the low byte comes first
            std::memcpy(weights + slot * weight_size, in.weights.data() + v * in.stride + slot, weight_size);
        }
    }
    sections.add_bytes(SectionType::MeshInfluences, index, record_size, std::move(bytes));
}

void add_shapes(Sections& sections, std::size_t index, const PreparedMesh& mesh) {
    std::vector<BlendShapeDelta> records;
    for (const PreparedShape& shape : mesh.shapes) {
        for (const SparseShapeFrame& frame : shape.frames) {
            for (std::size_t i = 0; i < frame.vertices.size(); ++i) {
                BlendShapeDelta delta{.vertex = frame.vertices[i], .position = array_of(frame.positions[i])};
                if (!frame.normals.empty()) delta.normal = array_of(frame.normals[i]);
                if (!frame.tangents.empty()) delta.tangent = array_of(frame.tangents[i]);
                records.push_back(delta);
            }
        }
    }
    sections.add(SectionType::BlendShapeDeltas, index, records);
}

// Full detail only, as plain arrays.
Result<MeshEncodingErrors> add_plain_mesh(Sections& sections, std::size_t index, const PreparedMesh& mesh,
                                          std::uint32_t normal_bits) {
    SINTER_TRY(add_positions(sections, index, mesh));
    const MeshEncodingErrors errors{.max_normal_error_deg = add_normals(sections, index, mesh, normal_bits),
                                    .uvs = {}};
    add_tangents(sections, index, mesh);
    sections.add(SectionType::MeshIndices, index, mesh.indices);
    return errors;
}

Result<MeshEncodingErrors> add_mesh(Sections& sections, const CookedAsset& asset, std::size_t index) {
    const PreparedMesh& mesh = asset.meshes[index];
    const ClusteredMesh& clustered = asset.clustered[index];
    const std::uint32_t normal_bits = asset.options.mesh.normal_bits;
    SINTER_TRY(check_counts(index, mesh));
    std::vector<EncodedUvs> uvs = add_uvs(sections, index, mesh, asset.options.mesh.uv_tolerance);
    add_colors(sections, index, mesh);
    add_influences(sections, index, mesh);
    add_shapes(sections, index, mesh);
    Result<MeshEncodingErrors> errors =
        clustered.paged.pages.empty()
            ? add_plain_mesh(sections, index, mesh, normal_bits)
            : add_pages(sections, static_cast<std::uint32_t>(index), mesh, clustered, normal_bits);
    if (errors) errors->uvs = std::move(uvs);
    return errors;
}

void add_skin(Sections& sections, std::size_t index, const CookedSkin& skin) {
    std::vector<InverseBindRecord> records;
    for (const Mat3x4& matrix : skin.bone_from_mesh) records.push_back({.m = matrix.m});
    sections.add(SectionType::SkinInverseBinds, index, records);
}

void add_clip(Sections& sections, std::size_t index, const SampledClip& clip) {
    std::vector<float> values;
    for (const SampledTrack& track : clip.tracks)
        values.insert(values.end(), track.samples.begin(), track.samples.end());
    sections.add(SectionType::ClipSamples, index, values);
}

}  // namespace

Result<std::vector<std::byte>> assemble_package(const CookedAsset& asset) {
    Sections sections(
        {.codec = asset.options.package.compression == SectionCompression::Raw ? Codec::Raw : Codec::Zstd,
         .zstd_level = asset.options.package.zstd_level});
    if (asset.clustered.size() != asset.meshes.size()) {
        return Error{.kind = ErrorKind::Internal,
                     .message = fmt::format("{} meshes with {} cluster DAGs", asset.meshes.size(),
                                            asset.clustered.size())};
    }
    std::vector<MeshEncodingErrors> errors;
    for (std::size_t i = 0; i < asset.meshes.size(); ++i) {
        SINTER_TRY_ASSIGN(MeshEncodingErrors mesh_errors, add_mesh(sections, asset, i));
        errors.push_back(std::move(mesh_errors));
    }
    for (std::size_t i = 0; i < asset.skins.size(); ++i) add_skin(sections, i, asset.skins[i]);
    for (std::size_t i = 0; i < asset.clips.size(); ++i) add_clip(sections, i, asset.clips[i]);
    return std::move(sections).finish(manifest_of(asset, errors));
}

}  // namespace sinter
