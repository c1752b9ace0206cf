#include "cooker/cluster/poses.hpp"

#include "cooker/animation/evaluate.hpp"
#include "cooker/animation/pose.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sinter {
namespace {

// Vertices in which poses are compared, besides those that shapes move most.
constexpr std::size_t kComparedVertices = 256;
// Each is paired with those that stand so many places after it.
constexpr std::array<std::size_t, 3> kPairSteps{1, 7, 61};

struct PosePicker {
    const PoseSources& sources;
    std::uint32_t mesh_index;
    const PreparedMesh& mesh;
    std::vector<std::uint32_t> compared;  // vertices
};

const CookedSkin* skin_of(const PosePicker& picker, std::uint32_t node) {
    const std::int32_t skin = picker.sources.nodes[node].skin;
    if (skin == kNone || picker.mesh.influences.stride == 0) return nullptr;
    return &picker.sources.skins[static_cast<std::size_t>(skin)];
}

// Nodes that draw the mesh: each skin once, and each node where shapes are there, whose weights are the node's own.
std::vector<std::uint32_t> instances_of(const PosePicker& picker) {
    std::vector<std::uint32_t> instances;
    for (std::uint32_t n = 0; n < picker.sources.nodes.size() && instances.size() < kPoseInstances; ++n) {
        if (picker.sources.nodes[n].mesh != static_cast<std::int32_t>(picker.mesh_index)) continue;
        const bool known = std::ranges::any_of(instances, [&](std::uint32_t other) {
            return picker.mesh.shapes.empty() &&
                   picker.sources.nodes[n].skin == picker.sources.nodes[other].skin;
        });
        if (!known && (skin_of(picker, n) != nullptr || !picker.mesh.shapes.empty())) instances.push_back(n);
    }
    return instances;
}

void add_clip_frames(const PosePicker& picker, std::span<const std::uint32_t> instances,
                     std::vector<PoseOrigin>& candidates) {
    const std::size_t clips = picker.sources.clips.size();
    const std::size_t most =
        std::max<std::size_t>(2, kPoseCandidates / std::max<std::size_t>(1, clips * instances.size()));
    for (const std::uint32_t node : instances) {
        for (std::size_t c = 0; c < clips; ++c) {
            const std::size_t frames = picker.sources.clips[c].frame_count;
            const std::size_t count = std::min(frames, most);
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t frame = count == 1 ? 0 : k * (frames - 1) / (count - 1);
                candidates.push_back(
                    {node, static_cast<std::int32_t>(c), static_cast<std::uint32_t>(frame), kNone, 0});
            }
        }
    }
}

std::vector<PoseOrigin> candidates_of(const PosePicker& picker) {
    const std::vector<std::uint32_t> instances = instances_of(picker);
    std::vector<PoseOrigin> candidates;
    for (const std::uint32_t node : instances) candidates.push_back({node, kNone, 0, kNone, 0});
    if (instances.empty()) return candidates;
    add_clip_frames(picker, instances, candidates);
    for (std::size_t s = 0; s < picker.mesh.shapes.size(); ++s) {
        for (std::size_t f = 0; f < picker.mesh.shapes[s].frames.size(); ++f) {
            candidates.push_back(
                {instances[0], kNone, 0, static_cast<std::int32_t>(s), static_cast<std::uint32_t>(f)});
        }
    }
    return candidates;
}

// The weight of each shape of the mesh: the clip's, else the node's, else the mesh's own.
std::vector<double> weights_of(const PosePicker& picker, const PoseOrigin& candidate) {
    std::vector<double> weights;
    for (const PreparedShape& shape : picker.mesh.shapes) {
        weights.push_back(static_cast<double>(shape.default_weight));
    }
    if (candidate.shape != kNone) {
        std::ranges::fill(weights, 0.0);
        const auto shape = static_cast<std::size_t>(candidate.shape);
        weights[shape] = static_cast<double>(picker.mesh.shapes[shape].frames[candidate.shape_frame].weight);
        return weights;
    }
    const std::vector<float>& own = picker.sources.nodes[candidate.node].shape_weights;
    for (std::size_t i = 0; i < std::min(own.size(), weights.size()); ++i)
        weights[i] = static_cast<double>(own[i]);
    if (candidate.clip == kNone) return weights;
    const SampledClip& clip = picker.sources.clips[static_cast<std::size_t>(candidate.clip)];
    for (const SampledTrack& track : clip.tracks) {
        if (track.path != TrackPath::Weights || track.node != static_cast<std::int32_t>(candidate.node))
            continue;
        if (track.components == weights.size()) {
            evaluate_sampled_track(clip, track, sample_time(clip, candidate.frame), weights);
        }
    }
    return weights;
}

