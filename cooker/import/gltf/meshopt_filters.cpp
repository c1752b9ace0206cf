#include "cooker/import/gltf/meshopt_filters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace sinter::gltf {
namespace {

template <typename T>
std::array<T, 4> load(const std::byte* at) {
    std::array<T, 4> values{};
    std::memcpy(values.data(), at, sizeof values);
    return values;
}

// To the nearest integer, halves away from zero, within T's normalised range.
template <typename T>
T rounded(double value) {
    constexpr double kGreatest = std::numeric_limits<T>::max();
    return static_cast<T>(std::clamp(value + (value >= 0 ? 0.5 : -0.5), -kGreatest, kGreatest));
}

template <typename T>
void undo_octahedral(std::span<std::byte> data) {
    constexpr double kGreatest = std::numeric_limits<T>::max();
    for (std::size_t at = 0; at + 4 * sizeof(T) <= data.size(); at += 4 * sizeof(T)) {
        std::array<T, 4> v = load<T>(data.data() + at);
        double x = v[0], y = v[1];
        const double z = v[2] - std::abs(x) - std::abs(y);
        const double fold = std::min(z, 0.0);
        x += x >= 0 ? fold : -fold;
        y += y >= 0 ? fold : -fold;
        const double length = std::sqrt(x * x + y * y + z * z);
        const double scale = length > 0 ? kGreatest / length : 0;
        v[0] = rounded<T>(x * scale);
        v[1] = rounded<T>(y * scale);
        v[2] = rounded<T>(z * scale);
        std::memcpy(data.data() + at, v.data(), sizeof v);
    }
}

}  // namespace

void undo_octahedral_filter(std::span<std::byte> data, std::size_t stride) {
    if (stride == 4) {
        undo_octahedral<std::int8_t>(data);
    } else {
        undo_octahedral<std::int16_t>(data);
    }
}

void undo_quaternion_filter(std::span<std::byte> data) {
    constexpr double kGreatest = std::numeric_limits<std::int16_t>::max();
    for (std::size_t at = 0; at + 8 <= data.size(); at += 8) {
        const std::array<std::int16_t, 4> v = load<std::int16_t>(data.data() + at);
        const auto largest = static_cast<std::size_t>(v[3] & 3);
        const double scale = 1 / (std::sqrt(2.0) * (v[3] | 3));
        const double x = v[0] * scale, y = v[1] * scale, z = v[2] * scale;
        const double w = std::sqrt(std::max(0.0, 1 - x * x - y * y - z * z));
        std::array<std::int16_t, 4> q{};
        q[(largest + 1) % 4] = rounded<std::int16_t>(x * kGreatest);
        q[(largest + 2) % 4] = rounded<std::int16_t>(y * kGreatest);
        q[(largest + 3) % 4] = rounded<std::int16_t>(z * kGreatest);
        q[largest] = rounded<std::int16_t>(w * kGreatest);
        std::memcpy(data.data() + at, q.data(), sizeof q);
    }
}

void undo_exponential_filter(std::span<std::byte> data) {
    for (std::size_t at = 0; at + 4 <= data.size(); at += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, data.data() + at, 4);
        const std::int32_t mantissa = static_cast<std::int32_t>(word << 8) >> 8;
        const std::int32_t exponent = static_cast<std::int32_t>(word) >> 24;
        const auto value = static_cast<float>(std::ldexp(mantissa, exponent));
        std::memcpy(data.data() + at, &value, 4);
    }
}

}  // namespace sinter::gltf
