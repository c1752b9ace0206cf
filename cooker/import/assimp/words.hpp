// Words of a text file's line.
#pragma once

#include <string_view>

namespace sinter {

// Takes the next word off the front of `text`; empty at the end.
[[nodiscard]] inline std::string_view next_word(std::string_view& text, std::string_view blanks = " \t\r\n") {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        text = {};
        return {};
    }
    text.remove_prefix(first);
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
}

}  // namespace sinter
