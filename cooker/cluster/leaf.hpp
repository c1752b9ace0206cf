// Cuts triangles into clusters: those of the mesh at full detail, and those of each simplified group.
#pragma once

#include "cooker/cluster/dag.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Clusters that are not in a DAG yet. `first_index` counts in `indices` of this set.
struct ClusterSet {
    std::vector<Cluster> clusters;
    std::vector<std::uint32_t> indices;       // vertices, three a triangle
    std::vector<std::uint32_t> vertices;      // distinct ones of each cluster, by cluster: see vertex_count
    std::vector<std::uint32_t> first_vertex;  // of each cluster in `vertices`
    std::vector<std::vector<std::uint32_t>> samples;  // carried by each cluster (samples.hpp), or empty

    [[nodiscard]] std::span<const std::uint32_t> indices_of(std::size_t cluster) const {
        return std::span(indices).subspan(clusters[cluster].first_index,
                                          std::size_t{clusters[cluster].triangle_count} * 3);
    }
    [[nodiscard]] std::span<const std::uint32_t> vertices_of(std::size_t cluster) const {
        return std::span(vertices).subspan(first_vertex[cluster], clusters[cluster].vertex_count);
    }
    void append(const ClusterSet& other);
    void append(const ClusterSet& other, std::size_t cluster);  // one of them
};

// Appends clusters of triangles of one material to `out`; bounds, group and child_group are left. Every
// triangle goes into one cluster, its corners in the same order. The result depends on the triangles in their order;
// it takes time and memory for these triangles only, however large the mesh is. Where max_triangles is no multiple of
// four, clusters of larger pieces have the next lower multiple at most.
void cut_into_clusters(const PreparedMesh& mesh, std::span<const std::uint32_t> indices,
                       std::int32_t material, const ClusterOptions& options, ClusterSet& out);

// The bounds and cones of all clusters; the same ones for any number of threads.
void set_bounds(const PreparedMesh& mesh, ClusterSet& set, std::uint32_t threads);

// The clusters of the mesh at full detail, without bounds. Each material's triangles are cut in chunks at medians of their centres, the
// same ones for any number of threads, and each chunk into clusters. No cut goes through a piece that fits into a cluster.
[[nodiscard]] ClusterSet leaf_clusters(const PreparedMesh& mesh, const ClusterOptions& options,
                                       std::uint32_t threads);

}  // namespace sinter
