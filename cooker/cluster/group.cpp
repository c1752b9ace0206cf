#include "cooker/cluster/group.hpp"

#include "cooker/cluster/chunks.hpp"
#include "cooker/parallel.hpp"

#include <metis.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

namespace sinter {
namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
// Clusters a METIS call: small enough for several chunks at a million triangles, large enough that few group borders
// are those of chunks.
constexpr std::uint32_t kChunkClusters = 2048;

// The clusters of each point that more than one of them uses.
struct SharedPoints {
    std::vector<std::uint32_t> first;  // by point, and the end
    std::vector<std::uint32_t> clusters;
};

// Calls body(point) once for each point of a cluster; `seen` holds the last cluster that was asked about a point.
template <typename Body>
void for_each_point(const PreparedMesh& mesh, const ClusterSet& set, std::uint32_t cluster,
                    std::vector<std::uint32_t>& seen, const Body& body) {
    for (const std::uint32_t v : set.vertices_of(cluster)) {
        const std::uint32_t point = mesh.point_of_vertex[v];
        if (std::exchange(seen[point], cluster) != cluster) body(point);
    }
}

SharedPoints shared_points(const PreparedMesh& mesh, const ClusterSet& set) {
    const auto count = static_cast<std::uint32_t>(set.clusters.size());
    SharedPoints shared;
    shared.first.assign(std::size_t{mesh.point_count} + 1, 0);
    std::vector<std::uint32_t> seen(mesh.point_count, kNowhere);
    for (std::uint32_t c = 0; c < count; ++c) {
        for_each_point(mesh, set, c, seen, [&](std::uint32_t p) { ++shared.first[p]; });
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& uses : shared.first) {
        const std::uint32_t kept = uses > 1 ? uses : 0;
        uses = sum;
        sum += kept;
    }
    shared.clusters.resize(sum);
    // Each list is filled from its start, which ends up at the next one's start; points of one cluster have no list.
    std::vector<std::uint32_t> next(shared.first);
    std::ranges::fill(seen, kNowhere);
    for (std::uint32_t c = 0; c < count; ++c) {
        for_each_point(mesh, set, c, seen, [&](std::uint32_t p) {
            if (shared.first[p + 1] > shared.first[p]) shared.clusters[next[p]++] = c;
        });
    }
    return shared;
}

struct Edge {
    std::uint32_t to = 0;
    std::uint32_t weight = 0;
};

// The graph of one chunk; nodes are its clusters by their place in it.
using Graph = std::vector<std::vector<Edge>>;

// Shared points weigh 4, a link by place 1. The clamp keeps the weights in a range that METIS digests.
constexpr std::uint32_t kPointWeight = 4;
constexpr std::uint32_t kMostWeight = 64;
// A cluster that shares fewer points than this with others is linked by place.
constexpr std::uint32_t kFewPoints = 8;
constexpr std::size_t kLinks = 4;

// `chunk`: clusters, rising. `place`: of each of them in it, kNowhere for all others.
Graph neighbour_graph(const PreparedMesh& mesh, const ClusterSet& set, const SharedPoints& shared,
                      std::span<const ChunkItem> chunk, std::span<const std::uint32_t> place) {
    Graph graph(chunk.size());
    std::vector<std::uint32_t> weight(chunk.size(), 0), points;
    for (std::uint32_t i = 0; i < chunk.size(); ++i) {
        points.clear();
        for (const std::uint32_t v : set.vertices_of(chunk[i].id)) points.push_back(mesh.point_of_vertex[v]);
        std::ranges::sort(points);
        const auto repeated = std::ranges::unique(points);
        points.erase(repeated.begin(), repeated.end());
        for (const std::uint32_t p : points) {
            for (std::uint32_t at = shared.first[p]; at < shared.first[p + 1]; ++at) {
                const std::uint32_t j = place[shared.clusters[at]];
                if (j == kNowhere || j == i) continue;
                if (weight[j]++ == 0) graph[i].push_back({j, 0});
            }
        }
        for (Edge& edge : graph[i]) edge.weight = std::exchange(weight[edge.to], 0) * kPointWeight;
    }
    return graph;
}

// Ten bits a coordinate, interleaved (Morton, "A computer oriented geodetic data base", 1966).
std::uint32_t spread(std::uint32_t v) {
    v = (v | (v << 16U)) & 0x030000FFU;
    v = (v | (v << 8U)) & 0x0300F00FU;
    v = (v | (v << 4U)) & 0x030C30C3U;
    return (v | (v << 2U)) & 0x09249249U;
}

struct MortonCode {
    std::uint32_t code = 0;
    std::uint32_t node = 0;
    auto operator<=>(const MortonCode&) const = default;
};

std::vector<MortonCode> along_morton_curve(std::span<const ChunkItem> chunk) {
    const auto [low, high] = box_of_centers(chunk);
    const Float3 size = high - low;
    const float side = std::max({size.x, size.y, size.z});
    const auto cell = [&](float offset) {
        return side > 0 ? spread(static_cast<std::uint32_t>(std::min(offset / side * 1024.0F, 1023.0F))) : 0;
    };
    std::vector<MortonCode> codes;
    for (std::uint32_t i = 0; i < chunk.size(); ++i) {
        const Float3 offset = chunk[i].center - low;
        codes.push_back({cell(offset.x) | cell(offset.y) << 1U | cell(offset.z) << 2U, i});
    }
    std::ranges::sort(codes);
    return codes;
}

// Clusters that share few points with others of their chunk.
std::vector<bool> loose_nodes(const Graph& graph) {
    std::vector<bool> loose(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        std::uint32_t weight = 0;
        for (const Edge& edge : graph[i]) weight += edge.weight;
        loose[i] = weight < kFewPoints * kPointWeight;
    }
    return loose;
}

// Links each loose cluster to the next ones along the curve, and back.
void link_by_place(std::span<const ChunkItem> chunk, const std::vector<bool>& loose, Graph& graph) {
    const std::vector<MortonCode> curve = along_morton_curve(chunk);
    for (std::size_t k = 0; k < curve.size(); ++k) {
        for (std::size_t step = 1; step <= kLinks && k + step < curve.size(); ++step) {
            const std::uint32_t a = curve[k].node, b = curve[k + step].node;
            if (!loose[a] && !loose[b]) continue;
            graph[a].push_back({b, 1});
            graph[b].push_back({a, 1});
        }
    }
}

// Edges to one node become one; METIS takes no parallel edges.
void merge_edges(Graph& graph) {
    for (std::vector<Edge>& edges : graph) {
        std::ranges::sort(edges, {}, &Edge::to);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (kept > 0 && edges[kept - 1].to == edges[i].to) {
                edges[kept - 1].weight += edges[i].weight;
            } else {
                edges[kept++] = edges[i];
            }
        }
        edges.resize(kept);
        for (Edge& edge : edges) edge.weight = std::min(edge.weight, kMostWeight);
    }
}

