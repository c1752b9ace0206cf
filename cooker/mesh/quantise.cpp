#include "cooker/mesh/quantise.hpp"

#include "cooker/issues.hpp"
#include "cooker/mesh/angle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace sinter {
namespace {

constexpr std::int32_t kMax16 = 32767;
constexpr int kMaxSphereBits = 24;  // integers that a float holds exactly
constexpr double kMaxWorld = 1 << 30;
constexpr double kHalfDiagonal = 0.86602540378443864676;  // of a unit cube

// The smallest float that is not below v.
float round_up(double v) {
    const auto nearest = static_cast<float>(v);
    return to_double(nearest) < v ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest;
}

Result<Unit> check_positions(std::span<const Float3> positions) {
    for (std::size_t v = 0; v < positions.size(); ++v) {
        Result<Unit> checked = check_position(positions[v]);
        if (checked) continue;
        checked.error().where = fmt::format("vertex {}", v);
        return checked;
    }
    return Unit{};
}

Error unreachable_tolerance(const char* grid, double tolerance, const std::string& reached) {
    return {ErrorKind::Limit, "",
            fmt::format("mesh.position_tolerance {} m cannot be met: {} {}", tolerance, grid, reached),
            "raise mesh.position_tolerance, or move the mesh nearer to its origin", 0};
}

PositionGrid sphere_grid(const Bounds& sphere, int bits) {
    PositionGrid grid{GridKind::Sphere, bits == 16 ? 16U : 32U, sphere.center, 1};
    if (sphere.radius > 0) {
        const double cells = (1 << (bits - 1)) - 1;
        grid.step =
            std::max(static_cast<float>(to_double(sphere.radius) / cells), std::numeric_limits<float>::min());
    }
    return grid;
}

Result<PositionGrid> fit_sphere(std::span<const Float3> positions, const Bounds& sphere, double tolerance) {
    float error = 0;
    for (int bits = 16; bits <= kMaxSphereBits; ++bits) {
        const PositionGrid grid = sphere_grid(sphere, bits);
        if (tolerance == 0) return grid;
        error = grid_error(grid, positions);
        if (to_double(error) <= tolerance) return grid;
    }
    return unreachable_tolerance("a sphere grid", tolerance,
                                 fmt::format("with 24 bits is off by {} m", error));
}

// The largest power of two, in the range of normal floats, that is not above v.
float power_of_two_below(double v) {
    const double clamped = std::max(v, to_double(std::numeric_limits<float>::min()));
    return static_cast<float>(std::ldexp(1.0, std::min(std::ilogb(clamped), 127)));
}

Result<PositionGrid> fit_world(std::span<const Float3> positions, const Bounds& sphere, double tolerance) {
    double largest = 0;
    for (const Float3 p : positions) {
        largest =
            std::max({largest, to_double(std::abs(p.x)), to_double(std::abs(p.y)), to_double(std::abs(p.z))});
    }
    const double size = sphere.radius > 0 ? to_double(sphere.radius) : largest;
    const double error = tolerance > 0 ? tolerance : kDefaultRelativeError * size;
    PositionGrid grid{GridKind::World, 16, {}, 1};
    if (error > 0) grid.step = power_of_two_below(error / kHalfDiagonal);
    largest /= to_double(grid.step);
    if (largest >= kMaxWorld) {
        return unreachable_tolerance("a world grid", tolerance,
                                     fmt::format("would need integers up to {}", largest));
    }
    grid.bits = largest + 0.5 < kMax16 + 1 ? 16 : 32;
    return grid;
}

}  // namespace

Result<Unit> check_position(Float3 p) {
    const bool inside = std::abs(p.x) <= kMaxCoordinate && std::abs(p.y) <= kMaxCoordinate &&
                        std::abs(p.z) <= kMaxCoordinate;  // false for NaN
    if (inside) return Unit{};
    return Error{
        ErrorKind::InvalidInput, "",
        fmt::format("position ({}, {}, {}) is not within {} m of the origin", p.x, p.y, p.z, kMaxCoordinate),
        "export the mesh in its true size, near its origin",
        static_cast<std::uint16_t>(IssueCode::NonFiniteAttribute)};
}

Result<PositionGrid> fit_grid(std::span<const Float3> positions, const MeshOptions& options) {
    const double tolerance = options.position_tolerance;
    if (!(tolerance >= 0) || !std::isfinite(tolerance)) {
        return Error{ErrorKind::Usage, "", fmt::format("mesh.position_tolerance is {}", tolerance),
                     "use a length in metres, or 0 for the default", 0};
    }
    SINTER_TRY(check_positions(positions));
    const Bounds sphere = bounds_of(positions);
    return options.position_grid == GridKind::World ? fit_world(positions, sphere, tolerance)
                                                    : fit_sphere(positions, sphere, tolerance);
}

GridPosition to_grid(const PositionGrid& grid, Float3 p) {
    const double cells_per_metre = 1 / to_double(grid.step);
    const auto nearest = [&](float value, float center) {
        const double cells = (to_double(value) - to_double(center)) * cells_per_metre;
        return static_cast<std::int32_t>(cells + (cells < 0 ? -0.5 : 0.5));
    };
    return {nearest(p.x, grid.center.x), nearest(p.y, grid.center.y), nearest(p.z, grid.center.z)};
}

float grid_error(const PositionGrid& grid, std::span<const Float3> positions) {
    double largest = 0;
    for (const Float3 p : positions) {
        const Double3 off = to_double(from_grid(grid, to_grid(grid, p))) - to_double(p);
        largest = std::max(largest, dot(off, off));
    }
    return round_up(std::sqrt(largest));
}

Bounds bounds_of(std::span<const Float3> positions) {
    if (positions.empty()) return {};
    Bounds bounds{positions[0], positions[0], {}, 0};
    for (const Float3 p : positions) {
        bounds.min = {std::min(bounds.min.x, p.x), std::min(bounds.min.y, p.y), std::min(bounds.min.z, p.z)};
        bounds.max = {std::max(bounds.max.x, p.x), std::max(bounds.max.y, p.y), std::max(bounds.max.z, p.z)};
    }
    bounds.center = to_float((to_double(bounds.min) + to_double(bounds.max)) * 0.5);
    double largest = 0;
    for (const Float3 p : positions) {
        const Double3 off = to_double(p) - to_double(bounds.center);
        largest = std::max(largest, dot(off, off));
    }
    bounds.radius = round_up(std::sqrt(largest));
    return bounds;
}

}  // namespace sinter
