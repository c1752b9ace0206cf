#include "cooker/cluster/simplify.hpp"

#include "cooker/cluster/fallback.hpp"
#include "cooker/cluster/pieces.hpp"
#include "cooker/cluster/wedges.hpp"

#include <algorithm>
#include <limits>

namespace sinter {
namespace {

// `cost` weighs errors of ways against each other: what a way does to UVs and normals is not all in its error.
struct Way {
    WedgeKind kind;
    SimplifyPath path;
    float cost;
};
constexpr Way kWays[] = {{WedgeKind::Vertex, SimplifyPath::Regular, 1},
                         {WedgeKind::PointAndUv, SimplifyPath::Welded, 1},
                         {WedgeKind::Point, SimplifyPath::Welded, 1.5F}};
constexpr float kFallbackCost = 1.5F;

// A step that multiplies the error by more than this was forced upon what little could move.
constexpr float kLeap = 3;

// A group on its way: the best result so far.
struct Search {
    const PreparedMesh& mesh;
    const Triangles& group;
    std::span<const std::uint32_t> owner;
    const SimplifyGoal& goal;
    std::size_t enough = 0;  // triangles: few enough for the next way not to be needed
    std::size_t kept = 0;
    float cost = std::numeric_limits<float>::infinity();
    bool thinned = false;  // pieces were left out: the error is the way between them, and may well leap
    Simplified best{};

    [[nodiscard]] bool leaps() const {
        return !thinned && goal.child_error > 0 && best.error > kLeap * goal.child_error;
    }
};

// Takes a result if it is the first that is few enough, a cheaper one of those, or the one with the fewest triangles.
void take(Search& search, const WedgeMesh& local, const Collapsed& collapsed, SimplifyPath path, float cost) {
    if (search.kept <= search.enough && collapsed.error * cost >= search.cost) return;
    Triangles triangles = with_vertices(search.mesh, local, collapsed.indices);
    const std::size_t count = triangles.count();
    const bool few = count <= search.enough, had_few = search.kept <= search.enough;
    if (count == 0 || (had_few ? !few : count >= search.kept)) return;
    search.kept = count;
    search.cost = collapsed.error * cost;
    search.best.triangles = std::move(triangles);
    search.best.error = collapsed.error;
    search.best.path = path;
}

// Edge collapses, or piece by piece where they would make a hole.
Collapsed collapse_or_thin(Search& search, const WedgeMesh& local) {
    const std::size_t goal = search.goal.triangles;
    Collapsed collapsed = collapse_edges(local, goal);
    const Pieces pieces = find_pieces(local);
    if (pieces.pieces.size() < 2 || !loses_pieces(pieces, collapsed.indices)) return collapsed;
    Collapsed thinned = simplify_pieces(local, pieces, goal);
    if (thinned.indices.empty()) return collapsed;
    search.thinned = true;
    return thinned;
}

void collapse(Search& search) {
    std::uint32_t wedges = 0;
    for (const Way& way : kWays) {
        const WedgeMesh local = make_wedges(search.mesh, search.group, search.owner, way.kind, search.goal);
        search.best.points = local.points;
        search.best.locked_points = local.locked_points;
        if (local.size() == wedges) continue;  // nothing was welded that was not before
        wedges = local.size();
        const std::uint32_t free = local.points - local.locked_points;
        if (way.kind != WedgeKind::Point && local.held_points * 2 > free) continue;
        const bool held = local.held_points * 20 > free;
        take(search, local, collapse_or_thin(search, local), way.path, way.cost);
        if (search.kept <= search.enough && !held && !search.leaps()) return;
    }
}

void merge_points(Search& search) {
    const bool go_on = search.kept > search.enough && search.best.path != SimplifyPath::None;
    const Triangles start = go_on ? search.best.triangles : search.group;
    const WedgeMesh local = make_wedges(search.mesh, start, search.owner, WedgeKind::Point, search.goal);
    Collapsed merged = merge_by_grid(local, search.goal.triangles);
    if (go_on) merged.error += search.best.error;
    take(search, local, merged, SimplifyPath::Fallback, kFallbackCost);
}

}  // namespace

Simplified simplify_group(const PreparedMesh& mesh, const Triangles& group,
                          std::span<const std::uint32_t> owner, const SimplifyGoal& goal) {
    const auto most =
        std::min(std::max(static_cast<std::size_t>(static_cast<double>(group.count()) * kMostKept),
                          (group.count() + goal.triangles) / 2),
                 group.count() - 1);
    Search search{mesh, group, owner, goal};
    search.kept = group.count();
    search.enough = std::min(goal.triangles + group.count() / 10, most);
    collapse(search);
    if (search.kept > search.enough || search.leaps()) merge_points(search);
    Simplified& best = search.best;
    if (search.kept > most) {
        best.triangles = {};
        best.path = SimplifyPath::None;
        best.reason =
            best.locked_points * 10 > best.points * 9 ? StuckReason::LockedBorder : StuckReason::Topology;
    }
    return std::move(best);
}

}  // namespace sinter