// The part of each node, below `parts`; parts may be empty. Pre: 2 <= parts <= nodes.
std::vector<idx_t> partition(const Graph& graph, std::uint32_t parts) {
    std::vector<idx_t> first{0}, to, weight, part(graph.size(), 0);
    for (const std::vector<Edge>& edges : graph) {
        for (const Edge& edge : edges) {
            to.push_back(static_cast<idx_t>(edge.to));
            weight.push_back(static_cast<idx_t>(edge.weight));
        }
        first.push_back(static_cast<idx_t>(to.size()));
    }
    if (to.empty()) {  // one cluster a corner of nowhere; METIS need not see it
        for (std::size_t i = 0; i < part.size(); ++i) {
            part[i] = static_cast<idx_t>(i * parts / part.size());
        }
        return part;
    }
    std::array<idx_t, METIS_NOPTIONS> options{};
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = 42;
    options[METIS_OPTION_UFACTOR] = 200;  // parts may be 1.2 times the mean: a better cut in less time
    auto nodes = static_cast<idx_t>(graph.size()), constraints = idx_t{1}, count = static_cast<idx_t>(parts);
    idx_t cut = 0;
    const int status =
        METIS_PartGraphRecursive(&nodes, &constraints, first.data(), to.data(), nullptr, nullptr,
                                 weight.data(), &count, nullptr, nullptr, options.data(), &cut, part.data());
    if (status != METIS_OK) std::ranges::fill(part, 0);
    return part;
}

// How many groups; one as long as it is not much larger than asked for.
std::uint32_t part_count(std::size_t clusters, std::uint32_t group_size) {
    if (clusters * 4 <= std::size_t{group_size} * 5) return 1;
    return std::max(2U, static_cast<std::uint32_t>((clusters + group_size / 2) / group_size));
}

// Where nearly nothing hangs together a graph says little: parts are boxes.
std::vector<idx_t> partition_by_place(std::span<const ChunkItem> chunk, std::uint32_t group_size) {
    std::vector<ChunkItem> items(chunk.begin(), chunk.end());
    for (std::uint32_t i = 0; i < items.size(); ++i) items[i].id = i;
    const std::vector<std::uint32_t> boxes =
        sort_into_chunks(items, {.most = group_size, .granularity = group_size, .share = 0.5});
    std::vector<idx_t> part(chunk.size(), 0);
    for (std::size_t b = 0; b + 1 < boxes.size(); ++b) {
        for (std::uint32_t i = boxes[b]; i < boxes[b + 1]; ++i) part[items[i].id] = static_cast<idx_t>(b);
    }
    return part;
}

