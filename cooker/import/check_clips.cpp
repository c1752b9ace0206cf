#include "cooker/import/check.hpp"
#include "cooker/import/check_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace sinter::check {
namespace {

std::string_view name_of(TrackPath path) {
    switch (path) {
    case TrackPath::Translation: return "translation";
    case TrackPath::Rotation: return "rotation";
    case TrackPath::Scale: return "scale";
    case TrackPath::Weights: return "weights";
    }
    return "?";
}

std::size_t stride_of(const Channel& c) {
    return std::size_t{c.components} * (c.interpolation == Interpolation::CubicSpline ? 3 : 1);
}

std::string channel_place(const Scene& scene, std::size_t clip, std::size_t channel) {
    const Channel& c = scene.clips[clip].channels[channel];
    const std::string target = c.node >= 0 && static_cast<std::size_t>(c.node) < scene.nodes.size()
                                   ? place("node", static_cast<std::size_t>(c.node),
                                           scene.nodes[static_cast<std::size_t>(c.node)].name)
                                   : "no node";
    return fmt::format("{}, channel {} ({}, {})", place("clip", clip, scene.clips[clip].name), channel,
                       target, name_of(c.path));
}

// Shapes of the mesh that a weights channel drives; 0 without a mesh.
std::size_t shapes_of(const Scene& scene, std::int32_t node) {
    const std::int32_t mesh = scene.nodes[static_cast<std::size_t>(node)].mesh;
    return mesh == kNone ? 0 : scene.meshes[static_cast<std::size_t>(mesh)].shapes.size();
}

Result<Unit> check_sizes(const Scene& scene, std::size_t clip, std::size_t index) {
    const Channel& c = scene.clips[clip].channels[index];
    const auto refuse = [&](std::string message) {
        return refusal(scene, IssueCode::IndexOutOfRange, channel_place(scene, clip, index),
                       std::move(message), "export the animation again");
    };
    if (c.node < kNone || (c.node >= 0 && static_cast<std::size_t>(c.node) >= scene.nodes.size())) {
        return refuse(fmt::format("node {} is out of range, there are {}", c.node, scene.nodes.size()));
    }
    const std::size_t components = c.path == TrackPath::Rotation ? 4 : 3;
    if (c.path != TrackPath::Weights && c.components != components) {
        return refuse(fmt::format("{} components a key, the rule is {}", c.components, components));
    }
    if (c.path == TrackPath::Weights && c.node != kNone) {
        const std::size_t shapes = shapes_of(scene, c.node);
        if (shapes != 0 && c.components != shapes) {
            return refuse(fmt::format("{} weights a key, the mesh has {} shapes", c.components, shapes));
        }
    }
    if (c.values.size() != c.times.size() * stride_of(c)) {
        return refuse(
            fmt::format("{} values for {} keys of {}", c.values.size(), c.times.size(), stride_of(c)));
    }
    return Unit{};
}

// A key that is nowhere has no sane repair: its neighbours say nothing about it.
Result<Unit> check_finite(const Scene& scene, std::size_t clip, std::size_t index) {
    const Channel& c = scene.clips[clip].channels[index];
    const auto refuse = [&](std::size_t key, std::string_view what, float seen) {
        return refusal(scene, IssueCode::NonFiniteKeys,
                       fmt::format("{}, key {}", channel_place(scene, clip, index), key),
                       fmt::format("the key's {} {} is not finite", what, seen), "correct or remove the key");
    };
    for (std::size_t key = 0; key < c.times.size(); ++key) {
        if (!std::isfinite(c.times[key])) return refuse(key, "time", c.times[key]);
        for (std::size_t i = key * stride_of(c); i < (key + 1) * stride_of(c); ++i) {
            if (!std::isfinite(c.values[i])) return refuse(key, "value", c.values[i]);
        }
    }
    return Unit{};
}

struct KeyTallies {
    Tally unsorted, doubled, zero, off;
};

// Strictly rising times: sorted, equal ones in file order; then of keys at one time the last stays, which is
// the value that holds after a jump.
void sort_keys(Channel& c, KeyTallies& tallies, const auto& where) {
    const auto not_rising = [&](float a, float b) { return !(a < b); };
    if (std::ranges::adjacent_find(c.times, not_rising) == c.times.end()) return;
    std::uint64_t falling = 0, doubled = 0;
    for (std::size_t k = 1; k < c.times.size(); ++k) falling += c.times[k] < c.times[k - 1] ? 1U : 0U;
    std::vector<std::size_t> order(c.times.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return c.times[a] != c.times[b] ? c.times[a] < c.times[b] : a < b;
    });
    std::vector<float> times, values;
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (k + 1 < order.size() && c.times[order[k]] == c.times[order[k + 1]]) {
            ++doubled;
            continue;
        }
        times.push_back(c.times[order[k]]);
        const auto first = c.values.begin() + static_cast<std::ptrdiff_t>(order[k] * stride_of(c));
        values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(stride_of(c)));
    }
    c.times = std::move(times);
    c.values = std::move(values);
    if (falling > 0) tallies.unsorted.add(where, falling);
    if (doubled > 0) tallies.doubled.add(where, doubled);
}

