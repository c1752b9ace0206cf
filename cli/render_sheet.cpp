#include "cli/render_sheet.hpp"

#include "cli/counted.hpp"
#include "runtime/picture/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter {
namespace {

constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 28U;
constexpr std::uint32_t kMoments = 9;       // of a clip
constexpr std::uint32_t kWideEnough = 320;  // pixels that the usual captions take at twice their size

std::vector<SheetPicture> level_pictures(const Stage& stage, const RenderOptions& options) {
    std::uint32_t levels = 1;
    for (const SceneInstance& instance : stage.scene.instances)
        levels = std::max(levels, stage.scene.meshes[instance.mesh].level_count);
    std::vector<SheetPicture> out;
    for (std::uint32_t level = 0; level < levels; ++level) {
        out.push_back({fmt::format("level {}", level), options, 0});
        out.back().options.detail.level = level;
    }
    return out;
}

std::vector<SheetPicture> mode_pictures(const RenderOptions& options) {
    std::vector<SheetPicture> out;
    for (std::uint32_t mode = 0; mode < kDrawModeNames.size(); ++mode) {
        out.push_back({std::string(kDrawModeNames[mode]), options, 0});
        out.back().options.mode = static_cast<DrawMode>(mode);
    }
    return out;
}

std::vector<SheetPicture> clip_pictures(const Stage& stage, const RenderOptions& options) {
    const SceneClip& clip = stage.motion.clips[options.clip->clip];
    std::vector<SheetPicture> out;
    for (std::uint32_t i = 0; i < kMoments; ++i) {
        const double time_s = clip.start_s + clip.duration_s * i / (kMoments - 1);
        out.push_back({fmt::format("{:.3f} s", time_s), options, 0});
        out.back().options.clip->time_s = time_s;
    }
    return out;
}

}  // namespace

Result<DrawnSheet> draw_sheet(const Stage& stage, Sheet sheet, const RenderOptions& options) {
    DrawnSheet out;
    if (sheet == Sheet::Levels) out.cells = level_pictures(stage, options);
    else if (sheet == Sheet::Modes) out.cells = mode_pictures(options);
    else out.cells = clip_pictures(stage, options);
    if (std::uint64_t{options.width} * options.height > kMaxPixels / out.cells.size()) {
        return Error{ErrorKind::Limit, "--size",
                     fmt::format("{} pictures of {} x {} are more than {} pixels", out.cells.size(),
                                 options.width, options.height, count_text(kMaxPixels)),
                     "with --sheet it is the size of one picture"};
    }
    std::vector<SheetCell> cells;
    for (SheetPicture& cell : out.cells) {
        SINTER_TRY_ASSIGN(Rendered rendered, render(stage, cell.options));
        cell.triangles = rendered.triangles;
        cell.caption += ": " + counted(rendered.triangles, "triangle");
        cells.push_back({std::move(rendered.picture), cell.caption});
    }
    SheetOptions layout;
    layout.text_scale = options.width >= kWideEnough ? 2 : 1;
    out.picture = make_sheet(cells, layout);
    return out;
}

}  // namespace sinter
