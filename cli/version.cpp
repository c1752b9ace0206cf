// sinter version: what a bug report needs.
#include "cli/commands.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter {
namespace {

#if defined(__clang__)
constexpr std::string_view kCompiler = "clang " __clang_version__;
#else
constexpr std::string_view kCompiler = "gcc " __VERSION__;
#endif

struct Versions {
    std::string_view sinter = SINTER_VERSION;
    std::string_view compiler = kCompiler;
};

std::string as_text(const Versions& versions) {
    return fmt::format("sinter {}\ncompiler {}\n", versions.sinter, versions.compiler);
}

std::string as_json(const Versions& versions) {
    return fmt::format("{{\n  \"schema\": \"sinter-version/1\",\n  \"sinter\": \"{}\",\n  \"compiler\": \"{}\"\n}}\n",
                       versions.sinter, versions.compiler);
}

}  // namespace

ExitCode run_version(Arguments arguments) {
    ArgumentParser parser("version", "the versions of the program, the package format and the libraries",
                          "  sinter version                 for people\n"
                          "  sinter version --format json   for scripts\n");
    CommonOptions common;
    if (const auto done = parser.parse(arguments, common)) return *done;
    const Versions versions;
    const bool written = write_stdout(common.format == OutputFormat::Json ? as_json(versions) : as_text(versions));
    return written ? ExitCode::Ok : ExitCode::Io;
}

}  // namespace sinter
