// The value of an animated property at a time: of the source's keys, and of sampled tracks (the reference for
// every reader of a package).
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/scene.hpp"

#include <cstdint>
#include <span>

namespace sinter {

// Frames by which a key may miss a sample and still count as met, beside the rounding of float key times. A
// thousandth of a frame is below what file formats with millisecond or 6-digit times keep, and costs at most
// a thousandth of the change over one frame; the error is measured all the same.
inline constexpr double kKeySnapFrames = 1e-3;

// The source curve by glTF 2.0, appendix C, in double precision: Step holds the earlier key until the next
// one; Linear interpolates, rotations by slerp; CubicSpline is Hermite with tangents times the key interval,
// rotations normalised afterwards. Before the first and after the last key the end values hold. Rotations
// come out unit length. Pre: a checked channel with at least one key; out.size() == channel.components.
void evaluate_channel(const Channel& channel, double time_s, std::span<double> out);

// When sample `frame` of the clip is taken: start_s + frame / sample_rate_hz, the last one at exactly
// start_s + duration_s. Pre: frame < frame_count.
[[nodiscard]] double sample_time(const SampledClip& clip, std::uint32_t frame);

// A sampled track at a time, clamped to the clip: step tracks hold the last sample (a time within
// kKeySnapFrames before a sample counts as its time), others interpolate linearly, rotations are normalised
// afterwards (nlerp). Pre: out.size() == track.components.
void evaluate_sampled_track(const SampledClip& clip, const SampledTrack& track, double time_s,
                            std::span<double> out);

}  // namespace sinter
