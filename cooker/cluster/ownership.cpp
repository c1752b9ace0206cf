#include "cooker/cluster/ownership.hpp"

#include "cooker/parallel.hpp"

#include <sinter/formats/page_codec.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace sinter {
namespace {

constexpr std::uint32_t kNoOne = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMostLocalVertices = 255;

Error broken_dag(const std::string& message) {
    return {.kind = ErrorKind::Internal, .where = "cluster DAG", .message = message};
}

// The parts, and the first part of each group.
std::vector<std::uint32_t> add_parts(const ClusterDag& dag, std::vector<DagPart>& parts) {
    std::vector<std::uint32_t> first_part(dag.groups.size());
    for (std::uint32_t g = 0; g < dag.groups.size(); ++g) {
        const ClusterGroup& group = dag.groups[g];
        first_part[g] = static_cast<std::uint32_t>(parts.size());
        const std::uint32_t most =
            group.end == GroupEnd::Simplified ? std::max(group.cluster_count, 1U) : kMostPartClusters;
        for (std::uint32_t at = 0; at < group.cluster_count; at += most) {
            parts.push_back(
                {g, group.first_cluster + at, std::min(most, group.cluster_count - at), group.lod_error});
        }
    }
    return first_part;
}

// Parents of each part from (child, parent) pairs.
Result<Unit> add_parents(const ClusterDag& dag, std::span<const std::uint32_t> first_part, Ownership& out) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t c = 0; c < dag.clusters.size(); ++c) {
        const std::int32_t child_group = dag.clusters[c].child_group;
        if (child_group == kNone) continue;
        const std::uint32_t child = first_part[static_cast<std::size_t>(child_group)];
        const std::uint32_t parent = out.part_of_cluster[c];
        if (parent <= child) {
            return broken_dag("group " + std::to_string(child_group) + " is replaced by a group before it");
        }
        if (!(out.parts[parent].lod_error > out.parts[child].lod_error)) {
            return broken_dag("group " + std::to_string(child_group) +
                              " has a larger error than its replacement");
        }
        pairs.emplace_back(child, parent);
    }
    std::ranges::sort(pairs);
    const auto repeated = std::ranges::unique(pairs);
    pairs.erase(repeated.begin(), repeated.end());
    out.parents.first.assign(out.parts.size() + 1, 0);
    for (const auto& [child, parent] : pairs) {
        ++out.parents.first[child + 1];
        out.parents.items.push_back(parent);
    }
    std::partial_sum(out.parents.first.begin(), out.parents.first.end(), out.parents.first.begin());
    return Unit{};
}

// Fills `uses` with the DAG's vertices and `triangles` with local ones.
Result<Unit> add_local_vertices(const ClusterDag& dag, std::size_t vertex_count, Ownership& out) {
    std::vector<std::uint32_t> seen(vertex_count, kNoOne);
    std::vector<std::uint8_t> place(vertex_count, 0);
    out.triangles.resize(dag.indices.size());
    out.uses.first.assign(1, 0);
    for (std::uint32_t c = 0; c < dag.clusters.size(); ++c) {
        const Cluster& cluster = dag.clusters[c];
        const auto triangles =
            std::span(out.triangles).subspan(cluster.first_index, std::size_t{cluster.triangle_count} * 3);
        std::size_t count = 0;
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            const std::uint32_t v = dag.indices[cluster.first_index + i];
            if (seen[v] != c) {
                if (count == kMostLocalVertices) {
                    return broken_dag("cluster " + std::to_string(c) + " uses more than 255 vertices");
                }
                seen[v] = c;
                place[v] = static_cast<std::uint8_t>(count);
                out.uses.items.push_back(v);
                ++count;
            }
            triangles[i] = place[v];
        }
        out.uses.first.push_back(static_cast<std::uint32_t>(out.uses.items.size()));
    }
    return Unit{};
}

