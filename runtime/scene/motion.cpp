#include "runtime/scene/motion.hpp"

#include <sinter/formats/mesh_arrays.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

namespace sinter {
namespace {

gpu::vec3 vec3_of(const manifest::Float3& v) { return {v.x(), v.y(), v.z()}; }

// A box that grows.
struct Box {
    std::array<float, 3> low{1, 1, 1}, high{-1, -1, -1};  // empty
    void add(std::array<float, 3> p) {
        const bool empty = low[0] > high[0];
        for (std::size_t c = 0; c < 3; ++c) {
            low[c] = empty ? p[c] : std::min(low[c], p[c]);
            high[c] = empty ? p[c] : std::max(high[c], p[c]);
        }
    }
    [[nodiscard]] gpu::vec3 low_corner() const { return {low[0], low[1], low[2]}; }
    [[nodiscard]] gpu::vec3 high_corner() const { return {high[0], high[1], high[2]}; }
};

template <typename Record>
std::uint32_t count(const std::vector<Record>& records) {
    return static_cast<std::uint32_t>(records.size());
}

// Calls visit(joint) for each influence of a vertex that has a weight.
template <typename Visit>
void each_influence(const SceneMotion& motion, const gpu::SkinnedInstance& skin, std::uint32_t vertex,
                    const Visit& visit) {
    const std::size_t weight_bytes = skin.weight_bits / 8;
    const std::byte* slots =
        &motion.influences[skin.first_influence + std::size_t{vertex} * skin.stride * (2 + weight_bytes)];
    for (std::size_t s = 0; s < skin.stride; ++s) {
        std::uint16_t joint = 0;
        std::uint16_t weight = 0;
        std::memcpy(&joint, slots + s * 2, 2);
        std::memcpy(&weight, slots + std::size_t{skin.stride} * 2 + s * weight_bytes, weight_bytes);
        if (weight != 0) visit(joint);
    }
}

class MotionReader {
public:
    MotionReader(const PackageView& package, const manifest::ManifestT& manifest, const PackageScene& scene)
        : package_(package), manifest_(manifest), scene_(scene) {}

    Result<SceneMotion> read() && {
        read_nodes();
        read_paths();
        for (std::uint32_t i = 0; i < manifest_.clips.size(); ++i) SINTER_TRY(read_clip(i));
        for (std::uint32_t i = 0; i < manifest_.meshes.size(); ++i) SINTER_TRY(read_batches(i));
        for (std::uint32_t i = 0; i < scene_.instances.size(); ++i) SINTER_TRY(read_instance(i));
        read_bones();
        return std::move(out_);
    }

private:
    void read_nodes() {
        for (const auto& node : manifest_.nodes) {
            gpu::Local local{{}, {0, 0, 0, 1}, {1, 1, 1}, gpu::kNone};
            if (node->translation) local.translation = vec3_of(*node->translation);
            if (const auto& q = node->rotation) local.rotation = {q->x(), q->y(), q->z(), q->w()};
            if (node->scale) local.scale = vec3_of(*node->scale);
            if (node->matrix.size() == 12) {
                local.matrix = count(out_.matrices);
                gpu::Transform matrix{};
                std::memcpy(static_cast<void*>(&matrix), node->matrix.data(), sizeof matrix);
                out_.matrices.push_back(matrix);
            }
            out_.rest.push_back(local);
        }
    }

    void read_paths() {
        const auto nodes = count(out_.rest);
        std::vector<bool> has_child(nodes, false);
        for (const auto& node : manifest_.nodes) {
            if (node->parent >= 0) has_child[static_cast<std::size_t>(node->parent)] = true;
        }
        std::vector<bool> owned(nodes, false);
        for (std::uint32_t leaf = 0; leaf < nodes; ++leaf) {
            if (has_child[leaf]) continue;
            gpu::Leaf record{count(out_.path_nodes), 0, 0};
            for (std::int32_t n = static_cast<std::int32_t>(leaf); n >= 0;
                 n = manifest_.nodes[static_cast<std::size_t>(n)]->parent)
                out_.path_nodes.push_back(static_cast<std::uint32_t>(n));
            std::reverse(out_.path_nodes.begin() + record.first, out_.path_nodes.end());
            record.count = count(out_.path_nodes) - record.first;
            while (owned[out_.path_nodes[record.first + record.first_owned]]) ++record.first_owned;
            for (std::uint32_t k = record.first_owned; k < record.count; ++k)
                owned[out_.path_nodes[record.first + k]] = true;
            out_.leaves.push_back(record);
        }
    }

