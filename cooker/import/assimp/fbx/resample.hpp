// Keys for a property that is no straight line between the file's keys.
#pragma once

#include "cooker/import/assimp/fbx/curve.hpp"
#include "cooker/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace sinter::fbx {

// A segment gets keys on the frames inside of it only where straight lines (rotation: normalised linear
// interpolation) would miss the file's curves by more than this.
inline constexpr double kRotationTolerance = 1e-4;  // radians
inline constexpr double kLinearTolerance = 1e-5;    // of a channel's range of values
// Frames are halved until there are this many a second, so that slow frame rates lose nothing.
inline constexpr double kLeastRateHz = 24;

// A channel before it has keys: what it depends on and how it is evaluated.
struct Sampled {
    std::int32_t node = kNone;
    TrackPath path = TrackPath::Translation;
    std::size_t components = 3;
    std::vector<const Curve*> curves;
    std::function<std::vector<double>(double time, bool from_left)> value;
};

// The keys of the curves, and further ones on frames of `rate_hz` (doubled up to kLeastRateHz) where a straight line
// between two keys would miss the value. A value that jumps at a key gets a key just before it. Curves that are all
// constant between keys make a Step channel. Pre: a curve with a key at least.
[[nodiscard]] Channel make_keys(const Sampled& sampled, double rate_hz);

}  // namespace sinter::fbx
