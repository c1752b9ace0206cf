#include <sinter/formats/page.hpp>

#include "bytes.hpp"
#include "page_layout.hpp"
#include "page_sweeps.hpp"
#include "text.hpp"

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

constexpr std::uint64_t kMaxTableEntries = 65536;  // a cluster's first entry has 16 bits

Error page_error(std::string message) {
    return {.kind = ErrorKind::Validation,
            .where = {},
            .message = std::move(message),
            .remedy = "cook the package again"};
}

bool all_zero(Bytes bytes) {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

Result<Unit> check_header(const PageHeader& h, std::uint64_t size) {
    if ((h.position_bits != 16 && h.position_bits != 32) ||
        (h.normal_bits != 0 && h.normal_bits != 20 && h.normal_bits != 32)) {
        return page_error(
            cat("page with ", h.position_bits, "-bit positions and ", h.normal_bits, "-bit normals"));
    }
    if ((h.flags & ~kPageHasTangents) != 0) return page_error(cat("page with unknown flags ", h.flags));
    if (h.reserved != std::array<std::uint32_t, 2>{})
        return page_error("reserved bytes of a page are not zero");
    if (h.vertex_count > kMaxPageVertices)
        return page_error(cat("page of ", h.vertex_count, " vertices; at most ", kMaxPageVertices));
    if (h.cluster_count == 0) return page_error("page without clusters");
    if (h.byte_count != size) return page_error(cat("page of ", h.byte_count, " bytes in ", size));
    return Unit{};
}

// The triangles' bytes cannot be told from the header: padding depends on the clusters. They reach to the end.
Result<PageLayout> check_layout(const PageHeader& h) {
    const PageCounts counts{.vertices = h.vertex_count,
                            .clusters = h.cluster_count,
                            .table_entries = h.table_entry_count,
                            .references = h.reference_count,
                            .triangle_bytes = 0};
    const PageLayout layout = page_layout(counts, h.position_bits, h.normal_bits);
    if (layout.end > h.byte_count)
        return page_error(cat("a page of ", h.byte_count, " bytes cannot hold its ", layout.end));
    if (h.normals_offset != layout.normals || h.clusters_offset != layout.clusters ||
        h.tables_offset != layout.tables || h.references_offset != layout.references ||
        h.triangles_offset != layout.triangles) {
        return page_error("arrays of a page are not where its counts put them");
    }
    if (h.table_entry_count > kMaxTableEntries)
        return page_error(
            cat("page with ", h.table_entry_count, " table entries; at most ", kMaxTableEntries));
    return layout;
}

Result<Unit> check_padding(Bytes bytes, const PageHeader& h) {
    const auto gap = [&](std::uint64_t from, std::uint64_t to) {
        return all_zero(bytes.subspan(from, to - from));
    };
    const std::uint64_t vertices = h.vertex_count;
    const bool clean =
        gap(sizeof(PageHeader) + vertices * vertex_size(h.position_bits), h.normals_offset) &&
        gap(h.normals_offset + (h.normal_bits == 0 ? 0 : vertices * sizeof(OctNormal)), h.clusters_offset) &&
        gap(h.tables_offset + std::uint64_t{h.table_entry_count} * 4, h.references_offset) &&
        gap(h.references_offset + std::uint64_t{h.reference_count} * 2, h.triangles_offset);
    if (!clean) return page_error("bytes between the arrays of a page are not zero");
    return Unit{};
}

Result<Unit> check_vertices(Bytes bytes, const PageHeader& h) {
    const std::size_t count = h.vertex_count;
    const Bytes vertices = bytes.subspan(sizeof(PageHeader), count * vertex_size(h.position_bits));
    if (!are_good_vertices(vertices, h.position_bits, (h.flags & kPageHasTangents) != 0))
        return page_error("a vertex has a code that the format does not use");
    if (h.normal_bits != 0 &&
        !are_good_normals(bytes.subspan(h.normals_offset, count * sizeof(OctNormal)), h.normal_bits))
        return page_error("a normal has a code that the format does not use");
    return Unit{};
}

Result<Unit> check_record(const PageHeader& h, const ClusterRecord& c, std::uint32_t index) {
    const auto bad = [&](std::string_view what) {
        return page_error(cat("cluster ", index, " of a page: ", what));
    };
    if (c.vertex_count == 0 || c.vertex_count > kMaxClusterVertices || c.triangle_count == 0 ||
        c.triangle_count > kMaxClusterTriangles) {
        return bad(cat(c.vertex_count, " vertices and ", c.triangle_count, " triangles; 1 to 128"));
    }
    if (c.table_size == 0 || c.table_size > kMaxPageTable ||
        std::uint64_t{c.first_table_entry} + c.table_size > h.table_entry_count) {
        return bad(cat("table of ", c.table_size, " pages from ", c.first_table_entry, " on"));
    }
    if (c.child_group < -1 || c.material < -1) return bad("child group or material below -1");
    if (c.reserved != 0 || (c.flags & ~kClusterOneBone) != 0) return bad("unknown flags or reserved bytes");
    float sum = c.cull_radius;  // not finite if one of them is not
    for (const float x : c.cull_center) sum += std::abs(x);
    if (!std::isfinite(sum) || c.cull_radius < 0) return bad("sphere that is none");
    return Unit{};
}

// Of one cluster, whose ranges were checked. How many vertices other pages have is not known here.
bool has_good_references(const PageHeader& h, const ClusterRecord& c, Bytes table, Bytes references) {
    const Bytes used = references.first(std::size_t{2} * c.vertex_count);
    if (!are_entries_below(used, c.table_size)) return false;
    for (std::uint32_t i = 0; i < c.table_size; ++i) {
        const auto page = record_at<std::uint32_t>(table, i);
        if (page > h.page) return false;
        if (page == h.page && !are_vertices_below(used, i, h.vertex_count)) return false;
    }
    return true;
}

Result<Unit> check_clusters(Bytes bytes, const PageHeader& h) {
    std::uint64_t reference = 0;
    std::uint64_t triangle_byte = 0;
    std::uint64_t triangles = 0;
    std::uint32_t table_end = 0;
    const std::uint64_t triangle_bytes = h.byte_count - h.triangles_offset;
    for (std::uint32_t i = 0; i < h.cluster_count; ++i) {
        const auto c = record_at<ClusterRecord>(bytes.subspan(h.clusters_offset), i);
        SINTER_TRY(check_record(h, c, i));
        const std::uint32_t size = padded_triangle_bytes(c.triangle_count);
        if (c.first_reference != reference || reference + c.vertex_count > h.reference_count ||
            c.first_triangle_byte != triangle_byte || triangle_byte + size > triangle_bytes) {
            return page_error(cat("cluster ", i, " of a page does not follow the one before it"));
        }
        if (!has_good_references(h, c, bytes.subspan(h.tables_offset + std::size_t{c.first_table_entry} * 4),
                                 bytes.subspan(h.references_offset + reference * 2))) {
            return page_error(cat("cluster ", i, " of a page refers to a vertex or page that it cannot"));
        }
        const Bytes corners = bytes.subspan(h.triangles_offset + triangle_byte, size);
        const std::size_t used = std::size_t{3} * c.triangle_count;
        if (!are_good_triangles(corners.first(used), c.vertex_count) || !all_zero(corners.subspan(used)))
            return page_error(cat("cluster ", i, " of a page has a triangle that is none of its vertices"));
        reference += c.vertex_count;
        triangle_byte += size;
        triangles += c.triangle_count;
        table_end = std::max(table_end, std::uint32_t{c.first_table_entry} + c.table_size);
    }
    const std::uint64_t end = align_up(h.triangles_offset + triangle_byte, kPageArrayAlignment);
    if (reference != h.reference_count || triangles != h.triangle_count || table_end != h.table_entry_count ||
        end != h.byte_count)
        return page_error("the clusters of a page do not add up to its counts");
    if (!all_zero(bytes.subspan(h.triangles_offset + triangle_byte)))
        return page_error("bytes after the triangles of a page are not zero");
    return Unit{};
}

// Tables of all clusters without repetition, and where each cluster's begins.
struct SharedTables {
    std::vector<std::uint32_t> entries;
    std::vector<std::uint64_t> first;  // of each cluster
};

SharedTables share_tables(std::span<const PageCluster> clusters) {
    SharedTables out;
    std::vector<std::size_t> kept;  // clusters whose table was appended
    for (std::size_t i = 0; i < clusters.size(); ++i) {
        const auto same = std::ranges::find_if(
            kept, [&](std::size_t k) { return std::ranges::equal(clusters[k].table, clusters[i].table); });
        if (same != kept.end()) {
            out.first.push_back(out.first[*same]);
            continue;
        }
        kept.push_back(i);
        out.first.push_back(out.entries.size());
        out.entries.insert(out.entries.end(), clusters[i].table.begin(), clusters[i].table.end());
    }
    return out;
}

Error content_error(std::string message) {
    return {.kind = ErrorKind::Internal, .where = {}, .message = std::move(message)};
}

template <typename Record>
void put(std::vector<std::byte>& out, std::uint64_t at, std::span<const Record> records) {
    if (!records.empty()) std::memcpy(out.data() + at, records.data(), records.size_bytes());
}

Result<PageCounts> count(const PageContent& content, const SharedTables& tables) {
    PageCounts counts{.vertices = std::max(content.vertices16.size(), content.vertices32.size()),
                      .clusters = content.clusters.size(),
                      .table_entries = tables.entries.size()};
    if (!content.vertices16.empty() && !content.vertices32.empty())
        return content_error("a page has vertices of two kinds");
    if (content.normals.size() != (content.normal_bits == 0 ? 0 : counts.vertices))
        return content_error("a page has not one normal a vertex");
    for (const PageCluster& c : content.clusters) {
        const std::size_t triangles = c.triangles.size() / 3;
        if (c.references.size() > kMaxClusterVertices || triangles > kMaxClusterTriangles ||
            c.triangles.size() % 3 != 0 || c.table.size() > kMaxPageTable) {
            return content_error(cat("a cluster of ", c.references.size(), " vertices, ", c.triangles.size(),
                                     " local indices and ", c.table.size(), " pages"));
        }
        counts.references += c.references.size();
        counts.triangle_bytes += padded_triangle_bytes(static_cast<std::uint32_t>(triangles));
    }
    return counts;
}

}  // namespace

