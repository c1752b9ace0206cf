// Every fixed-layout record of package format 0.3, declared once. All numbers are little endian, all
// reserved fields zero. docs/package-format.md has the same tables for readers in other languages.
//
// These structs are images of bytes in the file: copy them with memcpy, never by casting a pointer into
// the file, whose sections start at aligned offsets but whose memory may not.
#pragma once

#include <sinter/formats/hash.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace sinter {

static_assert(std::endian::native == std::endian::little,
              "records are little endian; a big-endian port must swap");

struct FormatVersion {
    std::uint16_t major = 0;
    std::uint16_t minor = 0;
    auto operator<=>(const FormatVersion&) const = default;
};

// What this code writes, and the oldest reader that understands it.
inline constexpr FormatVersion kFormatVersion{0, 3};
inline constexpr FormatVersion kMinimumReader{0, 3};

// High bit set, name, CR LF, Ctrl-Z: damage by 7-bit and text-mode transfers shows at once.
inline constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'S', 'N', 'T', 'R', 0x0D, 0x0A, 0x1A};

// Sections start at multiples of kSectionAlignment; raw bulk sections of at least kPageAlignment bytes at
// multiples of kPageAlignment, so that they can be mapped or read without a copy.
inline constexpr std::uint32_t kSectionAlignment = 64;
inline constexpr std::uint32_t kPageAlignment = 65536;

// Values are part of the format and never reused.
enum class SectionType : std::uint32_t {
    Manifest = 0x0001,          // FlatBuffers, schemas/package.fbs; id 0
    MeshPositions = 0x0101,     // id = mesh; GridPosition16 or GridPosition32
    MeshNormals = 0x0102,       // id = mesh; OctNormal
    MeshTangents = 0x0103,      // id = mesh; TangentRecord
    MeshUvs = 0x0104,           // id = uv_section_id(mesh, set); UvCode or UvRecord
    MeshColors = 0x0105,        // id = mesh; ColorRecord
    MeshIndices = 0x0106,       // id = mesh; u32, three a triangle
    MeshInfluences = 0x0107,    // id = mesh; influence_record_size() bytes a vertex
    BlendShapeDeltas = 0x0201,  // id = mesh; BlendShapeDelta, all frames of all shapes one after the other
    SkinInverseBinds = 0x0301,  // id = skin; InverseBindRecord, one a joint
    ClipSamples = 0x0401,       // id = clip; f32, tracks one after the other
    // id = mesh; a mesh with a cluster DAG has these and no mesh_positions, mesh_normals, mesh_tangents, mesh_indices
    ClusterGroups = 0x0501,            // ClusterGroupRecord
    ClusterHierarchy = 0x0502,         // ClusterHierarchyNode
    ClusterPages = 0x0503,             // ClusterPageRecord
    ClusterPageDependencies = 0x0504,  // u32
    ClusterPrefixes = 0x0505,          // ClusterPrefixRecord
    SkinBatches = 0x0506,              // SkinBatchRecord
    PageData = 0x0601,                 // id = page_section_id(mesh, page); bytes of one page
};

// The name that tools print ("mesh_positions"), or nothing for a type that this version does not know.
[[nodiscard]] std::optional<std::string_view> section_type_name(SectionType type);
// The inverse of section_type_name.
[[nodiscard]] std::optional<SectionType> section_type_from_name(std::string_view name);

[[nodiscard]] constexpr std::uint64_t uv_section_id(std::uint32_t mesh, std::uint32_t set) {
    return (std::uint64_t{mesh} << 8U) | set;
}
inline constexpr std::uint32_t kMaxUvSets = 256;

[[nodiscard]] constexpr std::uint64_t page_section_id(std::uint32_t mesh, std::uint32_t page) {
    return (std::uint64_t{mesh} << 32U) | page;
}

