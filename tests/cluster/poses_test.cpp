#include "cooker/cluster/poses.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

using namespace sinter;

namespace {

// An arm along +X from 0 to 2 with its elbow at 1: node 0 draws it, nodes 1 and 2 are its bones. The forearm's weight
// rises from 0 at x = 0.5 to 1 at x = 1.5.
struct Arm {
    std::vector<Node> nodes{3};
    std::vector<CookedSkin> skins{1};
    std::vector<Skeleton> skeletons{1};
    std::vector<SampledClip> clips;
    PreparedMesh mesh;

    Arm() {
        nodes[0].mesh = 0;
        nodes[0].skin = 0;
        nodes[2].parent = 1;
        nodes[2].local.translation = {1, 0, 0};
        skeletons[0].bones = {{"upper", kNone, 1, false}, {"fore", 0, 2, false}};
        skins[0].bone_of_joint = {0, 1};
        skins[0].bone_from_mesh.resize(2);
        skins[0].bone_from_mesh[1].at(0, 3) = -1;
        mesh.influences.stride = 4;
        for (std::uint32_t i = 0; i <= 40; ++i) {
            for (const float y : {-0.1F, 0.1F}) {
                const float x = static_cast<float>(i) / 20;
                mesh.positions.push_back({x, y, 0});
                const auto fore = static_cast<std::uint16_t>(std::clamp((x - 0.5F) * 65535, 0.0F, 65535.0F));
                const auto upper = static_cast<std::uint16_t>(65535 - fore);
                const bool more = fore > upper;
                mesh.influences.joints.insert(mesh.influences.joints.end(),
                                              {static_cast<std::uint16_t>(more ? 1 : 0),
                                               static_cast<std::uint16_t>(more ? 0 : 1), 0, 0});
                mesh.influences.weights.insert(mesh.influences.weights.end(),
                                               {std::max(fore, upper), std::min(fore, upper), 0, 0});
            }
        }
        mesh.grid_positions.resize(mesh.positions.size());
        mesh.bounds.radius = 1;
    }

    // 0 to `degrees` about +Z at node 2, one frame a degree, 60 frames a second.
    void add_bend(int degrees) {
        SampledClip clip;
        clip.frame_count = static_cast<std::uint32_t>(degrees) + 1;
        clip.duration_s = degrees / 60.0;
        SampledTrack track;
        track.node = 2;
        track.path = TrackPath::Rotation;
        track.components = 4;
        for (int d = 0; d <= degrees; ++d) {
            const double half = d * std::numbers::pi / 360;
            track.samples.insert(track.samples.end(), {0, 0, static_cast<float>(std::sin(half)),
                                                       static_cast<float>(std::cos(half))});
        }
        clip.tracks.push_back(track);
        clips.push_back(clip);
    }

    void add_walk() {
        SampledClip clip;
        clip.frame_count = 2;
        clip.duration_s = 1.0 / 60;
        clip.tracks.push_back({1, TrackPath::Translation, false, false, 3, {0, 0, 0, 5, 0, 0}});
        clips.push_back(clip);
    }

    [[nodiscard]] PoseSet pick(std::uint32_t count) const {
        return pick_poses({nodes, skins, skeletons, clips}, 0, mesh, count);
    }
};

std::vector<Float3> all_posed(const PreparedMesh& mesh, const Pose& pose) {
    std::vector<std::uint32_t> vertices(mesh.positions.size());
    for (std::uint32_t v = 0; v < vertices.size(); ++v) vertices[v] = v;
    std::vector<Float3> positions(vertices.size());
    pose_vertices(mesh, pose, vertices, positions);
    return positions;
}

PreparedShape shape_of(std::vector<std::uint32_t> vertices, Float3 delta, float weight = 1) {
    PreparedShape shape;
    SparseShapeFrame frame;
    frame.weight = weight;
    frame.positions.assign(vertices.size(), delta);
    frame.vertices = std::move(vertices);
    shape.frames.push_back(frame);
    return shape;
}

// Four points of a square, drawn by node 0, two shapes.
struct Face {
    std::vector<Node> nodes{1};
    std::vector<SampledClip> clips;
    PreparedMesh mesh;
    Face() {
        nodes[0].mesh = 0;
        mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
        mesh.grid_positions.resize(4);
        mesh.bounds.radius = 1;
        mesh.shapes = {shape_of({1}, {0, 0, 0.5F}), shape_of({1, 3}, {0, 0, 1})};
    }
    [[nodiscard]] PoseSet pick(std::uint32_t count) const {
        return pick_poses({nodes, {}, {}, clips}, 0, mesh, count);
    }
};

}  // namespace

