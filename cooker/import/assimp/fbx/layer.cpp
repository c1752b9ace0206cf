#include "cooker/import/assimp/fbx/layer.hpp"

namespace sinter::fbx {

Layer::Layer(const Node& element, std::string_view values_name, std::string_view indices_name,
             std::size_t components)
    : components_(components),
      values_(reals_of(element.find(values_name))),
      indices_(integers_of(element.find(indices_name))) {
    const Node* mapping = element.find("MappingInformationType");
    const std::string_view by = mapping == nullptr ? std::string_view{} : text_at(*mapping, 0);
    if (by == "ByPolygonVertex") mapping_ = Mapping::Corner;
    if (by == "ByVertice" || by == "ByVertex") mapping_ = Mapping::Point;
    if (by == "ByPolygon") mapping_ = Mapping::Polygon;
    if (by == "AllSame") mapping_ = Mapping::Same;
    const Node* reference = element.find("ReferenceInformationType");
    const std::string_view how = reference == nullptr ? std::string_view{} : text_at(*reference, 0);
    indexed_ = how == "IndexToDirect" || how == "Index";
}

bool Layer::at(const CornerPlace& place, std::array<double, 4>& out) const {
    out = {};
    std::size_t index = 0;
    if (mapping_ == Mapping::Corner) index = place.corner;
    if (mapping_ == Mapping::Point) index = place.point;
    if (mapping_ == Mapping::Polygon) index = place.polygon;
    // Some writers say "IndexToDirect" and give no indices: the values are direct then.
    if (indexed_ && !indices_.empty()) {
        if (index >= indices_.size()) return false;
        if (indices_[index] < 0) return true;
        index = static_cast<std::size_t>(indices_[index]);
    }
    if (index >= values_.size() / components_) return false;
    for (std::size_t i = 0; i < components_; ++i) out[i] = values_[index * components_ + i];
    return true;
}

}  // namespace sinter::fbx
