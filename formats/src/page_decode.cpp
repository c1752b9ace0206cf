#include <sinter/formats/page_codec.hpp>

#include "bytes.hpp"
#include "page_streams.hpp"
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
};

namespace {

using StreamBytes = std::array<const std::uint8_t*, kStreamCount>;

// One page being decoded: all streams in one buffer, and the page.
struct Decoding {
    EncodedPageHeader header;
    std::array<std::uint64_t, kStreamCount> sizes{};
    StreamBytes streams{};
    std::vector<std::byte> page;
    PageLayout layout;

    [[nodiscard]] const std::uint8_t* stream(Stream s) const { return streams[static_cast<std::size_t>(s)]; }
};

Result<Unit> check_counts(const EncodedPageHeader& h) {
    const bool good =
        h.magic == kEncodedPageMagic && h.vertex_count <= kMaxPageVertices && h.cluster_count != 0 &&
        h.cluster_count <= kPageByteLimit / sizeof(ClusterRecord) &&
        h.table_entry_count <= kPageByteLimit / 4 && h.reference_count <= kPageByteLimit / 2 &&
        h.triangle_count <= kPageByteLimit / 3 && (h.position_bits == 16 || h.position_bits == 32) &&
        (h.normal_bits == 0 || h.normal_bits == 20 || h.normal_bits == 32) &&
        h.triangle_extras <= 3 * h.triangle_count && h.explicit_references <= h.reference_count &&
        (h.flags & ~kPageHasTangents) == 0 && (h.modes & ~kPlanePrediction) == 0 &&
        ((h.modes & kPlanePrediction) == 0 || h.normal_bits != 0);
    if (!good) return encoded_page_error("the header of an encoded page is none");
    return Unit{};
}

// Streams lie in `scratch` one after the other. Behind them are as many bytes as any loop can read past its stream: what it
// reads there does not matter, as it is found out afterwards.
Result<Unit> inflate(Decoding& d, PageDecoder::Memory& memory, Bytes frame) {
    std::uint64_t total = 0;
    for (const std::uint64_t size : d.sizes) total += size;
    const std::uint64_t slack = 3 * std::uint64_t{d.header.triangle_count} + d.header.reference_count;
    if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != total)
        return encoded_page_error(
            cat("an encoded page whose zstd frame does not announce ", total, " bytes"));
    if (memory.streams.size() < total + slack) memory.streams.resize(total + slack);
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
std::vector<ClusterRecord> decode_records(const Decoding& d) {
    const std::uint32_t count = d.header.cluster_count;
    std::vector<ClusterRecord> out(count);
    PlaneReader low{d.stream(Stream::ClusterLow), count};
    PlaneReader high{d.stream(Stream::ClusterHigh), count};
    std::vector<std::uint32_t> values(count);
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
    return out;
}

// Fills in what follows from the order, and the places of all arrays.
Result<Unit> lay_out(Decoding& d, std::vector<ClusterRecord>& records) {
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
    d.page.resize(d.layout.end);
    const PageHeader raw{.page = h.page,
                         .flags = h.flags,
                         .byte_count = static_cast<std::uint32_t>(d.layout.end),
                         .vertex_count = h.vertex_count,
                         .cluster_count = h.cluster_count,
                         .table_entry_count = h.table_entry_count,
                         .reference_count = h.reference_count,
                         .triangle_count = h.triangle_count,
                         .position_bits = h.position_bits,
                         .normal_bits = h.normal_bits,
                         .normals_offset = static_cast<std::uint32_t>(d.layout.normals),
                         .clusters_offset = static_cast<std::uint32_t>(d.layout.clusters),
                         .tables_offset = static_cast<std::uint32_t>(d.layout.tables),
                         .references_offset = static_cast<std::uint32_t>(d.layout.references),
                         .triangles_offset = static_cast<std::uint32_t>(d.layout.triangles),
                         .reserved = {}};
    std::memcpy(d.page.data(), &raw, sizeof(raw));
    std::memcpy(d.page.data() + d.layout.clusters, records.data(), records.size() * sizeof(ClusterRecord));
    return Unit{};
}

std::vector<std::uint32_t> decode_tables(Decoding& d) {
    const std::uint32_t count = d.header.table_entry_count;
    std::vector<std::uint32_t> pages(count);
    PlaneReader{d.stream(Stream::ClusterHigh) + std::size_t{d.header.cluster_count} * kClusterHighBytes,
                count}
        .read(pages, 4);
    for (std::uint32_t& page : pages) page = d.header.page - page;
    if (count != 0) std::memcpy(d.page.data() + d.layout.tables, pages.data(), std::size_t{count} * 4);
    return pages;
}

// A triangle that begins a chain.
std::array<std::uint8_t, 3> decode_lone_triangle(const std::uint8_t*& extra, std::uint32_t& next) {
    std::array<std::uint8_t, 3> t{};
    for (std::uint8_t& v : t) {
        v = *extra++;
        if (v == kNewVertexExtra) v = static_cast<std::uint8_t>(next++);
    }
    return t;
}

bool decode_triangles(Decoding& d, const std::vector<ClusterRecord>& records) {
    const std::uint8_t* code = d.stream(Stream::TriangleCodes);
    const std::uint8_t* extra = d.stream(Stream::TriangleExtras);
    Chain chain;  // every cluster begins its own
    for (const ClusterRecord& c : records) {
        std::uint32_t next = 0;
        std::byte* out = d.page.data() + d.layout.triangles + c.first_triangle_byte;
        for (std::uint32_t i = 0; i < c.triangle_count; ++i, out += 3) {
            const std::uint32_t symbol = *code++;
            std::array<std::uint8_t, 3> t{};
            if (symbol >= (kNoEdge << 2U)) {
                t = decode_lone_triangle(extra, next);
                chain.begin(t);
                std::memcpy(out, t.data(), 3);
                continue;
            }
            for (std::uint32_t skips = symbol >> 2U; skips > 0; --skips) chain.skip();
            t = {chain.v0, chain.v1, 0};
            switch (symbol & 3U) {
            case kNewVertex:
                t[2] = static_cast<std::uint8_t>(next++);
                chain.insert(t[2]);
                break;
            case kChainVertex: t[2] = chain.close_v1(); break;
            case kLastVertex: t[2] = chain.close_v0(); break;
            default:
                const std::uint8_t which = *extra++;
                if (which < kNamedExtra) {
                    t[2] = chain.split(which);
                } else {
                    t[2] = static_cast<std::uint8_t>(which - kNamedExtra);
                    chain.insert(t[2]);
                }
            }
            std::memcpy(out, t.data(), 3);
        }
    }
    return extra == d.stream(Stream::TriangleExtras) + d.header.triangle_extras;
}

bool decode_references(Decoding& d, const std::vector<ClusterRecord>& records,
                       const std::vector<std::uint32_t>& tables) {
    std::vector<std::uint32_t> distinct = tables;
    distinct.push_back(d.header.page);
    std::ranges::sort(distinct);
    distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
    const auto index_of = [&](std::uint32_t page) {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(distinct, page) - distinct.begin());
    };
    std::vector<std::uint16_t> last(distinct.size());
    const std::uint32_t own = index_of(d.header.page);
    ReferenceState state;
    const std::uint8_t* code = d.stream(Stream::ReferenceCodes);
    const std::uint8_t* low = d.stream(Stream::ReferenceLow);
    const std::uint8_t* high = d.stream(Stream::ReferenceHigh);
    std::byte* out = d.page.data() + d.layout.references;
    std::array<std::uint32_t, kMaxPageTable> page_of{};
    std::uint32_t own_entry = 0;
    const ClusterRecord* previous = nullptr;
    for (const ClusterRecord& c : records) {
        if (previous == nullptr || previous->first_table_entry != c.first_table_entry ||
            previous->table_size != c.table_size) {
            page_of.fill(own);
            own_entry = 0;
            for (std::uint32_t i = c.table_size; i-- > 0;) {
                page_of[i] = index_of(tables[c.first_table_entry + i]);
                if (page_of[i] == own) own_entry = i;
            }
        }
        previous = &c;
        for (std::uint32_t i = 0; i < c.vertex_count; ++i, out += 2) {
            const std::uint32_t symbol = *code++;
            std::uint32_t entry = own_entry;
            std::uint32_t vertex = 0;
            if (symbol < kNewRuns) {
                vertex = state.next[symbol]++ & 0xFFFU;
                state.used[vertex] = true;
                last[own] = static_cast<std::uint16_t>(vertex);
            } else {
                entry = (symbol - kNewRuns) & 15U;
                const std::uint32_t page = page_of[entry];
                const auto delta = unzigzag(static_cast<std::uint16_t>(*low++ | (*high++ << 8U)));
                vertex = static_cast<std::uint32_t>(last[page] + delta) & 0xFFFU;
                last[page] = static_cast<std::uint16_t>(vertex);
                if (page == own && !state.used[vertex]) state.begin_run_after(vertex);
            }
            const std::uint16_t reference = make_reference(entry, vertex);
            std::memcpy(out, &reference, 2);
        }
    }
    return low == d.stream(Stream::ReferenceLow) + d.header.explicit_references;
}

