// The arguments of one verb: declared once, then parsed. This wraps CLI11 so that only arguments.cpp
// includes it, adds what it has not (the nearest name for a typo, examples before options, exit code 1),
// and holds the options that every verb takes.
#pragma once

#include "cli/exit_codes.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

enum class OutputFormat { Text, Json };
enum class ColorMode { Auto, Always, Never };

// --format, -q, -v, --color: the same for every verb.
struct CommonOptions {
    OutputFormat format = OutputFormat::Text;
    bool quiet = false;    // no talk but errors
    bool verbose = false;  // timings, and what libraries said
    ColorMode color = ColorMode::Auto;
};

class ArgumentParser {
public:
    // `examples`: whole command lines with a comment, shown first by --help.
    ArgumentParser(std::string_view verb, std::string_view summary, std::string_view examples);
    ~ArgumentParser();
    ArgumentParser(const ArgumentParser&) = delete;
    ArgumentParser& operator=(const ArgumentParser&) = delete;

    // `names` as CLI11 has them: "-o,--output". `value` names the value in the help. All targets must outlive
    // parse(); an option that is not given leaves its target as it is.
    void flag(std::string_view names, bool& target, std::string_view help);
    void option(std::string_view names, std::optional<std::string>& target, std::string_view value,
                std::string_view help);
    void repeated(std::string_view names, std::vector<std::string>& target, std::string_view value,
                  std::string_view help);  // one value each time that it is given
    void positionals(std::string_view name, std::vector<std::string>& target, std::string_view help);

    // Adds the common options, then parses. Returns nothing when the verb shall run, else the exit code: --help
    // was printed to stdout (Ok), or a usage error to stderr (Usage).
    [[nodiscard]] std::optional<ExitCode> parse(std::span<const std::string> arguments,
                                                CommonOptions& common);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace sinter
