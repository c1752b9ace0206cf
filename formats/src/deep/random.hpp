// Random numbers with a fixed seed a place, so that no sample depends on what was drawn elsewhere or on threads.
// Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014): SplitMix64.
#pragma once

#include "vector.hpp"

#include <cstdint>

namespace sinter::deep {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0xD1342543DE82EF95ULL + 0x2545F4914F6CDD1DULL) {}
    [[nodiscard]] std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31U);
    }
    [[nodiscard]] double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }  // [0, 1)
    [[nodiscard]] std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
    // Evenly distributed on the unit sphere.
    [[nodiscard]] Vec direction() {
        for (;;) {
            const Vec v{unit() * 2 - 1, unit() * 2 - 1, unit() * 2 - 1};
            const double size = dot(v, v);
            if (size > 1e-4 && size <= 1) return v * (1 / std::sqrt(size));
        }
    }

private:
    std::uint64_t state_;
};

}  // namespace sinter::deep
