#include "cli/depfile.hpp"
#include "run_program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <cstdlib>
#include <string>

using namespace sinter;
using test::run_sinter;

namespace {

// A .gltf whose buffer is the file with this percent-encoded URI.
std::string triangle_gltf(const std::string& uri) {
    return R"({"asset": {"version": "2.0"}, "buffers": [{"uri": ")" + uri + R"(", "byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                       "min": [0, 0, 0], "max": [1, 1, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}], "scene": 0})";
}

std::string triangle_bin() {
    const float values[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    return {reinterpret_cast<const char*>(values), sizeof(values)};
}

// What a build tool says, and 0 or not.
int run_tool(const test::TemporaryFolder& folder, const std::string& command, std::string& said) {
    const std::string log = (folder / "tool.log").string();
    const int code =
        std::system(("cd '" + folder.path().string() + "' && " + command + " > '" + log + "' 2>&1").c_str());
    said = test::read_text(log);
    return code;
}

void touch_later(const std::filesystem::path& path) {
    std::filesystem::last_write_time(path,
                                     std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
}

}  // namespace

TEST_CASE("paths are escaped as make and ninja read them") {
    CHECK(*escape_depfile_path("a/b.glb") == "a/b.glb");
    CHECK(*escape_depfile_path("a b#c$d") == "a\\ b\\#c$$d");
    CHECK(*escape_depfile_path("a\\b") == "a\\b");
    CHECK(*escape_depfile_path("a\\ b") == "a\\\\\\ b");
    CHECK(*escape_depfile_path("h\xC3\xA9") == "h\xC3\xA9");
    CHECK_FALSE(escape_depfile_path("a\nb").ok());
    CHECK(*depfile_text({{"o.sinter", {"b", "a", "b"}}}) == "o.sinter: \\\n  a \\\n  b\n");
}

TEST_CASE("the depfile names every file that was read, configuration and manifest included") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "in/t.gltf", triangle_gltf("t%20data.bin"));
    test::write_text(folder / "in/t data.bin", triangle_bin());
    test::write_text(folder / "c.json", R"({"schema": "sinter-config/1"})");
    test::write_text(folder / "m.json",
                     R"({"schema": "sinter-manifest/1", "assets": [{"input": "in/*.gltf"}]})");
    const test::RunResult result =
        run_sinter({"cook", "--manifest", "m.json", "--config", "c.json", "--depfile", "d.d", "-q"},
                   {.folder = folder.path()});
    CHECK(result.exit_code == 0);
    CHECK(test::read_text(folder / "d.d") ==
          "t.sinter: \\\n  c.json \\\n  in/t\\ data.bin \\\n  in/t.gltf \\\n  m.json\n");
}

TEST_CASE("make and ninja cook again when a file with a difficult name changes") {
    const test::TemporaryFolder folder;
    const std::string bin = "d\xC3\xA9 $x #1: %b.bin";
    test::write_text(folder / "t.gltf", triangle_gltf("d%C3%A9%20%24x%20%231%3A%20%25b.bin"));
    test::write_text(folder / bin, triangle_bin());
    const std::string command = test::program() + " cook t.gltf -q --depfile t.d";
    test::write_text(folder / "build.ninja",
                     "rule cook\n  command = " + command +
                         "\n  depfile = t.d\n  deps = gcc\nbuild t.sinter: cook t.gltf\n");
    test::write_text(folder / "Makefile", "t.sinter: t.gltf\n\t" + command + "\n-include t.d\n");
    for (const std::string tool : {"ninja", "make"}) {
        std::string said;
        std::filesystem::remove(folder / "t.sinter");
        if (run_tool(folder, tool + " --version", said) != 0) {
            WARN(tool << " is not installed, so its reading of depfiles is not tested");
            continue;
        }
        const std::string idle = tool == "ninja" ? "no work to do" : "is up to date";
        REQUIRE(run_tool(folder, tool, said) == 0);
        INFO(tool << ": " << test::read_text(folder / "t.d"));
        run_tool(folder, tool, said);
        CHECK(said.find(idle) != std::string::npos);
        touch_later(folder / bin);
        run_tool(folder, tool, said);
        CHECK(said.find(idle) == std::string::npos);
        std::filesystem::last_write_time(folder / bin, std::filesystem::file_time_type::clock::now() -
                                                           std::chrono::hours(1));
    }
}

TEST_CASE("a failed asset is not in the depfile") {
    const test::TemporaryFolder folder;
    test::write_text(folder / "bad.gltf", "{}");
    const test::RunResult result =
        run_sinter({"cook", "bad.gltf", test::kTiny, "--depfile", "d.d", "-q"}, {.folder = folder.path()});
    CHECK(result.exit_code == 3);
    CHECK(test::read_text(folder / "d.d") ==
          "tiny.sinter: \\\n  " + *escape_depfile_path(test::kTiny) + "\n");
}
