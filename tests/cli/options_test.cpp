#include "cli/config.hpp"
#include "cooker/nearest.hpp"
#include "cooker/options.hpp"
#include "run_program.hpp"
#include "tests/paths.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <set>
#include <string>

using namespace sinter;

TEST_CASE("the defaults have one canonical text") {
    // Spelled out by hand from options.hpp: this text is hashed into packages, so a change of it is a change of
    // the options' digest and must be meant.
    CHECK(
        options_json({}) ==
        R"({"import":{"unit_m":0,"up_axis":"auto"},)"
        R"("mesh":{"position_grid":"sphere","position_tolerance":0,"hard_edge_angle_deg":180,"make_tangents":true,)"
        R"("normal_bits":32,"uv_tolerance":1.52587890625e-05},)"
        R"("cluster":{"enabled":true,"max_triangles":128,"max_vertices":128,"group_size":16,"ratio":0.5,)"
        R"("measure_error":true,"poses":8},)"
        R"("skin":{"max_influences":8,"weight_bits":16},"animation":{"sample_rate_hz":0},)"
        R"("package":{"compression":"zstd","zstd_level":9}})");
}

TEST_CASE("numbers are written with the fewest digits that read back equal") {
    CookOptions options;
    options.mesh.position_tolerance = 0.1 + 0.2;
    options.mesh.hard_edge_angle_deg = 0.1;
    CHECK(option_json(options, "mesh.position_tolerance") == "0.30000000000000004");
    CHECK(option_json(options, "mesh.hard_edge_angle_deg") == "0.1");
}

TEST_CASE("each key is set from text and read back") {
    const std::vector<std::pair<std::string, std::string>> settings{
        {"import.unit_m", "0.01"},          {"import.up_axis", "z"},
        {"mesh.position_grid", "world"},    {"mesh.position_tolerance", "1e-4"},
        {"mesh.make_tangents", "false"},    {"mesh.hard_edge_angle_deg", "45.5"},
        {"skin.max_influences", "4"},       {"skin.weight_bits", "8"},
        {"animation.sample_rate_hz", "30"}, {"package.compression", "raw"},
        {"package.zstd_level", "19"},       {"mesh.normal_bits", "20"},
        {"mesh.uv_tolerance", "0.001"},     {"cluster.enabled", "false"},
        {"cluster.max_triangles", "64"},    {"cluster.max_vertices", "100"},
        {"cluster.group_size", "8"},        {"cluster.ratio", "0.65"},
        {"cluster.measure_error", "false"}, {"cluster.poses", "0"}};
    CookOptions options;
    std::set<std::string_view> keys;
    for (const auto& [key, value] : settings) {
        REQUIRE(set_option(options, key, value).ok());
        keys.insert(key);
    }
    CHECK(options.import.unit_m == 0.01);
    CHECK(options.import.up_axis == UpAxis::Z);
    CHECK(options.mesh.position_grid == GridKind::World);
    CHECK(options.mesh.position_tolerance == 1e-4);
    CHECK_FALSE(options.mesh.make_tangents);
    CHECK(options.mesh.hard_edge_angle_deg == 45.5);
    CHECK(options.skin.max_influences == 4);
    CHECK(options.skin.weight_bits == 8);
    CHECK(options.animation.sample_rate_hz == 30);
    CHECK(options.package.compression == SectionCompression::Raw);
    CHECK(options.package.zstd_level == 19);
    CHECK(options.mesh.normal_bits == 20);
    CHECK(options.mesh.uv_tolerance == 0.001);
    CHECK_FALSE(options.cluster.enabled);
    CHECK(options.cluster.max_triangles == 64);
    CHECK(options.cluster.max_vertices == 100);
    CHECK(options.cluster.group_size == 8);
    CHECK(options.cluster.ratio == 0.65);
    CHECK_FALSE(options.cluster.measure_error);
    CHECK(options.cluster.poses == 0);
    for (const OptionInfo& info : option_table()) {
        INFO(info.key);
        CHECK(keys.contains(info.key));  // a new key needs a line above
    }
}

