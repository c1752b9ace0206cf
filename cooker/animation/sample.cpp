#include "cooker/animation/sample.hpp"

#include "cooker/animation/evaluate.hpp"
#include "cooker/animation/quaternion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace sinter {
namespace {

constexpr std::uint32_t kDefaultRateHz = 60;

double as_double(float value) { return static_cast<double>(value); }

// Frames by which a key at time_s may miss a sample: kKeySnapFrames, and what rounding its time and the
// clip's start to float may have moved it (half a unit in the last place each).
double snap_frames(double rate_hz, double time_s, double start_s) {
    constexpr double kUlp = 1.0 / (1 << 23);
    constexpr double kMost = 0.1;  // beyond that, key times say nothing about frames any more
    return std::min(kMost, kKeySnapFrames + rate_hz * std::max(std::abs(time_s), std::abs(start_s)) * kUlp);
}

// All keys alike, bit for bit; a CubicSpline may bend between them.
bool is_constant(const Channel& c) {
    if (c.interpolation == Interpolation::CubicSpline && c.times.size() > 1) return false;
    const auto count = static_cast<std::size_t>(c.components);
    for (std::size_t i = count; i < c.values.size(); ++i) {
        if (c.values[i] != c.values[i - count]) return false;
    }
    return true;
}

bool bends(const Channel& c) {
    if (is_constant(c)) return false;
    return c.interpolation == Interpolation::CubicSpline ||
           (c.path == TrackPath::Rotation && c.interpolation == Interpolation::Linear);
}

std::vector<float> key_times(const Clip& clip) {
    std::vector<float> times;
    for (const Channel& c : clip.channels) times.insert(times.end(), c.times.begin(), c.times.end());
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

bool meets_all(const std::vector<float>& times, double rate_hz) {
    const double start = as_double(times.front());
    return std::ranges::all_of(times, [&](float key) {
        const double frame = (as_double(key) - start) * rate_hz;
        return std::abs(frame - std::nearbyint(frame)) <= snap_frames(rate_hz, as_double(key), start);
    });
}

std::string clip_place(const Scene& scene, std::size_t index) {
    const std::string& name = scene.clips[index].name;
    return name.empty() ? fmt::format("clip {}", index) : fmt::format("clip {} '{}'", index, name);
}

std::string file_place(const Scene& scene, std::size_t index) {
    return scene.source.name.empty() ? clip_place(scene, index)
                                     : fmt::format("{}: {}", scene.source.name, clip_place(scene, index));
}

// Frames that cover `duration_s`: what the rate leaves over becomes a last, shorter frame.
double frames_to_cover(const Clip& clip, double rate_hz) {
    const double duration = clip.end_s - clip.start_s;
    if (!(duration > 0)) return 1;
    const double snap = snap_frames(rate_hz, clip.end_s, clip.start_s);
    return std::max(1.0, std::ceil(duration * rate_hz - snap)) + 1;
}

Result<double> fit_rate(const Scene& scene, std::size_t index, double rate_hz, Issues& issues) {
    const Clip& clip = scene.clips[index];
    double floats = 0;
    for (const Channel& c : clip.channels) floats += is_constant(c) ? 0.0 : static_cast<double>(c.components);
    const double limit = std::min<double>(
        kMaxClipFrames, std::floor(static_cast<double>(kMaxClipSamples) / std::max(floats, 1.0)));
    if (frames_to_cover(clip, rate_hz) <= limit) return rate_hz;
    const double duration = clip.end_s - clip.start_s;
    const double reduced = std::floor(std::max(0.0, limit - 2) / duration);
    if (reduced < 1) {
        return Error{
            ErrorKind::Limit, file_place(scene, index),
            fmt::format("{} s cannot be sampled: {} frames are possible, which is less than one a second",
                        duration, limit),
            "cut the clip into shorter ones", 0};
    }
    issues.add(
        IssueCode::ReducedSampleRate, clip_place(scene, index),
        fmt::format("{} s at {} Hz exceed {} frames; sampled at {} Hz", duration, rate_hz, limit, reduced));
    return reduced;
}

// The time at which a channel is read for a sample: that of a key that is as good as there.
double snapped_time(const Channel& c, const SampledClip& clip, double time_s) {
    const double snap = snap_frames(clip.sample_rate_hz, time_s, clip.start_s) / clip.sample_rate_hz;
    const auto near = std::ranges::lower_bound(c.times, time_s - snap, {}, as_double);
    return near != c.times.end() && as_double(*near) <= time_s + snap ? as_double(*near) : time_s;
}

// Turns every rotation into the half space of the one before it.
void align_hemispheres(std::vector<float>& samples) {
    for (std::size_t k = 4; k + 3 < samples.size(); k += 4) {
        double product = 0;
        for (std::size_t i = 0; i < 4; ++i)
            product += as_double(samples[k + i]) * as_double(samples[k - 4 + i]);
        if (product >= 0) continue;
        for (std::size_t i = 0; i < 4; ++i) samples[k + i] = -samples[k + i];
    }
}

bool samples_equal(const SampledTrack& track) {
    for (std::size_t i = track.components; i < track.samples.size(); ++i) {
        if (track.samples[i] != track.samples[i - track.components]) return false;
    }
    return true;
}

// False when the curve leaves the range of float (CubicSpline tangents may).
bool sample_channel(const Channel& c, const SampledClip& clip, SampledTrack& track) {
    track = {c.node, c.path, c.interpolation == Interpolation::Step, false, c.components, {}};
    const std::uint32_t frames = is_constant(c) ? 1 : clip.frame_count;
    track.samples.reserve(static_cast<std::size_t>(frames) * c.components);
    std::vector<double> value(c.components);
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        evaluate_channel(c, snapped_time(c, clip, sample_time(clip, frame)), value);
        for (const double v : value) {
            if (!(std::abs(v) <= as_double(std::numeric_limits<float>::max()))) return false;
            track.samples.push_back(static_cast<float>(v));
        }
    }
    if (c.path == TrackPath::Rotation) align_hemispheres(track.samples);
    track.constant = samples_equal(track);
    if (track.constant) track.samples.resize(c.components);
    return true;
}

void raise(float& largest, double seen) {
    // Rounded up, so that the stored number is a bound of what was seen.
    auto rounded = static_cast<float>(seen);
    if (as_double(rounded) < seen) rounded = std::nextafter(rounded, std::numeric_limits<float>::infinity());
    largest = std::max(largest, rounded);
}

double distance(TrackPath path, std::span<const double> a, std::span<const double> b) {
    if (path == TrackPath::Rotation)
        return rotation_angle_deg({a[0], a[1], a[2], a[3]}, {b[0], b[1], b[2], b[3]});
    double square = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double d = a[i] - b[i];
        square += d * d;
        largest = std::max(largest, std::abs(d));
    }
    return path == TrackPath::Weights ? largest : std::sqrt(square);
}

