#include "cooker/import/gltf/accessor.hpp"
#include "cooker/import/gltf/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace sinter::gltf {
namespace {

// Normalised integers are named by the standard for rotations and weights, and are read for all.
constexpr std::array kValues = {ComponentType::F32, ComponentType::I8, ComponentType::U8, ComponentType::I16,
                                ComponentType::U16};

// A channel that moves a node of the scene; others are reported and passed over.
struct Target {
    std::int32_t node = kNone;
    TrackPath path = TrackPath::Translation;
    std::uint32_t components = 3;
};

std::optional<TrackPath> path_of(std::string_view name) {
    if (name == "translation") return TrackPath::Translation;
    if (name == "rotation") return TrackPath::Rotation;
    if (name == "scale") return TrackPath::Scale;
    if (name == "weights") return TrackPath::Weights;
    return std::nullopt;
}

Result<std::optional<Target>> read_target(Document& document, const JsonAt& channel, const Scene& scene,
                                          const std::string& subject) {
    const auto pass_over = [&](std::string message) {
        document.issues->add(IssueCode::UnboundChannel, subject, std::move(message));
        return std::optional<Target>{};
    };
    SINTER_TRY_ASSIGN(const JsonAt at, object_member(channel, "target"));
    if (!at) return invalid(channel.pointer, "has no \"target\", which is required");
    SINTER_TRY_ASSIGN(const auto node, index_member(at, "node", scene.nodes.size(), "node"));
    SINTER_TRY_ASSIGN(const std::string name, string_member(at, "path"));
    const auto path = path_of(name);
    if (!node || !path) {
        return pass_over(
            fmt::format("{} moves no node's translation, rotation, scale or weights (path \"{}\"); it was "
                        "left out",
                        channel.pointer, name));
    }
    Target target{static_cast<std::int32_t>(*node), *path, *path == TrackPath::Rotation ? 4U : 3U};
    if (*path == TrackPath::Weights) {
        const std::int32_t mesh = scene.nodes[*node].mesh;
        const std::size_t shapes =
            mesh == kNone ? 0 : scene.meshes[static_cast<std::size_t>(mesh)].shapes.size();
        if (shapes == 0) {
            return pass_over(
                fmt::format("{} moves weights of node {}, which has no morph targets; it was left out",
                            channel.pointer, *node));
        }
        target.components = static_cast<std::uint32_t>(shapes);
    }
    return std::optional<Target>{target};
}

Result<Interpolation> interpolation_of(const JsonAt& sampler) {
    SINTER_TRY_ASSIGN(const std::string name, string_member(sampler, "interpolation"));
    if (name.empty() || name == "LINEAR") return Interpolation::Linear;
    if (name == "STEP") return Interpolation::Step;
    if (name == "CUBICSPLINE") return Interpolation::CubicSpline;
    return invalid(sampler.pointer + "/interpolation",
                   fmt::format("is \"{}\", but must be LINEAR, STEP or CUBICSPLINE", name));
}

Result<Unit> read_times(Document& document, const JsonAt& sampler, Channel& channel) {
    SINTER_TRY_ASSIGN(const std::uint32_t index,
                      required_index(sampler, "input", top_count(document, "accessors"), "accessor"));
    SINTER_TRY_ASSIGN(const Accessor accessor, read_accessor(document, index));
    SINTER_TRY(check_type(accessor, {.rows = {1, 0}, .types = kFloatOnly}, "key times"));
    SINTER_TRY_ASSIGN(channel.times, decode_floats(document, accessor));
    return Unit{};
}

// How many values the output must hold; weights are scalars, one a morph target and key.
Result<Unit> read_values(Document& document, const JsonAt& sampler, Channel& channel) {
    SINTER_TRY_ASSIGN(const std::uint32_t index,
                      required_index(sampler, "output", top_count(document, "accessors"), "accessor"));
    SINTER_TRY_ASSIGN(const Accessor accessor, read_accessor(document, index));
    const std::uint32_t rows = channel.path == TrackPath::Weights ? 1 : channel.components;
    SINTER_TRY(
        check_type(accessor, {.rows = {rows, 0}, .types = kValues}, "the values of this animation path"));
    const std::uint64_t per_key = std::uint64_t{channel.components / rows} *
                                  (channel.interpolation == Interpolation::CubicSpline ? 3 : 1);
    if (accessor.count != channel.times.size() * per_key) {
        return invalid(sampler.pointer + "/output",
                       fmt::format("has {} elements ({}), but {} keys need {}", accessor.count,
                                   accessor.pointer, channel.times.size(), channel.times.size() * per_key));
    }
    SINTER_TRY_ASSIGN(channel.values, decode_floats(document, accessor));
    return Unit{};
}

Result<Channel> read_channel(Document& document, const JsonAt& sampler, const Target& target) {
    Channel channel;
    channel.node = target.node;
    channel.path = target.path;
    channel.components = target.components;
    SINTER_TRY_ASSIGN(channel.interpolation, interpolation_of(sampler));
    SINTER_TRY(read_times(document, sampler, channel));
    SINTER_TRY(read_values(document, sampler, channel));
    return channel;
}

void set_range(Clip& clip) {
    double start = std::numeric_limits<double>::infinity();
    double end = -start;
    for (const Channel& channel : clip.channels) {
        for (const float time : channel.times) {
            if (!std::isfinite(time)) continue;
            start = std::min(start, static_cast<double>(time));
            end = std::max(end, static_cast<double>(time));
        }
    }
    if (start > end) return;
    clip.start_s = start;
    clip.end_s = end;
}

Result<Clip> read_clip(Document& document, const JsonAt& at, std::size_t index, const Scene& scene) {
    Clip clip;
    SINTER_TRY_ASSIGN(clip.name, string_member(at, "name"));
    const std::string subject = subject_of("clip", index, clip.name);
    SINTER_TRY_ASSIGN(const JsonAt samplers, array_member(at, "samplers"));
    SINTER_TRY_ASSIGN(const JsonAt channels, array_member(at, "channels"));
    std::set<std::pair<std::int32_t, TrackPath>> taken;
    for (std::size_t c = 0; c < channels.size(); ++c) {
        SINTER_TRY_ASSIGN(const JsonAt channel_at, object_element(channels, c));
        SINTER_TRY_ASSIGN(const auto target, read_target(document, channel_at, scene, subject));
        if (!target) continue;
        if (!taken.insert({target->node, target->path}).second) {
            document.issues->add(IssueCode::RepairedSource, subject,
                                 fmt::format("{} moves what a channel before it moves; the first was kept",
                                             channel_at.pointer));
            continue;
        }
        SINTER_TRY_ASSIGN(const std::uint32_t sampler,
                          required_index(channel_at, "sampler", samplers.size(), "sampler"));
        SINTER_TRY_ASSIGN(const JsonAt sampler_at, object_element(samplers, sampler));
        SINTER_TRY_ASSIGN(Channel channel, read_channel(document, sampler_at, *target));
        clip.channels.push_back(std::move(channel));
    }
    set_range(clip);
    return clip;
}

}  // namespace

Result<Unit> read_animations(Document& document, Scene& scene) {
    SINTER_TRY_ASSIGN(const JsonAt list, top_array(document, "animations"));
    scene.clips.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        SINTER_TRY_ASSIGN(const JsonAt at, object_element(list, i));
        SINTER_TRY_ASSIGN(Clip clip, read_clip(document, at, i, scene));
        scene.clips.push_back(std::move(clip));
    }
    return Unit{};
}

}  // namespace sinter::gltf
