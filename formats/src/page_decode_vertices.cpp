// Normals, positions and tangents of an encoded page. What does not hang on the vertex before is done for a block of vertices at
// a time, in loops over plain arrays that a compiler turns into vector instructions.
#include "page_decoding.hpp"

#include <algorithm>
#include <type_traits>

namespace sinter {
namespace {

constexpr std::size_t kBlock = 256;  // vertices; all arrays of a block stay in the first cache

void decode_normals20(const Decoding& d) {
    static constexpr auto kImages = [] {
        std::array<std::int16_t, 1024> images{};
        for (std::int32_t i = 0; i < 1023; ++i)
            images[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(oct20_expand(i - kOct20Max));
        return images;
    }();
    const std::uint8_t* low = d.stream(Stream::NormalLow);
    const std::uint8_t* high = d.stream(Stream::NormalHigh);
    std::byte* out = d.page.data() + d.layout.normals;
    std::uint32_t u = kOct20Max;
    std::uint32_t v = kOct20Max;
    // Values in [0, 1022], deltas modulo 1023; 1023 cannot come from an encoder and reads as 0.
    const auto add = [](std::uint32_t value, std::uint32_t code) {
        const std::uint32_t step = (code & 1U) != 0 ? 1022 - (code >> 1U) : code >> 1U;
        const std::uint32_t sum = value + step;
        return sum >= 1023 ? sum - 1023 : sum;
    };
    for (std::size_t i = 0; i < d.header.vertex_count; ++i) {
        u = add(u, low[2 * i] | ((high[i] & 3U) << 8U));
        v = add(v, low[2 * i + 1] | ((high[i] & 12U) << 6U));
        const OctNormal n{kImages[u], kImages[v]};
        std::memcpy(out + i * 4, &n, 4);
    }
}

void decode_normals32(const Decoding& d) {
    const std::uint8_t* low = d.stream(Stream::NormalLow);
    const std::uint8_t* high = d.stream(Stream::NormalHigh);
    std::byte* out = d.page.data() + d.layout.normals;
    std::uint16_t u = 0;
    std::uint16_t v = 0;
    for (std::size_t i = 0; i < d.header.vertex_count; ++i) {
        const auto du = static_cast<std::uint16_t>(low[2 * i] | (high[2 * i] << 8U));
        const auto dv = static_cast<std::uint16_t>(low[2 * i + 1] | (high[2 * i + 1] << 8U));
        u = static_cast<std::uint16_t>(u + static_cast<std::uint16_t>(unzigzag(du)));
        v = static_cast<std::uint16_t>(v + static_cast<std::uint16_t>(unzigzag(dv)));
        const OctNormal n{static_cast<std::int16_t>(u), static_cast<std::int16_t>(v)};
        std::memcpy(out + i * 4, &n, 4);
    }
}

// Steps from vertex to vertex of a block: those across the main axis and the rest along it; then those of x, y, z and 0, in turn.
template <typename UInt>
struct StepBlock {
    std::array<std::int32_t, 2 * kBlock> across{};
    std::array<std::int32_t, kBlock> along{};
    std::array<UInt, 4 * kBlock> lanes{};
};

// All planes of a field, first plane first.
template <typename Int>
void read_planes(const Decoding& d, Stream first, std::size_t begin, std::span<std::int32_t> out) {
    std::array<const std::uint8_t*, sizeof(Int)> planes{};
    for (std::size_t k = 0; k < sizeof(Int); ++k)
        planes[k] = d.streams[static_cast<std::size_t>(first) + k] + begin;
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < sizeof(Int); ++k) value |= std::uint32_t{planes[k][i]} << (8 * k);
        out[i] = unzigzag(static_cast<std::make_unsigned_t<Int>>(value));
    }
}

// Components across of 16-bit positions. Returns the extras that are left.
const std::uint8_t* read_across16(const Decoding& d, std::size_t begin, const std::uint8_t* extra,
                                  std::span<std::int32_t> out) {
    const std::uint8_t* low = d.stream(Stream::AcrossPlane0) + 2 * begin;
    const std::uint8_t* high = d.stream(Stream::AcrossPlane1) + begin;
    const std::size_t count = out.size() / 2;
    std::array<std::uint8_t, 2 * kBlock> highs{};
    for (std::size_t i = 0; i < count; ++i) {
        highs[2 * i] = static_cast<std::uint8_t>(high[i] & 15U);
        highs[2 * i + 1] = static_cast<std::uint8_t>(high[i] >> 4U);
    }
    std::array<std::uint64_t, kBlock / 8> words{};  // 16 times four bits each
    std::memcpy(words.data(), high, count);
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::uint64_t x = words[k];
        static_assert(kHighExtra == 15);
        std::uint64_t all_ones = x & x >> 1U & x >> 2U & x >> 3U & 0x1111111111111111U;
        for (; all_ones != 0; all_ones &= all_ones - 1)
            highs[16 * k + static_cast<std::size_t>(std::countr_zero(all_ones)) / 4] = *extra++;
    }
    for (std::size_t i = 0; i < 2 * count; ++i)
        out[i] = unzigzag(static_cast<std::uint16_t>(low[i] | highs[i] << 8U));
    return extra;
}

