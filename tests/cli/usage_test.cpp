#include "cli/json_reader.hpp"
#include "run_program.hpp"
#include "schema_check.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace sinter;
using test::run_sinter;

namespace {

using Names = std::vector<std::string>;

struct Case {
    Names arguments;
    std::string line;
};

}  // namespace

TEST_CASE("a misspelt verb or option is a usage error that names the nearest one") {
    const std::vector<Case> cases{
        {{}, "error: no verb; `sinter --help` lists them\n"},
        {{"cok"}, "error: unknown verb 'cok'; did you mean 'cook'?\n"},
        {{"transmogrify"}, "error: unknown verb 'transmogrify'; `sinter --help` lists them\n"},
        {{"cook", "--colr", "never", "a.glb"},
         "error: unknown option '--colr'; did you mean '--color'?; `sinter cook --help` lists all options\n"},
        {{"cook"}, "error: no input; name an asset, for example: sinter cook hero.glb\n"},
        {{"cook", "a.glb", "--set", "mesh.make_tangent=true"},
         "error: --set: unknown key 'mesh.make_tangent'; the nearest known key is 'mesh.make_tangents'\n"},
        {{"cook", "a.glb", "--set", "skin.max_influences=99"},
         "error: --set: '99' is no value for 'skin.max_influences'; it takes a whole number in [1, 8]\n"},
        {{"cook", "a.glb", "-j", "0"},
         "error: -j: '0' is no value for it; it takes a whole number from 1 to 4096\n"},
        {{"cook", "a.glb", "-Wall"}, "error: -W: 'all' is no value for it; it takes error\n"},
        {{"cook", "a.glb", "--max-memory", "lots"},
         "error: --max-memory: 'lots' is no value for it; it takes a size such as 512M or 8G, at least "
         "16M\n"},
        {{"cook", "a.glb", "--format", "yaml"},
         "error: --format is 'yaml', not text or json; `sinter cook --help` lists all options\n"},
        {{"cook", "a.glb", "-q", "-v"},
         "error: -q and -v exclude each other; `sinter cook --help` lists all options\n"},
        {{"cook", ""}, "error: an argument is empty; `sinter cook --help` lists all options\n"},
        {{"validate", "a", ""}, "error: an argument is empty; `sinter validate --help` lists all options\n"},
        {{"inspect", ""}, "error: an argument is empty; `sinter inspect --help` lists all options\n"},
        {{"diff", "a", "b", "--ignore", ""},
         "error: --ignore has an empty value; `sinter diff --help` lists all options\n"},
        {{"inspect", "a", "--stable", "--format", "json"},
         "error: --stable: it is about text, not --format json; `sinter diff --format json` compares two "
         "packages by content\n"},
        {{"version", "extra"},
         "error: unexpected argument 'extra'; `sinter version --help` lists all options\n"},
        {{"cook-worker"}, "error: cook-worker is started by sinter cook only; use sinter cook\n"}};
    for (const Case& wrong : cases) {
        const test::RunResult result = run_sinter(wrong.arguments);
        CHECK(result.exit_code == 1);
        CHECK(result.err == wrong.line);
        CHECK(result.out.empty());
    }
}

TEST_CASE("an option with an empty value is a usage error that names it") {
    for (const std::string option : {"--config", "--output", "--out-dir", "--report", "--manifest",
                                     "--depfile", "--set", "--max-time"}) {
        const test::RunResult result = run_sinter({"cook", "a.glb", option, ""});
        CHECK(result.exit_code == 1);
        CHECK(result.err ==
              "error: " + option + " has an empty value; `sinter cook --help` lists all options\n");
    }
    CHECK(run_sinter({"cook", "a.glb", "--out-dir="}).exit_code == 1);
    CHECK(run_sinter({"cook", "a.glb", "-o", ""}).exit_code == 1);
}

