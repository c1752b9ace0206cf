// Skeletons of real files against index.json, which counts bones from the file's own JSON.
#include "cooker/animation/pose.hpp"
#include "cooker/skeleton/skeleton.hpp"

#include "tests/support/corpus_scene.hpp"

#include <algorithm>
#include <cmath>

using namespace sinter;

namespace {

Skeletons build(const Scene& scene) {
    Issues issues;
    return build_skeletons(scene, issues).value();
}

}  // namespace

TEST_CASE("bones, leaf bones and depths of every glTF file equal the index") {
    test::skip_without_corpus();
    std::size_t files = 0;
    for (const auto& record : test::corpus_index()) {
        const std::string file = record.at("file");
        if (record.at("class") != "valid" || file.find(".gl") == std::string::npos) continue;
        const auto& facts = record.at("expected");
        Issues issues;
        const Scene scene = test::corpus_scene(file, issues);
        const Skeletons out = build(scene);
        INFO(file);
        std::size_t bones = 0, leaves = 0, depth = 0;
        for (const Skeleton& skeleton : out.skeletons) {
            bones += joint_bone_count(skeleton);
            leaves += skeleton.leaf_bones;
            for (const Bone& bone : skeleton.bones) {
                // The index counts the nodes from the scene's root down to the bone, both included.
                std::size_t nodes = 0;
                for (std::int32_t node = bone.node; node != kNone;
                     node = scene.nodes[static_cast<std::size_t>(node)].parent)
                    ++nodes;
                depth = std::max(depth, nodes);
                CHECK(skeleton.max_depth < nodes + skeleton.max_depth);
            }
        }
        CHECK(bones == facts.at("bones").get<std::size_t>());
        CHECK(leaves == facts.at("leaf_bones").get<std::size_t>());
        CHECK(depth == facts.at("max_bone_depth").get<std::size_t>());
        REQUIRE(out.skins.size() == facts.at("joints_per_skin").size());
        for (std::size_t s = 0; s < out.skins.size(); ++s) {
            CHECK(out.skins[s].bone_of_joint.size() == facts.at("joints_per_skin")[s].get<std::size_t>());
        }
        files += bones > 0 ? 1 : 0;
    }
    CHECK(files == 18);  // glTF files with skins
}

TEST_CASE("four skins over one skeleton share it") {
    test::skip_without_corpus();
    Issues issues;
    const Skeletons out = build(test::corpus_scene("skinned/Adventurer_4skins.glb", issues));
    CHECK(out.skeletons.size() == 1);
    CHECK(out.skins.size() == 4);
}

TEST_CASE("B04: joints with the same names in two skins are four bones in two skeletons") {
    test::skip_without_corpus();
    Issues issues;
    const Scene scene = test::corpus_scene("skinned/synth_dup_joint_names.glb", issues);
    const Skeletons out = build(scene);
    REQUIRE(out.skeletons.size() == 2);
    for (const Skeleton& skeleton : out.skeletons) {
        REQUIRE(skeleton.bones.size() == 2);
        CHECK(skeleton.bones[0].name == "root");
        CHECK(skeleton.bones[1].name == "tip");
    }
    CHECK(issues.count_of(IssueCode::DuplicateNames) == 4);  // two as nodes, the same two as bones
}

TEST_CASE("B10: all 47 joints of George are bones, parent before child, and the rest pose is the file's") {
    test::skip_without_corpus();
    Issues issues;
    const Scene scene = test::corpus_scene("skinned/George_mech.glb", issues);
    const Skeletons out = build(scene);
    REQUIRE(out.skeletons.size() == 1);
    const Skeleton& skeleton = out.skeletons[0];
    REQUIRE(skeleton.bones.size() == 47);
    for (std::size_t b = 0; b < 47; ++b) CHECK(skeleton.bones[b].parent < static_cast<std::int32_t>(b));
    // Composed along the bones, from float matrices, against composed along the file's nodes in double.
    const auto world = world_from_nodes(scene.nodes, nullptr, 0);
    for (const Bone& bone : skeleton.bones) {
        Mat3x4 pose;
        for (std::int32_t node = bone.node; node != kNone;
             node = scene.nodes[static_cast<std::size_t>(node)].parent) {
            const Node& n = scene.nodes[static_cast<std::size_t>(node)];
            pose = (n.local_matrix ? *n.local_matrix : matrix_of(n.local)) * pose;
        }
        for (std::size_t i = 0; i < 12; ++i) {
            CHECK(std::abs(static_cast<double>(pose.m[i]) - world[static_cast<std::size_t>(bone.node)].m[i]) <
                  1e-4);
        }
    }
}
