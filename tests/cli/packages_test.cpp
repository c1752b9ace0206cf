// inspect, validate and diff on packages that were cooked, damaged or compared.
#include "cli/counted.hpp"
#include "cli/json_reader.hpp"
#include "run_program.hpp"
#include "schema_check.hpp"

#include <sinter/formats/reader.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace sinter;
using test::kCreature;
using test::kTiny;
using test::run_sinter;

namespace {

// Changes the first byte of a section.
void damage(const std::filesystem::path& path, SectionType type) {
    std::string text = test::read_text(path);
    const auto view = PackageView::open(std::as_bytes(std::span(text)));
    REQUIRE(view.ok());
    const TocEntry* entry = view->find(type, 0);
    REQUIRE(entry != nullptr);
    text[entry->offset] = static_cast<char>(text[entry->offset] ^ 1);
    test::write_text(path, text);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("counts come with their noun in singular or plural") {
    CHECK(counted(0, "node") == "0 nodes");
    CHECK(counted(1, "node") == "1 node");
    CHECK(counted(1234567, "node") == "1,234,567 nodes");
    CHECK(counted(1, "vertex", "vertices") == "1 vertex");
    CHECK(counted(2, "vertex", "vertices") == "2 vertices");
    CHECK(count_text(999) == "999");
    CHECK(count_text(1000) == "1,000");
}

TEST_CASE("inspect --sections marks a damaged section and ends with exit code 8; inspect alone reads the "
          "manifest") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    REQUIRE(run_sinter({"cook", kTiny, "-q"}, here).exit_code == 0);
    const test::RunResult whole = run_sinter({"inspect", "tiny.sinter", "--sections"}, here);
    CHECK(whole.exit_code == 0);
    CHECK_FALSE(contains(whole.out, "DAMAGED"));
    damage(folder / "tiny.sinter", SectionType::PageData);
    CHECK(run_sinter({"inspect", "tiny.sinter"}, here).exit_code == 0);

    const test::RunResult text = run_sinter({"inspect", "tiny.sinter", "--sections"}, here);
    CHECK(text.exit_code == 8);
    CHECK(text.out.find("DAMAGED") > text.out.find("section page_data"));
    CHECK(text.out.find("DAMAGED") < text.out.find("section mesh_normals"));
    CHECK(text.err.starts_with("error: tiny.sinter: 1 of "));

    const test::RunResult json =
        run_sinter({"inspect", "tiny.sinter", "--sections", "--format", "json"}, here);
    CHECK(json.exit_code == 8);
    const auto value = parse_json(json.out, "stdout");
    REQUIRE(value.ok());
    const std::string problem = test::schema_problem(*value, "urn:sinter:schema:inspect:1");
    INFO(problem);
    CHECK(problem.empty());
    CHECK(contains(json.out, "\"damaged\": true"));
    CHECK(contains(json.out, "\"damaged\": false"));
}

TEST_CASE("inspect and diff tell a damaged manifest by name, with exit code 8") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    REQUIRE(run_sinter({"cook", kTiny, "-q"}, here).exit_code == 0);
    REQUIRE(run_sinter({"cook", kTiny, "-q", "-o", "bad.sinter"}, here).exit_code == 0);
    damage(folder / "bad.sinter", SectionType::Manifest);
    const std::vector<std::vector<std::string>> runs{{"inspect", "bad.sinter"},
                                                     {"inspect", "bad.sinter", "--format", "json"},
                                                     {"diff", "tiny.sinter", "bad.sinter"}};
    for (const auto& arguments : runs) {
        const test::RunResult result = run_sinter(arguments, here);
        CHECK(result.exit_code == 8);
        CHECK(result.out.empty());
        CHECK(contains(result.err, "section manifest 0: the stored bytes do not match their hash"));
    }
}

TEST_CASE("validate --source takes a renamed source of a format whose meshes are named after the file") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    const std::string ply =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    const std::string stl =
        "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
        "endloop\nendfacet\nendsolid\n";
    const std::vector<std::pair<std::string, std::string>> files{
        {".obj", test::grid_obj(2)}, {".ply", ply}, {".stl", stl}};
    for (const auto& [extension, text] : files) {
        INFO(extension);
        test::write_text(folder / ("hero" + extension), text);
        test::write_text(folder / ("new" + extension), text);
        REQUIRE(run_sinter({"cook", "hero" + extension, "-q", "-o", "a.sinter"}, here).exit_code == 0);
        REQUIRE(run_sinter({"cook", "new" + extension, "-q", "-o", "b.sinter"}, here).exit_code == 0);
        // The names differ, so the content does; without that the test would show nothing.
        CHECK(run_sinter({"diff", "a.sinter", "b.sinter"}, here).exit_code == 7);
        CHECK(run_sinter({"validate", "a.sinter", "--source", "hero" + extension}, here).exit_code == 0);
        CHECK(run_sinter({"validate", "a.sinter", "--source", "new" + extension}, here).exit_code == 0);
    }
    test::write_text(folder / "other.obj", test::grid_obj(3));
    REQUIRE(run_sinter({"cook", "hero.obj", "-q", "-o", "a.sinter"}, here).exit_code == 0);
    CHECK(run_sinter({"validate", "a.sinter", "--source", "other.obj"}, here).exit_code == 8);
    const test::RunResult missing = run_sinter({"validate", "a.sinter", "--source", "none/none.obj"}, here);
    CHECK(missing.exit_code == 2);
    CHECK(missing.err.starts_with("error: none/none.obj: "));
}

