#include "runtime/picture/compare.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace sinter {
namespace {

std::uint8_t alpha_of(const Picture& picture, std::size_t pixel) { return picture.rgba[pixel * 4 + 3]; }

// For each pixel how many rows away the nearest chosen pixel of its column is; width + height where there is none.
std::vector<std::int64_t> column_distances(const Picture& picture, auto chosen) {
    const std::size_t width = picture.width, height = picture.height;
    const auto none = static_cast<std::int64_t>(width + height);
    std::vector<std::int64_t> out(width * height);
    const auto walk = [&](std::size_t pixel, bool first, std::size_t previous) {
        const std::int64_t reached = first ? none : std::min(none, out[previous] + 1);
        out[pixel] = std::min(out[pixel], reached);
    };
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = chosen(i) ? 0 : none;
    for (std::size_t i = 0; i < out.size(); ++i) walk(i, i < width, i - width);
    for (std::size_t i = out.size(); i-- > 0;) walk(i, i + width >= out.size(), i + width);
    return out;
}

// The least of (x - i)^2 + rows[i]^2 over i, for each x of a row. The lower envelope of these parabolas is kept as a stack:
// `of` is a parabola, and it is the lowest from x = `from` on.
void row_distances(std::span<const std::int64_t> rows, std::span<std::int64_t> out) {
    struct Part {
        std::int64_t of = 0, from = 0;
    };
    const auto width = static_cast<std::int64_t>(rows.size());
    const auto value = [&](std::int64_t x, std::int64_t i) {
        const std::int64_t down = rows[static_cast<std::size_t>(i)];
        return (x - i) * (x - i) + down * down;
    };
    std::vector<Part> parts;
    for (std::int64_t u = 0; u < width; ++u) {
        while (!parts.empty() && value(parts.back().from, parts.back().of) > value(parts.back().from, u))
            parts.pop_back();
        if (parts.empty()) {
            parts.push_back({u, 0});
            continue;
        }
        // value(x, u) < value(x, i) for x > crossing; the division rounds down what is not negative here.
        const std::int64_t i = parts.back().of;
        const std::int64_t crossing = (value(0, u) - value(0, i)) / (2 * (u - i));
        if (crossing + 1 < width) parts.push_back({u, crossing + 1});
    }
    for (std::int64_t x = width; x-- > 0;) {
        out[static_cast<std::size_t>(x)] = value(x, parts.back().of);
        if (x == parts.back().from) parts.pop_back();
    }
}

// For each pixel the square of its distance from the nearest chosen one; that of the diagonal when none is chosen.
// A. Meijster, J. Roerdink, W. Hesselink: "A General Algorithm for Computing Distance Transforms in Linear Time", 2000.
std::vector<std::int64_t> squared_distances(const Picture& picture, auto chosen) {
    std::vector<std::int64_t> out = column_distances(picture, chosen);
    const std::int64_t width = picture.width, height = picture.height;
    std::vector<std::int64_t> row(picture.width);
    for (std::size_t start = 0; start < out.size(); start += row.size()) {
        const std::span target(&out[start], row.size());
        std::ranges::copy(target, row.begin());
        row_distances(row, target);
    }
    for (std::int64_t& value : out) value = std::min(value, width * width + height * height);
    return out;
}

PixelPlace place_of(const Picture& picture, std::size_t pixel) {
    return {static_cast<std::uint32_t>(pixel % picture.width),
            static_cast<std::uint32_t>(pixel / picture.width)};
}

}  // namespace

SilhouetteDifference compare_silhouettes(const Picture& a, const Picture& b, double band) {
    assert(a.width == b.width && a.height == b.height && band >= 0);
    const auto from_a = squared_distances(a, [&](std::size_t i) { return alpha_of(a, i) != 0; });
    const auto from_b = squared_distances(b, [&](std::size_t i) { return alpha_of(b, i) != 0; });
    SilhouetteDifference out;
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < from_a.size(); ++i) {
        if (from_a[i] != 0 && from_b[i] != 0) continue;
        ++out.either;
        const std::int64_t squared = std::max(from_a[i], from_b[i]);
        if (squared == 0) continue;
        ++out.pixels;
        if (std::sqrt(static_cast<double>(squared)) > band) ++out.beyond;
        if (squared > largest) {
            largest = squared;
            out.farthest = place_of(a, i);
        }
    }
    out.distance = std::sqrt(static_cast<double>(largest));
    return out;
}

Cracks find_cracks(const Picture& full, const Picture& cut, double band, const Distances& distances) {
    assert(full.width == cut.width && full.height == cut.height && band >= 0);
    const bool by_distance = !distances.full.empty();
    const auto apart = [&](std::size_t i) {  // what counts as a difference of distance there
        return kDistancePixels * distances.pixel_size * static_cast<double>(distances.full[i]);
    };
    // The nearer side of an edge: a neighbour is well behind it.
    const auto is_edge = [&](std::size_t i) {
        const std::size_t width = full.width, x = i % width;
        const auto behind = [&](std::size_t j) {
            return static_cast<double>(distances.full[j]) - static_cast<double>(distances.full[i]) > apart(i);
        };
        return (x > 0 && behind(i - 1)) || (x + 1 < width && behind(i + 1)) ||
               (i >= width && behind(i - width)) || (i + width < distances.full.size() && behind(i + width));
    };
    const auto from_edge = squared_distances(
        full, [&](std::size_t i) { return alpha_of(full, i) == 0 || (by_distance && is_edge(i)); });
    Cracks out;
    for (std::size_t i = 0; i < from_edge.size(); ++i) {
        if (alpha_of(full, i) != 255 || alpha_of(cut, i) == 255) continue;
        if (std::sqrt(static_cast<double>(from_edge[i])) <= band) continue;
        if (alpha_of(cut, i) == 0) {
            out.background.push_back(place_of(full, i));
        } else if (!by_distance ||
                   static_cast<double>(distances.cut[i]) - static_cast<double>(distances.full[i]) >
                       apart(i)) {
            out.back_faces.push_back(place_of(full, i));
        }
    }
    return out;
}

}  // namespace sinter
