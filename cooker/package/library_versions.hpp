// Who made the bytes: the tool and every library that can change them.
#pragma once

#include <sinter/formats/libraries.hpp>

#include <string_view>
#include <vector>

namespace sinter {

[[nodiscard]] std::string_view tool_version();

// assimp, draco, meshoptimizer and those of sinter::formats, by name. Assimp's and Draco's are the versions
// that were compiled against.
[[nodiscard]] std::vector<LibraryVersion> library_versions();

}  // namespace sinter
