#include "cooker/mesh/half_edges.hpp"

#include <algorithm>

namespace sinter {
namespace {

// The half edges that have the same lower id: (higher id, half edge), sorted.
struct Entry {
    std::uint32_t other = 0;
    std::uint32_t half_edge = 0;
    auto operator<=>(const Entry&) const = default;
};

// Mates the half edges of one edge: entries [first, last), all between the same two ids.
void mate_edge(std::span<const Entry> edge, std::uint32_t lower, std::span<const std::uint32_t> ids,
               std::vector<std::uint32_t>& mates) {
    const auto leaves_lower = [&](const Entry& entry) { return ids[entry.half_edge] == lower; };
    auto forward = edge.begin();
    auto backward = edge.begin();
    while (true) {
        forward = std::find_if(forward, edge.end(), leaves_lower);
        backward = std::find_if_not(backward, edge.end(), leaves_lower);
        if (forward == edge.end() || backward == edge.end()) return;
        mates[forward->half_edge] = backward->half_edge;
        mates[backward->half_edge] = forward->half_edge;
        ++forward;
        ++backward;
    }
}

}  // namespace

std::vector<std::uint32_t> mate_half_edges(std::span<const std::uint32_t> ids, std::size_t id_count) {
    std::vector<std::uint32_t> mates(ids.size(), kNoHalfEdge);
    const auto end_of = [&](std::uint32_t half_edge) { return ids[next_corner(half_edge)]; };

    std::vector<std::uint32_t> first(id_count + 1, 0);  // bucket of each lower id
    for (std::uint32_t h = 0; h < ids.size(); ++h) {
        if (ids[h] != end_of(h)) ++first[std::min(ids[h], end_of(h)) + 1U];
    }
    for (std::size_t i = 0; i < id_count; ++i) first[i + 1] += first[i];
    std::vector<Entry> entries(first[id_count]);
    std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
    for (std::uint32_t h = 0; h < ids.size(); ++h) {
        const auto [lower, higher] = std::minmax({ids[h], end_of(h)});
        if (lower != higher) entries[fill[lower]++] = {higher, h};
    }
    for (std::uint32_t id = 0; id < id_count; ++id) {
        const std::span bucket(entries.data() + first[id], first[id + 1U] - first[id]);
        std::ranges::sort(bucket);
        for (std::size_t begin = 0; begin < bucket.size();) {
            std::size_t end = begin + 1;
            while (end < bucket.size() && bucket[end].other == bucket[begin].other) ++end;
            if (end - begin > 1) mate_edge(bucket.subspan(begin, end - begin), id, ids, mates);
            begin = end;
        }
    }
    return mates;
}

}  // namespace sinter
