#include "cooked_package.hpp"

#include "cooker/cook.hpp"
#include "cooker/package/assemble.hpp"
#include "test_device.hpp"

#include <catch2/catch_test_macros.hpp>

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

Stage stage_of(const CookedPackage& cooked) {
    auto stage = create_stage(open_test_device(), cooked.view, *cooked.manifest);
    if (!stage) FAIL(stage.error().line());
    return *std::move(stage);
}

}  // namespace sinter::test
