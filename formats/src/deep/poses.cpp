#include "poses.hpp"

#include "../bytes.hpp"
#include "../text.hpp"
#include "random.hpp"
#include "vector.hpp"

#include <sinter/formats/records.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sinter::deep {
namespace {

using manifest::MeasuredPoseT;

// Three rows of four.
using Matrix = std::array<double, 12>;

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix out{};
    for (std::size_t row = 0; row < 12; row += 4) {
        for (std::size_t column = 0; column < 4; ++column) {
            out[row + column] = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column];
        }
        out[row + 3] += a[row + 3];
    }
    return out;
}

Vec apply(const Matrix& m, Vec p) {
    return {m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
            m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]};
}

// v turned by the unit quaternion q: v + 2 w (u x v) + 2 u x (u x v), u its vector part.
Vec turned(const std::array<double, 4>& q, Vec v) {
    const Vec u{q[0], q[1], q[2]};
    const Vec twice = cross(u, v) * 2;
    return v + twice * q[3] + cross(u, twice);
}

// Translation, rotation and scale of a node.
struct Local {
    Vec translation;
    std::array<double, 4> rotation{0, 0, 0, 1};
    Vec scale{1, 1, 1};

    [[nodiscard]] Matrix matrix() const {
        std::array<double, 4> q = rotation;
        const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (size > 0) {
            for (double& x : q) x /= size;
        }
        const Vec x = turned(q, {scale.x, 0, 0}), y = turned(q, {0, scale.y, 0}),
                  z = turned(q, {0, 0, scale.z});
        return {x.x, y.x, z.x, translation.x, x.y, y.y, z.y, translation.y, x.z, y.z, z.z, translation.z};
    }
};

Vec vec_of(const std::unique_ptr<manifest::Float3>& v, double absent) {
    if (!v) return {absent, absent, absent};
    return vec({v->x(), v->y(), v->z()});
}

class Poser {
public:
    Poser(const PackageView& package, const manifest::ManifestT& manifest, std::uint32_t index,
          const std::vector<Float3>& rest)
        : package_(package), manifest_(manifest), index_(index), rest_(rest) {}

    Result<Unit> load() {
        for (std::uint32_t c = 0; c < manifest_.clips.size(); ++c) {
            SINTER_TRY_ASSIGN(std::vector<std::byte> bytes, section(SectionType::ClipSamples, c));
            samples_.push_back(std::move(bytes));
        }
        for (std::uint32_t s = 0; s < manifest_.skins.size(); ++s) {
            SINTER_TRY_ASSIGN(std::vector<std::byte> bytes, section(SectionType::SkinInverseBinds, s));
            binds_.push_back(std::move(bytes));
        }
        SINTER_TRY_ASSIGN(deltas_, section(SectionType::BlendShapeDeltas, index_));
        if (!mesh().influences) return Unit{};
        SINTER_TRY_ASSIGN(influences_, section(SectionType::MeshInfluences, index_));
        const std::uint64_t size =
            influence_record_size(mesh().influences->stride, mesh().influences->weight_bits);
        if (influences_.size() != size * rest_.size()) return misfit("influences are not one a vertex");
        return Unit{};
    }

    // Positions in the space of the scene; of a mesh without a skin, its own.
    Result<std::vector<Vec>> positions(const MeasuredPoseT& pose) const {
        SINTER_TRY(check(pose));
        std::vector<Vec> out;
        out.reserve(rest_.size());
        for (const Float3& p : rest_) out.push_back(vec(p));
        SINTER_TRY(add_shapes(pose, out));
        const std::int32_t skin = node(pose).skin;
        if (skin < 0 || influences_.empty()) return out;
        SINTER_TRY_ASSIGN(const std::vector<Matrix> joints, joints_in(pose, static_cast<std::size_t>(skin)));
        SINTER_TRY(skin_vertices(joints, out));
        return out;
    }

private:
    [[nodiscard]] const manifest::MeshT& mesh() const { return *manifest_.meshes[index_]; }
    [[nodiscard]] const manifest::NodeT& node(const MeasuredPoseT& pose) const {
        return *manifest_.nodes[static_cast<std::size_t>(pose.node)];
    }
    [[nodiscard]] Error misfit(std::string message) const {
        return {.kind = ErrorKind::Validation,
                .where = place("mesh", index_, mesh().name),
                .message = std::move(message),
                .remedy = "run sinter validate without --deep for what is wrong"};
    }

    Result<std::vector<std::byte>> section(SectionType type, std::uint64_t id) const {
        if (package_.find(type, id) == nullptr) return std::vector<std::byte>{};
        return package_.decode(type, id);
    }

