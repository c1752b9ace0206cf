// Counts in talk: "1 node", "2 nodes".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sinter {

// 1234567 -> "1,234,567", whatever the locale.
[[nodiscard]] std::string count_text(std::uint64_t value);

// "1 section", "1,234 sections"; a noun whose plural is irregular brings it along.
[[nodiscard]] std::string counted(std::uint64_t value, std::string_view noun, std::string_view plural = {});

}  // namespace sinter
