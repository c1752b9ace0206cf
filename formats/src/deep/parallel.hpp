// A loop over several threads. Bodies write to places of their own, so that results do not depend on the number.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace sinter::deep {

// Calls body(i) for each i below count, in any order. Pre: threads > 0; body does not throw.
template <typename Body>
void parallel_each(std::size_t count, std::uint32_t threads, const Body& body) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) body(i);
    };
    std::vector<std::jthread> helpers;
    const std::size_t wanted = std::min<std::size_t>(threads, count);
    for (std::size_t t = 1; t < wanted; ++t) helpers.emplace_back(work);
    work();
}

}  // namespace sinter::deep
