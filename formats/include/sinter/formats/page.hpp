// A page of a mesh: the unit of streaming, hashing and comparing. It holds whole cluster groups and the vertices that these
// own, in the form in which a GPU reads them: the bytes of a raw page are uploaded, or mapped, as they are.
//
// A page refers to vertices of its own and of pages before it, never of pages after it. Layout (docs/pages.md): header,
// vertices, normals, clusters, page tables, references, triangles, each from a multiple of 16 bytes on, zeros between;
// so a page as a whole is 16-byte aligned wherever it begins at a multiple of 16.
#pragma once

#include <sinter/formats/cluster_records.hpp>
#include <sinter/formats/records.hpp>
#include <sinter/formats/result.hpp>
#include <sinter/formats/vertex_codec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sinter {

inline constexpr std::uint32_t kMaxPageVertices = 4096;
inline constexpr std::uint32_t kMaxPageBytes = 128 * 1024;    // unless a page holds one group alone
inline constexpr std::uint32_t kPageByteLimit = 1024 * 1024;  // even then; readers refuse more
inline constexpr std::uint32_t kMaxClusterVertices = 128;
inline constexpr std::uint32_t kMaxClusterTriangles = 128;
inline constexpr std::uint32_t kMaxPageTable = 16;  // entries of one cluster
inline constexpr std::uint32_t kPageArrayAlignment = 16;

inline constexpr std::uint32_t kPageHasTangents = 1U << 0U;  // bit of PageHeader::flags

struct PageHeader {
    std::uint32_t page = 0;  // index in the mesh
    std::uint32_t flags = 0;
    std::uint32_t byte_count = 0;  // of the page, a multiple of 16
    std::uint32_t vertex_count = 0;
    std::uint32_t cluster_count = 0;
    std::uint32_t table_entry_count = 0;
    std::uint32_t reference_count = 0;
    std::uint32_t triangle_count = 0;
    std::uint16_t position_bits = 16;  // 16: ResidentVertex16, 32: ResidentVertex32
    std::uint16_t normal_bits = 32;    // 0: none; 20: OctNormals that are images of 20-bit codes; 32: any
    // From the start of the page. The vertices begin right after the header, at 64.
    std::uint32_t normals_offset = 0;  // OctNormal, one a vertex
    std::uint32_t clusters_offset = 0;
    std::uint32_t tables_offset = 0;  // u32 page index
    std::uint32_t references_offset =
        0;  // u16, first 12 bits the vertex in its page, then 4 bits entry of the table
    std::uint32_t triangles_offset = 0;  // u8 x 3 a triangle; each cluster's begin at a multiple of 4
    std::array<std::uint32_t, 2> reserved{};
};
static_assert(sizeof(PageHeader) == 64 && std::is_trivially_copyable_v<PageHeader>);
static_assert(offsetof(PageHeader, position_bits) == 32 && offsetof(PageHeader, normals_offset) == 36);

inline constexpr std::uint8_t kClusterOneBone =
    1U << 0U;  // its vertices follow one bone: its cone holds in motion

struct ClusterRecord {
    std::array<float, 3> cull_center{};
    float cull_radius = 0;
    ConeRecord cone{};
    std::uint32_t group = 0;        // the group in which it may be replaced
    std::int32_t child_group = -1;  // the group that it replaces; -1: full detail
    std::int32_t material = -1;
    std::uint32_t first_reference = 0;  // clusters' references follow each other
    std::uint32_t first_triangle_byte =
        0;  // in the triangles; the first multiple of 4 after the cluster before
    std::uint16_t first_table_entry = 0;  // clusters may share a table, or overlap in it
    std::uint8_t table_size = 1;          // 1 to 16
    std::uint8_t vertex_count = 1;        // 1 to 128
    std::uint8_t triangle_count = 1;      // 1 to 128
    std::uint8_t flags = 0;
    std::uint16_t reserved = 0;
};
static_assert(sizeof(ClusterRecord) == 48 && std::is_trivially_copyable_v<ClusterRecord>);
static_assert(offsetof(ClusterRecord, cone) == 16 && offsetof(ClusterRecord, first_reference) == 32);
static_assert(offsetof(ClusterRecord, first_table_entry) == 40 && offsetof(ClusterRecord, flags) == 45);

[[nodiscard]] constexpr std::uint16_t make_reference(std::uint32_t table_entry, std::uint32_t vertex) {
    return static_cast<std::uint16_t>((table_entry << 12U) | vertex);
}
[[nodiscard]] constexpr std::uint32_t reference_entry(std::uint16_t reference) { return reference >> 12U; }
[[nodiscard]] constexpr std::uint32_t reference_vertex(std::uint16_t reference) { return reference & 0xFFFU; }

// --- making ---

struct PageCluster {
    std::array<float, 3> cull_center{};
    float cull_radius = 0;
    ConeRecord cone{};
    std::uint32_t group = 0;
    std::int32_t child_group = -1;
    std::int32_t material = -1;
    std::uint8_t flags = 0;
    std::span<const std::uint32_t>
        table;  // pages; equal tables are stored once, so give neighbours the same one
    std::span<const std::uint16_t> references;  // one a vertex of the cluster
    std::span<const std::uint8_t> triangles;    // three positions in `references` a triangle
};