    Result<Unit> check(const MeasuredPoseT& pose) const {
        const auto below = [](std::int64_t index, std::size_t count) {
            return index >= 0 && index < static_cast<std::int64_t>(count);
        };
        bool sound = below(pose.node, manifest_.nodes.size()) &&
                     node(pose).mesh == static_cast<std::int32_t>(index_) && pose.clip >= -1 &&
                     pose.shape >= -1;
        if (sound && pose.clip >= 0) {
            sound = below(pose.clip, manifest_.clips.size()) &&
                    pose.frame < manifest_.clips[static_cast<std::size_t>(pose.clip)]->frame_count;
        }
        if (sound && pose.shape >= 0) {
            sound = below(pose.shape, mesh().shapes.size()) &&
                    pose.shape_frame < mesh().shapes[static_cast<std::size_t>(pose.shape)]->frames.size();
        }
        if (sound) return Unit{};
        return misfit(cat("a pose of node ", pose.node, ", clip ", pose.clip, ", frame ", pose.frame,
                          ", shape ", pose.shape, " is not there, or does not draw this mesh"));
    }

    // Values of a track at a frame of its clip.
    Result<std::vector<double>> values(std::size_t clip, const manifest::TrackT& track,
                                       std::uint32_t frame) const {
        const std::uint64_t first =
            track.first_value + (track.constant ? 0 : std::uint64_t{frame} * track.components);
        const std::uint64_t count = samples_[clip].size() / sizeof(float);
        if (first > count || track.components > count - first) return misfit("a track ends beyond its clip");
        std::vector<double> out(track.components);
        for (std::uint64_t i = 0; i < out.size(); ++i)
            out[i] = static_cast<double>(record_at<float>(samples_[clip], first + i));
        return out;
    }

    Result<std::vector<Matrix>> scene_from_nodes(const MeasuredPoseT& pose) const {
        std::vector<Local> locals;
        std::vector<bool> animated(manifest_.nodes.size());
        for (const auto& n : manifest_.nodes) {
            Local local{vec_of(n->translation, 0), {0, 0, 0, 1}, vec_of(n->scale, 1)};
            if (n->rotation) {
                const manifest::Float4& q = *n->rotation;
                local.rotation = {static_cast<double>(q.x()), static_cast<double>(q.y()),
                                  static_cast<double>(q.z()), static_cast<double>(q.w())};
            }
            locals.push_back(local);
        }
        if (pose.clip >= 0) {
            const auto clip = static_cast<std::size_t>(pose.clip);
            for (const auto& track : manifest_.clips[clip]->tracks) {
                if (track->path == manifest::TrackPath::Weights) continue;
                const auto n = static_cast<std::size_t>(track->node);
                const std::uint32_t needed = track->path == manifest::TrackPath::Rotation ? 4 : 3;
                if (track->node < 0 || n >= locals.size() || track->components != needed)
                    return misfit("a track moves no node");
                SINTER_TRY_ASSIGN(const std::vector<double> v, values(clip, *track, pose.frame));
                animated[n] = true;
                if (track->path == manifest::TrackPath::Rotation) {
                    locals[n].rotation = {v[0], v[1], v[2], v[3]};
                } else {
                    (track->path == manifest::TrackPath::Scale ? locals[n].scale
                                                               : locals[n].translation) = {v[0], v[1], v[2]};
                }
            }
        }
        return compose(locals, animated);
    }

    Result<std::vector<Matrix>> compose(const std::vector<Local>& locals,
                                        const std::vector<bool>& animated) const {
        std::vector<Matrix> scene;
        for (std::size_t n = 0; n < locals.size(); ++n) {
            const manifest::NodeT& in = *manifest_.nodes[n];
            Matrix local = locals[n].matrix();
            if (in.matrix.size() == local.size() && !animated[n]) {
                std::ranges::transform(in.matrix, local.begin(),
                                       [](float x) { return static_cast<double>(x); });
            }
            if (in.parent >= static_cast<std::int32_t>(n)) return misfit("a node stands before its parent");
            scene.push_back(in.parent < 0 ? local
                                          : product(scene[static_cast<std::size_t>(in.parent)], local));
        }
        return scene;
    }