// Sums of the octahedron points of each vertex and the one before it.
struct NormalSums {
    std::array<std::uint32_t, kBlock> codes{};
    std::array<std::int32_t, kBlock + 1> px{}, py{},
        pz{};  // points; the first is the last of the block before
    std::array<std::int32_t, kBlock> x{}, y{}, z{};

    void read(const std::byte* normals, std::size_t count) {
        std::memcpy(codes.data(), normals, 4 * count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto point = octahedron_point(static_cast<std::int32_t>(codes[i] << 16U) >> 16,
                                                static_cast<std::int32_t>(codes[i]) >> 16);
            px[i + 1] = point[0];
            py[i + 1] = point[1];
            pz[i + 1] = point[2];
        }
        for (std::size_t i = 0; i < count; ++i) {
            x[i] = px[i] + px[i + 1];
            y[i] = py[i] + py[i + 1];
            z[i] = pz[i] + pz[i + 1];
        }
        px[0] = px[count];
        py[0] = py[count];
        pz[0] = pz[count];
    }
};

constexpr std::int32_t mask_of(bool yes) { return -static_cast<std::int32_t>(yes); }

// axes_of and plane_delta for a block, then the steps in the order of x, y, z. All products and sums are integers below 2^53,
// so that doubles hold them exactly.
template <typename UInt>
void predict_and_rotate(const NormalSums& n, StepBlock<UInt>& steps, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t x = n.x[i];
        const std::int32_t y = n.y[i];
        const std::int32_t z = n.z[i];
        const std::int32_t ax = std::abs(x);
        const std::int32_t ay = std::abs(y);
        const std::int32_t az = std::abs(z);
        const std::int32_t is_z = mask_of(az >= ax) & mask_of(az >= ay);
        const std::int32_t is_y = mask_of(ay >= ax) & ~is_z;
        const std::int32_t is_x = ~(is_y | is_z);
        const std::int32_t n0 = (is_x & y) | (is_y & z) | (is_z & x);
        const std::int32_t n1 = (is_x & z) | (is_y & x) | (is_z & y);
        const std::int32_t n2 = (is_x & x) | (is_y & y) | (is_z & z);
        const std::int32_t d0 = steps.across[2 * i];
        const std::int32_t d1 = steps.across[2 * i + 1];
        // n2 = 0 only where n0 = n1 = 0: 0 / 1.
        const double divisor = static_cast<double>(n2 | (mask_of(n2 == 0) & 1));
        const double dividend = -(static_cast<double>(n0) * static_cast<double>(d0) +
                                  static_cast<double>(n1) * static_cast<double>(d1));
        constexpr double kToNearest = 6755399441055744.0;  // as in plane_delta
        // The sum's lowest bits are the integer, modulo 2^32.
        const auto predicted =
            static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(dividend / divisor + kToNearest));
        const auto d2 = static_cast<std::int32_t>(static_cast<std::uint32_t>(steps.along[i]) + predicted);
        steps.lanes[4 * i] = static_cast<UInt>((is_x & d2) | (is_y & d1) | (is_z & d0));
        steps.lanes[4 * i + 1] = static_cast<UInt>((is_x & d0) | (is_y & d2) | (is_z & d1));
        steps.lanes[4 * i + 2] = static_cast<UInt>((is_x & d1) | (is_y & d0) | (is_z & d2));
    }
}

