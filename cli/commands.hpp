// The verbs: one function each, in a file of its own. Each parses its arguments, prints, and returns the
// exit code; the algorithms live in cooker and formats.
#pragma once

#include "cli/exit_codes.hpp"

#include <span>
#include <string>

namespace sinter {

using Arguments = std::span<const std::string>;  // without the program and the verb

[[nodiscard]] ExitCode run_bench(Arguments arguments);
[[nodiscard]] ExitCode run_cook(Arguments arguments);
[[nodiscard]] ExitCode run_diff(Arguments arguments);
[[nodiscard]] ExitCode run_export(Arguments arguments);
[[nodiscard]] ExitCode run_inspect(Arguments arguments);
[[nodiscard]] ExitCode run_render(Arguments arguments);
[[nodiscard]] ExitCode run_validate(Arguments arguments);
[[nodiscard]] ExitCode run_version(Arguments arguments);

// Hidden: cooks one asset in a process of its own (worker.hpp); started by run_cook only.
[[nodiscard]] ExitCode run_cook_worker(Arguments arguments);

}  // namespace sinter
