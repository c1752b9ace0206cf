// Contact sheets: several pictures of one size in one, each with a caption below it.
#pragma once

#include "runtime/picture/picture.hpp"

#include <span>
#include <string>

namespace sinter {

struct SheetCell {
    Picture picture;
    std::string caption;  // cut at the width of the picture, with "..." as its end
};

struct SheetOptions {
    std::uint32_t columns = 0;     // 0: as many as bring the sheet nearest to 16:9
    std::uint32_t margin = 8;      // pixels around and between the cells
    std::uint32_t text_scale = 2;  // of the captions
    std::array<std::uint8_t, 3> background{255, 255, 255}, text{32, 36, 44};
};

// The columns that a sheet of `count` pictures of that size has.
[[nodiscard]] std::uint32_t sheet_columns(std::uint32_t count, std::uint32_t width, std::uint32_t height,
                                          const SheetOptions& options);

// Cells row by row from the upper left, the last row filled up with background. An opaque picture: the pictures' alpha is
// not looked at. Pre: at least one cell; all pictures of one size; the sheet has fewer than 2^32 pixels; text_scale > 0.
[[nodiscard]] Picture make_sheet(std::span<const SheetCell> cells, const SheetOptions& options = {});

}  // namespace sinter
