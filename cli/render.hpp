// The request of `sinter render`, read from its words.
#pragma once

#include "runtime/camera.hpp"
#include "runtime/passes/draw.hpp"

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinter {

// The words as given.
struct RenderWords {
    std::vector<std::string> packages;
    std::optional<std::string> out, mode, size, lod_error, level, camera, sheet, device;
    std::optional<std::string> clip, time;
};

enum class Sheet : std::uint8_t { None, Levels, Clip, Modes };

struct RenderRequest {
    DrawMode mode = DrawMode::Shaded;
    std::uint32_t width = 1280, height = 720;  // of a sheet's pictures: 480 x 270 unless given
    std::optional<double> pixels;              // of error at most; else full detail
    std::optional<std::uint32_t> level;        // of detail
    std::optional<double> time_s;              // of the clip; else its start
    Orbit orbit;
    Sheet sheet = Sheet::None;
};

// Errors: Usage, Unsupported.
[[nodiscard]] Result<RenderRequest> read_render_request(const RenderWords& words);

}  // namespace sinter
