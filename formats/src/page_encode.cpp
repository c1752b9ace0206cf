#include <sinter/formats/page_codec.hpp>

#include "page_streams.hpp"
#include "text.hpp"

#include <sinter/formats/page.hpp>

#include <zstd.h>

#include <algorithm>
#include <memory>

namespace sinter {
namespace {

struct Encoding {
    EncodedPageHeader header;
    std::array<std::vector<std::uint8_t>, kStreamCount> streams;

    [[nodiscard]] std::vector<std::uint8_t>& stream(Stream s) { return streams[static_cast<std::size_t>(s)]; }
    void put(Stream s, std::uint32_t byte) { stream(s).push_back(static_cast<std::uint8_t>(byte)); }
};

void put_planes(std::vector<std::uint8_t>& out, std::span<const std::uint32_t> values,
                std::uint32_t first_plane, std::uint32_t planes) {
    for (std::uint32_t plane = first_plane; plane < first_plane + planes; ++plane) {
        for (const std::uint32_t value : values)
            out.push_back(static_cast<std::uint8_t>(value >> (8 * plane)));
    }
}

std::vector<std::uint32_t> deltas_of(std::span<const std::uint32_t> values) {
    std::vector<std::uint32_t> out;
    std::uint32_t last = 0;
    for (const std::uint32_t value : values) {
        out.push_back(zigzag(static_cast<std::int32_t>(value - last)));
        last = value;
    }
    return out;
}

void encode_records(Encoding& e, const PageView& view) {
    const std::uint32_t count = view.header().cluster_count;
    auto& low = e.stream(Stream::ClusterLow);
    auto& high = e.stream(Stream::ClusterHigh);
    const auto values_of = [&](auto get) {
        std::vector<std::uint32_t> values;
        for (std::uint32_t i = 0; i < count; ++i)
            values.push_back(static_cast<std::uint32_t>(get(view.cluster(i))));
        return values;
    };
    for (std::size_t k = 0; k < 4; ++k) {
        const auto values = deltas_of(values_of([k](const ClusterRecord& c) {
            return std::bit_cast<std::uint32_t>(k < 3 ? c.cull_center[k] : c.cull_radius);
        }));
        put_planes(low, values, 0, 2);
        put_planes(high, values, 2, 2);
    }
    for (std::size_t k = 0; k < 4; ++k) {
        put_planes(low,
                   values_of([k](const ClusterRecord& c) { return k < 3 ? c.cone.axis[k] : c.cone.cutoff; }),
                   0, 1);
    }
    put_planes(high, deltas_of(values_of([](const ClusterRecord& c) { return c.group; })), 0, 4);
    put_planes(high, deltas_of(values_of([](const ClusterRecord& c) { return c.child_group; })), 0, 4);
    put_planes(high, deltas_of(values_of([](const ClusterRecord& c) { return c.material; })), 0, 4);
    put_planes(high, values_of([](const ClusterRecord& c) { return c.first_table_entry; }), 0, 2);
    put_planes(high, values_of([](const ClusterRecord& c) { return c.table_size; }), 0, 1);
    put_planes(high, values_of([](const ClusterRecord& c) { return c.vertex_count; }), 0, 1);
    put_planes(high, values_of([](const ClusterRecord& c) { return c.triangle_count; }), 0, 1);
    put_planes(high, values_of([](const ClusterRecord& c) { return c.flags; }), 0, 1);
}

void encode_tables(Encoding& e, const PageView& view, std::span<const std::byte> page) {
    std::vector<std::uint32_t> values(view.header().table_entry_count);
    if (!values.empty())
        std::memcpy(values.data(), page.data() + view.header().tables_offset,
                    values.size() * sizeof(std::uint32_t));
    for (std::uint32_t& value : values) value = view.header().page - value;
    put_planes(e.stream(Stream::ClusterHigh), values, 0, 4);
}

// Passes over edges up to the one that the triangle begins with and says how many; kNoEdge, the chain as it was, if it is
// on none.
std::uint32_t seek_edge(Chain& chain, const std::array<std::uint8_t, 3>& t) {
    Chain seeker = chain;
    for (std::uint32_t skips = 0; skips < kNoEdge; ++skips) {
        if (seeker.v0 == t[0] && seeker.v1 == t[1]) {
            chain = seeker;
            return skips;
        }
        if (seeker.at_end() && seeker.depth == 0) break;
        seeker.skip();
    }
    return kNoEdge;
}

void encode_triangles(Encoding& e, const PageView& view) {
    for (std::uint32_t k = 0; k < view.header().cluster_count; ++k) {
        const ClusterRecord c = view.cluster(k);
        Chain chain;
        std::uint32_t next_vertex = 0;
        for (std::uint32_t i = 0; i < c.triangle_count; ++i) {
            const auto t = view.triangle(c, i);
            const std::uint32_t skips = i == 0 ? kNoEdge : seek_edge(chain, t);
            if (skips == kNoEdge && t[0] == next_vertex && t[1] == t[0] + 1 && t[2] == t[1] + 1) {
                e.put(Stream::TriangleCodes, kNewTriangle);
                next_vertex += 3;
                chain.begin(t);
                continue;
            }
            if (skips == kNoEdge) {
                e.put(Stream::TriangleCodes, kLoneTriangle);
                for (const std::uint8_t v : t) {
                    e.put(Stream::TriangleExtras, v == next_vertex ? kNewVertexExtra : v);
                    if (v == next_vertex) ++next_vertex;
                }
                chain.begin(t);
                continue;
            }
            const ThirdVertex third = third_vertex(chain, t[2], t[2] != next_vertex);
            e.put(Stream::TriangleCodes, (skips << 2U) | third.kind);
            if (third.kind == kNewVertex) ++next_vertex;
            if (third.kind == kExtraVertex) e.put(Stream::TriangleExtras, third.extra);
            add_triangle(chain, third, t[2]);
        }
    }
}

// Runs of new vertices: what the encoder knows more than the decoder is which vertices were referred to before.
struct ReferenceRuns {
    std::array<std::uint32_t, kNewRuns> next{};  // the others than 0 begin where they match no vertex
    std::uint32_t oldest = 1;
    std::array<bool, kMaxPageVertices> used{};
    ReferenceRuns() {
        next.fill(kMaxPageVertices);
        next[0] = 0;
    }
    void begin_after(std::uint32_t vertex) {
        next[oldest] = vertex + 1;
        oldest = (oldest + 1) % kNewRuns;
    }
};

void encode_references(Encoding& e, const PageView& view) {
    const PageHeader& h = view.header();
    std::vector<std::uint32_t> distinct{h.page};
    for (std::uint32_t k = 0; k < h.cluster_count; ++k) {
        const ClusterRecord c = view.cluster(k);
        for (std::uint32_t i = 0; i < c.table_size; ++i) distinct.push_back(view.table_page(c, i));
    }
    std::ranges::sort(distinct);
    distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
    std::vector<std::uint32_t> last(distinct.size());
    const auto index_of = [&](std::uint32_t page) {
        return static_cast<std::size_t>(std::ranges::lower_bound(distinct, page) - distinct.begin());
    };
    ReferenceRuns runs;
    for (std::uint32_t k = 0; k < h.cluster_count; ++k) {
        const ClusterRecord c = view.cluster(k);
        std::uint32_t own_entry = kMaxPageTable;  // the first entry that is this page
        for (std::uint32_t i = c.table_size; i-- > 0;) {
            if (view.table_page(c, i) == h.page) own_entry = i;
        }
        for (std::uint32_t i = 0; i < c.vertex_count; ++i) {
            const std::uint16_t reference = view.reference(c, i);
            const std::uint32_t entry = reference_entry(reference);
            const std::uint32_t vertex = reference_vertex(reference);
            const std::uint32_t page = view.table_page(c, entry);
            const auto run =
                static_cast<std::uint32_t>(std::ranges::find(runs.next, vertex) - runs.next.begin());
            if (entry == own_entry && run < kNewRuns) {
                e.put(Stream::ReferenceCodes, run);
                ++runs.next[run];
            } else {
                const std::uint32_t delta = (vertex - last[index_of(page)]) & 0xFFFU;
                const auto zigzagged =
                    zigzag(static_cast<std::int16_t>(delta >= 2048 ? static_cast<std::int32_t>(delta) - 4096
                                                                   : static_cast<std::int32_t>(delta)));
                const std::uint32_t high = zigzagged >> 8U;
                std::uint32_t code = kFirstEntryCode * (entry + 1) + high;
                if (entry + 1 == kMaxPageTable) code = kLastEntryCode;
                if (entry == own_entry && !runs.used[vertex]) {
                    code = kNewRunCode;
                    runs.begin_after(vertex);
                }
                e.put(Stream::ReferenceCodes, code);
                e.put(Stream::ReferenceExtras, zigzagged & 0xFFU);
                if (code < kFirstEntryCode) e.put(Stream::ReferenceExtras, high);
            }
            if (page == h.page) runs.used[vertex] = true;
            last[index_of(page)] = vertex;
        }
    }
    e.header.reference_extras = static_cast<std::uint32_t>(e.stream(Stream::ReferenceExtras).size());
}

void encode_normals(Encoding& e, const PageView& view) {
    OctNormal last32{};
    OctNormal20 last20{};
    const auto code20 = [](std::int32_t value, std::int32_t last) {
        const std::int32_t delta = (value - last + 2046) % 1023;
        return static_cast<std::uint32_t>(delta <= kOct20Max ? 2 * delta : 2 * (1023 - delta) - 1);
    };
    for (std::uint32_t i = 0; i < view.header().vertex_count; ++i) {
        const OctNormal n = view.normal(i);
        if (view.header().normal_bits == 20) {
            const OctNormal20 low = oct20_of(n).value_or(OctNormal20{});  // view_page saw that it is one
            const std::uint32_t u = code20(low.u, last20.u);
            const std::uint32_t v = code20(low.v, last20.v);
            e.put(Stream::NormalLow, u & 0xFFU);
            e.put(Stream::NormalLow, v & 0xFFU);
            e.put(Stream::NormalHigh, (u >> 8U) | (v >> 8U) << 2U);
            last20 = low;
        } else {
            const auto u = zigzag(static_cast<std::int16_t>(n.u - last32.u));
            const auto v = zigzag(static_cast<std::int16_t>(n.v - last32.v));
            e.put(Stream::NormalLow, u & 0xFFU);
            e.put(Stream::NormalLow, v & 0xFFU);
            e.put(Stream::NormalHigh, u >> 8U);
            e.put(Stream::NormalHigh, v >> 8U);
            last32 = n;
        }
    }
}

struct PositionCode {
    std::uint32_t across0 = 0, across1 = 0, along = 0;
};

template <typename Int>
std::vector<PositionCode> position_codes(const PageView& view, bool plane) {
    using UInt = std::make_unsigned_t<Int>;
    std::vector<PositionCode> out;
    std::array<std::int32_t, 3> last{};
    std::array<std::int32_t, 3> last_normal{};
    Axes axes;
    for (std::uint32_t i = 0; i < view.header().vertex_count; ++i) {
        const auto p = view.grid_position(i);
        std::array<Int, 3> d{};
        for (std::size_t k = 0; k < 3; ++k) {
            d[k] = static_cast<Int>(
                static_cast<UInt>(static_cast<std::uint32_t>(p[k]) - static_cast<std::uint32_t>(last[k])));
        }
        std::int64_t predicted = 0;
        if (plane) {
            const auto normal = octahedron_point(view.normal(i));
            const std::array<std::int32_t, 3> sum{normal[0] + last_normal[0], normal[1] + last_normal[1],
                                                  normal[2] + last_normal[2]};
            last_normal = normal;
            axes = axes_of(sum);
            predicted = plane_delta(sum, axes, d[axes.across0], d[axes.across1]);
        }
        const auto rest = static_cast<Int>(
            static_cast<UInt>(static_cast<UInt>(d[axes.along]) - static_cast<UInt>(predicted)));
        out.push_back({zigzag(d[axes.across0]), zigzag(d[axes.across1]), zigzag(rest)});
        last = p;
    }
    return out;
}

// Bits of all codes without their leading zeros: what the choice between predictions goes by.
std::uint64_t weight(std::span<const PositionCode> codes) {
    std::uint64_t bits = 0;
    for (const PositionCode& c : codes) {
        bits += static_cast<std::uint64_t>(std::bit_width(c.across0) + std::bit_width(c.across1) +
                                           std::bit_width(c.along));
    }
    return bits;
}

void encode_positions(Encoding& e, const PageView& view) {
    const bool wide = view.header().position_bits == 32;
    const auto codes_of = [&](bool plane) {
        return wide ? position_codes<std::int32_t>(view, plane) : position_codes<std::int16_t>(view, plane);
    };
    std::vector<PositionCode> codes = codes_of(false);
    if (view.header().normal_bits != 0) {
        std::vector<PositionCode> predicted = codes_of(true);
        if (weight(predicted) < weight(codes)) {
            codes = std::move(predicted);
            e.header.modes |= kPlanePrediction;
        }
    }
    for (std::uint32_t plane = 0; plane < view.header().position_bits / 8U; ++plane) {
        const auto byte = [plane](std::uint32_t code) { return code >> (8 * plane) & 0xFFU; };
        const auto across = static_cast<Stream>(static_cast<std::uint32_t>(Stream::AcrossPlane0) + plane);
        const auto along = static_cast<Stream>(static_cast<std::uint32_t>(Stream::AlongPlane0) + plane);
        for (const PositionCode& c : codes) {
            e.put(along, byte(c.along));
            if (!wide && plane == 1) {
                const std::uint32_t high0 = std::min(byte(c.across0), kHighExtra);
                const std::uint32_t high1 = std::min(byte(c.across1), kHighExtra);
                e.put(across, high0 | high1 << 4U);
                if (high0 == kHighExtra) e.put(Stream::AcrossExtras, byte(c.across0));
                if (high1 == kHighExtra) e.put(Stream::AcrossExtras, byte(c.across1));
            } else {
                e.put(across, byte(c.across0));
                e.put(across, byte(c.across1));
            }
        }
    }
    e.header.position_extras = static_cast<std::uint32_t>(e.stream(Stream::AcrossExtras).size());
}

void encode_tangents(Encoding& e, const PageView& view) {
    if ((view.header().flags & kPageHasTangents) == 0) return;
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < view.header().vertex_count; ++i) {
        const std::uint32_t bits = view.tangent(i).bits;
        const std::uint32_t delta = (bits - last) & 0x7FFFU;
        const auto code = zigzag(static_cast<std::int16_t>(
            delta >= 0x4000 ? static_cast<std::int32_t>(delta) - 0x8000 : static_cast<std::int32_t>(delta)));
        const std::uint32_t stored = code | ((bits ^ last) & 0x8000U);
        e.put(Stream::TangentLow, stored & 0xFFU);
        e.put(Stream::TangentHigh, stored >> 8U);
        last = bits;
    }
}

PagePart part_of(Stream stream) {
    switch (stream) {
    case Stream::ClusterLow:
    case Stream::ClusterHigh: return PagePart::Clusters;
    case Stream::TriangleCodes:
    case Stream::TriangleExtras: return PagePart::Triangles;
    case Stream::ReferenceCodes:
    case Stream::ReferenceExtras: return PagePart::References;
    case Stream::NormalLow:
    case Stream::NormalHigh: return PagePart::Normals;
    case Stream::TangentLow:
    case Stream::TangentHigh: return PagePart::Tangents;
    default: return PagePart::Positions;
    }
}

// One zstd frame whose blocks end where streams do.
Result<EncodedPage> deflate(const Encoding& e, int zstd_level) {
    std::uint64_t total = 0;
    for (const auto& stream : e.streams) total += stream.size();
    EncodedPage out;
    out.bytes.resize(sizeof(EncodedPageHeader) + ZSTD_compressBound(total) + 16 * kStreamCount);
    std::memcpy(out.bytes.data(), &e.header, sizeof(e.header));
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, zstd_level);
    // Matches of three to five bytes are chance in these streams: they cost bytes and, above all, time to read back.
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_minMatch, 6);
    ZSTD_CCtx_setPledgedSrcSize(context.get(), total);
    ZSTD_outBuffer output{out.bytes.data(), out.bytes.size(), sizeof(EncodedPageHeader)};
    out.part_bytes[static_cast<std::size_t>(PagePart::Header)] = output.pos;
    for (std::size_t i = 0; i < kStreamCount; ++i) {
        const bool last = i + 1 == kStreamCount;
        if (e.streams[i].empty() && !last) continue;
        ZSTD_inBuffer input{e.streams[i].data(), e.streams[i].size(), 0};
        const std::size_t before = output.pos;
        const std::size_t left =
            ZSTD_compressStream2(context.get(), &output, &input, last ? ZSTD_e_end : ZSTD_e_flush);
        if (left != 0) {
            const std::string_view name =
                ZSTD_isError(left) != 0U ? ZSTD_getErrorName(left) : "buffer too small";
            return Error{.kind = ErrorKind::Internal, .where = {}, .message = cat("zstd: ", name)};
        }
        const PagePart part = e.streams[i].empty() ? PagePart::Header : part_of(static_cast<Stream>(i));
        out.part_bytes[static_cast<std::size_t>(part)] += output.pos - before;
    }
    out.bytes.resize(output.pos);
    out.bytes.shrink_to_fit();
    return out;
}

}  // namespace

