// The verbs: one function each, in a file of its own. Each parses its arguments, prints, and returns the
// exit code; the algorithms live in cooker and formats.
#pragma once

#include "cli/exit_codes.hpp"

#include <span>
#include <string>

namespace sinter {

using Arguments = std::span<const std::string>;  // without the program and the verb

[[nodiscard]] ExitCode run_cook(Arguments arguments);
[[nodiscard]] ExitCode run_version(Arguments arguments);

}  // namespace sinter
