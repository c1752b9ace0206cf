// FLIP against closed forms, against a second implementation, and against the authors' own.
#include "runtime/picture/flip.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

namespace sinter::test {
namespace {

using Bytes3 = std::array<std::uint8_t, 3>;
using Doubles3 = std::array<double, 3>;

Picture paint(std::uint32_t width, std::uint32_t height,
              const std::function<Bytes3(std::uint32_t, std::uint32_t)>& at) {
    Picture out{width, height, {}};
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const Bytes3 c = at(x, y);
            out.rgba.insert(out.rgba.end(), {c[0], c[1], c[2], 255});
        }
    }
    return out;
}

Picture plain(Bytes3 color) {
    return paint(40, 30, [&](auto, auto) { return color; });
}

Picture noise(std::uint32_t width, std::uint32_t height, std::uint32_t seed) {
    std::mt19937 random(seed);
    return paint(width, height, [&](auto, auto) {
        Bytes3 c{};
        for (std::uint8_t& byte : c) byte = static_cast<std::uint8_t>(random() >> 24);
        return c;
    });
}

// A disc in front of a gradient.
Picture disc(std::uint32_t center_x) {
    return paint(96, 64, [=](std::uint32_t x, std::uint32_t y) {
        const auto dx = static_cast<int>(x) - static_cast<int>(center_x), dy = static_cast<int>(y) - 30;
        if (dx * dx + dy * dy < 400) return Bytes3{200, 90, static_cast<std::uint8_t>(40 + y)};
        return Bytes3{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(x + y), 120};
    });
}

// Bright pixels on grey, `step` apart.
Picture fireflies(std::uint32_t step) {
    return paint(80, 60, [=](std::uint32_t x, std::uint32_t y) {
        return step != 0 && x % step == 3 && y % step == 5 ? Bytes3{255, 240, 180} : Bytes3{60, 60, 60};
    });
}

// ---- The second implementation: double, every filter a sum over a square, colours by the CIE's formulas. -------------

double linear_of(std::uint8_t byte) {
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double determinant(const Doubles3& a, const Doubles3& b, const Doubles3& c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) +
           c[0] * (a[1] * b[2] - a[2] * b[1]);
}

// The factors of a, b and c in `sum`, by Cramer's rule.
Doubles3 factors_of(const Doubles3& sum, const Doubles3& a, const Doubles3& b, const Doubles3& c) {
    const double all = determinant(a, b, c);
    return {determinant(sum, b, c) / all, determinant(a, sum, c) / all, determinant(a, b, sum) / all};
}

// XYZ of the chromaticity (x, y), with Y = 1.
Doubles3 xyz_of_chromaticity(double x, double y) { return {x / y, 1, (1 - x - y) / y}; }

Doubles3 xyz_of(Doubles3 rgb) {
    // sRGB's primaries; as much of each as makes D65 of Y = 1, to five digits, which is what the authors take.
    const Doubles3 red = xyz_of_chromaticity(0.64, 0.33), green = xyz_of_chromaticity(0.30, 0.60),
                   blue = xyz_of_chromaticity(0.15, 0.06), d65 = xyz_of_chromaticity(0.31271, 0.32902);
    const Doubles3 share = factors_of(d65, red, green, blue);
    Doubles3 out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = share[0] * rgb[0] * red[i] + share[1] * rgb[1] * green[i] + share[2] * rgb[2] * blue[i];
    return out;
}

Doubles3 white() { return xyz_of({1, 1, 1}); }

