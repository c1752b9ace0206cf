#include "runtime/picture/sheet.hpp"

#include "runtime/picture/text.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace sinter {
namespace {

struct Grid {
    std::uint32_t columns = 0, rows = 0;
    std::uint32_t step_x = 0, step_y = 0;  // from one cell to the next, with its caption
    std::uint32_t margin = 0;

    [[nodiscard]] std::uint32_t width() const { return margin + columns * step_x; }
    [[nodiscard]] std::uint32_t height() const { return margin + rows * step_y; }
};

std::uint32_t caption_height(const SheetOptions& options) { return kTextHeight * options.text_scale; }
// Between a picture and its caption.
std::uint32_t caption_gap(const SheetOptions& options) { return 2 * options.text_scale; }

Grid make_grid(std::uint32_t count, std::uint32_t columns, std::uint32_t width, std::uint32_t height,
               const SheetOptions& options) {
    return {columns, (count + columns - 1) / columns, width + options.margin,
            height + caption_gap(options) + caption_height(options) + options.margin, options.margin};
}

// How many times too wide or too high for 16:9.
double aspect_off(const Grid& grid) {
    const double off = static_cast<double>(grid.width()) * 9 / (static_cast<double>(grid.height()) * 16);
    return std::max(off, 1 / off);
}

std::string cut_caption(const std::string& caption, std::uint32_t width, std::uint32_t scale) {
    if (text_width(caption, scale) <= width) return caption;
    std::string out = caption;
    while (!out.empty() && text_width(out + "...", scale) > width) out.pop_back();
    return out + "...";
}

void paste(Picture& sheet, const Picture& picture, std::uint32_t left, std::uint32_t top) {
    const std::size_t bytes = std::size_t{picture.width} * 4;
    for (std::uint32_t y = 0; y < picture.height; ++y) {
        const std::uint8_t* row = &picture.rgba[y * bytes];
        std::uint8_t* target = &sheet.rgba[((std::size_t{top} + y) * sheet.width + left) * 4];
        std::copy_n(row, bytes, target);
        for (std::uint32_t x = 0; x < picture.width; ++x) target[std::size_t{x} * 4 + 3] = 255;
    }
}

}  // namespace

std::uint32_t sheet_columns(std::uint32_t count, std::uint32_t width, std::uint32_t height,
                            const SheetOptions& options) {
    if (options.columns != 0) return std::min(options.columns, count);
    std::uint32_t best = 1;
    for (std::uint32_t columns = 2; columns <= count; ++columns) {
        const double off = aspect_off(make_grid(count, columns, width, height, options));
        if (off < aspect_off(make_grid(count, best, width, height, options))) best = columns;
    }
    return best;
}

Picture make_sheet(std::span<const SheetCell> cells, const SheetOptions& options) {
    assert(!cells.empty() && options.text_scale > 0);
    const std::uint32_t width = cells.front().picture.width, height = cells.front().picture.height;
    const auto count = static_cast<std::uint32_t>(cells.size());
    const Grid grid = make_grid(count, sheet_columns(count, width, height, options), width, height, options);
    Picture sheet{grid.width(), grid.height(), {}};
    sheet.rgba.resize(std::size_t{sheet.width} * sheet.height * 4, 255);
    for (std::size_t i = 0; i < sheet.rgba.size(); i += 4)
        std::ranges::copy(options.background, &sheet.rgba[i]);
    for (std::uint32_t i = 0; i < count; ++i) {
        const SheetCell& cell = cells[i];
        assert(cell.picture.width == width && cell.picture.height == height);
        const std::uint32_t left = grid.margin + i % grid.columns * grid.step_x;
        const std::uint32_t top = grid.margin + i / grid.columns * grid.step_y;
        paste(sheet, cell.picture, left, top);
        draw_text(sheet, left, top + height + caption_gap(options),
                  cut_caption(cell.caption, width, options.text_scale), options.text_scale, options.text);
    }
    return sheet;
}

}  // namespace sinter
