// Groups of many loose pieces: leaves, shells, soup. Edge collapses by error alone take whole pieces away from one corner
// of such a group, because all of them cost about the same; the hole is then as large as the group. Here each piece is
// simplified by itself as far as it goes, and then every other one is left out, evenly over space.
#pragma once

#include "cooker/cluster/wedges.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Triangles that hang together by points.
struct Piece {
    std::uint32_t triangles = 0;
    bool locked = false;  // has a locked point: other groups hang on it
    Float3 low, high;
    [[nodiscard]] Float3 center() const { return (low + high) * 0.5F; }
    [[nodiscard]] float size() const { return length(high - low); }
};

struct Pieces {
    std::vector<std::uint32_t> of_wedge;
    std::vector<Piece> pieces;  // by their first wedge
};

[[nodiscard]] Pieces find_pieces(const WedgeMesh& local);

// Whether pieces without a locked point are gone from a result (wedges, three a triangle).
[[nodiscard]] bool loses_pieces(const Pieces& pieces, std::span<const std::uint32_t> result);

// Simplifies each piece to its share of `goal`, to two triangles at least, or four where more go in (a closed piece);
// where that is not enough, keeps pieces so that each pair of neighbours keeps one: neighbours by cuts at medians, the
// larger one first. At least one piece stays. The error covers the way from a piece to its kept neighbour.
[[nodiscard]] Collapsed simplify_pieces(const WedgeMesh& local, const Pieces& pieces, std::size_t goal);

}  // namespace sinter
