#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/counted.hpp"
#include "cli/json_writer.hpp"
#include "cli/package_file.hpp"
#include "cli/terminal.hpp"
#include "cooker/nearest.hpp"

#include <sinter/formats/diff.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace sinter {
namespace {

struct ToleranceKey {
    std::string_view name;
    double DiffTolerances::* member;
    std::string_view help;
};

constexpr std::array kToleranceKeys{
    ToleranceKey{"position", &DiffTolerances::position, "metres"},
    ToleranceKey{"normal", &DiffTolerances::normal_deg, "degrees"},
    ToleranceKey{"uv", &DiffTolerances::uv, "UV units"},
    ToleranceKey{"color", &DiffTolerances::color, "0 to 1"},
    ToleranceKey{"weight", &DiffTolerances::weight, "0 to 1"},
    ToleranceKey{"scale", &DiffTolerances::scale, "factor"},
    ToleranceKey{"time", &DiffTolerances::time_s, "seconds"},
};

Error tolerance_error(std::string_view text, std::string message) {
    return {ErrorKind::Usage, fmt::format("--tolerance {}", text), std::move(message),
            "write KEY=NUMBER, KEY one of position, normal, uv, color, weight, scale, time"};
}

Result<Unit> set_tolerance(DiffTolerances& tolerances, std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return tolerance_error(text, "no '=' in it");
    const std::string_view key = text.substr(0, equals), number = text.substr(equals + 1);
    const auto* const found = std::ranges::find(kToleranceKeys, key, &ToleranceKey::name);
    if (found == kToleranceKeys.end()) return tolerance_error(text, fmt::format("unknown key '{}'", key));
    double value = 0;
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (code != std::errc{} || end != number.data() + number.size() || !std::isfinite(value) || value < 0) {
        return tolerance_error(text, fmt::format("'{}' is not a number of at least 0", number));
    }
    tolerances.*(found->member) = value;
    return Unit{};
}

std::string text_of(const DiffValue& value) {
    struct {
        std::string operator()(std::monostate) const { return "-"; }
        std::string operator()(bool flag) const { return flag ? "true" : "false"; }
        std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
        std::string operator()(double number) const { return fmt::format("{:.6g}", number); }
        std::string operator()(const std::string& text) const { return fmt::format("'{}'", printable(text)); }
    } const show;
    return std::visit(show, value);
}

// Fractions to six digits: "(0.333333, 1, 12)" for "(0.3333333432674408, 1, 12)".
std::string with_short_numbers(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t start = std::min(text.find_first_of("0123456789"), text.size());
        out += text.substr(0, start);
        text.remove_prefix(start);
        double value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        const std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.data()));
        const bool fraction = code == std::errc{} && number.find_first_of(".e") != std::string_view::npos;
        out += fraction ? fmt::format("{:.6g}", value) : std::string(number);
        text.remove_prefix(number.size());
    }
    return out;
}

// Where an array differs most: "vertex 2: (0, 1, 0) -> (0, 1.5, 0)", "frame 7" where no values are shown.
std::string worst_entry(const Difference& difference) {
    const std::string* a = std::get_if<std::string>(&difference.a);
    const std::string* b = std::get_if<std::string>(&difference.b);
    if (a == nullptr || b == nullptr) return {};
    const std::size_t colon = a->find(": ");
    if (colon == std::string::npos || b->substr(0, colon) != a->substr(0, colon)) return *a;
    return with_short_numbers(*a) + " -> " + with_short_numbers(std::string_view(*b).substr(colon + 2));
}

void append_difference(std::string& out, const Difference& difference) {
    auto to = std::back_inserter(out);
    fmt::format_to(to, "{} {}: ", difference.within_tolerance ? "~" : "*", printable(difference.path));
    if (difference.rms) {  // of an array
        fmt::format_to(to, "by {:.3g} (rms {:.3g}) at {}, most at {}\n", difference.difference.value_or(0),
                       *difference.rms, counted(difference.count.value_or(0), "entry", "entries"),
                       printable(worst_entry(difference)));
        return;
    }
    if (difference.count) {  // a and b are digests, or say more
        fmt::format_to(to, "{} differ", count_text(*difference.count));
        const std::string* a = std::get_if<std::string>(&difference.a);
        const bool says_more = a != nullptr && a->find(' ') != std::string::npos;
        if (says_more) fmt::format_to(to, ": {} -> {}", text_of(difference.a), text_of(difference.b));
        out += '\n';
        return;
    }
    fmt::format_to(to, "{} -> {}", text_of(difference.a), text_of(difference.b));
    if (difference.difference) fmt::format_to(to, ", by {:.3g}", *difference.difference);
    out += '\n';
}

