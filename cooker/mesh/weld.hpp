// Weld: gives equal vertices one number. Equality is whole-key equality; a hash only finds candidates.
#pragma once

#include "cooker/math.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// One attribute of the key: `words` 32-bit components a vertex, tightly packed. Float components compare as
// == does (-0 equals +0, NaN equals nothing, itself included), integers bit by bit.
struct KeyStream {
    const std::byte* data = nullptr;
    std::size_t words = 0;
    bool is_float = false;
};

[[nodiscard]] inline KeyStream key_stream(std::span<const std::uint32_t> values, std::size_t words = 1) {
    return {std::as_bytes(values).data(), words, false};
}
[[nodiscard]] inline KeyStream key_stream(std::span<const std::array<std::uint32_t, 3>> values) {
    return {std::as_bytes(values).data(), 3, false};
}
[[nodiscard]] inline KeyStream key_stream(std::span<const std::array<std::int32_t, 3>> values) {
    return {std::as_bytes(values).data(), 3, false};
}
[[nodiscard]] inline KeyStream key_stream(std::span<const Float2> values) {
    return {std::as_bytes(values).data(), 2, true};
}
[[nodiscard]] inline KeyStream key_stream(std::span<const Float3> values) {
    return {std::as_bytes(values).data(), 3, true};
}
[[nodiscard]] inline KeyStream key_stream(std::span<const Float4> values) {
    return {std::as_bytes(values).data(), 4, true};
}

struct WeldMap {
    std::vector<std::uint32_t> unique_of_vertex;  // ids 0, 1, 2, ... in the order of first occurrence
    std::vector<std::uint32_t> first_vertex;      // of each id: the first vertex that has it
    [[nodiscard]] std::size_t unique_count() const { return first_vertex.size(); }
};

// Numbers the vertices so that two have the same id exactly when all streams are equal. The answer depends
// on the keys and their order alone, never on the hash. Open addressing, about O(vertex_count * words).
// Pre: every stream holds words * vertex_count components; vertex_count < 2^32 - 1. No streams: all equal.
[[nodiscard]] WeldMap weld(std::span<const KeyStream> key, std::size_t vertex_count);

}  // namespace sinter
