// The curve evaluator against closed forms and against the second evaluator of curves.hpp.
#include "cooker/animation/evaluate.hpp"

#include "tests/animation/curves.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <random>

using namespace sinter;

namespace {

std::vector<double> at(const Channel& c, double t) {
    std::vector<double> out(c.components);
    evaluate_channel(c, t, out);
    return out;
}

Channel random_channel(std::mt19937& random, TrackPath path, Interpolation interpolation,
                       std::uint32_t components) {
    std::uniform_real_distribution<float> gap(0.01F, 0.5F), value(-2, 2);
    Channel c{0, path, interpolation, components, {}, {}};
    float time = value(random);
    const std::size_t keys = 1 + random() % 8;
    for (std::size_t k = 0; k < keys; ++k) {
        time += gap(random);
        c.times.push_back(time);
        const std::size_t rows = interpolation == Interpolation::CubicSpline ? 3 : 1;
        for (std::size_t i = 0; i < rows * components; ++i) c.values.push_back(value(random));
    }
    return c;
}

}  // namespace

TEST_CASE("STEP holds the earlier key until the next one") {
    const Channel c{0,         TrackPath::Translation,     Interpolation::Step, 3,
                    {1, 2, 4}, {1, 1, 1, 2, 2, 2, 4, 4, 4}};
    CHECK(at(c, 0)[0] == 1);
    CHECK(at(c, 1.999999)[0] == 1);
    CHECK(at(c, 2)[1] == 2);
    CHECK(at(c, 3.999999)[2] == 2);
    CHECK(at(c, 4)[0] == 4);
    CHECK(at(c, 9)[0] == 4);
}

TEST_CASE("LINEAR is a straight line, clamped outside") {
    const Channel c{0, TrackPath::Scale, Interpolation::Linear, 3, {1, 3}, {0, 10, -4, 2, 20, 4}};
    CHECK(at(c, 0) == std::vector<double>{0, 10, -4});
    CHECK(at(c, 1.5) == std::vector<double>{0.5, 12.5, -2});
    CHECK(at(c, 2) == std::vector<double>{1, 15, 0});
    CHECK(at(c, 7) == std::vector<double>{2, 20, 4});
}

TEST_CASE("LINEAR rotations turn at constant speed") {
    // 90 degrees about z in 2 s.
    const float h = std::sqrt(0.5F);
    const Channel c{0, TrackPath::Rotation, Interpolation::Linear, 4, {1, 3}, {0, 0, 0, 1, 0, 0, h, h}};
    for (double t = 1; t <= 3; t += 0.125) {
        const double half = (t - 1) / 2 * 3.14159265358979323846 / 4;
        CHECK(at(c, t)[2] == Catch::Approx(std::sin(half)).margin(1e-7));  // the key is rounded to float
        CHECK(at(c, t)[3] == Catch::Approx(std::cos(half)).margin(1e-7));
    }
}

TEST_CASE("CUBICSPLINE follows any cubic exactly, its tangents times the key interval") {
    // f(t) = t^3 - 2 t^2 + 3 at keys 1 and 3: f = 2 and 12, f' = -1 and 15. Exact in doubles at these times.
    const auto f = [](double t) { return t * t * t - 2 * t * t + 3; };
    const Channel c{0, TrackPath::Weights, Interpolation::CubicSpline, 1, {1, 3}, {99, 2, -1, 15, 12, 77}};
    for (double t = 1; t <= 3; t += 0.0625) CHECK(at(c, t)[0] == Catch::Approx(f(t)).margin(1e-12));
    CHECK(at(c, 0)[0] == 2);
    CHECK(at(c, 4)[0] == 12);
}

TEST_CASE("CUBICSPLINE rotations are normalised after interpolation") {
    const Channel c{0, TrackPath::Rotation, Interpolation::CubicSpline, 4, {0, 1}, {0, 0, 0, 0, 0, 0, 0, 1,
                                                                                    0, 0, 0, 0, 0, 0, 0, 0,
                                                                                    0, 0, 1, 0, 0, 0, 0, 0}};
    // Without tangents the middle is the mean of both keys, brought to unit length.
    CHECK(at(c, 0.5)[2] == Catch::Approx(std::sqrt(0.5)).margin(1e-15));
    CHECK(at(c, 0.5)[3] == Catch::Approx(std::sqrt(0.5)).margin(1e-15));
}

TEST_CASE("every path and interpolation equals the second evaluator to 1e-12") {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> part(-0.2, 1.2);
    for (int round = 0; round < 400; ++round) {
        for (const auto path :
             {TrackPath::Translation, TrackPath::Rotation, TrackPath::Scale, TrackPath::Weights}) {
            for (const auto mode : {Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline}) {
                const std::uint32_t components = path == TrackPath::Rotation  ? 4
                                                 : path == TrackPath::Weights ? 5
                                                                              : 3;
                const Channel c = random_channel(random, path, mode, components);
                const double first = static_cast<double>(c.times.front()),
                             last = static_cast<double>(c.times.back());
                const double t = first + (last - first) * part(random);
                const std::vector<double> mine = at(c, t), other = test::evaluate(c, t);
                // Rotations pass through acos or a division by a small length: a few digits less than the
                // rest.
                const double tolerance = path == TrackPath::Rotation ? 1e-9 : 1e-12;
                for (std::size_t i = 0; i < components; ++i)
                    CHECK(mine[i] == Catch::Approx(other[i]).margin(tolerance));
            }
        }
    }
}

TEST_CASE("a sampled track is read back linearly, its last frame ending with the clip") {
    SampledClip clip;
    clip.start_s = 1;
    clip.duration_s = 0.25;
    clip.sample_rate_hz = 10;
    clip.frame_count = 4;  // samples at 1, 1.1, 1.2 and 1.25
    const SampledTrack track{0, TrackPath::Weights, false, false, 1, {0, 1, 2, 10}};
    const auto read = [&](double t) {
        std::vector<double> out(1);
        evaluate_sampled_track(clip, track, t, out);
        return out[0];
    };
    CHECK(sample_time(clip, 2) == Catch::Approx(1.2));
    CHECK(sample_time(clip, 3) == 1.25);
    CHECK(read(0) == 0);
    CHECK(read(1.05) == Catch::Approx(0.5));
    CHECK(read(1.225) == Catch::Approx(6));
    CHECK(read(1.25) == 10);
    CHECK(read(5) == 10);
    const SampledTrack step{0, TrackPath::Weights, true, false, 1, {0, 1, 2, 10}};
    std::vector<double> out(1);
    evaluate_sampled_track(clip, step, 1.2499, out);
    CHECK(out[0] == 10);  // within a thousandth of a frame of the last sample
    evaluate_sampled_track(clip, step, 1.24, out);
    CHECK(out[0] == 2);
    evaluate_sampled_track(clip, step, 1.1 - 1e-9, out);
    CHECK(out[0] == 1);
}
