// Pictures in memory and as PNG.
#pragma once

#include <sinter/formats/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Rows from the top, four bytes a pixel: sRGB red, green, blue, and alpha.
struct Picture {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};

// The linear light of each sRGB byte, 0 to 1 (IEC 61966-2-1).
[[nodiscard]] std::array<float, 256> linear_from_srgb();

// The picture `factor` times smaller: each pixel the mean, in linear light, of factor x factor pixels over a background
// (an alpha of 0 shows it, any other hides it). Alpha is 255. Pre: width and height are multiples of factor.
[[nodiscard]] Picture shrink_over(const Picture& picture, std::uint32_t factor,
                                  std::array<std::uint8_t, 3> background);

// A PNG file, RGB without alpha. Errors: Internal.
[[nodiscard]] Result<std::vector<std::byte>> encode_png(const Picture& picture);

}  // namespace sinter
