// How long the passes of one picture take on a device, by its own clock.
#pragma once

#include "runtime/shot.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

struct PassTime {
    std::string name;
    double median_ms = 0;
    std::uint64_t bytes = 0;  // that the pass must at least read and write; 0: not counted
};

struct BenchReport {
    std::string device;
    std::uint32_t instances = 0, runs = 0;
    std::uint64_t skinned_vertices = 0, drawn_triangles = 0;
    double copy_bytes_per_ms = 0;  // read and written by a copy between two buffers, measured in the same run
    std::vector<PassTime> passes;
};

// Warm-up, then `runs` times all passes of a picture of 1920 x 1080 at one pixel of error, in the middle of the first clip
// if there is one. Errors: of the device; Unsupported where it has no clock.
[[nodiscard]] Result<BenchReport> bench_package(const Stage& stage, std::uint32_t runs = 21);

}  // namespace sinter
