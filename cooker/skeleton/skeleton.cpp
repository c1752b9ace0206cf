#include "cooker/skeleton/skeleton.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace sinter {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// What a node is to the bones, found in one pass down and one up (parents come first).
struct BoneNodes {
    std::vector<bool> joint;
    std::vector<bool> bone;  // joints and helpers
};

BoneNodes find_bone_nodes(const Scene& scene) {
    const std::size_t count = scene.nodes.size();
    BoneNodes found{std::vector<bool>(count, false), std::vector<bool>(count, false)};
    for (const Skin& skin : scene.skins) {
        for (const std::int32_t joint : skin.joints) found.joint[at(joint)] = true;
    }
    std::vector<bool> joint_above(count, false), joint_below(count, false);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t parent = scene.nodes[i].parent;
        if (parent == kNone) continue;
        assert(at(parent) < i);
        joint_above[i] = found.joint[at(parent)] || joint_above[at(parent)];
    }
    for (std::size_t i = count; i-- > 0;) {
        const std::int32_t parent = scene.nodes[i].parent;
        if (parent != kNone && (found.joint[i] || joint_below[i])) joint_below[at(parent)] = true;
    }
    for (std::size_t i = 0; i < count; ++i)
        found.bone[i] = found.joint[i] || (joint_above[i] && joint_below[i]);
    return found;
}

// Union-find over nodes, the smallest index of a set being its representative.
class NodeSets {
public:
    explicit NodeSets(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }
    std::size_t find(std::size_t node) {
        while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
        return node;
    }
    void join(std::size_t a, std::size_t b) {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::size_t> parent_;
};

NodeSets connect(const Scene& scene, const std::vector<bool>& bone) {
    NodeSets sets(scene.nodes.size());
    for (const Skin& skin : scene.skins) {
        for (const std::int32_t joint : skin.joints) sets.join(at(skin.joints.front()), at(joint));
    }
    // A bone's nearest bone above is its parent node: what lies between two bones is a bone.
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const std::int32_t parent = scene.nodes[i].parent;
        if (bone[i] && parent != kNone && bone[at(parent)]) sets.join(i, at(parent));
    }
    return sets;
}

void finish(Skeleton& skeleton) {
    std::vector<std::uint32_t> depth(skeleton.bones.size(), 0);
    std::vector<bool> has_child(skeleton.bones.size(), false);
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
        const std::int32_t parent = skeleton.bones[b].parent;
        if (parent == kNone) continue;
        depth[b] = depth[at(parent)] + 1;
        has_child[at(parent)] = true;
        skeleton.max_depth = std::max(skeleton.max_depth, depth[b]);
    }
    skeleton.leaf_bones = static_cast<std::uint32_t>(std::ranges::count(has_child, false));
    if (skeleton.name.empty()) skeleton.name = skeleton.bones.front().name;
}

}  // namespace

Result<Skeletons> build_skeletons(const Scene& scene, Issues&) {
    const BoneNodes found = find_bone_nodes(scene);
    NodeSets sets = connect(scene, found.bone);
    constexpr std::size_t kUnset = ~std::size_t{0};
    std::vector<std::size_t> skeleton_of_set(scene.nodes.size(), kUnset);
    Skeletons out;
    for (const Skin& skin : scene.skins) {
        std::size_t& skeleton = skeleton_of_set[sets.find(at(skin.joints.front()))];
        if (skeleton == kUnset) {
            skeleton = out.skeletons.size();
            out.skeletons.emplace_back();
        }
        if (out.skeletons[skeleton].name.empty()) out.skeletons[skeleton].name = skin.name;
        out.skins.push_back({skin.name, static_cast<std::uint32_t>(skeleton), {}, skin.bone_from_mesh});
    }
    std::vector<std::int32_t> bone_of_node(scene.nodes.size(), kNone);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (!found.bone[i]) continue;
        Skeleton& skeleton = out.skeletons[skeleton_of_set[sets.find(i)]];
        const std::int32_t parent = scene.nodes[i].parent;
        bone_of_node[i] = static_cast<std::int32_t>(skeleton.bones.size());
        skeleton.bones.push_back({scene.nodes[i].name, parent == kNone ? kNone : bone_of_node[at(parent)],
                                  static_cast<std::int32_t>(i), !found.joint[i]});
    }
    for (Skeleton& skeleton : out.skeletons) finish(skeleton);
    for (std::size_t s = 0; s < scene.skins.size(); ++s) {
        for (const std::int32_t joint : scene.skins[s].joints) {
            out.skins[s].bone_of_joint.push_back(static_cast<std::uint32_t>(bone_of_node[at(joint)]));
        }
    }
    return out;
}

std::uint32_t joint_bone_count(const Skeleton& skeleton) {
    return static_cast<std::uint32_t>(std::ranges::count(skeleton.bones, false, &Bone::helper));
}

}  // namespace sinter