// A vertex is four lanes of one width: x, y, z and what the tangent gets.
template <typename Int>
bool decode_positions_of(const Decoding& d) {
    using UInt = std::make_unsigned_t<Int>;
    const bool plane = (d.header.modes & kPlanePrediction) != 0;
    StepBlock<UInt> steps;
    NormalSums normals;
    using Lanes [[gnu::vector_size(4 * sizeof(UInt))]] = UInt;
    Lanes sum{};
    const std::uint8_t* extra = d.stream(Stream::AcrossExtras);
    for (std::size_t begin = 0; begin < d.header.vertex_count; begin += kBlock) {
        const std::size_t count = std::min(kBlock, d.header.vertex_count - begin);
        const auto across = std::span(steps.across).first(2 * count);
        if constexpr (sizeof(Int) == 2) {
            extra = read_across16(d, begin, extra, across);
        } else {
            read_planes<Int>(d, Stream::AcrossPlane0, 2 * begin, across);
        }
        read_planes<Int>(d, Stream::AlongPlane0, begin, std::span(steps.along).first(count));
        if (plane) {
            normals.read(d.page.data() + d.layout.normals + 4 * begin, count);
            predict_and_rotate(normals, steps, count);
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                steps.lanes[4 * i] = static_cast<UInt>(steps.across[2 * i]);
                steps.lanes[4 * i + 1] = static_cast<UInt>(steps.across[2 * i + 1]);
                steps.lanes[4 * i + 2] = static_cast<UInt>(steps.along[i]);
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            Lanes step;
            std::memcpy(&step, steps.lanes.data() + 4 * i, sizeof(step));
            sum += step;
            std::memcpy(steps.lanes.data() + 4 * i, &sum, sizeof(sum));
        }
        constexpr std::size_t kVertex = 4 * sizeof(UInt);
        std::memcpy(d.page.data() + sizeof(PageHeader) + begin * kVertex, steps.lanes.data(),
                    count * kVertex);
        // The fourth lane was never anything but 0.
    }
    return extra == d.stream(Stream::AcrossExtras) + d.header.position_extras;
}

}  // namespace

void decode_normals(const Decoding& d) {
    if (d.header.normal_bits == 20) decode_normals20(d);
    if (d.header.normal_bits == 32) decode_normals32(d);
}

bool decode_positions(const Decoding& d) {
    return d.header.position_bits == 32 ? decode_positions_of<std::int32_t>(d)
                                        : decode_positions_of<std::int16_t>(d);
}

void decode_tangents(const Decoding& d) {
    if ((d.header.flags & kPageHasTangents) == 0) return;
    const std::size_t stride = vertex_size(d.header.position_bits);
    const std::size_t field = d.header.position_bits == 32 ? offsetof(ResidentVertex32, tangent)
                                                           : offsetof(ResidentVertex16, tangent);
    std::byte* out = d.page.data() + sizeof(PageHeader) + field;
    const std::uint8_t* low = d.stream(Stream::TangentLow);
    const std::uint8_t* high = d.stream(Stream::TangentHigh);
    std::uint32_t angle = 0;
    std::uint32_t sign = 0;
    for (std::uint32_t i = 0; i < d.header.vertex_count; ++i) {
        const auto code = static_cast<std::uint16_t>(low[i] | (high[i] << 8U));
        sign ^= code & 0x8000U;
        const auto delta = unzigzag(static_cast<std::uint16_t>(code & 0x7FFFU));
        angle = (angle + static_cast<std::uint32_t>(std::int32_t{delta})) & 0x7FFFU;
        const auto bits = static_cast<std::uint16_t>(angle | sign);
        std::memcpy(out + i * stride, &bits, 2);
    }
}

}  // namespace sinter
