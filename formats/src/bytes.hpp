// Records and offsets in bytes. Internal to formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

namespace sinter {

using Bytes = std::span<const std::byte>;

// Record `index` of decoded bytes. Pre: it lies inside.
template <typename Record>
[[nodiscard]] Record record_at(Bytes bytes, std::size_t index) {
    Record record{};
    std::memcpy(&record, bytes.data() + index * sizeof(Record), sizeof(Record));
    return record;
}

// The sum, or the largest number where it does not fit.
[[nodiscard]] constexpr std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    return a > kMax - b ? kMax : a + b;
}

// The first multiple of `alignment` (a power of two) that is not below `offset`; saturates below 2^64.
[[nodiscard]] constexpr std::uint64_t align_up(std::uint64_t offset, std::uint64_t alignment) {
    return saturating_add(offset, alignment - 1) & ~(alignment - 1);
}

}  // namespace sinter
