// Pictures of cooked fixtures on the device.
#include "cooked_package.hpp"
#include "exporter/dag_cut.hpp"
#include "runtime/render.hpp"
#include "test_device.hpp"
#include "tests/paths.hpp"

#include <catch2/catch_test_macros.hpp>
#include <png.h>

#include <algorithm>

namespace sinter::test {
namespace {

// Triangles of an error cut, by the reader of the exporter.
std::uint64_t exported_triangles(const CookedPackage& cooked, DagCut cut) {
    std::uint64_t sum = 0;
    for (const auto& node : cooked.manifest->nodes) {
        if (node->mesh < 0 || !node->in_scene) continue;
        const auto cuts =
            read_cuts(cooked.view, *cooked.manifest, static_cast<std::uint32_t>(node->mesh), std::array{cut});
        REQUIRE(cuts);
        sum += cuts->front().size();
    }
    return sum;
}

TEST_CASE("a picture shows the fixture, in every mode, with no validation message") {
    const CookedPackage cooked = cook_package(repository("fixtures/creature.glb"));
    const Stage stage = stage_of(cooked);
    RenderOptions options;
    options.width = 320;
    options.height = 180;
    std::vector<std::vector<std::uint8_t>> pictures;
    for (std::uint32_t mode = 0; mode < kDrawModeNames.size(); ++mode) {
        options.mode = static_cast<DrawMode>(mode);
        options.detail.level = mode >= gpu::kModeClusters ? std::optional(1U) : std::nullopt;
        const auto rendered = render(stage, options);
        REQUIRE(rendered);
        const Picture& picture = rendered->picture;
        REQUIRE(picture.rgba.size() == std::size_t{320} * 180 * 4);
        std::size_t background = 0;
        for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
            if (std::equal(options.background.begin(), options.background.end(), &picture.rgba[i]))
                ++background;
        }
        // The camera frames it: it fills a fair part, and not all.
        CHECK(background < std::size_t{320} * 180 * 95 / 100);
        CHECK(background > std::size_t{320} * 180 / 4);
        pictures.push_back(picture.rgba);
    }
    std::ranges::sort(pictures);
    CHECK(std::ranges::adjacent_find(pictures) == pictures.end());
    require_no_messages(*stage.device);
}

TEST_CASE("levels and full detail draw the triangles that the package has there") {
    const CookedPackage cooked = cook_package(repository("fixtures/creature.glb"));
    const Stage stage = stage_of(cooked);
    RenderOptions options;
    options.width = options.height = 64;
    const auto full = render(stage, options);
    REQUIRE(full);
    CHECK(full->triangles == exported_triangles(cooked, ErrorCut{0}));
    for (const std::uint32_t level : {0U, 1U, 2U, 5U}) {
        options.detail.level = level;
        const auto rendered = render(stage, options);
        REQUIRE(rendered);
        CHECK(rendered->triangles == exported_triangles(cooked, LevelCut{level}));
    }
}

TEST_CASE("from far away fewer triangles are drawn, and a pixel error of nearly nothing draws all") {
    const CookedPackage cooked = cook_package(repository("fixtures/creature.glb"));
    const Stage stage = stage_of(cooked);
    RenderOptions options;
    options.width = options.height = 256;
    const auto full = render(stage, options);
    REQUIRE(full);
    options.detail.pixels = 1e-6;
    std::uint64_t before = render(stage, options)->triangles;
    CHECK(before == full->triangles);
    options.detail.pixels = 1;
    for (const double distance : {1.0, 4.0, 16.0, 64.0, 256.0}) {
        options.orbit.distance = distance;
        const auto rendered = render(stage, options);
        REQUIRE(rendered);
        CHECK(rendered->triangles <= before);
        before = rendered->triangles;
    }
    CHECK(before * 10 < full->triangles);
}

TEST_CASE("a picture is the same again, and survives PNG") {
    const CookedPackage cooked = cook_package(repository("fixtures/prop.glb"));
    const Stage stage = stage_of(cooked);
    RenderOptions options;
    options.width = 200;
    options.height = 100;
    const auto first = render(stage, options);
    const auto second = render(stage, options);
    REQUIRE(first);
    REQUIRE(second);
    CHECK(first->picture.rgba == second->picture.rgba);

    const auto png = encode_png(first->picture);
    REQUIRE(png);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_memory(&image, png->data(), png->size()) != 0);
    REQUIRE(image.width == 200);
    REQUIRE(image.height == 100);
    image.format = PNG_FORMAT_RGBA;
    std::vector<std::uint8_t> rgba(PNG_IMAGE_SIZE(image));
    REQUIRE(png_image_finish_read(&image, nullptr, rgba.data(), 0, nullptr) != 0);
    CHECK(rgba == first->picture.rgba);
}

}  // namespace
}  // namespace sinter::test
