// Small text on pictures, in a font of our own.
#pragma once

#include "runtime/picture/picture.hpp"

#include <string_view>

namespace sinter {

// Pixels at a scale of 1: from one character to the next, and from the top of a capital letter to the bottom of a "g".
inline constexpr std::uint32_t kTextAdvance = 6, kTextHeight = 9;

// The columns of pixels that the text covers; all characters are equally wide. UTF-8: a character is one column of text.
[[nodiscard]] std::uint32_t text_width(std::string_view text, std::uint32_t scale);

// One line with its upper left corner at (x, y), each pixel of the font drawn as scale x scale opaque pixels. Characters
// other than ASCII 32 to 126 are drawn as "?"; what is outside of the picture is left out.
void draw_text(Picture& picture, std::uint32_t x, std::uint32_t y, std::string_view text, std::uint32_t scale,
               std::array<std::uint8_t, 3> color);

}  // namespace sinter
