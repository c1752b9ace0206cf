#include "cooker/import/assimp/collada_xml.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter {

std::string_view local_id(std::string_view url) {
    return url.starts_with('#') ? url.substr(1) : std::string_view{};
}

pugi::xml_node source_of(pugi::xml_node owner, const char* parent, std::string_view semantic) {
    for (const pugi::xml_node input : owner.child(parent).children("input")) {
        if (semantic != input.attribute("semantic").value()) continue;
        return owner.find_child_by_attribute(
            "source", "id", std::string(local_id(input.attribute("source").value())).c_str());
    }
    return {};
}

std::uint64_t accessor_count(pugi::xml_node source) {
    const pugi::xml_node accessor = source.child("technique_common").child("accessor");
    return number_of<std::uint32_t>(accessor.attribute("count").value()).value_or(0);
}

Error refuse_collada(std::string_view file_name, std::string place, std::string message, IssueCode code) {
    return {ErrorKind::InvalidInput, fmt::format("{}: {}", file_name, place), std::move(message),
            "repair the file or export it again", static_cast<std::uint16_t>(code)};
}

Result<Unit> check_accessors(ColladaArrays& arrays, std::span<const pugi::xml_node> accessors,
                             std::string_view file_name) {
    for (auto& [id, array] : arrays) {
        pugi::xml_attribute declared = array.element.attribute("count");
        if (!declared) declared = array.element.append_attribute("count");
        const std::uint64_t number = number_of<std::uint64_t>(declared.value()).value_or(array.values);
        if (number > array.values) {
            return refuse_collada(file_name, fmt::format("<{} id='{}'>", array.element.name(), id),
                                  fmt::format("announces {} values and has {}", number, array.values));
        }
        declared.set_value(fmt::format("{}", number).c_str());
        array.values = number;
    }
    for (const pugi::xml_node accessor : accessors) {
        const auto array = arrays.find(local_id(accessor.attribute("source").value()));
        if (array == arrays.end()) continue;
        const auto number = [&](const char* name, std::uint64_t otherwise) {
            return number_of<std::uint32_t>(accessor.attribute(name).value()).value_or(otherwise);
        };
        const auto params = static_cast<std::uint64_t>(std::ranges::distance(accessor.children("param")));
        const std::uint64_t stride = number("stride", 1);
        const std::uint64_t count = number("count", 0);
        const std::uint64_t end =
            count == 0 ? 0 : number("offset", 0) + (count - 1) * stride + std::max(stride, params);
        if (end > array->second.values) {
            return refuse_collada(
                file_name, fmt::format("accessor of '{}'", array->first),
                fmt::format("reads {} values, the array has {}", end, array->second.values));
        }
    }
    return Unit{};
}

Result<Unit> check_indices(pugi::xml_node list, std::string_view file_name) {
    std::string_view words = list.text().get();
    for (std::string_view word = next_word(words); !word.empty(); word = next_word(words)) {
        const std::optional<std::int32_t> index = number_of<std::int32_t>(word);
        if (index && *index >= 0) continue;
        return refuse_collada(file_name, fmt::format("<{}> in <{}>", list.name(), list.parent().name()),
                              fmt::format("'{}' is no index or count", word.substr(0, 20)));
    }
    return Unit{};
}

