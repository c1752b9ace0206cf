// Which clusters of a level are simplified together: neighbours, so that few points lie on borders between groups.
#pragma once

#include "cooker/cluster/leaf.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Groups of clusters, each cluster in one of them.
struct Grouping {
    std::vector<std::uint32_t> clusters;  // by group, rising in each
    std::vector<std::uint32_t> first;     // of each group in `clusters`, and their number at the end
    [[nodiscard]] std::size_t count() const { return first.empty() ? 0 : first.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t group) const {
        return std::span(clusters).subspan(first[group], first[group + 1] - first[group]);
    }
};

// 32 clusters have at most the 4,096 vertices of a page, and a page holds whole groups.
inline constexpr std::size_t kMostGroupClusters = 32;

// Groups of about `group_size` clusters, none empty, at most a third larger where METIS can and never of more than
// kMostGroupClusters. The graph of clusters,
// weighted by the points that two share, is cut by recursive bisection: Karypis and Kumar, "A Fast and High Quality
// Multilevel Scheme for Partitioning Irregular Graphs" (SIAM J. Sci. Comput., 1998). Clusters with few shared points are
// linked to their next neighbours along a Morton curve, so that loose pieces are grouped by place.
// Large sets are cut into spatial chunks first, elsewhere in each round, and the chunks are done on `threads` threads:
// the result is the same for any number of them.
[[nodiscard]] Grouping group_clusters(const PreparedMesh& mesh, const ClusterSet& set,
                                      std::uint32_t group_size, std::uint32_t round, std::uint32_t threads);

}  // namespace sinter