Doubles3 opponent_of(Doubles3 rgb) {
    const Doubles3 xyz = xyz_of(rgb), w = white();
    const double x = xyz[0] / w[0], y = xyz[1] / w[1], z = xyz[2] / w[2];
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

Doubles3 rgb_of_opponent(Doubles3 v) {
    const Doubles3 w = white();
    const double y = (v[0] + 16) / 116;
    const Doubles3 xyz{(y + v[1] / 500) * w[0], y * w[1], (y - v[2] / 200) * w[2]};
    return factors_of(xyz, xyz_of({1, 0, 0}), xyz_of({0, 1, 0}), xyz_of({0, 0, 1}));
}

Doubles3 hunt_lab_of(Doubles3 rgb) {
    const Doubles3 xyz = xyz_of(rgb), w = white();
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f(xyz[0] / w[0]), y = f(xyz[1] / w[1]), z = f(xyz[2] / w[2]);
    const double lightness = 116 * y - 16;
    return {lightness, 5 * lightness * (x - y), 2 * lightness * (y - z)};
}

// The difference of two colours, by the paper's equations for colours: HyAB, its power, the two-part scale.
double color_error(Doubles3 rgb_a, Doubles3 rgb_b) {
    const auto hyab = [](const Doubles3& a, const Doubles3& b) {
        return std::abs(a[0] - b[0]) + std::hypot(a[1] - b[1], a[2] - b[2]);
    };
    const double error = std::pow(hyab(hunt_lab_of(rgb_a), hunt_lab_of(rgb_b)), 0.7);
    const double largest = std::pow(hyab(hunt_lab_of({0, 1, 0}), hunt_lab_of({0, 0, 1})), 0.7);
    const double knee = 0.4 * largest;
    return error < knee ? 0.95 / knee * error : 0.95 + 0.05 * (error - knee) / (largest - knee);
}

struct NaiveImage {
    int width = 0, height = 0;
    std::vector<Doubles3> opponent;
    [[nodiscard]] Doubles3 at(int x, int y) const {
        const int cx = std::clamp(x, 0, width - 1), cy = std::clamp(y, 0, height - 1);
        return opponent[static_cast<std::size_t>(cy) * static_cast<std::size_t>(width) +
                        static_cast<std::size_t>(cx)];
    }
};

NaiveImage naive_image(const Picture& picture) {
    NaiveImage out{static_cast<int>(picture.width), static_cast<int>(picture.height), {}};
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
        out.opponent.push_back(opponent_of(
            {linear_of(picture.rgba[i]), linear_of(picture.rgba[i + 1]), linear_of(picture.rgba[i + 2])}));
    }
    return out;
}

// The sum over a square of weights; they are scaled so that the positive ones sum up to 1, and the negative to -1.
using Weight = std::function<double(int, int)>;
double filtered(const NaiveImage& image, int x, int y, std::size_t channel, int radius,
                const Weight& weight) {
    double positive = 0, negative = 0, positive_weight = 0, negative_weight = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            const double w = weight(dx, dy), value = image.at(x + dx, y + dy)[channel];
            (w > 0 ? positive : negative) += w * value;
            (w > 0 ? positive_weight : negative_weight) += std::abs(w);
        }
    }
    return positive / positive_weight + (negative_weight > 0 ? negative / negative_weight : 0);
}

Doubles3 naive_color(const NaiveImage& image, int x, int y, double ppd) {
    const double pi = std::numbers::pi;
    const int radius = static_cast<int>(std::ceil(3 * std::sqrt(0.04 / (2 * pi * pi)) * ppd));
    const auto gaussian = [&](double a, double b, int dx, int dy) {
        return a * std::sqrt(pi / b) * std::exp(-pi * pi * (dx * dx + dy * dy) / (ppd * ppd) / b);
    };
    const Doubles3 seen{
        filtered(image, x, y, 0, radius, [&](int dx, int dy) { return gaussian(1, 0.0047, dx, dy); }),
        filtered(image, x, y, 1, radius, [&](int dx, int dy) { return gaussian(1, 0.0053, dx, dy); }),
        filtered(image, x, y, 2, radius, [&](int dx, int dy) {
            return gaussian(34.1, 0.04, dx, dy) + gaussian(13.5, 0.025, dx, dy);
        })};
    Doubles3 rgb = rgb_of_opponent(seen);
    for (double& value : rgb) value = std::clamp(value, 0.0, 1.0);
    return rgb;
}

// How strong the edge (first) and the point (second derivative) at a pixel are.
std::array<double, 2> naive_features(const NaiveImage& image, int x, int y, double ppd) {
    const double sigma = 0.082 / 2 * ppd;
    const int radius = static_cast<int>(std::ceil(3 * sigma));
    const auto g = [&](int dx, int dy) { return std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)); };
    const auto filter = [&](const Weight& w) { return filtered(image, x, y, 0, radius, w) / 116; };
    return {std::hypot(filter([&](int dx, int dy) { return -dx * g(dx, dy); }),
                       filter([&](int dx, int dy) { return -dy * g(dx, dy); })),
            std::hypot(filter([&](int dx, int dy) { return (dx * dx / (sigma * sigma) - 1) * g(dx, dy); }),
                       filter([&](int dx, int dy) { return (dy * dy / (sigma * sigma) - 1) * g(dx, dy); }))};
}

