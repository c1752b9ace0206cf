#include <sinter/formats/vertex_codec.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace sinter {
namespace {

using Vec = std::array<double, 3>;

constexpr double kDegrees = 57.29577951308232;

Vec minus(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec cross(const Vec& a, const Vec& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double norm(const Vec& a) { return std::sqrt(dot(a, a)); }
Vec wide(std::array<float, 3> a) {
    return {static_cast<double>(a[0]), static_cast<double>(a[1]), static_cast<double>(a[2])};
}
double angle(const Vec& a, const Vec& b) { return std::atan2(norm(cross(a, b)), dot(a, b)) * kDegrees; }

// Octahedral decoding in double precision, written anew from the definition in docs/package-format.md.
Vec decode_exactly(double u, double v) {
    double x = u / 32767.0;
    double y = v / 32767.0;
    const double z = 1 - std::abs(x) - std::abs(y);
    const double t = std::max(-z, 0.0);
    x += x >= 0 ? -t : t;
    y += y >= 0 ? -t : t;
    const double len = std::sqrt(x * x + y * y + z * z);
    return {x / len, y / len, z / len};
}

// Angle from the corners of a spherical triangle to the point that is equally far from all three, as a tangent.
double circumradius_tangent(const Vec& a, const Vec& b, const Vec& c) {
    const Vec axis = cross(minus(b, a), minus(c, a));
    const double across = norm(cross(axis, a));
    return across == 0 ? 0 : across / std::abs(dot(axis, a));
}

// The largest angle, in degrees, from 33 x 33 points of a cell to their nearest corners.
double sampled_worst(int i, int j) {
    const double u0 = oct20_expand(i);
    const double v0 = oct20_expand(j);
    const double du = oct20_expand(i + 1) - u0;
    const double dv = oct20_expand(j + 1) - v0;
    const std::array<Vec, 4> corners{decode_exactly(u0, v0), decode_exactly(u0 + du, v0),
                                     decode_exactly(u0, v0 + dv), decode_exactly(u0 + du, v0 + dv)};
    double farthest = 0;
    for (int k = 0; k < 33 * 33; ++k) {
        const int row = k / 33;
        const Vec p = decode_exactly(u0 + du * (k % 33) / 32, v0 + dv * row / 32);
        double nearest = 2;
        for (const Vec& corner : corners) nearest = std::min(nearest, norm(minus(p, corner)));
        farthest = std::max(farthest, nearest);
    }
    return 2 * std::asin(farthest / 2) * kDegrees;
}

std::vector<OctNormal> many_normals() {
    std::vector<OctNormal> normals;
    for (const int u : {-32767, -32766, -16384, -1, 0, 1, 10922, 16383, 32766, 32767}) {
        for (const int v : {-32767, -16384, -1, 0, 1, 10922, 16383, 32767})
            normals.push_back({static_cast<std::int16_t>(u), static_cast<std::int16_t>(v)});
    }
    normals.push_back({-32768, 5});
    std::mt19937 random(7);
    std::uniform_int_distribution<int> code(-32767, 32767);
    for (int i = 0; i < 40; ++i)
        normals.push_back({static_cast<std::int16_t>(code(random)), static_cast<std::int16_t>(code(random))});
    return normals;
}

}  // namespace

TEST_CASE("20-bit normal codes widen to odd, strictly rising codes that reach the corners, and come back") {
    CHECK(oct20_expand(0) == 0);
    CHECK(oct20_expand(511) == 32767);
    CHECK(oct20_expand(-511) == -32767);
    for (int a = -511; a < 511; ++a) {
        CHECK(oct20_expand(a) == -oct20_expand(-a));
        const int step = oct20_expand(a + 1) - oct20_expand(a);
        CHECK((step >= 63 && step <= 65));
    }
    const auto slot = [](std::int32_t code) { return static_cast<std::size_t>(code) + 32768; };
    std::vector<int> images(65536, -1000);  // of the 16-bit codes: which 10-bit code has this image
    for (int a = -511; a <= 511; ++a) images[slot(oct20_expand(a))] = a;
    int failures = 0;
    int low = -511;
    for (int code = -32767; code <= 32767; ++code) {
        const int image = images[slot(code)];
        if (image != -1000) low = image;
        if (oct20_floor(code) != low) ++failures;
        const auto found = oct20_of({static_cast<std::int16_t>(code), 0});
        if (found.has_value() != (image != -1000) || (found && (found->u != image || found->v != 0)))
            ++failures;
    }
    CHECK(failures == 0);
    CHECK_FALSE(oct20_of({-32768, 0}));
}

// Straight lines within an octant of the octahedral square are great circles on the sphere, so a cell of codes that no fold
// crosses is a spherical quadrilateral; whichever way it is split into two triangles, no point of it is farther from the
// nearest corner than their circumradius. The middle lines are lines of codes; cells crossed by a fold |u| + |v| = 32767
// are sampled too: between samples, at most a 64th of a cell apart in u and v, the direction turns by less than 0.006
// degrees (the map stretches by at most 3).
TEST_CASE("no direction is farther from its nearest 20-bit normal than stated, over all cells of codes") {
    double worst = 0;
    for (int i = -511; i < 511; ++i) {
        for (int j = -511; j < 511; ++j) {
            const Vec a = decode_exactly(oct20_expand(i), oct20_expand(j));
            const Vec b = decode_exactly(oct20_expand(i + 1), oct20_expand(j));
            const Vec c = decode_exactly(oct20_expand(i), oct20_expand(j + 1));
            const Vec d = decode_exactly(oct20_expand(i + 1), oct20_expand(j + 1));
            const double one = std::max(circumradius_tangent(a, b, c), circumradius_tangent(b, c, d));
            const double other = std::max(circumradius_tangent(a, b, d), circumradius_tangent(a, c, d));
            worst = std::max(worst, std::min(one, other));
        }
    }
    worst = std::atan(worst) * kDegrees;
    double worst_at_folds = 0;
    for (int i = 0; i < 511; ++i) {
        for (int j = 0; j < 511; ++j) {  // one quadrant: the others are its mirror images
            const int low = oct20_expand(i) + oct20_expand(j);
            const int high = oct20_expand(i + 1) + oct20_expand(j + 1);
            if (low <= 32767 && high >= 32767) worst_at_folds = std::max(worst_at_folds, sampled_worst(i, j));
        }
    }
    CAPTURE(worst_at_folds);
    CHECK(worst_at_folds + 0.006 <= static_cast<double>(kMaxOct20ErrorDeg));
    CAPTURE(worst);
    CHECK(worst <= static_cast<double>(kMaxOct20ErrorDeg));
    CHECK(worst > 0.1557);  // the stated bound is tight
}

TEST_CASE("20-bit normals encode to the nearest code, and every code is its own nearest") {
    int failures = 0;
    for (int u = -511; u <= 511; ++u) {
        for (int v = -511; v <= 511; ++v) {
            const OctNormal20 code{static_cast<std::int16_t>(u), static_cast<std::int16_t>(v)};
            const OctNormal wide_code = oct20_expand(code);
            const OctNormal20 again = oct20_encode(oct_decode(wide_code));
            // Codes on the border have twins of the same direction.
            if (again != code &&
                angle(wide(oct_decode(oct20_expand(again))), wide(oct_decode(wide_code))) > 2e-5)
                ++failures;
            if (oct20_of(wide_code) != code) ++failures;
        }
    }
    CHECK(failures == 0);
    std::mt19937 random(3);
    std::normal_distribution<float> normal(0, 1);
    std::vector<std::array<float, 3>> directions{{0, 0, 1},          {0, 0, -1},
                                                 {1, 0, 0},          {-1, 0, 0},
                                                 {0, 1, 0},          {0, -1, 0},
                                                 {-0.0F, -0.0F, -1}, {-0.0F, 1, -0.0F},
                                                 {1e-30F, 0, 1},     {1, 1, 1},
                                                 {-1, -1, -1},       {1, 1, -1e-7F},
                                                 {1, -1, 0},         {1e-20F, 1e-20F, 1e-20F}};
    for (int i = 0; i < 100000; ++i) directions.push_back({normal(random), normal(random), normal(random)});
    double worst = 0;
    for (const auto& d : directions) {
        const OctNormal20 code = oct20_encode(d);
        const double error = angle(wide(d), wide(oct_decode(oct20_expand(code))));
        worst = std::max(worst, error);
        for (int n = 0; n < 9; ++n) {
            const auto near = [](int c, int by) {
                return static_cast<std::int16_t>(std::clamp(c + by, -511, 511));
            };
            const OctNormal20 other{near(code.u, n % 3 - 1), near(code.v, n / 3 - 1)};
            // Decoded values are floats: two codes may tie within their rounding.
            if (error > angle(wide(d), wide(oct_decode(oct20_expand(other)))) + 1e-5) ++failures;
        }
    }
    CAPTURE(worst);
    CHECK(failures == 0);
    CHECK(worst <= static_cast<double>(kMaxOct20ErrorDeg));
    CHECK(worst > 0.15);
}

TEST_CASE(
    "the tangent frame is orthonormal, right-handed and across the decoded normal, for every kind of code") {
    for (const OctNormal code : many_normals()) {
        const TangentFrame frame = tangent_frame(code);
        const Vec n = wide(oct_decode(code));
        const Vec s = wide(frame.s);
        const Vec t = wide(frame.t);
        CAPTURE(code.u, code.v);
        // Float arithmetic on numbers up to 1 and divisors of at least 1: a few roundings of 6e-8.
        CHECK(std::abs(dot(s, n)) < 1e-6);
        CHECK(std::abs(dot(t, n)) < 1e-6);
        CHECK(std::abs(dot(s, t)) < 1e-6);
        CHECK(std::abs(norm(s) - 1) < 1e-6);
        CHECK(norm(minus(cross(s, t), n)) < 2e-6);
    }
}

TEST_CASE("every tangent code decodes to a unit vector across the normal, and encodes back to itself") {
    int failures = 0;
    for (const OctNormal normal : many_normals()) {
        const Vec n = wide(oct_decode(normal));
        for (std::uint32_t bits = 0; bits < 65536; bits += 1) {
            const TangentCode code{static_cast<std::uint16_t>(bits)};
            const DecodedTangent decoded = tangent_decode(normal, code);
            const Vec t = wide(decoded.tangent);
            if (std::abs(norm(t) - 1) > 3e-7 || std::abs(dot(t, n)) > 1e-6) ++failures;
            if (decoded.sign != (bits >= 32768 ? -1.0F : 1.0F)) ++failures;
            if (tangent_encode(normal, decoded.tangent, decoded.sign < 0) != code) ++failures;
        }
    }
    CHECK(failures == 0);
}

TEST_CASE("tangents come back within the stated angle of their projection, whatever their length") {
    std::mt19937 random(5);
    std::normal_distribution<float> component(0, 1);
    double worst = 0;
    const auto check = [&](OctNormal normal, std::array<float, 3> tangent) {
        const Vec n = wide(oct_decode(normal));
        const Vec t = wide(tangent);
        Vec flat = t;
        for (std::size_t i = 0; i < 3; ++i) flat[i] -= n[i] * dot(n, t);
        if (norm(flat) < 1e-3 * norm(t)) return;  // the projection has no direction worth the name
        worst = std::max(
            worst, angle(flat, wide(tangent_decode(normal, tangent_encode(normal, tangent, false)).tangent)));
    };
    for (const OctNormal normal : many_normals()) {
        for (const auto& axis :
             {std::array<float, 3>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -0.0F, 0}, {1e-20F, 0, 1e-20F}})
            check(normal, axis);
        // Half-way between two codes in the middle of a side: the worst place.
        const TangentFrame frame = tangent_frame(normal);
        std::array<float, 3> middle{};
        for (std::size_t i = 0; i < 3; ++i) middle[i] = 4096.5F * frame.s[i] + 4095.5F * frame.t[i];
        check(normal, middle);
        for (int i = 0; i < 5000; ++i)
            check(normal, {component(random), component(random), component(random)});
    }
    CAPTURE(worst);
    CHECK(worst <= static_cast<double>(kMaxTangentErrorDeg));
    CHECK(worst > 0.0069);  // half of a step in the middle of a side: 1 / 2^13 radians = 0.006994 degrees
    CHECK(tangent_encode({0, 0}, {0, 0, 0}, true) == TangentCode{0x8000});
    CHECK(tangent_encode({0, 0}, {0, 0, 3}, false) == TangentCode{0});
}

}  // namespace sinter
