// What the program tells the shell. docs/cli.md lists the same numbers.
#pragma once

#include <sinter/formats/result.hpp>

#include <algorithm>
#include <string_view>

namespace sinter {

enum class ExitCode : int {
    Ok = 0,
    Usage = 1,
    Io = 2,
    InvalidInput = 3,
    Internal = 4,
    Unsupported = 5,
    Limit = 6,
    Different = 7,
    ValidationFailed = 8,
    Interrupted = 130,  // SIGINT; 128 + the signal, as shells have it
    Terminated = 143,   // SIGTERM
};

[[nodiscard]] constexpr ExitCode exit_code_of(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Usage: return ExitCode::Usage;
    case ErrorKind::Io: return ExitCode::Io;
    case ErrorKind::InvalidInput: return ExitCode::InvalidInput;
    case ErrorKind::Internal: return ExitCode::Internal;
    case ErrorKind::Unsupported: return ExitCode::Unsupported;
    case ErrorKind::Limit: return ExitCode::Limit;
    case ErrorKind::Validation: return ExitCode::ValidationFailed;
    }
    return ExitCode::Internal;
}

// The worse of two results of a run over several files: the larger number.
[[nodiscard]] constexpr ExitCode worse(ExitCode a, ExitCode b) { return std::max(a, b); }

// "io", "invalid-input", ...: the kind as reports spell it.
[[nodiscard]] constexpr std::string_view name_of(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Usage: return "usage";
    case ErrorKind::Io: return "io";
    case ErrorKind::InvalidInput: return "invalid-input";
    case ErrorKind::Internal: return "internal";
    case ErrorKind::Unsupported: return "unsupported";
    case ErrorKind::Limit: return "limit";
    case ErrorKind::Validation: return "validation";
    }
    return "internal";
}

}  // namespace sinter
