// Every check of check_scene: what it repairs, with number, place and count, and what it refuses.
#include "cooker/import/check.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace sinter;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

template <typename T>
T named(const char* name) {
    T thing;
    thing.name = name;
    return thing;
}

// A quad of two triangles on a skin of two joints, one shape, one clip that turns the second joint.
Scene good_scene() {
    Scene scene;
    scene.source.name = "hero.glb";
    scene.materials.push_back(named<Material>("skin"));
    Primitive p;
    p.material = 0;
    p.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    p.normals.assign(4, {0, 0, 1});
    p.tangents.assign(4, {1, 0, 0, 1});
    p.uv_sets = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    p.colors.assign(4, {1, 1, 1, 1});
    p.indices = {0, 1, 2, 0, 2, 3};
    p.influence_offsets = {0, 1, 2, 4, 6};
    p.influences = {{0, 1}, {0, 1}, {0, 0.5F}, {1, 0.5F}, {0, 0.25F}, {1, 0.75F}};
    p.shape_frames.push_back(
        {std::vector<Float3>(4, {0, 0, 0.5F}), std::vector<Float3>(4), std::vector<Float3>(4)});
    Mesh mesh;
    mesh.name = "Quad";
    mesh.primitives.push_back(p);
    mesh.shapes.push_back({"open", 0, {1.0F}});
    scene.meshes.push_back(mesh);
    scene.nodes.resize(3);
    scene.nodes[0].name = "root";
    scene.nodes[1].name = "tip";
    scene.nodes[1].parent = 0;
    scene.nodes[2].name = "body";
    scene.nodes[2].mesh = 0;
    scene.nodes[2].skin = 0;
    scene.skins.push_back({"rig", {0, 1}, std::vector<Mat3x4>(2)});
    Clip clip;
    clip.name = "wave";
    Channel channel;
    channel.node = 1;
    channel.path = TrackPath::Rotation;
    channel.components = 4;
    channel.times = {0.5F, 1, 2};
    channel.values = {0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1};
    clip.channels.push_back(channel);
    scene.clips.push_back(clip);
    return scene;
}

Primitive& quad(Scene& scene) { return scene.meshes[0].primitives[0]; }
Channel& turn(Scene& scene) { return scene.clips[0].channels[0]; }

struct Outcome {
    Issues issues;
    Scene scene;
};

// Checks a good scene that `spoil` changed, which must be repaired.
Outcome repaired(const std::function<void(Scene&)>& spoil) {
    Scene scene = good_scene();
    spoil(scene);
    Outcome outcome;
    auto result = check_scene(std::move(scene), outcome.issues);
    INFO((result.ok() ? std::string() : result.error().line()));
    REQUIRE(result.ok());
    outcome.scene = std::move(result).value();
    return outcome;
}

Error refused(const std::function<void(Scene&)>& spoil) {
    Scene scene = good_scene();
    spoil(scene);
    Issues issues;
    auto result = check_scene(std::move(scene), issues);
    REQUIRE_FALSE(result.ok());
    CHECK_FALSE(result.error().remedy.empty());
    return std::move(result).error();
}

void check_refusal(const Error& error, IssueCode code, std::string_view where) {
    CHECK(error.kind == ErrorKind::InvalidInput);
    CHECK(error.code == static_cast<std::uint16_t>(code));
    CHECK(error.where == where);
}

// Exactly one issue with this code, and no other issue at all.
Issue only_issue(const Outcome& outcome, IssueCode code) {
    const std::vector<Issue> issues = outcome.issues.list();
    REQUIRE(issues.size() == 1);
    CHECK(issues.front().code == code);
    return issues.front();
}

void check_issue(const Outcome& outcome, IssueCode code, std::uint64_t count, std::string_view where) {
    const Issue issue = only_issue(outcome, code);
    CHECK(issue.count == count);
    CHECK(issue.where == where);
}

}  // namespace

