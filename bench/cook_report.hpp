// Shared by the benchmarks that start from a file.
#pragma once

#include "bench/generate.hpp"
#include "bench/peak_memory.hpp"
#include "cooker/cook.hpp"

#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <utility>

namespace sinter::bench {

// The generated file of these arguments (range 0: triangles, range 1: skinned), made once a process.
inline const GeneratedFile& file_of(const benchmark::State& state) {
    static std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<GeneratedFile>> files;
    auto& file = files[{state.range(0), state.range(1)}];
    if (!file)
        file =
            std::make_unique<GeneratedFile>(static_cast<std::uint64_t>(state.range(0)), state.range(1) != 0);
    return *file;
}

// Mtri/s, MB/s over `bytes` a run, and the peak memory of the process so far (peak_memory.hpp).
inline void report_rates(benchmark::State& state, std::uint64_t triangles, std::uint64_t bytes) {
    const auto runs = static_cast<double>(state.iterations());
    const auto rate = [&](double amount) {
        return benchmark::Counter(runs * amount / 1e6, benchmark::Counter::kIsRate);
    };
    state.counters["Mtri/s"] = rate(static_cast<double>(triangles));
    state.counters["MB/s"] = rate(static_cast<double>(bytes));
    state.counters["peak_MiB"] = peak_memory_mib();
}

inline void sizes(benchmark::internal::Benchmark* b) {
    b->ArgNames({"triangles", "skinned"})
        ->ArgsProduct({{100'000, 1'000'000}, {0, 1}})
        ->Unit(benchmark::kMillisecond);
}

}  // namespace sinter::bench
