// Triangles and references of an encoded page. Both are read symbol by symbol, a few nanoseconds each: what is frequent has no
// branch that a processor could guess wrong.
#include "page_decoding.hpp"

#include <algorithm>

namespace sinter {
namespace {

// The chain of page_streams.hpp as one array, v0 on top: positions p, p - 1, .. down to `bottom` hold v0, v1, .. . A closed
// chain has v0 at the bottom too: its last edge is an edge like the others, passing over any edge is p - 1, and opening it
// happens by itself.
struct Front {
    std::uint32_t p = 0;
    std::uint32_t bottom = 0;
    std::uint32_t next = 0;  // the next new vertex
    bool broken = false;     // stays so until the cluster's end
};

constexpr std::uint32_t kFirstBottom = 1;
// A triangle raises p, or the bottom, by one at most, from 4 and 1; no cluster has more than 255.
constexpr std::size_t kFrontSize = 512;

struct TriangleReader {
    struct Rest {
        std::uint32_t p = 0, bottom = 0;
        std::uint8_t v0 = 0;
    };
    const std::uint8_t* extra = nullptr;
    std::uint32_t depth = 0;
    std::array<std::uint8_t, kFrontSize> vertices{};
    std::array<Rest, 256> rests{};

    Front read(Front f, std::uint32_t symbol, std::uint8_t* out);
    // The ways of few: passes over edges to the chain that waits, begins a chain, splits one or names a vertex.
    Front pass(Front f, std::uint32_t skips);
    Front begin(Front f, std::uint32_t symbol, std::uint8_t* out);
    Front split_or_insert(Front f, std::uint8_t* out);
    Front break_off(Front f) {  // no edge is left, so that nothing goes on
        depth = 0;
        return {.p = f.bottom, .bottom = f.bottom, .next = f.next, .broken = true};
    }
};

Front TriangleReader::pass(Front f, std::uint32_t skips) {
    while (f.p <= f.bottom + skips) {
        if (depth == 0) return break_off(f);
        skips -= f.p - f.bottom;
        const Rest& rest = rests[--depth];
        f.p = rest.p;
        f.bottom = rest.bottom;
        vertices[f.p] = rest.v0;
    }
    f.p -= skips;
    return f;
}

Front TriangleReader::begin(Front f, std::uint32_t symbol, std::uint8_t* out) {
    std::array<std::uint8_t, 3> t{};
    for (std::uint8_t& v : t) {
        v = symbol == kLoneTriangle ? *extra++ : kNewVertexExtra;
        if (v == kNewVertexExtra) v = static_cast<std::uint8_t>(f.next++);
    }
    std::ranges::copy(t, out);
    depth = 0;
    f.bottom = kFirstBottom;
    f.p = kFirstBottom + 3;
    vertices[f.bottom] = vertices[f.p] = t[0];
    vertices[f.bottom + 1] = t[1];
    vertices[f.bottom + 2] = t[2];
    return f;
}

Front TriangleReader::split_or_insert(Front f, std::uint8_t* out) {
    const std::uint8_t which = *extra++;
    const std::uint8_t v0 = vertices[f.p];
    out[0] = v0;
    out[1] = vertices[f.p - 1];
    if (which >= kNamedExtra) {
        const auto named = static_cast<std::uint8_t>(which - kNamedExtra);
        out[2] = named;
        vertices[f.p] = named;
        vertices[++f.p] = v0;
        return f;
    }
    const std::uint32_t below_v1 = f.p - 1 - f.bottom;
    if (which >= below_v1 || depth == rests.size()) return break_off(f);
    const std::uint32_t at = f.p - 2 - which;
    out[2] = vertices[at];
    rests[depth++] = {at + 1, f.bottom, v0};
    vertices[f.p] = vertices[at];
    f.bottom = at;
    return f;
}

// What the frequent symbols do; the others skip more than any chain has.
struct Move {
    std::uint8_t skips = 255;
    std::int8_t step = 0;  // of p, from where it was
    std::uint8_t is_new = 0, is_last = 0;
};
constexpr auto kMoves = [] {
    std::array<Move, 256> moves{};
    for (std::uint32_t symbol = 0; symbol < 256; ++symbol) {
        const std::uint32_t kind = symbol & 3U;
        if (kind == kExtraVertex) continue;
        const auto skips = static_cast<std::uint8_t>(symbol >> 2U);
        const std::int32_t step = kind == kNewVertex ? 1 : (kind == kChainVertex ? -1 : 0);
        moves[symbol] = {skips, static_cast<std::int8_t>(step - skips), kind == kNewVertex,
                         kind == kLastVertex};
    }
    return moves;
}();

inline Front TriangleReader::read(Front f, std::uint32_t symbol, std::uint8_t* out) {
    Move move = kMoves[symbol];
    if (f.p <= f.bottom + move.skips) [[unlikely]] {
        const std::uint32_t skips = symbol >> 2U;
        if (skips == kNoEdge) return begin(f, symbol, out);
        f = pass(f, skips);
        if (f.broken) return f;
        if ((symbol & 3U) == kExtraVertex) return split_or_insert(f, out);
        move = kMoves[symbol & 3U];
    }
    // Three kinds without a branch: a new vertex comes between v0 and v1, v1 goes, or v0 goes.
    const std::uint32_t p = f.p - move.skips;
    const std::uint32_t v0 = vertices[p];
    const std::uint32_t v1 = vertices[p - 1];
    const std::uint32_t mask_new = 0U - move.is_new;
    const std::uint32_t place = move.is_last != 0 ? f.bottom + 1 : p - 2;
    const std::uint32_t third = (vertices[place] & ~mask_new) | (f.next & mask_new);
    f.p += static_cast<std::uint32_t>(std::int32_t{move.step});
    vertices[f.p] = static_cast<std::uint8_t>(v0);
    vertices[p] = static_cast<std::uint8_t>(third);  // if v0 goes, in its place; if v1 goes, above the top
    const std::uint32_t word = v0 | v1 << 8U | third << 16U;
    std::memcpy(out, &word, sizeof(word));  // the fourth byte is the next triangle's
    f.bottom += move.is_last;
    f.next += move.is_new;
    return f;
}

}  // namespace

bool decode_triangles(const Decoding& d) {
    const std::uint8_t* code = d.stream(Stream::TriangleCodes);
    TriangleReader reader;
    reader.extra = d.stream(Stream::TriangleExtras);
    std::array<std::uint8_t, 3 * 256 + 1> bytes{};  // of a cluster; each write goes one too far
    for (const ClusterRecord& c : d.records) {
        Front f{.p = kFirstBottom, .bottom = kFirstBottom};  // no edge: every cluster begins a chain
        reader.depth = 0;
        std::size_t i = 0;
        if (c.triangle_count != 0 && *code >= kNewTriangle) f = reader.begin(f, code[i++], bytes.data());
        for (; i < c.triangle_count; ++i) f = reader.read(f, code[i], bytes.data() + 3 * i);
        if (f.broken) return false;
        code += c.triangle_count;
        const std::size_t size = std::size_t{3} * c.triangle_count;
        const std::size_t padded = padded_triangle_bytes(c.triangle_count);
        std::memset(bytes.data() + size, 0, padded - size);
        std::memcpy(d.page.data() + d.layout.triangles + c.first_triangle_byte, bytes.data(), padded);
    }
    return reader.extra == d.stream(Stream::TriangleExtras) + d.header.triangle_extras;
}

namespace {

// What the upper four bits of a reference's code mean while a table is in use: 0 a run, else a table entry. The last vertex of
// each run and of each page that is referred to has a slot; a run's code moves its own and that of this page.
struct ReferenceRow {
    std::uint32_t slot = 0, also = 0;
    std::uint32_t explicit_mask = 0;  // all ones if it is no run
    std::uint32_t entry = 0;          // in its place in the reference
};
struct ReferenceRows {
    std::array<ReferenceRow, kMaxPageTable + 1> rows{};
    ReferenceRow own;  // explicit
};

ReferenceRows reference_rows(const Decoding& d, std::span<const std::uint32_t> distinct,
                             const ClusterRecord& c) {
    const auto slot_of = [&](std::uint32_t page) {
        return kNewRuns +
               static_cast<std::uint32_t>(std::ranges::lower_bound(distinct, page) - distinct.begin());
    };
    ReferenceRows out;
    const std::uint32_t own = slot_of(d.header.page);
    out.own = {.slot = own, .also = own, .explicit_mask = ~0U};
    out.rows.fill(out.own);  // entries that the table does not have read as something in range
    for (std::uint32_t i = c.table_size; i-- > 0;) {
        const std::uint32_t slot = slot_of(d.tables[c.first_table_entry + i]);
        out.rows[i + 1] = {slot, slot, ~0U, make_reference(i, 0)};
        if (slot == own) out.own.entry = make_reference(i, 0);
    }
    out.rows[0] = {.also = own, .entry = out.own.entry};
    return out;
}

}  // namespace

bool decode_references(const Decoding& d) {
    std::vector<std::uint32_t> distinct(d.tables.begin(), d.tables.end());
    distinct.push_back(d.header.page);
    std::ranges::sort(distinct);
    distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
    std::vector<std::uint32_t> last(kNewRuns + distinct.size());               // modulo 4096
    std::ranges::fill(std::span(last).first(kNewRuns), kMaxPageVertices - 1);  // one before the next
    std::uint32_t oldest = 1;
    const std::uint8_t* symbol = d.stream(Stream::ReferenceCodes);
    const std::uint8_t* extra = d.stream(Stream::ReferenceExtras);
    std::byte* out = d.page.data() + d.layout.references;
    ReferenceRows table;
    const ClusterRecord* previous = nullptr;
    for (const ClusterRecord& c : d.records) {
        if (previous == nullptr || previous->first_table_entry != c.first_table_entry ||
            previous->table_size != c.table_size)
            table = reference_rows(d, distinct, c);
        previous = &c;
        for (std::uint32_t i = 0; i < c.vertex_count; ++i, out += 2) {
            const std::uint32_t code = *symbol++;
            const ReferenceRow* row = &table.rows[code / 16];
            std::uint32_t zigzagged = extra[0] | code % 16 << 8U;
            if (code == kLastEntryCode || code == kNewRunCode) [[unlikely]] {
                row = code == kNewRunCode ? &table.own : &table.rows.back();
                zigzagged = extra[0] | (extra[1] & 15U) << 8U;
                ++extra;
            }
            const std::uint32_t mask = row->explicit_mask;
            const std::uint32_t difference = (zigzagged >> 1U) ^ (0U - (zigzagged & 1U));
            extra += mask & 1U;
            const std::uint32_t slot = row->slot + (code & ~mask & (kNewRuns - 1));
            const std::uint32_t vertex = last[slot] + 1U + ((difference - 1U) & mask);
            last[slot] = vertex;
            last[row->also] = vertex;
            if (code == kNewRunCode) [[unlikely]] {
                last[oldest] = vertex;
                oldest = (oldest + 1) % kNewRuns;
            }
            const auto reference = static_cast<std::uint16_t>(row->entry | vertex % kMaxPageVertices);
            std::memcpy(out, &reference, 2);
        }
    }
    return extra == d.stream(Stream::ReferenceExtras) + d.header.reference_extras;
}

}  // namespace sinter
