// UVs in codes: their error is what is stored, and no more than what was asked for.
#include "cooker/package/uv_encoding.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace sinter {
namespace {

constexpr double kDefaultTolerance = 1.0 / 65536;

double error_of(const EncodedUvs& encoded, std::span<const Float2> uvs) {
    double worst = 0;
    for (std::size_t i = 0; i < uvs.size(); ++i) {
        // The decoder of docs/package-format.md, written out.
        const float u = encoded.grid.min[0] + encoded.grid.step[0] * static_cast<float>(encoded.codes[i].u);
        const float v = encoded.grid.min[1] + encoded.grid.step[1] * static_cast<float>(encoded.codes[i].v);
        worst = std::max({worst, std::abs(static_cast<double>(u) - static_cast<double>(uvs[i].x)),
                          std::abs(static_cast<double>(v) - static_cast<double>(uvs[i].y))});
    }
    return worst;
}

std::vector<Float2> random_uvs(float low, float high, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<Float2> out;
    const auto value = [&] {
        return low + (high - low) * static_cast<float>(random() % 1000001) / 1000000.0F;
    };
    for (int i = 0; i < 5000; ++i) out.push_back({value(), value()});
    return out;
}

}  // namespace

TEST_CASE("the stored error is the error that decoding makes, half a step of the rectangle at most") {
    for (const auto& [low, high] : {std::pair{0.0F, 1.0F}, std::pair{-0.25F, 1.5F}, std::pair{0.3F, 0.31F}}) {
        const auto uvs = random_uvs(low, high, 5);
        const EncodedUvs encoded = encode_uvs(uvs, kDefaultTolerance);
        REQUIRE(encoded.codes.size() == uvs.size());
        CHECK(encoded.floats.empty());
        const double error = error_of(encoded, uvs);
        CHECK(error <= static_cast<double>(encoded.max_error));
        CHECK(error * (1 + 1e-6) >= static_cast<double>(encoded.max_error));  // one rounding to float
        // Half a step, and the roundings of a product and a sum of floats up to 1.5 (2^-24 of it each).
        CHECK(error <= 0.5 * static_cast<double>(high - low) / 65535 + 3e-7);
    }
}

TEST_CASE("the corners of the picture are exact, and equal UVs have equal codes") {
    auto uvs = random_uvs(0, 1, 6);
    uvs.insert(uvs.end(), {{0, 0}, {1, 1}, {0, 1}, uvs[7]});
    const EncodedUvs encoded = encode_uvs(uvs, kDefaultTolerance);
    REQUIRE(encoded.codes.size() == uvs.size());
    const auto last = encoded.codes.end();
    const UvRecord corner = uv_decode(encoded.grid, last[-3]);
    CHECK((corner.u == 1 && corner.v == 1));
    CHECK((uv_decode(encoded.grid, last[-4]).u == 0 && uv_decode(encoded.grid, last[-2]).v == 1));
    CHECK((last[-1].u == encoded.codes[7].u && last[-1].v == encoded.codes[7].v));
}

TEST_CASE("a set that 16 bits would move too far stays as it is") {
    const auto tiled = random_uvs(0, 8, 7);  // half a step is 6.1e-5
    const EncodedUvs floats = encode_uvs(tiled, kDefaultTolerance);
    CHECK(floats.codes.empty());
    CHECK(floats.max_error == 0);
    REQUIRE(floats.floats.size() == tiled.size());
    for (std::size_t i = 0; i < tiled.size(); ++i)
        REQUIRE((floats.floats[i].u == tiled[i].x && floats.floats[i].v == tiled[i].y));
    CHECK(encode_uvs(tiled, 1e-4).codes.size() == tiled.size());
    CHECK(encode_uvs(random_uvs(0, 1, 8), 0).codes.empty());

    constexpr float kHuge = std::numeric_limits<float>::max();
    CHECK(encode_uvs(std::vector<Float2>{{-kHuge, 0}, {kHuge, 1}, {0, 0}}, 1).codes.empty());
    CHECK(encode_uvs({}, kDefaultTolerance).codes.empty());
}

TEST_CASE("a set whose values all are codes loses nothing") {
    // All at one place, and multiples of 2^-16 over a rectangle of 65535 of them.
    const EncodedUvs one = encode_uvs(std::vector<Float2>{{0.7F, 0.1F}, {0.7F, 0.1F}}, 0);
    CHECK(one.codes.size() == 2);
    CHECK(one.max_error == 0);
    std::vector<Float2> grid;
    for (int i = 0; i < 65536; i += 15) grid.push_back({static_cast<float>(i) / 65536, 0});
    const EncodedUvs exact = encode_uvs(grid, 0);
    REQUIRE(exact.codes.size() == grid.size());
    CHECK(error_of(exact, grid) == 0);
}

}  // namespace sinter
