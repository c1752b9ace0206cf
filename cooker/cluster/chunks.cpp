#include "cooker/cluster/chunks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sinter {
namespace {

// Items before the cut: a multiple of the granularity, both sides not empty.
std::size_t cut_of(std::size_t count, const ChunkRule& rule) {
    const std::size_t grains = (count + rule.granularity - 1) / rule.granularity;
    const auto before = static_cast<std::size_t>(std::llround(static_cast<double>(grains) * rule.share));
    return std::clamp<std::size_t>(before, 1, grains - 1) * rule.granularity;
}

void cut(std::span<ChunkItem> items, std::uint32_t first, const ChunkRule& rule,
         std::vector<std::uint32_t>& chunks) {
    if (items.size() <= rule.most) {
        std::ranges::sort(items, {}, &ChunkItem::id);
        chunks.push_back(first);
        return;
    }
    const Coordinate side = longest_side(box_of_centers<ChunkItem>(items));
    const std::size_t middle = cut_of(items.size(), rule);
    const auto before = [side](const ChunkItem& a, const ChunkItem& b) {
        const float x = a.center.*side, y = b.center.*side;
        return x < y || (x == y && a.id < b.id);
    };
    std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(middle), items.end(), before);
    cut(items.first(middle), first, rule, chunks);
    cut(items.subspan(middle), first + static_cast<std::uint32_t>(middle), rule, chunks);
}

}  // namespace

std::vector<std::uint32_t> sort_into_chunks(std::span<ChunkItem> items, const ChunkRule& rule) {
    std::vector<std::uint32_t> chunks;
    if (items.empty()) return chunks;
    cut(items, 0, rule, chunks);
    chunks.push_back(static_cast<std::uint32_t>(items.size()));
    return chunks;
}

}  // namespace sinter
