// CPU time of phases that report themselves (BuildObserver): of the thread that runs each.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>

namespace sinter::bench {

// Nanoseconds that this thread has run.
inline std::int64_t thread_nanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

// Seconds that all threads of the process have run.
inline double process_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <std::size_t Count>
class PhaseClock {
public:
    void operator()(std::size_t phase, bool begins) {
        thread_local std::int64_t begin = 0;
        if (begins) {
            begin = thread_nanoseconds();
        } else {
            nanoseconds_[phase] += thread_nanoseconds() - begin;
        }
    }
    [[nodiscard]] double seconds(std::size_t phase) const {
        return 1e-9 * static_cast<double>(nanoseconds_[phase].load());
    }

private:
    std::array<std::atomic<std::int64_t>, Count> nanoseconds_{};
};

}  // namespace sinter::bench
