#include "cli/run_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace sinter {
namespace {

// The number at the start of a text; the rest stays in `text`.
std::optional<double> take_number(std::string_view& text) {
    double value = 0;
    const auto [stopped, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || !std::isfinite(value)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
    return value;
}

Error bad_value(std::string_view option, std::string_view text, std::string_view rule) {
    return {ErrorKind::Usage, std::string(option), fmt::format("'{}' is no value for it", text),
            fmt::format("it takes {}", rule)};
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
    const Error bad = bad_value("--max-memory", text, "a size such as 512M or 8G, at least 16M");
    std::string_view unit = text;
    const std::optional<double> number = take_number(unit);
    if (!number) return bad;
    constexpr std::string_view kUnits = "KMGT";
    double bytes = *number;
    if (!unit.empty()) {
        const std::size_t power =
            kUnits.find(unit.front() >= 'a' ? static_cast<char>(unit.front() - 32) : unit.front());
        if (power == std::string_view::npos) return bad;
        const std::string_view rest = unit.substr(1);
        if (!rest.empty() && rest != "B" && rest != "iB") return bad;
        bytes = std::ldexp(bytes, static_cast<int>(10 * (power + 1)));
    }
    constexpr double kMin = 16.0 * 1024 * 1024;
    if (!(bytes >= kMin) || bytes > 9e18) return bad;
    return static_cast<std::uint64_t>(bytes);
}

Result<double> parse_duration(std::string_view text) {
    const Error bad = bad_value("--max-time", text, "seconds such as 600, or 10s, 5m, 2h; more than 0");
    std::string_view unit = text;
    const std::optional<double> number = take_number(unit);
    if (!number) return bad;
    double seconds = *number;
    if (unit == "m") seconds *= 60;
    else if (unit == "h") seconds *= 3600;
    else if (!unit.empty() && unit != "s") return bad;
    if (!(seconds > 0) || seconds > 1e9) return bad;
    return seconds;
}

Result<std::uint32_t> parse_jobs(std::string_view text) {
    std::uint32_t jobs = 0;
    const auto [stopped, problem] = std::from_chars(text.data(), text.data() + text.size(), jobs);
    if (problem != std::errc() || stopped != text.data() + text.size() || jobs < 1 || jobs > 4096) {
        return bad_value("-j", text, "a whole number from 1 to 4096");
    }
    return jobs;
}

}  // namespace sinter