// How a section's bytes are stored. 2 to 4 are reserved.
enum class Codec : std::uint16_t {
    Raw = 0,
    Zstd = 1,         // one zstd frame with its content size, then at most one skippable frame of zeros
    Meshopt = 2,      // reserved
    MeshoptZstd = 3,  // reserved
    GDeflate = 4,     // reserved
    Page = 5,         // page_data only: page_codec.hpp
};
[[nodiscard]] std::optional<std::string_view> codec_name(Codec codec);

// Bits of TocEntry::flags. A reader skips an unknown type without kSectionRequired and refuses one with it.
inline constexpr std::uint16_t kSectionRequired = 1U << 0U;
inline constexpr std::uint16_t kKnownSectionFlags = kSectionRequired;

// The first 128 bytes. This layout is the same in every version of the format.
struct PackageHeader {
    std::array<std::uint8_t, 8> magic = kMagic;
    FormatVersion format = kFormatVersion;
    FormatVersion minimum_reader = kMinimumReader;
    std::uint32_t header_size = 128;
    std::uint32_t toc_entry_size = 128;  // entries may grow at their end in later versions
    std::uint32_t toc_count = 0;
    std::uint32_t reserved0 = 0;
    std::uint64_t file_size = 0;
    std::uint64_t toc_offset = 128;
    Hash128 toc_hash{};     // of toc_count * toc_entry_size bytes at toc_offset
    Digest content_root{};  // content_root.hpp
    std::array<std::uint8_t, 16> reserved1{};
    Hash128 header_hash{};  // of the 112 bytes before it
};
static_assert(sizeof(PackageHeader) == 128 && std::is_trivially_copyable_v<PackageHeader>);
static_assert(offsetof(PackageHeader, format) == 8 && offsetof(PackageHeader, minimum_reader) == 12);
static_assert(offsetof(PackageHeader, header_size) == 16 && offsetof(PackageHeader, toc_entry_size) == 20);
static_assert(offsetof(PackageHeader, toc_count) == 24 && offsetof(PackageHeader, reserved0) == 28);
static_assert(offsetof(PackageHeader, file_size) == 32 && offsetof(PackageHeader, toc_offset) == 40);
static_assert(offsetof(PackageHeader, toc_hash) == 48 && offsetof(PackageHeader, content_root) == 64);
static_assert(offsetof(PackageHeader, reserved1) == 96 && offsetof(PackageHeader, header_hash) == 112);

// One section. Entries are sorted by (type, id), which is also the order of the sections in the file.
struct TocEntry {
    SectionType type{};
    Codec codec = Codec::Raw;
    std::uint16_t flags = 0;
    std::uint64_t id = 0;
    std::uint64_t offset = 0;  // from the start of the file; the first multiple of `alignment` that fits
    std::uint64_t stored_size = 0;
    std::uint64_t raw_size = 0;  // = record_stride * record_count
    std::uint32_t alignment = kSectionAlignment;
    std::uint32_t record_stride = 1;
    std::uint64_t record_count = 0;
    std::uint64_t reserved0 = 0;
    Hash128 stored_hash{};  // XXH3-128 of the stored bytes
    Digest raw_digest{};    // SHA-256 of the raw bytes
    std::array<std::uint8_t, 16> reserved1{};
};
static_assert(sizeof(TocEntry) == 128 && std::is_trivially_copyable_v<TocEntry>);
static_assert(offsetof(TocEntry, codec) == 4 && offsetof(TocEntry, flags) == 6 &&
              offsetof(TocEntry, id) == 8);
static_assert(offsetof(TocEntry, offset) == 16 && offsetof(TocEntry, stored_size) == 24);
static_assert(offsetof(TocEntry, raw_size) == 32 && offsetof(TocEntry, alignment) == 40);
static_assert(offsetof(TocEntry, record_stride) == 44 && offsetof(TocEntry, record_count) == 48);
static_assert(offsetof(TocEntry, reserved0) == 56 && offsetof(TocEntry, stored_hash) == 64);
static_assert(offsetof(TocEntry, raw_digest) == 80 && offsetof(TocEntry, reserved1) == 112);

