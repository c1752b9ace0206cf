// Builds messages without streams or locales.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace sinter {

inline void append_text(std::string& out, std::string_view text) { out += text; }
inline void append_text(std::string& out, char c) { out += c; }

template <typename Number>
    requires(std::integral<Number> || std::floating_point<Number>) && (!std::same_as<Number, char>) &&
            (!std::same_as<Number, bool>)
void append_text(std::string& out, Number number) {
    char buffer[64];
    const auto result = std::to_chars(buffer, buffer + sizeof(buffer), number);
    out.append(buffer, result.ptr);
}

// The arguments one after the other: strings as they are, numbers in their shortest exact form.
template <typename... Parts>
[[nodiscard]] std::string cat(const Parts&... parts) {
    std::string out;
    (append_text(out, parts), ...);
    return out;
}

// A name in quotes, fit for a message: control characters become '?', long names are cut.
[[nodiscard]] inline std::string quoted(std::string_view name) {
    constexpr std::size_t kMaxShown = 80;
    std::string out = "'";
    for (const char c : name.substr(0, kMaxShown)) {
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
    }
    return out + (name.size() > kMaxShown ? "...'" : "'");
}

// "mesh 2 'Head'"
[[nodiscard]] inline std::string place(std::string_view noun, std::size_t index, std::string_view name) {
    return name.empty() ? cat(noun, ' ', index) : cat(noun, ' ', index, ' ', quoted(name));
}

[[nodiscard]] inline std::string version_text(std::uint16_t major, std::uint16_t minor) {
    return cat(major, '.', minor);
}

}  // namespace sinter
