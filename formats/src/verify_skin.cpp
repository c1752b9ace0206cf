#include "verify_context.hpp"

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

void check_bones(VerifyContext& context, const std::string& where, const manifest::SkeletonT& skeleton) {
    const std::size_t node_count = context.manifest.nodes.size();
    std::vector<std::int32_t> nodes;
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
        const manifest::BoneT& bone = *skeleton.bones[i];
        const std::string bone_where = cat(where, ", ", place("bone", i, bone.name));
        if (bone.parent < -1 || bone.parent >= static_cast<std::int64_t>(i)) {
            context.list.add(FindingCode::BoneParent, bone_where,
                             cat("parent ", bone.parent, ", must be -1 or before the bone"));
        }
        if (bone.node < 0 || static_cast<std::size_t>(bone.node) >= node_count) {
            context.list.add(FindingCode::BoneNode, bone_where, cat("node ", bone.node, " of ", node_count));
        }
        nodes.push_back(bone.node);
    }
    std::ranges::sort(nodes);
    if (std::ranges::adjacent_find(nodes) != nodes.end()) {
        context.list.add(FindingCode::BoneNode, where,
                         cat("two bones on node ", *std::ranges::adjacent_find(nodes)));
    }
}

// Pre: parents come before their children.
void check_statistics(VerifyContext& context, const std::string& where, const manifest::SkeletonT& skeleton) {
    std::vector<std::uint32_t> depth(skeleton.bones.size(), 0);
    std::vector<bool> is_leaf(skeleton.bones.size(), true);
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
        const std::int32_t parent = skeleton.bones[i]->parent;
        if (parent < 0) continue;
        depth[i] = depth[static_cast<std::size_t>(parent)] + 1;
        is_leaf[static_cast<std::size_t>(parent)] = false;
    }
    const auto leaves = static_cast<std::uint64_t>(std::ranges::count(is_leaf, true));
    const std::uint32_t max_depth = depth.empty() ? 0 : *std::ranges::max_element(depth);
    if (leaves != skeleton.leaf_bones || max_depth != skeleton.max_depth) {
        context.list.add(FindingCode::SkeletonStatistics, where,
                         cat(skeleton.leaf_bones, " leaf bones and depth ", skeleton.max_depth, " stored, ",
                             leaves, " and ", max_depth, " counted"));
    }
}

void check_skin(VerifyContext& context, std::size_t index) {
    const manifest::SkinT& skin = *context.manifest.skins[index];
    const std::string where = place("skin", index, skin.name);
    if (skin.skeleton >= context.manifest.skeletons.size()) {
        context.list.add(FindingCode::SkinReference, where,
                         cat("skeleton ", skin.skeleton, " of ", context.manifest.skeletons.size()));
    } else {
        const std::size_t bones = context.manifest.skeletons[skin.skeleton]->bones.size();
        RecordProblem range(context.list, FindingCode::SkinReference, where);
        for (std::size_t joint = 0; joint < skin.bone_of_joint.size(); ++joint) {
            const std::uint32_t bone = skin.bone_of_joint[joint];
            if (bone >= bones) range.at(joint, [&] { return cat("joint on bone ", bone, " of ", bones); });
        }
    }
    const auto bytes = context.sections.load(SectionType::SkinInverseBinds, index, sizeof(InverseBindRecord),
                                             skin.bone_of_joint.size());
    if (!bytes) return;
    RecordProblem finite(context.list, FindingCode::NonFinite, where + ", skin_inverse_binds");
    for (std::size_t joint = 0; joint < skin.bone_of_joint.size(); ++joint) {
        const auto record = record_at<InverseBindRecord>(*bytes, joint);
        if (!std::ranges::all_of(record.m, [](float v) { return std::isfinite(v); })) {
            finite.at(joint, [] { return "a matrix that is not finite"; });
        }
    }
}

// One vertex of mesh_influences.
struct VertexInfluences {
    std::vector<std::uint32_t> joints;
    std::vector<std::uint32_t> weights;

    void read(std::span<const std::byte> record, std::uint32_t stride, std::uint32_t weight_bits) {
        joints.assign(stride, 0);
        weights.assign(stride, 0);
        const std::size_t weight_size = weight_bits / 8;
        for (std::size_t slot = 0; slot < stride; ++slot) {
            std::memcpy(&joints[slot], record.data() + slot * 2, 2);
            std::memcpy(&weights[slot], record.data() + stride * std::size_t{2} + slot * weight_size,
                        weight_size);
        }
    }
};

