// Uniform sampling of clips: every channel becomes one track with samples at a fixed rate and an exact last
// sample, and what that costs is measured against the source's curves.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/issues.hpp"
#include "cooker/options.hpp"
#include "cooker/scene.hpp"

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <vector>

namespace sinter {

inline constexpr std::uint32_t kMaxSampleRateHz = 240;
inline constexpr std::uint32_t kMaxClipFrames = 1'000'000;
inline constexpr std::uint64_t kMaxClipSamples = std::uint64_t{1} << 26;  // floats of one clip

// The rate at which option 0 samples a clip: the lowest whole rate in [1, 240] Hz at which every key of every
// channel falls onto a sample (kKeySnapFrames, evaluate.hpp; relative to the first key); where a track bends
// between its keys (CubicSpline, or a rotation that is not Step) its smallest multiple that is at least 60;
// 60 where no rate meets every key. A clip whose keys all share one time gets 60.
[[nodiscard]] std::uint32_t choose_sample_rate(const Clip& clip);

// One SampledClip a clip, in the same order, one track a channel, in the same order.
//
// start_s is the first and start_s + duration_s the last key over all channels; frame_count = frames needed
// to cover the duration, the last one shorter than the others where the rate does not divide it; 1 when all
// keys share one time. Where a key lies within kKeySnapFrames of a sample, the sample takes the key's value.
// Channels with Step keys become step tracks. A track is constant only if all its samples are bit-equal:
// nothing absolute decides about a track. Consecutive rotations lie in one hemisphere (dot >= 0), so that
// readers may interpolate them as they are. The max_*_error fields hold the largest difference between
// evaluate_sampled_track and evaluate_channel at every key, every sample and three points between each pair
// of samples; translation and scale by vector length, rotation by angle, weights by component. Step tracks
// count in max_step_error_s alone.
//
// Issues: ReducedSampleRate where kMaxClipFrames or kMaxClipSamples lowers the rate. Errors: Limit where even
// 1 Hz does not fit. Pre: a checked scene. Deterministic: no libm but sqrt.
[[nodiscard]] Result<std::vector<SampledClip>> sample_clips(const Scene& scene,
                                                            const AnimationOptions& options, Issues& issues);

}  // namespace sinter
