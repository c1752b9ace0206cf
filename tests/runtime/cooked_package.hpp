// A file cooked into a package in memory, and a package on the device of the tests.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "runtime/stage.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace sinter::test {

struct CookedPackage {
    CookedAsset asset;
    std::vector<std::byte> bytes;
    PackageView view;
    std::unique_ptr<manifest::ManifestT> manifest;
};

// A test fails where it cannot be cooked.
[[nodiscard]] CookedPackage cook_package(const std::string& path);
// The same for the text of an OBJ file.
[[nodiscard]] CookedPackage cook_obj(const std::string& text);

// Refers to the package.
[[nodiscard]] Stage stage_of(const CookedPackage& cooked);

}  // namespace sinter::test
