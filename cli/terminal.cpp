#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace sinter {
namespace {

void print_labelled(std::string_view label, std::string_view style, std::string_view text,
                    const CommonOptions& common) {
    const std::string line = use_color(common)
                                 ? fmt::format("\x1b[{}m{}:\x1b[0m {}\n", style, label, printable(text))
                                 : fmt::format("{}: {}\n", label, printable(text));
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
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || byte == 0x7F) out += fmt::format("\\x{:02x}", byte);
        else out += character;
    }
    return out;
}

}  // namespace sinter