class InfluenceCheck {
public:
    InfluenceCheck(FindingList& list, const std::string& where, const manifest::InfluencesT& info,
                   std::uint64_t joints)
        : info_(info),
          joint_limit_(joints),
          full_scale_((std::uint32_t{1} << info.weight_bits) - 1),
          sum_(list, FindingCode::InfluenceWeightSum, where),
          joint_(list, FindingCode::InfluenceJoint, where),
          order_(list, FindingCode::InfluenceOrder, where) {}

    // Returns the vertex's class: the most influences that its kind has.
    std::uint8_t vertex(std::size_t index, const VertexInfluences& v) {
        std::uint64_t sum = 0;
        std::uint32_t used = 0;
        bool ordered = true;
        for (std::size_t slot = 0; slot < v.weights.size(); ++slot) {
            sum += v.weights[slot];
            if (v.weights[slot] > 0) ++used;
            ordered = ordered && (slot == 0 || v.weights[slot] <= v.weights[slot - 1]) &&
                      (v.weights[slot] > 0 || v.joints[slot] == 0);
            if (v.joints[slot] >= joint_limit_ && (v.weights[slot] > 0 || v.joints[slot] > 0)) {
                joint_.at(index, [&] { return cat("joint ", v.joints[slot], " of ", joint_limit_); });
            }
        }
        if (sum != full_scale_)
            sum_.at(index, [&] { return cat("weights sum to ", sum, ", must be ", full_scale_); });
        if (!ordered) {
            order_.at(index, [] {
                return "weights must fall from slot to slot, unused slots be joint 0 with weight 0";
            });
        }
        max_used_ = std::max(max_used_, used);
        ++classes_[class_of(used)];
        static constexpr std::array<std::uint8_t, 4> kMost{0, 1, 4, 8};
        return kMost[class_of(used)];
    }

    [[nodiscard]] bool statistics_match() const {
        return max_used_ == info_.max && classes_[0] == info_.class_0 && classes_[1] == info_.class_1 &&
               classes_[2] == info_.class_4 && classes_[3] == info_.class_8;
    }

private:
    [[nodiscard]] static std::size_t class_of(std::uint32_t used) {
        if (used <= 1) return used;
        return used <= 4 ? 2 : 3;
    }

    const manifest::InfluencesT& info_;
    std::uint64_t joint_limit_;
    std::uint32_t full_scale_;
    RecordProblem sum_;
    RecordProblem joint_;
    RecordProblem order_;
    std::uint32_t max_used_ = 0;
    std::array<std::uint64_t, 4> classes_{};
};

}  // namespace

std::vector<std::uint64_t> joint_limits_of(const manifest::ManifestT& manifest) {
    std::vector<std::uint64_t> limits(manifest.meshes.size(), std::uint64_t{1} << 16U);
    const auto meet = [&](std::size_t mesh, std::int32_t skin) {
        if (mesh < limits.size() && skin >= 0 && static_cast<std::size_t>(skin) < manifest.skins.size()) {
            const std::uint64_t joints = manifest.skins[static_cast<std::size_t>(skin)]->bone_of_joint.size();
            limits[mesh] = std::min(limits[mesh], joints);
        }
    };
    for (std::size_t mesh = 0; mesh < limits.size(); ++mesh) meet(mesh, manifest.meshes[mesh]->skin);
    for (const auto& node : manifest.nodes) {
        if (node->mesh >= 0) meet(static_cast<std::size_t>(node->mesh), node->skin);
    }
    return limits;
}

void verify_skeletons(VerifyContext& context) {
    for (std::size_t i = 0; i < context.manifest.skeletons.size(); ++i) {
        const manifest::SkeletonT& skeleton = *context.manifest.skeletons[i];
        const std::string where = place("skeleton", i, skeleton.name);
        check_bones(context, where, skeleton);
        const auto parent_first = [&](std::size_t b) {
            return skeleton.bones[b]->parent < static_cast<std::int64_t>(b);
        };
        bool ordered = true;
        for (std::size_t b = 0; b < skeleton.bones.size(); ++b) ordered = ordered && parent_first(b);
        if (ordered) check_statistics(context, where, skeleton);
    }
    for (std::size_t i = 0; i < context.manifest.skins.size(); ++i) check_skin(context, i);
}

