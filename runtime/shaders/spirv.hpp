// The shaders of this folder, compiled at build time.
#pragma once

#include <cstdint>
#include <span>

namespace sinter::spirv {

[[nodiscard]] std::span<const std::uint32_t> draw_vert();
[[nodiscard]] std::span<const std::uint32_t> draw_frag();

}  // namespace sinter::spirv
