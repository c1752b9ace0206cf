// The filters of EXT_meshopt_compression, undone in double precision with exact operations only (+ - * /
// and square root), in place. meshoptimizer's own filters give other bytes on other processors: on SSE its
// 8-bit octahedral filter rests on rsqrtps, whose estimate AMD and Intel chose differently, and on NEON on
// vrsqrte (docs/decisions/0001-gltf-without-tinygltf.md).
// Source: The Khronos Group, EXT_meshopt_compression, appendix B, 2021.
#pragma once

#include <cstddef>
#include <span>

namespace sinter::gltf {

// Elements of 4 signed integers of stride / 4 bytes (stride 4 or 8): x, y on the octahedron and its edge
// length become a unit vector in normalised integers; the fourth is kept.
void undo_octahedral_filter(std::span<std::byte> data, std::size_t stride);

// Elements of 4 signed 16-bit integers: three components in units of 1 / sqrt(2), and the scale with the
// index of the largest component in its lowest two bits, become a unit quaternion in normalised integers.
void undo_quaternion_filter(std::span<std::byte> data);

// 32-bit words: 24 bits of signed mantissa m and 8 bits of signed exponent e become the float m * 2^e.
void undo_exponential_filter(std::span<std::byte> data);

}  // namespace sinter::gltf
