// The choice of clusters on the device against its float twin, and culling against pictures without it.
#include "cooked_package.hpp"
#include "runtime/shot.hpp"
#include "test_device.hpp"
#include "tests/paths.hpp"
#include "tests/sanitized.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>

namespace sinter::test {
namespace {

constexpr std::uint32_t kAll = gpu::kCullFrustum | gpu::kCullCone | gpu::kCullOcclusion;

// Views from all around, some so near that parts are beside or behind the eye.
std::vector<Shot> shots_of(const Stage& stage) {
    std::vector<Shot> out;
    const auto bounds = scene_bounds(stage, std::nullopt);
    for (std::uint32_t i = 0; i < 12; ++i) {
        Shot shot;
        shot.camera = frame_spheres(
            bounds, {i * 77.0, -60 + i * 11.0, std::array{1.0, 0.35, 4.0, 20.0}[i % 4]}, 251, 160);
        shot.detail.pixels = std::array{1.0, 0.25, 8.0}[i % 3];
        if (i == 5) shot.detail = {.level = 1, .pixels = {}};
        if (i == 6) shot.detail = {};
        if (!stage.motion.clips.empty() && i % 2 == 1) {
            const auto clip = i % static_cast<std::uint32_t>(stage.motion.clips.size());
            shot.clip =
                ClipTime{clip, stage.motion.clips[clip].start_s + stage.motion.clips[clip].duration_s * 0.4};
        }
        out.push_back(shot);
    }
    return out;
}

void require_selection_of_twin(const Stage& stage) {
    std::uint64_t drawn = 0;
    for (Shot& shot : shots_of(stage)) {
        for (const std::uint32_t cull : {0U, gpu::kCullFrustum, gpu::kCullCone, gpu::kCullOcclusion, kAll}) {
            shot.cull = cull;
            const auto check = check_selection(stage, shot);
            REQUIRE(check);
            CHECK(check->differences == 0);
            CHECK(check->wrong_prefixes == 0);
            CHECK_FALSE(check->out_of_prefix);
            drawn += check->clusters;
        }
    }
    CHECK(drawn > 0);
}

// Every pixel is the same. Returns the share of clusters that culling leaves.
double require_culling_changes_no_picture(const Stage& stage) {
    std::size_t all = 0;
    std::size_t left = 0;
    for (Shot& shot : shots_of(stage)) {
        shot.cull = 0;
        const auto plain = take(stage, shot);
        shot.cull = kAll;
        const auto culled = take(stage, shot);
        REQUIRE(plain);
        REQUIRE(culled);
        CHECK(plain->picture.rgba == culled->picture.rgba);
        all += plain->visible.size();
        left += culled->visible.size();
    }
    return static_cast<double>(left) / static_cast<double>(all);
}

TEST_CASE("the device chooses the clusters that the float twin chooses") {
    for (const char* name :
         {"fixtures/creature.glb", "fixtures/prop.glb", "fixtures/foliage.glb", "fixtures/cloth.glb"}) {
        CAPTURE(name);
        const CookedPackage cooked = cook_package(repository(name));
        const Stage stage = stage_of(cooked);
        require_selection_of_twin(stage);
        require_no_messages(*stage.device);
    }
}

TEST_CASE("culling by frustum, cone and depth changes no pixel") {
    for (const char* name :
         {"fixtures/creature.glb", "fixtures/prop.glb", "fixtures/foliage.glb", "fixtures/cloth.glb"}) {
        CAPTURE(name);
        const CookedPackage cooked = cook_package(repository(name));
        const Stage stage = stage_of(cooked);
        const double left = require_culling_changes_no_picture(stage);
        // The others are a few clusters each, seen from both sides.
        if (std::string(name).find("creature") != std::string::npos) CHECK(left < 0.95);
    }
}

TEST_CASE("corpus: chosen as the twin chooses, culled without a changed pixel") {
    if (kSanitized) SKIP("minutes under the sanitizers; other tests run the same code on fixtures");
    const auto folder = corpus_folder();
    if (!std::filesystem::exists(folder)) SKIP("no corpus at ../shared/corpus");
    for (const char* name : {"static/scorpion.obj", "skinned/Knight.glb"}) {
        CAPTURE(name);
        const CookedPackage cooked = cook_package((folder / name).string());
        const Stage stage = stage_of(cooked);
        require_selection_of_twin(stage);
        CHECK(require_culling_changes_no_picture(stage) < 1);
        require_no_messages(*stage.device);
    }
}

}  // namespace
}  // namespace sinter::test
