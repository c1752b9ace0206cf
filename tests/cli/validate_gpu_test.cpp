// sinter validate --gpu as users run it: what it prints, and how it fails. The checks are tested in tests/runtime.
#include "cli/json_reader.hpp"
#include "cooker/cook.hpp"
#include "cooker/package/assemble.hpp"
#include "run_program.hpp"
#include "schema_check.hpp"
#include "tests/sanitized.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

using namespace sinter;
using test::kTiny;
using test::run_sinter;

namespace {

// A software renderer draws 160 pictures, under a sanitizer too.
constexpr std::chrono::seconds kPatience{200};

JsonValue gpu_of(const test::RunResult& result) {
    INFO(result.err);
    auto value = parse_json(result.out, "stdout");
    REQUIRE(value.ok());
    const std::string problem = test::schema_problem(*value, "urn:sinter:schema:validate:1");
    INFO(problem);
    CHECK(problem.empty());
    const JsonValue& package = value->find("packages")->items.front();
    REQUIRE(package.find("gpu") != nullptr);
    return *package.find("gpu");
}

std::vector<std::string> failed_checks(const JsonValue& gpu) {
    std::vector<std::string> out;
    for (const JsonValue& check : gpu.find("checks")->items) {
        if (check.find("failed")->text != "0") out.push_back(check.find("name")->text);
    }
    return out;
}

// Consistent in all its parts, but the errors of its levels of detail are a thousandth of what they are.
std::string package_with_small_errors(const std::string& asset_path) {
    constexpr float kScale = 1.0F / 1024;  // exact
    SourceFiles files(asset_path);
    Issues issues;
    auto asset = cook_asset(files, CookOptions{}, issues);
    REQUIRE(asset.ok());
    for (ClusteredMesh& mesh : asset->clustered) {
        for (ClusterGroup& group : mesh.dag.groups) {
            group.geometric_error *= kScale;
            group.posed_error *= kScale;
            group.lod_error *= kScale;  // infinite at the end
        }
        for (VertexPrefix& prefix : mesh.paged.prefixes) prefix.lod_error *= kScale;
        for (ClusterHierarchyNode& node : mesh.hierarchy) {
            for (float& error : node.lod_error) {
                if (error < kNoReplacementError) error *= kScale;
            }
        }
    }
    const auto bytes = assemble_package(*asset);
    REQUIRE(bytes.ok());
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

bool is_one_line(const std::string& text) {
    return std::ranges::count(text, '\n') == 1 && text.ends_with('\n');
}

}  // namespace

TEST_CASE("validate --gpu prints every check with its figures and ends with exit code 0") {
    if (test::kSanitized) SKIP("minutes under the sanitizers; other tests run the same code on fixtures");
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path(), .timeout = kPatience};
    REQUIRE(run_sinter({"cook", kTiny, "-q"}, here).exit_code == 0);
    const test::RunResult text = run_sinter({"validate", "tiny.sinter", "--gpu", "--device", "cpu"}, here);
    CHECK(text.exit_code == 0);
    CHECK(text.err.empty());
    CHECK(text.out.find("  gpu: llvmpipe") != std::string::npos);
    const test::RunResult json =
        run_sinter({"validate", "tiny.sinter", "--gpu", "--device", "cpu", "--format", "json"}, here);
    CHECK(json.exit_code == 0);
    const JsonValue gpu = gpu_of(json);
    CHECK(gpu.find("ok")->text == "true");
    CHECK(failed_checks(gpu).empty());
    std::vector<std::string> names;
    for (const JsonValue& check : gpu.find("checks")->items) {
        names.push_back(check.find("name")->text);
        CHECK(text.out.find("\n    " + names.back() + " ") != std::string::npos);
    }
    CHECK(names ==
          std::vector<std::string>{"clips", "skeleton", "bounds", "skinning", "selection", "levels"});
}

TEST_CASE("validate --gpu ends with exit code 8 and says why when levels of detail look different") {
    if (test::kSanitized) SKIP("minutes under the sanitizers; other tests run the same code on fixtures");
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path(), .timeout = kPatience};
    test::write_text(folder / "grid.obj", test::grid_obj(48));
    test::write_text(folder / "grid.sinter", package_with_small_errors((folder / "grid.obj").string()));
    CHECK(run_sinter({"validate", "grid.sinter", "-q"}, here).out.empty());
    const test::RunResult json =
        run_sinter({"validate", "grid.sinter", "--gpu", "--device", "cpu", "--format", "json"}, here);
    CHECK(json.exit_code == 8);
    const JsonValue gpu = gpu_of(json);
    CHECK(gpu.find("ok")->text == "false");
    CHECK(failed_checks(gpu) == std::vector<std::string>{"levels"});
    const JsonValue& levels = gpu.find("checks")->items.back();
    REQUIRE_FALSE(levels.find("findings")->items.empty());
    CHECK(levels.find("findings")->items.front().find("message")->text.find("mean FLIP") !=
          std::string::npos);
}

TEST_CASE("validate --device without --gpu is refused, and a device that is not there names those that are") {
    const test::TemporaryFolder folder;
    const test::RunSettings here{.folder = folder.path()};
    REQUIRE(run_sinter({"cook", kTiny, "-q"}, here).exit_code == 0);
    const test::RunResult alone = run_sinter({"validate", "tiny.sinter", "--device", "cpu"}, here);
    CHECK(alone.exit_code == 1);
    CHECK(alone.out.empty());
    CHECK(alone.err == "error: --device: it chooses where --gpu runs; add --gpu\n");
    const test::RunResult unknown =
        run_sinter({"validate", "tiny.sinter", "--gpu", "--device", "no such device"}, here);
    CHECK(unknown.exit_code == 5);
    CHECK(is_one_line(unknown.err));
    CHECK(unknown.err.find("'no such device'") != std::string::npos);
    CHECK(unknown.err.find("llvmpipe") != std::string::npos);
}

TEST_CASE("without a Vulkan driver validate --gpu and render end with exit code 5 and say what to install") {
    const test::TemporaryFolder folder;
    test::RunSettings here{.folder = folder.path()};
    REQUIRE(run_sinter({"cook", kTiny, "-q"}, here).exit_code == 0);
    here.environment["VK_DRIVER_FILES"] = (folder / "none.json").string();
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"validate", "tiny.sinter", "--gpu"}, {"render", "tiny.sinter", "-o", "a.png"}}) {
        const test::RunResult result = run_sinter(words, here);
        CHECK(result.exit_code == 5);
        CHECK(result.out.empty());
        CHECK(is_one_line(result.err));
        CHECK(result.err.find("install a Vulkan driver (mesa-vulkan-drivers") != std::string::npos);
        CHECK_FALSE(std::filesystem::exists(folder / "a.png"));
    }
}
