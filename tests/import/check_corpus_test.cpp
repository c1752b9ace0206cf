// Checks on real files: repairs are counted as index.json counts them, and broken files are refused or
// repaired.
#include "tests/support/corpus_scene.hpp"

#include <algorithm>
#include <cmath>

using namespace sinter;

namespace {

Issues issues_of(const std::string& file, Scene& scene) {
    Issues issues;
    scene = test::corpus_scene(file, issues);
    return issues;
}

std::size_t skinned_vertices(const Scene& scene) {
    std::size_t count = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives)
            count += p.influence_offsets.empty() ? 0 : p.vertex_count();
    }
    return count;
}

void check_sums(const Scene& scene) {
    double worst = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) {
            for (std::size_t v = 0; v + 1 < p.influence_offsets.size(); ++v) {
                double sum = 0;
                for (auto i = p.influence_offsets[v]; i < p.influence_offsets[v + 1]; ++i) {
                    sum += static_cast<double>(p.influences[i].weight);
                }
                worst = std::max(worst, std::abs(sum - 1));
            }
        }
    }
    CHECK(worst < 1e-6);  // up to 14 floats rounded to 2^-24 of 1 each: 14 * 6e-8
}

}  // namespace

TEST_CASE("B07: weight sums off are repaired and counted as the index counts them") {
    test::skip_without_corpus();
    for (const std::string file :
         {"skinned/RobotExpressive.glb", "skinned/CesiumMan.glb", "skinned/Knight.glb", "skinned/Fox.glb",
          "skinned/George_mech.glb", "skinned/synth_centipede_8inf.glb", "dae/library_animation_clips.dae",
          "dae/CesiumMan.dae", "fbx/Stegosaurus_blender279.fbx", "fbx/blender293_barbarian.fbx"}) {
        Scene scene;
        const Issues issues = issues_of(file, scene);
        INFO(file);
        CHECK(issues.count_of(IssueCode::WeightSum) ==
              test::corpus_facts(file).at("weight_sum_off").get<std::uint64_t>());
        CHECK(skinned_vertices(scene) > 0);
        check_sums(scene);
        const auto warnings = std::ranges::count(issues.list(), IssueCode::WeightSum, &Issue::code);
        CHECK(warnings <= static_cast<std::ptrdiff_t>(scene.meshes.size()));  // one a mesh, not one a vertex
    }
}

TEST_CASE("the published asset with NaN weights on 1,860 vertices is repaired with a count") {
    test::skip_without_corpus();
    Scene scene;
    const Issues issues = issues_of("skinned/Adventurer_4skins.glb", scene);
    CHECK(issues.count_of(IssueCode::NonFiniteWeights) == 1860);
    CHECK(issues.count_of(IssueCode::DuplicateInfluences) == 1860);
    CHECK(issues.count_of(IssueCode::UnweightedVertices) == 1860);
    CHECK(issues.count_of(IssueCode::WeightSum) == 0);
    check_sums(scene);
    for (const Influence& i : scene.meshes[1].primitives[0].influences) {
        CHECK(i == Influence{0, 1});  // the file names joint 0, and only it
    }
}

TEST_CASE("B48: broken files are refused with file and place, or repaired where the index allows it") {
    test::skip_without_corpus();
    const auto refused = [](const std::string& file, IssueCode code, const std::string& where) {
        Issues issues;
        const auto result = test::import_corpus(file, issues);
        INFO(file);
        REQUIRE_FALSE(result.ok());
        INFO(result.error().line());
        CHECK(result.error().kind == ErrorKind::InvalidInput);
        CHECK(result.error().code == static_cast<std::uint16_t>(code));
        CHECK(result.error().where == where);
    };
    refused("broken/joint_index_out_of_range.glb", IssueCode::JointOutOfRange,
            "joint_index_out_of_range.glb: mesh 0 'Quad', primitive 0, vertex 3");
    refused("broken/nan_inf_positions.glb", IssueCode::NonFiniteAttribute,
            "nan_inf_positions.glb: mesh 0 'Quad', primitive 0, vertex 3");
    refused("broken/nan_rotation_key.glb", IssueCode::NonFiniteKeys,
            "nan_rotation_key.glb: clip 0 'A', channel 0 (node 1 't', rotation), key 1");
    Scene scene;
    const Issues issues = issues_of("broken/zero_weight_vertex.glb", scene);
    CHECK(issues.count_of(IssueCode::UnweightedVertices) == 1);
    CHECK(issues.has_warnings());
    check_sums(scene);
}

TEST_CASE("every valid file passes the checks, nodes parents first") {
    test::skip_without_corpus();
    for (const auto& record : test::corpus_index()) {
        const std::string file = record.at("file");
        if (record.at("class") != "valid" || file.find(".gl") == std::string::npos) continue;
        Scene scene;
        const Issues issues = issues_of(file, scene);
        INFO(file);
        CHECK(scene.nodes.size() == record.at("expected").at("nodes").get<std::size_t>());
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            CHECK(scene.nodes[i].parent < static_cast<std::int32_t>(i));
        }
        // Nothing but what the index warns of may be refused or taken for broken geometry.
        for (const IssueCode code :
             {IssueCode::InvalidNormals, IssueCode::NonFiniteAttribute, IssueCode::UnsortedKeys,
              IssueCode::DuplicateKeys, IssueCode::ZeroLengthRotation, IssueCode::UnboundChannel,
              IssueCode::DuplicateChannels, IssueCode::NegativeWeights}) {
            CHECK(issues.count_of(code) == 0);
        }
    }
}
