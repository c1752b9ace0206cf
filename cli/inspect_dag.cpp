#include "cli/inspect_dag.hpp"

#include "cli/counted.hpp"
#include "cli/inspect.hpp"

#include <sinter/formats/mesh_arrays.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

namespace sinter {
namespace {

// Which bones the first vertices of a mesh need: their own, and all above these.
class BoneCounter {
public:
    BoneCounter(const OpenPackage& package, std::uint32_t index) {
        const manifest::ManifestT& manifest = *package.manifest;
        const manifest::MeshT& mesh = *manifest.meshes[index];
        if (!mesh.influences || mesh.skin < 0 || static_cast<std::size_t>(mesh.skin) >= manifest.skins.size())
            return;
        const manifest::SkinT& skin = *manifest.skins[static_cast<std::size_t>(mesh.skin)];
        if (skin.skeleton >= manifest.skeletons.size()) return;
        auto bytes = package.view.decode(SectionType::MeshInfluences, index);
        if (!bytes) return;
        stride_ = mesh.influences->stride;
        weight_size_ = mesh.influences->weight_bits / 8;
        influences_ = *std::move(bytes);
        skin_ = &skin;
        skeleton_ = manifest.skeletons[skin.skeleton].get();
        needed_.assign(skeleton_->bones.size(), false);
    }

    // Calls must not fall in `vertices`.
    std::uint32_t count_of(std::uint32_t vertices) {
        if (!skeleton_) return 0;
        const std::size_t record = std::size_t{stride_} * (2 + weight_size_);
        for (; next_ < vertices && (next_ + 1) * record <= influences_.size(); ++next_) {
            const std::byte* const joints = influences_.data() + next_ * record;
            for (std::uint32_t slot = 0; slot < stride_; ++slot) add_slot(joints, slot);
        }
        return static_cast<std::uint32_t>(std::ranges::count(needed_, true));
    }

private:
    void add_slot(const std::byte* joints, std::uint32_t slot) {
        std::uint16_t joint = 0;
        std::uint16_t weight = 0;
        std::memcpy(&joint, joints + std::size_t{2} * slot, 2);
        std::memcpy(&weight, joints + std::size_t{2} * stride_ + std::size_t{weight_size_} * slot,
                    weight_size_);
        if (weight == 0 || joint >= skin_->bone_of_joint.size()) return;
        auto bone = static_cast<std::int64_t>(skin_->bone_of_joint[joint]);
        while (bone >= 0 && static_cast<std::size_t>(bone) < needed_.size() &&
               !needed_[static_cast<std::size_t>(bone)]) {
            needed_[static_cast<std::size_t>(bone)] = true;
            bone = skeleton_->bones[static_cast<std::size_t>(bone)]->parent;
        }
    }