struct PageContent {
    std::uint32_t page = 0;
    bool has_tangents = false;
    std::uint16_t normal_bits = 32;                // 20 only if every normal is an image of a 20-bit code
    std::span<const ResidentVertex16> vertices16;  // one of the two is empty
    std::span<const ResidentVertex32> vertices32;
    std::span<const OctNormal> normals;  // one a vertex; empty if normal_bits is 0
    std::span<const PageCluster> clusters;
};

// The bytes of a raw page. Errors (Internal): content that view_page would refuse.
[[nodiscard]] Result<std::vector<std::byte>> pack_page(const PageContent& content);

// The size of the page that pack_page makes, with the tables counted as given: an upper bound before sharing.
struct PageCounts {
    std::uint64_t vertices = 0;
    std::uint64_t clusters = 0;
    std::uint64_t table_entries = 0;
    std::uint64_t references = 0;
    std::uint64_t triangle_bytes = 0;  // 3 a triangle, each cluster's rounded up to a multiple of 4
};
[[nodiscard]] std::uint64_t page_byte_count(const PageCounts& counts, std::uint32_t position_bits,
                                            std::uint32_t normal_bits);

// --- reading ---

// Access to a page whose structure was checked. Refers to the bytes, which need no alignment. Arguments are in range (assert).
class PageView {
public:
    [[nodiscard]] const PageHeader& header() const { return header_; }
    [[nodiscard]] ResidentVertex16 vertex16(std::uint32_t i) const {
        return at<ResidentVertex16>(sizeof(PageHeader), i, header_.vertex_count);
    }
    [[nodiscard]] ResidentVertex32 vertex32(std::uint32_t i) const {
        return at<ResidentVertex32>(sizeof(PageHeader), i, header_.vertex_count);
    }
    // Either kind's.
    [[nodiscard]] std::array<std::int32_t, 3> grid_position(std::uint32_t i) const {
        if (header_.position_bits == 32) {
            const ResidentVertex32 v = vertex32(i);
            return {v.x, v.y, v.z};
        }
        const ResidentVertex16 v = vertex16(i);
        return {v.x, v.y, v.z};
    }
    [[nodiscard]] TangentCode tangent(std::uint32_t i) const {
        return header_.position_bits == 32 ? vertex32(i).tangent : vertex16(i).tangent;
    }
    [[nodiscard]] OctNormal normal(std::uint32_t i) const {
        return at<OctNormal>(header_.normals_offset, i, header_.vertex_count);
    }
    [[nodiscard]] ClusterRecord cluster(std::uint32_t i) const {
        return at<ClusterRecord>(header_.clusters_offset, i, header_.cluster_count);
    }
    // Entry `i` of the cluster's page table: the index of a page of the mesh.
    [[nodiscard]] std::uint32_t table_page(const ClusterRecord& cluster, std::uint32_t i) const {
        return at<std::uint32_t>(header_.tables_offset, cluster.first_table_entry + i,
                                 header_.table_entry_count);
    }
    [[nodiscard]] std::uint16_t reference(const ClusterRecord& cluster, std::uint32_t i) const {
        return at<std::uint16_t>(header_.references_offset, cluster.first_reference + i,
                                 header_.reference_count);
    }
    // Three positions among the cluster's references.
    [[nodiscard]] std::array<std::uint8_t, 3> triangle(const ClusterRecord& cluster, std::uint32_t i) const {
        assert(i < cluster.triangle_count);
        std::array<std::uint8_t, 3> out{};
        std::memcpy(
            out.data(),
            bytes_.data() + header_.triangles_offset + cluster.first_triangle_byte + std::size_t{3} * i, 3);
        return out;
    }

private:
    friend Result<PageView> view_page(std::span<const std::byte> bytes);
    PageView(std::span<const std::byte> bytes, const PageHeader& header) : bytes_(bytes), header_(header) {}
    template <typename Record>
    [[nodiscard]] Record at(std::uint32_t offset, std::uint32_t i,
                            [[maybe_unused]] std::uint32_t count) const {
        assert(i < count);
        Record record{};
        std::memcpy(&record, bytes_.data() + offset + std::size_t{i} * sizeof(Record), sizeof(Record));
        return record;
    }
    std::span<const std::byte> bytes_;
    PageHeader header_;
};

// Checks everything that a page says about itself: sizes and offsets (the only ones that its counts allow), padding and
// reserved bytes, codes of positions and normals, cluster limits, tables (no page after this one), references (an entry of
// the table; for its own page a vertex that is there), triangles (three different vertices of the cluster), finite spheres.
// What only the mesh knows (vertices of other pages, groups, materials) is the caller's to check. Errors: Validation.
[[nodiscard]] Result<PageView> view_page(std::span<const std::byte> bytes);

}  // namespace sinter