std::vector<double> naive_map(const Picture& a, const Picture& b, double ppd) {
    const NaiveImage ia = naive_image(a), ib = naive_image(b);
    std::vector<double> out;
    for (int y = 0; y < ia.height; ++y) {
        for (int x = 0; x < ia.width; ++x) {
            const double color = color_error(naive_color(ia, x, y, ppd), naive_color(ib, x, y, ppd));
            const auto fa = naive_features(ia, x, y, ppd), fb = naive_features(ib, x, y, ppd);
            const double feature = std::max(std::abs(fa[0] - fb[0]), std::abs(fa[1] - fb[1]));
            out.push_back(std::pow(color, 1 - std::sqrt(feature / std::numbers::sqrt2)));
        }
    }
    return out;
}

Doubles3 linear_color(Bytes3 c) { return {linear_of(c[0]), linear_of(c[1]), linear_of(c[2])}; }

// ---- Tests. ---------------------------------------------------------------------------------------------------------

TEST_CASE("FLIP of equal pictures is exactly 0, and of two it does not matter which is first") {
    const Picture a = noise(50, 33, 1), b = noise(50, 33, 2);
    CHECK(std::ranges::count(flip_map(a, a), 0.0F) == 50 * 33);
    CHECK(flip_mean(a, a) == 0);
    CHECK(flip_map(a, b) == flip_map(b, a));
    CHECK(flip_mean(a, b) > 0.1);
    CHECK(flip_mean({}, {}) == 0);
    CHECK(flip_map(plain({0, 0, 0}), noise(40, 30, 3)).size() == 40 * 30);
}

TEST_CASE("FLIP of two plain pictures is the difference of their colours, whatever the filters") {
    // Nothing is resolved and nothing is an edge: by hand, black and white are 100 apart in L*, and nothing in a*, b*.
    const double largest = [] {
        const Doubles3 green = hunt_lab_of({0, 1, 0}), blue = hunt_lab_of({0, 0, 1});
        return std::pow(std::abs(green[0] - blue[0]) + std::hypot(green[1] - blue[1], green[2] - blue[2]),
                        0.7);
    }();
    const double white = 0.95 + 0.05 * (std::pow(100, 0.7) - 0.4 * largest) / (0.6 * largest);
    // float has 24 bits; the largest error of the pairs below was 1e-6.
    const auto near_value = [](double value) { return Catch::Approx(value).epsilon(0).margin(3e-6); };
    CHECK(flip_mean(plain({0, 0, 0}), plain({255, 255, 255})) == near_value(white));
    CHECK(flip_mean(plain({0, 255, 0}), plain({0, 0, 255})) == near_value(1));

    std::mt19937 random(7);
    for (int round = 0; round < 40; ++round) {
        Bytes3 a{}, b{};
        for (std::size_t c = 0; c < 3; ++c) {
            a[c] = static_cast<std::uint8_t>(random() >> 24);
            b[c] = round % 2 == 0 ? static_cast<std::uint8_t>(random() >> 24)
                                  : static_cast<std::uint8_t>(std::min(255, a[c] + 9));
        }
        const double expected = color_error(linear_color(a), linear_color(b));
        for (const double ppd : {20.0, 67.0}) {
            const auto map = flip_map(plain(a), plain(b), ppd);
            CHECK(std::ranges::all_of(map, [&](float v) { return v == map.front(); }));
            CHECK(static_cast<double>(map.front()) == near_value(expected));
        }
    }
}

