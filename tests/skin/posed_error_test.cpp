#include "cooker/skin/posed_error.hpp"

#include "cooker/skin/influences.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace sinter;

namespace {

// One vertex at the origin on two joints; the clip moves the second one 10 m along x.
Scene slide(float weight) {
    Scene scene;
    Primitive p;
    p.positions = {{0, 0, 0}};
    p.influence_offsets = {0, 2};
    p.influences = {{0, 1 - weight}, {1, weight}};
    Mesh mesh;
    mesh.primitives.push_back(p);
    scene.meshes.push_back(mesh);
    scene.nodes.resize(3);
    scene.nodes[2].mesh = 0;
    scene.nodes[2].skin = 0;
    scene.skins.push_back({"", {0, 1}, std::vector<Mat3x4>(2)});
    Clip clip;
    clip.channels.push_back(
        {1, TrackPath::Translation, Interpolation::Linear, 3, {0, 1}, {0, 0, 0, 10, 0, 0}});
    clip.end_s = 1;
    scene.clips.push_back(clip);
    return scene;
}

float error_of(const Scene& scene, SkinOptions options) {
    Issues issues;
    return posed_error(scene, 0, encode_influences(scene.meshes[0], options, issues));
}

}  // namespace

TEST_CASE("the posed error is the weight's error times the way between the joints") {
    // 0.25 of 255 is 63.75, stored as 64: 0.25/255 off over 10 m. 0.25 of 65535 is 16383.75, stored as 16384.
    CHECK(static_cast<double>(error_of(slide(0.25F), {8, 8})) ==
          Catch::Approx(10 * 0.25 / 255).epsilon(1e-6));
    CHECK(static_cast<double>(error_of(slide(0.25F), {8, 16})) ==
          Catch::Approx(10 * 0.25 / 65535).epsilon(1e-6));
    CHECK(static_cast<double>(error_of(slide(0.25F), {1, 16})) ==
          Catch::Approx(2.5).epsilon(1e-6));  // one bone left
    CHECK(error_of(slide(1), {8, 8}) == 0);
}

TEST_CASE("meshes without influences or without a skin have no posed error") {
    Scene scene = slide(0.25F);
    scene.nodes[2].skin = kNone;
    CHECK(error_of(scene, {8, 8}) == 0);
    scene = slide(0.25F);
    scene.meshes[0].primitives[0].influence_offsets.clear();
    CHECK(error_of(scene, {8, 8}) == 0);
}

TEST_CASE("beyond the limit of work every n-th vertex is measured, the first one included") {
    Scene scene = slide(0.25F);
    Primitive& p = scene.meshes[0].primitives[0];
    const std::size_t count = kPosedErrorVertexPoses / 4;  // with 9 poses: every third
    p.positions.assign(count, {0, 0, 0});
    p.influences.assign(count, {0, 1});
    p.influence_offsets.resize(count + 1);
    for (std::size_t v = 0; v <= count; ++v) p.influence_offsets[v] = static_cast<std::uint32_t>(v);
    EncodedInfluences wrong;
    wrong.stride = 1;
    wrong.joints.assign(count, 0);
    wrong.weights.assign(count, 65535);
    wrong.joints[1] = 1;  // is not looked at
    CHECK(posed_error(scene, 0, wrong) == 0);
    wrong.joints[3] = 1;
    CHECK(static_cast<double>(posed_error(scene, 0, wrong)) == Catch::Approx(10));
}
