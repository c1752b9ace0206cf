#include "cooker/cluster/simplify.hpp"

#include "cooker/cluster/wedges.hpp"

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

// Triangles that the group should have, so that its clusters are full ones: clusters that are nearly empty cost as much
// as full ones. Rounding to whole clusters goes both ways, so the mean is the ratio.
std::size_t goal_of(std::size_t triangles, const ClusterOptions& options) {
    const double wanted = static_cast<double>(triangles) * options.ratio;
    const double full = options.max_triangles;
    double clusters = std::floor(wanted / full + 0.5);
    if (clusters - wanted / full == 0.5 && std::fmod(clusters, 2) == 1)
        clusters -= 1;  // halves to even numbers
    const double whole = std::max(1.0, clusters) * full;
    const double most = static_cast<double>(triangles) * (options.ratio + (1 - options.ratio) * 0.4);
    return static_cast<std::size_t>(std::max(1.0, std::floor(whole <= most ? whole : wanted)));
}

// Few enough that the next way need not be tried.
std::size_t enough_of(std::size_t triangles, std::size_t goal) {
    return std::min(goal + triangles / 10,
                    static_cast<std::size_t>(static_cast<double>(triangles) * kMostKept));
}

struct Way {
    WedgeKind kind;
    SimplifyPath path;
};
constexpr Way kWays[] = {{WedgeKind::Vertex, SimplifyPath::Regular},
                         {WedgeKind::PointAndUv, SimplifyPath::Welded},
                         {WedgeKind::Point, SimplifyPath::Welded}};

}  // namespace

Simplified simplify_group(const PreparedMesh& mesh, const Triangles& group,
                          std::span<const std::uint32_t> owner, const ClusterOptions& options) {
    const std::size_t goal = goal_of(group.count(), options);
    const std::size_t enough = enough_of(group.count(), goal);
    Simplified best;
    std::size_t kept = group.count();
    std::uint32_t wedges = 0;
    for (const Way& way : kWays) {
        const WedgeMesh local = make_wedges(mesh, group, owner, way.kind);
        if (way.kind == WedgeKind::Vertex) {
            best.points = local.points;
            best.locked_points = local.locked_points;
        } else if (local.size() == wedges) {
            continue;  // nothing was welded that was not before
        }
        wedges = local.size();
        Collapsed collapsed = collapse_edges(mesh, local, goal);
        if (collapsed.triangles.count() > 0 && collapsed.triangles.count() < kept) {
            kept = collapsed.triangles.count();
            best.triangles = std::move(collapsed.triangles);
            best.error = collapsed.error;
            best.path = way.path;
        }
        if (kept <= enough) break;
    }
    if (static_cast<double>(kept) > static_cast<double>(group.count()) * kMostKept) {
        best.triangles = {};
        best.path = SimplifyPath::None;
        best.reason =
            best.locked_points * 10 > best.points * 9 ? StuckReason::LockedBorder : StuckReason::Topology;
    }
    return best;
}

}  // namespace sinter
