// Peak memory of this process.
#pragma once

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace sinter::bench {

// VmHWM of /proc/self/status in MiB: the largest resident size so far. 0 where there is no such file.
// It never falls, so run one benchmark at a time (--benchmark_filter) to see that one's own peak.
inline double peak_memory_mib() {
    double kib = 0;
    if (std::FILE* status = std::fopen("/proc/self/status", "r")) {
        char line[256];
        while (std::fgets(line, sizeof line, status) != nullptr) {
            if (std::strncmp(line, "VmHWM:", 6) == 0)
                kib = static_cast<double>(std::strtol(line + 6, nullptr, 10));
        }
        std::fclose(status);
    }
    return kib / 1024;
}

// Makes the present resident size the peak, so that what follows is measured alone (Linux's clear_refs). Freed memory
// goes back to the system first, or it would hide what follows.
inline void reset_peak_memory() {
    malloc_trim(0);
    if (std::FILE* file = std::fopen("/proc/self/clear_refs", "w")) {
        std::fputs("5", file);
        std::fclose(file);
    }
}

}  // namespace sinter::bench
