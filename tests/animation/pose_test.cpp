#include "cooker/animation/pose.hpp"

#include "cooker/animation/sample.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>

using namespace sinter;

namespace {

constexpr double kPi = 3.14159265358979323846;

// Two arms of length 1 along +x; the clip turns both by 90 degrees about +z in 1 s.
Scene arm() {
    Scene scene;
    scene.nodes.resize(3);
    scene.nodes[1].parent = 0;
    scene.nodes[1].local.translation = {1, 0, 0};
    scene.nodes[2].parent = 1;
    scene.nodes[2].local.translation = {1, 0, 0};
    Clip clip;
    const float h = std::sqrt(0.5F);
    for (const std::int32_t node : {0, 1}) {
        clip.channels.push_back(
            {node, TrackPath::Rotation, Interpolation::Linear, 4, {0, 1}, {0, 0, 0, 1, 0, 0, h, h}});
    }
    clip.end_s = 1;
    scene.clips.push_back(clip);
    return scene;
}

void check_point(const Point& p, double x, double y, double z, double margin) {
    CHECK(p[0] == Catch::Approx(x).margin(margin));
    CHECK(p[1] == Catch::Approx(y).margin(margin));
    CHECK(p[2] == Catch::Approx(z).margin(margin));
}

}  // namespace

TEST_CASE("a chain of turning nodes follows the closed form") {
    const Scene scene = arm();
    Issues issues;
    const auto clips = sample_clips(scene, {}, issues).value();
    for (double t = 0; t <= 1; t += 0.05) {
        const double a = t * kPi / 2;
        const double x = std::cos(a) + std::cos(2 * a), y = std::sin(a) + std::sin(2 * a);
        // float keys: 6e-8 a quaternion component, twice that a rotation, over two arms.
        check_point(transform_point(world_from_nodes(scene.nodes, scene.clips.data(), t)[2], {0, 0, 0}), x, y,
                    0, 5e-7);
        // and sampled at 60 Hz, 1.5 degrees a frame: nlerp adds 7e-8 rad (sample_test.cpp).
        check_point(transform_point(world_from_nodes(scene.nodes, clips[0], t)[2], {0, 0, 0}), x, y, 0, 1e-6);
    }
    check_point(transform_point(world_from_nodes(scene.nodes, nullptr, 0)[2], {0, 0, 0}), 2, 0, 0, 0);
}

TEST_CASE("a node's scale acts before its rotation, and its translation after both") {
    Scene scene;
    scene.nodes.resize(1);
    const float h = std::sqrt(0.5F);
    scene.nodes[0].local = {{10, 20, 30}, {0, 0, h, h}, {2, 3, 4}};
    check_point(transform_point(world_from_nodes(scene.nodes, nullptr, 0)[0], {1, 1, 1}), 10 - 3, 20 + 2,
                30 + 4, 1e-6);
    Mat3x4 shear;
    shear.at(0, 1) = 1;
    scene.nodes[0].local_matrix = shear;
    check_point(transform_point(world_from_nodes(scene.nodes, nullptr, 0)[0], {1, 1, 1}), 2, 1, 1, 0);
}

TEST_CASE("skinning blends what the joints do to the bind pose") {
    Scene scene = arm();
    Mat3x4 elbow;
    elbow.at(0, 3) = -1;
    scene.skins.push_back({"", {0, 1}, {Mat3x4{}, elbow}});
    const auto rest = skinning_matrices(scene.skins[0], world_from_nodes(scene.nodes, nullptr, 0));
    const std::vector<Influence> both{{0, 0.25F}, {1, 0.75F}};
    check_point(skin_point(rest, both, {1.5, 0.5, 0}), 1.5, 0.5, 0, 1e-15);
    const auto bent = skinning_matrices(scene.skins[0], world_from_nodes(scene.nodes, scene.clips.data(), 1));
    // At 1 s the first joint turns (2, 0) to (0, 2), both turn it to (-1, 1).
    check_point(skin_point(bent, both, {2, 0, 0}), -0.75, 0.25 * 2 + 0.75, 0, 1e-6);
}

TEST_CASE("blend-shape weights come from the clip, else the node, else the mesh") {
    Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    scene.meshes.resize(1);
    scene.meshes[0].shapes = {{"a", 0.5F, {1}}, {"b", 0.25F, {1}}};
    CHECK(shape_weights(scene, 0, nullptr, 0) == std::vector<double>{0.5, 0.25});
    scene.nodes[0].shape_weights = {1, 0};
    CHECK(shape_weights(scene, 0, nullptr, 0) == std::vector<double>{1, 0});
    Clip clip;
    clip.channels.push_back({0, TrackPath::Weights, Interpolation::Linear, 2, {0, 2}, {0, 1, 1, 0}});
    CHECK(shape_weights(scene, 0, &clip, 0.5) == std::vector<double>{0.25, 0.75});
}