std::string diff_text(const DiffResult& result) {
    if (result.roots_equal)
        return fmt::format("equal: content root {} (`sinter validate` proves that the sections are whole)\n",
                           to_hex(result.root_a));
    std::string out;
    std::size_t within = 0;
    for (const Difference& difference : result.differences) {
        append_difference(out, difference);
        within += difference.within_tolerance ? 1 : 0;
    }
    for (const SectionDifference& section : result.sections) {
        const std::string_view what = !section.a ? "only in B" : !section.b ? "only in A" : "bytes differ";
        fmt::format_to(std::back_inserter(out), "  section {} {}: {}\n", section.type, section.id, what);
    }
    fmt::format_to(std::back_inserter(out), "{}: {}, {} of them within tolerance, {} ignored; {}\n",
                   result.equal() ? "equal within tolerance" : "different",
                   counted(result.differences.size(), "difference"), within, result.ignored,
                   counted(result.sections.size(), "section"));
    return out;
}

void write_value(JsonWriter& json, const DiffValue& value) {
    if (std::holds_alternative<std::monostate>(value)) json.null();
    else if (const auto* flag = std::get_if<bool>(&value)) json.boolean(*flag);
    else if (const auto* whole = std::get_if<std::int64_t>(&value)) json.integer(*whole);
    else if (const auto* number = std::get_if<double>(&value)) json.number(*number);
    else json.string(std::get<std::string>(value));
}

std::string diff_json(const DiffResult& result) {
    JsonWriter json;
    json.begin_object();
    json.member("schema", "sinter-diff/1");
    json.member("equal", result.equal());
    json.member("roots_equal", result.roots_equal);
    json.member("content_root_a", to_hex(result.root_a));
    json.member("content_root_b", to_hex(result.root_b));
    json.key("differences");
    json.begin_array();
    for (const Difference& difference : result.differences) {
        json.begin_object();
        json.member("path", difference.path);
        json.key("a");
        write_value(json, difference.a);
        json.key("b");
        write_value(json, difference.b);
        if (difference.difference) json.member("difference", *difference.difference);
        if (difference.rms) json.member("rms", *difference.rms);
        if (difference.count) json.member("count", *difference.count);
        json.member("within_tolerance", difference.within_tolerance);
        json.end_object();
    }
    json.end_array();
    json.key("sections");
    json.begin_array();
    for (const SectionDifference& section : result.sections) {
        json.begin_object();
        json.member("type", section.type);
        json.member("id", section.id);
        if (section.a) json.member("digest_a", to_hex(*section.a));
        if (section.b) json.member("digest_b", to_hex(*section.b));
        json.end_object();
    }
    json.end_array();
    json.member("ignored", result.ignored);
    json.end_object();
    return json.text();
}

// diff needs the two containers only; manifests are decoded when the roots differ.
Result<DiffResult> diff_files(const std::string& path_a, const std::string& path_b,
                              const DiffOptions& options) {
    SINTER_TRY_ASSIGN(const MappedFile a, MappedFile::open(path_a));
    SINTER_TRY_ASSIGN(const MappedFile b, MappedFile::open(path_b));
    const auto at_path = [](Error error, const std::string& path) {
        error.where = error.where.empty() ? path : path + ": " + error.where;
        return error;
    };
    Result<PackageView> view_a = PackageView::open(a.bytes());
    if (!view_a) return at_path(std::move(view_a).error(), path_a);
    Result<PackageView> view_b = PackageView::open(b.bytes());
    if (!view_b) return at_path(std::move(view_b).error(), path_b);
    return diff_packages(*view_a, *view_b, options);
}

}  // namespace

ExitCode run_diff(Arguments arguments) {
    std::vector<std::string> packages, tolerances;
    DiffOptions options;
    CommonOptions common;
    ArgumentParser parser(
        "diff", "what differs between two packages; exit code 0 = equal, 7 = different",
        "  sinter diff old.sinter new.sinter\n"
        "  sinter diff old.sinter new.sinter --tolerance position=1e-4 --tolerance normal=0.5\n"
        "  sinter diff old.sinter new.sinter --ignore clips --ignore 'meshes/*/bounds'\n");
    parser.positionals("A B", packages, "the two packages");
    parser.repeated("--tolerance", tolerances, "KEY=X",
                    "position (m), normal (degrees), uv, color, weight, scale, time (s)");
    parser.repeated("--ignore", options.ignore, "PATH",
                    "leave out what is at or below a path; * matches a name");
    if (const auto code = parser.parse(arguments, common)) return *code;
    if (packages.size() != 2) {
        print_error({ErrorKind::Usage,
                     {},
                     fmt::format("{} packages given, diff takes two", packages.size()),
                     "`sinter diff --help` has examples"},
                    common);
        return ExitCode::Usage;
    }
    for (const std::string& text : tolerances) {
        if (const auto set = set_tolerance(options.tolerances, text); !set) {
            print_error(set.error(), common);
            return ExitCode::Usage;
        }
    }
    const Result<DiffResult> result = diff_files(packages[0], packages[1], options);
    if (!result) {
        print_error(result.error(), common);
        return exit_code_of(result.error().kind);
    }
    for (const std::string& pattern : result->unmatched_ignore) {
        print_warning(fmt::format("--ignore '{}': neither package has such a path", pattern), common);
    }
    if (!write_stdout(common.format == OutputFormat::Json ? diff_json(*result) : diff_text(*result)))
        return ExitCode::Io;
    return result->equal() ? ExitCode::Ok : ExitCode::Different;
}

}  // namespace sinter
