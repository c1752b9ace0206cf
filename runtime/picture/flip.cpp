#include "runtime/picture/flip.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <span>

namespace sinter {
namespace {

using Plane = std::vector<float>;

struct PlaneSize {
    std::size_t width = 0, height = 0;
    [[nodiscard]] std::size_t count() const { return width * height; }
};

// ---- Filters. All of them are separable; sums of two Gaussians are two filters. ------------------------------------

// An odd number of weights around the middle one.
struct Kernel {
    std::vector<float> taps;
    float sum = 0;  // exact: 1 for a blur, 0 for a derivative

    [[nodiscard]] std::size_t radius() const { return taps.size() / 2; }
};

// What is filtered is the difference from the middle pixel: where a picture is constant, a blur then returns exactly that
// and a derivative exactly 0. The square root in the features would make much of a rounding error.
void add_taps(const Kernel& kernel, std::span<const float> middle, std::span<float> out, auto source_of_tap) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = kernel.sum * middle[i];
    for (std::size_t t = 0; t < kernel.taps.size(); ++t) {
        const float weight = kernel.taps[t];
        const float* source = source_of_tap(t);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += weight * (source[i] - middle[i]);
    }
}

Plane filter_rows(const Plane& in, PlaneSize size, const Kernel& kernel) {
    Plane out(in.size());
    std::vector<float> padded(size.width + 2 * kernel.radius());
    for (std::size_t y = 0; y < size.height; ++y) {
        const std::span row(&in[y * size.width], size.width);
        const auto body = padded.begin() + static_cast<std::ptrdiff_t>(kernel.radius());
        std::fill(padded.begin(), body, row.front());
        std::fill(std::ranges::copy(row, body).out, padded.end(), row.back());
        add_taps(kernel, row, {&out[y * size.width], size.width},
                 [&](std::size_t t) { return padded.data() + t; });
    }
    return out;
}

Plane filter_columns(const Plane& in, PlaneSize size, const Kernel& kernel) {
    Plane out(in.size());
    for (std::size_t y = 0; y < size.height; ++y) {
        add_taps(kernel, {&in[y * size.width], size.width}, {&out[y * size.width], size.width},
                 [&](std::size_t t) {
                     const std::size_t below = y + t;  // by the radius
                     const std::size_t row = below < kernel.radius() ? 0 : below - kernel.radius();
                     return &in[std::min(row, size.height - 1) * size.width];
                 });
    }
    return out;
}

Plane blur(const Plane& in, PlaneSize size, const Kernel& kernel) {
    return filter_columns(filter_rows(in, size, kernel), size, kernel);
}

// weight(x) for x = -radius to radius; positive weights are scaled to a sum of 1, negative ones to -1.
Kernel make_kernel(std::size_t radius, float sum, auto weight) {
    std::vector<double> taps;
    double positive = 0, negative = 0;
    for (std::size_t t = 0; t <= 2 * radius; ++t) {
        const double value = weight(static_cast<double>(t) - static_cast<double>(radius));
        taps.push_back(value);
        (value > 0 ? positive : negative) += std::abs(value);
    }
    Kernel out{{}, sum};
    for (const double value : taps)
        out.taps.push_back(static_cast<float>(value == 0 ? 0 : value / (value > 0 ? positive : negative)));
    return out;
}

// ---- Colour spaces. XYZ is divided by the white of the picture's own primaries, so that white is (1, 1, 1). ---------

using Triple = std::array<float, 3>;
using Matrix = std::array<Triple, 3>;

// The primaries of sRGB (IEC 61966-2-1) with D65 at (0.31271, 0.32902), in exact fractions.
std::array<std::array<double, 3>, 3> xyz_from_rgb_matrix() {
    std::array<std::array<double, 3>, 3> rows{
        {{10135552.0 / 24577794, 8788810.0 / 24577794, 4435075.0 / 24577794},
         {2613072.0 / 12288897, 8788810.0 / 12288897, 887015.0 / 12288897},
         {1425312.0 / 73733382, 8788810.0 / 73733382, 70074185.0 / 73733382}}};
    for (auto& row : rows) {
        const double white = row[0] + row[1] + row[2];
        for (double& value : row) value /= white;
    }
    return rows;
}

struct Matrices {
    Matrix xyz_from_rgb{}, rgb_from_xyz{};
};

Matrices make_matrices() {
    const auto m = xyz_from_rgb_matrix();
    // The cofactor of row r, column c.
    const auto cofactor = [&](std::size_t r, std::size_t c) {
        const std::size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
        return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
    };
    const double determinant = m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
    Matrices out;
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) {
            out.xyz_from_rgb[r][c] = static_cast<float>(m[r][c]);
            out.rgb_from_xyz[r][c] = static_cast<float>(cofactor(c, r) / determinant);
        }
    }
    return out;
}

