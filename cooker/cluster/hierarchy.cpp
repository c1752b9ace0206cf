#include "cooker/cluster/hierarchy.hpp"

#include "cooker/cluster/bounds.hpp"
#include "cooker/cluster/chunks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sinter {
namespace {

// What a slot of a node holds.
struct Entry {
    Sphere sphere;
    float error = 0;
    std::uint32_t child = kHierarchyNone;  // a group with kHierarchyGroup, or a node
};

using WideNode = std::vector<Entry>;

float rounded_up(double value) {
    const auto rounded = static_cast<float>(value);
    const bool below = static_cast<double>(rounded) < value;
    return below ? std::nextafter(rounded, std::numeric_limits<float>::infinity()) : rounded;
}

// Errors that overflow with any scale that matters need no slack and stay the largest float.
float with_slack(float error) {
    const double larger = static_cast<double>(error) * (1 + kHierarchySlack);
    if (larger >= static_cast<double>(kNoReplacementError)) return kNoReplacementError;
    return rounded_up(larger);
}

Sphere with_slack(const Sphere& sphere) {
    return {sphere.center,
            rounded_up(static_cast<double>(sphere.radius) * (1 + kHierarchySlack) + kHierarchyLeast)};
}

// The entry of a new node that holds these.
Entry add_node(std::span<const Entry> entries, std::vector<WideNode>& nodes) {
    std::vector<Sphere> spheres;
    Entry out;
    for (const Entry& entry : entries) {
        spheres.push_back(entry.sphere);
        out.error = std::max(out.error, entry.error);
    }
    out.sphere = with_slack(sphere_around_spheres(spheres));
    out.error = with_slack(out.error);
    out.child = static_cast<std::uint32_t>(nodes.size());
    nodes.emplace_back(entries.begin(), entries.end());
    return out;
}

// Eight neighbours at a time become one, until at most eight are left.
std::vector<Entry> join_neighbours(std::vector<Entry> entries, std::vector<WideNode>& nodes) {
    while (entries.size() > kHierarchyWidth) {
        std::vector<ChunkItem> items;
        for (const Entry& entry : entries) {
            items.push_back({entry.sphere.center, static_cast<std::uint32_t>(items.size())});
        }
        const std::vector<std::uint32_t> chunks =
            sort_into_chunks(items, {.most = kHierarchyWidth, .granularity = kHierarchyWidth, .share = 0.5});
        std::vector<Entry> joined, members;
        for (std::size_t c = 0; c + 1 < chunks.size(); ++c) {
            members.clear();
            for (std::uint32_t i = chunks[c]; i < chunks[c + 1]; ++i) members.push_back(entries[items[i].id]);
            joined.push_back(members.size() == 1 ? members[0] : add_node(members, nodes));
        }
        entries = std::move(joined);
    }
    return entries;
}

// Eight at a time in their order, until one is left.
Entry join_in_order(std::vector<Entry> entries, std::vector<WideNode>& nodes) {
    do {
        std::vector<Entry> joined;
        for (std::size_t i = 0; i < entries.size(); i += kHierarchyWidth) {
            const auto members = std::span<const Entry>(entries).subspan(
                i, std::min<std::size_t>(kHierarchyWidth, entries.size() - i));
            joined.push_back(add_node(members, nodes));
        }
        entries = std::move(joined);
    } while (entries.size() > 1);
    return entries[0];
}

// Breadth first from `root`.
std::vector<ClusterHierarchyNode> in_order(const std::vector<WideNode>& nodes, std::uint32_t root) {
    std::vector<std::uint32_t> order{root};
    std::vector<ClusterHierarchyNode> out;
    for (std::size_t n = 0; n < order.size(); ++n) {
        ClusterHierarchyNode& node = out.emplace_back();
        const WideNode& from = nodes[order[n]];
        for (std::size_t i = 0; i < from.size(); ++i) {
            node.center_x[i] = from[i].sphere.center.x;
            node.center_y[i] = from[i].sphere.center.y;
            node.center_z[i] = from[i].sphere.center.z;
            node.radius[i] = from[i].sphere.radius;
            node.lod_error[i] = from[i].error;
            node.child[i] = from[i].child;
            if ((from[i].child & kHierarchyGroup) != 0) continue;
            node.child[i] = static_cast<std::uint32_t>(order.size());
            order.push_back(from[i].child);
        }
    }
    return out;
}

}  // namespace

std::vector<ClusterHierarchyNode> build_hierarchy(std::span<const HierarchyGroup> groups) {
    std::vector<std::uint32_t> order(groups.size());
    for (std::uint32_t g = 0; g < order.size(); ++g) order[g] = g;
    std::ranges::sort(order, {}, [&](std::uint32_t g) { return std::pair(groups[g].layer, g); });
    std::vector<WideNode> nodes;
    std::vector<Entry> tops, layer;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const HierarchyGroup& group = groups[order[i]];
        layer.push_back(
            {with_slack(group.lod_bounds), with_slack(group.lod_error), order[i] | kHierarchyGroup});
        if (i + 1 < order.size() && groups[order[i + 1]].layer == group.layer) continue;
        const std::vector<Entry> joined = join_neighbours(std::move(layer), nodes);
        tops.insert(tops.end(), joined.begin(), joined.end());
        layer.clear();
    }
    if (tops.empty()) return {};
    const std::uint32_t root = join_in_order(std::move(tops), nodes).child;
    return in_order(nodes, root);
}

std::vector<ClusterHierarchyNode> hierarchy_of(const ClusterDag& dag, const PagedMesh& paged) {
    std::vector<HierarchyGroup> groups;
    groups.reserve(paged.groups.size());
    for (const PagedGroup& group : paged.groups) {
        const ClusterGroup& source = dag.groups[group.source];
        groups.push_back(
            {.lod_bounds = source.lod_bounds, .lod_error = source.lod_error, .layer = source.level});
    }
    return build_hierarchy(groups);
}

}  // namespace sinter
