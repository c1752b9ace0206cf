// What a run of cook says at its end: the table for people, the report for scripts.
#pragma once

#include "cli/asset_job.hpp"
#include "cli/exit_codes.hpp"
#include "cli/supervisor.hpp"

#include <string>
#include <vector>

namespace sinter {

// The exit code of one asset.
[[nodiscard]] ExitCode exit_code_of(const AssetOutcome& outcome);

// Stages name the file without its folders; an error on the screen names the path as it was given.
[[nodiscard]] Error with_path(Error error, const AssetJob& job);

// One line an issue of a severity: "1003 x64 mesh 0 'Body': ...".
[[nodiscard]] std::vector<std::string> issue_lines(const std::vector<Issue>& issues, Severity severity);

// For one asset: its facts, the largest errors that were made, and every warning with what to do. For several:
// a row each, and totals. Assets that failed have a row that says so.
[[nodiscard]] std::string summary_text(const std::vector<AssetJob>& jobs, const BatchOutcome& batch,
                                       bool verbose);

// JSON, schemas/report.schema.json. Everything outside of "run" depends on the inputs and the options only.
[[nodiscard]] std::string report_json(const std::vector<AssetJob>& jobs, const BatchOutcome& batch,
                                      const RunOptions& run, ExitCode exit_code, double wall_s);

}  // namespace sinter