TEST_CASE("diff shows an array's worst entry with six digits as text and with all of them as JSON") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    // Plain arrays: other weights give other levels of detail, and those another order of vertices.
    const auto cook = [&](const std::string& output, const std::string& setting) {
        return run_sinter(
            {"cook", kCreature, "-q", "-o", output, "--set", "cluster.enabled=false", "--set", setting},
            here);
    };
    REQUIRE(cook("a.sinter", "skin.max_influences=4").exit_code == 0);
    REQUIRE(cook("b.sinter", "skin.max_influences=2").exit_code == 0);
    const test::RunResult text = run_sinter({"diff", "a.sinter", "b.sinter"}, here);
    CHECK(text.exit_code == 7);
    const std::size_t start = text.out.find("* meshes/creature/vertices/influences: by 0.");
    REQUIRE(start != std::string::npos);
    const std::string line = text.out.substr(start, text.out.find('\n', start) - start);
    CHECK(contains(line, " entries, most at vertex "));
    std::size_t digits = 0;
    for (const char c : line) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        CHECK(digits <= 6);
    }
    const test::RunResult json = run_sinter({"diff", "a.sinter", "b.sinter", "--format", "json"}, here);
    CHECK(json.exit_code == 7);
    const auto value = parse_json(json.out, "stdout");
    REQUIRE(value.ok());
    const std::string problem = test::schema_problem(*value, "urn:sinter:schema:diff:1");
    INFO(problem);
    CHECK(problem.empty());
    CHECK(contains(json.out, "joint 2 x 0.5"));
    CHECK(json.out.size() > text.out.size());
}

TEST_CASE("diff compares vertices that lie at the same place where cooking put them in another order") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    const auto cook = [&](const std::string& output, const std::string& setting) {
        return run_sinter(
            {"cook", kCreature, "-q", "-o", output, "--set", "cluster.max_triangles=64", "--set", setting},
            here);
    };
    REQUIRE(run_sinter({"cook", kCreature, "-q", "-o", "a.sinter"}, here).exit_code == 0);
    REQUIRE(cook("b.sinter", "mesh.normal_bits=32").exit_code == 0);
    // Skin, UVs, shapes and triangles are the same; the clusters are not.
    const std::string text = run_sinter({"diff", "a.sinter", "b.sinter"}, here).out;
    CHECK(contains(text, "* meshes/creature/vertices#order: "));
    CHECK_FALSE(contains(text, "meshes/creature/vertices/"));
    CHECK_FALSE(contains(text, "meshes/creature/shapes"));
    CHECK_FALSE(contains(text, "meshes/creature/triangles"));
    const std::vector<std::string> lenient{"diff",
                                           "a.sinter",
                                           "b.sinter",
                                           "--ignore",
                                           "meshes/*/cluster_dag",
                                           "--ignore",
                                           "meshes/*/clusters",
                                           "--ignore",
                                           "meshes/*/pages",
                                           "--ignore",
                                           "meshes/*/vertices#order"};
    CHECK(run_sinter(lenient, here).exit_code == 0);

    // Coarser normals turn by 0.1558 degrees and the 0.0025 of the finer ones at most (vertex_codec.hpp); those of other
    // vertices would by more.
    REQUIRE(cook("c.sinter", "mesh.normal_bits=20").exit_code == 0);
    const auto turned = [&](const char* degrees) {
        return run_sinter({"diff", "a.sinter", "c.sinter", "--ignore", "meshes/*/cluster_dag", "--ignore",
                           "meshes/*/clusters", "--ignore", "meshes/*/pages", "--ignore",
                           "meshes/*/vertices#order", "--ignore", "meshes/*/normal", "--ignore",
                           "meshes/*/tangent", "--ignore", "meshes/*/vertices/tangent", "--tolerance",
                           std::string("normal=") + degrees},
                          here);
    };
    CHECK(turned("0.1584").exit_code == 0);
    CHECK(turned("0.01").exit_code == 7);
}

TEST_CASE("diff warns of an ignored path that neither package has") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    REQUIRE(run_sinter({"cook", kCreature, "-q", "-o", "a.sinter"}, here).exit_code == 0);
    REQUIRE(run_sinter({"cook", kCreature, "-q", "-o", "b.sinter", "--set", "skin.max_influences=2"}, here)
                .exit_code == 0);
    const test::RunResult result = run_sinter(
        {"diff", "a.sinter", "b.sinter", "--ignore", "clip", "--ignore", "meshes", "--ignore", "skins"},
        here);
    CHECK(result.exit_code == 0);
    CHECK(result.err == "warning: --ignore 'clip': neither package has such a path\n");
    CHECK(run_sinter({"diff", "a.sinter", "b.sinter", "--ignore", "clip", "-q"}, here).err.empty());
}
