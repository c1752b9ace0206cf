// `sinter render --sheet`: several pictures of a package in one, by one camera.
#pragma once

#include "cli/render.hpp"
#include "runtime/render.hpp"

#include <string>
#include <vector>

namespace sinter {

struct SheetPicture {
    std::string caption;
    RenderOptions options;
    std::uint64_t triangles = 0;  // drawn
};

struct DrawnSheet {
    Picture picture;
    std::vector<SheetPicture> cells;  // row by row
};

// Levels: one picture a level, up to that of the mesh with the most of them. Modes: one a mode of drawing. Clip: nine
// moments of options.clip, evenly from its start to its end. All else is as in `options`; its size is that of one picture.
// Errors: those of render(); Limit for more than 2^28 pixels in all. Pre: sheet is not None; for Clip, options.clip.
[[nodiscard]] Result<DrawnSheet> draw_sheet(const Stage& stage, Sheet sheet, const RenderOptions& options);

}  // namespace sinter
