// sinter cook: assets in, packages out.
#include "cli/asset_job.hpp"
#include "cli/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/counted.hpp"
#include "cli/depfile.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "cli/run_options.hpp"
#include "cli/supervisor.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace sinter {
namespace {

constexpr std::string_view kExamples =
    "  sinter cook hero.glb                          writes hero.sinter into the current folder\n"
    "  sinter cook hero.fbx -o build/hero.sinter --set skin.max_influences=4\n"
    "  sinter cook art/*.glb --out-dir cooked -j 8 --report cook.json -Werror\n"
    "  sinter cook --manifest assets.json --config sinter.json\n"
    "  sinter cook hero.glb --config sinter.json --print-config   the options that hero.glb gets\n";

// The words of the command line, before they mean anything.
struct CookArguments {
    std::vector<std::string> inputs;
    std::optional<std::string> output, out_dir, config, manifest, report, depfile;
    std::optional<std::string> jobs, max_memory, max_time, warnings;
    std::vector<std::string> sets;
    bool print_config = false;
};

void declare(ArgumentParser& parser, CookArguments& words) {
    parser.positionals("INPUT...", words.inputs, "assets: .gltf .glb .fbx .dae .obj .ply .stl");
    parser.option("-o,--output", words.output, "FILE",
                  "the package of a single input; default: its name + .sinter");
    parser.option("--out-dir", words.out_dir, "DIR",
                  "folder of the packages, made if missing; default: here");
    parser.option("--config", words.config, "FILE", "options and rules, JSON (docs/configuration.md)");
    parser.repeated("--set", words.sets, "KEY=VALUE",
                    "one option, after the file and its rules; may be repeated");
    parser.option("--manifest", words.manifest, "FILE", "a list of assets, JSON, with globs and options");
    parser.option("-j,--jobs", words.jobs, "N", "threads, over all assets; default: one a processor");
    parser.option("--report", words.report, "FILE", "facts, issues and errors of every asset, JSON");
    parser.option("--depfile", words.depfile, "FILE", "every file that was read, for make and ninja");
    parser.option("--max-memory", words.max_memory, "SIZE", "memory of one asset; default: 8G");
    parser.option("--max-time", words.max_time, "S", "time of one asset; default: 600 seconds");
    parser.option("-W", words.warnings, "error", "-Werror: an asset with a warning fails");
    parser.flag("--print-config", words.print_config, "print the effective configuration and cook nothing");
}

Result<RunOptions> run_options_of(const CookArguments& words, const CommonOptions& common) {
    RunOptions run;
    run.common = common;
    run.jobs = std::max(1U, std::thread::hardware_concurrency());
    if (words.jobs) {
        SINTER_TRY_ASSIGN(run.jobs, parse_jobs(*words.jobs));
    }
    if (words.max_memory) {
        SINTER_TRY_ASSIGN(run.max_memory, parse_size(*words.max_memory));
    }
    if (words.max_time) {
        SINTER_TRY_ASSIGN(run.max_time_s, parse_duration(*words.max_time));
    }
    if (words.warnings && *words.warnings != "error") {
        return Error{ErrorKind::Usage, "-W", fmt::format("'{}' is no value for it", *words.warnings),
                     "it takes error"};
    }
    run.warnings_are_errors = words.warnings.has_value();
    return run;
}

Result<JobRequest> job_request_of(const CookArguments& words) {
    JobRequest request;
    request.inputs.assign(words.inputs.begin(), words.inputs.end());
    if (words.output) request.output = *words.output;
    if (words.out_dir) request.out_dir = *words.out_dir;
    if (words.report) request.other_outputs.emplace_back(*words.report);
    if (words.depfile) request.other_outputs.emplace_back(*words.depfile);
    if (words.config) {
        SINTER_TRY_ASSIGN(request.config, read_config(*words.config));
    }
    if (words.manifest) {
        SINTER_TRY_ASSIGN(request.manifest, read_manifest(*words.manifest));
    }
    for (const std::string& text : words.sets) {
        SINTER_TRY_ASSIGN(Setting setting, parse_set(text));
        request.sets.push_back(std::move(setting));
    }
    return request;
}

ExitCode fail(const Error& error, const CommonOptions& common) {
    print_error(error, common);
    return exit_code_of(error.kind);
}

// The configuration of the one asset that is named, or of none: rules do not apply then.
ExitCode print_config(const JobRequest& request, const CommonOptions& common) {
    const std::size_t count = request.inputs.size() + request.manifest.assets.size();
    if (count > 1) {
        return fail({ErrorKind::Usage,
                     {},
                     fmt::format("--print-config with {} assets", count),
                     "name one asset, or none"},
                    common);
    }
    std::vector<AssetJob> jobs;
    if (count == 1) {
        Result<std::vector<AssetJob>> made = make_jobs(request);
        if (!made) return fail(made.error(), common);
        jobs = *std::move(made);
    }
    const Result<CookOptions> options = jobs.empty() ? options_of_asset(request.config, {}, {}, request.sets)
                                                     : Result<CookOptions>(jobs.front().options);
    if (!options) return fail(options.error(), common);
    return write_stdout(config_text(*options)) ? ExitCode::Ok : ExitCode::Io;
}

ExitCode exit_code_of(const BatchOutcome& batch) {
    if (batch.signal != 0) return static_cast<ExitCode>(128 + batch.signal);
    ExitCode code = ExitCode::Ok;
    for (const AssetOutcome& outcome : batch.assets) code = worse(code, exit_code_of(outcome));
    return code;
}

// Every file that the cooked assets read, the configuration and the manifest included.
Result<Unit> write_depfile(const CookArguments& words, const std::vector<AssetJob>& jobs,
                           const BatchOutcome& batch) {
    std::vector<DepfileRule> rules;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (batch.assets[i].result.error) continue;
        DepfileRule rule{jobs[i].output, {}};
        for (const ReadFile& file : batch.assets[i].result.files) rule.inputs.push_back(file.path);
        if (words.config) rule.inputs.emplace_back(*words.config);
        if (words.manifest) rule.inputs.emplace_back(*words.manifest);
        rules.push_back(std::move(rule));
    }
    SINTER_TRY_ASSIGN(const std::string text, depfile_text(rules));
    return write_whole_file(*words.depfile, text);
}

