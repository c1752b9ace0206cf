// Fixed spatial chunks, so that parts of a level are worked on at the same time and still come out the same.
#pragma once

#include "cooker/math.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

struct ChunkItem {
    Float3 center;
    std::uint32_t id = 0;
};

struct CenterBox {
    Float3 low, high;
};

// The box around the centers of things. Pre: there are some.
template <typename Item>
[[nodiscard]] CenterBox box_of_centers(std::span<const Item> items) {
    CenterBox box{items[0].center, items[0].center};
    for (const Item& item : items) {
        const Float3 c = item.center;
        box.low = {std::min(box.low.x, c.x), std::min(box.low.y, c.y), std::min(box.low.z, c.z)};
        box.high = {std::max(box.high.x, c.x), std::max(box.high.y, c.y), std::max(box.high.z, c.z)};
    }
    return box;
}

// Its longest side: x before y before z where they are equal.
using Coordinate = float Float3::*;
[[nodiscard]] inline Coordinate longest_side(const CenterBox& box) {
    const Float3 size = box.high - box.low;
    if (size.x >= size.y && size.x >= size.z) return &Float3::x;
    return size.y >= size.z ? &Float3::y : &Float3::z;
}

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
