#include "cooker/animation/evaluate.hpp"

#include "cooker/animation/quaternion.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinter {
namespace {

std::size_t at(std::uint32_t index) { return index; }

// Component `i` of a key's value; `part` of a CubicSpline key: 0 in-tangent, 1 value, 2 out-tangent.
double key_value(const Channel& c, std::size_t key, std::size_t i, std::size_t part = 1) {
    const bool cubic = c.interpolation == Interpolation::CubicSpline;
    const std::size_t row = cubic ? key * 3 + part : key;
    return static_cast<double>(c.values[row * at(c.components) + i]);
}

void copy_key(const Channel& c, std::size_t key, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = key_value(c, key, i);
}

QuatD quat_of(std::span<const double> v) { return {v[0], v[1], v[2], v[3]}; }

void normalize_if_rotation(TrackPath path, std::span<double> out) {
    if (path == TrackPath::Rotation) std::ranges::copy(normalized(quat_of(out)), out.begin());
}

// glTF 2.0, appendix C.5.
void hermite(const Channel& c, std::size_t key, double s, std::span<double> out) {
    const double interval = static_cast<double>(c.times[key + 1]) - static_cast<double>(c.times[key]);
    const double s2 = s * s, s3 = s2 * s;
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = (2 * s3 - 3 * s2 + 1) * key_value(c, key, i) +
                 interval * (s3 - 2 * s2 + s) * key_value(c, key, i, 2) +
                 (3 * s2 - 2 * s3) * key_value(c, key + 1, i) +
                 interval * (s3 - s2) * key_value(c, key + 1, i, 0);
    }
}

void linear(const Channel& c, std::size_t key, double s, std::span<double> out) {
    if (c.path == TrackPath::Rotation) {
        QuatD a{}, b{};
        copy_key(c, key, a);
        copy_key(c, key + 1, b);
        std::ranges::copy(slerp(normalized(a), normalized(b), s), out.begin());
        return;
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double a = key_value(c, key, i);
        out[i] = a + (key_value(c, key + 1, i) - a) * s;
    }
}

}  // namespace

void evaluate_channel(const Channel& channel, double time_s, std::span<double> out) {
    assert(!channel.times.empty() && out.size() == channel.components);
    const auto later =
        std::ranges::upper_bound(channel.times, time_s, {}, [](float t) { return static_cast<double>(t); });
    const auto next = static_cast<std::size_t>(later - channel.times.begin());
    if (next == 0 || next == channel.times.size() || channel.interpolation == Interpolation::Step) {
        copy_key(channel, next == 0 ? 0 : next - 1, out);
        return normalize_if_rotation(channel.path, out);
    }
    const std::size_t key = next - 1;
    const double begin = static_cast<double>(channel.times[key]);
    const double s = (time_s - begin) / (static_cast<double>(channel.times[next]) - begin);
    if (s <= 0) {
        copy_key(channel, key, out);
        return normalize_if_rotation(channel.path, out);
    }
    if (channel.interpolation == Interpolation::Linear) return linear(channel, key, s, out);
    hermite(channel, key, s, out);
    normalize_if_rotation(channel.path, out);
}

double sample_time(const SampledClip& clip, std::uint32_t frame) {
    assert(frame < clip.frame_count);
    if (frame + 1 == clip.frame_count) return clip.start_s + clip.duration_s;
    return clip.start_s + frame / clip.sample_rate_hz;
}

void evaluate_sampled_track(const SampledClip& clip, const SampledTrack& track, double time_s,
                            std::span<double> out) {
    assert(out.size() == track.components);
    const auto sample = [&](std::uint32_t frame, std::size_t i) {
        return static_cast<double>(track.samples[at(frame) * track.components + i]);
    };
    const auto hold = [&](std::uint32_t frame) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = sample(frame, i);
        normalize_if_rotation(track.path, out);
    };
    if (track.constant || clip.frame_count < 2) return hold(0);
    const std::uint32_t last = clip.frame_count - 1;
    const double snap = kKeySnapFrames / clip.sample_rate_hz;
    if (time_s >= clip.start_s + clip.duration_s - (track.step ? snap : 0)) return hold(last);
    const double position = (time_s - clip.start_s) * clip.sample_rate_hz + (track.step ? kKeySnapFrames : 0);
    if (!(position > 0)) return hold(0);
    const std::uint32_t frame = std::min(static_cast<std::uint32_t>(std::min(position, 4.0e9)), last - 1);
    if (track.step) return hold(frame);
    const double begin = sample_time(clip, frame);
    const double s = std::clamp((time_s - begin) / (sample_time(clip, frame + 1) - begin), 0.0, 1.0);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double a = sample(frame, i);
        out[i] = a + (sample(frame + 1, i) - a) * s;
    }
    normalize_if_rotation(track.path, out);
}

}  // namespace sinter