TEST_CASE("a good scene passes without an issue and without a change") {
    const Scene before = good_scene();
    const Outcome outcome = repaired([](Scene&) {});
    CHECK(outcome.issues.list().empty());
    CHECK(outcome.scene.meshes[0].primitives[0].positions == before.meshes[0].primitives[0].positions);
    CHECK(outcome.scene.meshes[0].primitives[0].influences == before.meshes[0].primitives[0].influences);
    CHECK(outcome.scene.clips[0].channels[0].values == before.clips[0].channels[0].values);
    CHECK(outcome.scene.clips[0].start_s == 0.5);
    CHECK(outcome.scene.clips[0].end_s == 2.0);
}

TEST_CASE("1001: a position that is not finite is refused with mesh, primitive and vertex") {
    for (const float bad : {kNan, kInf, -kInf, 1e38F}) {
        const Error error = refused([&](Scene& s) { quad(s).positions[2].y = bad; });
        check_refusal(error, IssueCode::NonFiniteAttribute, "hero.glb: mesh 0 'Quad', primitive 0, vertex 2");
    }
}

TEST_CASE("1001: blend-shape deltas that are not finite are refused") {
    for (const auto member : {&ShapeDeltas::positions, &ShapeDeltas::normals, &ShapeDeltas::tangents}) {
        const Error error = refused([&](Scene& s) { (quad(s).shape_frames[0].*member)[3].x = kNan; });
        check_refusal(error, IssueCode::NonFiniteAttribute, "hero.glb: mesh 0 'Quad', primitive 0, vertex 3");
        CHECK(error.message.find("'open'") != std::string::npos);
    }
}

TEST_CASE("1001: UVs and colours that are not finite become 0 and white") {
    const Outcome uvs = repaired([](Scene& s) {
        quad(s).uv_sets[0][1].x = kNan;
        quad(s).uv_sets[0][3].y = kInf;
    });
    check_issue(uvs, IssueCode::NonFiniteAttribute, 2, "mesh 0 'Quad', primitive 0, vertex 1");
    CHECK(uvs.scene.meshes[0].primitives[0].uv_sets[0][1] == Float2{0, 0});
    const Outcome colors = repaired([](Scene& s) { quad(s).colors[2].w = kNan; });
    check_issue(colors, IssueCode::NonFiniteAttribute, 1, "mesh 0 'Quad', primitive 0, vertex 2");
    CHECK(colors.scene.meshes[0].primitives[0].colors[2] == Float4{1, 1, 1, 1});
}

TEST_CASE("1001: transforms, bind matrices, factors and weights that are not finite") {
    check_refusal(refused([](Scene& s) { s.nodes[1].local.translation.x = kNan; }),
                  IssueCode::NonFiniteAttribute, "hero.glb: node 1 'tip'");
    check_refusal(refused([](Scene& s) {
                      s.nodes[1].local_matrix = Mat3x4{};
                      s.nodes[1].local_matrix->m[3] = kInf;
                  }),
                  IssueCode::NonFiniteAttribute, "hero.glb: node 1 'tip'");
    check_refusal(refused([](Scene& s) { s.skins[0].bone_from_mesh[1].m[7] = kNan; }),
                  IssueCode::NonFiniteAttribute, "hero.glb: skin 0 'rig', joint 1");
    const Outcome factor = repaired([](Scene& s) { s.materials[0].roughness = kNan; });
    check_issue(factor, IssueCode::NonFiniteAttribute, 1, "material 0 'skin'");
    CHECK(factor.scene.materials[0].roughness == 1);
    const Outcome node = repaired([](Scene& s) { s.nodes[2].shape_weights = {kNan}; });
    check_issue(node, IssueCode::NonFiniteAttribute, 1, "node 2 'body'");
    const Outcome shape = repaired([](Scene& s) { s.meshes[0].shapes[0].default_weight = kInf; });
    check_issue(shape, IssueCode::NonFiniteAttribute, 1, "mesh 0 'Quad', shape 0 'open'");
    CHECK(shape.scene.meshes[0].shapes[0].default_weight == 0);
}

