#include "cooker/mesh/vertex_order.hpp"

#include <meshoptimizer.h>

#include <limits>

namespace sinter {
namespace {

constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();

// Numbers the vertices of `indices` by first use. `number_of` is kUnused for all vertices, before and after.
struct FirstUse {
    std::vector<std::uint32_t> indices;
    std::vector<std::uint32_t> vertices;
};

FirstUse number_by_first_use(std::span<const std::uint32_t> indices, std::vector<std::uint32_t>& number_of) {
    FirstUse use;
    use.indices.reserve(indices.size());
    for (const std::uint32_t v : indices) {
        if (number_of[v] == kUnused) {
            number_of[v] = static_cast<std::uint32_t>(use.vertices.size());
            use.vertices.push_back(v);
        }
        use.indices.push_back(number_of[v]);
    }
    for (const std::uint32_t v : use.vertices) number_of[v] = kUnused;
    return use;
}

}  // namespace

VertexOrder order_vertices(std::span<const std::uint32_t> indices, std::span<const Submesh> submeshes,
                           std::size_t vertex_count) {
    std::vector<std::uint32_t> number_of(vertex_count, kUnused);
    std::vector<std::uint32_t> ordered;
    ordered.reserve(indices.size());
    for (const Submesh& submesh : submeshes) {
        // Numbered within the submesh, so that many materials on a large mesh cost no more than one.
        const FirstUse local = number_by_first_use(indices.subspan(submesh.first_index, submesh.index_count), number_of);
        std::vector<std::uint32_t> cached(local.indices.size());
        meshopt_optimizeVertexCache(cached.data(), local.indices.data(), local.indices.size(), local.vertices.size());
        for (const std::uint32_t v : cached) ordered.push_back(local.vertices[v]);
    }
    FirstUse use = number_by_first_use(ordered, number_of);
    return {std::move(use.indices), std::move(use.vertices)};
}

}  // namespace sinter
