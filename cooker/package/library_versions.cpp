#include "cooker/package/library_versions.hpp"

#include <algorithm>

namespace sinter {

std::string_view tool_version() { return SINTER_TOOL_VERSION; }

std::vector<LibraryVersion> library_versions() {
    std::vector<LibraryVersion> all = format_libraries();
    all.push_back({.name = "assimp", .version = SINTER_ASSIMP_VERSION});
    all.push_back({.name = "draco", .version = SINTER_DRACO_VERSION});
    all.push_back({.name = "meshoptimizer", .version = SINTER_MESHOPTIMIZER_VERSION});
    std::ranges::sort(all, {}, &LibraryVersion::name);
    return all;
}

}  // namespace sinter
