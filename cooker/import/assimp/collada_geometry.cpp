#include "cooker/import/assimp/collada_geometry.hpp"

#include "cooker/import/assimp/collada_xml.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace sinter {
namespace {

// Appends the control points of one <triangles>, <polylist> or <polygons>.
void append_corners(pugi::xml_node primitives, std::vector<std::uint32_t>& out) {
    std::size_t stride = 1;
    std::size_t place = 0;
    for (const pugi::xml_node input : primitives.children("input")) {
        const auto offset = number_of<std::uint32_t>(input.attribute("offset").value()).value_or(0);
        stride = std::max<std::size_t>(stride, offset + std::size_t{1});
        if (std::string_view(input.attribute("semantic").value()) == "VERTEX") place = offset;
    }
    for (const pugi::xml_node p : primitives.children("p")) {
        const std::vector<std::uint32_t> indices = numbers_of<std::uint32_t>(p.text().get());
        for (std::size_t i = place; i < indices.size(); i += stride) out.push_back(indices[i]);
    }
}

}  // namespace

std::uint64_t count_positions(pugi::xml_node mesh) {
    std::uint64_t count = 0;
    for (const pugi::xml_node input : mesh.child("vertices").children("input")) {
        if (std::string_view(input.attribute("semantic").value()) != "POSITION") continue;
        count = accessor_count(mesh.find_child_by_attribute(
            "source", "id", std::string(local_id(input.attribute("source").value())).c_str()));
    }
    return count;
}

std::vector<std::uint32_t> control_points_of_corners(pugi::xml_node mesh) {
    std::vector<std::uint32_t> out;
    for (const pugi::xml_node part : mesh.children()) {
        const std::string_view kind = part.name();
        if (kind == "lines" || kind == "linestrips" || kind == "tristrips" || kind == "trifans") return {};
        if (part.child("ph")) return {};
        if (kind == "triangles" || kind == "polylist" || kind == "polygons") append_corners(part, out);
    }
    return out;
}

}  // namespace sinter