TEST_CASE("a bent arm is posed as linear blend skinning says") {
    Arm arm;
    arm.add_bend(90);
    const PoseSet set = arm.pick(8);
    REQUIRE(set.poses.size() == 8);
    CHECK(set.scale == 1);
    for (const Pose& pose : set.poses) {
        REQUIRE(pose.origin.clip == 0);
        const double angle = pose.origin.frame * std::numbers::pi / 180;
        const std::vector<Float3> posed = all_posed(arm.mesh, pose);
        for (std::size_t v = 0; v < posed.size(); ++v) {
            const auto x = static_cast<double>(arm.mesh.positions[v].x),
                       y = static_cast<double>(arm.mesh.positions[v].y);
            // The stored weights are 16 bits: 1e-5 of the way between the bones.
            const double fore = std::clamp(x - 0.5, 0.0, 1.0);
            const double turned_x = 1 + (x - 1) * std::cos(angle) - y * std::sin(angle);
            const double turned_y = (x - 1) * std::sin(angle) + y * std::cos(angle);
            CHECK(static_cast<double>(posed[v].x) ==
                  Catch::Approx((1 - fore) * x + fore * turned_x).margin(2e-5));
            CHECK(static_cast<double>(posed[v].y) ==
                  Catch::Approx((1 - fore) * y + fore * turned_y).margin(2e-5));
            CHECK(posed[v].z == 0);
        }
    }
}

TEST_CASE("the pose that differs most comes first, then those between") {
    Arm arm;
    arm.add_bend(90);
    const PoseSet set = arm.pick(4);
    REQUIRE(set.poses.size() == 4);
    CHECK(set.poses[0].origin.frame == 90);
    // The chord of a turn grows a little less than its angle: the middle is near 45 degrees.
    CHECK(set.poses[1].origin.frame >= 35);
    CHECK(set.poses[1].origin.frame <= 65);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(set.poses[i].origin.frame >= 10);  // rest is no pose
        for (std::size_t j = 0; j < i; ++j) {
            CHECK(std::abs(static_cast<int>(set.poses[i].origin.frame) -
                           static_cast<int>(set.poses[j].origin.frame)) >= 10);
        }
    }
}

