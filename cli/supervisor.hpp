// The supervisor: runs one worker process an asset, at most -j at once, within the limits of memory and
// time; puts finished packages in their place, and turns every end of a worker into one result.
#pragma once

#include "cli/asset_job.hpp"
#include "cli/asset_result.hpp"
#include "cli/exit_codes.hpp"
#include "cli/run_options.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

struct StageTime {
    std::string name;
    double seconds = 0;
};

struct AssetOutcome {
    AssetResult result;
    bool started = false;
    double wall_s = 0;
    std::uint64_t peak_rss_bytes = 0;
    std::vector<StageTime> stages;  // "mesh 1/3" and "mesh 2/3" are one stage
    std::string noise;              // what libraries wrote to stdout and stderr, its last 64 KiB
};

struct BatchOutcome {
    std::vector<AssetOutcome> assets;  // one a job, in the order of the jobs
    int signal = 0;                    // SIGINT, SIGTERM or SIGHUP that ended the run early, or 0
};

// For display; called from one thread.
struct BatchObserver {
    std::function<void(std::size_t job, std::string_view stage)> on_stage;
    std::function<void(std::size_t job, const AssetOutcome&)> on_done;
};

// Cooks all jobs. When it returns no worker runs and no temporary file is left, whatever happened. The results
// do not depend on the number of jobs at once. Errors (Internal): the system refuses pipes or signals.
[[nodiscard]] Result<BatchOutcome> cook_all(const std::vector<AssetJob>& jobs, const RunOptions& run,
                                            const BatchObserver& observer);

}  // namespace sinter
