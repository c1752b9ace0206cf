// The declared clips of a COLLADA file.
#pragma once

#include "cooker/import/assimp/collada_text.hpp"

#include <pugixml.hpp>

#include <vector>

namespace sinter {

// The <animation_clip>s below <COLLADA>, in order.
[[nodiscard]] std::vector<ColladaClip> read_collada_clips(pugi::xml_node root);

// Assimp moves an animation into the first clip that names it: further clips get copies with ids of their own.
void separate_collada_clips(pugi::xml_node root);

}  // namespace sinter
