// The worker: cooks one asset in a process of its own, so that a crash, a leak or a hang of an importer
// costs that asset only. The supervisor starts this program again with the hidden verb cook-worker.
#pragma once

#include "cooker/options.hpp"

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sinter {

inline constexpr int kEventsFd = 3;  // where the worker writes its events

// What the supervisor asks for; travels as the worker's arguments, because those are bytes and paths are too.
struct WorkerRequest {
    std::filesystem::path input;
    std::filesystem::path temporary;  // an existing file, to be filled with the package
    std::filesystem::path output;     // for messages
    CookOptions options;
    std::uint64_t max_memory = 0;
    bool warnings_are_errors = false;
    std::uint32_t threads = 1;
    std::int64_t supervisor = 0;  // process that the worker must not outlive
};

[[nodiscard]] std::vector<std::string> arguments_of(const WorkerRequest& request);
// Errors: Usage.
[[nodiscard]] Result<WorkerRequest> parse_request(std::span<const std::string> arguments);

// Events on kEventsFd: lines "stage NAME", then a line "result" and one JSON document (asset_result.hpp) up to
// the end of the stream.

}  // namespace sinter
