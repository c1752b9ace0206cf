#include "runtime/render.hpp"

#include <algorithm>

namespace sinter {
namespace {

// So many that the picture fits into an image of the device.
std::uint32_t samples_a_side(const Stage& stage, const RenderOptions& options) {
    const std::uint32_t most = stage.device->properties.limits.maxImageDimension2D;
    std::uint32_t samples = options.samples;
    while (samples > 1 && std::max(options.width, options.height) > most / samples) --samples;
    return samples;
}

}  // namespace

Result<Rendered> render(const Stage& stage, const RenderOptions& options) {
    const std::uint32_t samples = samples_a_side(stage, options);
    const auto bounds = scene_bounds(stage, options.clip ? std::optional(options.clip->clip) : std::nullopt);
    Shot shot;
    shot.camera = frame_spheres(bounds, options.orbit, options.width * samples, options.height * samples);
    shot.samples = samples;
    shot.mode = options.mode;
    shot.detail = options.detail;
    shot.clip = options.clip;
    shot.cull = 0;
    SINTER_TRY_ASSIGN(const Taken taken, take(stage, shot));
    return Rendered{shrink_over(taken.picture, samples, options.background), taken.triangles};
}

}  // namespace sinter
