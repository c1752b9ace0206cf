// One layer of a geometry: values mapped onto corners, points, polygons or the whole mesh.
#pragma once

#include "cooker/import/assimp/fbx/node.hpp"

#include <array>

namespace sinter::fbx {

// Where a corner lies.
struct CornerPlace {
    std::size_t point = 0;
    std::size_t corner = 0;  // counted over the whole mesh
    std::size_t polygon = 0;
};

class Layer {
public:
    // Takes the values under `values_name` and the indices under `indices_name` of a LayerElement node.
    Layer(const Node& element, std::string_view values_name, std::string_view indices_name,
          std::size_t components);

    // "ByEdge" and unknown mappings cannot be put on corners.
    [[nodiscard]] bool usable() const { return mapping_ != Mapping::Unknown && !values_.empty(); }

    // Up to four components of the value at a corner; nothing where an index is past its array. A negative index
    // means that nothing was mapped there: zeros.
    [[nodiscard]] bool at(const CornerPlace& place, std::array<double, 4>& out) const;

private:
    enum class Mapping { Unknown, Corner, Point, Polygon, Same };

    Mapping mapping_ = Mapping::Unknown;
    bool indexed_ = false;
    std::size_t components_ = 3;
    std::vector<double> values_;
    std::vector<std::int64_t> indices_;
};

}  // namespace sinter::fbx