TEST_CASE("fewer poses are the first of more") {
    Arm arm;
    arm.add_bend(120);
    const PoseSet many = arm.pick(8), few = arm.pick(3);
    REQUIRE(few.poses.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(few.poses[i].origin.frame == many.poses[i].origin.frame);
}

TEST_CASE("walking as a whole is no pose, and neither is rest") {
    Arm arm;
    CHECK(arm.pick(8).poses.empty());
    arm.add_walk();
    CHECK(arm.pick(8).poses.empty());
    arm.add_bend(0);
    CHECK(arm.pick(8).poses.empty());
    arm.add_bend(30);
    CHECK(arm.pick(1).poses.size() == 1);
    CHECK(arm.pick(0).poses.empty());
}

TEST_CASE("a rest pose that is not the bind pose counts as one") {
    Arm arm;
    arm.nodes[2].local.rotation = {0, 0, std::sqrt(0.5F), std::sqrt(0.5F)};
    const PoseSet set = arm.pick(8);
    REQUIRE(set.poses.size() == 1);
    CHECK(set.poses[0].origin.clip == kNone);
    CHECK(set.poses[0].origin.shape == kNone);
}

TEST_CASE("vertices in centimetres under a skeleton in metres: the scale is known and no difference") {
    Arm arm;
    for (Float3& p : arm.mesh.positions) p = p * 100;
    arm.mesh.bounds.radius = 100;
    for (Mat3x4& matrix : arm.skins[0].bone_from_mesh) {
        for (const int k : {0, 1, 2}) matrix.at(k, k) = 0.01F;
    }
    PoseSet set = arm.pick(8);
    CHECK(set.poses.empty());
    CHECK(static_cast<double>(set.scale) == Catch::Approx(0.01).epsilon(1e-5));
    arm.add_bend(90);
    set = arm.pick(1);
    REQUIRE(set.poses.size() == 1);
    CHECK(set.poses[0].origin.frame == 90);
}

TEST_CASE("a mesh without skin and shapes has no poses") {
    Arm arm;
    arm.add_bend(90);
    arm.mesh.influences = {};
    CHECK(arm.pick(8).poses.empty());
    Arm unskinned;
    unskinned.add_bend(90);
    unskinned.nodes[0].skin = kNone;
    CHECK(unskinned.pick(8).poses.empty());
}

TEST_CASE("a vertex without weights stays") {
    Arm arm;
    arm.add_bend(90);
    for (std::size_t slot = 0; slot < 4; ++slot) arm.mesh.influences.weights[80 * 4 + slot] = 0;
    const PoseSet set = arm.pick(1);
    CHECK(all_posed(arm.mesh, set.poses.at(0))[80] == arm.mesh.positions[80]);
}

TEST_CASE("each blend shape alone is a pose") {
    const Face face;
    const PoseSet set = face.pick(8);
    REQUIRE(set.poses.size() == 2);
    CHECK(set.poses[0].origin.shape == 1);  // it moves farther
    CHECK(set.poses[1].origin.shape == 0);
    CHECK(set.poses[0].moved_vertices == std::vector<std::uint32_t>{1, 3});
    CHECK(all_posed(face.mesh, set.poses[0])[3] == Float3{0, 1, 1});
    CHECK(all_posed(face.mesh, set.poses[0])[2] == face.mesh.positions[2]);
    CHECK(all_posed(face.mesh, set.poses[1])[1] == Float3{1, 0, 0.5F});
}

TEST_CASE("weights of a clip's frames and of the node add up over the shapes") {
    Face face;
    SampledClip clip;
    clip.frame_count = 2;
    clip.duration_s = 1.0 / 60;
    clip.tracks.push_back({0, TrackPath::Weights, false, false, 2, {0, 0, 2, 3}});
    face.clips.push_back(clip);
    PoseSet set = face.pick(1);
    REQUIRE(set.poses.size() == 1);
    CHECK(set.poses[0].origin.clip == 0);
    CHECK(set.poses[0].origin.frame == 1);
    CHECK(all_posed(face.mesh, set.poses[0])[1] == Float3{1, 0, 4});  // 2 x 0.5 + 3 x 1
    CHECK(all_posed(face.mesh, set.poses[0])[3] == Float3{0, 1, 3});

    face.clips.clear();
    face.nodes[0].shape_weights = {-4, 0};
    set = face.pick(1);
    REQUIRE(set.poses.size() == 1);
    CHECK(set.poses[0].origin.shape == kNone);
    CHECK(all_posed(face.mesh, set.poses[0])[1] == Float3{1, 0, -2});
}

TEST_CASE("a shape that moves one vertex of many is still seen") {
    Face face;
    face.mesh.positions.clear();
    for (int i = 0; i < 5000; ++i)
        face.mesh.positions.push_back({static_cast<float>(i % 71), static_cast<float>(i / 71), 0});
    face.mesh.grid_positions.resize(5000);
    face.mesh.bounds.radius = 50;
    face.mesh.shapes = {shape_of({1237}, {0, 0, 2})};
    CHECK(face.pick(8).poses.size() == 1);
}

TEST_CASE("in-between frames are crossed one after the other") {
    PreparedShape shape = shape_of({0}, {1, 0, 0}, 0.25F);
    shape.frames.push_back(shape_of({0}, {0, 1, 0}, 1).frames[0]);
    const auto weights = [&](double weight) {
        std::vector<double> out(2);
        frame_weights(shape, weight, out);
        return out;
    };
    CHECK(weights(0) == std::vector<double>{0, 0});
    CHECK(weights(0.125) == std::vector<double>{0.5, 0});
    CHECK(weights(0.25) == std::vector<double>{1, 0});
    CHECK(weights(0.625) == std::vector<double>{0.5, 0.5});
    CHECK(weights(1) == std::vector<double>{0, 1});
    CHECK(weights(1.75) == std::vector<double>{-1, 2});
    CHECK(weights(-0.25) == std::vector<double>{-1, 0});
}

TEST_CASE("vertices may be posed in any order and more than once") {
    Arm arm;
    arm.add_bend(90);
    const PoseSet set = arm.pick(1);
    const std::vector<Float3> all = all_posed(arm.mesh, set.poses.at(0));
    const std::vector<std::uint32_t> vertices{70, 3, 70, 41};
    std::vector<Float3> some(4);
    pose_vertices(arm.mesh, set.poses[0], vertices, some);
    for (std::size_t i = 0; i < 4; ++i) CHECK(some[i] == all[vertices[i]]);
}