    Result<std::vector<Matrix>> joints_in(const MeasuredPoseT& pose, std::size_t skin) const {
        SINTER_TRY_ASSIGN(const std::vector<Matrix> scene, scene_from_nodes(pose));
        if (skin >= manifest_.skins.size() || manifest_.skins[skin]->skeleton >= manifest_.skeletons.size())
            return misfit("a node's skin is not there");
        const auto& bones = manifest_.skeletons[manifest_.skins[skin]->skeleton]->bones;
        const auto& bone_of_joint = manifest_.skins[skin]->bone_of_joint;
        if (binds_[skin].size() != bone_of_joint.size() * sizeof(InverseBindRecord))
            return misfit("inverse bind matrices are not one a joint");
        std::vector<Matrix> out;
        for (std::size_t j = 0; j < bone_of_joint.size(); ++j) {
            if (bone_of_joint[j] >= bones.size()) return misfit("a joint's bone is not there");
            const std::int32_t bone = bones[bone_of_joint[j]]->node;
            if (bone < 0 || static_cast<std::size_t>(bone) >= scene.size())
                return misfit("a bone's node is not there");
            Matrix bind{};
            std::ranges::transform(record_at<InverseBindRecord>(binds_[skin], j).m, bind.begin(),
                                   [](float x) { return static_cast<double>(x); });
            out.push_back(product(scene[static_cast<std::size_t>(bone)], bind));
        }
        return out;
    }

    Result<Unit> skin_vertices(const std::vector<Matrix>& joints, std::vector<Vec>& positions) const {
        const std::size_t stride = mesh().influences->stride;
        const bool wide = mesh().influences->weight_bits == 16;
        const std::size_t size = influence_record_size(static_cast<std::uint32_t>(stride), wide ? 16 : 8);
        for (std::size_t v = 0; v < positions.size(); ++v) {
            const Bytes record = Bytes(influences_).subspan(v * size, size);
            Vec sum;
            double weights = 0;
            for (std::size_t s = 0; s < stride; ++s) {
                const auto joint = record_at<std::uint16_t>(record, s);
                const Bytes own = record.subspan(2 * stride);
                const double weight = wide ? record_at<std::uint16_t>(own, s) : static_cast<double>(own[s]);
                if (weight == 0) continue;
                if (joint >= joints.size())
                    return misfit(cat("vertex ", v, " follows a joint that is not there"));
                sum = sum + apply(joints[joint], positions[v]) * weight;
                weights += weight;
            }
            if (weights > 0) positions[v] = sum * (1 / weights);
        }
        return Unit{};
    }

    // A weight a shape: the clip's, else the node's, else the mesh's own.
    Result<std::vector<double>> shape_weights(const MeasuredPoseT& pose) const {
        const auto& shapes = mesh().shapes;
        std::vector<double> weights(shapes.size(), 0);
        if (pose.shape >= 0) {
            const auto shape = static_cast<std::size_t>(pose.shape);
            weights[shape] = static_cast<double>(shapes[shape]->frames[pose.shape_frame]->weight);
            return weights;
        }
        const std::vector<float>& own = node(pose).shape_weights;
        for (std::size_t s = 0; s < shapes.size(); ++s)
            weights[s] = static_cast<double>(s < own.size() ? own[s] : shapes[s]->default_weight);
        if (pose.clip < 0) return weights;
        const auto clip = static_cast<std::size_t>(pose.clip);
        for (const auto& track : manifest_.clips[clip]->tracks) {
            if (track->path != manifest::TrackPath::Weights || track->node != pose.node) continue;
            if (track->components != weights.size()) return misfit("a track has not one weight a shape");
            SINTER_TRY_ASSIGN(weights, values(clip, *track, pose.frame));
        }
        return weights;
    }

    Result<Unit> add_shapes(const MeasuredPoseT& pose, std::vector<Vec>& positions) const {
        SINTER_TRY_ASSIGN(const std::vector<double> weights, shape_weights(pose));
        for (std::size_t s = 0; s < weights.size(); ++s) {
            const auto& frames = mesh().shapes[s]->frames;
            // Between 0, where nothing moves, and the first frame, between two frames, or on past the last one.
            std::size_t upper = 0;
            while (upper + 1 < frames.size() && weights[s] > static_cast<double>(frames[upper]->weight))
                ++upper;
            if (frames.empty()) continue;
            const double low = upper == 0 ? 0 : static_cast<double>(frames[upper - 1]->weight);
            const double range = static_cast<double>(frames[upper]->weight) - low;
            const double part = range > 0 ? (weights[s] - low) / range : 1;
            SINTER_TRY(add_frame(*frames[upper], part, positions));
            if (upper > 0) SINTER_TRY(add_frame(*frames[upper - 1], 1 - part, positions));
        }
        return Unit{};
    }

