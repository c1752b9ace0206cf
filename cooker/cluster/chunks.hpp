// Fixed spatial chunks, so that parts of a level are worked on at the same time and still come out the same.
#pragma once

#include "cooker/math.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

struct ChunkItem {
    Float3 center;
    std::uint32_t id = 0;
};

struct ChunkRule {
    std::uint32_t most = 1;         // items a chunk, at least `granularity`
    std::uint32_t granularity = 1;  // cuts lie at multiples of it
    double share = 0.5;             // of the items before a cut, in [0.25, 0.75]
};

// Sorts items into chunks by cuts across the longest side of their box, at the item that has `share` of them before it;
// items on one plane are taken by rising id. Returns the first item of each chunk, and the count at the end; no items
// give no chunk. Inside a chunk items come by id. A pure function of the set of items: Bentley, "Multidimensional
// binary search trees used for associative searching", 1975. Pre: centers are finite, ids differ.
[[nodiscard]] std::vector<std::uint32_t> sort_into_chunks(std::span<ChunkItem> items, const ChunkRule& rule);

}  // namespace sinter
