// parallel_for: every number once, and nothing else that threads could change.
#include "cooker/parallel.hpp"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

namespace sinter {

TEST_CASE("Every number below the count is called once, by any number of threads", "[threads]") {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
        for (const std::uint32_t threads : {0U, 1U, 2U, 8U, 64U}) {
            std::vector<std::atomic<int>> calls(count);
            parallel_for(count, threads, [&](std::size_t i) { ++calls[i]; });
            for (std::size_t i = 0; i < count; ++i) {
                INFO(i << " of " << count << " on " << threads << " threads");
                CHECK(calls[i] == 1);
            }
        }
    }
}

TEST_CASE("What jobs of very different length write is there after the loop, without atomics", "[threads]") {
    const auto sums = [](std::uint32_t threads) {
        std::vector<std::uint64_t> out(200, 0);
        parallel_for(out.size(), threads, [&](std::size_t i) {
            std::vector<std::uint64_t> numbers(i % 17 == 0 ? 20000 : i + 1);
            std::iota(numbers.begin(), numbers.end(), i);
            out[i] = std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
        });
        return out;
    };
    const std::vector<std::uint64_t> one = sums(1);
    // 3 + 4 + 5 + 6
    CHECK(one[3] == 18);
    CHECK(sums(2) == one);
    CHECK(sums(8) == one);
}

TEST_CASE("One thread is the calling one", "[threads]") {
    const std::thread::id self = std::this_thread::get_id();
    std::vector<std::thread::id> seen(100);
    parallel_for(seen.size(), 1, [&](std::size_t i) { seen[i] = std::this_thread::get_id(); });
    for (const std::thread::id id : seen) CHECK(id == self);
}

}  // namespace sinter