    Result<Unit> add_frame(const manifest::ShapeFrameT& frame, double weight,
                           std::vector<Vec>& positions) const {
        const std::uint64_t count = deltas_.size() / sizeof(BlendShapeDelta);
        if (frame.first_record > count || frame.record_count > count - frame.first_record)
            return misfit("a blend shape's deltas are beyond the end");
        if (weight == 0) return Unit{};
        for (std::uint64_t i = frame.first_record; i < frame.first_record + frame.record_count; ++i) {
            const auto delta = record_at<BlendShapeDelta>(deltas_, i);
            if (delta.vertex >= positions.size())
                return misfit("a blend shape moves a vertex that is not there");
            positions[delta.vertex] = positions[delta.vertex] + vec(delta.position) * weight;
        }
        return Unit{};
    }

    const PackageView& package_;
    const manifest::ManifestT& manifest_;
    std::uint32_t index_;
    const std::vector<Float3>& rest_;
    std::vector<std::vector<std::byte>> samples_, binds_;
    std::vector<std::byte> influences_, deltas_;
};

std::vector<Float3> relative(const std::vector<Vec>& positions, double scale) {
    std::vector<Float3> out;
    out.reserve(positions.size());
    for (const Vec& p : positions) out.push_back(to_float((p - positions[0]) * (1 / scale)));
    return out;
}

// Lengths in the pose over lengths at rest, over random pairs of vertices.
double mean_scale(const std::vector<Vec>& posed, const std::vector<Float3>& rest) {
    constexpr std::size_t kPairs = 4096;
    Random random(0x5CA1E);
    double posed_sum = 0, rest_sum = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const std::size_t a = random.below(rest.size()), b = random.below(rest.size());
        posed_sum += length(posed[a] - posed[b]);
        rest_sum += length(vec(rest[a]) - vec(rest[b]));
    }
    return rest_sum > 0 ? posed_sum / rest_sum : 1;
}

// Frames in the middle of equal parts of all clips together, by nodes of the stored poses in turn.
std::vector<MeasuredPoseT> held_out_frames(const manifest::ManifestT& manifest,
                                           const std::vector<std::unique_ptr<MeasuredPoseT>>& stored) {
    std::uint64_t frames = 0;
    for (const auto& clip : manifest.clips) frames += clip->frame_count;
    std::vector<MeasuredPoseT> out;
    for (std::uint32_t h = 0; h < kHeldOutFrames && frames > 0; ++h) {
        std::uint64_t at = (2 * std::uint64_t{h} + 1) * frames / (2 * kHeldOutFrames);
        MeasuredPoseT pose;
        pose.node = stored[h % stored.size()]->node;
        pose.clip = 0;
        pose.shape = -1;
        while (at >= manifest.clips[static_cast<std::size_t>(pose.clip)]->frame_count) {
            at -= manifest.clips[static_cast<std::size_t>(pose.clip)]->frame_count;
            ++pose.clip;
        }
        pose.frame = static_cast<std::uint32_t>(at);
        const auto same = [&](const MeasuredPoseT& other) {
            return other.clip == pose.clip && other.frame == pose.frame && other.shape < 0;
        };
        if (std::ranges::any_of(stored, [&](const auto& other) { return same(*other); })) continue;
        if (std::ranges::none_of(out, same)) out.push_back(pose);
    }
    return out;
}

}  // namespace

Result<Unit> add_poses(const PackageView& package, const manifest::ManifestT& manifest, std::uint32_t mesh,
                       DagModel& model) {
    const manifest::ClusterDagT& dag = *manifest.meshes[mesh]->cluster_dag;
    if (dag.measured_poses.empty() || model.positions.empty()) return Unit{};
    Poser poser(package, manifest, mesh, model.positions);
    SINTER_TRY(poser.load());
    model.pose_scale = dag.pose_scale;
    const double scale = dag.pose_scale > 0 ? static_cast<double>(dag.pose_scale) : 1;
    MeasuredPoseT at_rest;
    at_rest.node = dag.measured_poses[0]->node;
    at_rest.clip = at_rest.shape = -1;
    SINTER_TRY_ASSIGN(const std::vector<Vec> rest, poser.positions(at_rest));
    model.expected_pose_scale = static_cast<float>(mean_scale(rest, model.positions));
    for (const auto& pose : dag.measured_poses) {
        SINTER_TRY_ASSIGN(const std::vector<Vec> posed, poser.positions(*pose));
        model.poses.push_back(relative(posed, scale));
    }
    for (const MeasuredPoseT& pose : held_out_frames(manifest, dag.measured_poses)) {
        SINTER_TRY_ASSIGN(const std::vector<Vec> posed, poser.positions(pose));
        model.held_out_poses.push_back(relative(posed, scale));
    }
    return Unit{};
}

}  // namespace sinter::deep
