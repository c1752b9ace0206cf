// Dense numbers for the few vertices that a group or a chunk of a large mesh uses.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sinter {

// Numbers keys 0, 1, 2 in the order in which they are first added. A hash table with linear probing (Knuth, "The Art of
// Computer Programming" 3, 1998, section 6.4, algorithm L); its order of slots is never seen.
class LocalIndex {
public:
    // `most`: an upper bound of the number of different keys.
    explicit LocalIndex(std::size_t most)
        : slots_(std::bit_ceil(most + most / 4 + 2), kEmpty),
          shift_(64 - static_cast<unsigned>(std::countr_zero(slots_.size()))) {}

    // The number of a key, a new one if it was not there.
    std::uint32_t add(std::uint64_t key) {
        std::size_t slot = home_of(key);
        while (slots_[slot] != kEmpty && keys_[slots_[slot]] != key) slot = (slot + 1) & (slots_.size() - 1);
        if (slots_[slot] == kEmpty) {
            slots_[slot] = static_cast<std::uint32_t>(keys_.size());
            keys_.push_back(key);
        }
        return slots_[slot];
    }

    // The keys by number.
    [[nodiscard]] const std::vector<std::uint64_t>& keys() const { return keys_; }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }

private:
    static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();

    // The upper bits of the product with 2^64 / the golden ratio (the same book, "Fibonacci hashing").
    [[nodiscard]] std::size_t home_of(std::uint64_t key) const {
        return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> shift_);
    }

    std::vector<std::uint32_t> slots_;
    unsigned shift_;
    std::vector<std::uint64_t> keys_;
};

}  // namespace sinter
