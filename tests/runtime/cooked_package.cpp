#include "cooked_package.hpp"

#include "cooker/cook.hpp"
#include "cooker/package/assemble.hpp"
#include "test_device.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sinter::test {

CookedPackage cook_package(const std::string& path) {
    SourceFiles files(path);
    Issues issues;
    auto asset = cook_asset(files, CookOptions{}, issues);
    if (!asset) FAIL(asset.error().line());
    auto bytes = assemble_package(*asset);
    if (!bytes) FAIL(bytes.error().line());
    auto view = PackageView::open(*bytes);
    REQUIRE(view);
    auto manifest = view->read_manifest();
    REQUIRE(manifest);
    return {*std::move(asset), *std::move(bytes), *std::move(view), *std::move(manifest)};
}

CookedPackage cook_obj(const std::string& text) {
    std::string folder = (std::filesystem::temp_directory_path() / "sinter-runtime-XXXXXX").string();
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    const std::filesystem::path path = std::filesystem::path(folder) / "mesh.obj";
    std::ofstream(path) << text;
    CookedPackage out = cook_package(path.string());
    std::filesystem::remove_all(folder);
    return out;
}

Stage stage_of(const CookedPackage& cooked) {
    auto stage = create_stage(open_test_device(), cooked.view, *cooked.manifest);
    if (!stage) FAIL(stage.error().line());
    return *std::move(stage);
}

}  // namespace sinter::test