TEST_CASE("a value that breaks a key's rule is refused and changes nothing") {
    const std::vector<std::pair<std::string, std::string>> bad{{"skin.max_influences", "0"},
                                                               {"skin.max_influences", "9"},
                                                               {"skin.max_influences", "4.5"},
                                                               {"skin.max_influences", "four"},
                                                               {"skin.max_influences", ""},
                                                               {"skin.max_influences", "4 "},
                                                               {"skin.weight_bits", "12"},
                                                               {"mesh.position_tolerance", "-1"},
                                                               {"mesh.position_tolerance", "nan"},
                                                               {"mesh.position_tolerance", "inf"},
                                                               {"mesh.position_tolerance", "0,5"},
                                                               {"mesh.make_tangents", "yes"},
                                                               {"mesh.make_tangents", "1"},
                                                               {"import.up_axis", "x"},
                                                               {"import.up_axis", "Z"},
                                                               {"package.zstd_level", "20"}};
    for (const auto& [key, value] : bad) {
        INFO(key << "=" << value);
        CookOptions options;
        const Result<Unit> set = set_option(options, key, value);
        REQUIRE_FALSE(set.ok());
        CHECK(set.error().kind == ErrorKind::Usage);
        CHECK(set.error().message.find(key) != std::string::npos);
        CHECK_FALSE(set.error().remedy.empty());
        CHECK(options_json(options) == options_json({}));
    }
}

TEST_CASE("minus zero is zero, so that equal options have one text") {
    CookOptions options;
    REQUIRE(set_option(options, "mesh.position_tolerance", "-0").ok());
    CHECK(options_json(options) == options_json({}));
}

TEST_CASE("an unknown key names the nearest known one") {
    CookOptions options;
    const Result<Unit> typo = set_option(options, "mesh.positon_tolerance", "1");
    REQUIRE_FALSE(typo.ok());
    CHECK(typo.error().line() ==
          "unknown key 'mesh.positon_tolerance'; the nearest known key is 'mesh.position_tolerance'");
    const Result<Unit> part = set_option(options, "weight_bits", "8");
    REQUIRE_FALSE(part.ok());
    CHECK(part.error().remedy == "the nearest known key is 'skin.weight_bits'");
}

TEST_CASE("the edit distance counts inserts, deletes, replacements and swaps") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("kitten", "sitting") == 3);  // the textbook's example
    CHECK(edit_distance("cook", "coko") == 1);
    CHECK(edit_distance("ca", "abc") == 3);  // optimal string alignment; the unrestricted distance is 2
}

TEST_CASE("nothing is suggested for a word that is near to nothing") {
    const std::vector<std::string_view> verbs{"cook", "inspect"};
    CHECK(nearest("cok", verbs) == "cook");
    CHECK(nearest("transmogrify", verbs).empty());
}

TEST_CASE("the printed configuration reads back as the same options") {
    CookOptions options;
    REQUIRE(set_option(options, "mesh.position_tolerance", "0.0001").ok());
    REQUIRE(set_option(options, "skin.weight_bits", "8").ok());
    const test::TemporaryFolder folder;
    test::write_text(folder / "sinter.json", config_text(options));
    const Result<Config> config = read_config(folder / "sinter.json");
    REQUIRE(config.ok());
    const Result<CookOptions> read = options_of_asset(*config, {}, {}, {});
    REQUIRE(read.ok());
    CHECK(options_json(*read) == options_json(options));
}

TEST_CASE("the committed schema of the configuration is the one that the table makes") {
    // After a change of the table, SINTER_WRITE_SCHEMA=1 makes this test write the file anew.
    const std::string path = test::repository("schemas/config.schema.json");
    if (std::getenv("SINTER_WRITE_SCHEMA") != nullptr) test::write_text(path, config_schema_json());
    CHECK(test::read_text(path) == config_schema_json());
}
