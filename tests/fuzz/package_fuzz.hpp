// What the fuzz target and the test over its corpus run.
#pragma once

#include <cstddef>
#include <span>

namespace sinter::test {

// Verifies the bytes as they are, then again with repaired hashes, so that mutations reach what lies behind
// them; opens, decodes and compares what can be opened. Aborts if reader and verifier contradict each other.
void fuzz_package(std::span<const std::byte> bytes);

}  // namespace sinter::test
