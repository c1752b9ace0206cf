#include "cli/progress.hpp"

#include "cli/report.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace sinter {
namespace {

void write_stderr(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

// What a library said, its lines kept.
std::string printable_lines(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        out += printable(text.substr(0, end)) + '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

// Cut to a number of characters, never inside one of UTF-8.
std::string cut(std::string text, std::size_t columns) {
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
        if (begins && ++characters > columns) return text.substr(0, i);
    }
    return text;
}

}  // namespace

Progress::Progress(const std::vector<AssetJob>& jobs, const CommonOptions& common)
    : jobs_(jobs), common_(common), terminal_(stderr_is_terminal()), last_stage_(jobs.size()) {}

void Progress::stage(std::size_t job, std::string_view stage) {
    if (common_.quiet) return;
    const std::string input = printable(jobs_[job].input.string());
    if (!terminal_) {
        // "mesh 2/900" is not worth a line of its own
        const std::string name(stage.substr(0, stage.find(' ')));
        if (last_stage_[job] != name) write_stderr(fmt::format("{}: {}\n", input, name));
        last_stage_[job] = name;
        return;
    }
    constexpr std::chrono::milliseconds kPause{40};
    const auto now = std::chrono::steady_clock::now();
    const bool same = last_stage_[job] == stage.substr(0, stage.find(' '));
    if (same && now - last_update_ < kPause) return;
    last_stage_[job] = stage.substr(0, stage.find(' '));
    last_update_ = now;
    const std::string count = jobs_.size() > 1 ? fmt::format("[{}/{}] ", done_ + 1, jobs_.size()) : "";
    write_stderr("\r\x1b[K" +
                 cut(fmt::format("{}{}: {}", count, input, printable(stage)), terminal_columns() - 1));
    line_shown_ = true;
}

void Progress::done(std::size_t job, const AssetOutcome& outcome) {
    ++done_;
    clear();
    if (common_.verbose && !outcome.noise.empty()) {
        write_stderr(fmt::format("{}: libraries said:\n{}", printable(jobs_[job].input.string()),
                                 printable_lines(outcome.noise)));
    }
    if (outcome.result.error) {
        print_error(with_path(*outcome.result.error, jobs_[job]), common_);
    } else if (jobs_.size() > 1) {
        for (const std::string& line : issue_lines(outcome.result.issues, Severity::Warning)) {
            print_warning(fmt::format("{}: {}", jobs_[job].input.string(), line), common_);
        }
    }
}

void Progress::clear() {
    if (line_shown_) write_stderr("\r\x1b[K");
    line_shown_ = false;
}

}  // namespace sinter
