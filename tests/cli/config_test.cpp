#include "cli/asset_job.hpp"
#include "cli/config.hpp"
#include "cli/run_options.hpp"
#include "run_program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace sinter;

namespace {

std::string error_of_config(const std::string& text) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "c.json", text);
    const Result<Config> config = read_config(folder / "c.json");
    if (config.ok()) return "none";
    const std::string line = config.error().line();
    const std::string path = (folder / "c.json").string();
    REQUIRE(line.starts_with(path));
    CHECK(config.error().kind == ErrorKind::Usage);
    return "c.json" + line.substr(path.size());
}

CookOptions options_for(const Config& config, const std::filesystem::path& asset,
                        const std::vector<std::string>& more = {},
                        const std::vector<std::string>& sets = {}) {
    std::vector<Setting> settings[2];
    for (const std::string& text : more) settings[0].push_back(*parse_set(text));
    for (const std::string& text : sets) settings[1].push_back(*parse_set(text));
    return *options_of_asset(config, asset, settings[0], settings[1]);
}

}  // namespace

TEST_CASE("a wrong configuration names the line, the key and the nearest known one") {
    CHECK(error_of_config("{\n \"schema\": \"sinter-config/1\",\n \"options\": {\n  \"mesh\": {\n"
                          "   \"make_tangent\": false\n  }\n }\n}\n") ==
          "c.json:5: unknown key 'mesh.make_tangent'; the nearest known key is 'mesh.make_tangents'");
    CHECK(error_of_config("{\n \"schema\": \"sinter-config/1\",\n \"optons\": {}\n}") ==
          "c.json:3: unknown key 'optons'; the nearest known key is 'options'");
    CHECK(error_of_config("{\"schema\": \"sinter-config/1\",\n\"options\": {\n\"skim\": {}}}") ==
          "c.json:3: unknown group 'skim'; the nearest known one is 'skin'");
    CHECK(
        error_of_config("{\"schema\": \"sinter-config/1\",\n\"options\": {\n\"skin.max_influences\": 4}}") ==
        "c.json:3: unknown group 'skin.max_influences'; write \"skin\": {\"max_influences\": ...}");
    CHECK(error_of_config(
              "{\"schema\": \"sinter-config/1\", \"rules\": [\n{\"match\": \"*\",\n\"option\": {}}]}") ==
          "c.json:3: unknown key 'option'; the nearest known key is 'options'");
}

TEST_CASE("a wrong value in a configuration names the line and the rule") {
    const std::string head = "{\"schema\": \"sinter-config/1\", \"options\": {\"skin\": {\n";
    CHECK(error_of_config(head + "\"max_influences\": 9}}}") ==
          "c.json:2: '9' is no value for 'skin.max_influences'; it takes a whole number in [1, 8]");
    CHECK(error_of_config(head + "\"max_influences\": \"4\"}}}") ==
          "c.json:2: 'skin.max_influences' is a string; it takes a number");
    CHECK(error_of_config(head + "\"max_influences\":\n4,\n\"max_influences\": 5}}}") ==
          "c.json:4: the key 'max_influences' stands twice in one object");
}

TEST_CASE("text that is not JSON names its line") {
    CHECK(error_of_config("{\n\"schema\": tru\n}").starts_with("c.json:2: not JSON: "));
    CHECK(error_of_config("{\n\"schema\": \"sinter-config/1\",\n}").starts_with("c.json:3: not JSON: "));
    CHECK(error_of_config("{\n// comment\n}").starts_with("c.json:2: not JSON: "));
    CHECK(error_of_config("").starts_with("c.json:1: not JSON: "));
    CHECK(error_of_config("[1, 2]") == "c.json:1: the file is an array; it must be an object");
    CHECK(error_of_config("{}") ==
          "c.json:1: the key 'schema' is missing; add \"schema\": \"sinter-config/1\"");
    CHECK(error_of_config("{\"schema\": \"sinter-config/2\"}") ==
          "c.json:1: the schema is 'sinter-config/2'; this version reads 'sinter-config/1'");
    CHECK(error_of_config(std::string(100000, '[')) == "c.json:1: nested deeper than 64");
}

TEST_CASE("defaults, file, rules in order, the manifest's options and --set follow each other") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "sinter.json", R"({"schema": "sinter-config/1",
        "options": {"skin": {"max_influences": 7}, "package": {"zstd_level": 2}},
        "rules": [{"match": "characters/**/*.glb", "options": {"skin": {"max_influences": 6}}},
                  {"match": "hero.*", "options": {"skin": {"max_influences": 5}}},
                  {"match": "props/*", "options": {"package": {"compression": "raw"}}}]})");
    const Result<Config> config = read_config(folder / "sinter.json");
    REQUIRE(config.ok());
    const auto influences = [&](const std::filesystem::path& asset, const std::vector<std::string>& more = {},
                                const std::vector<std::string>& sets = {}) {
        return options_for(*config, folder / asset, more, sets).skin.max_influences;
    };
    CHECK(influences("x.glb") == 7);
    CHECK(influences("characters/x.glb") == 6);
    CHECK(influences("characters/a/b/x.glb") == 6);
    CHECK(influences("characters/a/hero.glb") == 5);  // the later rule wins
    CHECK(influences("anywhere/hero.fbx") == 5);      // no slash: the file name, in any folder
    CHECK(influences("characters/a/hero.glb", {"skin.max_influences=4"}) == 4);
    CHECK(influences("characters/a/hero.glb", {"skin.max_influences=4"}, {"skin.max_influences=3"}) == 3);
    CHECK(options_for(*config, folder / "props/x.obj").package.compression == SectionCompression::Raw);
    CHECK(options_for(*config, folder / "props/a/x.obj").package.compression == SectionCompression::Zstd);
    CHECK(options_for(*config, folder / "props/x.obj").package.zstd_level == 2);
}

