// Suggestions for misspelt names: option keys, verbs, flags.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace sinter {

// Edits (insert, delete, replace, swap of neighbours; bytes) that turn one word into the other: the
// "optimal string alignment" distance of Damerau, "A technique for computer detection and correction of
// spelling errors", 1964.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate with the fewest edits, the first of equals; empty when none is near (more edits than half of
// the word's length, at least 2). A candidate of which `word` is the last dotted part counts as one edit away,
// so that "enabled" finds "vat.enabled".
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace sinter
