// What page_encode.cpp and page_decode.cpp share: the streams of an encoded page and the predictions, which both sides must
// make alike. Internal to formats. docs/pages.md describes it all.
#pragma once

#include "page_layout.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace sinter {

inline constexpr std::uint32_t kEncodedPageMagic = 0x32475053;  // "SPG2"

// Bits of EncodedPageHeader::modes.
inline constexpr std::uint32_t kPlanePrediction = 1U << 0U;

struct EncodedPageHeader {
    std::uint32_t magic = kEncodedPageMagic;
    std::uint32_t page = 0;
    std::uint32_t flags = 0;  // of the PageHeader
    std::uint32_t vertex_count = 0;
    std::uint32_t cluster_count = 0;
    std::uint32_t table_entry_count = 0;
    std::uint32_t reference_count = 0;
    std::uint32_t triangle_count = 0;
    std::uint8_t position_bits = 16;
    std::uint8_t normal_bits = 32;
    std::uint16_t modes = 0;
    std::uint32_t triangle_extras = 0;  // bytes
    std::uint32_t reference_extras = 0;
    std::uint32_t position_extras = 0;
};
static_assert(sizeof(EncodedPageHeader) == 48 && std::is_trivially_copyable_v<EncodedPageHeader>);

// In this order in the zstd frame; each begins a block of its own, so that it gets its own Huffman table.
enum class Stream : std::uint8_t {
    ClusterLow,   // bytes that are mostly noise: low halves of spheres, cones
    ClusterHigh,  // high halves of spheres, byte planes of deltas of the other fields, page tables
    TriangleCodes,
    TriangleExtras,
    ReferenceCodes,
    ReferenceExtras,
    NormalLow,
    NormalHigh,
    AcrossPlane0,  // two components of a position's delta, byte plane by byte plane
    AcrossPlane1,  // of 16-bit positions: four bits of each
    AcrossPlane2,
    AcrossPlane3,
    AcrossExtras,  // where four bits are not enough
    AlongPlane0,   // the third one, against its prediction
    AlongPlane1,
    AlongPlane2,
    AlongPlane3,
    TangentLow,
    TangentHigh,
};
inline constexpr std::size_t kStreamCount = 19;

inline constexpr std::uint32_t kClusterLowBytes = 12;   // a cluster
inline constexpr std::uint32_t kClusterHighBytes = 26;  // a cluster; then 4 a table entry

// Sizes follow from the header alone. Pre: counts are within a page's limits.
[[nodiscard]] constexpr std::array<std::uint64_t, kStreamCount> stream_sizes(const EncodedPageHeader& h) {
    std::array<std::uint64_t, kStreamCount> out{};
    const auto set = [&](Stream s, std::uint64_t size) { out[static_cast<std::size_t>(s)] = size; };
    const std::uint64_t vertices = h.vertex_count;
    set(Stream::ClusterLow, std::uint64_t{h.cluster_count} * kClusterLowBytes);
    set(Stream::ClusterHigh,
        std::uint64_t{h.cluster_count} * kClusterHighBytes + std::uint64_t{h.table_entry_count} * 4);
    set(Stream::TriangleCodes, h.triangle_count);
    set(Stream::TriangleExtras, h.triangle_extras);
    set(Stream::ReferenceCodes, h.reference_count);
    set(Stream::ReferenceExtras, h.reference_extras);
    set(Stream::NormalLow, h.normal_bits == 0 ? 0 : 2 * vertices);
    set(Stream::NormalHigh, h.normal_bits == 0 ? 0 : (h.normal_bits == 20 ? vertices : 2 * vertices));
    for (std::uint32_t plane = 0; plane < h.position_bits / 8; ++plane) {
        out[static_cast<std::size_t>(Stream::AcrossPlane0) + plane] = 2 * vertices;
        out[static_cast<std::size_t>(Stream::AlongPlane0) + plane] = vertices;
    }
    if (h.position_bits == 16) set(Stream::AcrossPlane1, vertices);
    set(Stream::AcrossExtras, h.position_extras);
    const bool tangents = (h.flags & kPageHasTangents) != 0;
    set(Stream::TangentLow, tangents ? vertices : 0);
    set(Stream::TangentHigh, tangents ? vertices : 0);
    return out;
}

// Signed to unsigned, small to small: 0, -1, 1, -2, ...
template <typename Signed>
[[nodiscard]] constexpr std::make_unsigned_t<Signed> zigzag(Signed v) {
    using U = std::make_unsigned_t<Signed>;
    return static_cast<U>(static_cast<U>(static_cast<U>(v) << 1U) ^ static_cast<U>(v < 0 ? -1 : 0));
}
template <typename Unsigned>
[[nodiscard]] constexpr std::make_signed_t<Unsigned> unzigzag(Unsigned v) {
    return static_cast<std::make_signed_t<Unsigned>>(
        static_cast<Unsigned>(v >> 1U) ^ static_cast<Unsigned>(Unsigned{0} - static_cast<Unsigned>(v & 1U)));
}

