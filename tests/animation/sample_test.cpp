#include "cooker/animation/sample.hpp"

#include "cooker/animation/evaluate.hpp"
#include "tests/animation/curves.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <random>

using namespace sinter;

namespace {

Channel line(std::vector<float> times, std::vector<float> values,
             Interpolation mode = Interpolation::Linear) {
    return {0, TrackPath::Weights, mode, 1, std::move(times), std::move(values)};
}

Clip clip_of(std::vector<Channel> channels) {
    Clip clip;
    clip.name = "clip";
    clip.start_s = 1e30;
    clip.end_s = -1e30;
    for (const Channel& c : channels) {
        clip.start_s = std::min(clip.start_s, static_cast<double>(c.times.front()));
        clip.end_s = std::max(clip.end_s, static_cast<double>(c.times.back()));
    }
    clip.channels = std::move(channels);
    return clip;
}

Clip keys_at(std::vector<float> times) {
    std::vector<float> values(times.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    return clip_of({line(std::move(times), std::move(values))});
}

SampledClip sampled(Clip clip, double rate = 0) {
    Scene scene;
    scene.source.name = "hero.glb";
    scene.nodes.resize(1);
    scene.clips.push_back(std::move(clip));
    Issues issues;
    return sample_clips(scene, {rate}, issues).value().front();
}

double read(const SampledClip& clip, double t, std::size_t track = 0) {
    std::vector<double> out(clip.tracks[track].components);
    evaluate_sampled_track(clip, clip.tracks[track], t, out);
    return out[0];
}

}  // namespace

TEST_CASE("the rate is the lowest whole one that meets every key") {
    CHECK(choose_sample_rate(keys_at({0, 1, 2})) == 1);
    CHECK(choose_sample_rate(keys_at({0, 0.5F, 1.25F})) == 4);
    CHECK(choose_sample_rate(keys_at({0, 1.0F / 24, 5.0F / 24})) == 24);
    CHECK(choose_sample_rate(keys_at({1.0F / 30, 2.0F / 30, 0.3F})) == 30);
    CHECK(choose_sample_rate(keys_at({0, 1.0F / 2, 1.0F / 3})) == 6);
    CHECK(choose_sample_rate(keys_at({0, 1.0F / 240})) == 240);
    CHECK(choose_sample_rate(keys_at({0, 0.1F, 0.123F})) == 60);  // 123 ms and 100 ms meet at 1000 Hz only
    CHECK(choose_sample_rate(keys_at({3})) == 60);
    CHECK(choose_sample_rate(Clip{}) == 60);
}

TEST_CASE("key times with six digits and an offset still meet their rate") {
    CHECK(choose_sample_rate(keys_at({0.041667F, 0.083333F, 1.666667F})) == 24);
    std::vector<float> late;  // 30 Hz, an hour in: float keys are 0.0001 s apart there
    for (int k = 0; k < 100; ++k) late.push_back(3600.0F + static_cast<float>(k) / 30);
    CHECK(choose_sample_rate(keys_at(late)) == 30);
}

TEST_CASE("where a track bends the rate is the smallest multiple that is at least 60") {
    Channel turn{0, TrackPath::Rotation, Interpolation::Linear, 4, {0, 1.0F / 24}, {0, 0, 0, 1, 0, 0, 1, 0}};
    CHECK(choose_sample_rate(clip_of({turn})) == 72);
    turn.values = {0, 0, 0, 1, 0, 0, 0, 1};  // does not turn
    CHECK(choose_sample_rate(clip_of({turn})) == 24);
    turn.values = {0, 0, 0, 1, 0, 0, 1, 0};
    turn.interpolation = Interpolation::Step;
    CHECK(choose_sample_rate(clip_of({turn})) == 24);
    const Channel cubic = line({0, 1}, {0, 0, 0, 0, 1, 0}, Interpolation::CubicSpline);
    CHECK(choose_sample_rate(clip_of({cubic})) == 60);
}

TEST_CASE("samples lie at the rate, the last one at the last key") {
    const SampledClip clip = sampled(keys_at({0.5F, 1, 1.6F}), 10);
    CHECK(clip.start_s == 0.5);
    CHECK(clip.duration_s == static_cast<double>(1.6F) - 0.5);
    CHECK(clip.frame_count == 12);
    CHECK(sample_time(clip, 11) == clip.start_s + clip.duration_s);
    CHECK(read(clip, 0.5) == 0);
    CHECK(read(clip, 1) == 1);
    CHECK(read(clip, static_cast<double>(1.6F)) == 2);
    const SampledClip uneven = sampled(keys_at({0, 0.25F}), 10);  // 0, 0.1, 0.2, 0.25
    CHECK(uneven.frame_count == 4);
    CHECK(uneven.tracks[0].samples.back() == 1);
    const SampledClip pose = sampled(keys_at({2}));
    CHECK(pose.frame_count == 1);
    CHECK(pose.duration_s == 0);
    CHECK(pose.tracks[0].constant);
}

TEST_CASE("a rate that meets every key reproduces linear tracks to float rounding") {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> value(-10, 10);
    for (const float rate : {24.0F, 25.0F, 30.0F, 50.0F, 60.0F}) {
        std::vector<float> times, values;
        for (int frame = 0; frame < 200; frame += 1 + static_cast<int>(random() % 7)) {
            times.push_back(static_cast<float>(frame) / rate);
            values.push_back(value(random));
        }
        const SampledClip clip = sampled(clip_of({line(times, values)}));
        CHECK(clip.sample_rate_hz <= static_cast<double>(rate));
        // Values up to 10 in float: half a unit in the last place is 5e-7. A key whose float time misses its
        // frame by 4e-7 s costs 20 units in 1/60 s times that: 5e-4.
        CHECK(clip.max_weight_error < 5e-4F);
        for (std::size_t k = 0; k < times.size(); ++k) {
            CHECK(read(clip, static_cast<double>(times[k])) ==
                  Catch::Approx(static_cast<double>(values[k])).margin(5e-4));
        }
    }
}

TEST_CASE("the stored error bounds what the second evaluator sees anywhere between the measured times") {
    std::mt19937 random(9);
    std::uniform_real_distribution<float> value(-1, 1);
    for (int round = 0; round < 40; ++round) {
        Channel c{0, TrackPath::Translation, Interpolation::CubicSpline, 3, {}, {}};
        for (int k = 0; k < 6; ++k) {
            c.times.push_back(static_cast<float>(k) * 0.21F);
            for (int i = 0; i < 9; ++i) c.values.push_back(value(random));
        }
        const SampledClip clip = sampled(clip_of({c}), 15);
        double worst = 0;
        for (double t = 0; t <= clip.duration_s; t += 1.0 / 997) {
            std::vector<double> mine(3);
            evaluate_sampled_track(clip, clip.tracks[0], t, mine);
            const auto source = test::evaluate(c, t);
            double square = 0;
            for (std::size_t i = 0; i < 3; ++i) square += (mine[i] - source[i]) * (mine[i] - source[i]);
            worst = std::max(worst, std::sqrt(square));
        }
        // Measured at quarters of a frame: between them a cubic's error can rise by little; 10 % is ample at
        // 15 Hz.
        CHECK(worst <= static_cast<double>(clip.max_translation_error) * 1.1);
        CHECK(worst >= static_cast<double>(clip.max_translation_error) * 0.5);  // and it is no empty bound
    }
}

TEST_CASE("rotation errors are angles and small at the chosen rate") {
    Channel turn{0,
                 TrackPath::Rotation,
                 Interpolation::Linear,
                 4,
                 {0, 1},
                 {0, 0, 0, 1, 0, 0, std::sqrt(0.5F), std::sqrt(0.5F)}};
    const SampledClip clip = sampled(clip_of({turn}));
    CHECK(clip.sample_rate_hz == 60);
    // nlerp over 1.5 degrees (0.0131 rad between quaternions) differs by 0.0131^3 sqrt(3)/108 = 3.6e-8 rad,
    // as a rotation 4e-6 degrees; float quaternions add up to 6e-8 * 2 rad = 7e-6 degrees.
    CHECK(clip.max_rotation_error_deg < 2e-5F);
    const SampledClip coarse = sampled(clip_of({turn}), 1);
    // One nlerp over 90 degrees: quaternions t = pi/4 apart. Largest at s = (3 - sqrt 3)/6 but for O(t^5).
    CHECK(coarse.max_rotation_error_deg == Catch::Approx(0.92).margin(0.05));
}

TEST_CASE("consecutive rotations lie in one hemisphere although the keys do not") {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    Channel c{0, TrackPath::Rotation, Interpolation::Linear, 4, {}, {}};
    for (int k = 0; k < 50; ++k) {
        c.times.push_back(static_cast<float>(k) / 8);
        for (int i = 0; i < 4; ++i) c.values.push_back(normal(random));
    }
    const SampledClip clip = sampled(clip_of({c}));
    const auto& s = clip.tracks[0].samples;
    REQUIRE(s.size() == 4 * clip.frame_count);
    for (std::size_t k = 4; k < s.size(); k += 4) {
        CHECK(s[k] * s[k - 4] + s[k + 1] * s[k - 3] + s[k + 2] * s[k - 2] + s[k + 3] * s[k - 1] >= 0);
    }
    for (double t = 0; t <= clip.duration_s; t += 0.0137) {
        std::vector<double> mine(4);
        evaluate_sampled_track(clip, clip.tracks[0], t, mine);
        const auto other = test::evaluate(c, t);
        double dot = 0;
        for (std::size_t i = 0; i < 4; ++i) dot += mine[i] * other[i];
        // Half the angle between; the keys are up to 180 degrees apart over 8 frames: 22.5 degrees a frame,
        // nlerp differs by (0.196 rad)^3 sqrt(3)/108 = 1.2e-4 rad.
        CHECK(std::abs(dot) > std::cos(1.3e-4));
    }
}

TEST_CASE("STEP keys become step tracks that hold until the key") {
    const Clip source = clip_of({line({0, 1.0F / 24, 4.0F / 24, 1}, {5, 6, 7, 8}, Interpolation::Step)});
    const SampledClip clip = sampled(source);
    CHECK(clip.sample_rate_hz == 24);
    CHECK(clip.tracks[0].step);
    CHECK(clip.max_step_error_s < 1e-7F);
    CHECK(clip.max_weight_error == 0);
    // A float key and its frame differ by rounding only; both sides of it must be right.
    for (const float key : {1.0F / 24, 4.0F / 24, 1.0F}) {
        CHECK(read(clip, static_cast<double>(key)) ==
              test::evaluate(source.channels[0], static_cast<double>(key))[0]);
        CHECK(read(clip, static_cast<double>(key) - 1e-3) ==
              test::evaluate(source.channels[0], static_cast<double>(key) - 1e-3)[0]);
    }
    const SampledClip late = sampled(source, 10);  // the key at 1/24 shows at 0.1, that at 4/24 at 0.2
    CHECK(late.max_step_error_s == Catch::Approx(0.1 - 1.0 / 24).epsilon(1e-5));
}

TEST_CASE("a track is constant only when its samples are equal, however small the motion") {
    // Each next float after 1e-30: nothing absolute may call this constant.
    const float tiny = 1e-30F, next = std::nextafter(tiny, 1.0F);
    const SampledClip clip = sampled(clip_of({line({0, 1}, {tiny, next}), line({0, 1}, {tiny, tiny}),
                                              line({0, 1}, {0, 1, 0, 0, 1, 0}, Interpolation::CubicSpline),
                                              line({0, 1}, {0, 1, 5, 0, 1, 0}, Interpolation::CubicSpline)}));
    CHECK_FALSE(clip.tracks[0].constant);
    CHECK(clip.tracks[1].constant);
    CHECK(clip.tracks[1].samples == std::vector<float>{tiny});
    CHECK(clip.tracks[2].constant);        // equal values and no tangents
    CHECK_FALSE(clip.tracks[3].constant);  // equal values, but the curve leaves them between
}

TEST_CASE("scaling a scene down changes neither the kept tracks nor their relative motion") {
    std::mt19937 random(2);
    std::uniform_real_distribution<float> value(-1, 1);
    Channel large{0, TrackPath::Translation, Interpolation::Linear, 3, {}, {}};
    for (int k = 0; k < 40; ++k) {
        large.times.push_back(static_cast<float>(k) / 24);
        for (int i = 0; i < 3; ++i) large.values.push_back(value(random));
    }
    Channel small = large;
    for (float& v : small.values) v *= 0x1p-14F;  // exact, about 6e-5
    const SampledClip a = sampled(clip_of({large})), b = sampled(clip_of({small}));
    REQUIRE(a.tracks[0].samples.size() == b.tracks[0].samples.size());
    CHECK_FALSE(b.tracks[0].constant);
    for (std::size_t i = 0; i < a.tracks[0].samples.size(); ++i) {
        CHECK(b.tracks[0].samples[i] == a.tracks[0].samples[i] * 0x1p-14F);
    }
}

TEST_CASE("a clip that is too long for its rate is sampled at a lower one, with an issue, or refused") {
    Scene scene;
    scene.source.name = "hero.glb";
    scene.clips.push_back(keys_at({0, 1.0F / 64, 100000}));
    Issues issues;
    const auto clips = sample_clips(scene, {}, issues);
    REQUIRE(clips.ok());
    CHECK(clips->front().sample_rate_hz == 9);  // 64 Hz would be 6.4 million frames
    CHECK(clips->front().frame_count <= kMaxClipFrames);
    CHECK(issues.count_of(IssueCode::ReducedSampleRate) == 1);
    scene.clips[0] = keys_at({0, 1, 3e7F});
    const auto refused = sample_clips(scene, {}, issues);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::Limit);
    CHECK(refused.error().where == "hero.glb: clip 0 'clip'");
}

TEST_CASE("a curve that leaves the range of float is refused") {
    Scene scene;
    scene.source.name = "hero.glb";
    scene.clips.push_back(clip_of({line({0, 100}, {0, 0, 3e38F, -3e38F, 0, 0}, Interpolation::CubicSpline)}));
    Issues issues;
    const auto refused = sample_clips(scene, {}, issues);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == static_cast<std::uint16_t>(IssueCode::NonFiniteKeys));
}

TEST_CASE("rates that are not above 0 and at most 240 are refused") {
    Issues issues;
    for (const double rate : {-1.0, 240.5, std::nan("")}) {
        const auto refused = sample_clips(Scene{}, {rate}, issues);
        REQUIRE_FALSE(refused.ok());
        CHECK(refused.error().kind == ErrorKind::Usage);
    }
}
