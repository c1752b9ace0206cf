// Clips, skeletons and skinning on the device against the references in double, and these against the cooker's own code.
#include "cooked_package.hpp"
#include "cooker/animation/pose.hpp"
#include "runtime/check_pose.hpp"
#include "test_device.hpp"
#include "tests/paths.hpp"
#include "tests/sanitized.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace sinter::test {
namespace {

PoseErrors errors_over_clips(const Stage& stage, int moments) {
    PoseErrors out;
    const auto rest = check_pose(stage, std::nullopt);
    REQUIRE(rest);
    out.add(*rest);
    for (std::uint32_t c = 0; c < stage.motion.clips.size(); ++c) {
        const SceneClip& clip = stage.motion.clips[c];
        for (int i = 0; i < moments; ++i) {
            // From before the start to beyond the end, mostly between two frames.
            const double part = moments == 1 ? 0.37 : -0.1 + 1.2 * i / (moments - 1);
            const auto errors = check_pose(stage, ClipTime{c, clip.start_s + clip.duration_s * part});
            REQUIRE(errors);
            out.add(*errors);
        }
    }
    return out;
}

// What targets.md asks of the device: positions within one output step, normals within 0.16 degrees. The other bounds are
// what 32-bit floats can lose over some tens of bones.
void require_within(const PoseErrors& errors) {
    CHECK(errors.position_steps <= 1);
    CHECK(errors.normal_deg <= 0.16);
    CHECK(errors.tangent_deg <= 0.16);
    CHECK(errors.outside_bounds <= 0);
    CHECK(errors.rotation_deg < 1e-4);
}

TEST_CASE("the device brings the creature into every pose as the reference does") {
    const CookedPackage cooked = cook_package(repository("fixtures/creature.glb"));
    const Stage stage = stage_of(cooked);
    REQUIRE(stage.motion.skins.size() == 1);
    const PoseErrors errors = errors_over_clips(stage, 7);
    CHECK(errors.vertices == 4032U * (1 + 7 * stage.motion.clips.size()));
    CHECK(errors.normals == errors.vertices);
    require_within(errors);
    require_no_messages(*stage.device);
}

TEST_CASE("the device brings the corpus characters into poses as the reference does") {
    if (kSanitized) SKIP("minutes under the sanitizers; other tests run the same code on fixtures");
    const auto folder = corpus_folder();
    if (!std::filesystem::exists(folder)) SKIP("no corpus at ../shared/corpus");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "skinned")) {
        const auto extension = entry.path().extension();
        if (extension != ".glb" && extension != ".gltf") continue;
        CAPTURE(entry.path().filename());
        const CookedPackage cooked = cook_package(entry.path().string());
        const Stage stage = stage_of(cooked);
        require_within(errors_over_clips(stage, 1));
        require_no_messages(*stage.device);
    }
}

TEST_CASE("the reference's nodes are where the cooker evaluates them from its own clips") {
    const CookedPackage cooked = cook_package(repository("fixtures/creature.glb"));
    const Stage stage = stage_of(cooked);
    for (std::uint32_t c = 0; c < stage.motion.clips.size(); ++c) {
        const SampledClip& clip = cooked.asset.clips[c];
        for (const double part : {-0.5, 0.0, 0.123, 0.5, 0.77, 1.0, 2.0}) {
            const double time = clip.start_s + clip.duration_s * part;
            const auto expected = world_from_nodes(cooked.asset.nodes, clip, time);
            const auto found = world_from_nodes(
                *cooked.manifest, sample_locals(*cooked.manifest, stage.motion, ClipTime{c, time}));
            REQUIRE(found.size() == expected.size());
            for (std::size_t n = 0; n < found.size(); ++n) {
                for (std::size_t i = 0; i < 12; ++i)
                    REQUIRE(std::abs(found[n].m[i] - expected[n].m[i]) < 1e-6);
            }
        }
    }
}

TEST_CASE("the frames around a time are found, at the ends and on the samples as well") {
    const SceneClip clip{.tracks = {}, .start_s = 0.5, .duration_s = 1.05, .rate_hz = 10, .frame_count = 12};
    const auto at = [&](double time) { return frames_at(clip, time); };
    CHECK(at(-3).frame == 0);
    CHECK(at(-3).fraction == 0);
    CHECK(at(0.5).fraction == 0);
    for (std::uint32_t k = 0; k < 11; ++k) {
        CHECK(at(0.5 + k / 10.0).frame == k);
        CHECK(at(0.5 + k / 10.0).fraction < 1e-9);
    }
    CHECK(at(0.56).frame == 0);
    CHECK(std::abs(at(0.56).fraction - 0.6) < 1e-9);
    // The last interval is from 1.0 to 1.05 after the start: half as long.
    CHECK(at(1.525).frame == 10);
    CHECK(std::abs(at(1.525).fraction - 0.5) < 1e-9);
    CHECK(at(1.55).frame == 10);
    CHECK(at(1.55).fraction == 1);
    CHECK(at(100).fraction == 1);
    CHECK(frames_at({.tracks = {}, .start_s = 0, .duration_s = 0, .rate_hz = 1, .frame_count = 1}, 5).frame ==
          0);
}

}  // namespace
}  // namespace sinter::test
