#include "page_sweeps.hpp"

#include <sinter/formats/page.hpp>

#include <algorithm>
#include <array>
#include <cassert>

namespace sinter {
namespace {

// Highest bits of those 16-bit lanes that are 0x8000, and perhaps of others above them: not 0 if and only if there is one.
// (Zero lanes of x: Warren, "Hacker's Delight", section 6-1.)
template <typename Word>
constexpr Word lowest_codes(Word lanes) {
    constexpr auto kOnes = static_cast<Word>(0x0001000100010001);
    constexpr auto kHigh = static_cast<Word>(0x8000800080008000);
    const Word x = lanes ^ kHigh;
    return (x - kOnes) & ~x & kHigh;
}

// One bit a 16-bit code: set where a 20-bit normal has it.
constexpr auto kImageBits = [] {
    std::array<std::uint64_t, 1024> bits{};
    for (std::int32_t a = -kOct20Max; a <= kOct20Max; ++a) {
        const auto code = static_cast<std::uint16_t>(oct20_expand(a));
        bits[code / 64U] |= std::uint64_t{1} << (code % 64U);
    }
    return bits;
}();

// Corners of a triangle that are compared with the next one, and with the one after it.
constexpr std::size_t kMaxBytes = std::size_t{3} * kMaxClusterTriangles;
struct CornerMasks {
    std::array<std::uint8_t, kMaxBytes> next{}, second{};
};
constexpr CornerMasks kCorners = [] {
    CornerMasks masks;
    for (std::size_t i = 0; i < kMaxBytes; ++i) {
        masks.next[i] = i % 3 == 2 ? 0 : 1;
        masks.second[i] = i % 3 == 0 ? 1 : 0;
    }
    return masks;
}();

}  // namespace

bool are_good_vertices(Bytes vertices, std::uint32_t position_bits, bool has_tangents) {
    std::uint64_t bad = 0;
    const std::size_t words = vertices.size() / 8;
    if (position_bits == 16) {
        constexpr std::uint64_t kPosition = 0x0000FFFFFFFFFFFF;
        const std::uint64_t zeros = has_tangents ? 0 : ~kPosition;
        for (std::size_t i = 0; i < words; ++i) {
            const auto word = record_at<std::uint64_t>(vertices, i);
            bad |= (lowest_codes(word) & kPosition) | (word & zeros);
        }
    } else {  // z, tangent, reserved are the second half; z may be any number
        const std::uint64_t zeros = has_tangents ? 0xFFFF000000000000 : 0xFFFFFFFF00000000;
        for (std::size_t i = 1; i < words; i += 2) bad |= record_at<std::uint64_t>(vertices, i) & zeros;
    }
    return bad == 0;
}

bool are_good_normals(Bytes normals, std::uint32_t normal_bits) {
    const std::size_t count = normals.size() / sizeof(OctNormal);
    if (normal_bits == 20) {
        std::uint64_t good = 1;
        for (std::size_t i = 0; i < 2 * count; ++i) {
            const auto code = record_at<std::uint16_t>(normals, i);
            good &= kImageBits[code / 64U] >> (code % 64U);
        }
        return good != 0;
    }
    std::uint32_t bad = 0;
    for (std::size_t i = 0; i < count; ++i) bad |= lowest_codes(record_at<std::uint32_t>(normals, i));
    return bad == 0;
}

bool are_entries_below(Bytes references, std::uint32_t count) {
    std::uint16_t largest = 0;
    for (std::size_t i = 0; i < references.size() / 2; ++i)
        largest = std::max(largest, record_at<std::uint16_t>(references, i));
    return references.empty() || reference_entry(largest) < count;
}

bool are_vertices_below(Bytes references, std::uint32_t entry, std::uint32_t count) {
    const auto own = static_cast<std::int16_t>(entry);
    const auto end = static_cast<std::int16_t>(count);
    std::int16_t bad = 0;
    for (std::size_t i = 0; i < references.size() / 2; ++i) {
        const auto reference = record_at<std::uint16_t>(references, i);
        const auto its_entry = static_cast<std::int16_t>(reference >> 12U);
        const auto vertex = static_cast<std::int16_t>(reference & 0xFFFU);
        bad = static_cast<std::int16_t>(bad | ((its_entry == own ? -1 : 0) & (vertex >= end ? -1 : 0)));
    }
    return bad == 0;
}

bool are_good_triangles(Bytes triangles, std::uint32_t vertex_count) {
    assert(triangles.size() <= kMaxBytes);
    std::array<std::uint8_t, kMaxBytes + 2> corners{};  // compared with what is up to two bytes behind
    std::memcpy(corners.data(), triangles.data(), triangles.size());
    std::uint8_t largest = 0;
    std::uint8_t equal = 0;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const std::uint8_t corner = corners[i];
        largest = std::max(largest, corner);
        const std::uint8_t next = kCorners.next[i];
        const std::uint8_t second = kCorners.second[i];
        equal = static_cast<std::uint8_t>(equal | (next & (corner == corners[i + 1] ? 0xFFU : 0U)) |
                                          (second & (corner == corners[i + 2] ? 0xFFU : 0U)));
    }
    return largest < vertex_count && equal == 0;
}

}  // namespace sinter