Triple multiply(const Matrix& matrix, Triple v) {
    Triple out{};
    for (std::size_t r = 0; r < 3; ++r)
        out[r] = matrix[r][0] * v[0] + matrix[r][1] * v[1] + matrix[r][2] * v[2];
    return out;
}

// YCxCz: L*a*b* without its cube root, so that light can be added in it; Y is 0 to 100.
Triple ycxcz_from_xyz(Triple xyz) {
    return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

Triple xyz_from_ycxcz(Triple v) {
    const float y = (v[0] + 16) / 116;
    return {y + v[1] / 500, y, y - v[2] / 200};
}

float lab_curve(float t) {
    constexpr float kDelta = 6.0F / 29;
    return t > kDelta * kDelta * kDelta ? std::cbrt(t) : t / (3 * kDelta * kDelta) + 4.0F / 29;
}

// L*a*b* with the Hunt effect: the darker, the less colourful.
Triple hunt_lab_from_xyz(Triple xyz) {
    const float x = lab_curve(xyz[0]), y = lab_curve(xyz[1]), z = lab_curve(xyz[2]);
    const float lightness = 116 * y - 16;
    return {lightness, 0.01F * lightness * 500 * (x - y), 0.01F * lightness * 200 * (y - z)};
}

// HyAB (Abasi, Amani Tehrani, Fairchild 2020): good for large differences too.
float hyab(Triple a, Triple b) {
    const float da = a[1] - b[1], db = a[2] - b[2];
    return std::abs(a[0] - b[0]) + std::sqrt(da * da + db * db);
}

// ---- The two parts of the difference. ------------------------------------------------------------------------------

using Planes = std::array<Plane, 3>;

Planes ycxcz_planes(const Picture& picture, const Matrices& matrices) {
    const std::array<float, 256> linear = linear_from_srgb();
    const std::size_t count = picture.rgba.size() / 4;
    Planes out{Plane(count), Plane(count), Plane(count)};
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t* p = &picture.rgba[i * 4];
        const Triple color =
            ycxcz_from_xyz(multiply(matrices.xyz_from_rgb, {linear[p[0]], linear[p[1]], linear[p[2]]}));
        for (std::size_t c = 0; c < 3; ++c) out[c][i] = color[c];
    }
    return out;
}

// The paper's contrast sensitivity in space: sums of a * sqrt(pi / b) * exp(-pi^2 r^2 / b), r in degrees.
struct Gaussian {
    double a = 0, b = 0;
};
constexpr Gaussian kLightness{1, 0.0047}, kRedGreen{1, 0.0053}, kBlueYellow1{34.1, 0.04},
    kBlueYellow2{13.5, 0.025};

struct Sensitivity {
    Kernel lightness, red_green, blue_yellow1, blue_yellow2;
    float share1 = 0;  // of blue_yellow1 in the sum of the two
};

Sensitivity make_sensitivity(double pixels_per_degree) {
    // Three standard deviations of the widest of them.
    const auto radius = static_cast<std::size_t>(
        std::ceil(3 * std::sqrt(kBlueYellow1.b / 2) / std::numbers::pi * pixels_per_degree));
    const auto value = [&](const Gaussian& g, double x) {
        const double degrees = x / pixels_per_degree;
        return std::exp(-std::numbers::pi * std::numbers::pi * degrees * degrees / g.b);
    };
    const auto kernel = [&](const Gaussian& g) {
        return make_kernel(radius, 1, [&](double x) { return value(g, x); });
    };
    // Of all weights in two dimensions.
    const auto total = [&](const Gaussian& g) {
        double sum = 0;
        for (std::size_t t = 0; t <= 2 * radius; ++t)
            sum += value(g, static_cast<double>(t) - static_cast<double>(radius));
        return g.a * std::sqrt(std::numbers::pi / g.b) * sum * sum;
    };
    const double total1 = total(kBlueYellow1), total2 = total(kBlueYellow2);
    return {kernel(kLightness), kernel(kRedGreen), kernel(kBlueYellow1), kernel(kBlueYellow2),
            static_cast<float>(total1 / (total1 + total2))};
}