// Unit length, and a neighbour's value where there is none. CubicSpline values keep their length, because their
// tangents belong to it, quantised ones too: the file's values and tangents are one curve, which is normalised after
// interpolation (glTF 2.0, appendix C.5). Dividing both by the value's length would bend it.
void repair_rotations(Channel& c, KeyTallies& tallies, const auto& where) {
    const bool cubic = c.interpolation == Interpolation::CubicSpline;
    const auto value_of = [&](std::size_t key) {
        return c.values.data() + key * stride_of(c) + (cubic ? 4 : 0);
    };
    std::vector<std::size_t> zero;
    std::size_t good = c.times.size();
    for (std::size_t key = 0; key < c.times.size(); ++key) {
        float unit[4];
        std::copy_n(value_of(key), 4, unit);
        double length = 0;
        if (!normalize_rotation(unit, length)) {
            zero.push_back(key);
            continue;
        }
        if (good == c.times.size()) good = key;
        if (std::abs(length - 1) > kRotationLengthTolerance) tallies.off.add(where);
        if (!cubic) std::copy_n(unit, 4, value_of(key));
    }
    if (zero.empty()) return;
    tallies.zero.add(where, zero.size());
    for (const std::size_t key : zero) {
        if (key > 0) {
            std::copy_n(value_of(key - 1), 4, value_of(key));
        } else {
            constexpr float kIdentity[4] = {0, 0, 0, 1};
            std::copy_n(good < c.times.size() ? value_of(good) : kIdentity, 4, value_of(key));
        }
    }
}

// Whether the channel moves something; if not, the cause.
std::string_view idle_reason(const Scene& scene, const Channel& c) {
    if (c.node == kNone) return "name no node";
    if (c.path == TrackPath::Weights && shapes_of(scene, c.node) == 0)
        return "drive shapes that the node does not have";
    if (c.times.empty()) return "have no keys";
    return {};
}

void drop_channels(Scene& scene, std::size_t index, Issues& issues) {
    Clip& clip = scene.clips[index];
    Tally idle, doubled;
    std::string reason;
    std::set<std::pair<std::int32_t, TrackPath>> seen;
    std::vector<Channel> kept;
    for (std::size_t i = 0; i < clip.channels.size(); ++i) {
        const auto where = [&] { return channel_place(scene, index, i); };
        const std::string_view cause = idle_reason(scene, clip.channels[i]);
        if (!cause.empty()) {
            if (idle.count == 0) reason = cause;
            idle.add(where);
        } else if (!seen.insert({clip.channels[i].node, clip.channels[i].path}).second) {
            doubled.add(where);
        } else {
            kept.push_back(clip.channels[i]);
        }
    }
    if (kept.size() != clip.channels.size()) clip.channels = std::move(kept);
    idle.tell(issues, IssueCode::UnboundChannel,
              fmt::format("{{n}} channels move nothing (the first: they {}); left out", reason));
    doubled.tell(issues, IssueCode::DuplicateChannels,
                 "{n} channels drive a property that an earlier channel of the clip drives; left out");
}

void tell(const KeyTallies& t, Issues& issues) {
    t.unsorted.tell(issues, IssueCode::UnsortedKeys,
                    "{n} keys are earlier than the key before them; sorted by time");
    t.doubled.tell(issues, IssueCode::DuplicateKeys,
                   "{n} keys share their time with a later one; the last one of each time is kept");
    t.zero.tell(issues, IssueCode::ZeroLengthRotation,
                "{n} rotation keys have length 0; they take the key before (else after) them");
    t.off.tell(
        issues, IssueCode::UnnormalizedRotations,
        fmt::format("{{n}} rotation keys are not unit quaternions (length off by more than {}); normalised, "
                    "those of cubic splines with the curve",
                    kRotationLengthTolerance));
}

}  // namespace

Result<Unit> check_clip(Scene& scene, std::size_t index, Issues& issues) {
    for (std::size_t i = 0; i < scene.clips[index].channels.size(); ++i) {
        SINTER_TRY(check_sizes(scene, index, i));
        SINTER_TRY(check_finite(scene, index, i));
    }
    Clip& clip = scene.clips[index];
    KeyTallies tallies;
    for (std::size_t i = 0; i < clip.channels.size(); ++i) {
        const auto where = [&] { return channel_place(scene, index, i); };
        sort_keys(clip.channels[i], tallies, where);
        if (clip.channels[i].path == TrackPath::Rotation) repair_rotations(clip.channels[i], tallies, where);
    }
    tell(tallies, issues);
    drop_channels(scene, index, issues);
    clip.start_s = clip.end_s = 0;
    for (std::size_t i = 0; i < clip.channels.size(); ++i) {
        const double first = static_cast<double>(clip.channels[i].times.front());
        const double last = static_cast<double>(clip.channels[i].times.back());
        clip.start_s = i == 0 ? first : std::min(clip.start_s, first);
        clip.end_s = i == 0 ? last : std::max(clip.end_s, last);
    }
    if (clip.channels.empty()) {
        issues.add(IssueCode::EmptyClip, place("clip", index, clip.name),
                   "the clip moves nothing; kept empty");
    }
    return Unit{};
}

}  // namespace sinter::check