// The sum of the deltas of all frames that have a weight.
void sum_deltas(const PreparedMesh& mesh, std::span<const double> weights, Pose& pose) {
    std::vector<Float3> sums;
    std::vector<std::uint8_t> moved;
    for (std::size_t s = 0; s < mesh.shapes.size(); ++s) {
        std::vector<double> of_frame(mesh.shapes[s].frames.size());
        frame_weights(mesh.shapes[s], weights[s], of_frame);
        for (std::size_t f = 0; f < of_frame.size(); ++f) {
            if (of_frame[f] == 0) continue;
            sums.resize(mesh.vertex_count());
            moved.resize(mesh.vertex_count(), 0);
            const SparseShapeFrame& frame = mesh.shapes[s].frames[f];
            for (std::size_t i = 0; i < frame.vertices.size(); ++i) {
                Float3& sum = sums[frame.vertices[i]];
                sum = sum + frame.positions[i] * static_cast<float>(of_frame[f]);
                moved[frame.vertices[i]] = 1;
            }
        }
    }
    for (std::uint32_t v = 0; v < moved.size(); ++v) {
        if (moved[v] == 0) continue;
        pose.moved_vertices.push_back(v);
        pose.offsets.push_back(sums[v]);
    }
}

Pose make_pose(const PosePicker& picker, const PoseOrigin& candidate) {
    Pose pose{candidate, {}, {}, {}};
    sum_deltas(picker.mesh, weights_of(picker, candidate), pose);
    const CookedSkin* skin = skin_of(picker, candidate.node);
    if (skin == nullptr) return pose;
    const auto& [nodes, skins, skeletons, clips] = picker.sources;
    std::vector<PoseMatrix> world;
    if (candidate.clip == kNone) {
        world = world_from_nodes(nodes, nullptr, 0);
    } else {
        const SampledClip& clip = clips[static_cast<std::size_t>(candidate.clip)];
        world = world_from_nodes(nodes, clip, sample_time(clip, candidate.frame));
    }
    const std::vector<Bone>& bones = skeletons[skin->skeleton].bones;
    for (std::size_t j = 0; j < skin->bone_of_joint.size(); ++j) {
        const auto node = static_cast<std::size_t>(bones[skin->bone_of_joint[j]].node);
        const PoseMatrix matrix = world[node] * pose_matrix_of(skin->bone_from_mesh[j]);
        Mat3x4 rounded;
        std::ranges::transform(matrix.m, rounded.m.begin(), [](double x) { return static_cast<float>(x); });
        pose.scene_from_mesh.push_back(rounded);
    }
    return pose;
}

// Every n-th vertex in the mesh's order, in which neighbours follow each other, then the farthest moved of each shape.
std::vector<std::uint32_t> compared_vertices(const PreparedMesh& mesh) {
    std::vector<std::uint32_t> vertices;
    const std::size_t count = mesh.vertex_count();
    const std::size_t step = std::max<std::size_t>(1, count / kComparedVertices);
    for (std::size_t v = 0; v < count; v += step) vertices.push_back(static_cast<std::uint32_t>(v));
    for (const PreparedShape& shape : mesh.shapes) {
        for (const SparseShapeFrame& frame : shape.frames) {
            const auto farthest =
                std::ranges::max_element(frame.positions, {}, [](Float3 d) { return dot(d, d); });
            if (farthest == frame.positions.end()) continue;
            vertices.push_back(frame.vertices[static_cast<std::size_t>(farthest - frame.positions.begin())]);
        }
    }
    return vertices;
}

// The distances of all pairs of compared vertices: no rigid motion changes them.
std::vector<float> pair_lengths(std::span<const Float3> positions) {
    std::vector<float> lengths;
    lengths.reserve(positions.size() * kPairSteps.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        for (const std::size_t step : kPairSteps) {
            lengths.push_back(length(positions[(i + step) % positions.size()] - positions[i]));
        }
    }
    return lengths;
}

float sum_of(std::span<const float> values) {
    float sum = 0;
    for (const float value : values) sum += value;
    return sum;
}

