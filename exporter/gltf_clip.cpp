#include "exporter/gltf_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sinter::gltf_out {
namespace {

struct PathInfo {
    std::string_view name;
    std::string_view type;
    std::uint32_t width = 1;  // values of an element
};

PathInfo info_of(manifest::TrackPath path) {
    switch (path) {
    case manifest::TrackPath::Translation: return {"translation", "VEC3", 3};
    case manifest::TrackPath::Rotation: return {"rotation", "VEC4", 4};
    case manifest::TrackPath::Scale: return {"scale", "VEC3", 3};
    case manifest::TrackPath::Weights: return {"weights", "SCALAR", 1};
    }
    return {};
}

// Times of samples: from `start` on at the rate, the last one at the end; strictly rising, as float.
std::vector<float> sample_times(const manifest::ClipT& clip, double start) {
    std::vector<float> out;
    for (std::uint32_t k = 0; k + 1 < clip.frame_count; ++k)
        out.push_back(static_cast<float>(start + static_cast<double>(k) / clip.sample_rate_hz));
    out.push_back(static_cast<float>(start + clip.duration_s));
    for (std::size_t i = 1; i < out.size(); ++i) {
        if (!(out[i] > out[i - 1]))
            out[i] = std::nextafter(out[i - 1], std::numeric_limits<float>::infinity());
    }
    return out;
}

// One clip on its way: samplers, and the accessors of times that they share.
class ClipWriter {
public:
    // Times in glTF are not negative: a clip that starts before 0 is moved to it.
    ClipWriter(Writer& out, const manifest::ClipT& clip, const std::vector<float>& samples)
        : out_(out),
          clip_(clip),
          samples_(samples),
          times_(sample_times(clip, std::max(0.0, clip.start_s))) {}

    Result<Json> write(std::size_t index) {
        Json json;
        if (!clip_.name.empty()) json["name"] = clip_.name;
        for (const auto& track : clip_.tracks) {
            const std::uint64_t frames = track->constant ? 1 : clip_.frame_count;
            if (track->first_value > samples_.size() ||
                frames * track->components > samples_.size() - track->first_value) {
                return Error{ErrorKind::Validation, fmt::format("clip {}", index),
                             "a track has fewer samples than the manifest says",
                             "run sinter validate; cook the package again"};
            }
            if (is_drawable(*track)) add_track(json, *track);
        }
        return json;
    }

private:
    [[nodiscard]] bool is_drawable(const manifest::TrackT& track) const {
        const auto node = static_cast<std::size_t>(track.node);
        if (track.node < 0 || node >= out_.manifest.nodes.size()) return false;
        if (track.path != manifest::TrackPath::Weights) return true;
        const std::int32_t mesh = out_.manifest.nodes[node]->mesh;
        return mesh >= 0 && out_.meshes[0][static_cast<std::size_t>(mesh)] >= 0;
    }

    std::uint32_t input_of(bool constant) {
        const auto found = inputs_.find(constant);
        if (found != inputs_.end()) return found->second;
        std::vector<float> times = times_;
        if (constant && times.size() > 2) times = {times_.front(), times_.back()};
        const std::uint32_t accessor = out_.glb.add<float>({.type = "SCALAR", .range = true}, 1, times);
        inputs_.insert({constant, accessor});
        return accessor;
    }

    // A constant track has its value at both ends, so that every channel lasts as long as the clip.
    void add_track(Json& json, const manifest::TrackT& track) {
        const PathInfo info = info_of(track.path);
        const bool constant = track.constant;
        const std::size_t frames = constant ? 1 : clip_.frame_count;
        const auto values = std::span(samples_).subspan(track.first_value, frames * track.components);
        std::vector<float> output(values.begin(), values.end());
        if (constant && times_.size() > 1) output.insert(output.end(), values.begin(), values.end());
        Json sampler;
        sampler["input"] = input_of(constant);
        sampler["interpolation"] = track.step ? "STEP" : "LINEAR";
        sampler["output"] = out_.glb.add<float>({.type = info.type}, info.width, output);
        const std::size_t index = json["samplers"].size();
        json["samplers"].push_back(std::move(sampler));
        for (std::size_t c = 0; c < out_.copies.size(); ++c) {
            Json channel;
            channel["sampler"] = index;
            channel["target"]["node"] = c * out_.manifest.nodes.size() + static_cast<std::size_t>(track.node);
            channel["target"]["path"] = std::string(info.name);
            json["channels"].push_back(std::move(channel));
        }
    }

    Writer& out_;
    const manifest::ClipT& clip_;
    const std::vector<float>& samples_;
    std::vector<float> times_;
    std::map<bool, std::uint32_t> inputs_;  // by `constant`
};

}  // namespace

Result<Unit> write_clips(Writer& out) {
    std::uint64_t moved = 0;
    std::uint64_t empty = 0;
    for (std::size_t i = 0; i < out.manifest.clips.size(); ++i) {
        const manifest::ClipT& clip = *out.manifest.clips[i];
        std::vector<float> samples;
        if (out.package.find(SectionType::ClipSamples, i)) {
            SINTER_TRY_ASSIGN(samples, read_floats(out.package, SectionType::ClipSamples, i));
        }
        SINTER_TRY_ASSIGN(Json json, ClipWriter(out, clip, samples).write(i));
        if (!json.contains("channels")) {
            ++empty;
            continue;
        }
        moved += clip.start_s < 0 ? 1U : 0U;
        out.root["animations"].push_back(std::move(json));
    }
    if (moved != 0) {
        out.notes.push_back(fmt::format(
            "clips that start before 0 s moved to start there: {}; glTF has no such times", moved));
    }
    if (empty != 0) out.notes.push_back(fmt::format("clips that move nothing left out: {}", empty));
    return Unit{};
}

}  // namespace sinter::gltf_out
