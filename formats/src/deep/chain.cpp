#include "chain.hpp"

#include <algorithm>

namespace sinter::deep {

void reduce(Chain& chain) {
    std::ranges::sort(chain, {}, &ChainEdge::key);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < chain.size();) {
        ChainEdge sum = chain[i];
        for (++i; i < chain.size() && chain[i].key == sum.key; ++i) sum.count += chain[i].count;
        if (sum.count != 0) chain[kept++] = sum;
    }
    chain.resize(kept);
}

Chain cluster_boundary(const Context& context, std::size_t cluster) {
    const auto corners = context.corners(cluster);
    Chain chain;
    chain.reserve(corners.size());
    for (std::size_t i = 0; i < corners.size(); i += 3) {
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint32_t a = context.model.point_of_vertex[corners[i + e]];
            const std::uint32_t b = context.model.point_of_vertex[corners[i + (e + 1) % 3]];
            if (a != b) chain.push_back({edge_key(a, b), a < b ? 1 : -1});
        }
    }
    reduce(chain);
    chain.shrink_to_fit();
    return chain;
}

void append_chain(Chain& out, std::span<const ChainEdge> chain, std::int32_t sign) {
    for (const ChainEdge& e : chain) out.push_back({e.key, e.count * sign});
}

std::size_t find_edge(const Chain& chain, std::uint64_t key) {
    const auto at = std::ranges::lower_bound(chain, key, {}, &ChainEdge::key);
    const auto i = static_cast<std::size_t>(at - chain.begin());
    return i < chain.size() && chain[i].key == key ? i : chain.size();
}

}  // namespace sinter::deep
