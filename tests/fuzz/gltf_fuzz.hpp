// What the fuzz target and the test over its corpus run.
#pragma once

#include <cstddef>
#include <span>

namespace sinter::test {

// Imports the bytes as a glTF asset: as they are if they start with "glTF"; else everything up to the first
// zero byte is JSON and the rest the binary chunk of a GLB, so that mutations need no lengths. No file is
// read beside it. Aborts if an imported scene breaks what gltf.hpp promises about indices and array sizes.
void fuzz_gltf(std::span<const std::byte> bytes);

}  // namespace sinter::test