TEST_CASE("1002: indices out of range are refused wherever they stand") {
    check_refusal(refused([](Scene& s) { quad(s).indices[4] = 4; }), IssueCode::IndexOutOfRange,
                  "hero.glb: mesh 0 'Quad', primitive 0, index 4");
    check_refusal(refused([](Scene& s) { quad(s).indices.pop_back(); }), IssueCode::IndexOutOfRange,
                  "hero.glb: mesh 0 'Quad', primitive 0");
    check_refusal(refused([](Scene& s) { quad(s).material = 1; }), IssueCode::IndexOutOfRange,
                  "hero.glb: mesh 0 'Quad', primitive 0");
    check_refusal(refused([](Scene& s) { quad(s).normals.pop_back(); }), IssueCode::IndexOutOfRange,
                  "hero.glb: mesh 0 'Quad', primitive 0");
    check_refusal(refused([](Scene& s) { quad(s).shape_frames.emplace_back(); }), IssueCode::IndexOutOfRange,
                  "hero.glb: mesh 0 'Quad', primitive 0");
    check_refusal(refused([](Scene& s) { quad(s).influence_offsets[2] = 7; }), IssueCode::IndexOutOfRange,
                  "hero.glb: mesh 0 'Quad', primitive 0");
    check_refusal(refused([](Scene& s) { s.nodes[1].parent = 3; }), IssueCode::IndexOutOfRange,
                  "hero.glb: node 1 'tip'");
    check_refusal(refused([](Scene& s) { s.nodes[1].parent = -2; }), IssueCode::IndexOutOfRange,
                  "hero.glb: node 1 'tip'");
    check_refusal(refused([](Scene& s) { s.nodes[2].mesh = 1; }), IssueCode::IndexOutOfRange,
                  "hero.glb: node 2 'body'");
    check_refusal(refused([](Scene& s) { s.nodes[2].skin = 9; }), IssueCode::IndexOutOfRange,
                  "hero.glb: node 2 'body'");
    check_refusal(refused([](Scene& s) { s.skins[0].bone_from_mesh.pop_back(); }), IssueCode::IndexOutOfRange,
                  "hero.glb: skin 0 'rig'");
    check_refusal(refused([](Scene& s) { turn(s).node = 3; }), IssueCode::IndexOutOfRange,
                  "hero.glb: clip 0 'wave', channel 0 (no node, rotation)");
    check_refusal(refused([](Scene& s) { turn(s).values.pop_back(); }), IssueCode::IndexOutOfRange,
                  "hero.glb: clip 0 'wave', channel 0 (node 1 'tip', rotation)");
    check_refusal(refused([](Scene& s) {
                      turn(s).components = 3;
                      turn(s).values.resize(9);
                  }),
                  IssueCode::IndexOutOfRange, "hero.glb: clip 0 'wave', channel 0 (node 1 'tip', rotation)");
}

TEST_CASE("1005, 1012: meshes without triangles are kept, and a file without any is told") {
    const Outcome one = repaired([](Scene& s) {
        s.meshes.push_back(named<Mesh>("Hull"));
        s.nodes[0].mesh = 1;
    });
    check_issue(one, IssueCode::EmptyMesh, 1, "mesh 1 'Hull'");
    CHECK(one.scene.meshes.size() == 2);
    const Outcome none = repaired([](Scene& s) { quad(s).indices.clear(); });
    CHECK(none.issues.count_of(IssueCode::EmptyMesh) == 1);
    CHECK(none.issues.count_of(IssueCode::NoTriangles) == 1);
    CHECK(none.issues.has_warnings());
}

TEST_CASE("1007, 1008: doubled and missing names are kept and counted for each kind") {
    const Outcome outcome = repaired([](Scene& s) {
        s.nodes[1].name = "root";
        s.nodes[2].name = "";
        s.meshes[0].name = "";
        s.clips.push_back(s.clips[0]);
        s.materials.push_back(named<Material>("skin"));
        s.materials.push_back(named<Material>("skin"));
    });
    std::vector<std::tuple<IssueCode, std::string, std::uint64_t>> seen;
    for (const Issue& issue : outcome.issues.list()) {
        CHECK(issue.severity == Severity::Info);
        seen.emplace_back(issue.code, issue.where, issue.count);
    }
    using Code = IssueCode;
    CHECK(seen == std::vector<std::tuple<IssueCode, std::string, std::uint64_t>>{
                      {Code::MissingNames, "node 2", 1},
                      {Code::DuplicateNames, "node 1 'root'", 1},
                      {Code::MissingNames, "mesh 0", 1},
                      {Code::DuplicateNames, "material 1 'skin'", 2},
                      {Code::DuplicateNames, "clip 1 'wave'", 1},
                      {Code::DuplicateNames, "bone 1 'root'", 1}});
    CHECK(outcome.scene.nodes[1].name == "root");
}