// --- positions ---

// A direction along the normal of a code, in integers: the point of the octahedron. Selections by masks of sign bits, so
// that loops over it can be vectors.
[[nodiscard]] inline std::array<std::int32_t, 3> octahedron_point(std::int32_t u, std::int32_t v) {
    const std::int32_t u_negative = u >> 31;
    const std::int32_t v_negative = v >> 31;
    const std::int32_t z = 32767 - ((u ^ u_negative) - u_negative) - ((v ^ v_negative) - v_negative);
    const std::int32_t fold = z & (z >> 31);  // 0 or below; towards the middle lines
    return {u + ((fold ^ u_negative) - u_negative), v + ((fold ^ v_negative) - v_negative), z};
}
[[nodiscard]] inline std::array<std::int32_t, 3> octahedron_point(OctNormal code) {
    return octahedron_point(std::int32_t{code.u}, std::int32_t{code.v});
}

// The two axes whose deltas are stored as they are, and the third, along which the surface's normal is largest (ties: z,
// then y).
struct Axes {
    std::uint8_t across0 = 0, across1 = 1, along = 2;
};
[[nodiscard]] inline Axes axes_of(const std::array<std::int32_t, 3>& n) {
    constexpr std::array<Axes, 3> kAxes{Axes{1, 2, 0}, Axes{2, 0, 1}, Axes{0, 1, 2}};
    const std::int32_t x = std::abs(n[0]);
    const std::int32_t y = std::abs(n[1]);
    const std::int32_t z = std::abs(n[2]);
    const auto y_wins = static_cast<std::uint32_t>(y >= x);
    const auto z_wins = static_cast<std::uint32_t>((z >= x) & (z >= y));
    return kAxes[y_wins + (2 - y_wins) * z_wins];
}

// Two neighbours on a smooth surface: their distance is across the sum of their normals, to the third order. Solved for the
// delta along the main axis, rounded to the nearest (ties: even). One division of exactly representable doubles: below 2^53 in
// magnitude, as |n| < 2^17 and |d| < 2^33.
[[nodiscard]] inline std::int64_t plane_delta(const std::array<std::int32_t, 3>& n, const Axes& axes,
                                              std::int64_t d0, std::int64_t d1) {
    const std::int32_t divisor = n[axes.along];
    if (divisor == 0) return 0;
    const std::int64_t dividend = -(n[axes.across0] * d0 + n[axes.across1] * d1);
    const double quotient = static_cast<double>(dividend) / static_cast<double>(divisor);
    constexpr double kToNearest = 6755399441055744.0;  // 1.5 * 2^52: no fraction is left of a sum with it
    return static_cast<std::int64_t>((quotient + kToNearest) - kToNearest);
}

// The high bytes of the two components across, of 16-bit positions, share a byte: four bits each, the first one's lowest. 15
// stands for an extra, which is the high byte.
inline constexpr std::uint32_t kHighExtra = 15;

// --- references ---

// Codes: 0 to 3, the next vertex of one of four rising runs of new vertices of this page. From 16 on a vertex of the page of
// table entry code / 16 - 1, by its distance, modulo 4096 and in zigzag code, from the one last referred to in that page: the
// code's lowest four bits are the distance's bits 8 to 11, an extra its lowest eight. The same with two extras, the lowest eight
// bits and then bits 8 to 11: code 4 for entry 15; code 5 for the first entry that is this page, where the vertex begins a
// run, in the place of the oldest.
inline constexpr std::uint32_t kNewRuns = 4;
inline constexpr std::uint32_t kLastEntryCode = 4;
inline constexpr std::uint32_t kNewRunCode = 5;
inline constexpr std::uint32_t kFirstEntryCode = 16;

// --- triangles ---

// The triangles of a cluster grow from a first one; the border of what was written is a chain of vertices, v0, v1 and the
// stack from its top down, whose edges (v0, v1), (v1, v2), .. are directed as the triangles on their other side have them;
// while the chain is closed the edge from its last vertex to v0 is one too. A triangle whose third vertex is farther down
// splits the chain: the closed part above that vertex comes first, the rest waits. (After the cut-border machine of Gumhold
// and Strasser, "Real time compression of triangle mesh connectivity", SIGGRAPH 98.)
//
// One byte a triangle. Bits 2 to 7: how many edges are passed over, because nothing is on their other side, before the
// triangle is put on edge (v0, v1); 63: on none. Bits 0 and 1: its third vertex, as below.
inline constexpr std::uint32_t kNewVertex = 0;    // the next new one, between v0 and v1
inline constexpr std::uint32_t kChainVertex = 1;  // v2: v1 is done
inline constexpr std::uint32_t kLastVertex =
    2;  // the last of a closed chain: v0 is done, the chain begins with the last