// What is written at the end; each failure is told, and makes the run's exit code worse.
ExitCode write_results(const CookArguments& words, const std::vector<AssetJob>& jobs, const RunOptions& run,
                       const BatchOutcome& batch, double wall_s) {
    ExitCode code = exit_code_of(batch);
    const auto tell = [&](const Result<Unit>& written) {
        if (!written) code = worse(code, fail(written.error(), run.common));
    };
    if (words.depfile) tell(write_depfile(words, jobs, batch));
    const bool json = run.common.format == OutputFormat::Json;
    if (json || words.report) {
        const std::string report = report_json(jobs, batch, run, code, wall_s);
        if (words.report) tell(write_whole_file(*words.report, report));
        if (json && !write_stdout(report)) code = worse(code, ExitCode::Io);
    }
    if (json || run.common.quiet) return code;
    return write_stdout(summary_text(jobs, batch, run.common.verbose)) ? code : worse(code, ExitCode::Io);
}

std::filesystem::path absolute_folder_of(const std::filesystem::path& file) {
    std::error_code gone;  // the current folder may be
    return std::filesystem::absolute(file, gone).lexically_normal().parent_path();
}

// Whether cooking `jobs` makes this folder, or one below it.
bool will_be_made(const std::filesystem::path& folder, const std::vector<AssetJob>& jobs) {
    return std::ranges::any_of(jobs, [&](const AssetJob& job) {
        const std::filesystem::path below = absolute_folder_of(job.output).lexically_relative(folder);
        return job.make_folder && !below.empty() && *below.begin() != "..";
    });
}

// A report or depfile that cannot be written shows before the work is done. They may stand in the output folder.
Result<Unit> check_results(const CookArguments& words, const std::vector<AssetJob>& jobs) {
    for (const std::optional<std::string>& word : {words.report, words.depfile}) {
        if (!word) continue;
        const std::filesystem::path path = *word;
        std::error_code problem;
        const std::filesystem::path folder = absolute_folder_of(path);
        if (will_be_made(folder, jobs)) std::filesystem::create_directories(folder, problem);
        SINTER_TRY(check_writable(path));
    }
    return Unit{};
}

ExitCode cook(const CookArguments& words, const std::vector<AssetJob>& jobs, const RunOptions& run) {
    const auto start = std::chrono::steady_clock::now();
    Progress progress(jobs, run.common);
    const BatchObserver observer{
        [&](std::size_t job, std::string_view stage) { progress.stage(job, stage); },
        [&](std::size_t job, const AssetOutcome& outcome) { progress.done(job, outcome); }};
    const Result<BatchOutcome> batch = cook_all(jobs, run, observer);
    progress.clear();
    if (!batch) return fail(batch.error(), run.common);
    const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (batch->signal == 0) return write_results(words, jobs, run, *batch, wall_s);
    const auto cooked = std::ranges::count_if(
        batch->assets, [](const AssetOutcome& outcome) { return outcome.started && !outcome.result.error; });
    fmt::print(stderr, "interrupted: {} of {} cooked\n", cooked, counted(jobs.size(), "asset"));
    return exit_code_of(*batch);
}

}  // namespace

ExitCode run_cook(Arguments arguments) {
    ArgumentParser parser("cook", "assets in, packages out", kExamples);
    CookArguments words;
    CommonOptions common;
    declare(parser, words);
    if (const auto done = parser.parse(arguments, common)) return *done;
    const Result<RunOptions> run = run_options_of(words, common);
    if (!run) return fail(run.error(), common);
    const Result<JobRequest> request = job_request_of(words);
    if (!request) return fail(request.error(), common);
    if (words.print_config) return print_config(*request, common);
    const Result<std::vector<AssetJob>> jobs = make_jobs(*request);
    if (!jobs) return fail(jobs.error(), common);
    if (jobs->empty()) {
        return fail({ErrorKind::Usage, {}, "no input", "name an asset, for example: sinter cook hero.glb"},
                    common);
    }
    if (const Result<Unit> results = check_results(words, *jobs); !results) {
        return fail(results.error(), common);
    }
    return cook(words, *jobs, *run);
}

}  // namespace sinter