// Position on the mesh's grid: decoded = center + step * (x, y, z). codecs.hpp
struct GridPosition16 {
    std::int16_t x = 0, y = 0, z = 0;
    std::int16_t reserved = 0;
};
static_assert(sizeof(GridPosition16) == 8 && std::is_trivially_copyable_v<GridPosition16>);

struct GridPosition32 {
    std::int32_t x = 0, y = 0, z = 0;
};
static_assert(sizeof(GridPosition32) == 12 && std::is_trivially_copyable_v<GridPosition32>);

// Unit vector, octahedral, two 16-bit signed-normalised codes in [-32767, 32767]. codecs.hpp
struct OctNormal {
    std::int16_t u = 0, v = 0;
    bool operator==(const OctNormal&) const = default;
};
static_assert(sizeof(OctNormal) == 4 && std::is_trivially_copyable_v<OctNormal>);

// Unit tangent; w = +1 or -1, bitangent = w * cross(normal, tangent).
struct TangentRecord {
    float x = 0, y = 0, z = 0, w = 0;
};
static_assert(sizeof(TangentRecord) == 16 && std::is_trivially_copyable_v<TangentRecord>);

struct UvCode {  // on the set's rectangle (UvGrid)
    std::uint16_t u = 0, v = 0;
};
static_assert(sizeof(UvCode) == 4 && std::is_trivially_copyable_v<UvCode>);

struct UvRecord {  // (0, 0) is the top left
    float u = 0, v = 0;
};
static_assert(sizeof(UvRecord) == 8 && std::is_trivially_copyable_v<UvRecord>);

struct ColorRecord {  // linear, as the source gives it
    float r = 0, g = 0, b = 0, a = 0;
};
static_assert(sizeof(ColorRecord) == 16 && std::is_trivially_copyable_v<ColorRecord>);

// Bytes of one vertex in mesh_influences: `stride` u16 joints, then `stride` weights of weight_bits / 8
// bytes each. Slots are sorted by falling weight; unused ones are joint 0 with weight 0; the weights sum
// to 2^weight_bits - 1.
[[nodiscard]] constexpr std::uint32_t influence_record_size(std::uint32_t stride, std::uint32_t weight_bits) {
    return stride * 2 + stride * (weight_bits / 8);
}

// Vertices of one page, one error band and one number of influences: one thread a vertex, no padding.
struct SkinBatchRecord {
    std::uint32_t first_vertex = 0;  // batches follow each other without gaps
    std::uint16_t vertex_count = 1;  // at most 128
    std::uint16_t influences = 0;    // the class: 0, 1, 4 or 8
};
static_assert(sizeof(SkinBatchRecord) == 8 && std::is_trivially_copyable_v<SkinBatchRecord>);

// One moved vertex of one blend-shape frame, deltas against the base mesh. Within a frame the vertices
// ascend; a vertex that is not listed does not move.
struct BlendShapeDelta {
    std::uint32_t vertex = 0;
    std::array<float, 3> position{};
    std::array<float, 3> normal{};   // zero where the frame has no normal deltas
    std::array<float, 3> tangent{};  // zero where the frame has no tangent deltas
};
static_assert(sizeof(BlendShapeDelta) == 40 && std::is_trivially_copyable_v<BlendShapeDelta>);
static_assert(offsetof(BlendShapeDelta, position) == 4 && offsetof(BlendShapeDelta, normal) == 16);
static_assert(offsetof(BlendShapeDelta, tangent) == 28);

// bone_from_mesh, three rows of four, row-major; the fourth row is (0, 0, 0, 1).
struct InverseBindRecord {
    std::array<float, 12> m{};
};
static_assert(sizeof(InverseBindRecord) == 48 && std::is_trivially_copyable_v<InverseBindRecord>);

}  // namespace sinter