void decode_normals(Decoding& d) {
    const std::uint8_t* low = d.stream(Stream::NormalLow);
    const std::uint8_t* high = d.stream(Stream::NormalHigh);
    std::byte* out = d.page.data() + d.layout.normals;
    if (d.header.normal_bits == 20) {
        static constexpr auto kImages = [] {
            std::array<std::int16_t, 1024> images{};
            for (std::int32_t i = 0; i < 1023; ++i)
                images[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(oct20_expand(i - kOct20Max));
            return images;
        }();
        std::uint32_t u = kOct20Max;
        std::uint32_t v = kOct20Max;
        // Values in [0, 1022], deltas modulo 1023; 1023 cannot come from an encoder and reads as 0.
        const auto add = [](std::uint32_t value, std::uint32_t code) {
            const std::uint32_t step = (code & 1U) != 0 ? 1022 - (code >> 1U) : code >> 1U;
            const std::uint32_t sum = value + step;
            return sum >= 1023 ? sum - 1023 : sum;
        };
        for (std::size_t i = 0; i < d.header.vertex_count; ++i) {
            u = add(u, low[2 * i] | ((high[i] & 3U) << 8U));
            v = add(v, low[2 * i + 1] | ((high[i] & 12U) << 6U));
            const OctNormal n{kImages[u], kImages[v]};
            std::memcpy(out + i * 4, &n, 4);
        }
        return;
    }
    std::uint16_t u = 0;
    std::uint16_t v = 0;
    for (std::size_t i = 0; i < d.header.vertex_count; ++i) {
        const auto du = static_cast<std::uint16_t>(low[2 * i] | (high[2 * i] << 8U));
        const auto dv = static_cast<std::uint16_t>(low[2 * i + 1] | (high[2 * i + 1] << 8U));
        u = static_cast<std::uint16_t>(u + static_cast<std::uint16_t>(unzigzag(du)));
        v = static_cast<std::uint16_t>(v + static_cast<std::uint16_t>(unzigzag(dv)));
        const OctNormal n{static_cast<std::int16_t>(u), static_cast<std::int16_t>(v)};
        std::memcpy(out + i * 4, &n, 4);
    }
}

// Planes of one field of positions, first plane first.
template <typename Int>
struct PositionPlanes {
    std::array<const std::uint8_t*, sizeof(Int)> planes{};

    PositionPlanes(const StreamBytes& streams, Stream first) {
        for (std::size_t k = 0; k < sizeof(Int); ++k)
            planes[k] = streams[static_cast<std::size_t>(first) + k];
    }
    [[nodiscard]] Int read(std::size_t i) const {
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < sizeof(Int); ++k) value |= std::uint32_t{planes[k][i]} << (8 * k);
        return unzigzag(static_cast<std::make_unsigned_t<Int>>(value));
    }
};

