#include "cooker/mesh/weld.hpp"

#include <bit>
#include <cassert>
#include <cstring>
#include <limits>

namespace sinter {
namespace {

constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kPrefetchDistance = 16;

// A table entry: the id, and 32 bits of its hash so that most unequal keys are never compared.
struct Slot {
    std::uint32_t id = kEmpty;
    std::uint32_t tag = 0;
};

std::uint32_t load_word(const std::byte* at) {
    std::uint32_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}

bool is_nan(std::uint32_t word) { return (word & 0x7fffffffU) > 0x7f800000U; }

// -0 and +0 are one key.
std::uint32_t canonical(std::uint32_t word, bool is_float) {
    return is_float && word == 0x80000000U ? 0 : word;
}

struct HashedKey {
    std::uint64_t hash = 0;
    bool has_nan = false;
};

// Multiply and rotate a word at a time, then the finaliser of MurmurHash3 (A. Appleby, public domain).
HashedKey hash_vertex(std::span<const KeyStream> key, std::size_t vertex) {
    std::uint64_t hash = 0x9e3779b97f4a7c15U;
    bool has_nan = false;
    for (const KeyStream& stream : key) {
        const std::byte* at = stream.data + vertex * stream.words * 4;
        for (std::size_t i = 0; i < stream.words; ++i) {
            const std::uint32_t word = load_word(at + 4 * i);
            has_nan |= stream.is_float && is_nan(word);
            hash = std::rotl((hash ^ canonical(word, stream.is_float)) * 0xd6e8feb86659fd93U, 32);
        }
    }
    hash ^= hash >> 33U;
    hash *= 0xff51afd7ed558ccdU;
    hash ^= hash >> 33U;
    return {hash, has_nan};
}

bool same_key(std::span<const KeyStream> key, std::size_t a, std::size_t b) {
    for (const KeyStream& stream : key) {
        const std::byte* at_a = stream.data + a * stream.words * 4;
        const std::byte* at_b = stream.data + b * stream.words * 4;
        for (std::size_t i = 0; i < stream.words; ++i) {
            const std::uint32_t word_a = canonical(load_word(at_a + 4 * i), stream.is_float);
            const std::uint32_t word_b = canonical(load_word(at_b + 4 * i), stream.is_float);
            if (word_a != word_b) return false;
        }
    }
    return true;
}

}  // namespace

WeldMap weld(std::span<const KeyStream> key, std::size_t vertex_count) {
    assert(vertex_count < kEmpty);
    WeldMap map;
    map.unique_of_vertex.resize(vertex_count);
    std::vector<HashedKey> hashes(vertex_count);
    for (std::size_t v = 0; v < vertex_count; ++v) hashes[v] = hash_vertex(key, v);

    const std::size_t capacity = std::bit_ceil(vertex_count + vertex_count / 2 + 1);
    const std::size_t mask = capacity - 1;
    std::vector<Slot> slots(capacity);
    const auto new_id = [&](std::size_t v) {
        const auto id = static_cast<std::uint32_t>(map.first_vertex.size());
        map.first_vertex.push_back(static_cast<std::uint32_t>(v));
        map.unique_of_vertex[v] = id;
        return id;
    };
    for (std::size_t v = 0; v < vertex_count; ++v) {
        if (v + kPrefetchDistance < vertex_count) {
            __builtin_prefetch(&slots[hashes[v + kPrefetchDistance].hash & mask]);
        }
        if (hashes[v].has_nan) {
            new_id(v);
            continue;
        }
        const auto tag = static_cast<std::uint32_t>(hashes[v].hash >> 32U);
        std::size_t at = hashes[v].hash & mask;
        while (slots[at].id != kEmpty) {
            if (slots[at].tag == tag && same_key(key, map.first_vertex[slots[at].id], v)) break;
            at = (at + 1) & mask;
        }
        if (slots[at].id == kEmpty) {
            slots[at] = {new_id(v), tag};
        } else {
            map.unique_of_vertex[v] = slots[at].id;
        }
    }
    return map;
}

}  // namespace sinter
