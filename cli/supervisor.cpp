#include "cli/supervisor.hpp"

#include "cli/atomic_file.hpp"
#include "cli/process.hpp"
#include "cli/worker.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

namespace sinter {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

// A worker at work.
struct Running {
    std::size_t job = 0;
    AtomicFile output;
    ChildProcess process;
    Clock::time_point start;
    Clock::time_point stage_start;
    std::string stage;        // last one that began; empty before the first
    std::string events;       // not parsed yet
    bool has_result = false;  // `events` holds the result document
    bool timed_out = false;
    AssetOutcome outcome;
};

std::string file_of(const AssetJob& job) { return job.input.filename().string(); }

// "mesh 3/12" -> "mesh"
std::string_view stage_name(std::string_view stage) { return stage.substr(0, stage.find(' ')); }

void end_stage(Running& worker, Clock::time_point now) {
    if (worker.stage.empty()) return;
    const double seconds = seconds_between(worker.stage_start, now);
    const std::string_view name = stage_name(worker.stage);
    std::vector<StageTime>& stages = worker.outcome.stages;
    if (stages.empty() || stages.back().name != name) stages.push_back({std::string(name), 0});
    stages.back().seconds += seconds;
}

void take_lines(Running& worker, const BatchObserver& observer) {
    while (!worker.has_result) {
        const std::size_t end = worker.events.find('\n');
        if (end == std::string::npos) return;
        const std::string line = worker.events.substr(0, end);
        worker.events.erase(0, end + 1);
        if (line == "result") {
            worker.has_result = true;
        } else if (line.starts_with("stage ")) {
            const Clock::time_point now = Clock::now();
            end_stage(worker, now);
            worker.stage = line.substr(6);
            worker.stage_start = now;
            if (observer.on_stage) observer.on_stage(worker.job, worker.stage);
        }
    }
}

void read_streams(Running& worker, const BatchObserver& observer) {
    constexpr std::size_t kMaxNoise = std::size_t{64} << 10;
    worker.process.read_events(worker.events);
    take_lines(worker, observer);
    std::string& noise = worker.outcome.noise;
    worker.process.read_noise(noise);
    if (noise.size() > kMaxNoise) noise.erase(0, noise.size() - kMaxNoise);
}

std::string signal_name(int signal) {
    const char* const name = ::sigabbrev_np(signal);
    return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

// Why a worker ended that told no result.
Error cause_of_death(const Running& worker, const AssetJob& job, const RunOptions& run) {
    const std::string stage = worker.stage.empty() ? "start" : worker.stage;
    const int status = worker.process.status();
    if (worker.timed_out) {
        return {ErrorKind::Limit, file_of(job),
                fmt::format("took longer than {} s, in stage '{}'", run.max_time_s, stage),
                "raise --max-time"};
    }
    const std::string how = WIFSIGNALED(status) ? signal_name(WTERMSIG(status))
                                                : fmt::format("exit status {}", WEXITSTATUS(status));
    const bool out_of_memory = worker.process.peak_rss_bytes() > run.max_memory / 10 * 9;
    if (out_of_memory || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)) {
        return {ErrorKind::Limit, file_of(job),
                fmt::format("the worker ran out of memory or was killed ({}) in stage '{}'", how, stage),
                "raise --max-memory or cook fewer assets at once (-j)"};
    }
    if (stage == "import") {
        return {ErrorKind::InvalidInput, file_of(job),
                fmt::format("the importer crashed on it ({}) in stage 'import'", how),
                "the file is damaged or uses what the importer cannot read; export it again"};
    }
    return {ErrorKind::Internal, file_of(job),
            fmt::format("the cooker crashed ({}) in stage '{}'", how, stage), "please report this"};
}

AssetOutcome finish(Running worker, const AssetJob& job, const RunOptions& run) {
    const Clock::time_point now = Clock::now();
    end_stage(worker, now);
    AssetOutcome outcome = std::move(worker.outcome);
    outcome.started = true;
    outcome.wall_s = seconds_between(worker.start, now);
    outcome.peak_rss_bytes = worker.process.peak_rss_bytes();
    const bool exited = WIFEXITED(worker.process.status());
    Result<AssetResult> told = worker.has_result && exited && !worker.timed_out
                                   ? decode_result(worker.events)
                                   : Result<AssetResult>(cause_of_death(worker, job, run));
    if (!told) {
        outcome.result.error = std::move(told).error();
        return outcome;
    }
    outcome.result = *std::move(told);
    if (!outcome.result.error) {
        if (Result<Unit> placed = worker.output.commit(); !placed) outcome.result.error = placed.error();
    }
    return outcome;
}

Result<Unit> make_parent_folder(const AssetJob& job) {
    const std::filesystem::path folder = job.output.parent_path();
    std::error_code problem;
    if (job.make_folder && !folder.empty()) std::filesystem::create_directories(folder, problem);
    if (!problem) return Unit{};
    return Error{ErrorKind::Io, folder.string(), fmt::format("cannot be made: {}", problem.message()), {}};
}

Result<Running> start_worker(std::size_t index, const AssetJob& job, const RunOptions& run,
                             std::uint32_t threads) {
    if (job.error) return *job.error;
    std::error_code problem;
    const std::filesystem::file_status status = std::filesystem::status(job.input, problem);
    if (!std::filesystem::exists(status)) {
        return Error{ErrorKind::Io, job.input.string(), "cannot be read: " + problem.message(), {}};
    }
    if (std::filesystem::is_directory(status)) {
        return Error{ErrorKind::Io, job.input.string(), "is a folder",
                     "name the files in it, or use --manifest"};
    }
    if (!std::filesystem::is_regular_file(status)) {
        return Error{ErrorKind::Io, job.input.string(), "is not a regular file",
                     "an asset is read from a file; copy it into one"};
    }
    SINTER_TRY(make_parent_folder(job));
    SINTER_TRY_ASSIGN(AtomicFile output, AtomicFile::create(job.output));
    const WorkerRequest request{.input = job.input,
                                .temporary = output.temporary(),
                                .output = job.output,
                                .options = job.options,
                                .max_memory = run.max_memory,
                                .warnings_are_errors = run.warnings_are_errors,
                                .threads = threads,
                                .supervisor = ::getpid()};
    SINTER_TRY_ASSIGN(ChildProcess process, ChildProcess::start(arguments_of(request)));
    const Clock::time_point now = Clock::now();
    return Running{index, std::move(output), std::move(process), now, now, {}, {}, false, false, {}};
}

// The whole run: which jobs wait, which run, what came out.
class Batch {
public:
    Batch(const std::vector<AssetJob>& jobs, const RunOptions& run, const BatchObserver& observer)
        : jobs_(jobs), run_(run), observer_(observer) {
        outcome_.assets.resize(jobs.size());
    }

