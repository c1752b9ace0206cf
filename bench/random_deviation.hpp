// How far two surfaces are from each other by random points, spread by area: another sampling than the one of the builder
// (cooker/cluster/samples.hpp), from which it takes only the search for the nearest triangle.
#pragma once

#include "cooker/cluster/deviation.hpp"
#include "cooker/math.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace sinter::bench {

// The largest distance from `count` random points of one surface, and all its corners, to the other. Same seed, same points.
inline double farthest_from(std::span<const Float3> positions, std::span<const std::uint32_t> from,
                            const TriangleSurface& to, std::size_t count) {
    std::vector<double> areas;
    double sum = 0, most = 0;
    const auto look = [&](Float3 point) {
        most = std::max(most, static_cast<double>(to.nearest(point).distance_squared));
    };
    for (std::size_t i = 0; i < from.size(); i += 3) {
        const Float3 a = positions[from[i]], b = positions[from[i + 1]], c = positions[from[i + 2]];
        sum += static_cast<double>(length(cross(b - a, c - a)));
        areas.push_back(sum);
        look(a);
        look(b);
        look(c);
    }
    std::mt19937 random(1);
    const auto unit = [&] { return static_cast<double>(random()) / 4294967296.0; };
    for (std::size_t k = 0; k < count && sum > 0; ++k) {
        const auto found = std::ranges::upper_bound(areas, unit() * sum);
        const auto i = static_cast<std::size_t>(
            3 * std::min<std::ptrdiff_t>(found - areas.begin(), std::ssize(areas) - 1));
        const double root = std::sqrt(unit()), part = unit();
        const Float3 a = positions[from[i]], b = positions[from[i + 1]], c = positions[from[i + 2]];
        look(a * static_cast<float>(1 - root) + b * static_cast<float>(root * (1 - part)) +
             c * static_cast<float>(root * part));
    }
    return std::sqrt(most);
}

// Both ways, `count` points each. Indices: three a triangle, into positions. Infinite where one of them has no triangle.
inline double random_deviation(std::span<const Float3> positions, std::span<const std::uint32_t> a,
                               std::span<const std::uint32_t> b, std::size_t count) {
    TriangleSurface of_a, of_b;
    of_a.build(positions, a);
    of_b.build(positions, b);
    return std::max(farthest_from(positions, a, of_b, count), farthest_from(positions, b, of_a, count));
}

}  // namespace sinter::bench
