#include "cli/arguments.hpp"

#include "cli/terminal.hpp"
#include "cooker/nearest.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace sinter {

struct ArgumentParser::Implementation {
    std::string verb;
    std::string examples;
    CLI::App app;
    bool takes_positionals = false;
};

namespace {

// The values of --format and --color; returns what is wrong, or nothing.
std::string set_common(CommonOptions& common, const std::string& format, const std::string& color) {
    if (common.quiet && common.verbose) return "-q and -v exclude each other";
    if (format != "text" && format != "json")
        return fmt::format("--format is '{}', not text or json", format);
    common.format = format == "json" ? OutputFormat::Json : OutputFormat::Text;
    if (color == "auto") common.color = ColorMode::Auto;
    else if (color == "always") common.color = ColorMode::Always;
    else if (color == "never") common.color = ColorMode::Never;
    else return fmt::format("--color is '{}', not auto, always or never", color);
    return {};
}

// "-o,--output VALUE" padded, then the help: one option of the page.
std::string option_line(const CLI::Option& option) {
    std::string names = option.get_name(false, true);
    if (!option.get_type_name().empty()) names += " " + option.get_type_name();
    constexpr std::size_t kColumn = 26;
    if (names.size() + 2 > kColumn) names += "\n" + std::string(kColumn + 2, ' ');
    else names.resize(kColumn, ' ');
    return fmt::format("  {}{}\n", names, option.get_description());
}

// No option and no argument takes an empty text, so one is a variable of a script that was not set.
std::string empty_value(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_expected_min() == 0 && option->nonpositional()) continue;  // a flag
        if (std::ranges::none_of(option->results(), &std::string::empty)) continue;
        return option->nonpositional() ? fmt::format("{} has an empty value", option->get_name(false, false))
                                       : std::string("an argument is empty");
    }
    return {};
}

std::string unknown_argument(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    const std::string name = word.substr(0, word.find('='));
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const std::string_view near = name.starts_with("--") ? nearest(name, candidates) : std::string_view();
    if (!word.starts_with('-')) return fmt::format("unexpected argument '{}'", word);
    return fmt::format("unknown option '{}'{}", name,
                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

}  // namespace

ArgumentParser::ArgumentParser(std::string_view verb, std::string_view summary, std::string_view examples)
    : implementation_(std::make_unique<Implementation>()) {
    implementation_->verb = verb;
    implementation_->examples = examples;
    implementation_->app.description(std::string(summary));
    implementation_->app.set_help_flag("-h,--help", "show this page");
    implementation_->app.allow_extras();
}

ArgumentParser::~ArgumentParser() = default;

void ArgumentParser::flag(std::string_view names, bool& target, std::string_view help) {
    implementation_->app.add_flag(std::string(names), target, std::string(help));
}

void ArgumentParser::option(std::string_view names, std::optional<std::string>& target,
                            std::string_view value, std::string_view help) {
    implementation_->app.add_option(std::string(names), target, std::string(help))
        ->type_name(std::string(value));
}

void ArgumentParser::repeated(std::string_view names, std::vector<std::string>& target,
                              std::string_view value, std::string_view help) {
    implementation_->app.add_option(std::string(names), target, std::string(help))
        ->type_name(std::string(value))
        ->allow_extra_args(false);
}

void ArgumentParser::positionals(std::string_view name, std::vector<std::string>& target,
                                 std::string_view help) {
    std::string key(name);  // CLI11 2.4 takes no spaces in it; help_page() shows them
    std::ranges::replace(key, ' ', '_');
    implementation_->app.add_option(key, target, std::string(help))->type_name("");
    implementation_->takes_positionals = true;
}

namespace {

std::string help_page(const std::string& verb, const std::string& examples, const CLI::App& app) {
    std::string text =
        fmt::format("sinter {}: {}\n\nExamples\n{}\nOptions\n", verb, app.get_description(), examples);
    for (const CLI::Option* option : app.get_options()) {
        std::string name = option->get_name(true, false);
        std::ranges::replace(name, '_', ' ');
        text += option->nonpositional() ? option_line(*option)
                                        : fmt::format("  {:<26}{}\n", name, option->get_description());
    }
    return text;
}

}  // namespace

std::optional<ExitCode> ArgumentParser::parse(std::span<const std::string> arguments, CommonOptions& common) {
    CLI::App& app = implementation_->app;
    std::string format = "text";
    std::string color = "auto";
    app.add_option("--format", format, "data on stdout: text (default) or json")->type_name("FORMAT");
    app.add_flag("-q,--quiet", common.quiet, "no talk: progress, notes and warnings");
    app.add_flag("-v,--verbose", common.verbose, "also timings and what libraries said");
    app.add_option("--color", color, "auto (default), always or never; NO_COLOR is honoured")
        ->type_name("WHEN");

    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // the order that CLI11 wants
    std::string problem;
    try {
        app.parse(reversed);
        std::vector<std::string> unknown = app.remaining();
        std::erase(unknown, "--");  // CLI11 counts the mark before positionals as an argument
        problem = unknown.empty() ? empty_value(app) : unknown_argument(app, unknown.front());
        if (problem.empty()) problem = set_common(common, format, color);
    } catch (const CLI::CallForHelp&) {
        const std::string page = help_page(implementation_->verb, implementation_->examples, app);
        return write_stdout(page) ? ExitCode::Ok : ExitCode::Io;
    } catch (const CLI::ParseError& error) {
        problem = error.what();
    }
    if (problem.empty()) return std::nullopt;
    std::replace(problem.begin(), problem.end(), '\n', ' ');
    print_error({ErrorKind::Usage,
                 {},
                 problem,
                 fmt::format("`sinter {} --help` lists all options", implementation_->verb)},
                common);
    return ExitCode::Usage;
}

}  // namespace sinter