TEST_CASE("1009: meshes that no node draws are kept with a warning") {
    const Outcome outcome = repaired([](Scene& s) {
        s.meshes.push_back(s.meshes[0]);
        s.meshes[1].name = "Spare";
    });
    check_issue(outcome, IssueCode::UninstancedMesh, 1, "mesh 1 'Spare'");
    CHECK(outcome.issues.has_warnings());
    CHECK(outcome.scene.meshes[1].primitives[0].influences.size() == 6);
}

TEST_CASE("1010: a node that is its own ancestor is refused") {
    check_refusal(refused([](Scene& s) { s.nodes[0].parent = 1; }), IssueCode::NodeCycle,
                  "hero.glb: node 0 'root'");
    check_refusal(refused([](Scene& s) { s.nodes[2].parent = 2; }), IssueCode::NodeCycle,
                  "hero.glb: node 2 'body'");
}

TEST_CASE("nodes come back parents first and every index follows them") {
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        // A random forest in random order, every node named after its parent.
        Scene scene;
        const std::size_t count = 1 + random() % 40;
        std::vector<std::size_t> order(count);
        for (std::size_t i = 0; i < count; ++i) order[i] = i;
        std::ranges::shuffle(order, random);
        scene.nodes.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const bool root = i == 0 || random() % 5 == 0;
            const std::size_t parent = root ? 0 : random() % i;
            scene.nodes[order[i]].name =
                std::to_string(order[i]) + (root ? "" : "<" + std::to_string(order[parent]));
            if (!root) scene.nodes[order[i]].parent = static_cast<std::int32_t>(order[parent]);
        }
        const Scene before = scene;
        scene.skins.push_back({"", {static_cast<std::int32_t>(count - 1), 0}, {}});
        Channel channel{static_cast<std::int32_t>(count / 2),
                        TrackPath::Translation,
                        Interpolation::Linear,
                        3,
                        {0},
                        {1, 2, 3}};
        scene.clips.push_back({.name = "c", .channels = {channel}});
        Issues issues;
        const Scene after = check_scene(std::move(scene), issues).value();
        REQUIRE(after.nodes.size() == count);
        for (std::size_t i = 0; i < count; ++i) {
            const Node& node = after.nodes[i];
            const std::string number = node.name.substr(0, node.name.find('<'));
            const Node& source = before.nodes[static_cast<std::size_t>(std::stoi(number))];
            CHECK(node.parent < static_cast<std::int32_t>(i));
            CHECK((node.parent == kNone) == (source.parent == kNone));
            if (node.parent != kNone) {
                CHECK(after.nodes[static_cast<std::size_t>(node.parent)].name ==
                      before.nodes[static_cast<std::size_t>(source.parent)].name);
            }
        }
        CHECK(after.nodes[static_cast<std::size_t>(after.skins[0].joints[0])].name ==
              before.nodes[count - 1].name);
        CHECK(after.nodes[static_cast<std::size_t>(after.skins[0].joints[1])].name == before.nodes[0].name);
        CHECK(after.nodes[static_cast<std::size_t>(after.clips[0].channels[0].node)].name ==
              before.nodes[count / 2].name);
        // Checked once more, nothing moves.
        Issues again;
        const Scene twice = check_scene(after, again).value();
        for (std::size_t i = 0; i < count; ++i) CHECK(twice.nodes[i].name == after.nodes[i].name);
    }
}

