// A second evaluator of glTF curves, written from appendix C of the specification with the formulas as they
// stand there (acos, sin; Hermite as a polynomial in the segment's time), to compare the cooker's against.
#pragma once

#include "cooker/scene.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace sinter::test {

using Values = std::vector<double>;

inline Values row_of(const Channel& c, std::size_t row) {
    Values out;
    for (std::size_t i = 0; i < c.components; ++i)
        out.push_back(static_cast<double>(c.values[row * c.components + i]));
    return out;
}

inline Values unit(Values v) {
    double square = 0;
    for (const double x : v) square += x * x;
    for (double& x : v) x /= std::sqrt(square);
    return v;
}

// Appendix C.4: a = acos(|d|), s = sign of d, sin(a(1-t))/sin(a) v0 + s sin(at)/sin(a) v1.
inline Values spherical(const Values& v0, const Values& v1, double t) {
    double d = 0;
    for (std::size_t i = 0; i < 4; ++i) d += v0[i] * v1[i];
    const double a = std::acos(std::min(1.0, std::abs(d)));
    Values out(4);
    for (std::size_t i = 0; i < 4; ++i) {
        const double end = d < 0 ? -v1[i] : v1[i];
        out[i] = a < 1e-9 ? v0[i] * (1 - t) + end * t
                          : std::sin(a * (1 - t)) / std::sin(a) * v0[i] + std::sin(a * t) / std::sin(a) * end;
    }
    return unit(out);
}

inline Values evaluate(const Channel& c, double t) {
    const bool cubic = c.interpolation == Interpolation::CubicSpline;
    const bool rotation = c.path == TrackPath::Rotation;
    const auto value = [&](std::size_t key) { return row_of(c, cubic ? key * 3 + 1 : key); };
    const auto finish = [&](Values v) { return rotation ? unit(std::move(v)) : v; };
    std::size_t key = 0;
    while (key + 1 < c.times.size() && static_cast<double>(c.times[key + 1]) <= t) ++key;
    const bool outside = t <= static_cast<double>(c.times.front()) || key + 1 == c.times.size();
    if (outside || c.interpolation == Interpolation::Step) return finish(value(key));
    const double begin = static_cast<double>(c.times[key]),
                 interval = static_cast<double>(c.times[key + 1]) - begin;
    const double s = (t - begin) / interval;
    const Values v0 = value(key), v1 = value(key + 1);
    if (!cubic && rotation) return spherical(unit(v0), unit(v1), s);
    Values out(c.components);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (!cubic) {
            out[i] = (1 - s) * v0[i] + s * v1[i];
            continue;
        }
        const double b = interval * row_of(c, key * 3 + 2)[i], a = interval * row_of(c, key * 3 + 3)[i];
        // c0 + c1 s + c2 s^2 + c3 s^3 through v0 and v1 with slopes b and a.
        const double c2 = 3 * (v1[i] - v0[i]) - 2 * b - a, c3 = 2 * (v0[i] - v1[i]) + b + a;
        out[i] = v0[i] + s * (b + s * (c2 + s * c3));
    }
    return finish(out);
}

}  // namespace sinter::test
