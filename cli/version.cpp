// sinter version: what a bug report needs.
#include "cli/commands.hpp"
#include "cli/json_writer.hpp"
#include "cli/terminal.hpp"
#include "cooker/package/library_versions.hpp"

#include <sinter/formats/records.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace sinter {
namespace {

#if defined(__clang__)
constexpr std::string_view kCompiler = "clang " __clang_version__;
#else
constexpr std::string_view kCompiler = "gcc " __VERSION__;
#endif

std::string format_version() { return fmt::format("{}.{}", kFormatVersion.major, kFormatVersion.minor); }

std::string as_text() {
    std::string text = fmt::format("sinter {}\npackage format {}\n", tool_version(), format_version());
    for (const LibraryVersion& library : library_versions()) {
        text += fmt::format("{} {}\n", library.name, library.version);
    }
    return text + fmt::format("compiler {}\n", kCompiler);
}

std::string as_json() {
    JsonWriter json;
    json.begin_object();
    json.member("schema", "sinter-version/1");
    json.member("sinter", tool_version());
    json.member("format_version", format_version());
    json.key("libraries");
    json.begin_array();
    for (const LibraryVersion& library : library_versions()) {
        json.begin_object();
        json.member("name", library.name);
        json.member("version", library.version);
        json.end_object();
    }
    json.end_array();
    json.member("compiler", kCompiler);
    json.end_object();
    return json.text();
}

}  // namespace

ExitCode run_version(Arguments arguments) {
    ArgumentParser parser("version", "the versions of the program, the package format and the libraries",
                          "  sinter version                 for people\n"
                          "  sinter version --format json   for scripts\n");
    CommonOptions common;
    if (const auto done = parser.parse(arguments, common)) return *done;
    const bool written = write_stdout(common.format == OutputFormat::Json ? as_json() : as_text());
    return written ? ExitCode::Ok : ExitCode::Io;
}

}  // namespace sinter
