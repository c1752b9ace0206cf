#include "verify_context.hpp"

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

// Components that a track must have, or 0 where its node or path is wrong.
std::uint32_t components_of(const manifest::ManifestT& manifest, const manifest::TrackT& track) {
    if (track.node < 0 || static_cast<std::size_t>(track.node) >= manifest.nodes.size()) return 0;
    switch (track.path) {
    case manifest::TrackPath::Translation:
    case manifest::TrackPath::Scale: return 3;
    case manifest::TrackPath::Rotation: return 4;
    case manifest::TrackPath::Weights: {
        const std::int32_t mesh = manifest.nodes[static_cast<std::size_t>(track.node)]->mesh;
        if (mesh < 0 || static_cast<std::size_t>(mesh) >= manifest.meshes.size()) return 0;
        return static_cast<std::uint32_t>(manifest.meshes[static_cast<std::size_t>(mesh)]->shapes.size());
    }
    }
    return 0;
}

// Frames lie at start + k / rate, the last one at start + duration, no earlier than the one before it and at
// most one period after. The division of the cooker may round either way: a thousandth of a frame is allowed.
bool timing_fits(const manifest::ClipT& clip) {
    constexpr double kSlack = 1e-3;
    if (!(clip.sample_rate_hz > 0) || !(clip.duration_s >= 0) || clip.frame_count == 0) return false;
    if (clip.frame_count == 1) return clip.duration_s == 0;
    const double frames = clip.duration_s * clip.sample_rate_hz;
    const double last = static_cast<double>(clip.frame_count) - 1;
    return frames > last - 1 - kSlack && frames <= last + kSlack;
}

void check_rotations(VerifyContext& context, const std::string& where, std::span<const std::byte> samples,
                     std::uint64_t first, std::uint64_t count) {
    constexpr double kUnitTolerance = 1e-3;  // of the squared length; samples are normalised in float
    RecordProblem wrong(context.list, FindingCode::ClipRotation, where);
    for (std::uint64_t frame = 0; frame < count; ++frame) {
        double squared = 0;
        for (std::uint64_t c = 0; c < 4; ++c) {
            const auto value = static_cast<double>(record_at<float>(samples, first + frame * 4 + c));
            squared += value * value;
        }
        if (!(std::abs(squared - 1) <= kUnitTolerance)) {
            wrong.at(frame, [&] { return cat("a rotation of squared length ", squared, ", must be 1"); });
        }
    }
}

// Tracks follow each other; returns the number of floats, or nothing if they do not.
std::optional<std::uint64_t> check_tracks(VerifyContext& context, const manifest::ClipT& clip,
                                          const std::string& where) {
    constexpr std::uint64_t kMaxValues = std::uint64_t{1} << 60U;  // in bytes still below 2^64
    std::uint64_t next = 0;
    bool ok = true;
    std::vector<std::pair<std::int32_t, manifest::TrackPath>> keys;
    for (std::size_t t = 0; t < clip.tracks.size(); ++t) {
        const manifest::TrackT& track = *clip.tracks[t];
        const std::uint32_t components = components_of(context.manifest, track);
        if (components == 0 || components != track.components) {
            context.list.add(FindingCode::ClipTrack, cat(where, ", track ", t),
                             cat("node ", track.node, ", path ", static_cast<unsigned>(track.path), ", ",
                                 track.components, " components; must be ", components));
            ok = false;
        }
        if (track.first_value != next) {
            context.list.add(FindingCode::ClipRange, cat(where, ", track ", t),
                             cat("begins at value ", track.first_value, ", must begin at ", next));
            ok = false;
        }
        next += std::uint64_t{track.components} * (track.constant ? 1 : clip.frame_count);  // 32 bit each
        if (next > kMaxValues) {
            context.list.add(FindingCode::ClipRange, where, "more values than a section can hold");
            return std::nullopt;
        }
        keys.emplace_back(track.node, track.path);
    }
    std::ranges::sort(keys);
    if (std::ranges::adjacent_find(keys) != keys.end()) {
        context.list.add(FindingCode::ClipTrack, where, "two tracks move the same property of a node");
    }
    return ok ? std::optional(next) : std::nullopt;
}

}  // namespace

void verify_clip(VerifyContext& context, std::uint32_t index) {
    const manifest::ClipT& clip = *context.manifest.clips[index];
    const std::string where = place("clip", index, clip.name);
    if (!timing_fits(clip)) {
        context.list.add(
            FindingCode::ClipTiming, where,
            cat(clip.frame_count, " frames at ", clip.sample_rate_hz, " Hz over ", clip.duration_s, " s"));
    }
    const auto value_count = check_tracks(context, clip, where);
    if (!value_count) {
        context.sections.mention(SectionType::ClipSamples, index);
        return;
    }
    const auto samples = context.sections.load(SectionType::ClipSamples, index, sizeof(float), *value_count);
    if (!samples) return;
    RecordProblem finite(context.list, FindingCode::NonFinite, where + ", clip_samples");
    for (std::uint64_t i = 0; i < *value_count; ++i) {
        if (!std::isfinite(record_at<float>(*samples, i)))
            finite.at(i, [] { return "a sample that is not finite"; });
    }
    for (std::size_t t = 0; t < clip.tracks.size(); ++t) {
        const manifest::TrackT& track = *clip.tracks[t];
        if (track.path != manifest::TrackPath::Rotation) continue;
        check_rotations(context, cat(where, ", track ", t), *samples, track.first_value,
                        track.constant ? 1 : clip.frame_count);
    }
}

}  // namespace sinter
