// The order of triangles and vertices, for the GPU's vertex cache and for memory.
#pragma once

#include "cooker/cooked_asset.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

struct VertexOrder {
    std::vector<std::uint32_t> indices;  // of new vertices; submesh ranges are unchanged
    std::vector<std::uint32_t>
        vertices;  // old vertex of each new one; those that no triangle uses are left out
};

// Triangles of each submesh in the order of meshopt_optimizeVertexCache (T. Forsyth, "Linear-Speed Vertex Cache
// Optimisation", 2006), then vertices in the order of their first use. A triangle keeps its winding and may start at
// another corner. Pre: submeshes cover `indices` in order; indices < vertex_count. O(indices), deterministic.
[[nodiscard]] VertexOrder order_vertices(std::span<const std::uint32_t> indices,
                                         std::span<const Submesh> submeshes, std::size_t vertex_count);

}  // namespace sinter
