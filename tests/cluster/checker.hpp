// A second, slow and simple look at a cluster DAG, which shares no code with the builder.
#pragma once

#include "cooker/cluster/dag.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sinter::test {

// A chain of directed edges on points: how often a -> b minus how often b -> a, for a < b, without zeros. The boundary of
// a surface is the chain of all its triangles' edges.
using Chain = std::map<std::pair<std::uint32_t, std::uint32_t>, int>;

struct DagCheck {
    std::vector<std::string> faults;  // the first 20
    std::uint64_t groups = 0, border_edges = 0, cuts = 0, cut_edges = 0, cone_views = 0;
    double lod_fill = 0;  // mean over clusters of the larger of triangle and vertex fill
};

// Structure, limits, coverage of the source, vertices and materials of what replaces a group, border chains, monotone
// errors, nested and finite bounds, cones against views, and `cuts` uniform and as many perspective cuts.
[[nodiscard]] DagCheck check_dag(const PreparedMesh& mesh, const ClusterDag& dag,
                                 const ClusterOptions& options, std::uint32_t cuts);

// Triangles of clusters that a cut at this error draws.
[[nodiscard]] std::vector<std::uint32_t> uniform_cut(const ClusterDag& dag, float error);

// Everything in a DAG as bytes, for comparing two of them.
[[nodiscard]] std::string bytes_of(const ClusterDag& dag);

}  // namespace sinter::test
