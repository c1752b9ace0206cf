#include "cli/asset_result.hpp"
#include "cli/json_reader.hpp"
#include "run_program.hpp"
#include "schema_check.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace sinter;
using test::kCreature;
using test::kTiny;
using test::run_sinter;

namespace {

JsonValue parsed(const std::string& text) {
    const auto value = parse_json(text, "report");
    REQUIRE(value.ok());
    return *value;
}

// The report without its "run" part, which is its last.
std::string without_run(const std::string& report) { return report.substr(0, report.find("\"run\":")); }

}  // namespace

TEST_CASE("every schema has an absolute $id, and every reference in it leads somewhere") {
    CHECK(test::schema_reference_problem().empty());
}

TEST_CASE("the report obeys its schema, for assets that are cooked and that fail") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "bad.gltf", "{}");
    test::write_text(folder / "w.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 2\n");
    const test::RunResult result =
        run_sinter({"cook", kCreature, "bad.gltf", "none.glb", "w.obj", "-q", "--report", "r.json"},
                   {.folder = folder.path()});
    CHECK(result.exit_code == 3);
    const JsonValue report = parsed(test::read_text(folder / "r.json"));
    CHECK(test::schema_problem(report, "urn:sinter:schema:report:1").empty());
    CHECK(report.find("exit_code")->text == "3");
    const auto& assets = report.find("assets")->items;
    REQUIRE(assets.size() == 4);
    CHECK(assets[0].find("status")->text == "cooked");
    CHECK(assets[0].find("output")->text == "creature.sinter");
    const JsonValue& facts = *assets[0].find("facts");
    // fixtures/fixtures.json has the same numbers from the generator.
    CHECK(facts.find("triangles")->text == "6420");
    CHECK(facts.find("bones")->text == "31");
    CHECK(facts.find("clips")->text == "5");
    CHECK(facts.find("blend_shapes")->text == "5");
    CHECK(count_of(*facts.find("source_bytes")) == std::filesystem::file_size(kCreature));
    CHECK(count_of(*facts.find("package_bytes")) == std::filesystem::file_size(folder / "creature.sinter"));
    CHECK(assets[1].find("status")->text == "failed");
    CHECK(assets[1].find("errors")->items.front().find("kind")->text == "invalid-input");
    CHECK(assets[2].find("exit_code")->text == "2");
    CHECK(assets[3].find("issues")->items.front().find("code")->text == "1003");
}

TEST_CASE("stdout of --format json is the report that --report writes") {
    const test::TemporaryFolder folder;
    const test::RunResult result =
        run_sinter({"cook", kTiny, "--format", "json", "--report", "r.json"}, {.folder = folder.path()});
    CHECK(result.out == test::read_text(folder / "r.json"));
    CHECK(result.out.find("\"run\":") != std::string::npos);
}

TEST_CASE("outside of 'run' two reports of the same inputs are equal, for any -j") {
    const test::TemporaryFolder folder;
    const auto report = [&](const std::string& jobs) {
        return without_run(run_sinter({"cook", kTiny, kCreature, "-q", "--format", "json", "-j", jobs},
                                      {.folder = folder.path()})
                               .out);
    };
    const std::string one = report("1");
    CHECK(one.size() > 1000);
    CHECK(report("2") == one);
    CHECK(report("8") == one);
}

TEST_CASE("the report shows the digest of the input") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "abc.obj", "abc");
    const test::RunResult result =
        run_sinter({"cook", "abc.obj", "-q", "--format", "json"}, {.folder = folder.path()});
    // SHA-256 of "abc": FIPS 180-2, appendix B.1.
    CHECK(result.out.find("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") !=
          std::string::npos);
}

TEST_CASE("a report that cannot be written makes the run fail, and the package stays") {
    const test::TemporaryFolder folder;
    const test::RunResult result =
        run_sinter({"cook", kTiny, "-q", "--report", "/dev/full"}, {.folder = folder.path()});
    CHECK(result.exit_code == 2);
    CHECK(result.err == "error: /dev/full: cannot be written: No space left on device; free some space\n");
    CHECK(folder.files() == std::vector<std::string>{"tiny.sinter"});
}

TEST_CASE("what a worker tells arrives as it was, with any bytes in its texts") {
    AssetResult sent;
    sent.error = Error{ErrorKind::InvalidInput, "h\xE9 % \x01.glb", "100% \"wrong\"\n", "caf\xC3\xA9", 1002};
    sent.issues.push_back({IssueCode::DegenerateTriangles, Severity::Warning, "mesh 0 '\xFF'", "%41", 7});
    sent.issues.push_back({IssueCode::DuplicateNames, Severity::Info, "", "", 1});
    sent.files.push_back({"dir/\xE9.glb", "\xE9.glb", 123456789012345, std::string(64, 'a')});
    sent.facts.content_root = std::string(64, 'b');
    double number = 0.1;
    visit_facts(sent.facts, [&](std::string_view, auto& value) {
        number *= 1.7;
        value = static_cast<std::remove_cvref_t<decltype(value)>>(number * 100);
    });
    const Result<AssetResult> received = decode_result(encode_result(sent));
    REQUIRE(received.ok());
    REQUIRE(received->error);
    CHECK(received->error->kind == sent.error->kind);
    CHECK(received->error->line() == sent.error->line());
    CHECK(received->error->code == 1002);
    REQUIRE(received->issues.size() == 2);
    CHECK(received->issues[0].where == sent.issues[0].where);
    CHECK(received->issues[0].message == "%41");
    CHECK(received->issues[0].count == 7);
    CHECK(received->issues[1].severity == Severity::Info);
    REQUIRE(received->files.size() == 1);
    CHECK(received->files[0].path == sent.files[0].path);
    CHECK(received->files[0].bytes == 123456789012345);
    CHECK(received->facts.content_root == sent.facts.content_root);
    CHECK(encode_result(*received) == encode_result(sent));
}