TEST_CASE("FLIP stays between 0 and 1, also at the corners of the colour cube") {
    for (unsigned i = 0; i < 8; ++i) {
        for (unsigned j = 0; j < 8; ++j) {
            const auto corner = [](unsigned bits) {
                const auto byte = [&](unsigned bit) {
                    return static_cast<std::uint8_t>((bits >> bit & 1U) != 0 ? 255 : 0);
                };
                return Bytes3{byte(0), byte(1), byte(2)};
            };
            const double mean = flip_mean(plain(corner(i)), plain(corner(j)));
            CHECK(mean >= 0);
            CHECK(mean <= 1 + 1e-6);  // green and blue, rounded
            CHECK((mean == 0) == (i == j));
        }
    }
    // A board of black and white pixels against its negative: the strongest features there are.
    const auto board = [](std::uint32_t cell, std::uint32_t odd) {
        return paint(64, 64, [=](std::uint32_t x, std::uint32_t y) {
            const auto v = static_cast<std::uint8_t>((x / cell + y / cell) % 2 == odd ? 255 : 0);
            return Bytes3{v, v, v};
        });
    };
    for (const std::uint32_t cell : {1U, 5U, 16U}) {
        const auto map = flip_map(board(cell, 0), board(cell, 1));
        CHECK(std::ranges::min(map) >= 0);
        CHECK(std::ranges::max(map) <= 1 + 1e-6F);
    }
}

TEST_CASE("FLIP grows with the difference") {
    // A square that gets brighter, and a disc that moves away.
    double before = 0;
    for (int value = 60; value <= 250; value += 10) {
        const auto square = [](int v) {
            return paint(64, 48, [=](std::uint32_t x, std::uint32_t y) {
                const auto byte = static_cast<std::uint8_t>(x > 20 && x < 40 && y > 10 && y < 30 ? v : 50);
                return Bytes3{byte, byte, byte};
            });
        };
        const double mean = flip_mean(square(50), square(value));
        CHECK(mean > before);
        before = mean;
    }
    before = 0;
    for (std::uint32_t shift = 1; shift < 12; ++shift) {
        const double mean = flip_mean(disc(30), disc(30 + shift));
        CHECK(mean > before);
        before = mean;
    }
    // From farther away less is seen of the noise.
    CHECK(flip_mean(noise(64, 64, 1), noise(64, 64, 2), 134) <
          flip_mean(noise(64, 64, 1), noise(64, 64, 2), 33));
}

TEST_CASE("FLIP equals a second implementation without separable filters, pixel by pixel") {
    const auto compare = [](const Picture& a, const Picture& b, double ppd) {
        const auto fast = flip_map(a, b, ppd);
        const auto naive = naive_map(a, b, ppd);
        REQUIRE(fast.size() == naive.size());
        double largest = 0;
        for (std::size_t i = 0; i < fast.size(); ++i)
            largest = std::max(largest, std::abs(static_cast<double>(fast[i]) - naive[i]));
        return largest;
    };
    // Differences of features go through a square root, which makes 1e-4 of a rounding of 1e-8 at 0; 5e-6 were seen.
    CHECK(compare(noise(23, 17, 5), noise(23, 17, 6), 67) < 2e-5);
    CHECK(compare(noise(23, 17, 5), noise(23, 17, 6), 25) < 2e-5);
    CHECK(compare(noise(3, 1, 5), noise(3, 1, 6), 67) < 2e-5);
    CHECK(compare(disc(30), disc(32), 20) < 2e-5);
    CHECK(compare(fireflies(0), fireflies(17), 20) < 2e-5);
}

TEST_CASE("FLIP has the values of the authors' own program") {
    // Means that FLIP.h of github.com/NVlabs/flip, commit 1eb247c, gives for these pictures, run outside of this
    // repository. Both compute in float; seven digits were printed.
    const auto near_value = [](double value) { return Catch::Approx(value).epsilon(0).margin(1e-6); };
    CHECK(flip_mean(noise(64, 48, 1), noise(64, 48, 2)) == near_value(0.4570783));
    CHECK(flip_mean(noise(64, 48, 1), noise(64, 48, 2), 30) == near_value(0.7490323));
    CHECK(flip_mean(disc(30), disc(32)) == near_value(0.0549813));
    CHECK(flip_mean(disc(30), disc(32), 30) == near_value(0.0432905));
    CHECK(flip_mean(fireflies(0), fireflies(17)) == near_value(0.0468549));
    CHECK(flip_mean(fireflies(0), fireflies(17), 30) == near_value(0.0282315));
}

}  // namespace
}  // namespace sinter::test