TEST_CASE("normals that are not finite become zero, which mesh preparation makes anew and counts") {
    for (const Float3 bad : {Float3{kNan, 0, 1}, Float3{0, 0, 0}, Float3{0, kInf, 0}}) {
        const Outcome outcome = repaired([&](Scene& s) { quad(s).normals[1] = bad; });
        CHECK(outcome.scene.meshes[0].primitives[0].normals[1] == Float3{0, 0, 0});
        CHECK(outcome.scene.meshes[0].primitives[0].normals[2] == Float3{0, 0, 1});
        CHECK(outcome.issues.count_of(IssueCode::InvalidNormals) == 0);
    }
}

TEST_CASE("1016: a primitive with a tangent that points nowhere loses its tangents, a bad sign is repaired") {
    const Outcome outcome = repaired([](Scene& s) { quad(s).tangents[3] = {0, 0, 0, 1}; });
    check_issue(outcome, IssueCode::InvalidTangents, 1, "mesh 0 'Quad', primitive 0, vertex 3");
    CHECK(outcome.scene.meshes[0].primitives[0].tangents.empty());
    const Outcome sign = repaired([](Scene& s) {
        quad(s).tangents[0].w = -0.5F;
        quad(s).tangents[1].w = -127.0F / 128.0F;
    });
    check_issue(sign, IssueCode::InvalidTangents, 1, "mesh 0 'Quad', primitive 0, vertex 0");
    CHECK(sign.scene.meshes[0].primitives[0].tangents[0].w == -1);
    CHECK(sign.scene.meshes[0].primitives[0].tangents[1].w == -1);
}

TEST_CASE("1017: influences that no skin uses and skins without a mesh are left out") {
    const Outcome unused = repaired([](Scene& s) { s.nodes[2].skin = kNone; });
    check_issue(unused, IssueCode::IgnoredContent, 1, "mesh 0 'Quad'");
    CHECK(unused.scene.meshes[0].primitives[0].influence_offsets.empty());
    const Outcome skin = repaired([](Scene& s) { s.nodes[0].skin = 0; });
    check_issue(skin, IssueCode::IgnoredContent, 1, "node 0 'root'");
    CHECK(skin.scene.nodes[0].skin == kNone);
}

TEST_CASE("1018: another number of blend-shape weights than shapes is cut or filled") {
    const Outcome more = repaired([](Scene& s) { s.nodes[2].shape_weights = {0.5F, 1}; });
    check_issue(more, IssueCode::RepairedSource, 1, "node 2 'body'");
    CHECK(more.scene.nodes[2].shape_weights == std::vector<float>{0.5F});
}

TEST_CASE("2001: a joint out of range is refused with its vertex") {
    const Error error = refused([](Scene& s) { quad(s).influences[3].joint = 200; });
    check_refusal(error, IssueCode::JointOutOfRange, "hero.glb: mesh 0 'Quad', primitive 0, vertex 2");
    CHECK(error.message.find("200") != std::string::npos);
    check_refusal(refused([](Scene& s) { s.skins[0].joints[1] = 3; }), IssueCode::JointOutOfRange,
                  "hero.glb: skin 0 'rig', joint 1");
    check_refusal(refused([](Scene& s) { s.skins[0] = {"rig", {}, {}}; }), IssueCode::JointOutOfRange,
                  "hero.glb: skin 0 'rig'");
    // A mesh that two skins draw must fit both.
    check_refusal(refused([](Scene& s) {
                      s.skins.push_back({"small", {0}, {}});
                      s.nodes[0].mesh = 0;
                      s.nodes[0].skin = 1;
                  }),
                  IssueCode::JointOutOfRange, "hero.glb: mesh 0 'Quad', primitive 0, vertex 2");
}

TEST_CASE("2001: more joints than 16 bits hold meet the limit") {
    Scene scene = good_scene();
    scene.skins[0].joints.assign(kMaxJoints + 1, 0);
    scene.skins[0].bone_from_mesh.clear();
    Issues issues;
    const auto result = check_scene(std::move(scene), issues);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::Limit);
}