float& error_of(SampledClip& clip, TrackPath path) {
    switch (path) {
    case TrackPath::Translation: return clip.max_translation_error;
    case TrackPath::Rotation: return clip.max_rotation_error_deg;
    case TrackPath::Scale: return clip.max_scale_error;
    case TrackPath::Weights: break;
    }
    return clip.max_weight_error;
}

void measure_curve(const Channel& c, const SampledTrack& track, SampledClip& clip) {
    std::vector<double> source(c.components), sampled(c.components);
    double worst = 0;
    const auto compare = [&](double time_s) {
        evaluate_channel(c, time_s, source);
        evaluate_sampled_track(clip, track, time_s, sampled);
        worst = std::max(worst, distance(c.path, source, sampled));
    };
    for (const float key : c.times) compare(as_double(key));
    for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
        const double begin = sample_time(clip, frame);
        compare(begin);
        if (frame + 1 == clip.frame_count) break;
        const double step = sample_time(clip, frame + 1) - begin;
        for (const double part : {0.25, 0.5, 0.75}) compare(begin + step * part);
    }
    raise(error_of(clip, c.path), worst);
}

// The first sample that does not lie before a key is the first that shows it.
void measure_steps(const Channel& c, SampledClip& clip) {
    for (std::size_t k = 1; k < c.times.size(); ++k) {
        const double key = as_double(c.times[k]);
        const double snap = snap_frames(clip.sample_rate_hz, key, clip.start_s);
        const double frame = std::ceil((key - clip.start_s) * clip.sample_rate_hz - snap);
        const auto shown =
            static_cast<std::uint32_t>(std::clamp(frame, 0.0, static_cast<double>(clip.frame_count - 1)));
        raise(clip.max_step_error_s, std::abs(sample_time(clip, shown) - key));
    }
}

Result<SampledClip> sample_clip(const Scene& scene, std::size_t index, double rate_hz, Issues& issues) {
    const Clip& source = scene.clips[index];
    SampledClip clip;
    clip.name = source.name;
    clip.start_s = source.start_s;
    clip.duration_s = source.end_s - source.start_s;
    if (rate_hz == 0) rate_hz = choose_sample_rate(source);
    SINTER_TRY_ASSIGN(clip.sample_rate_hz, fit_rate(scene, index, rate_hz, issues));
    clip.frame_count = static_cast<std::uint32_t>(frames_to_cover(source, clip.sample_rate_hz));
    clip.tracks.resize(source.channels.size());
    for (std::size_t i = 0; i < source.channels.size(); ++i) {
        const Channel& channel = source.channels[i];
        if (!sample_channel(channel, clip, clip.tracks[i])) {
            return Error{ErrorKind::InvalidInput, fmt::format("{}, channel {}", file_place(scene, index), i),
                         "the curve leaves the range of float between its keys",
                         "correct the tangents of its keys",
                         static_cast<std::uint16_t>(IssueCode::NonFiniteKeys)};
        }
        if (is_constant(channel)) continue;
        if (clip.tracks[i].step) measure_steps(channel, clip);
        else measure_curve(channel, clip.tracks[i], clip);
    }
    return clip;
}

}  // namespace

std::uint32_t choose_sample_rate(const Clip& clip) {
    const std::vector<float> times = key_times(clip);
    if (times.size() < 2) return kDefaultRateHz;
    std::uint32_t rate = 1;
    while (rate <= kMaxSampleRateHz && !meets_all(times, rate)) ++rate;
    if (rate > kMaxSampleRateHz) return kDefaultRateHz;
    if (rate >= kDefaultRateHz || std::ranges::none_of(clip.channels, bends)) return rate;
    return (kDefaultRateHz + rate - 1) / rate * rate;
}

Result<std::vector<SampledClip>> sample_clips(const Scene& scene, const AnimationOptions& options,
                                              Issues& issues) {
    const double rate = options.sample_rate_hz;
    if (!(rate == 0 || (rate > 0 && rate <= kMaxSampleRateHz))) {
        return Error{ErrorKind::Usage, "animation.sample_rate_hz",
                     fmt::format("{} is not in (0, {}]", rate, kMaxSampleRateHz),
                     "0 chooses a rate for each clip", 0};
    }
    std::vector<SampledClip> clips;
    for (std::size_t i = 0; i < scene.clips.size(); ++i) {
        SINTER_TRY_ASSIGN(SampledClip clip, sample_clip(scene, i, rate, issues));
        clips.push_back(std::move(clip));
    }
    return clips;
}

}  // namespace sinter
