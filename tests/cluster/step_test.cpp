// One group's step: points that are kept stay, and what is tried again is never worse than the first try.
#include "cooker/cluster/poses.hpp"
#include "cooker/cluster/step.hpp"
#include "cooker/mesh/prepare.hpp"
#include "tests/cluster/meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace sinter {
namespace {

struct Arm {
    PreparedMesh mesh;
    Triangles group;
    std::vector<std::uint32_t> owner;
    PoseSet poses;

    Arm() {
        EncodedInfluences influences;
        const Mesh source = test::skinned_sphere(3000, influences);
        Issues issues;
        auto prepared = prepare_mesh(source, influences, {}, issues);
        REQUIRE(prepared);
        mesh = std::move(*prepared);
        group = {mesh.indices, mesh.submeshes};
        owner.assign(mesh.point_count, kNobody);
        Pose bent;  // the last joint turned by a right angle about z and moved
        bent.scene_from_mesh.resize(3);
        bent.scene_from_mesh[2].m = {0, -1, 0, 1, 1, 0, 0, 0.5F, 0, 0, 1, 0};
        poses.poses.push_back(bent);
    }
};

std::vector<std::uint32_t> points_of(const PreparedMesh& mesh, const std::vector<std::uint32_t>& indices) {
    std::vector<std::uint32_t> points;
    for (const std::uint32_t v : indices) points.push_back(mesh.point_of_vertex[v]);
    std::ranges::sort(points);
    const auto repeated = std::ranges::unique(points);
    points.erase(repeated.begin(), repeated.end());
    return points;
}

float posed_error_of(const Arm& arm, const SourceSurface& source, const std::vector<std::uint32_t>& indices) {
    const MeasuredStep measured = measure_step(source, {arm.group.indices, indices, {}});
    const Deviation posed =
        measure_posed(source, measured, [&](std::span<const std::uint32_t> vertices, std::span<Float3> out) {
            pose_vertices(arm.mesh, arm.poses.poses[0], vertices, out);
        });
    return std::max(measured.rest.error(), posed.error());
}

TEST_CASE("Points that a goal keeps are there after simplification, and are not counted as locked") {
    const Arm arm;
    const std::vector<std::uint32_t> all = points_of(arm.mesh, arm.mesh.indices);
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < all.size(); i += 50) kept.push_back(all[i]);
    const auto missing = [&](const Simplified& simplified) {
        const std::vector<std::uint32_t> left = points_of(arm.mesh, simplified.triangles.indices);
        return std::ranges::count_if(kept,
                                     [&](std::uint32_t p) { return !std::ranges::binary_search(left, p); });
    };
    CHECK(missing(simplify_group(arm.mesh, arm.group, arm.owner, {600, 0, {}, {}})) > 0);
    const Simplified held = simplify_group(arm.mesh, arm.group, arm.owner, {600, 0, {}, kept});
    CHECK(missing(held) == 0);
    CHECK(held.locked_points == 0);
    CHECK(held.triangles.count() <= 600);
}

TEST_CASE("A step in motion is nearer to the source than its first try, with no more triangles") {
    const Arm arm;
    const SourceSurface source = make_source_surface(arm.mesh.positions, arm.mesh.indices);
    const ClusterOptions options;
    const StepContext context{arm.mesh, options, arm.owner, &source, arm.poses, {}};
    for (const std::size_t goal : {1500U, 768U, 256U}) {
        const Simplified first = simplify_group(arm.mesh, arm.group, arm.owner, {goal, 0, {}, {}});
        const StepGoal wanted{goal, 0, 0};
        const Step step =
            refine_step(context, arm.group, {}, wanted, make_step(context, arm.group, {}, wanted));
        CHECK(is_spoilt(context, make_step(context, arm.group, {}, wanted), wanted));
        const std::vector<std::uint32_t>& indices = step.clusters.indices;
        CHECK(indices.size() <= first.triangles.indices.size());
        const float error = std::max(step.geometric_error, step.posed_error);
        INFO("goal " << goal);
        CHECK(posed_error_of(arm, source, indices) == error);
        CHECK(error < posed_error_of(arm, source, first.triangles.indices));
    }
}

TEST_CASE("A step that is not measured is the simplifier's") {
    const Arm arm;
    const ClusterOptions options;
    const Step step =
        make_step({arm.mesh, options, arm.owner, nullptr, arm.poses, {}}, arm.group, {}, {768, 0, 0});
    CHECK(step.geometric_error == step.simplified.error);
    CHECK(step.posed_error == 0);
    CHECK(step.clusters.samples.empty());
}

}  // namespace
}  // namespace sinter
