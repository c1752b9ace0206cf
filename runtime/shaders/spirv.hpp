// The shaders of this folder, compiled at build time.
#pragma once

#include <cstdint>
#include <span>

namespace sinter::spirv {

[[nodiscard]] std::span<const std::uint32_t> bounds_comp();
[[nodiscard]] std::span<const std::uint32_t> compact_comp();
[[nodiscard]] std::span<const std::uint32_t> copy_comp();
[[nodiscard]] std::span<const std::uint32_t> draw_frag();
[[nodiscard]] std::span<const std::uint32_t> draw_vert();
[[nodiscard]] std::span<const std::uint32_t> prefix_comp();
[[nodiscard]] std::span<const std::uint32_t> pyramid_comp();
[[nodiscard]] std::span<const std::uint32_t> sample_comp();
[[nodiscard]] std::span<const std::uint32_t> select_clusters_comp();
[[nodiscard]] std::span<const std::uint32_t> select_nodes_comp();
[[nodiscard]] std::span<const std::uint32_t> skeleton_comp();
[[nodiscard]] std::span<const std::uint32_t> skin_comp();

}  // namespace sinter::spirv
