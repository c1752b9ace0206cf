// Small things over COLLADA's XML, and the checks that keep Assimp from ending the program.
#pragma once

#include "cooker/import/assimp/words.hpp"
#include "cooker/issues.hpp"

#include <sinter/formats/result.hpp>

#include <pugixml.hpp>

#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

template <typename T>
std::optional<T> number_of(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || word.empty()) return std::nullopt;
    return value;
}

// All numbers of a text; a word that is none ends them.
template <typename T>
std::vector<T> numbers_of(std::string_view text) {
    std::vector<T> out;
    for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
        const std::optional<T> value = number_of<T>(word);
        if (!value) break;
        out.push_back(*value);
    }
    return out;
}

// "#id" without the sign; "" for addresses in other files.
[[nodiscard]] std::string_view local_id(std::string_view url);

// The source below `owner` that the input with that semantic in its child `parent` names, or none.
[[nodiscard]] pugi::xml_node source_of(pugi::xml_node owner, const char* parent, std::string_view semantic);

// What the accessor of a source counts.
[[nodiscard]] std::uint64_t accessor_count(pugi::xml_node source);

[[nodiscard]] Error refuse_collada(std::string_view file_name, std::string place, std::string message,
                                   IssueCode code = IssueCode::IndexOutOfRange);

// The arrays of a file by their ids, with the values that they hold.
struct ColladaArray {
    pugi::xml_node element;
    std::uint64_t values = 0;
};
using ColladaArrays = std::map<std::string, ColladaArray, std::less<>>;

// Assimp trusts the counts of arrays and accessors, and ends the program where they lie. The counts of arrays are set
// to what is announced, in the XML too.
[[nodiscard]] Result<Unit> check_accessors(ColladaArrays& arrays, std::span<const pugi::xml_node> accessors,
                                           std::string_view file_name);

// A list of indices or counts holds nothing else: Assimp never comes back from a word that is none.
[[nodiscard]] Result<Unit> check_indices(pugi::xml_node list, std::string_view file_name);

// The lists of a <triangles>, <polylist>, ... hold whole primitives; its count is set to their number, which Assimp
// insists on.
[[nodiscard]] Result<Unit> check_primitives(pugi::xml_node primitives, std::string_view file_name);

// vcount and v of a skin: an entry for each of `positions` (not checked where 0), pairs within `joints` names and
// the weights that there are. The count is set to that of vcount.
[[nodiscard]] Result<Unit> check_weights(pugi::xml_node skin, std::uint64_t joints, std::uint64_t positions,
                                         const std::string& place, std::string_view file_name);

}  // namespace sinter
