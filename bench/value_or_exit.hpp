// For programs that end at the first error.
#pragma once

#include <sinter/formats/result.hpp>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace sinter::bench {

template <typename T>
T value_or_exit(Result<T> result) {
    if (result) return std::move(*result);
    std::fprintf(stderr, "%s\n", result.error().line().c_str());
    std::exit(1);
}

}  // namespace sinter::bench
