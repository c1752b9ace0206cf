// Where the arrays of a page lie. Internal to formats.
#pragma once

#include <sinter/formats/page.hpp>

namespace sinter {

// Sizes in 64 bits: no counts overflow.
struct PageLayout {
    std::uint64_t normals = 0, clusters = 0, tables = 0, references = 0, triangles = 0, end = 0;
};

[[nodiscard]] constexpr std::uint64_t vertex_size(std::uint32_t position_bits) {
    return position_bits == 32 ? sizeof(ResidentVertex32) : sizeof(ResidentVertex16);
}

// Bytes that a cluster's triangles take.
[[nodiscard]] constexpr std::uint32_t padded_triangle_bytes(std::uint32_t triangle_count) {
    return (3 * triangle_count + 3) & ~3U;
}

[[nodiscard]] constexpr PageLayout page_layout(const PageCounts& counts, std::uint32_t position_bits,
                                               std::uint32_t normal_bits) {
    const auto align = [](std::uint64_t offset) {
        return (offset + kPageArrayAlignment - 1) & ~std::uint64_t{kPageArrayAlignment - 1};
    };
    PageLayout out;
    out.normals = align(sizeof(PageHeader) + counts.vertices * vertex_size(position_bits));
    out.clusters = align(out.normals + (normal_bits == 0 ? 0 : counts.vertices * sizeof(OctNormal)));
    out.tables = align(out.clusters + counts.clusters * sizeof(ClusterRecord));
    out.references = align(out.tables + counts.table_entries * sizeof(std::uint32_t));
    out.triangles = align(out.references + counts.references * sizeof(std::uint16_t));
    out.end = align(out.triangles + counts.triangle_bytes);
    return out;
}

}  // namespace sinter
