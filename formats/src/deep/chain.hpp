// Chains of directed edges on points: how often a -> b minus how often b -> a, for a < b. The boundary of a surface is the
// chain of all its triangles' edges; where it is zero, the surface is closed.
#pragma once

#include "context.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::deep {

struct ChainEdge {
    std::uint64_t key = 0;  // the lower point in the upper half
    std::int32_t count = 0;
    [[nodiscard]] std::uint32_t low() const { return static_cast<std::uint32_t>(key >> 32U); }
    [[nodiscard]] std::uint32_t high() const { return static_cast<std::uint32_t>(key); }
};
using Chain = std::vector<ChainEdge>;  // by key, no key twice, no count of zero

[[nodiscard]] inline std::uint64_t edge_key(std::uint32_t a, std::uint32_t b) {
    return a < b ? std::uint64_t{a} << 32U | b : std::uint64_t{b} << 32U | a;
}

// Sorts, sums and drops zeros.
void reduce(Chain& chain);

// The boundary of one cluster.
[[nodiscard]] Chain cluster_boundary(const Context& context, std::size_t cluster);

// The sum of some clusters' chains, each times `sign`, added to a chain that is not reduced yet.
void append_chain(Chain& out, std::span<const ChainEdge> chain, std::int32_t sign);

// The position of a key in a chain; chain.size() if it is not there.
[[nodiscard]] std::size_t find_edge(const Chain& chain, std::uint64_t key);

}  // namespace sinter::deep