ConeRecord encode_cone(std::array<float, 3> axis, float cutoff) {
    ConeRecord out;
    double squared = 0;  // distance from the axis to its code
    for (std::size_t i = 0; i < 3; ++i) {
        const double a = static_cast<double>(axis[i]);
        const double code = std::clamp(std::floor(a * 127 + 0.5), -127.0, 127.0);
        out.axis[i] = static_cast<std::int8_t>(code);
        squared += (a - code / 127) * (a - code / 127);
    }
    // dot(d, axis) >= dot(d, code) - |axis - code| for unit d; a hundredth of a step for the arithmetic of the test.
    const double needed = std::ceil(127 * (static_cast<double>(cutoff) + std::sqrt(squared)) + 0.01);
    if (needed >= 127) return ConeRecord{};
    out.cutoff = static_cast<std::int8_t>(std::max(needed, -127.0));
    return out;
}

std::uint64_t page_byte_count(const PageCounts& counts, std::uint32_t position_bits,
                              std::uint32_t normal_bits) {
    return page_layout(counts, position_bits, normal_bits).end;
}

Result<std::vector<std::byte>> pack_page(const PageContent& content) {
    const SharedTables tables = share_tables(content.clusters);
    SINTER_TRY_ASSIGN(const PageCounts counts, count(content, tables));
    PageHeader h;
    h.position_bits = content.vertices32.empty() ? 16 : 32;
    h.normal_bits = content.normal_bits;
    const PageLayout layout = page_layout(counts, h.position_bits, h.normal_bits);
    if (layout.end > kPageByteLimit || tables.entries.size() > kMaxTableEntries)
        return content_error(cat("a page of ", layout.end, " bytes; at most ", kPageByteLimit));
    std::vector<std::byte> out(layout.end);
    h.page = content.page;
    h.flags = content.has_tangents ? kPageHasTangents : 0;
    h.byte_count = static_cast<std::uint32_t>(layout.end);
    h.vertex_count = static_cast<std::uint32_t>(counts.vertices);
    h.cluster_count = static_cast<std::uint32_t>(counts.clusters);
    h.table_entry_count = static_cast<std::uint32_t>(counts.table_entries);
    h.reference_count = static_cast<std::uint32_t>(counts.references);
    h.normals_offset = static_cast<std::uint32_t>(layout.normals);
    h.clusters_offset = static_cast<std::uint32_t>(layout.clusters);
    h.tables_offset = static_cast<std::uint32_t>(layout.tables);
    h.references_offset = static_cast<std::uint32_t>(layout.references);
    h.triangles_offset = static_cast<std::uint32_t>(layout.triangles);
    put(out, sizeof(PageHeader), content.vertices16);
    put(out, sizeof(PageHeader), content.vertices32);
    put(out, layout.normals, content.normals);
    put(out, layout.tables, std::span<const std::uint32_t>(tables.entries));
    std::uint32_t reference = 0;
    std::uint32_t triangle_byte = 0;
    for (std::size_t i = 0; i < content.clusters.size(); ++i) {
        const PageCluster& c = content.clusters[i];
        const ClusterRecord record{.cull_center = c.cull_center,
                                   .cull_radius = c.cull_radius,
                                   .cone = c.cone,
                                   .group = c.group,
                                   .child_group = c.child_group,
                                   .material = c.material,
                                   .first_reference = reference,
                                   .first_triangle_byte = triangle_byte,
                                   .first_table_entry = static_cast<std::uint16_t>(tables.first[i]),
                                   .table_size = static_cast<std::uint8_t>(c.table.size()),
                                   .vertex_count = static_cast<std::uint8_t>(c.references.size()),
                                   .triangle_count = static_cast<std::uint8_t>(c.triangles.size() / 3),
                                   .flags = c.flags,
                                   .reserved = 0};
        std::memcpy(out.data() + layout.clusters + i * sizeof(record), &record, sizeof(record));
        put(out, layout.references + std::uint64_t{reference} * 2, c.references);
        put(out, layout.triangles + triangle_byte, c.triangles);
        reference += record.vertex_count;
        triangle_byte += padded_triangle_bytes(record.triangle_count);
        h.triangle_count += record.triangle_count;
    }
    std::memcpy(out.data(), &h, sizeof(h));
    if (auto view = view_page(out); !view) return content_error(view.error().message);
    return out;
}

Result<PageView> view_page(std::span<const std::byte> bytes) {
    if (bytes.size() < sizeof(PageHeader) || bytes.size() > kPageByteLimit)
        return page_error(
            cat("page of ", bytes.size(), " bytes; ", sizeof(PageHeader), " to ", kPageByteLimit));
    const auto header = record_at<PageHeader>(bytes, 0);
    SINTER_TRY(check_header(header, bytes.size()));
    SINTER_TRY(check_layout(header));
    SINTER_TRY(check_padding(bytes, header));
    SINTER_TRY(check_vertices(bytes, header));
    SINTER_TRY(check_clusters(bytes, header));
    return PageView(bytes, header);
}

}  // namespace sinter
