// Talk on stderr, data on stdout. Colours only where the user can see them.
#pragma once

#include "cli/arguments.hpp"

#include <sinter/formats/result.hpp>

#include <string>
#include <string_view>

namespace sinter {

// Whether stderr gets colours: --color, then NO_COLOR (no-color.org: set and not empty), then whether it is a
// terminal.
[[nodiscard]] bool use_color(const CommonOptions& common);

[[nodiscard]] bool stderr_is_terminal();

// Columns of the terminal on stderr; 80 where that is unknown.
[[nodiscard]] std::size_t terminal_columns();

// One line "error: where: message; remedy", as printable_line() shows it.
void print_error(const Error& error, const CommonOptions& common);

// One line "warning: text", unless quiet.
void print_warning(std::string_view text, const CommonOptions& common);

// Writes everything to stdout; false when that failed (a full disk, a closed pipe), after a line on stderr.
[[nodiscard]] bool write_stdout(std::string_view text);

// `text` with what could deceive a reader made visible: control characters (escape sequences in a hostile file's
// names) and bytes that are no UTF-8 as \xNN, characters that turn the text's direction as \u{202e}.
[[nodiscard]] std::string printable(std::string_view text);

// The same for a line of talk; of a quoted value longer than 200 characters only both ends are kept.
[[nodiscard]] std::string printable_line(std::string_view text);

}  // namespace sinter