void order_clusters(const ClusterDag& dag, std::uint32_t threads, Ownership& out) {
    constexpr std::size_t kBatch = 64;
    parallel_for((dag.clusters.size() + kBatch - 1) / kBatch, threads, [&](std::size_t batch) {
        std::array<std::uint8_t, kMostLocalVertices> order{};
        std::array<std::uint32_t, kMostLocalVertices> vertices{};
        const std::size_t end = std::min(dag.clusters.size(), (batch + 1) * kBatch);
        for (std::size_t c = batch * kBatch; c < end; ++c) {
            const Cluster& cluster = dag.clusters[c];
            const std::span<std::uint32_t> uses = out.uses.of(c);
            const auto local_order = std::span(order).first(uses.size());
            order_cluster(std::span(out.triangles)
                              .subspan(cluster.first_index, std::size_t{cluster.triangle_count} * 3),
                          local_order);
            std::ranges::copy(uses, vertices.begin());
            for (std::size_t i = 0; i < uses.size(); ++i) uses[i] = vertices[local_order[i]];
        }
    });
}

// The part itself and all its ancestors get the part's number as their stamp.
class Ancestors {
public:
    explicit Ancestors(const Ownership& ownership)
        : parents_(ownership.parents), stamp_(ownership.parts.size(), kNoOne) {}

    void stamp(std::uint32_t part) {
        part_ = part;
        stamp_[part] = part;
        open_.assign(1, part);
        while (!open_.empty()) {
            const std::uint32_t next = open_.back();
            open_.pop_back();
            for (const std::uint32_t parent : parents_.of(next)) {
                if (std::exchange(stamp_[parent], part) != part) open_.push_back(parent);
            }
        }
    }
    [[nodiscard]] bool has(std::uint32_t part) const { return stamp_[part] == part_; }

private:
    const Lists<std::uint32_t>& parents_;
    std::vector<std::uint32_t> stamp_;
    std::vector<std::uint32_t> open_;
    std::uint32_t part_ = kNoOne;
};

// The owned vertices of each source vertex, as chains: nearly all have one.
struct Chains {
    std::vector<std::uint32_t> head;  // by source vertex
    std::vector<std::uint32_t> next;  // by owned vertex
};

// The first owned vertex of the chain that the stamped part may use, or kNoOne.
std::uint32_t usable(const Ownership& out, const Chains& chains, const Ancestors& ancestors,
                     std::uint32_t v) {
    std::uint32_t at = chains.head[v];
    while (at != kNoOne && !ancestors.has(out.vertices[at].owner)) at = chains.next[at];
    return at;
}

// From the last part down, so that the first one that uses a vertex owns it. Turns `uses` into owned vertices.
void add_owned_vertices(std::size_t vertex_count, Ownership& out) {
    Chains chains{std::vector<std::uint32_t>(vertex_count, kNoOne), {}};
    Ancestors ancestors(out);
    out.owned.assign(out.parts.size(), 0);
    for (auto part = static_cast<std::uint32_t>(out.parts.size()); part-- > 0;) {
        ancestors.stamp(part);
        const DagPart& p = out.parts[part];
        for (std::uint32_t& use :
             std::span(out.uses.items)
                 .subspan(out.uses.first[p.first_cluster], out.uses.first[p.first_cluster + p.cluster_count] -
                                                               out.uses.first[p.first_cluster])) {
            const std::uint32_t v = use;
            use = usable(out, chains, ancestors, v);
            if (use != kNoOne) continue;
            use = static_cast<std::uint32_t>(out.vertices.size());
            out.clones += chains.head[v] != kNoOne ? 1U : 0U;
            out.vertices.push_back({v, part});
            ++out.owned[part];
            // Behind the first one, which stays the one that most parts use.
            chains.next.push_back(kNoOne);
            if (chains.head[v] == kNoOne) {
                chains.head[v] = use;
            } else {
                chains.next[use] = std::exchange(chains.next[chains.head[v]], use);
            }
        }
    }
}

}  // namespace

Result<Ownership> own_vertices(const ClusterDag& dag, std::size_t vertex_count, std::uint32_t threads) {
    Ownership out;
    const std::vector<std::uint32_t> first_part = add_parts(dag, out.parts);
    out.part_of_cluster.resize(dag.clusters.size());
    for (std::uint32_t p = 0; p < out.parts.size(); ++p) {
        const DagPart& part = out.parts[p];
        for (std::uint32_t c = 0; c < part.cluster_count; ++c)
            out.part_of_cluster[part.first_cluster + c] = p;
    }
    SINTER_TRY(add_parents(dag, first_part, out));
    SINTER_TRY(add_local_vertices(dag, vertex_count, out));
    order_clusters(dag, threads, out);
    add_owned_vertices(vertex_count, out);
    return out;
}

}  // namespace sinter