// What the eye resolves of a picture, in L*a*b* with the Hunt effect.
std::vector<Triple> seen_colors(const Planes& planes, PlaneSize size, const Sensitivity& sensitivity,
                                const Matrices& matrices) {
    const Plane y = blur(planes[0], size, sensitivity.lightness);
    const Plane cx = blur(planes[1], size, sensitivity.red_green);
    const Plane cz1 = blur(planes[2], size, sensitivity.blue_yellow1);
    const Plane cz2 = blur(planes[2], size, sensitivity.blue_yellow2);
    std::vector<Triple> out(size.count());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const float cz = cz2[i] + sensitivity.share1 * (cz1[i] - cz2[i]);
        Triple rgb = multiply(matrices.rgb_from_xyz, xyz_from_ycxcz({y[i], cx[i], cz}));
        for (float& value : rgb) value = std::clamp(value, 0.0F, 1.0F);
        out[i] = hunt_lab_from_xyz(multiply(matrices.xyz_from_rgb, rgb));
    }
    return out;
}

// Differences up to 0.4 of the largest one, that of green and blue, take the values up to 0.95: errors of rendering are
// rarely larger.
struct ColorScale {
    static constexpr float kExponent = 0.7F, kKnee = 0.4F, kKneeValue = 0.95F;
    float largest = 0;

    explicit ColorScale(const Matrices& matrices)
        : largest(std::pow(hyab(hunt_lab_from_xyz(multiply(matrices.xyz_from_rgb, {0, 1, 0})),
                                hunt_lab_from_xyz(multiply(matrices.xyz_from_rgb, {0, 0, 1}))),
                           kExponent)) {}

    [[nodiscard]] float operator()(float distance) const {
        const float error = std::pow(distance, kExponent), knee = kKnee * largest;
        if (error < knee) return error * (kKneeValue / knee);
        return kKneeValue + (error - knee) / (largest - knee) * (1 - kKneeValue);
    }
};

struct Features {
    Plane edges, points;  // how strong at each pixel
};

// Edges and points of the lightness: first and second derivatives of a Gaussian as wide as an edge that the eye sees best.
Features find_features(const Plane& y, PlaneSize size, double pixels_per_degree) {
    constexpr double kEdgeWidth = 0.082;  // degrees from peak to trough of the first derivative
    const double sigma = 0.5 * kEdgeWidth * pixels_per_degree;
    const auto radius = static_cast<std::size_t>(std::ceil(3 * sigma));
    const auto gaussian = [&](double x) { return std::exp(-x * x / (2 * sigma * sigma)); };
    const Kernel smooth = make_kernel(radius, 1, gaussian);
    const Kernel first = make_kernel(radius, 0, [&](double x) { return -x * gaussian(x); });
    const Kernel second =
        make_kernel(radius, 0, [&](double x) { return (x * x / (sigma * sigma) - 1) * gaussian(x); });

    Plane lightness(y);
    for (float& value : lightness) value = (value + 16) / 116;
    const Plane along = filter_rows(lightness, size, smooth);
    const auto strength = [&](const Kernel& derivative) {
        Plane out = filter_columns(filter_rows(lightness, size, derivative), size, smooth);
        const Plane down = filter_columns(along, size, derivative);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::sqrt(out[i] * out[i] + down[i] * down[i]);
        return out;
    };
    return {strength(first), strength(second)};
}

float feature_difference(const Features& a, const Features& b, std::size_t i) {
    const float edges = std::abs(a.edges[i] - b.edges[i]), points = std::abs(a.points[i] - b.points[i]);
    return std::sqrt(std::max(edges, points) / std::numbers::sqrt2_v<float>);
}

}  // namespace

std::vector<float> flip_map(const Picture& a, const Picture& b, double pixels_per_degree) {
    assert(a.width == b.width && a.height == b.height && pixels_per_degree > 0);
    const PlaneSize size{a.width, a.height};
    if (size.count() == 0) return {};
    const Matrices matrices = make_matrices();
    const Sensitivity sensitivity = make_sensitivity(pixels_per_degree);
    const ColorScale scale(matrices);
    const Planes planes_a = ycxcz_planes(a, matrices), planes_b = ycxcz_planes(b, matrices);
    const auto colors_a = seen_colors(planes_a, size, sensitivity, matrices);
    const auto colors_b = seen_colors(planes_b, size, sensitivity, matrices);
    const Features features_a = find_features(planes_a[0], size, pixels_per_degree);
    const Features features_b = find_features(planes_b[0], size, pixels_per_degree);
    std::vector<float> out(size.count());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const float color = scale(hyab(colors_a[i], colors_b[i]));
        out[i] = std::pow(color, 1 - feature_difference(features_a, features_b, i));
    }
    return out;
}

double flip_mean(const Picture& a, const Picture& b, double pixels_per_degree) {
    const std::vector<float> map = flip_map(a, b, pixels_per_degree);
    if (map.empty()) return 0;
    return std::accumulate(map.begin(), map.end(), 0.0) / static_cast<double>(map.size());
}

}  // namespace sinter