TEST_CASE("2002: negative weights become 0") {
    const Outcome outcome = repaired([](Scene& s) {
        quad(s).influences[2].weight = -0.5F;
        quad(s).influences[3].weight = 1;
    });
    check_issue(outcome, IssueCode::NegativeWeights, 1, "mesh 0 'Quad', primitive 0, vertex 2");
    CHECK(outcome.scene.meshes[0].primitives[0].influence_offsets ==
          std::vector<std::uint32_t>{0, 1, 2, 3, 5});
    CHECK(outcome.scene.meshes[0].primitives[0].influences[2] == Influence{1, 1});
}

TEST_CASE("2003: weights that are not finite become 0, the others of the vertex share its motion") {
    for (const float bad : {kNan, kInf, -kInf}) {
        const Outcome outcome = repaired([&](Scene& s) { quad(s).influences[4].weight = bad; });
        CHECK(outcome.issues.count_of(IssueCode::NonFiniteWeights) == 1);
        CHECK(outcome.issues.list().front().where == "mesh 0 'Quad', primitive 0, vertex 3");
        CHECK(outcome.issues.count_of(IssueCode::WeightSum) == 0);
        CHECK(outcome.scene.meshes[0].primitives[0].influences.back() == Influence{1, 1});
    }
}

TEST_CASE("2004: weights that do not sum to 1 are divided by their sum, rounding is not told") {
    const Outcome outcome = repaired([](Scene& s) {
        quad(s).influences[0].weight = 0.25F;
        quad(s).influences[2].weight = 3;
        quad(s).influences[3].weight = 1;
        quad(s).influences[4].weight = 64.0F / 255;  // 64 + 190 = 254 of 255: rounded bytes
        quad(s).influences[5].weight = 190.0F / 255;
    });
    check_issue(outcome, IssueCode::WeightSum, 2, "mesh 0 'Quad', primitive 0, vertex 0");
    const auto& influences = outcome.scene.meshes[0].primitives[0].influences;
    CHECK(influences[0].weight == 1);
    CHECK(influences[2].weight == 0.75F);
    CHECK(influences[3].weight == 0.25F);
    CHECK(influences[4].weight + influences[5].weight ==
          Catch::Approx(1).margin(1e-7));  // two floats, rounded
}

TEST_CASE("corners of one control point are counted as one vertex, over all primitives of the mesh") {
    const Outcome outcome = repaired([](Scene& s) {
        quad(s).influences = {{0, 0.5F}, {0, 0.5F}, {0, 1}, {1, 1}, {0, 1}, {1, 1}};
        quad(s).source_vertex = {7, 7, 8, 9};
        s.meshes[0].primitives.push_back(quad(s));
    });
    CHECK(outcome.issues.count_of(IssueCode::WeightSum) == 3);
    check_refusal(refused([](Scene& s) { quad(s).source_vertex = {0, 1}; }), IssueCode::IndexOutOfRange,
                  "hero.glb: mesh 0 'Quad', primitive 0");
}

TEST_CASE("2005: a joint named twice by a vertex is named once, its weights added") {
    const Outcome outcome = repaired([](Scene& s) { quad(s).influences[5].joint = 0; });
    check_issue(outcome, IssueCode::DuplicateInfluences, 1, "mesh 0 'Quad', primitive 0, vertex 3");
    CHECK(outcome.scene.meshes[0].primitives[0].influences.back() == Influence{0, 1});
    CHECK(outcome.scene.meshes[0].primitives[0].influences.size() == 5);
}

TEST_CASE("2005: padding with weight 0 is no repetition") {
    const Outcome outcome = repaired([](Scene& s) {
        quad(s).influence_offsets = {0, 4, 5, 7, 9};
        quad(s).influences = {{0, 1},    {0, 0},    {0, 0},     {0, 0},    {0, 1},
                              {0, 0.5F}, {1, 0.5F}, {0, 0.25F}, {1, 0.75F}};
    });
    CHECK(outcome.issues.list().empty());
    CHECK(outcome.scene.meshes[0].primitives[0].influences.size() == 6);
}

