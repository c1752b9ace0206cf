// Where a prepared vertex came from.
#pragma once

#include <cstdint>

namespace sinter {

// Vertex `vertex` of primitive `primitive` of the source mesh.
struct SourceVertex {
    std::uint32_t primitive = 0;
    std::uint32_t vertex = 0;
    bool operator==(const SourceVertex&) const = default;
};

}  // namespace sinter
