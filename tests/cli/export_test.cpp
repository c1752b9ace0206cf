// sinter export as users run it: what it writes and prints, and how it fails.
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

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("export --gltf writes NAME.glb into a folder that it makes, and says what stands in it") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    cook(test::repository("fixtures/prop.glb"), here);
    const test::RunResult result =
        run_sinter({"export", "prop.sinter", "--gltf", "--out-dir", "a/b", "--level", "1"}, here);
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    CHECK(result.out.starts_with("prop.sinter -> a/b/prop.glb, "));
    CHECK(contains(result.out, "\n  full detail   812 triangles\n  level 1       "));
    CHECK(test::read_text(folder / "a/b/prop.glb").starts_with("glTF"));
    REQUIRE(run_sinter({"cook", "a/b/prop.glb", "-q", "-o", "again.sinter"}, here).exit_code == 0);

    const test::RunResult quiet = run_sinter({"export", "prop.sinter", "--gltf", "-q"}, here);
    CHECK(quiet.exit_code == 0);
    CHECK(quiet.out.empty());
    CHECK(quiet.err.empty());
    CHECK(std::filesystem::exists(folder / "prop.glb"));

    const test::RunResult json = run_sinter(
        {"export", "prop.sinter", "--gltf", "--lod-error", "0.05", "--levels", "--format", "json"}, here);
    CHECK(json.exit_code == 0);
    const auto value = parse_json(json.out, "stdout");
    REQUIRE(value.ok());
    const std::string problem = test::schema_problem(*value, "urn:sinter:schema:export:1");
    INFO(problem);
    CHECK(problem.empty());
    CHECK(contains(json.out, "\"name\": \"error 0.05\""));
}

TEST_CASE("export fails with one line and the right exit code, and leaves no file") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    cook(test::kTiny, here);
    std::string damaged = test::read_text(folder / "tiny.sinter");
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
    test::write_text(folder / "damaged.sinter", damaged);
    test::write_text(folder / "file", "no folder");
    test::write_text(folder / "tiny.glb", "as it was");
    const std::vector<std::string> before = folder.files();
    const auto check = [&](int exit_code, const std::string& part, std::vector<std::string> words) {
        words.insert(words.begin(), "export");
        const test::RunResult result = run_sinter(words, here);
        INFO(result.err);
        CHECK(result.exit_code == exit_code);
        CHECK(result.out.empty());
        CHECK(result.err.starts_with("error: "));
        CHECK(contains(result.err, part));
        CHECK(result.err.find('\n') == result.err.size() - 1);
    };
    check(1, "--gltf writes meshes", {"tiny.sinter"});
    check(1, "0 packages given", {"--gltf"});
    check(1, "2 packages given", {"--gltf", "tiny.sinter", "tiny.sinter"});
    check(1, "'two' is no level", {"--gltf", "tiny.sinter", "--level", "two"});
    check(1, "'-1' is no level", {"--gltf", "tiny.sinter", "--level=-1"});
    check(1, "'nan' is no length", {"--gltf", "tiny.sinter", "--lod-error", "nan"});
    check(1, "levels 0 to ", {"--gltf", "tiny.sinter", "--level", "9"});
    check(5, "--vat: not built yet", {"tiny.sinter", "--vat"});
    check(5, "--blend-shapes: not built yet", {"tiny.sinter", "--blend-shapes", "--gltf"});
    check(2, "missing.sinter: ", {"--gltf", "missing.sinter"});
    check(8, "damaged.sinter: ", {"--gltf", "damaged.sinter"});
    check(2, "file: ", {"--gltf", "tiny.sinter", "--out-dir", "file"});
    CHECK(folder.files() == before);
    CHECK(test::read_text(folder / "tiny.glb") == "as it was");
}
