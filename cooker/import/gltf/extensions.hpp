// Which extensions change what Sinter reads, and which can be left alone.
#pragma once

#include "cooker/import/gltf/json_at.hpp"
#include "cooker/issues.hpp"

namespace sinter::gltf {

// Refuses the document (Unsupported, naming the extension) if extensionsRequired holds one that is not
// known to be harmless or decoded; reports optional ones that have no effect here.
[[nodiscard]] Result<Unit> check_extensions(const JsonAt& root, Issues& issues);

// object.extensions[name]; the value is null where it is not there.
[[nodiscard]] Result<JsonAt> extension(const JsonAt& object, std::string_view name);

}  // namespace sinter::gltf
