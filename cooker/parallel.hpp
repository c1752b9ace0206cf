// A loop over numbered jobs on a few threads. Each job writes only to a slot of its own, prepared before the loop, so
// that no result depends on the number of threads or on their order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace sinter {

// Calls body(i) once for each i < count, on up to `threads` threads, the calling one among them; returns when all are
// done. Threads take the next number when they are free, so jobs may differ in length. Pre: body does not throw.
template <typename Body>
void parallel_for(std::size_t count, std::uint32_t threads, const Body& body) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next.fetch_add(1, std::memory_order_relaxed); i < count;
             i = next.fetch_add(1, std::memory_order_relaxed)) {
            body(i);
        }
    };
    std::vector<std::jthread> helpers;
    const std::size_t workers = std::min<std::size_t>(count, threads);
    for (std::size_t i = 1; i < workers; ++i) helpers.emplace_back(work);
    work();
}

}  // namespace sinter
