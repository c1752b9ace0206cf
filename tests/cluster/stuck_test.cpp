// Groups that get stuck while the mesh around them goes on: their points must stay where they are on all later levels.
#include "cooker/cluster/dag.hpp"
#include "cooker/cluster/simplify.hpp"
#include "cooker/mesh/prepare.hpp"
#include "tests/cluster/checker.hpp"
#include "tests/cluster/meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinter {
namespace {

// The noise sphere, one of its six faces a chessboard of two materials: each point of it has several wedges of both, so
// no way of simplifying moves it. All else is of the first material.
PreparedMesh chessboard_sphere(std::uint32_t triangles) {
    Mesh mesh = test::noise_sphere(triangles);
    const Primitive whole = mesh.primitives.at(0);
    mesh.primitives.assign(2, whole);
    for (Primitive& p : mesh.primitives) p.indices.clear();
    mesh.primitives[0].material = 0;
    mesh.primitives[1].material = 1;
    const std::size_t face = whole.indices.size() / 6;
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(face) / 6)));
    for (std::size_t i = 0; i < whole.indices.size(); i += 3) {
        const std::size_t quad = i / 6;
        const bool black = i < face && (quad % side + quad / side) % 2 == 1;
        std::vector<std::uint32_t>& out = mesh.primitives[black ? 1 : 0].indices;
        out.insert(out.end(), whole.indices.begin() + static_cast<std::ptrdiff_t>(i),
                   whole.indices.begin() + static_cast<std::ptrdiff_t>(i + 3));
    }
    Issues issues;
    auto prepared = prepare_mesh(mesh, {}, {}, issues);
    REQUIRE(prepared);
    return std::move(*prepared);
}

struct Board {
    PreparedMesh mesh;
    ClusterOptions options;
    ClusterDag dag;
    Issues issues;

    explicit Board(std::uint32_t triangles) : mesh(chessboard_sphere(triangles)) {
        options.measure_error = false;
        auto built = build_cluster_dag(mesh, options, 2, issues);
        REQUIRE(built);
        dag = std::move(*built);
    }
    [[nodiscard]] std::span<const std::uint32_t> corners(const Cluster& c) const {
        return std::span(dag.indices).subspan(c.first_index, std::size_t{c.triangle_count} * 3);
    }
    template <typename Body>
    void for_points(const Cluster& c, const Body& body) const {
        for (const std::uint32_t v : corners(c)) body(mesh.point_of_vertex[v]);
    }
};

// What holds the points of a group on its level: clusters of other groups that are there at the same time, and groups
// that have ended before.
struct Owners {
    std::vector<std::uint32_t> with_frozen, without;
    std::vector<bool> ended;  // points of groups that have ended
};

Owners owners_of(const Board& board, std::uint32_t group) {
    const ClusterDag& dag = board.dag;
    const std::uint32_t level = dag.groups[group].level;
    Owners owners{std::vector<std::uint32_t>(board.mesh.point_count, kNobody), {}, {}};
    owners.ended.assign(board.mesh.point_count, false);
    for (const Cluster& c : dag.clusters) {
        const std::uint32_t last = dag.groups[c.group].level;
        const bool begun =
            c.child_group == kNone || dag.groups[static_cast<std::size_t>(c.child_group)].level < level;
        if (c.group != group && begun && last >= level) {
            board.for_points(c, [&](std::uint32_t p) { owners.with_frozen[p] = kSharedPoint; });
        }
    }
    owners.without = owners.with_frozen;
    for (const Cluster& c : dag.clusters) {
        const ClusterGroup& of = dag.groups[c.group];
        if (of.end != GroupEnd::Stuck || of.level >= level) continue;
        board.for_points(c, [&](std::uint32_t p) {
            owners.with_frozen[p] = kFrozenPoint;
            owners.ended[p] = true;
        });
    }
    return owners;
}

Triangles triangles_of(const Board& board, std::uint32_t group) {
    const ClusterGroup& g = board.dag.groups[group];
    Triangles triangles;
    for (std::uint32_t c = g.first_cluster; c < g.first_cluster + g.cluster_count; ++c) {
        const Cluster& cluster = board.dag.clusters[c];
        if (triangles.submeshes.empty() || triangles.submeshes.back().material != cluster.material) {
            triangles.submeshes.push_back(
                {cluster.material, static_cast<std::uint32_t>(triangles.indices.size()), 0});
        }
        triangles.submeshes.back().index_count += cluster.triangle_count * 3;
        const auto corners = board.corners(cluster);
        triangles.indices.insert(triangles.indices.end(), corners.begin(), corners.end());
    }
    return triangles;
}

// The boundary of these triangles, edges between points of ended groups only.
test::Chain boundary_on(const PreparedMesh& mesh, std::span<const std::uint32_t> corners,
                        const std::vector<bool>& ended) {
    test::Chain chain;
    for (std::size_t i = 0; i < corners.size(); i += 3) {
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint32_t a = mesh.point_of_vertex[corners[i + e]];
            const std::uint32_t b = mesh.point_of_vertex[corners[i + (e + 1) % 3]];
            if (ended[a] && ended[b]) chain[std::minmax(a, b)] += a < b ? 1 : -1;
        }
    }
    std::erase_if(chain, [](const auto& edge) { return edge.second == 0; });
    return chain;
}

}  // namespace

TEST_CASE("A mesh with stuck groups in the middle tears in no cut, and all of them are reported") {
    const Board board(48000);
    std::uint64_t stuck = 0, later = 0;
    std::uint32_t first_level = board.dag.level_count();
    for (const ClusterGroup& g : board.dag.groups) {
        if (g.end != GroupEnd::Stuck) continue;
        ++stuck;
        CHECK(g.reason != StuckReason::None);
        first_level = std::min(first_level, g.level);
    }
    for (const ClusterGroup& g : board.dag.groups)
        later += g.end == GroupEnd::Simplified && g.level > first_level ? 1U : 0U;
    CHECK(stuck > 0);
    CHECK(later > 0);
    CHECK(board.issues.count_of(IssueCode::StuckGroup) == stuck);
    const test::DagCheck report = test::check_dag(board.mesh, board.dag, board.options, 50);
    for (const std::string& fault : report.faults) FAIL_CHECK(fault);
    CHECK(report.cuts == 100);
}

TEST_CASE(
    "Points of groups that have ended must be held: without it their neighbours move the common border") {
    const Board board(48000);
    std::size_t bordering = 0, kept = 0, torn = 0;
    for (std::uint32_t g = 0; g < board.dag.groups.size(); ++g) {
        if (board.dag.groups[g].end != GroupEnd::Simplified) continue;
        const Triangles group = triangles_of(board, g);
        const Owners owners = owners_of(board, g);
        const test::Chain before = boundary_on(board.mesh, group.indices, owners.ended);
        if (before.empty()) continue;
        ++bordering;
        const SimplifyGoal goal{group.count() / 2, 0};
        const Simplified held = simplify_group(board.mesh, group, owners.with_frozen, goal);
        const Simplified loose = simplify_group(board.mesh, group, owners.without, goal);
        if (held.path != SimplifyPath::None &&
            boundary_on(board.mesh, held.triangles.indices, owners.ended) == before)
            ++kept;
        if (loose.path != SimplifyPath::None &&
            boundary_on(board.mesh, loose.triangles.indices, owners.ended) != before)
            ++torn;
    }
    INFO(bordering << " groups border on ended ones, " << kept << " keep the border, " << torn
                   << " would tear it");
    CHECK(bordering > 0);
    CHECK(kept == bordering);
    CHECK(torn > 0);
}

}  // namespace sinter