template <typename Vertex, typename Int>
void decode_positions(Decoding& d) {
    using UInt = std::make_unsigned_t<Int>;
    const bool plane = (d.header.modes & kPlanePrediction) != 0;
    const PositionPlanes<Int> across(d.streams, Stream::AcrossPlane0);
    const PositionPlanes<Int> along(d.streams, Stream::AlongPlane0);
    const Bytes normals = Bytes(d.page).subspan(d.layout.normals);
    std::byte* const out = d.page.data() + sizeof(PageHeader);
    const std::size_t count = d.header.vertex_count;
    UInt x = 0;
    UInt y = 0;
    UInt z = 0;
    std::array<std::int32_t, 3> last_normal{};
    Axes axes;
    for (std::size_t i = 0; i < count; ++i) {
        const Int d0 = across.read(2 * i);
        const Int d1 = across.read(2 * i + 1);
        std::int64_t predicted = 0;
        if (plane) {
            const auto normal = octahedron_point(record_at<OctNormal>(normals, i));
            const std::array<std::int32_t, 3> sum{normal[0] + last_normal[0], normal[1] + last_normal[1],
                                                  normal[2] + last_normal[2]};
            last_normal = normal;
            axes = axes_of(sum);
            predicted = plane_delta(sum, axes, d0, d1);
        }
        const auto rest = static_cast<UInt>(static_cast<UInt>(along.read(i)) + static_cast<UInt>(predicted));
        // The axes are a rotation of x, y, z: a step along each, from a place that depends on it.
        const std::array<UInt, 5> steps{static_cast<UInt>(d0), static_cast<UInt>(d1), rest,
                                        static_cast<UInt>(d0), static_cast<UInt>(d1)};
        x = static_cast<UInt>(x + steps[2U - axes.along]);
        y = static_cast<UInt>(y + steps[3U - axes.along]);
        z = static_cast<UInt>(z + steps[4U - axes.along]);
        Vertex vertex;
        vertex.x = static_cast<Int>(x);
        vertex.y = static_cast<Int>(y);
        vertex.z = static_cast<Int>(z);
        std::memcpy(out + i * sizeof(Vertex), &vertex, sizeof(Vertex));
    }
}

