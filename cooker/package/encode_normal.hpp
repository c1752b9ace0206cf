// Normals as packages store them. Internal to this folder.
#pragma once

#include "cooker/math.hpp"

#include <sinter/formats/vertex_codec.hpp>

namespace sinter {

// mesh.normal_bits 20: the exact image of a 20-bit code.
[[nodiscard]] inline OctNormal encode_normal(Float3 normal, std::uint32_t bits) {
    const std::array<float, 3> direction{normal.x, normal.y, normal.z};
    return bits == 20 ? oct20_expand(oct20_encode(direction)) : oct_encode(direction);
}

}  // namespace sinter