// Over the lengths at rest, or what counts for short ones.
float difference(std::span<const float> a, std::span<const float> b, float scale_b,
                 std::span<const float> reference) {
    float largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i] * scale_b) / reference[i]);
    return largest;
}

std::vector<float> lengths_in(const PosePicker& picker, const Pose& pose) {
    std::vector<Float3> positions(picker.compared.size());
    pose_vertices(picker.mesh, pose, picker.compared, positions);
    return pair_lengths(positions);
}

}  // namespace

void frame_weights(const PreparedShape& shape, double weight, std::span<double> out) {
    std::ranges::fill(out, 0.0);
    const std::size_t count = shape.frames.size();
    if (count == 0) return;
    const auto at = [&](std::size_t frame) { return static_cast<double>(shape.frames[frame].weight); };
    std::size_t upper = 0;
    while (upper + 1 < count && weight > at(upper)) ++upper;
    const double low = upper == 0 ? 0.0 : at(upper - 1);
    const double span = at(upper) - low;
    const double part = span > 0 ? (weight - low) / span : 1.0;
    out[upper] = part;
    if (upper > 0) out[upper - 1] = 1 - part;
}

PoseSet pick_poses(const PoseSources& sources, std::uint32_t mesh_index, const PreparedMesh& mesh,
                   std::uint32_t count) {
    PoseSet set;
    if (count == 0 || mesh.vertex_count() == 0) return set;
    PosePicker picker{sources, mesh_index, mesh, compared_vertices(mesh)};
    const std::vector<PoseOrigin> candidates = candidates_of(picker);
    if (candidates.empty()) return set;

    const std::vector<float> rest = lengths_in(picker, {});
    std::vector<std::vector<float>> lengths;
    lengths.reserve(candidates.size());
    for (const PoseOrigin& candidate : candidates)
        lengths.push_back(lengths_in(picker, make_pose(picker, candidate)));
    if (skin_of(picker, candidates[0].node) != nullptr && sum_of(rest) > 0 && sum_of(lengths[0]) > 0) {
        set.scale = sum_of(lengths[0]) / sum_of(rest);
    }
    // Pairs that nearly coincide would outweigh all others.
    constexpr float kShortest = 0.02F;  // of the radius
    std::vector<float> reference = rest;
    for (float& x : reference) x = std::max(x, mesh.bounds.radius * kShortest) * set.scale;
    // How far each candidate is from the nearest picked one; at first that is the rest pose.
    std::vector<float> apart;
    apart.reserve(candidates.size());
    for (const std::vector<float>& own : lengths)
        apart.push_back(difference(own, rest, set.scale, reference));
    while (set.poses.size() < count) {
        const auto farthest = std::ranges::max_element(apart);  // the first of equals
        if (!(*farthest > static_cast<float>(kPoseDifference))) break;
        const auto picked = static_cast<std::size_t>(farthest - apart.begin());
        set.poses.push_back(make_pose(picker, candidates[picked]));
        for (std::size_t i = 0; i < apart.size(); ++i) {
            apart[i] = std::min(apart[i], difference(lengths[i], lengths[picked], 1, reference));
        }
    }
    return set;
}

void pose_vertices(const PreparedMesh& mesh, const Pose& pose, std::span<const std::uint32_t> vertices,
                   std::span<Float3> out) {
    const EncodedInfluences& influences = mesh.influences;
    const float unit = 1 / static_cast<float>((1U << influences.weight_bits) - 1);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const std::uint32_t vertex = vertices[i];
        Float3 p = mesh.positions[vertex];
        if (!pose.moved_vertices.empty()) {
            const auto found = std::ranges::lower_bound(pose.moved_vertices, vertex);
            if (found != pose.moved_vertices.end() && *found == vertex) {
                p = p + pose.offsets[static_cast<std::size_t>(found - pose.moved_vertices.begin())];
            }
        }
        out[i] = p;
        if (pose.scene_from_mesh.empty()) continue;
        Float3 sum;
        bool any = false;
        const std::size_t first = std::size_t{vertex} * influences.stride;
        for (std::size_t slot = first; slot < first + influences.stride && influences.weights[slot] != 0;
             ++slot) {
            const Mat3x4& matrix = pose.scene_from_mesh[influences.joints[slot]];
            sum = sum + transform_point(matrix, p) * (static_cast<float>(influences.weights[slot]) * unit);
            any = true;
        }
        if (any) out[i] = sum;
    }
}

}  // namespace sinter
