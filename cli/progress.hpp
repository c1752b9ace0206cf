// Talk while cooking: one line that is updated on a terminal, one line a stage elsewhere.
#pragma once

#include "cli/asset_job.hpp"
#include "cli/supervisor.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

class Progress {
public:
    Progress(const std::vector<AssetJob>& jobs, const CommonOptions& common);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void stage(std::size_t job, std::string_view stage);
    // Its error or, for several assets, its warnings; with -v also what libraries said.
    void done(std::size_t job, const AssetOutcome& outcome);
    // Removes the updated line.
    void clear();

private:
    const std::vector<AssetJob>& jobs_;
    const CommonOptions& common_;
    bool terminal_;
    std::size_t done_ = 0;
    bool line_shown_ = false;
    std::vector<std::string> last_stage_;
    std::chrono::steady_clock::time_point last_update_;
};

}  // namespace sinter
