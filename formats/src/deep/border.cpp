#include "border.hpp"

#include "parallel.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace sinter::deep {
namespace {

// Points of edges that more than two triangles of some clusters use.
std::vector<std::uint32_t> crowded_points(const Context& k, std::span<const std::uint32_t> clusters) {
    std::vector<std::uint64_t> edges;
    for (const std::uint32_t c : clusters) {
        const auto corners = k.corners(c);
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const std::size_t next = i % 3 == 2 ? i - 2 : i + 1;
            edges.push_back(
                edge_key(k.model.point_of_vertex[corners[i]], k.model.point_of_vertex[corners[next]]));
        }
    }
    std::ranges::sort(edges);
    std::vector<std::uint32_t> out;
    for (std::size_t i = 2; i < edges.size(); ++i) {
        if (edges[i] != edges[i - 2]) continue;
        const ChainEdge e{edges[i], 0};
        out.push_back(e.low());
        out.push_back(e.high());
    }
    return out;
}

// Gives the edges of `open` to those clusters that have them in their boundaries, in order; what is left stays in `open`.
void hand_out(Borders& b, std::span<const std::uint32_t> clusters, Chain& open) {
    if (open.empty()) return;
    for (const std::uint32_t c : clusters) {
        for (const ChainEdge& e : b.boundary[c]) {
            const std::size_t at = find_edge(open, e.key);
            if (at == open.size()) continue;
            std::int32_t& left = open[at].count;
            const bool same = left != 0 && (left > 0) == (e.count > 0);
            const std::int32_t taken = !same ? 0 : std::abs(left) < std::abs(e.count) ? left : e.count;
            if (taken != 0) b.open[c].push_back({e.key, taken});
            left -= taken;
        }
    }
    std::erase_if(open, [](const ChainEdge& e) { return e.count == 0; });
}

bool is_loose(const Borders& b, const ChainEdge& e) {
    return b.loose[e.low()] != 0 || b.loose[e.high()] != 0;
}

// Everything that hangs together with a loose point in a change is loose.
void spread_loose(Borders& b, const Chain& change) {
    for (bool grew = true; grew;) {
        grew = false;
        for (const ChainEdge& e : change) {
            if (!is_loose(b, e) || (b.loose[e.low()] != 0 && b.loose[e.high()] != 0)) continue;
            b.loose[e.low()] = b.loose[e.high()] = 1;
            grew = true;
        }
    }
}

struct GroupBorder {
    Chain change;  // boundary of what replaces the group minus its own
    std::vector<std::uint32_t> crowded;
    std::uint64_t edges = 0;
};

GroupBorder border_change(const Context& k, const Borders& b, std::size_t g) {
    const DagGroup& group = k.model.groups[g];
    GroupBorder out;
    std::vector<std::uint32_t> own(group.cluster_count);
    std::iota(own.begin(), own.end(), group.first_cluster);
    for (const std::uint32_t c : own) append_chain(out.change, b.boundary[c], -1);
    reduce(out.change);
    if (!b.source.empty()) {
        out.crowded = crowded_points(k, own);
        const std::vector<std::uint32_t> after = crowded_points(k, k.replacing.of(g));
        out.crowded.insert(out.crowded.end(), after.begin(), after.end());
    }
    out.edges = out.change.size();
    for (const std::uint32_t c : k.replacing.of(g)) append_chain(out.change, b.boundary[c], 1);
    reduce(out.change);
    return out;
}

struct BorderCounts {
    std::uint64_t edges = 0, moved = 0, loose_groups = 0, loose_edges = 0;
};

void check_group_border(const Context& k, Borders& b, std::size_t g, const GroupBorder& border,
                        BorderCounts& counts, Findings& found) {
    const DagGroup& group = k.model.groups[g];
    counts.edges += border.edges;
    Chain open = border.change;
    for (std::size_t c = group.first_cluster; c < k.last_cluster(group); ++c)
        append_chain(open, b.open[c], 1);
    reduce(open);
    if (open.empty() && border.change.empty()) return;
    counts.moved += border.change.size();
    for (const std::uint32_t p : border.crowded) b.loose[p] = 1;
    spread_loose(b, border.change);
    std::uint64_t loose = 0, wrong = 0;
    ChainEdge first{};
    const auto note = [&](const ChainEdge& e) {
        if (is_loose(b, e)) {
            ++loose;
        } else if (wrong++ == 0) {
            first = e;
        }
    };
    for (const ChainEdge& e : open) {
        if (b.on_border[e.low()] == 0 || b.on_border[e.high()] == 0) note(e);
    }
    hand_out(b, k.replacing.of(g), open);
    for (const ChainEdge& e : open) note(e);
    counts.loose_edges += loose;
    counts.loose_groups += loose == 0 ? 0U : 1U;
    found.expect(
        wrong == 0, [&] { return cat("group ", g); },
        [&] {
            return cat(wrong,
                       " edges differ between the borders of its clusters and of those that replace it, the "
                       "first from point ",
                       first.low(), " to ", first.high(), " by ", first.count);
        });
}

}  // namespace

DeepCheck check_border(const Context& context, Borders& borders) {
    Findings found(context, "border", "simplified groups");
    const std::size_t clusters = context.model.clusters.size();
    const auto points = context.model.point_of_vertex.empty()
                            ? std::size_t{0}
                            : std::size_t{*std::ranges::max_element(context.model.point_of_vertex)} + 1;
    borders.boundary.resize(clusters);
    borders.open.resize(clusters);
    borders.on_border.assign(points, 0);
    borders.loose.assign(points, 0);
    parallel_each(clusters, context.threads,
                  [&](std::size_t c) { borders.boundary[c] = cluster_boundary(context, c); });
    std::vector<std::uint32_t> leaves;
    for (std::uint32_t c = 0; c < clusters; ++c) {
        if (context.model.clusters[c].child_group >= 0) continue;
        leaves.push_back(c);
        append_chain(borders.source, borders.boundary[c], 1);
    }
    reduce(borders.source);
    for (const ChainEdge& e : borders.source) borders.on_border[e.low()] = borders.on_border[e.high()] = 1;
    // A closed mesh must stay closed, however many triangles meet at an edge.
    if (!borders.source.empty()) {
        for (const std::uint32_t p : crowded_points(context, leaves)) borders.loose[p] = 1;
    }
    Chain rest = borders.source;
    hand_out(borders, leaves, rest);
    std::vector<GroupBorder> changes(context.model.groups.size());
    parallel_each(changes.size(), context.threads,
                  [&](std::size_t g) { changes[g] = border_change(context, borders, g); });
    BorderCounts counts;
    for (const std::uint32_t g : context.order) {
        if (context.replacing.of(g).empty()) continue;
        found.count(1);
        check_group_border(context, borders, g, changes[g], counts, found);
    }
    found.figure("source_open_edges", static_cast<double>(borders.source.size()));
    found.figure("border_edges", static_cast<double>(counts.edges));
    found.figure("open_edges_moved", static_cast<double>(counts.moved));
    found.figure("groups_with_loose_edges", static_cast<double>(counts.loose_groups));
    found.figure("loose_edges", static_cast<double>(counts.loose_edges));
    return found.done();
}

}  // namespace sinter::deep
