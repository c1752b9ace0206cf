#include "cooker/animation/pose.hpp"

#include "cooker/animation/evaluate.hpp"
#include "cooker/animation/quaternion.hpp"

#include <algorithm>
#include <cassert>

namespace sinter {
namespace {

struct Local {
    std::array<double, 3> translation{};
    QuatD rotation{0, 0, 0, 1};
    std::array<double, 3> scale{1, 1, 1};
    bool animated = false;
};

std::array<double, 3> doubles(Float3 v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

QuatD doubles(const Quat& q) {
    return {static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z),
            static_cast<double>(q.w)};
}

std::vector<Local> rest_locals(std::span<const Node> nodes) {
    std::vector<Local> locals;
    locals.reserve(nodes.size());
    for (const Node& node : nodes) {
        locals.push_back({doubles(node.local.translation), doubles(node.local.rotation),
                          doubles(node.local.scale), false});
    }
    return locals;
}

// Where a track writes to; empty for blend-shape weights.
std::span<double> target(Local& local, TrackPath path) {
    switch (path) {
    case TrackPath::Translation: return local.translation;
    case TrackPath::Rotation: return local.rotation;
    case TrackPath::Scale: return local.scale;
    case TrackPath::Weights: break;
    }
    return {};
}

PoseMatrix pose_matrix_of(const Local& local) {
    const auto& [x, y, z, w] = local.rotation;
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    PoseMatrix out;
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column)
            out.m[row * 4 + column] = r[row][column] * local.scale[column];
        out.m[row * 4 + 3] = local.translation[row];
    }
    return out;
}

std::vector<PoseMatrix> compose(std::span<const Node> nodes, const std::vector<Local>& locals) {
    std::vector<PoseMatrix> world(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool matrix = nodes[i].local_matrix.has_value() && !locals[i].animated;
        const PoseMatrix local = matrix ? pose_matrix_of(*nodes[i].local_matrix) : pose_matrix_of(locals[i]);
        assert(nodes[i].parent < static_cast<std::int32_t>(i));
        world[i] =
            nodes[i].parent == kNone ? local : world[static_cast<std::size_t>(nodes[i].parent)] * local;
    }
    return world;
}

}  // namespace

PoseMatrix pose_matrix_of(const Mat3x4& matrix) {
    PoseMatrix out;
    std::ranges::transform(matrix.m, out.m.begin(), [](float value) { return static_cast<double>(value); });
    return out;
}

PoseMatrix operator*(const PoseMatrix& a, const PoseMatrix& b) {
    PoseMatrix out;
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 4; ++column) {
            double sum = column == 3 ? a.m[row * 4 + 3] : 0.0;
            for (std::size_t k = 0; k < 3; ++k) sum += a.m[row * 4 + k] * b.m[k * 4 + column];
            out.m[row * 4 + column] = sum;
        }
    }
    return out;
}

Point transform_point(const PoseMatrix& a, const Point& p) {
    Point out{};
    for (std::size_t row = 0; row < 3; ++row) {
        out[row] = a.m[row * 4] * p[0] + a.m[row * 4 + 1] * p[1] + a.m[row * 4 + 2] * p[2] + a.m[row * 4 + 3];
    }
    return out;
}

std::vector<PoseMatrix> world_from_nodes(std::span<const Node> nodes, const Clip* clip, double time_s) {
    std::vector<Local> locals = rest_locals(nodes);
    if (clip != nullptr) {
        for (const Channel& channel : clip->channels) {
            if (channel.path == TrackPath::Weights) continue;
            Local& local = locals[static_cast<std::size_t>(channel.node)];
            evaluate_channel(channel, time_s, target(local, channel.path));
            local.animated = true;
        }
    }
    return compose(nodes, locals);
}

std::vector<PoseMatrix> world_from_nodes(std::span<const Node> nodes, const SampledClip& clip,
                                         double time_s) {
    std::vector<Local> locals = rest_locals(nodes);
    for (const SampledTrack& track : clip.tracks) {
        if (track.path == TrackPath::Weights) continue;
        Local& local = locals[static_cast<std::size_t>(track.node)];
        evaluate_sampled_track(clip, track, time_s, target(local, track.path));
        local.animated = true;
    }
    return compose(nodes, locals);
}

std::vector<PoseMatrix> skinning_matrices(const Skin& skin, std::span<const PoseMatrix> world_from_node) {
    std::vector<PoseMatrix> matrices;
    matrices.reserve(skin.joints.size());
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        matrices.push_back(world_from_node[static_cast<std::size_t>(skin.joints[j])] *
                           pose_matrix_of(skin.bone_from_mesh[j]));
    }
    return matrices;
}

Point skin_point(std::span<const PoseMatrix> matrices, std::span<const Influence> influences,
                 const Point& p) {
    Point out{};
    for (const Influence& influence : influences) {
        const Point moved = transform_point(matrices[influence.joint], p);
        for (std::size_t i = 0; i < 3; ++i) out[i] += static_cast<double>(influence.weight) * moved[i];
    }
    return out;
}

std::vector<double> shape_weights(const Scene& scene, std::uint32_t node, const Clip* clip, double time_s) {
    const Node& drawn = scene.nodes[node];
    std::vector<double> weights;
    if (drawn.mesh == kNone) return weights;
    for (const BlendShape& shape : scene.meshes[static_cast<std::size_t>(drawn.mesh)].shapes) {
        weights.push_back(static_cast<double>(shape.default_weight));
    }
    for (std::size_t i = 0; i < drawn.shape_weights.size(); ++i)
        weights[i] = static_cast<double>(drawn.shape_weights[i]);
    if (clip == nullptr) return weights;
    for (const Channel& channel : clip->channels) {
        if (channel.path == TrackPath::Weights && channel.node == static_cast<std::int32_t>(node)) {
            evaluate_channel(channel, time_s, weights);
        }
    }
    return weights;
}

}  // namespace sinter