    Result<Unit> read_clip(std::uint32_t index) {
        const manifest::ClipT& clip = *manifest_.clips[index];
        SceneClip entry{.tracks = {count(out_.tracks), 0},
                        .start_s = clip.start_s,
                        .duration_s = clip.duration_s,
                        .rate_hz = clip.sample_rate_hz,
                        .frame_count = clip.frame_count};
        const auto first = out_.values.size();
        if (package_.find(SectionType::ClipSamples, index) != nullptr) {
            SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes,
                              package_.decode(SectionType::ClipSamples, index));
            out_.values.resize(first + bytes.size() / sizeof(float));
            if (!bytes.empty()) std::memcpy(&out_.values[first], bytes.data(), bytes.size());
        }
        if (out_.values.size() > std::numeric_limits<std::uint32_t>::max())
            return Error{ErrorKind::Limit, "clips", "they have more than 2^32 values", "cook them in parts"};
        for (const auto& track : clip.tracks) {
            if (track->path == manifest::TrackPath::Weights) continue;
            out_.tracks.push_back({.node = static_cast<std::uint32_t>(track->node),
                                   .path = static_cast<std::uint32_t>(track->path),
                                   .step = track->step ? 1U : 0U,
                                   .constant = track->constant ? 1U : 0U,
                                   .first_value = static_cast<std::uint32_t>(first + track->first_value)});
        }
        entry.tracks.count = count(out_.tracks) - entry.tracks.first;
        out_.clips.push_back(entry);
        return Unit{};
    }

    // Batches never cross a page.
    Result<Unit> read_batches(std::uint32_t index) {
        const SceneMesh& mesh = scene_.meshes[index];
        const std::uint32_t first = count(out_.batches);
        if (manifest_.meshes[index]->cluster_dag) {
            SINTER_TRY_ASSIGN(const ClusterTables tables, read_cluster_tables(package_, manifest_, index));
            std::uint32_t page = mesh.pages.first;
            for (const SkinBatchRecord& batch : tables.batches) {
                while (page + 1 < mesh.pages.end() &&
                       scene_.pages[page + 1].first_vertex <= batch.first_vertex)
                    ++page;
                out_.batches.push_back({batch.first_vertex, batch.vertex_count, batch.influences, page});
            }
        }
        out_.batches_of_mesh.push_back({first, count(out_.batches) - first});
        first_influence_.push_back(gpu::kNone);
        return Unit{};
    }

    Result<std::uint32_t> influences_of(std::uint32_t mesh) {
        if (first_influence_[mesh] != gpu::kNone) return first_influence_[mesh];
        SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes,
                          package_.decode(SectionType::MeshInfluences, mesh));
        const std::size_t first = (out_.influences.size() + 3) / 4 * 4;
        if (first + bytes.size() >= std::numeric_limits<std::uint32_t>::max()) {
            return Error{ErrorKind::Limit, "influences", "they have more than 2^32 bytes",
                         "cook the meshes in parts"};
        }
        out_.influences.resize(first);
        out_.influences.insert(out_.influences.end(), bytes.begin(), bytes.end());
        first_influence_[mesh] = static_cast<std::uint32_t>(first);
        return first_influence_[mesh];
    }

    Result<Unit> read_instance(std::uint32_t index) {
        const SceneInstance& instance = scene_.instances[index];
        const manifest::MeshT& mesh = *manifest_.meshes[instance.mesh];
        const bool skinned =
            instance.skin >= 0 && mesh.influences && mesh.influences->stride > 0 && mesh.cluster_dag;
        out_.skin_of_instance.push_back(skinned ? count(out_.skins) : gpu::kNone);
        if (!skinned) return Unit{};
        gpu::SkinnedInstance record{};
        record.mesh = instance.mesh;
        record.first_joint = count(out_.joints);
        record.first_skinned = out_.skinned_vertices;
        record.stride = mesh.influences->stride;
        record.weight_bits = mesh.influences->weight_bits;
        SINTER_TRY_ASSIGN(record.first_influence, influences_of(instance.mesh));
        SINTER_TRY(read_joints(static_cast<std::uint32_t>(instance.skin)));
        record.joint_count = count(out_.joints) - record.first_joint;
        record.instance = index;
        add_boxes(record);
        add_prefixes(record);
        out_.skinned_vertices += mesh.vertex_count;
        out_.skins.push_back(record);
        return Unit{};
    }

