// RunOptions: what a run of `cook` is told that never changes the bytes of a package. What does change
// them is CookOptions.
#pragma once

#include "cli/arguments.hpp"

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <string_view>

namespace sinter {

struct RunOptions {
    CommonOptions common;
    std::uint32_t jobs = 1;                             // threads, over all assets
    std::uint64_t max_memory = std::uint64_t{8} << 30;  // bytes of private memory an asset's process may take
    double max_time_s = 600;                            // wall-clock seconds an asset may take
    bool warnings_are_errors = false;
};

// "512M", "8G", "1.5GiB", "1000000": bytes; K, M, G, T are powers of 1024. Errors: Usage.
[[nodiscard]] Result<std::uint64_t> parse_size(std::string_view text);

// "600", "0.5", "10s", "5m", "2h": seconds, more than 0. Errors: Usage.
[[nodiscard]] Result<double> parse_duration(std::string_view text);

// A whole number from 1 to 4096. Errors: Usage.
[[nodiscard]] Result<std::uint32_t> parse_jobs(std::string_view text);

}  // namespace sinter
