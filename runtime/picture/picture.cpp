#include "runtime/picture/picture.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinter {
namespace {

// The byte whose linear value is nearest.
std::uint8_t to_srgb(const std::array<float, 256>& table, float linear) {
    const auto* above = std::ranges::lower_bound(table, linear);
    if (above == table.begin()) return 0;
    if (above == table.end()) return 255;
    const auto* below = above - 1;
    return static_cast<std::uint8_t>((linear - *below < *above - linear ? below : above) - table.begin());
}

}  // namespace

std::array<float, 256> linear_from_srgb() {
    std::array<float, 256> out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double v = static_cast<double>(i) / 255;
        out[i] = static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
    }
    return out;
}

Picture shrink_over(const Picture& picture, std::uint32_t factor, std::array<std::uint8_t, 3> background) {
    assert(factor != 0 && picture.width % factor == 0 && picture.height % factor == 0);
    const std::array<float, 256> table = linear_from_srgb();
    Picture out{picture.width / factor, picture.height / factor, {}};
    out.rgba.reserve(std::size_t{out.width} * out.height * 4);
    const float weight = 1.0F / static_cast<float>(factor * factor);
    for (std::uint32_t y = 0; y < out.height; ++y) {
        for (std::uint32_t x = 0; x < out.width; ++x) {
            std::array<float, 3> sum{};
            for (std::uint32_t i = 0; i < factor * factor; ++i) {
                const std::size_t row = std::size_t{y} * factor + i / factor;
                const std::uint8_t* pixel =
                    &picture.rgba[(row * picture.width + std::size_t{x} * factor + i % factor) * 4];
                for (std::size_t c = 0; c < 3; ++c) sum[c] += table[pixel[3] != 0 ? pixel[c] : background[c]];
            }
            for (const float value : sum) out.rgba.push_back(to_srgb(table, value * weight));
            out.rgba.push_back(255);
        }
    }
    return out;
}

}  // namespace sinter
