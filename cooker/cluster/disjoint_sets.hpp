// Which things hang together, while edges between them come in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sinter {

// Sets of the numbers below a count, each number alone at first; the smallest number of a set is its root, so roots do
// not depend on the order of unite(). Path halving: Tarjan and van Leeuwen, "Worst-case Analysis of Set Union
// Algorithms" (J. ACM 31, 1984).
class DisjointSets {
public:
    explicit DisjointSets(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), 0U);
    }

    std::uint32_t root_of(std::uint32_t a) {
        while (parent_[a] != a) {
            parent_[a] = parent_[parent_[a]];
            a = parent_[a];
        }
        return a;
    }

    void unite(std::uint32_t a, std::uint32_t b) {
        a = root_of(a);
        b = root_of(b);
        if (a < b) {
            parent_[b] = a;
        } else {
            parent_[a] = b;
        }
    }

private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace sinter