TEST_CASE("outputs that clash are told before anything is cooked") {
    const test::TemporaryFolder folder;
    const std::string tiny = test::read_text(test::kTiny);
    test::write_text(folder / "a/hero.glb", tiny);
    test::write_text(folder / "b/hero.glb", tiny);
    const std::vector<Case> cases{
        {{"cook", "a/hero.glb", "b/hero.glb"},
         "error: 'a/hero.glb' and 'b/hero.glb' would both write 'hero.sinter'; name the outputs in a "
         "--manifest, or "
         "cook them into two folders\n"},
        {{"cook", "a/hero.glb", "b/hero.glb", "-o", "x.sinter"},
         "error: -o names one file, and there are 2 inputs; use --out-dir for several\n"},
        {{"cook", "a/hero.glb", "-o", "a/../a/hero.glb"},
         "error: 'a/hero.glb' would overwrite the input 'a/hero.glb'; give another output\n"},
        {{"cook", "a/hero.glb", "a/../a/hero.glb"},
         "error: 'a/../a/hero.glb' is given twice; name it once\n"},
        {{"cook", "a/hero.glb", "-o", "x", "--out-dir", "y"},
         "error: -o and --out-dir exclude each other; give one of them\n"},
        {{"cook", "a/hero.glb", "--report", "hero.sinter"},
         "error: --report or --depfile and 'a/hero.glb' would both write 'hero.sinter'; name the outputs in "
         "a "
         "--manifest, or cook them into two folders\n"}};
    for (const Case& wrong : cases) {
        const test::RunResult result = run_sinter(wrong.arguments, {.folder = folder.path()});
        CHECK(result.exit_code == 1);
        CHECK(result.err == wrong.line);
    }
    CHECK(folder.files() == std::vector<std::string>{"a/hero.glb", "b/hero.glb"});
}

TEST_CASE("a manifest writes below the output folder only") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "in/hero.glb", test::read_text(test::kTiny));
    const auto cook_to = [&](const std::string& output) {
        test::write_text(folder / "in/m.json",
                         "{\"schema\": \"sinter-manifest/1\", \"out_dir\": \"out\", \"assets\": [\n"
                         "{\"input\": \"hero.glb\",\n\"output\": \"" +
                             output + "\"}]}");
        return run_sinter({"cook", "--manifest", "in/m.json", "-q"}, {.folder = folder.path()});
    };
    const std::string absolute = (folder / "esc.sinter").string();
    for (const std::string& output : Names{"../esc.sinter", "a/../../esc.sinter", "..", absolute}) {
        const test::RunResult result = cook_to(output);
        CHECK(result.exit_code == 1);
        CHECK(result.err == "error: in/m.json:3: 'output' is '" + output +
                                "', which is outside of the output folder; give a path below it; 'out_dir' "
                                "and --out-dir say where it is\n");
    }
    for (const std::string& output : Names{"sub/", "."}) {
        CHECK(cook_to(output).err == "error: in/m.json:3: 'output' is '" + output +
                                         "', which names a folder; give the package's name too\n");
    }
    CHECK(folder.files() == std::vector<std::string>{"in/hero.glb", "in/m.json"});
    CHECK(cook_to("a/../b.sinter").exit_code == 0);
    CHECK(std::filesystem::exists(folder / "in/out/b.sinter"));
}

TEST_CASE("help starts with examples, fits a screen, and goes to stdout") {
    for (const std::string& verb : {std::string("cook"), std::string("version"), std::string()}) {
        const test::RunResult result = verb.empty() ? run_sinter({"--help"}) : run_sinter({verb, "--help"});
        CHECK(result.exit_code == 0);
        CHECK(result.err.empty());
        const std::size_t examples = result.out.find("Examples\n");
        REQUIRE(examples != std::string::npos);
        CHECK(examples < result.out.find(verb.empty() ? "Verbs\n" : "Options\n"));
        CHECK(std::count(result.out.begin(), result.out.end(), '\n') <= 40);
        std::size_t longest = 0;
        for (std::size_t at = 0; at < result.out.size();) {
            const std::size_t end = result.out.find('\n', at);
            longest = std::max(longest, end - at);
            at = end + 1;
        }
        CHECK(longest <= 100);
        CHECK(result.out.find("cook-worker") == std::string::npos);
    }
}