TEST_CASE("2007: vertices without weight follow the root joint, or the joint that they name") {
    const Outcome zero = repaired([](Scene& s) {
        s.skins[0].joints = {1, 0};  // the root joint is the second one
        quad(s).influences[0] = {0, 0};
    });
    check_issue(zero, IssueCode::UnweightedVertices, 1, "mesh 0 'Quad', primitive 0, vertex 0");
    CHECK(zero.scene.meshes[0].primitives[0].influences[0] == Influence{1, 1});
    const Outcome nan = repaired([](Scene& s) { quad(s).influences[1] = {1, kNan}; });
    CHECK(nan.issues.count_of(IssueCode::UnweightedVertices) == 1);
    CHECK(nan.issues.count_of(IssueCode::NonFiniteWeights) == 1);
    CHECK(nan.scene.meshes[0].primitives[0].influences[1] == Influence{1, 1});
    const Outcome bare = repaired([](Scene& s) {
        quad(s).influence_offsets.clear();
        quad(s).influences.clear();
    });
    check_issue(bare, IssueCode::UnweightedVertices, 4, "mesh 0 'Quad', primitive 0, vertex 0");
}

TEST_CASE("2008: inverse bind matrices that flatten are told, whatever their unit") {
    const Outcome outcome = repaired([](Scene& s) {
        for (int i = 0; i < 3; ++i)
            s.skins[0].bone_from_mesh[0].at(i, i) = 1e-6F;  // micrometres: not singular
        s.skins[0].bone_from_mesh[1] = {};
        s.skins[0].bone_from_mesh[1].at(2, 2) = 0;
    });
    check_issue(outcome, IssueCode::SingularBindMatrix, 1, "skin 0 'rig', joint 1");
}

TEST_CASE("missing inverse bind matrices are the identity") {
    const Outcome outcome = repaired([](Scene& s) { s.skins[0].bone_from_mesh.clear(); });
    CHECK(outcome.scene.skins[0].bone_from_mesh == std::vector<Mat3x4>(2));
}

TEST_CASE("5001: unsorted keys are sorted with their values, CubicSpline keys as a whole") {
    const Outcome outcome = repaired([](Scene& s) {
        turn(s).times = {0.5F, 2, 1};
        turn(s).values = {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0};
    });
    check_issue(outcome, IssueCode::UnsortedKeys, 1, "clip 0 'wave', channel 0 (node 1 'tip', rotation)");
    CHECK(outcome.scene.clips[0].channels[0].times == std::vector<float>{0.5F, 1, 2});
    CHECK(outcome.scene.clips[0].channels[0].values ==
          std::vector<float>{0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0});
    const Outcome cubic = repaired([](Scene& s) {
        turn(s) = {0, TrackPath::Weights, Interpolation::CubicSpline, 1, {2, 1}, {1, 2, 3, 4, 5, 6}};
        turn(s).node = 2;
    });
    CHECK(cubic.scene.clips[0].channels[0].values == std::vector<float>{4, 5, 6, 1, 2, 3});
}

TEST_CASE("5002: of keys at one time the last one stays") {
    const Outcome outcome = repaired([](Scene& s) { turn(s).times = {1, 1, 2}; });
    check_issue(outcome, IssueCode::DuplicateKeys, 1, "clip 0 'wave', channel 0 (node 1 'tip', rotation)");
    CHECK(outcome.scene.clips[0].channels[0].times == std::vector<float>{1, 2});
    CHECK(outcome.scene.clips[0].channels[0].values == std::vector<float>{0, 0, 1, 0, 0, 0, 0, 1});
    CHECK(outcome.scene.clips[0].start_s == 1.0);
}

TEST_CASE("5003: rotations of length 0 take the identity in nodes and their neighbour in keys") {
    const Outcome node = repaired([](Scene& s) { s.nodes[1].local.rotation = {0, 0, 0, 0}; });
    check_issue(node, IssueCode::ZeroLengthRotation, 1, "node 1 'tip'");
    CHECK(node.scene.nodes[1].local.rotation == Quat{0, 0, 0, 1});
    const Outcome keys = repaired([](Scene& s) { turn(s).values = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}; });
    check_issue(keys, IssueCode::ZeroLengthRotation, 2, "clip 0 'wave', channel 0 (node 1 'tip', rotation)");
    CHECK(keys.scene.clips[0].channels[0].values == std::vector<float>{0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0});
    const Outcome all = repaired([](Scene& s) { turn(s).values.assign(12, 0); });
    CHECK(all.scene.clips[0].channels[0].values == std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
}

