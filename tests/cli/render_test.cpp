// sinter render as users run it: what it prints, and how it fails. What pictures show is tested in tests/runtime.
#include "cli/json_reader.hpp"
#include "run_program.hpp"
#include "schema_check.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace sinter;
using test::run_sinter;

namespace {

void cook(const std::string& asset, const test::RunSettings& here) {
    REQUIRE(run_sinter({"cook", asset, "-q"}, here).exit_code == 0);
}

JsonValue json_of(const test::RunResult& result) {
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    auto value = parse_json(result.out, "stdout");
    REQUIRE(value.ok());
    const std::string problem = test::schema_problem(*value, "urn:sinter:schema:render:1");
    INFO(problem);
    CHECK(problem.empty());
    return *std::move(value);
}

std::uint64_t number(const JsonValue& value, const char* name) {
    const JsonValue* const member = value.find(name);
    REQUIRE(member != nullptr);
    return std::stoull(member->text);
}

// Width and height, as the header of the PNG file has them.
std::pair<std::uint64_t, std::uint64_t> png_size(const std::filesystem::path& path) {
    const std::string bytes = test::read_text(path);
    REQUIRE(bytes.size() > 24);
    REQUIRE(bytes.starts_with("\x89PNG"));
    const auto big_endian = [&](std::size_t at) {
        std::uint64_t out = 0;
        for (std::size_t i = 0; i < 4; ++i) out = out << 8U | static_cast<unsigned char>(bytes[at + i]);
        return out;
    };
    return {big_endian(16), big_endian(20)};
}

}  // namespace

TEST_CASE("render writes a picture of the size asked for and says how many triangles it shows") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    cook(test::kTiny, here);
    const test::RunResult result =
        run_sinter({"render", "tiny.sinter", "-o", "a.png", "--size", "64x48", "--device", "cpu"}, here);
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    CHECK(result.out.starts_with("tiny.sinter -> a.png, 12 triangles, "));
    CHECK(png_size(folder / "a.png") == std::pair<std::uint64_t, std::uint64_t>(64, 48));

    const JsonValue json = json_of(run_sinter(
        {"render", "tiny.sinter", "-o", "a.png", "--size", "64x48", "--device", "cpu", "--format", "json"},
        here));
    CHECK(number(json, "triangles") == 12);
    CHECK(json.find("cells") == nullptr);

    // It is a property of the mesh, not of what the camera sees of it.
    cook(test::repository("fixtures/prop.glb"), here);
    const JsonValue near = json_of(run_sinter({"render", "prop.sinter", "-o", "b.png", "--size", "64x48",
                                               "--camera", "0,80,0.2", "--device", "cpu", "--format", "json"},
                                              here));
    CHECK(number(near, "triangles") == 812);
}

TEST_CASE("render --sheet draws every level, moment or mode, each as it is drawn alone") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    cook(test::kCreature, here);
    const auto draw = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"render", "creature.sinter", "-o", "a.png", "--size", "80x60",
                                     "--device", "cpu", "--format", "json"});
        return json_of(run_sinter(words, here));
    };
    const JsonValue levels = draw({"--sheet", "levels"});
    CHECK(png_size(folder / "a.png") == std::pair(number(levels, "width"), number(levels, "height")));
    const auto& level_cells = levels.find("cells")->items;
    REQUIRE(level_cells.size() >= 3);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < level_cells.size(); ++i) {
        CHECK(number(level_cells[i], "level") == i);
        CHECK(number(level_cells[i], "triangles") ==
              number(draw({"--level", std::to_string(i)}), "triangles"));
        CHECK(level_cells[i].find("caption")->text.starts_with("level " + std::to_string(i) + ": "));
        sum += number(level_cells[i], "triangles");
    }
    CHECK(number(levels, "triangles") == sum);
    // The last one is the coarsest: another level on shows the same.
    CHECK(number(draw({"--level", std::to_string(level_cells.size())}), "triangles") ==
          number(level_cells.back(), "triangles"));

    const JsonValue modes = draw({"--sheet", "modes", "--lod-error", "1"});
    const auto& mode_cells = modes.find("cells")->items;
    CHECK(mode_cells.size() == 9);
    CHECK(mode_cells[0].find("mode")->text == "shaded");
    for (const JsonValue& cell : mode_cells)
        CHECK(number(cell, "triangles") == number(mode_cells[0], "triangles"));

    const JsonValue clip = draw({"--sheet", "clip", "--clip", "0", "--level", "1"});
    const auto& moments = clip.find("cells")->items;
    REQUIRE(moments.size() == 9);
    for (std::size_t i = 0; i < 9; ++i) {
        CHECK(number(moments[i], "triangles") == number(level_cells[1], "triangles"));
        if (i > 0)
            CHECK(std::stod(moments[i].find("time_s")->text) >
                  std::stod(moments[i - 1].find("time_s")->text));
    }
}

TEST_CASE("render refuses words that mean nothing together, and leaves no file") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    cook(test::kTiny, here);
    const std::vector<std::vector<std::string>> wrong{
        {"--sheet", "all"},
        {"--sheet", "clip"},
        {"--sheet", "levels", "--level", "1"},
        {"--sheet", "levels", "--lod-error", "1"},
        {"--sheet", "modes", "--mode", "wire"},
        {"--sheet", "clip", "--clip", "walk", "--time", "1"},
        {"--sheet", "clip", "--clip", "walk"},  // there is none
        {"--time", "1"},
        {"--level", "1", "--lod-error", "1"},
        {"--size", "0x5"},
        {"--mode", "pretty"},
    };
    for (std::vector<std::string> words : wrong) {
        words.insert(words.begin(), {"render", "tiny.sinter", "-o", "a.png", "--device", "cpu"});
        const test::RunResult result = run_sinter(words, here);
        INFO(words[6] + " " + words[7] + ": " + result.err);
        CHECK(result.exit_code == 1);
        CHECK(result.out.empty());
        CHECK(result.err.find(words[words.size() - 2]) != std::string::npos);
        CHECK(!std::filesystem::exists(folder / "a.png"));
    }
    const test::RunResult large = run_sinter({"render", "tiny.sinter", "-o", "a.png", "--device", "cpu",
                                              "--sheet", "modes", "--size", "16384x16384"},
                                             here);
    CHECK(large.exit_code == 6);
    CHECK(!std::filesystem::exists(folder / "a.png"));
}