Result<Unit> check_primitives(pugi::xml_node primitives, std::string_view file_name) {
    const std::string_view kind = primitives.name();
    std::size_t stride = 1;
    for (const pugi::xml_node input : primitives.children("input")) {
        const auto offset = number_of<std::uint32_t>(input.attribute("offset").value()).value_or(0);
        if (offset > 31)
            return refuse_collada(file_name, fmt::format("<{}>", kind),
                                  fmt::format("an input has offset {}", offset));
        stride = std::max<std::size_t>(stride, offset + std::size_t{1});
    }
    std::uint64_t count = 0;
    const std::vector<std::uint32_t> indices = numbers_of<std::uint32_t>(primitives.child("p").text().get());
    if (kind == "polylist") {
        const std::vector<std::uint32_t> corners =
            numbers_of<std::uint32_t>(primitives.child("vcount").text().get());
        std::uint64_t sum = 0;
        for (const std::uint32_t corner : corners) sum += corner;
        count = corners.size();
        if (sum * stride != indices.size()) {
            return refuse_collada(
                file_name, fmt::format("<{}>", kind),
                fmt::format("{} corners with {} inputs have {} indices", sum, stride, indices.size()));
        }
    } else if (kind == "triangles" || kind == "lines") {
        const std::size_t corners = kind == "lines" ? 2 : 3;
        count = indices.size() / (corners * stride);
        if (indices.size() % (corners * stride) != 0) {
            return refuse_collada(file_name, fmt::format("<{}>", kind),
                                  fmt::format("{} indices are no whole primitives of {} corners "
                                              "with {} inputs",
                                              indices.size(), corners, stride));
        }
    } else {
        for (const pugi::xml_node p : primitives.children("p")) {
            const std::size_t words = numbers_of<std::uint32_t>(p.text().get()).size();
            if (words == 0 || words % stride != 0) {
                return refuse_collada(file_name, fmt::format("<{}>", kind),
                                      fmt::format("a <p> of {} indices has {} inputs", words, stride));
            }
            ++count;
        }
    }
    pugi::xml_attribute declared = primitives.attribute("count");
    if (!declared) declared = primitives.append_attribute("count");
    declared.set_value(fmt::format("{}", count).c_str());
    return Unit{};
}

Result<Unit> check_weights(pugi::xml_node skin, std::uint64_t joints, std::uint64_t positions,
                           const std::string& place, std::string_view file_name) {
    const pugi::xml_node weights = skin.child("vertex_weights");
    std::size_t stride = 0;
    std::size_t joint_offset = 0;
    std::size_t weight_offset = 0;
    for (const pugi::xml_node input : weights.children("input")) {
        const auto offset = number_of<std::uint32_t>(input.attribute("offset").value()).value_or(0);
        if (offset > 15)
            return refuse_collada(file_name, place, fmt::format("an input has offset {}", offset));
        stride = std::max<std::size_t>(stride, offset + std::size_t{1});
        const std::string_view semantic = input.attribute("semantic").value();
        if (semantic == "JOINT") joint_offset = offset;
        if (semantic == "WEIGHT") weight_offset = offset;
    }
    const std::vector<std::uint32_t> counts = numbers_of<std::uint32_t>(weights.child("vcount").text().get());
    const std::vector<std::int64_t> entries = numbers_of<std::int64_t>(weights.child("v").text().get());
    std::uint64_t pairs = 0;
    for (const std::uint32_t count : counts) pairs += count;
    if (stride == 0 || pairs * stride != entries.size()) {
        return refuse_collada(
            file_name, place,
            fmt::format("{} influences in vcount have {} numbers in v", pairs, entries.size()));
    }
    const std::uint64_t values = accessor_count(source_of(skin, "vertex_weights", "WEIGHT"));
    for (std::size_t i = 0; i < entries.size(); i += stride) {
        const std::int64_t joint = entries[i + joint_offset];
        if (joint < 0 || static_cast<std::uint64_t>(joint) >= joints) {
            return refuse_collada(
                file_name, place,
                fmt::format("joint {} of an influence is out of range: there are {}", joint, joints),
                IssueCode::JointOutOfRange);
        }
        const std::int64_t weight = entries[i + weight_offset];
        if (weight < 0 || static_cast<std::uint64_t>(weight) >= values) {
            return refuse_collada(
                file_name, place,
                fmt::format("weight {} of an influence is out of range: there are {}", weight, values));
        }
    }
    pugi::xml_attribute declared = weights.attribute("count");
    if (!declared) declared = pugi::xml_node(weights).append_attribute("count");
    declared.set_value(fmt::format("{}", counts.size()).c_str());
    if (positions != 0 && positions != counts.size()) {
        return refuse_collada(
            file_name, place,
            fmt::format("{} vertices have weights, the geometry has {} positions", counts.size(), positions));
    }
    return Unit{};
}

}  // namespace sinter
