// What a COLLADA geometry says of its control points, which Assimp cuts into corners.
#pragma once

#include <pugixml.hpp>

#include <cstdint>
#include <vector>

namespace sinter {

// What the "POSITION" source of a <mesh> holds; 0 where there is none.
[[nodiscard]] std::uint64_t count_positions(pugi::xml_node mesh);

// The control point (index into the "POSITION" source) of each corner, in the order of the file, which is the order of
// Assimp's vertices too. Empty where that is not so: strips, fans, lines, polygons with holes.
[[nodiscard]] std::vector<std::uint32_t> control_points_of_corners(pugi::xml_node mesh);

}  // namespace sinter
