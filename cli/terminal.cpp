#include "cli/terminal.hpp"

#include <sinter/formats/utf8.hpp>

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace sinter {
namespace {

// The well-formed UTF-8 character at the front; empty where there is none.
std::string_view first_character(std::string_view text) {
    for (std::size_t size = 1; size <= std::min<std::size_t>(4, text.size()); ++size) {
        if (is_utf8(text.substr(0, size))) return text.substr(0, size);
    }
    return {};
}

std::uint32_t code_point(std::string_view character) {
    constexpr std::array<unsigned, 5> kLeadBits{0, 0x7F, 0x1F, 0x0F, 0x07};
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < character.size(); ++i) {
        const auto byte = static_cast<unsigned char>(character[i]);
        code = i == 0 ? byte & kLeadBits[character.size()] : (code << 6U) | (byte & 0x3FU);
    }
    return code;
}

// C1 controls (8-bit escape sequences), marks and overrides of the text's direction, and separators of lines.
bool is_hidden_control(std::uint32_t code) {
    return (code >= 0x80 && code <= 0x9F) || code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool is_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Where the quoted value that starts at `i` ends, behind its second quote; `i` when none starts there. The quote
// in "the asset's" starts none, and inside a value one that a letter follows ends none.
std::size_t end_of_quoted(std::string_view text, std::size_t i) {
    const char quote = text[i];
    if ((quote != '\'' && quote != '"') || (i > 0 && is_word(text[i - 1]))) return i;
    for (std::size_t k = i + 1; k < text.size(); ++k) {
        if (text[k] == quote && (k + 1 == text.size() || !is_word(text[k + 1]))) return k + 1;
    }
    return i;
}

// A value of more than kMaxValue characters without its middle. `value` is well-formed UTF-8.
std::string cut_middle(std::string_view value) {
    constexpr std::size_t kMaxValue = 200;
    constexpr std::size_t kKept = 98;  // at each end
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if ((static_cast<unsigned char>(value[i]) & 0xC0U) != 0x80U) starts.push_back(i);
    }
    if (starts.size() <= kMaxValue) return std::string(value);
    return fmt::format("{}...{}", value.substr(0, starts[kKept]),
                       value.substr(starts[starts.size() - kKept]));
}

void print_labelled(std::string_view label, std::string_view style, std::string_view text,
                    const CommonOptions& common) {
    const std::string line = use_color(common)
                                 ? fmt::format("\x1b[{}m{}:\x1b[0m {}\n", style, label, printable_line(text))
                                 : fmt::format("{}: {}\n", label, printable_line(text));
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

bool use_color(const CommonOptions& common) {
    if (common.color != ColorMode::Auto) return common.color == ColorMode::Always;
    const char* const no_color = std::getenv("NO_COLOR");
    if (no_color != nullptr && *no_color != '\0') return false;
    const char* const terminal = std::getenv("TERM");
    return stderr_is_terminal() && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::size_t terminal_columns() {
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

void print_error(const Error& error, const CommonOptions& common) {
    print_labelled("error", "1;31", error.line(), common);
}

void print_warning(std::string_view text, const CommonOptions& common) {
    if (!common.quiet) print_labelled("warning", "1;33", text, common);
}

bool write_stdout(std::string_view text) {
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) fmt::print(stderr, "error: cannot write to stdout: {}\n", std::strerror(errno));
    return written;
}

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::string_view character = first_character(text);
        const std::uint32_t code = code_point(character);
        if (character.empty()) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        } else if (code < 0x20 || code == 0x7F) {
            out += fmt::format("\\x{:02x}", code);
        } else if (is_hidden_control(code)) {
            out += fmt::format("\\u{{{:x}}}", code);
        } else {
            out += character;
        }
        text.remove_prefix(std::max<std::size_t>(1, character.size()));
    }
    return out;
}

std::string printable_line(std::string_view text) {
    const std::string shown = printable(text);
    std::string out;
    for (std::size_t i = 0; i < shown.size();) {
        const std::size_t end = end_of_quoted(shown, i);
        if (end == i) {
            out += shown[i++];
            continue;
        }
        const std::string_view value = std::string_view(shown).substr(i + 1, end - i - 2);
        out += shown[i] + cut_middle(value) + shown[i];
        i = end;
    }
    return out;
}

}  // namespace sinter