std::string_view page_part_name(PagePart part) {
    constexpr std::array<std::string_view, kPagePartCount> kNames{
        "header", "triangles", "references", "positions", "normals", "tangents", "clusters"};
    return kNames[static_cast<std::size_t>(part)];
}

Result<EncodedPage> encode_page(std::span<const std::byte> page, int zstd_level) {
    SINTER_TRY_ASSIGN(const PageView view, view_page(page));
    const PageHeader& h = view.header();
    Encoding e;
    e.header.page = h.page;
    e.header.flags = h.flags;
    e.header.vertex_count = h.vertex_count;
    e.header.cluster_count = h.cluster_count;
    e.header.table_entry_count = h.table_entry_count;
    e.header.reference_count = h.reference_count;
    e.header.triangle_count = h.triangle_count;
    e.header.position_bits = static_cast<std::uint8_t>(h.position_bits);
    e.header.normal_bits = static_cast<std::uint8_t>(h.normal_bits);
    encode_records(e, view);
    encode_tables(e, view, page);
    encode_triangles(e, view);
    e.header.triangle_extras = static_cast<std::uint32_t>(e.stream(Stream::TriangleExtras).size());
    encode_references(e, view);
    if (h.normal_bits != 0) encode_normals(e, view);
    encode_positions(e, view);
    encode_tangents(e, view);
    return deflate(e, zstd_level);
}

}  // namespace sinter
