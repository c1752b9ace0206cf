// Which triangles meet at an edge.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

inline constexpr std::uint32_t kNoHalfEdge = 0xffffffffU;

// Half edge 3 t + k runs from corner k of triangle t to corner (k + 1) % 3.
[[nodiscard]] constexpr std::uint32_t next_corner(std::uint32_t corner) {
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}
[[nodiscard]] constexpr std::uint32_t previous_corner(std::uint32_t corner) {
    return corner % 3 == 0 ? corner + 2 : corner - 1;
}

// For each half edge its mate: the half edge between the same two ids that runs the other way, or
// kNoHalfEdge. Where more than two meet, the i-th of one direction mates with the i-th of the other, in
// ascending order. Half edges between equal ids have no mate. O(n log valence), deterministic.
// Pre: ids.size() is a multiple of 3 and below 2^32 - 1; ids < id_count.
[[nodiscard]] std::vector<std::uint32_t> mate_half_edges(std::span<const std::uint32_t> ids,
                                                         std::size_t id_count);

}  // namespace sinter
