// Silhouettes and cracks of pictures drawn by hand.
#include "runtime/picture/compare.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string_view>

namespace sinter::test {
namespace {

// '#' a front face, 'o' a back face, '.' nothing.
Picture draw_rows(const std::vector<std::string_view>& rows) {
    Picture out{static_cast<std::uint32_t>(rows.front().size()), static_cast<std::uint32_t>(rows.size()), {}};
    for (const std::string_view row : rows) {
        REQUIRE(row.size() == out.width);
        for (const char c : row) {
            const auto alpha = static_cast<std::uint8_t>(c == '#' ? 255 : c == 'o' ? 128 : 0);
            out.rgba.insert(out.rgba.end(), {90, 90, 90, alpha});
        }
    }
    return out;
}

TEST_CASE("equal silhouettes do not differ, whatever side and colour they show") {
    const Picture a = draw_rows({"......", ".####.", "..##.."});
    Picture b = draw_rows({"......", ".#oo#.", "..##.."});
    b.rgba[0] = 7;
    const SilhouetteDifference d = compare_silhouettes(a, b, 0);
    CHECK(d.pixels == 0);
    CHECK(d.beyond == 0);
    CHECK(d.either == 6);
    CHECK(d.distance == 0);
    const Picture nothing = draw_rows({"....", "...."});
    CHECK(compare_silhouettes(nothing, nothing, 0).either == 0);
    CHECK(compare_silhouettes({}, {}, 0).pixels == 0);
}

TEST_CASE("a silhouette that sticks out differs by its pixels and by how far it sticks out") {
    const Picture a = draw_rows({
        "..........",
        ".###......",
        ".###......",
        "..........",
    });
    const Picture b = draw_rows({
        ".......#..",
        ".######...",
        ".###......",
        "..........",
    });
    const SilhouetteDifference d = compare_silhouettes(a, b, 2);
    CHECK(d.pixels == 4);
    CHECK(d.either == 10);
    CHECK(d.distance == Catch::Approx(std::sqrt(17)));  // from (7, 0) to (3, 1)
    CHECK(d.farthest == PixelPlace{7, 0});
    CHECK(d.beyond == 2);  // (6, 1) is 3 away, (7, 0) more, (5, 1) just 2
    const SilhouetteDifference swapped = compare_silhouettes(b, a, 2);
    CHECK(swapped.pixels == 4);
    CHECK(swapped.beyond == 2);
    CHECK(swapped.distance == d.distance);
}

TEST_CASE("a hole that only one silhouette has is as far away as its middle is from its rim") {
    const Picture a = draw_rows({"#######", "#######", "#######", "#######", "#######"});
    const Picture b = draw_rows({"#######", "##...##", "##...##", "##...##", "#######"});
    const SilhouetteDifference d = compare_silhouettes(a, b, 1);
    CHECK(d.pixels == 9);
    CHECK(d.beyond == 1);
    CHECK(d.distance == 2);
    CHECK(d.farthest == PixelPlace{3, 2});
}

TEST_CASE("against an empty picture a silhouette is as far away as the diagonal") {
    const Picture a = draw_rows({"....", ".#..", "...."});
    const SilhouetteDifference d = compare_silhouettes(a, draw_rows({"....", "....", "...."}), 1);
    CHECK(d.pixels == 1);
    CHECK(d.beyond == 1);
    CHECK(d.distance == 5);
}

TEST_CASE("distances of silhouettes are those of a search over all pixels") {
    std::mt19937 random(11);
    for (int round = 0; round < 60; ++round) {
        const auto side = [&] { return 1 + static_cast<std::uint32_t>(random() % 19); };
        Picture a{side(), side(), {}};
        a.rgba.resize(std::size_t{a.width} * a.height * 4);
        Picture b = a;
        const std::uint32_t rarity = round % 3 == 0 ? 40 : 4;
        for (Picture* p : {&a, &b})
            for (std::size_t i = 3; i < p->rgba.size(); i += 4) p->rgba[i] = random() % rarity == 0 ? 255 : 0;
        const auto covered = [](const Picture& p, std::uint32_t x, std::uint32_t y) {
            return p.rgba[(std::size_t{y} * p.width + x) * 4 + 3] != 0;
        };
        double largest = 0;
        std::uint64_t pixels = 0, beyond = 0;
        for (std::uint32_t y = 0; y < a.height; ++y) {
            for (std::uint32_t x = 0; x < a.width; ++x) {
                if (covered(a, x, y) == covered(b, x, y)) continue;
                const Picture& other = covered(a, x, y) ? b : a;
                double nearest = std::hypot(a.width, a.height);
                for (std::uint32_t v = 0; v < a.height; ++v) {
                    for (std::uint32_t u = 0; u < a.width; ++u) {
                        if (!covered(other, u, v)) continue;
                        nearest = std::min(
                            nearest, std::hypot(static_cast<double>(u) - x, static_cast<double>(v) - y));
                    }
                }
                ++pixels;
                beyond +=
                    nearest > 2.5;  // no distance of pixels is near to it: they are roots of whole numbers
                largest = std::max(largest, nearest);
            }
        }
        const SilhouetteDifference d = compare_silhouettes(a, b, 2.5);
        CHECK(d.pixels == pixels);
        CHECK(d.beyond == beyond);
        CHECK(d.distance == Catch::Approx(largest).epsilon(1e-12));  // two ways to the same root
    }
}

TEST_CASE("cracks are background and back faces well inside of a closed mesh") {
    const Picture full = draw_rows({
        "...........",
        ".#########.",
        ".#########.",
        ".#########.",
        ".#########.",
        "...........",
    });
    const Picture cut = draw_rows({
        "...........",
        "..########.",
        ".###.#####.",
        ".#########.",
        ".##.##o##..",
        "...........",
    });
    // The band of 0 leaves all that is in the silhouette.
    CHECK(find_cracks(full, cut, 0).background == std::vector<PixelPlace>{{1, 1}, {4, 2}, {3, 4}, {9, 4}});
    CHECK(find_cracks(full, cut, 0).back_faces == std::vector<PixelPlace>{{6, 4}});
    // One pixel along the rim is forgiven, the second row of pixels is not.
    const Cracks cracks = find_cracks(full, cut, 1);
    CHECK(cracks.background == std::vector<PixelPlace>{{4, 2}});
    CHECK(cracks.count() == 1);
    CHECK(find_cracks(full, cut, 2).count() == 0);
    CHECK(find_cracks(full, full, 0).count() == 0);
}

TEST_CASE("what full detail shows as background or as a back face is no crack, nor is what is near it") {
    const Picture full = draw_rows({
        "#########",
        "###..####",
        "###..#o##",
        "#########",
        "#########",
    });
    const Picture cut = draw_rows({
        "#########",
        "##....###",
        "###..#.##",
        "#####.###",
        ".########",
    });
    // The gap grew by a pixel, the place that shows a back face shows nothing; (5, 3) touches the gap only by a corner;
    // (0, 4) is at the edge of the picture, far from all background.
    CHECK(find_cracks(full, cut, 1).background == std::vector<PixelPlace>{{5, 3}, {0, 4}});
    CHECK(find_cracks(full, cut, 1.5).background == std::vector<PixelPlace>{{0, 4}});
}

TEST_CASE("a picture without background has cracks anywhere, one without faces nowhere") {
    const Picture full = draw_rows({"###", "###"}), nothing = draw_rows({"...", "..."});
    CHECK(find_cracks(full, nothing, 1).background.size() == 6);
    CHECK(find_cracks(full, nothing, 100).count() ==
          0);  // nothing is known beyond the picture's own diagonal
    CHECK(find_cracks(nothing, full, 0).count() == 0);
    CHECK(find_cracks({}, {}, 1).count() == 0);
}

TEST_CASE(
    "with distances, edges between near and far count as silhouettes, and turned slivers are no cracks") {
    const Picture full =
        draw_rows({"############", "############", "############", "############", "############"});
    const Picture cut =
        draw_rows({"############", "############", "#o##.###.#o#", "############", "############"});
    // A near part, 1 m away, up to column 5; a far one behind it, 2 m away. A pixel is 1 cm one metre away.
    std::vector<float> distances;
    for (std::size_t i = 0; i < 60; ++i) distances.push_back(i % 12 < 6 ? 1.0F : 2.0F);
    std::vector<float> cut_distances = distances;
    cut_distances[2 * 12 + 1] = 1.05F;  // less than 8 pixels of a centimetre behind: a sliver
    cut_distances[2 * 12 + 10] = 2.5F;  // the far wall
    const Distances known{distances, cut_distances, 0.01};
    const Cracks cracks = find_cracks(full, cut, 1.5, known);
    // (4, 2) is a pixel beside the last near one, (8, 2) is three away from it.
    CHECK(cracks.background == std::vector<PixelPlace>{{8, 2}});
    CHECK(cracks.back_faces == std::vector<PixelPlace>{{10, 2}});
    // Without distances all of them count.
    CHECK(find_cracks(full, cut, 1.5).count() == 4);
}

}  // namespace
}  // namespace sinter::test
