// Union-find whose representatives do not depend on the order of the unions.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace sinter {

// Sets of 0 .. count - 1; each is represented by its smallest element. Path halving: Tarjan and van Leeuwen, "Worst-case
// Analysis of Set Union Algorithms" (J. ACM 31, 1984).
class DisjointSets {
public:
    explicit DisjointSets(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), 0U);
    }

    [[nodiscard]] std::uint32_t find(std::uint32_t element) {
        while (parent_[element] != element) {
            parent_[element] = parent_[parent_[element]];
            element = parent_[element];
        }
        return element;
    }

    void unite(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        if (a < b) parent_[b] = a;
        if (b < a) parent_[a] = b;
    }

    // Sets numbered 0, 1, 2, ... by their smallest element; returns how many. Ends the use as a union-find.
    [[nodiscard]] std::size_t number_sets(std::vector<std::uint32_t>& set_of_element) {
        set_of_element.resize(parent_.size());
        std::uint32_t next = 0;
        for (std::uint32_t i = 0; i < parent_.size(); ++i) {
            const std::uint32_t root = find(i);
            set_of_element[i] = root == i ? next++ : set_of_element[root];
        }
        return next;
    }

private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace sinter
