#include "cooker/package/uv_encoding.hpp"

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

double coordinate_error(UvRecord a, UvRecord b) {
    return std::max(std::abs(static_cast<double>(a.u) - static_cast<double>(b.u)),
                    std::abs(static_cast<double>(a.v) - static_cast<double>(b.v)));
}

// The float that is not below.
float rounded_up(double value) {
    const auto out = static_cast<float>(value);
    return static_cast<double>(out) < value ? std::nextafter(out, 2 * out + 1) : out;
}

}  // namespace

EncodedUvs encode_uvs(std::span<const Float2> uvs, double tolerance) {
    EncodedUvs out;
    for (const Float2 uv : uvs) out.floats.push_back({.u = uv.x, .v = uv.y});
    const UvGrid grid = uv_grid(out.floats);
    if (!std::isfinite(grid.step[0]) || !std::isfinite(grid.step[1])) return out;  // wider than floats reach
    std::vector<UvCode> codes;
    codes.reserve(uvs.size());
    double worst = 0;
    for (const UvRecord uv : out.floats) {
        codes.push_back(uv_encode(grid, uv));
        worst = std::max(worst, coordinate_error(uv, uv_decode(grid, codes.back())));
    }
    if (worst > tolerance) return out;
    out.grid = grid;
    out.max_error = rounded_up(worst);
    out.codes = std::move(codes);
    out.floats.clear();
    return out;
}

}  // namespace sinter
