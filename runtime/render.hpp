// Pictures for people: the camera around the scene, several samples a pixel, a background.
#pragma once

#include "runtime/shot.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace sinter {

struct RenderOptions {
    std::uint32_t width = 1280, height = 720;
    DrawMode mode = DrawMode::Shaded;
    Orbit orbit;
    Detail detail;
    std::optional<ClipTime> clip;  // none: the rest pose
    std::uint32_t samples = 2;     // a side of each pixel: 2 makes 4 of them
    std::array<std::uint8_t, 3> background{236, 238, 241};
};

struct Rendered {
    Picture picture;              // opaque
    std::uint64_t triangles = 0;  // of the chosen clusters
};
// The camera frames all of the clip, so that pictures of its moments go together. Nothing is culled: the triangles are
// those of the detail, wherever the camera looks.
[[nodiscard]] Result<Rendered> render(const Stage& stage, const RenderOptions& options);

}  // namespace sinter
