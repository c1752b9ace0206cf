#include "package_fuzz.hpp"

#include <cstdint>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sinter::test::fuzz_package(std::as_bytes(std::span(data, size)));
    return 0;
}