void decode_tangents(Decoding& d) {
    if ((d.header.flags & kPageHasTangents) == 0) return;
    const std::size_t stride = vertex_size(d.header.position_bits);
    const std::size_t field = d.header.position_bits == 32 ? offsetof(ResidentVertex32, tangent)
                                                           : offsetof(ResidentVertex16, tangent);
    std::byte* out = d.page.data() + sizeof(PageHeader) + field;
    const std::uint8_t* low = d.stream(Stream::TangentLow);
    const std::uint8_t* high = d.stream(Stream::TangentHigh);
    std::uint32_t angle = 0;
    std::uint32_t sign = 0;
    for (std::uint32_t i = 0; i < d.header.vertex_count; ++i) {
        const auto code = static_cast<std::uint16_t>(low[i] | (high[i] << 8U));
        sign ^= code & 0x8000U;
        const auto delta = unzigzag(static_cast<std::uint16_t>(code & 0x7FFFU));
        angle = (angle + static_cast<std::uint32_t>(std::int32_t{delta})) & 0x7FFFU;
        const auto bits = static_cast<std::uint16_t>(angle | sign);
        std::memcpy(out + i * stride, &bits, 2);
    }
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
    Decoding d;
    if (encoded.size() < sizeof(EncodedPageHeader))
        return encoded_page_error("an encoded page without header");
    d.header = record_at<EncodedPageHeader>(encoded, 0);
    SINTER_TRY(check_counts(d.header));
    d.sizes = stream_sizes(d.header);
    SINTER_TRY(inflate(d, *memory_, encoded.subspan(sizeof(EncodedPageHeader))));
    std::vector<ClusterRecord> records = decode_records(d);
    SINTER_TRY(lay_out(d, records));
    const std::vector<std::uint32_t> tables = decode_tables(d);
    if (!decode_triangles(d, records) || !decode_references(d, records, tables))
        return encoded_page_error("streams of an encoded page end where they should not");
    if (d.header.normal_bits != 0) decode_normals(d);
    if (d.header.position_bits == 32) {
        decode_positions<ResidentVertex32, std::int32_t>(d);
    } else {
        decode_positions<ResidentVertex16, std::int16_t>(d);
    }
    decode_tangents(d);
    return std::move(d.page);
}

}  // namespace sinter