    Result<Unit> read_joints(std::uint32_t index) {
        const manifest::SkinT& skin = *manifest_.skins[index];
        if (skin.bone_of_joint.empty()) return Unit{};
        SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes,
                          package_.decode(SectionType::SkinInverseBinds, index));
        const manifest::SkeletonT& skeleton = *manifest_.skeletons[skin.skeleton];
        for (std::size_t j = 0; j < skin.bone_of_joint.size(); ++j) {
            gpu::Joint joint{};
            joint.node = static_cast<std::uint32_t>(skeleton.bones[skin.bone_of_joint[j]]->node);
            std::memcpy(static_cast<void*>(joint.bone_from_mesh),
                        bytes.data() + j * sizeof(InverseBindRecord), sizeof(InverseBindRecord));
            joint.low = {1, 1, 1};
            joint.high = {-1, -1, -1};
            out_.joints.push_back(joint);
        }
        return Unit{};
    }

    // The box of the vertices that each joint moves, and of those that none moves.
    void add_boxes(gpu::SkinnedInstance& record) {
        std::vector<Box> boxes(record.joint_count);
        Box unmoved;
        const auto positions = mesh_positions(scene_, record.mesh, gpu::kNone);
        for (std::uint32_t v = 0; v < positions.size(); ++v) {
            bool moved = false;
            each_influence(out_, record, v, [&](std::uint32_t joint) {
                boxes[joint].add(positions[v]);
                moved = true;
            });
            if (!moved) unmoved.add(positions[v]);
        }
        for (std::uint32_t j = 0; j < record.joint_count; ++j) {
            out_.joints[record.first_joint + j].low = boxes[j].low_corner();
            out_.joints[record.first_joint + j].high = boxes[j].high_corner();
        }
        record.low = unmoved.low_corner();
        record.high = unmoved.high_corner();
    }

    void add_prefixes(gpu::SkinnedInstance& record) {
        const SceneMesh& mesh = scene_.meshes[record.mesh];
        const Range batches = out_.batches_of_mesh[record.mesh];
        const auto first = out_.batches.begin() + batches.first;
        record.first_prefix = count(out_.prefixes);
        for (std::uint32_t p = mesh.prefixes.first; p < mesh.prefixes.end(); ++p) {
            const ClusterPrefixRecord& prefix = scene_.prefixes[p];
            const auto needed =
                std::partition_point(first, first + batches.count, [&](const gpu::Batch& batch) {
                    return batch.first_vertex < prefix.vertex_count;
                });
            out_.prefixes.push_back(
                {prefix.lod_error, prefix.vertex_count, static_cast<std::uint32_t>(needed - first)});
        }
        record.prefix_count = count(out_.prefixes) - record.first_prefix;
    }

    // Boxes of the vertices of each cluster by joint; the skins of one mesh share them.
    void read_bones() {
        std::vector<const gpu::SkinnedInstance*> skin_of_mesh(scene_.meshes.size(), nullptr);
        for (const gpu::SkinnedInstance& skin : out_.skins) skin_of_mesh[skin.mesh] = &skin;
        std::vector<std::array<float, 3>> positions;
        std::uint32_t mesh_of_positions = gpu::kNone;
        for (std::uint32_t c = 0; c < scene_.clusters.size(); ++c) {
            out_.first_bones.push_back(count(out_.bones));
            const std::uint32_t mesh = scene_.pages[scene_.page_of_cluster[c]].mesh;
            const gpu::SkinnedInstance* skin = skin_of_mesh[mesh];
            if (skin == nullptr) continue;
            if (mesh != mesh_of_positions) positions = mesh_positions(scene_, mesh, gpu::kNone);
            mesh_of_positions = mesh;
            std::map<std::uint32_t, Box> boxes;
            for (const std::uint32_t v : cluster_vertices(scene_, c)) {
                bool moved = false;
                each_influence(out_, *skin, v, [&](std::uint32_t joint) {
                    boxes[joint].add(positions[v]);
                    moved = true;
                });
                if (!moved) boxes[gpu::kNone].add(positions[v]);
            }
            for (const auto& [joint, box] : boxes)
                out_.bones.push_back({joint, box.low_corner(), box.high_corner()});
        }
        out_.first_bones.push_back(count(out_.bones));
    }

    const PackageView& package_;
    const manifest::ManifestT& manifest_;
    const PackageScene& scene_;
    std::vector<std::uint32_t> first_influence_;  // by mesh
    SceneMotion out_;
};

}  // namespace

FramePair frames_at(const SceneClip& clip, double time_s) {
    if (clip.frame_count < 2) return {0, 0};
    const std::uint32_t last = clip.frame_count - 1;
    const double time = time_s - clip.start_s;
    if (time >= clip.duration_s) return {last - 1, 1};
    // A step track's sample counts from its time on, even if rounding puts it a hair later.
    constexpr double kSnapFrames = 1e-3;
    const auto kBelowOne = static_cast<double>(std::nextafter(1.0F, 0.0F));  // in float too
    const double position = time * clip.rate_hz;
    if (!(position > 0)) return {0, 0};
    const double snapped =
        std::abs(position - std::round(position)) < kSnapFrames ? std::round(position) : position;
    const auto frame =
        static_cast<std::uint32_t>(std::min(std::floor(snapped), static_cast<double>(last - 1)));
    const double begin = frame / clip.rate_hz;
    const double end = frame + 1 == last ? clip.duration_s : (frame + 1) / clip.rate_hz;
    return {frame, std::clamp((time - begin) / (end - begin), 0.0, kBelowOne)};
}

Result<SceneMotion> load_motion(const PackageView& package, const manifest::ManifestT& manifest,
                                const PackageScene& scene) {
    return MotionReader(package, manifest, scene).read();
}

}  // namespace sinter
