#include "cooker/skeleton/skeleton.hpp"

#include <catch2/catch_test_macros.hpp>

#include <random>
#include <set>

using namespace sinter;

namespace {

// Nodes by their parents; names are their indices.
Scene forest(const std::vector<std::int32_t>& parents) {
    Scene scene;
    for (const std::int32_t parent : parents) {
        Node node;
        node.name = std::to_string(scene.nodes.size());
        node.parent = parent;
        scene.nodes.push_back(node);
    }
    return scene;
}

Skeletons build(const Scene& scene) {
    Issues issues;
    return build_skeletons(scene, issues).value();
}

Skin skin_of(std::string name, std::vector<std::int32_t> joints) {
    Skin skin{std::move(name), std::move(joints), {}};
    skin.bone_from_mesh.resize(skin.joints.size());
    return skin;
}

std::vector<std::int32_t> nodes_of(const Skeleton& skeleton) {
    std::vector<std::int32_t> nodes;
    for (const Bone& bone : skeleton.bones) nodes.push_back(bone.node);
    return nodes;
}

bool is_ancestor(const Scene& scene, std::int32_t above, std::int32_t node) {
    for (node = scene.nodes[static_cast<std::size_t>(node)].parent; node != kNone;
         node = scene.nodes[static_cast<std::size_t>(node)].parent) {
        if (node == above) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("a node between joints is a bone that helps, nodes above and below are none") {
    // 0 scene root > 1 joint > 2 between > 3 joint > 4 below; 2 > 5 beside
    Scene scene = forest({-1, 0, 1, 2, 3, 2});
    scene.skins.push_back(skin_of("rig", {3, 1}));
    const Skeletons out = build(scene);
    REQUIRE(out.skeletons.size() == 1);
    const Skeleton& skeleton = out.skeletons[0];
    CHECK(nodes_of(skeleton) == std::vector<std::int32_t>{1, 2, 3});
    CHECK(skeleton.bones[0].parent == kNone);
    CHECK(skeleton.bones[1].parent == 0);
    CHECK(skeleton.bones[2].parent == 1);
    CHECK_FALSE(skeleton.bones[0].helper);
    CHECK(skeleton.bones[1].helper);
    CHECK(joint_bone_count(skeleton) == 2);
    CHECK(skeleton.leaf_bones == 1);
    CHECK(skeleton.max_depth == 2);
    CHECK(out.skins[0].bone_of_joint == std::vector<std::uint32_t>{2, 0});  // the file's order of joints
    CHECK(skeleton.name == "rig");
}

TEST_CASE("skins that share a joint, or whose joints lie above one another, share a skeleton") {
    // Two trees: 0 > 1 > 2 and 3 > 4 > 5, and 6 alone.
    Scene scene = forest({-1, 0, 1, -1, 3, 4, -1});
    scene.skins = {skin_of("a", {0, 1}), skin_of("b", {1, 2}), skin_of("c", {3}), skin_of("", {5}),
                   skin_of("e", {6})};
    const Skeletons out = build(scene);
    REQUIRE(out.skeletons.size() == 3);
    CHECK(nodes_of(out.skeletons[0]) == std::vector<std::int32_t>{0, 1, 2});
    CHECK(nodes_of(out.skeletons[1]) == std::vector<std::int32_t>{3, 4, 5});
    CHECK(out.skeletons[1].bones[1].helper);  // 4 lies between a joint of one skin and one of another
    CHECK(out.skins[1].skeleton == 0);
    CHECK(out.skins[3].skeleton == 1);
    CHECK(out.skins[4].skeleton == 2);
    CHECK(out.skins[1].bone_of_joint == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("one skin over separate trees has one skeleton with several roots") {
    Scene scene = forest({-1, 0, -1, 2});
    scene.skins.push_back(skin_of("", {3, 1}));
    const Skeletons out = build(scene);
    REQUIRE(out.skeletons.size() == 1);
    CHECK(nodes_of(out.skeletons[0]) == std::vector<std::int32_t>{1, 3});
    CHECK(out.skeletons[0].bones[1].parent == kNone);
    CHECK(out.skeletons[0].leaf_bones == 2);
    CHECK(out.skeletons[0].max_depth == 0);
    CHECK(out.skeletons[0].name == "1");  // no skin has a name: the first bone's
}

TEST_CASE("equal names stay apart") {
    Scene scene = forest({-1, 0, -1, 2});
    for (Node& node : scene.nodes) node.name = "tip";
    scene.skins = {skin_of("", {0, 1}), skin_of("", {2, 3})};
    const Skeletons out = build(scene);
    REQUIRE(out.skeletons.size() == 2);
    CHECK(out.skeletons[0].bones.size() + out.skeletons[1].bones.size() == 4);
}

TEST_CASE("a scene without skins has no skeletons") {
    const Skeletons out = build(forest({-1, 0}));
    CHECK(out.skeletons.empty());
    CHECK(out.skins.empty());
}

TEST_CASE("over random forests bones are what the definition says") {
    std::mt19937 random(21);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::int32_t> parents;
        const std::size_t count = 1 + random() % 30;
        for (std::size_t i = 0; i < count; ++i) {
            parents.push_back(i == 0 || random() % 6 == 0 ? kNone : static_cast<std::int32_t>(random() % i));
        }
        Scene scene = forest(parents);
        std::set<std::int32_t> joints;
        for (std::size_t s = 0; s < 1 + random() % 4; ++s) {
            Skin skin = skin_of("", {});
            for (std::size_t j = 0; j < 1 + random() % 4; ++j)
                skin.joints.push_back(static_cast<std::int32_t>(random() % count));
            skin.bone_from_mesh.resize(skin.joints.size());
            joints.insert(skin.joints.begin(), skin.joints.end());
            scene.skins.push_back(skin);
        }
        const Skeletons out = build(scene);
        std::set<std::int32_t> bones;
        for (const Skeleton& skeleton : out.skeletons) {
            std::uint32_t leaves = 0;
            for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
                const Bone& bone = skeleton.bones[b];
                CHECK(bones.insert(bone.node).second);  // each node in one skeleton only
                CHECK(bone.helper == !joints.contains(bone.node));
                CHECK(bone.parent < static_cast<std::int32_t>(b));
                // The parent is the nearest node above that is a bone.
                if (bone.parent != kNone) {
                    CHECK(skeleton.bones[static_cast<std::size_t>(bone.parent)].node ==
                          scene.nodes[static_cast<std::size_t>(bone.node)].parent);
                }
                bool leaf = true;
                for (const Bone& other : skeleton.bones)
                    leaf = leaf && other.parent != static_cast<std::int32_t>(b);
                leaves += leaf ? 1 : 0;
            }
            CHECK(leaves == skeleton.leaf_bones);
        }
        for (std::int32_t node = 0; node < static_cast<std::int32_t>(count); ++node) {
            bool above = false, below = false;
            for (const std::int32_t joint : joints) {
                above = above || is_ancestor(scene, joint, node);
                below = below || is_ancestor(scene, node, joint);
            }
            CHECK(bones.contains(node) == (joints.contains(node) || (above && below)));
        }
        for (std::size_t s = 0; s < scene.skins.size(); ++s) {
            const Skeleton& skeleton = out.skeletons[out.skins[s].skeleton];
            REQUIRE(out.skins[s].bone_of_joint.size() == scene.skins[s].joints.size());
            for (std::size_t j = 0; j < scene.skins[s].joints.size(); ++j) {
                CHECK(skeleton.bones[out.skins[s].bone_of_joint[j]].node == scene.skins[s].joints[j]);
            }
        }
    }
}