TEST_CASE("rules are relative to the configuration's folder, whatever the working folder is") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "art/sinter.json", R"({"schema": "sinter-config/1",
        "rules": [{"match": "heroes/*.glb", "options": {"skin": {"max_influences": 2}}},
                  {"match": "../shared/*.glb", "options": {"skin": {"max_influences": 3}}}]})");
    const Result<Config> config = read_config(folder / "art/sinter.json");
    REQUIRE(config.ok());
    CHECK(options_for(*config, folder / "art/heroes/a.glb").skin.max_influences == 2);
    CHECK(options_for(*config, folder / "art/../art/./heroes/a.glb").skin.max_influences == 2);
    CHECK(options_for(*config, folder / "heroes/a.glb").skin.max_influences == 8);
    CHECK(options_for(*config, folder / "shared/a.glb").skin.max_influences == 3);
}

TEST_CASE("option --set needs a key and a value that fits") {
    CHECK(parse_set("mesh.make_tangents=false").ok());
    CHECK(parse_set("nonsense").error().line() ==
          "--set: 'nonsense' is not key=value; for example --set mesh.make_tangents=false");
    CHECK_FALSE(parse_set("=1").ok());
    CHECK_FALSE(parse_set("mesh.make_tangents=").ok());
}

TEST_CASE("a manifest's globs are expanded in order and sorted, options included") {
    const test::TemporaryFolder folder;
    for (const char* name : {"b/2.glb", "a/1.glb", "a/deep/3.glb", "a/1.bin", "one.obj"}) {
        test::write_text(folder / name, "x");
    }
    test::write_text(folder / "m.json", R"({"schema": "sinter-manifest/1", "out_dir": "cooked", "assets": [
        {"input": "one.obj", "output": "first.sinter"},
        {"input": "**/*.glb", "options": {"skin": {"max_influences": 2}}},
        {"input": "none/*.fbx"}]})");
    const Result<Manifest> manifest = read_manifest(folder / "m.json");
    REQUIRE(manifest.ok());
    CHECK(*manifest->out_dir == folder / "cooked");
    REQUIRE(manifest->assets.size() == 5);
    CHECK(manifest->assets[0].input == folder / "one.obj");
    CHECK(*manifest->assets[0].output == "first.sinter");
    CHECK(manifest->assets[1].input == folder / "a/1.glb");
    CHECK(manifest->assets[2].input == folder / "a/deep/3.glb");
    CHECK(manifest->assets[3].input == folder / "b/2.glb");
    CHECK(manifest->assets[3].settings.size() == 1);
    CHECK(manifest->assets[4].no_match);
}

TEST_CASE("a wrong manifest names its line") {
    const test::TemporaryFolder folder;
    const auto error_of = [&](const std::string& text) {
        test::write_text(folder / "m.json", text);
        const Result<Manifest> manifest = read_manifest(folder / "m.json");
        return manifest.ok() ? "none" : manifest.error().line().substr(folder.path().string().size() + 1);
    };
    CHECK(error_of("{\"schema\": \"sinter-manifest/1\"}") == "m.json:1: 'assets' must be an array");
    CHECK(error_of("{\"schema\": \"sinter-manifest/1\",\n\"assets\": [\n{\"imput\": \"a\"}]}") ==
          "m.json:3: unknown key 'imput'; the nearest known key is 'input'");
    CHECK(error_of("{\"schema\": \"sinter-manifest/1\",\n\"assets\": [\n{}]}") ==
          "m.json:3: an asset needs 'input'; for example {\"input\": \"heroes/*.glb\"}");
    test::write_text(folder / "a.glb", "x");
    test::write_text(folder / "b.glb", "x");
    CHECK(
        error_of(
            "{\"schema\": \"sinter-manifest/1\",\n\"assets\": [{\"input\": \"*.glb\",\"output\":\"x\"}]}") ==
        "m.json:2: '*.glb' matches 2 files, and 'output' names one; leave 'output' out");
}

TEST_CASE("sizes, durations and thread counts are read with their units") {
    CHECK(*parse_size("512M") == std::uint64_t{512} << 20);
    CHECK(*parse_size("8G") == std::uint64_t{8} << 30);
    CHECK(*parse_size("1.5GiB") == std::uint64_t{3} << 29);
    CHECK(*parse_size("16777216") == std::uint64_t{16} << 20);
    CHECK(*parse_size("64mB") == std::uint64_t{64} << 20);
    for (const char* bad : {"", "G", "-1G", "1X", "1GG", "nan", "1M", "1e30"}) {
        INFO(bad);
        CHECK_FALSE(parse_size(bad).ok());
    }
    CHECK(*parse_duration("600") == 600);
    CHECK(*parse_duration("0.5s") == 0.5);
    CHECK(*parse_duration("2m") == 120);
    CHECK(*parse_duration("1h") == 3600);
    for (const char* bad : {"", "0", "-1", "s", "10d", "inf"}) {
        INFO(bad);
        CHECK_FALSE(parse_duration(bad).ok());
    }
    CHECK(*parse_jobs("8") == 8);
    for (const char* bad : {"", "0", "-1", "1.5", "5000", "two"}) {
        INFO(bad);
        CHECK_FALSE(parse_jobs(bad).ok());
    }
}
