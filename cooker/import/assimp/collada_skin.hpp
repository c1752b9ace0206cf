// The <skin> of a COLLADA controller.
#pragma once

#include "cooker/import/assimp/collada_text.hpp"

#include <pugixml.hpp>

#include <string>
#include <string_view>

namespace sinter {

// Reads joint names and bind matrices into `out`, and renames the joints in the XML as collada_text.hpp says. Errors
// (InvalidInput at `place`): no joints, or matrices that do not fit their number.
[[nodiscard]] Result<Unit> read_collada_skin(pugi::xml_node skin, const std::string& place,
                                             std::string_view file_name, ColladaSkin& out);

}  // namespace sinter
