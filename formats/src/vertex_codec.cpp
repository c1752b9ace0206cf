#include <sinter/formats/vertex_codec.hpp>

#include "unit_vector.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace sinter {
namespace {

constexpr std::int32_t kSideSteps = 8192;  // of the square, four sides
constexpr std::int32_t kAngleMask = 4 * kSideSteps - 1;
constexpr std::uint16_t kNegativeBitangent = 0x8000;

// The direction of an angle code, exact: |c| + |s| = 8192.
std::array<std::int32_t, 2> square_point(std::int32_t angle) {
    const std::int32_t along = angle & (kSideSteps - 1);
    const std::int32_t rest = kSideSteps - along;
    switch (angle / kSideSteps) {
    case 0: return {rest, along};
    case 1: return {-along, rest};
    case 2: return {-rest, -along};
    default: return {along, -rest};
    }
}

double dot_product(const std::array<float, 3>& a, const std::array<float, 3>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

// The position of a direction on the square, in steps: [0, 4 * 8192]. Pre: not both 0.
double square_position(double c, double s) {
    const double steps = kSideSteps / (std::abs(c) + std::abs(s));
    if (c > 0 && s >= 0) return s * steps;
    if (c <= 0 && s > 0) return kSideSteps - c * steps;
    if (c < 0) return 2 * kSideSteps - s * steps;
    return 3 * kSideSteps + c * steps;
}

}  // namespace

TangentFrame tangent_frame(OctNormal code) {
    const std::array<float, 3> n = oct_decode(code);
    const std::int32_t u = std::max<std::int32_t>(code.u, -32767);
    const std::int32_t v = std::max<std::int32_t>(code.v, -32767);
    const float sign = std::abs(u) + std::abs(v) > 32767 ? -1.0F : 1.0F;
    const float a = -1.0F / (sign + n[2]);
    const float b = n[0] * n[1] * a;
    return {{1.0F + sign * n[0] * n[0] * a, sign * b, -sign * n[0]}, {b, sign + n[1] * n[1] * a, -n[1]}};
}

TangentCode tangent_encode(OctNormal normal, std::array<float, 3> tangent, bool negative_bitangent) {
    const TangentFrame frame = tangent_frame(normal);
    const double c = dot_product(tangent, frame.s);
    const double s = dot_product(tangent, frame.t);
    const auto sign = negative_bitangent ? kNegativeBitangent : std::uint16_t{0};
    const double length = std::sqrt(c * c + s * s);
    if (!(length > 0)) return {sign};
    const auto low = static_cast<std::int32_t>(square_position(c, s));
    std::int32_t best = 0;
    double best_cosine = -2;
    for (const std::int32_t step : {low, low + 1}) {
        const auto point = square_point(step & kAngleMask);
        const double x = point[0];
        const double y = point[1];
        const double cosine = (c * x + s * y) / std::sqrt(x * x + y * y);
        if (cosine > best_cosine) {
            best_cosine = cosine;
            best = step & kAngleMask;
        }
    }
    return {static_cast<std::uint16_t>(static_cast<std::uint16_t>(best) | sign)};
}

DecodedTangent tangent_decode(OctNormal normal, TangentCode code) {
    const TangentFrame frame = tangent_frame(normal);
    const auto point = square_point(code.bits & kAngleMask);
    const auto c = static_cast<float>(point[0]);
    const auto s = static_cast<float>(point[1]);
    DecodedTangent out;
    for (std::size_t i = 0; i < 3; ++i) out.tangent[i] = c * frame.s[i] + s * frame.t[i];
    const float length = std::sqrt(out.tangent[0] * out.tangent[0] + out.tangent[1] * out.tangent[1] +
                                   out.tangent[2] * out.tangent[2]);
    for (float& component : out.tangent) component /= length;
    out.sign = (code.bits & kNegativeBitangent) != 0 ? -1.0F : 1.0F;
    return out;
}

OctNormal20 oct20_encode(std::array<float, 3> direction) {
    const Double3 n = unit_vector(direction);
    const auto [u, v] = octahedral_point(n);
    const std::int32_t low_u = oct20_floor(static_cast<std::int32_t>(std::floor(u * 32767)));
    const std::int32_t low_v = oct20_floor(static_cast<std::int32_t>(std::floor(v * 32767)));
    OctNormal20 best;
    double best_distance = 8;  // above the square of the sphere's diameter
    for (int i = 0; i < 4; ++i) {
        const OctNormal20 code{static_cast<std::int16_t>(std::min(low_u + (i & 1), kOct20Max)),
                               static_cast<std::int16_t>(std::min(low_v + (i >> 1), kOct20Max))};
        const double distance = squared_distance(n, oct_decode(oct20_expand(code)));
        if (distance < best_distance) {
            best_distance = distance;
            best = code;
        }
    }
    return best;
}

}  // namespace sinter