TEST_CASE("5004: keys that are not finite are refused with clip, channel and key") {
    const Error value = refused([](Scene& s) { turn(s).values[6] = kNan; });
    check_refusal(value, IssueCode::NonFiniteKeys,
                  "hero.glb: clip 0 'wave', channel 0 (node 1 'tip', rotation), key 1");
    check_refusal(refused([](Scene& s) { turn(s).times[2] = kInf; }), IssueCode::NonFiniteKeys,
                  "hero.glb: clip 0 'wave', channel 0 (node 1 'tip', rotation), key 2");
}

TEST_CASE("5005, 5006: channels that move nothing are left out, a clip without channels stays") {
    const Outcome target = repaired([](Scene& s) {
        s.clips[0].channels.push_back(turn(s));
        s.clips[0].channels[1].node = kNone;
    });
    check_issue(target, IssueCode::UnboundChannel, 1, "clip 0 'wave', channel 1 (no node, rotation)");
    CHECK(target.scene.clips[0].channels.size() == 1);
    const Outcome shapes =
        repaired([](Scene& s) { turn(s) = {1, TrackPath::Weights, Interpolation::Linear, 1, {0}, {1}}; });
    CHECK(shapes.issues.count_of(IssueCode::UnboundChannel) == 1);
    CHECK(shapes.issues.count_of(IssueCode::EmptyClip) == 1);
    const Outcome empty = repaired([](Scene& s) { s.clips[0].channels.clear(); });
    check_issue(empty, IssueCode::EmptyClip, 1, "clip 0 'wave'");
    CHECK(empty.scene.clips.size() == 1);
}

TEST_CASE("5008: of two channels for one property the first stays") {
    const Outcome outcome = repaired([](Scene& s) {
        s.clips[0].channels.push_back(turn(s));
        s.clips[0].channels[1].times = {5, 6, 7};
    });
    check_issue(outcome, IssueCode::DuplicateChannels, 1,
                "clip 0 'wave', channel 1 (node 1 'tip', rotation)");
    CHECK(outcome.scene.clips[0].end_s == 2.0);
}

TEST_CASE("a checked scene passes again unchanged") {
    std::mt19937 random(13);
    std::uniform_real_distribution<float> value(-2, 2);
    for (int round = 0; round < 200; ++round) {
        Scene scene = good_scene();
        for (Influence& influence : quad(scene).influences) influence.weight = std::abs(value(random));
        for (float& component : turn(scene).values) component = value(random);
        scene.nodes[0].local.rotation = {value(random), value(random), value(random), value(random)};
        Issues first, second;
        const Scene once = check_scene(scene, first).value();
        const Scene twice = check_scene(once, second).value();
        CHECK(second.list().empty());
        CHECK(twice.nodes[0].local.rotation == once.nodes[0].local.rotation);
        CHECK(twice.meshes[0].primitives[0].influences == once.meshes[0].primitives[0].influences);
        CHECK(twice.clips[0].channels[0].values == once.clips[0].channels[0].values);
    }
}

TEST_CASE("5009: rotations come back with unit length, and lengths off by more than a hundredth are told") {
    const Outcome told = repaired([](Scene& s) {
        s.nodes[0].local.rotation = {0, 0, 0, 1.005F};
        s.nodes[1].local.rotation = {0, 0, 3e38F, 3e38F};
    });
    check_issue(told, IssueCode::UnnormalizedRotations, 1, "node 1 'tip'");
    CHECK(told.scene.nodes[0].local.rotation == Quat{0, 0, 0, 1});
    CHECK(told.scene.nodes[1].local.rotation.w ==
          Catch::Approx(std::sqrt(0.5)).margin(1e-7));  // float rounding
    const Outcome keys = repaired([](Scene& s) { turn(s).values[6] = 2; });
    check_issue(keys, IssueCode::UnnormalizedRotations, 1,
                "clip 0 'wave', channel 0 (node 1 'tip', rotation)");
    CHECK(keys.scene.clips[0].channels[0].values[6] == 1);
}