// The part of each cluster of a chunk, below `parts` or so. Pre: more clusters than one group takes.
std::vector<idx_t> partition_chunk(const PreparedMesh& mesh, const ClusterSet& set,
                                   const SharedPoints& shared, std::span<const ChunkItem> chunk,
                                   std::uint32_t group_size) {
    std::vector<std::uint32_t> place(set.clusters.size(), kNowhere);
    for (std::uint32_t i = 0; i < chunk.size(); ++i) place[chunk[i].id] = i;
    Graph graph = neighbour_graph(mesh, set, shared, chunk, place);
    const std::vector<bool> loose = loose_nodes(graph);
    if (std::ranges::count(loose, true) * 2 > std::ssize(loose)) return partition_by_place(chunk, group_size);
    link_by_place(chunk, loose, graph);
    merge_edges(graph);
    return partition(graph, part_count(chunk.size(), group_size));
}

// A group that is too large, in pieces of about one size, neighbours in space together as far as the chunk has them so.
void add_group(std::span<const std::uint32_t> group, std::vector<std::vector<std::uint32_t>>& out) {
    const std::size_t pieces = (group.size() + kMostGroupClusters - 1) / kMostGroupClusters;
    for (std::size_t i = 0; i < pieces; ++i) {
        const std::size_t first = group.size() * i / pieces;
        const std::size_t end = group.size() * (i + 1) / pieces;
        out.emplace_back(group.begin() + static_cast<std::ptrdiff_t>(first),
                         group.begin() + static_cast<std::ptrdiff_t>(end));
    }
}

// The groups of a chunk, in order of their first cluster.
std::vector<std::vector<std::uint32_t>> groups_of_chunk(std::span<const ChunkItem> chunk,
                                                        std::span<const idx_t> part) {
    const std::size_t parts = static_cast<std::size_t>(*std::ranges::max_element(part)) + 1;
    std::vector<std::vector<std::uint32_t>> of_part(parts);
    for (std::size_t i = 0; i < chunk.size(); ++i) {
        of_part[static_cast<std::size_t>(part[i])].push_back(chunk[i].id);
    }
    std::vector<std::vector<std::uint32_t>> groups;
    for (const std::vector<std::uint32_t>& group : of_part) add_group(group, groups);
    std::ranges::sort(groups, {}, [](const std::vector<std::uint32_t>& group) { return group.front(); });
    return groups;
}

}  // namespace

Grouping group_clusters(const PreparedMesh& mesh, const ClusterSet& set, std::uint32_t group_size,
                        std::uint32_t round, std::uint32_t threads) {
    const auto count = static_cast<std::uint32_t>(set.clusters.size());
    std::vector<ChunkItem> items(count);
    for (std::uint32_t c = 0; c < count; ++c) items[c] = {set.clusters[c].cull_bounds.center, c};
    // A cut at the same place in every round would lock the points on it for good.
    constexpr std::array<double, 3> kShares = {0.5, 0.42, 0.58};
    const std::vector<std::uint32_t> chunks = sort_into_chunks(
        items, {.most = kChunkClusters, .granularity = 1, .share = kShares[round % kShares.size()]});
    const std::size_t chunk_count = chunks.empty() ? 0 : chunks.size() - 1;
    const SharedPoints shared = count > 1 ? shared_points(mesh, set) : SharedPoints{};
    std::vector<std::vector<std::vector<std::uint32_t>>> groups(chunk_count);
    parallel_for(chunk_count, threads, [&](std::size_t c) {
        const auto chunk = std::span<const ChunkItem>(items).subspan(chunks[c], chunks[c + 1] - chunks[c]);
        std::vector<idx_t> part(chunk.size(), 0);
        if (part_count(chunk.size(), group_size) > 1)
            part = partition_chunk(mesh, set, shared, chunk, group_size);
        groups[c] = groups_of_chunk(chunk, part);
    });
    Grouping grouping;
    for (const auto& of_chunk : groups) {
        for (const auto& group : of_chunk) {
            grouping.first.push_back(static_cast<std::uint32_t>(grouping.clusters.size()));
            grouping.clusters.insert(grouping.clusters.end(), group.begin(), group.end());
        }
    }
    grouping.first.push_back(count);
    return grouping;
}

}  // namespace sinter