    std::uint32_t stride_ = 0;
    std::uint32_t weight_size_ = 0;
    std::size_t next_ = 0;
    std::vector<std::byte> influences_;
    const manifest::SkinT* skin_ = nullptr;
    const manifest::SkeletonT* skeleton_ = nullptr;
    std::vector<bool> needed_;
};

void write_levels(JsonWriter& json, const manifest::ClusterDagT& dag) {
    json.key("levels");
    json.begin_array();
    for (std::uint32_t i = 0; i < dag.levels.size(); ++i) {
        const manifest::ClusterLevelT& level = *dag.levels[i];
        json.begin_object();
        json.member("level", i);
        json.member("clusters", level.clusters);
        json.member("groups", level.groups);
        json.member("triangles", level.triangles);
        json.member("stuck_groups", level.stuck_groups);
        json.member("min_error", level.min_error);
        json.member("max_error", level.max_error);
        json.end_object();
    }
    json.end_array();
}

void write_prefixes(JsonWriter& json, const OpenPackage& package, std::uint32_t mesh) {
    json.key("prefixes");
    json.begin_array();
    BoneCounter bones(package, mesh);
    // Damaged tables show as none; validate says what is wrong with them.
    const auto tables = read_cluster_tables(package.view, *package.manifest, mesh);
    const std::vector<ClusterPrefixRecord> prefixes =
        tables ? tables->prefixes : std::vector<ClusterPrefixRecord>();
    for (const ClusterPrefixRecord& prefix : prefixes) {
        json.begin_object();
        json.member("error", prefix.lod_error);
        json.member("vertices", prefix.vertex_count);
        json.member("triangles", prefix.triangle_count);
        json.member("pages", prefix.page_count);
        json.member("bones", bones.count_of(prefix.vertex_count));
        json.end_object();
    }
    json.end_array();
}

double time_of(const manifest::ClipT& clip, std::uint32_t frame) {
    return frame + 1 >= clip.frame_count ? clip.start_s + clip.duration_s
                                         : clip.start_s + frame / clip.sample_rate_hz;
}

// The clip of a pose; none for the nodes at rest, nor where a damaged package names one that is not there.
const manifest::ClipT* clip_of(const OpenPackage& package, const manifest::MeasuredPoseT& pose) {
    const auto& clips = package.manifest->clips;
    const auto index = static_cast<std::size_t>(pose.clip);
    return pose.clip >= 0 && index < clips.size() ? clips[index].get() : nullptr;
}

void write_poses(JsonWriter& json, const OpenPackage& package, const manifest::ClusterDagT& dag) {
    json.key("measured_poses");
    json.begin_array();
    for (const auto& pose : dag.measured_poses) {
        json.begin_object();
        json.member("node", pose->node);
        if (const manifest::ClipT* clip = clip_of(package, *pose); clip != nullptr) {
            json.member("clip", clip->name);
            json.member("frame", pose->frame);
            json.member("time_s", time_of(*clip, pose->frame));
        }
        if (pose->shape >= 0) {
            json.member("shape", pose->shape);
            json.member("shape_frame", pose->shape_frame);
        }
        json.end_object();
    }
    json.end_array();
}

// "'Walk' 0.533 s, shape 2 alone, nodes at rest"
std::string poses_text(const OpenPackage& package, const manifest::MeshT& mesh) {
    std::string text;
    for (const auto& pose : mesh.cluster_dag->measured_poses) {
        const manifest::ClipT* clip = clip_of(package, *pose);
        const auto shape = static_cast<std::size_t>(pose->shape);
        if (!text.empty()) text += ", ";
        if (clip != nullptr) {
            text += fmt::format("'{}' {:.3f} s", clip->name, time_of(*clip, pose->frame));
        } else if (pose->shape >= 0 && shape < mesh.shapes.size()) {
            text += fmt::format("shape '{}'", mesh.shapes[shape]->name);
        } else {
            text += "nodes at rest";
        }
    }
    return text.empty() ? text : "  poses        " + text + "\n";
}

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

bool is_of_mesh(const TocEntry& entry, std::uint32_t mesh) {
    switch (entry.type) {
    case SectionType::Manifest:
    case SectionType::SkinInverseBinds:
    case SectionType::ClipSamples: return false;
    case SectionType::MeshUvs: return entry.id >> 8U == mesh;
    case SectionType::PageData: return entry.id >> 32U == mesh;
    default: return section_type_name(entry.type).has_value() && entry.id == mesh;
    }
}

}  // namespace

double cluster_fill(const manifest::ClusterDagT& dag) {
    const std::uint64_t clusters = dag.cluster_count;
    return std::max(share(dag.stored_triangles, clusters * dag.max_triangles),
                    share(dag.reference_count, clusters * dag.max_vertices));
}

std::uint64_t mesh_stored_bytes(const PackageView& view, std::uint32_t mesh) {
    std::uint64_t bytes = 0;
    for (const TocEntry& entry : view.sections()) bytes += is_of_mesh(entry, mesh) ? entry.stored_size : 0;
    return bytes;
}

void write_dag_json(JsonWriter& json, const OpenPackage& package, std::uint32_t mesh) {
    if (!package.manifest->meshes[mesh]->cluster_dag) return;
    const manifest::ClusterDagT& dag = *package.manifest->meshes[mesh]->cluster_dag;
    json.key("cluster_dag");
    json.begin_object();
    write_levels(json, dag);
    write_prefixes(json, package, mesh);
    json.member("clusters", dag.cluster_count);
    json.member("groups", dag.group_count);
    json.member("fill", cluster_fill(dag));
    json.member("stored_triangles", dag.stored_triangles);
    json.member("root_triangles", dag.root_triangles);
    json.member("root_clusters", dag.root_clusters);
    json.member("pages", dag.page_count);
    json.member("clones", dag.clones);
    json.member("resident_bytes", dag.resident_bytes);
    json.member("measured_error", dag.measured_error);
    json.member("poses", dag.poses);
    write_poses(json, package, dag);
    json.end_object();
}

std::string dag_text(const OpenPackage& package, std::uint32_t mesh, bool stable) {
    const manifest::MeshT& m = *package.manifest->meshes[mesh];
    if (!m.cluster_dag) return {};
    const manifest::ClusterDagT& dag = *m.cluster_dag;
    const std::uint64_t triangles = std::max<std::uint64_t>(m.source_triangles, 1);
    std::string text = fmt::format(
        "  clusters     {} in {}, {:.1f} % full, {:.3f} triangles stored for each of the source\n",
        count_text(dag.cluster_count), counted(dag.levels.size(), "level"), 100 * cluster_fill(dag),
        share(dag.stored_triangles, triangles));
    text += fmt::format("  root         {} in {}\n", counted(dag.root_triangles, "triangle"),
                        counted(dag.root_clusters, "cluster"));
    text += fmt::format("  errors       {}, {}\n", dag.measured_error ? "measured" : "estimated, no bounds",
                        counted(dag.poses, "pose"));
    text += poses_text(package, m);
    text += fmt::format("  pages        {}, {} repeated, {:.2f} bytes a triangle resident{}\n",
                        count_text(dag.page_count), counted(dag.clones, "vertex", "vertices"),
                        share(dag.resident_bytes, triangles),
                        stable ? ""
                               : fmt::format(", {:.2f} on disk with all of the mesh",
                                             share(mesh_stored_bytes(package.view, mesh), triangles)));
    text += fmt::format("    {:>5} {:>10} {:>8} {:>12} {:>6}  {}\n", "level", "clusters", "groups",
                        "triangles", "stuck", "error to the next level (m)");
    for (std::size_t i = 0; i < dag.levels.size(); ++i) {
        const manifest::ClusterLevelT& level = *dag.levels[i];
        text += fmt::format("    {:>5} {:>10} {:>8} {:>12} {:>6}  {:.3g} to {:.3g}\n", i,
                            count_text(level.clusters), count_text(level.groups), count_text(level.triangles),
                            count_text(level.stuck_groups), level.min_error, level.max_error);
    }
    return text;
}

}  // namespace sinter