    BatchOutcome cook(SignalQueue& signals) {
        while (outcome_.signal == 0 && (next_ < jobs_.size() || !running_.empty())) {
            start_workers();
            if (running_.empty()) continue;
            wait_for_something(signals);
            outcome_.signal = signals.take();
            for (Running& worker : running_) read_streams(worker, observer_);
            stop_late_workers();
            collect_ended();
        }
        running_.clear();  // after a signal: kills, waits, and removes the temporaries
        return std::move(outcome_);
    }

private:
    // All workers together have run_.jobs threads; a batch shorter than that gives each worker several.
    [[nodiscard]] std::uint32_t threads_per_worker() const {
        const auto workers = static_cast<std::uint32_t>(std::min<std::size_t>(run_.jobs, jobs_.size()));
        return std::max(1U, run_.jobs / std::max(1U, workers));
    }

    void start_workers() {
        while (next_ < jobs_.size() && running_.size() < run_.jobs) {
            const std::size_t index = next_++;
            Result<Running> worker = start_worker(index, jobs_[index], run_, threads_per_worker());
            if (worker) {
                running_.push_back(*std::move(worker));
                continue;
            }
            AssetOutcome failed;
            failed.result.error = std::move(worker).error();
            done(index, std::move(failed));
        }
    }

    void done(std::size_t index, AssetOutcome outcome) {
        outcome_.assets[index] = std::move(outcome);
        if (observer_.on_done) observer_.on_done(index, outcome_.assets[index]);
    }

    // Milliseconds to the first time limit; -1 = none.
    int poll_timeout() const {
        double left = 1e6;
        const Clock::time_point now = Clock::now();
        for (const Running& worker : running_) {
            if (!worker.timed_out)
                left = std::min(left, run_.max_time_s - seconds_between(worker.start, now));
        }
        return static_cast<int>(std::ceil(std::max(0.0, left) * 1000));
    }

    void wait_for_something(const SignalQueue& signals) const {
        std::vector<pollfd> waits{{signals.fd(), POLLIN, 0}};
        for (const Running& worker : running_) {
            for (const int fd : {worker.process.events(), worker.process.noise()}) {
                if (fd >= 0) waits.push_back({fd, POLLIN, 0});
            }
        }
        static_cast<void>(::poll(waits.data(), waits.size(), poll_timeout()));
    }

    void stop_late_workers() {
        const Clock::time_point now = Clock::now();
        for (Running& worker : running_) {
            if (worker.timed_out || seconds_between(worker.start, now) < run_.max_time_s) continue;
            worker.timed_out = true;
            worker.process.kill_group();
        }
    }

    void collect_ended() {
        for (std::size_t i = 0; i < running_.size();) {
            if (!running_[i].process.has_ended()) {
                ++i;
                continue;
            }
            read_streams(running_[i], observer_);  // what it wrote before it ended
            Running ended = std::move(running_[i]);
            running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            const std::size_t index = ended.job;
            done(index, finish(std::move(ended), jobs_[index], run_));
        }
    }

    const std::vector<AssetJob>& jobs_;
    const RunOptions& run_;
    const BatchObserver& observer_;
    std::vector<Running> running_;
    std::size_t next_ = 0;
    BatchOutcome outcome_;
};

}  // namespace

Result<BatchOutcome> cook_all(const std::vector<AssetJob>& jobs, const RunOptions& run,
                              const BatchObserver& observer) {
    SINTER_TRY_ASSIGN(SignalQueue signals, SignalQueue::open());
    return Batch(jobs, run, observer).cook(signals);
}

}  // namespace sinter