std::vector<std::uint8_t> verify_influences(VerifyContext& context, std::uint32_t index) {
    const manifest::MeshT& mesh = *context.manifest.meshes[index];
    if (!mesh.influences) return {};
    const manifest::InfluencesT& info = *mesh.influences;
    const std::string where = place("mesh", index, mesh.name);
    constexpr std::uint32_t kMaxStride = 8;
    if (info.stride == 0 || info.stride > kMaxStride || (info.weight_bits != 8 && info.weight_bits != 16)) {
        context.list.add(
            FindingCode::InfluenceStatistics, where,
            cat("stride ", info.stride, " with ", info.weight_bits, "-bit weights; 1 to 8 with 8 or 16"));
        context.sections.mention(SectionType::MeshInfluences, index);
        return {};
    }
    const std::uint32_t size = influence_record_size(info.stride, info.weight_bits);
    const auto bytes = context.sections.load(SectionType::MeshInfluences, index, size, mesh.vertex_count);
    if (!bytes) return {};
    std::vector<std::uint8_t> classes(mesh.vertex_count);
    InfluenceCheck check(context.list, where, info, context.joint_limits[index]);
    VertexInfluences vertex;
    for (std::size_t v = 0; v < mesh.vertex_count; ++v) {
        vertex.read(std::span(*bytes).subspan(v * size, size), info.stride, info.weight_bits);
        classes[v] = check.vertex(v, vertex);
    }
    if (!check.statistics_match()) {
        context.list.add(FindingCode::InfluenceStatistics, where,
                         "the largest number of influences, or how many vertices "
                         "have 0, 1, 2 to 4, 5 to 8 of them, is not what the records hold");
    }
    return classes;
}

void verify_skin_batches(VerifyContext& context, std::uint32_t index, const MeshFacts& facts,
                         std::span<const std::uint8_t> classes) {
    const manifest::MeshT& mesh = *context.manifest.meshes[index];
    if (!facts.pages_known) {
        if (mesh.cluster_dag) context.sections.mention(SectionType::SkinBatches, index);
        return;
    }
    const std::string where = place("mesh", index, mesh.name) + ", skin_batches";
    const bool moves = mesh.influences || !mesh.shapes.empty();
    const std::uint32_t count = mesh.cluster_dag->skin_batch_count;
    const auto bytes = context.sections.load(SectionType::SkinBatches, index, sizeof(SkinBatchRecord), count);
    if (!bytes && count > 0) return;
    RecordProblem problem(context.list, FindingCode::SkinBatch, where);
    std::uint64_t next = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto batch = record_at<SkinBatchRecord>(*bytes, i);
        const std::uint64_t end = std::uint64_t{batch.first_vertex} + batch.vertex_count;
        constexpr std::uint32_t kMostVertices = 128;
        bool sound = batch.first_vertex == next && batch.vertex_count > 0 &&
                     batch.vertex_count <= kMostVertices && end <= mesh.vertex_count;
        const auto inside = std::ranges::upper_bound(facts.batch_breaks, batch.first_vertex);
        sound = sound && (inside == facts.batch_breaks.end() || *inside >= end);
        // Without influences that are known, only their absence can be told.
        for (std::uint64_t v = next; sound && !classes.empty() && v < end; ++v)
            sound = classes[v] == batch.influences;
        if (!mesh.influences && batch.influences != 0) sound = false;
        if (!sound) {
            problem.at(i, [&] {
                return cat("vertices ", batch.first_vertex, " + ", batch.vertex_count, " of ",
                           mesh.vertex_count, ", class ", batch.influences,
                           ": batches follow each other, hold 1 to 128 vertices of one "
                           "page, one error band and one number of influences (0, 1, 4 or 8)");
            });
            return;
        }
        next = end;
    }
    const std::uint64_t needed = moves ? mesh.vertex_count : 0;
    if (next != needed) {
        context.list.add(
            FindingCode::SkinBatch, where,
            cat("hold ", next, " vertices, must hold ", needed, moves ? "" : ": nothing moves the mesh"));
    }
}

}  // namespace sinter
