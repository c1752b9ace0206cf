#include "cli/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace sinter {
namespace {

constexpr std::uint32_t kMaxSide = 16384;

template <typename Number>
std::optional<Number> number_of(std::string_view word) {
    Number value{};
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
    if constexpr (std::is_floating_point_v<Number>) {
        if (!std::isfinite(value)) return std::nullopt;
    }
    return value;
}

Error no_value(std::string_view option, std::string_view word, std::string_view rule) {
    return {ErrorKind::Usage, std::string(option), fmt::format("'{}' is no {}", word, rule), {}};
}

Result<Unit> read_size(std::string_view word, RenderRequest& out) {
    const std::size_t cross = std::min(word.find('x'), word.size());
    const std::uint32_t width = number_of<std::uint32_t>(word.substr(0, cross)).value_or(0);
    const std::uint32_t height =
        number_of<std::uint32_t>(word.substr(std::min(cross + 1, word.size()))).value_or(0);
    if (width < 1 || height < 1 || std::max(width, height) > kMaxSide)
        return no_value("--size", word, fmt::format("size WIDTHxHEIGHT of 1 to {} pixels a side", kMaxSide));
    out.width = width;
    out.height = height;
    return Unit{};
}

// "AZIMUTH,ELEVATION" or "AZIMUTH,ELEVATION,DISTANCE".
Result<Unit> read_camera(std::string_view word, Orbit& out) {
    std::vector<double> values;
    for (std::size_t begin = 0; begin <= word.size();) {
        const std::size_t end = std::min(word.find(',', begin), word.size());
        const auto value = number_of<double>(word.substr(begin, end - begin));
        if (!value) return no_value("--camera", word, "camera AZIMUTH,ELEVATION[,DISTANCE]");
        values.push_back(*value);
        begin = end + 1;
    }
    if (values.size() < 2 || values.size() > 3 || std::abs(values[1]) > 90 ||
        (values.size() == 3 && values[2] <= 0)) {
        return no_value(
            "--camera", word,
            "camera AZIMUTH,ELEVATION[,DISTANCE]: degrees, -90 to 90 degrees, more than 0 (1 = the "
            "whole scene just fits)");
    }
    out.azimuth_deg = values[0];
    out.elevation_deg = values[1];
    if (values.size() == 3) out.distance = values[2];
    return Unit{};
}

Result<Unit> read_cut(const RenderWords& words, RenderRequest& out) {
    if (words.level && words.lod_error)
        return Error{ErrorKind::Usage, "--level", "it excludes --lod-error: a picture has one cut", {}};
    if (words.level) {
        out.level = number_of<std::uint32_t>(*words.level);
        if (!out.level) return no_value("--level", *words.level, "level (0, 1, 2 ...)");
    }
    if (words.lod_error) {
        out.pixels = number_of<double>(*words.lod_error);
        if (!out.pixels || *out.pixels <= 0)
            return no_value("--lod-error", *words.lod_error, "number of pixels above 0");
    }
    return Unit{};
}

// A sheet draws every level, moment or mode: the option for one of them has no meaning then.
Result<Unit> read_sheet(const RenderWords& words, RenderRequest& out) {
    if (*words.sheet == "levels") out.sheet = Sheet::Levels;
    else if (*words.sheet == "clip") out.sheet = Sheet::Clip;
    else if (*words.sheet == "modes") out.sheet = Sheet::Modes;
    else return no_value("--sheet", *words.sheet, "sheet: levels, clip, modes");
    if (out.sheet == Sheet::Clip && !words.clip)
        return Error{ErrorKind::Usage, "--sheet", "'clip' shows moments of a clip", "name one by --clip"};
    const auto excluded = [&](std::string_view option) {
        return Error{ErrorKind::Usage,
                     std::string(option),
                     fmt::format("it excludes --sheet {}, which shows all of them", *words.sheet),
                     {}};
    };
    if (out.sheet == Sheet::Levels && words.level) return excluded("--level");
    if (out.sheet == Sheet::Levels && words.lod_error) return excluded("--lod-error");
    if (out.sheet == Sheet::Clip && words.time) return excluded("--time");
    if (out.sheet == Sheet::Modes && words.mode) return excluded("--mode");
    if (!words.size) {
        out.width = 480;
        out.height = 270;
    }
    return Unit{};
}

std::string mode_names() {
    std::string out;
    for (const std::string_view name : kDrawModeNames)
        out += fmt::format("{}{}", out.empty() ? "" : ", ", name);
    return out;
}

}  // namespace

Result<RenderRequest> read_render_request(const RenderWords& words) {
    RenderRequest out;
    if (words.packages.size() != 1) {
        return Error{ErrorKind::Usage,
                     {},
                     fmt::format("{} packages given, render takes one", words.packages.size()),
                     "`sinter render --help` has examples"};
    }
    if (!words.out) return Error{ErrorKind::Usage, "-o", "it is missing", "name the picture: -o hero.png"};
    if (words.mode) {
        const auto mode = draw_mode_from_name(*words.mode);
        if (!mode) return no_value("--mode", *words.mode, "mode: " + mode_names());
        out.mode = *mode;
    }
    if (words.size) SINTER_TRY(read_size(*words.size, out));
    SINTER_TRY(read_cut(words, out));
    if (words.camera) SINTER_TRY(read_camera(*words.camera, out.orbit));
    if (words.time) {
        if (!words.clip)
            return Error{ErrorKind::Usage, "--time", "it is a time of a clip", "name one by --clip"};
        out.time_s = number_of<double>(*words.time);
        if (!out.time_s) return no_value("--time", *words.time, "time in seconds");
    }
    if (words.sheet) SINTER_TRY(read_sheet(words, out));
    return out;
}

}  // namespace sinter
