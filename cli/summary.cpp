// summary_text and issue_lines of report.hpp.
#include "cli/counted.hpp"
#include "cli/report.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace sinter {
namespace {

std::string size_text(std::uint64_t bytes) {
    constexpr std::array<std::string_view, 4> kUnits{"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) return fmt::format("{} B", bytes);
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string line(std::string_view name, const std::string& value) {
    return fmt::format("  {:<16}{}\n", name, value);
}

std::string with_note(const std::string& value, std::uint64_t count, std::string_view note) {
    return count > 0 ? fmt::format("{} ({} {})", value, count_text(count), note) : value;
}

// The largest errors that were made; exact parts say so in one word.
std::string error_lines(const AssetFacts& facts) {
    std::string text = "  largest errors\n";
    text += line("  position", fmt::format("{:.3g} m ({:.2g} R)", facts.max_position_error,
                                           facts.max_position_error_relative));
    text += line("  normal", fmt::format("{:.3g} deg", facts.max_normal_error_deg));
    if (facts.max_tangent_error_deg > 0)
        text += line("  tangent", fmt::format("{:.3g} deg", facts.max_tangent_error_deg));
    if (facts.clusters > 0) text += line("  coarsest LOD", fmt::format("{:.3g} m", facts.max_lod_error));
    if (facts.bones > 0) {
        text += line("  weight", fmt::format("{:.3g} dropped; moves a vertex by {:.3g} m at most",
                                             facts.max_dropped_weight, facts.max_posed_error));
    }
    if (facts.clips > 0) {
        text +=
            line("  clip", fmt::format("{:.3g} m, {:.3g} deg, scale {:.3g}, shape weight {:.3g}",
                                       facts.max_clip_translation_error, facts.max_clip_rotation_error_deg,
                                       facts.max_clip_scale_error, facts.max_clip_weight_error));
    }
    if (facts.blend_shapes > 0)
        text += line("  blend shape", fmt::format("{:.3g} m", facts.max_blend_shape_error));
    return text;
}

std::string timing_lines(const AssetOutcome& outcome) {
    std::string text = line(
        "time", fmt::format("{:.2f} s, peak memory {}", outcome.wall_s, size_text(outcome.peak_rss_bytes)));
    for (const StageTime& stage : outcome.stages)
        text += line(fmt::format("  {}", stage.name), fmt::format("{:.3f} s", stage.seconds));
    return text;
}

std::string one_asset(const AssetJob& job, const AssetOutcome& outcome, bool verbose) {
    const AssetFacts& facts = outcome.result.facts;
    std::string text =
        fmt::format("{} -> {}\n", printable(job.input.string()), printable(job.output.string()));
    text +=
        line("size", fmt::format("{} -> {}", size_text(facts.source_bytes), size_text(facts.package_bytes)));
    text += line("triangles", with_note(count_text(facts.triangles), facts.dropped_triangles, "dropped"));
    text += line("vertices", with_note(count_text(facts.vertices), facts.source_vertices, "in the source"));
    text += line("meshes",
                 fmt::format("{}, drawn by {}", count_text(facts.meshes), counted(facts.instances, "node")));
    if (facts.clusters > 0) {
        text += line("clusters",
                     fmt::format("{} in {}", count_text(facts.clusters), counted(facts.levels, "level")));
    }
    text += line("bones", with_note(count_text(facts.bones), facts.helper_bones,
                                    facts.helper_bones == 1 ? "helper" : "helpers"));
    text += line("clips", count_text(facts.clips));
    text += line("blend shapes", count_text(facts.blend_shapes));
    text += error_lines(facts);
    if (verbose) text += timing_lines(outcome);
    for (const std::string& warning : issue_lines(outcome.result.issues, Severity::Warning)) {
        text += fmt::format("warning {}\n", warning);
    }
    if (verbose) {
        for (const std::string& note : issue_lines(outcome.result.issues, Severity::Info))
            text += fmt::format("note {}\n", note);
    }
    return text;
}

using Row = std::array<std::string, 10>;

std::uint64_t warnings_of(const AssetOutcome& outcome) {
    return static_cast<std::uint64_t>(
        std::ranges::count(outcome.result.issues, Severity::Warning, &Issue::severity));
}

Row row_of(std::string name, const AssetFacts& facts, std::uint64_t warnings) {
    return {std::move(name),
            size_text(facts.source_bytes),
            size_text(facts.package_bytes),
            count_text(facts.triangles),
            count_text(facts.vertices),
            count_text(facts.clusters),
            count_text(facts.bones),
            count_text(facts.clips),
            count_text(facts.blend_shapes),
            count_text(warnings)};
}

std::size_t width_of(std::string_view text) {  // characters of UTF-8
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string table_text(const std::vector<Row>& rows) {
    std::array<std::size_t, std::tuple_size_v<Row>> widths{};
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    }
    std::string text;
    for (const Row& row : rows) {
        std::string cells = row[0] + std::string(widths[0] - width_of(row[0]), ' ');
        for (std::size_t i = 1; i < row.size(); ++i) {
            cells += std::string(widths[i] - width_of(row[i]) + 2, ' ') + row[i];
        }
        text += cells.substr(0, cells.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string many_assets(const std::vector<AssetJob>& jobs, const BatchOutcome& batch) {
    std::vector<Row> rows{
        {"asset", "in", "out", "triangles", "vertices", "clusters", "bones", "clips", "shapes", "warnings"}};
    AssetFacts sum;
    std::uint64_t warnings = 0;
    std::size_t cooked = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const AssetOutcome& outcome = batch.assets[i];
        const AssetFacts& facts = outcome.result.facts;
        const std::string name = printable(jobs[i].input.string());
        if (outcome.result.error) {
            rows.push_back({name, fmt::format("failed ({})", static_cast<int>(exit_code_of(outcome)))});
            continue;
        }
        rows.push_back(row_of(name, facts, warnings_of(outcome)));
        ++cooked;
        warnings += warnings_of(outcome);
        for (const auto field : {&AssetFacts::source_bytes, &AssetFacts::package_bytes,
                                 &AssetFacts::triangles, &AssetFacts::vertices, &AssetFacts::clusters,
                                 &AssetFacts::bones, &AssetFacts::clips, &AssetFacts::blend_shapes}) {
            sum.*field += facts.*field;
        }
    }
    rows.push_back(row_of(fmt::format("{} of {} cooked", cooked, jobs.size()), sum, warnings));
    return table_text(rows);
}

}  // namespace

std::vector<std::string> issue_lines(const std::vector<Issue>& issues, Severity severity) {
    std::vector<std::string> lines;
    for (const Issue& issue : issues) {
        if (issue.severity != severity) continue;
        const std::string count = issue.count > 1 ? fmt::format(" ({} times)", count_text(issue.count)) : "";
        lines.push_back(printable_line(fmt::format("{}: {}{}: {}", static_cast<unsigned>(issue.code),
                                                   issue.where, count, issue.message)));
    }
    return lines;
}

std::string summary_text(const std::vector<AssetJob>& jobs, const BatchOutcome& batch, bool verbose) {
    if (jobs.size() > 1) return many_assets(jobs, batch);
    return batch.assets.front().result.error ? "" : one_asset(jobs.front(), batch.assets.front(), verbose);
}

}  // namespace sinter
