#include "cli/counted.hpp"

#include <fmt/format.h>

namespace sinter {

std::string count_text(std::uint64_t value) {
    const std::string digits = fmt::format("{}", value);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
        text += digits[i];
    }
    return text;
}

std::string counted(std::uint64_t value, std::string_view noun, std::string_view plural) {
    if (value == 1) return fmt::format("1 {}", noun);
    return plural.empty() ? fmt::format("{} {}s", count_text(value), noun)
                          : fmt::format("{} {}", count_text(value), plural);
}

}  // namespace sinter