TEST_CASE("version tells the program, the format and the libraries, as text and as JSON") {
    const test::RunResult text = run_sinter({"version"});
    CHECK(text.exit_code == 0);
    CHECK(text.out.starts_with("sinter 0."));
    CHECK(text.out.find("\npackage format 0.3\n") != std::string::npos);
    CHECK(text.out.find("\nzstd 1.") != std::string::npos);
    CHECK(run_sinter({"--version"}).out == text.out);
    const test::RunResult json = run_sinter({"version", "--format", "json"});
    const auto value = parse_json(json.out, "stdout");
    REQUIRE(value.ok());
    CHECK(test::schema_problem(*value, "urn:sinter:schema:version:1").empty());
}

TEST_CASE("the effective configuration of an asset is printed, rules included") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "sinter.json", R"({"schema": "sinter-config/1", "rules": [
        {"match": "hero/*", "options": {"skin": {"max_influences": 4}}}]})");
    const test::RunResult hero = run_sinter({"cook", "hero/a.glb", "--config", "sinter.json",
                                             "--print-config", "--set", "mesh.position_tolerance=0.0001"},
                                            {.folder = folder.path()});
    CHECK(hero.exit_code == 0);
    CHECK(hero.out.find("\"max_influences\": 4,\n") != std::string::npos);
    CHECK(hero.out.find("\"position_tolerance\": 0.0001,\n") != std::string::npos);
    const auto value = parse_json(hero.out, "stdout");
    REQUIRE(value.ok());
    CHECK(test::schema_problem(*value, "urn:sinter:schema:config:1").empty());
    const test::RunResult none =
        run_sinter({"cook", "--config", "sinter.json", "--print-config"}, {.folder = folder.path()});
    CHECK(none.out.find("\"max_influences\": 8,\n") != std::string::npos);
    CHECK(run_sinter({"cook", "a", "b", "--print-config"}, {.folder = folder.path()}).exit_code == 1);
}

TEST_CASE("a configuration that is missing is an I/O error, a wrong one a usage error with its line") {
    const test::TemporaryFolder folder;
    const test::RunResult missing =
        run_sinter({"cook", "a.glb", "--config", "none.json"}, {.folder = folder.path()});
    CHECK(missing.exit_code == 2);
    CHECK(missing.err == "error: none.json: cannot be read: No such file or directory\n");
    test::write_text(folder / "c.json",
                     "{\"schema\": \"sinter-config/1\",\n\"options\": {\"mesh\": {\n\"hard_edge\": 3}}}");
    const test::RunResult wrong =
        run_sinter({"cook", "a.glb", "--config", "c.json"}, {.folder = folder.path()});
    CHECK(wrong.exit_code == 1);
    CHECK(wrong.err.starts_with("error: c.json:3: unknown key 'mesh.hard_edge'; "));
}

TEST_CASE("colours come only when they are asked for or seen") {
    CHECK(run_sinter({"cook", "--color", "always"}).err.starts_with("\x1b["));
    CHECK(run_sinter({"cook", "--color", "never"}).err.starts_with("error: "));
    CHECK(run_sinter({"cook"}).err.starts_with("error: "));  // not a terminal
}

TEST_CASE("stdout that cannot be written is an I/O error") {
    const test::RunResult result =
        run_sinter({"version"}, {.wrapper = {"sh", "-c", "exec \"$0\" \"$@\" > /dev/full"}});
    CHECK(result.exit_code == 2);
    CHECK(result.err == "error: cannot write to stdout: No space left on device\n");
}
