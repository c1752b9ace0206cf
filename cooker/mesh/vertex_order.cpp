#include "cooker/mesh/vertex_order.hpp"

#include <meshoptimizer.h>

#include <limits>

namespace sinter {
namespace {

constexpr std::uint32_t kUnnumbered = std::numeric_limits<std::uint32_t>::max();

// The cache optimiser looks at all triangles around a vertex each time one of them is drawn, which is quadratic for
// the hub of a large fan. There a hub gets another number after this many triangles.
constexpr std::uint32_t kMaxUses = 256;

// Numbers the vertices of `indices` by first use, anew after each `max_uses` uses.
struct FirstUse {
    std::vector<std::uint32_t> indices;
    std::vector<std::uint32_t> vertices;
};

struct Numbered {
    std::uint32_t number = kUnnumbered;
    std::uint32_t uses = 0;
};

// `numbered` is empty for all vertices, before and after.
FirstUse number_by_first_use(std::span<const std::uint32_t> indices, std::uint32_t max_uses,
                             std::vector<Numbered>& numbered) {
    FirstUse use;
    use.indices.reserve(indices.size());
    for (const std::uint32_t v : indices) {
        if (numbered[v].number == kUnnumbered || numbered[v].uses == max_uses) {
            numbered[v] = {static_cast<std::uint32_t>(use.vertices.size()), 0};
            use.vertices.push_back(v);
        }
        ++numbered[v].uses;
        use.indices.push_back(numbered[v].number);
    }
    for (const std::uint32_t v : use.vertices) numbered[v] = {};
    return use;
}

}  // namespace

VertexOrder order_vertices(std::span<const std::uint32_t> indices, std::span<const Submesh> submeshes,
                           std::size_t vertex_count) {
    std::vector<Numbered> numbered(vertex_count);
    std::vector<std::uint32_t> ordered;
    ordered.reserve(indices.size());
    for (const Submesh& submesh : submeshes) {
        // Numbered within the submesh, so that many materials on a large mesh cost no more than one.
        const FirstUse local = number_by_first_use(indices.subspan(submesh.first_index, submesh.index_count),
                                                   kMaxUses, numbered);
        std::vector<std::uint32_t> cached(local.indices.size());
        meshopt_optimizeVertexCache(cached.data(), local.indices.data(), local.indices.size(),
                                    local.vertices.size());
        for (const std::uint32_t v : cached) ordered.push_back(local.vertices[v]);
    }
    FirstUse use = number_by_first_use(ordered, kUnnumbered, numbered);
    return {std::move(use.indices), std::move(use.vertices)};
}

}  // namespace sinter
