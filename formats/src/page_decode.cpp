#include <sinter/formats/page_codec.hpp>

#include "page_decoding.hpp"
#include "text.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>

namespace sinter {
namespace {

Error encoded_page_error(std::string message) {
    return {.kind = ErrorKind::Validation,
            .where = {},
            .message = std::move(message),
            .remedy = "cook the package again"};
}

}  // namespace

struct PageDecoder::Memory {
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> zstd{ZSTD_createDCtx(), &ZSTD_freeDCtx};
    std::vector<std::uint8_t> streams;
    std::vector<ClusterRecord> records;
    std::vector<std::uint32_t> tables;
    std::vector<std::uint32_t> values;  // of one field of all clusters
};

namespace {

Result<Unit> check_counts(const EncodedPageHeader& h) {
    const bool good =
        h.magic == kEncodedPageMagic && h.vertex_count <= kMaxPageVertices && h.cluster_count != 0 &&
        h.cluster_count <= kPageByteLimit / sizeof(ClusterRecord) &&
        h.table_entry_count <= kPageByteLimit / 4 && h.reference_count <= kPageByteLimit / 2 &&
        h.triangle_count <= kPageByteLimit / 3 && (h.position_bits == 16 || h.position_bits == 32) &&
        (h.normal_bits == 0 || h.normal_bits == 20 || h.normal_bits == 32) &&
        h.triangle_extras <= 3 * h.triangle_count && h.reference_extras <= 2 * h.reference_count &&
        h.position_extras <= (h.position_bits == 16 ? 2 * h.vertex_count : 0) &&
        (h.flags & ~kPageHasTangents) == 0 && (h.modes & ~kPlanePrediction) == 0 &&
        ((h.modes & kPlanePrediction) == 0 || h.normal_bits != 0);
    if (!good) return encoded_page_error("the header of an encoded page is none");
    return Unit{};
}

// Streams lie in one buffer one after the other, with slack behind them.
Result<Unit> inflate(Decoding& d, PageDecoder::Memory& memory, Bytes frame) {
    std::uint64_t total = 0;
    for (const std::uint64_t size : d.sizes) total += size;
    if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != total)
        return encoded_page_error(
            cat("an encoded page whose zstd frame does not announce ", total, " bytes"));
    const std::uint64_t needed = total + stream_slack(d.header);
    if (memory.streams.size() < needed) memory.streams.resize(needed);
    const std::size_t written =
        ZSTD_decompressDCtx(memory.zstd.get(), memory.streams.data(), total, frame.data(), frame.size());
    if (ZSTD_isError(written) != 0U)
        return encoded_page_error(cat("zstd: ", std::string_view(ZSTD_getErrorName(written))));
    if (written != total) return encoded_page_error(cat("zstd gives ", written, " bytes instead of ", total));
    const std::uint8_t* at = memory.streams.data();
    for (std::size_t i = 0; i < kStreamCount; ++i) {
        d.streams[i] = at;
        at += d.sizes[i];
    }
    return Unit{};
}

// Byte planes of a field, one value a record: plane 0 first.
struct PlaneReader {
    const std::uint8_t* at = nullptr;
    std::uint32_t count = 0;
    void read(std::span<std::uint32_t> values, std::uint32_t planes, std::uint32_t first_plane = 0) {
        for (std::uint32_t plane = 0; plane < planes; ++plane) {
            for (std::uint32_t i = 0; i < count; ++i)
                values[i] |= std::uint32_t{at[i]} << (8 * (first_plane + plane));
            at += count;
        }
    }
};

void undo_deltas(std::span<std::uint32_t> values) {
    std::uint32_t last = 0;
    for (std::uint32_t& value : values) {
        last += static_cast<std::uint32_t>(unzigzag(value));
        value = last;
    }
}

// The fields of all clusters but those that follow from the order.
void decode_records(const Decoding& d, PageDecoder::Memory& memory) {
    const std::uint32_t count = d.header.cluster_count;
    memory.records.assign(count, ClusterRecord{});
    memory.values.resize(count);
    const std::span<ClusterRecord> out = memory.records;
    const std::span<std::uint32_t> values = memory.values;
    PlaneReader low{d.stream(Stream::ClusterLow), count};
    PlaneReader high{d.stream(Stream::ClusterHigh), count};
    const auto next = [&](PlaneReader& reader, std::uint32_t planes) {
        std::ranges::fill(values, 0U);
        reader.read(values, planes);
    };
    for (std::size_t k = 0; k < 4; ++k) {
        next(low, 2);
        high.read(values, 2, 2);
        undo_deltas(values);
        for (std::uint32_t i = 0; i < count; ++i)
            (k < 3 ? out[i].cull_center[k] : out[i].cull_radius) = std::bit_cast<float>(values[i]);
    }
    for (std::size_t k = 0; k < 4; ++k) {
        next(low, 1);
        for (std::uint32_t i = 0; i < count; ++i)
            (k < 3 ? out[i].cone.axis[k] : out[i].cone.cutoff) = static_cast<std::int8_t>(values[i]);
    }
    const auto field = [&](std::uint32_t planes, bool deltas, auto set) {
        next(high, planes);
        if (deltas) undo_deltas(values);
        for (std::uint32_t i = 0; i < count; ++i) set(out[i], values[i]);
    };
    field(4, true, [](ClusterRecord& c, std::uint32_t v) { c.group = v; });
    field(4, true, [](ClusterRecord& c, std::uint32_t v) { c.child_group = static_cast<std::int32_t>(v); });
    field(4, true, [](ClusterRecord& c, std::uint32_t v) { c.material = static_cast<std::int32_t>(v); });
    field(2, false,
          [](ClusterRecord& c, std::uint32_t v) { c.first_table_entry = static_cast<std::uint16_t>(v); });
    field(1, false, [](ClusterRecord& c, std::uint32_t v) { c.table_size = static_cast<std::uint8_t>(v); });
    field(1, false, [](ClusterRecord& c, std::uint32_t v) { c.vertex_count = static_cast<std::uint8_t>(v); });
    field(1, false,
          [](ClusterRecord& c, std::uint32_t v) { c.triangle_count = static_cast<std::uint8_t>(v); });
    field(1, false, [](ClusterRecord& c, std::uint32_t v) { c.flags = static_cast<std::uint8_t>(v); });
}

// Fills in what follows from the order, and the places of all arrays.
Result<Unit> lay_out(Decoding& d, std::span<ClusterRecord> records) {
    const EncodedPageHeader& h = d.header;
    PageCounts counts{.vertices = h.vertex_count,
                      .clusters = h.cluster_count,
                      .table_entries = h.table_entry_count,
                      .references = 0,
                      .triangle_bytes = 0};
    std::uint64_t triangles = 0;
    for (ClusterRecord& c : records) {
        c.first_reference = static_cast<std::uint32_t>(counts.references);
        c.first_triangle_byte = static_cast<std::uint32_t>(counts.triangle_bytes);
        counts.references += c.vertex_count;
        counts.triangle_bytes += padded_triangle_bytes(c.triangle_count);
        triangles += c.triangle_count;
        const std::uint64_t table_end = std::uint64_t{c.first_table_entry} + c.table_size;
        if (c.table_size > kMaxPageTable || table_end > h.table_entry_count)
            return encoded_page_error("a cluster of an encoded page has no table");
    }
    if (counts.references != h.reference_count || triangles != h.triangle_count)
        return encoded_page_error("the clusters of an encoded page do not add up to its counts");
    d.layout = page_layout(counts, h.position_bits, h.normal_bits);
    if (d.layout.end > kPageByteLimit)
        return encoded_page_error(
            cat("an encoded page of ", d.layout.end, " bytes; at most ", kPageByteLimit));
    d.records = records;
    return Unit{};
}

void decode_tables(Decoding& d, PageDecoder::Memory& memory) {
    const std::uint32_t count = d.header.table_entry_count;
    memory.tables.assign(count, 0);
    PlaneReader{d.stream(Stream::ClusterHigh) + std::size_t{d.header.cluster_count} * kClusterHighBytes,
                count}
        .read(memory.tables, 4);
    for (std::uint32_t& page : memory.tables) page = d.header.page - page;
    d.tables = memory.tables;
}

// All that is small, and what lies between the arrays.
void write_frame_of_page(const Decoding& d) {
    const EncodedPageHeader& h = d.header;
    const PageLayout& layout = d.layout;
    const PageHeader raw{.page = h.page,
                         .flags = h.flags,
                         .byte_count = static_cast<std::uint32_t>(layout.end),
                         .vertex_count = h.vertex_count,
                         .cluster_count = h.cluster_count,
                         .table_entry_count = h.table_entry_count,
                         .reference_count = h.reference_count,
                         .triangle_count = h.triangle_count,
                         .position_bits = h.position_bits,
                         .normal_bits = h.normal_bits,
                         .normals_offset = static_cast<std::uint32_t>(layout.normals),
                         .clusters_offset = static_cast<std::uint32_t>(layout.clusters),
                         .tables_offset = static_cast<std::uint32_t>(layout.tables),
                         .references_offset = static_cast<std::uint32_t>(layout.references),
                         .triangles_offset = static_cast<std::uint32_t>(layout.triangles),
                         .reserved = {}};
    // Arrays end less than 16 bytes before the next one.
    for (const std::uint64_t next :
         {layout.normals, layout.clusters, layout.tables, layout.references, layout.triangles, layout.end})
        std::memset(d.page.data() + next - kPageArrayAlignment, 0, kPageArrayAlignment);
    std::memcpy(d.page.data(), &raw, sizeof(raw));
    std::memcpy(d.page.data() + layout.clusters, d.records.data(), d.records.size_bytes());
    if (!d.tables.empty()) std::memcpy(d.page.data() + layout.tables, d.tables.data(), d.tables.size_bytes());
}

// Up to where the page's size is known.
Result<Decoding> begin_page(std::span<const std::byte> encoded, PageDecoder::Memory& memory) {
    Decoding d;
    if (encoded.size() < sizeof(EncodedPageHeader))
        return encoded_page_error("an encoded page without header");
    d.header = record_at<EncodedPageHeader>(encoded, 0);
    SINTER_TRY(check_counts(d.header));
    d.sizes = stream_sizes(d.header);
    SINTER_TRY(inflate(d, memory, encoded.subspan(sizeof(EncodedPageHeader))));
    decode_records(d, memory);
    SINTER_TRY(lay_out(d, memory.records));
    decode_tables(d, memory);
    return d;
}

Result<Unit> finish_page(const Decoding& d) {
    write_frame_of_page(d);
    decode_normals(d);
    if (!decode_triangles(d) || !decode_references(d) || !decode_positions(d))
        return encoded_page_error("streams of an encoded page end where they should not");
    decode_tangents(d);
    return Unit{};
}

}  // namespace

PageDecoder::PageDecoder() : memory_(std::make_unique<Memory>()) {}
PageDecoder::PageDecoder(PageDecoder&&) noexcept = default;
PageDecoder& PageDecoder::operator=(PageDecoder&&) noexcept = default;
PageDecoder::~PageDecoder() = default;

Result<std::vector<std::byte>> decode_page(std::span<const std::byte> encoded) {
    return PageDecoder().decode(encoded);
}

Result<std::vector<std::byte>> PageDecoder::decode(std::span<const std::byte> encoded) {
    SINTER_TRY_ASSIGN(Decoding d, begin_page(encoded, *memory_));
    std::vector<std::byte> page(d.layout.end);
    d.page = page;
    SINTER_TRY(finish_page(d));
    return page;
}

Result<Unit> PageDecoder::decode_to(std::span<const std::byte> encoded, std::span<std::byte> page) {
    SINTER_TRY_ASSIGN(Decoding d, begin_page(encoded, *memory_));
    if (d.layout.end != page.size())
        return encoded_page_error(cat("the page has ", d.layout.end, " bytes instead of ", page.size()));
    d.page = page;
    return finish_page(d);
}

}  // namespace sinter
