// Who owns each vertex of a cluster DAG. Simplification onto existing vertices makes none, so all levels share one table;
// a vertex belongs to the group in which it is used last, and is there whenever that group or one below it is drawn.
//
// The owner's lod_error is never smaller than a user's, as it is the user or an ancestor. So the vertices that a uniform cut
// at error e needs are those whose owners have lod_error > e, and without clones it uses every one of them: a cluster of
// such a group either is drawn, or was made from the clusters of a group of lod_error > e that use its vertices too.
#pragma once

#include "cooker/cluster/dag.hpp"

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// 32 clusters of 128 vertices have at most the 4,096 that a page holds.
inline constexpr std::uint32_t kMostPartClusters = 32;

// What is laid out as one: a group of the DAG or, of a terminal group with more than kMostPartClusters clusters, a slice of
// it. Terminal groups are never replaced, so a cut does not see that they are cut up.
struct DagPart {
    std::uint32_t group = 0;  // of the DAG
    std::uint32_t first_cluster = 0;
    std::uint32_t cluster_count = 0;
    float lod_error = 0;  // the group's
};

// A vertex of the final table: a vertex of the PreparedMesh in a part that owns it. Other parts' are clones.
struct OwnedVertex {
    std::uint32_t source = 0;
    std::uint32_t owner = 0;  // part
};

// Lists one after the other: list i is items[first[i]] to items[first[i + 1]].
template <typename Item>
struct Lists {
    std::vector<std::uint32_t> first;
    std::vector<Item> items;
    [[nodiscard]] std::span<const Item> of(std::size_t i) const {
        return std::span(items).subspan(first[i], first[i + 1] - first[i]);
    }
    [[nodiscard]] std::span<Item> of(std::size_t i) {
        return std::span(items).subspan(first[i], first[i + 1] - first[i]);
    }
};

struct Ownership {
    std::vector<DagPart> parts;  // in the order of the DAG's groups
    std::vector<std::uint32_t> part_of_cluster;
    Lists<std::uint32_t> parents;         // of each part: the parts that hold its replacement, rising
    std::vector<OwnedVertex> vertices;    // in no useful order
    std::vector<std::uint32_t> owned;     // by part: how many
    Lists<std::uint32_t> uses;            // by cluster: into `vertices`, one a local vertex, all different
    std::vector<std::uint8_t> triangles;  // one an entry of ClusterDag::indices: the local vertex
    std::uint64_t clones = 0;             // vertices.size() minus those of the DAG
};

// Local vertices and triangles stand in the order of order_cluster() (page_codec.hpp): triangles of a cluster may be in
// another order than the DAG's, and rotated. A part whose ancestors do not own a vertex that it uses gets a clone, which
// its descendants may use as well.
//
// `threads` (at least 1) changes nothing. Linear in clusters, and in the ancestors of each part (some hundred).
// Errors: Internal where a cluster uses more than 255 vertices or a group's replacement does not come after it
// with a larger lod_error.
[[nodiscard]] Result<Ownership> own_vertices(const ClusterDag& dag, std::size_t vertex_count,
                                             std::uint32_t threads);

}  // namespace sinter