inline constexpr std::uint32_t kExtraVertex = 3;  // one extra says which
// Extras below 128: so many vertices of the stack are above it; the chain splits. From 128 on: vertex + 128, not on the
// chain, comes between v0 and v1. A triangle on no edge begins a chain: with kind 0 it is the next three new vertices, with kind
// 3 it has three extras, its vertices; 255 stands for the next new one.
inline constexpr std::uint32_t kNoEdge = 63;
inline constexpr std::uint8_t kNewTriangle = (kNoEdge << 2U) | kNewVertex;
inline constexpr std::uint8_t kLoneTriangle = (kNoEdge << 2U) | kExtraVertex;
inline constexpr std::uint8_t kNewVertexExtra = 255;
inline constexpr std::uint8_t kNamedExtra = 128;

// Positions and depths wrap around at 256: a cluster's chain has at most 130 vertices, and no bytes lead out of the arrays.
struct Chain {
    struct Rest {
        std::uint8_t v0 = 0, top = 0, bottom = 0;
        bool closed = false;
    };
    std::array<std::uint8_t, 256> stack{};
    std::array<Rest, 256> rests{};
    std::uint8_t depth = 0;   // of the rests
    std::uint8_t top = 0;     // one above the highest
    std::uint8_t bottom = 0;  // the last vertex of the chain, if top is not there
    std::uint8_t v0 = 0, v1 = 0;
    bool closed = false;

    [[nodiscard]] std::uint8_t below(std::uint32_t above) const {
        return stack[static_cast<std::uint8_t>(top - 1 - above)];
    }
    [[nodiscard]] std::uint8_t last() const { return stack[bottom]; }
    [[nodiscard]] std::uint8_t stacked() const { return static_cast<std::uint8_t>(top - bottom); }
    [[nodiscard]] bool at_end() const { return !closed && top == bottom; }
    void begin(const std::array<std::uint8_t, 3>& t) {
        depth = top = bottom = 0;
        stack[top++] = t[1];
        v0 = t[0];
        v1 = t[2];
        closed = true;
    }
    // Passes over (v0, v1). An opened chain keeps the edge that closed it, at its end; after the end a rest goes on.
    void skip() {
        if (at_end()) {
            const Rest rest = rests[--depth];
            v0 = rest.v0;
            top = rest.top;
            bottom = rest.bottom;
            closed = rest.closed;
            v1 = stack[top];
            return;
        }
        if (closed) stack[--bottom] = v0;
        closed = false;
        v0 = v1;
        v1 = stack[--top];
    }
    // The triangle (v0, v1, v) with v in the stack, so many above it. What is above v, with v, becomes a closed chain. The
    // byte below the new bottom stays v: if that chain is opened there before v0 changes, v0 is v. Returns v.
    std::uint8_t split(std::uint32_t above) {
        const auto at = static_cast<std::uint8_t>(top - 1 - above);
        rests[depth++] = {v0, at, bottom, closed};
        v0 = stack[at];
        bottom = static_cast<std::uint8_t>(at + 1);
        closed = true;
        return v0;
    }
    // The triangle (v0, v1, v2). Returns v2.
    std::uint8_t close_v1() {
        v1 = stack[--top];
        return v1;
    }
    // The triangle (v0, v1, last). Returns the last.
    std::uint8_t close_v0() {
        v0 = stack[bottom++];
        return v0;
    }
    // The triangle (v0, v1, third), with `third` not on the chain.
    void insert(std::uint8_t third) {
        stack[top++] = v1;
        v1 = third;
    }
};

// How the codec says which vertex comes third.
struct ThirdVertex {
    std::uint32_t kind = kNewVertex;
    std::uint8_t extra = 0;
};
[[nodiscard]] inline ThirdVertex third_vertex(const Chain& chain, std::uint8_t vertex, bool used) {
    if (!used) return {};
    if (chain.stacked() != 0 && vertex == chain.below(0)) return {kChainVertex, 0};
    if (chain.closed && chain.stacked() != 0 && vertex == chain.last()) return {kLastVertex, 0};
    for (std::uint32_t above = 1; above < chain.stacked() && above < kNamedExtra; ++above) {
        if (chain.below(above) == vertex) return {kExtraVertex, static_cast<std::uint8_t>(above)};
    }
    return {kExtraVertex, static_cast<std::uint8_t>(kNamedExtra + vertex)};
}

// Adds the triangle (v0, v1, vertex) to the chain.
inline void add_triangle(Chain& chain, const ThirdVertex& third, std::uint8_t vertex) {
    if (third.kind == kExtraVertex && third.extra < kNamedExtra) {
        chain.split(third.extra);
    } else if (third.kind == kChainVertex) {
        chain.close_v1();
    } else if (third.kind == kLastVertex) {
        chain.close_v0();
    } else {
        chain.insert(vertex);
    }
}

}  // namespace sinter
