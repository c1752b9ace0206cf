// The tree over groups: structure, spheres and errors by exact arithmetic, traversals in float against a look at every group.
#include "cooker/cluster/hierarchy.hpp"
#include "tests/cluster/laid_out.hpp"
#include "tests/cluster/meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace sinter {
namespace {

using Tree = std::vector<ClusterHierarchyNode>;

// Sizes from 1e-3 to 1 around a place, layers with errors of one magnitude each, ends with infinite errors.
std::vector<HierarchyGroup> random_groups(std::uint32_t count, std::uint32_t layers, float scale,
                                          unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> unit(0, 1);
    std::vector<HierarchyGroup> groups;
    for (std::uint32_t g = 0; g < count; ++g) {
        HierarchyGroup& group = groups.emplace_back();
        group.layer = g % layers;
        group.lod_bounds = {{unit(random) * scale, unit(random) * scale, unit(random) * scale},
                            unit(random) * unit(random) * unit(random) * scale};
        group.lod_error = std::ldexp(unit(random) * scale, -static_cast<int>(group.layer) - 4);
        if (g % 97 == 5) group.lod_error = std::numeric_limits<float>::infinity();
    }
    return groups;
}

struct View {
    Float3 eye;
    float scale = 1;
};

// The rule of shaders, with products and sums fused or not.
template <bool Fused>
bool too_coarse(Float3 center, float radius, float error, const View& view) {
    const Float3 d = center - view.eye;
    if constexpr (Fused) {
        const float reach = std::fma(error, view.scale, radius);
        return std::fma(d.x, d.x, std::fma(d.y, d.y, d.z * d.z)) < reach * reach;
    } else {
        const float reach = radius + error * view.scale;
        return d.x * d.x + d.y * d.y + d.z * d.z < reach * reach;
    }
}

template <bool Fused>
void mark_found(const Tree& tree, const View& view, std::vector<bool>& found, std::uint64_t& tests) {
    std::vector<std::uint32_t> open;
    if (!tree.empty()) open.push_back(0);
    while (!open.empty()) {
        const ClusterHierarchyNode& node = tree[open.back()];
        open.pop_back();
        for (std::size_t i = 0; i < 8 && node.child[i] != kHierarchyNone; ++i) {
            ++tests;
            const Float3 center{node.center_x[i], node.center_y[i], node.center_z[i]};
            if (!too_coarse<Fused>(center, node.radius[i], node.lod_error[i], view)) continue;
            if ((node.child[i] & kHierarchyGroup) != 0) {
                found[node.child[i] & ~kHierarchyGroup] = true;
            } else {
                open.push_back(node.child[i]);
            }
        }
    }
}

// Groups that the rule finds and the tree does not.
template <bool Fused>
std::uint64_t missed(const std::vector<HierarchyGroup>& groups, const Tree& tree, const View& view,
                     std::uint64_t& coarse, std::uint64_t& tests) {
    std::vector<bool> found(groups.size());
    mark_found<Fused>(tree, view, found, tests);
    std::uint64_t count = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const float error = std::min(groups[g].lod_error, kNoReplacementError);
        const bool is =
            too_coarse<Fused>(groups[g].lod_bounds.center, groups[g].lod_bounds.radius, error, view);
        coarse += is ? 1U : 0U;
        count += is && !found[g] ? 1U : 0U;
    }
    return count;
}

// A view from which the group lies as near to the edge of being too coarse as float can say, or just anywhere.
View random_view(std::mt19937& random, const std::vector<HierarchyGroup>& groups, float size) {
    std::uniform_real_distribution<float> unit(0, 1);
    View view{{unit(random) * 3 - 1, unit(random) * 3 - 1, unit(random) * 3 - 1}, 0};
    view.eye = view.eye * size;
    view.scale = std::exp2(unit(random) * 14);
    if (random() % 4 == 0) return view;
    const HierarchyGroup& group = groups[random() % groups.size()];
    if (std::isinf(group.lod_error)) return view;
    Float3 way = view.eye - group.lod_bounds.center;
    way = way * (1 / length(way));
    const float reach = group.lod_bounds.radius + group.lod_error * view.scale;
    view.eye = group.lod_bounds.center + way * (reach * (1 - 1e-7F * unit(random)));
    return view;
}

template <bool Fused>
void check_views(const std::vector<HierarchyGroup>& groups, float size, unsigned seed, int views) {
    const Tree tree = build_hierarchy(groups);
    std::mt19937 random(seed);
    std::uint64_t coarse = 0, tests = 0, lost = 0;
    for (int k = 0; k < views; ++k) {
        lost += missed<Fused>(groups, tree, random_view(random, groups, size), coarse, tests);
    }
    CHECK(lost == 0);
    CHECK(coarse > 0);
}

struct TreeStats {
    std::vector<int> seen;  // by group
    std::size_t depth = 0;
    std::size_t outside = 0;  // nodes whose sphere or error does not hold a group below, in long double
};

void walk(const Tree& tree, std::uint32_t at, const std::vector<HierarchyGroup>& groups,
          std::vector<std::array<float, 5>>& above, TreeStats& stats) {
    stats.depth = std::max(stats.depth, above.size() + 1);
    const ClusterHierarchyNode& node = tree[at];
    for (std::size_t i = 0; i < 8; ++i) {
        if (node.child[i] == kHierarchyNone) continue;
        above.push_back(
            {node.center_x[i], node.center_y[i], node.center_z[i], node.radius[i], node.lod_error[i]});
        if ((node.child[i] & kHierarchyGroup) == 0) {
            walk(tree, node.child[i], groups, above, stats);
        } else {
            const HierarchyGroup& group = groups[node.child[i] & ~kHierarchyGroup];
            ++stats.seen[node.child[i] & ~kHierarchyGroup];
            for (const auto& [x, y, z, radius, error] : above) {
                const Float3 c = group.lod_bounds.center;
                const long double dx = static_cast<long double>(x) - static_cast<long double>(c.x),
                                  dy = static_cast<long double>(y) - static_cast<long double>(c.y),
                                  dz = static_cast<long double>(z) - static_cast<long double>(c.z);
                const long double reach = std::sqrt(dx * dx + dy * dy + dz * dz) +
                                          static_cast<long double>(group.lod_bounds.radius);
                const bool holds = reach <= static_cast<long double>(radius) &&
                                   error >= std::min(group.lod_error, kNoReplacementError);
                stats.outside += holds ? 0U : 1U;
            }
        }
        above.pop_back();
    }
}

TreeStats stats_of(const Tree& tree, const std::vector<HierarchyGroup>& groups) {
    TreeStats stats;
    stats.seen.assign(groups.size(), 0);
    std::vector<std::array<float, 5>> above;
    if (!tree.empty()) walk(tree, 0, groups, above, stats);
    return stats;
}

}  // namespace

TEST_CASE("A hierarchy holds every group once, inside all spheres and errors above it") {
    for (const std::uint32_t count : {1U, 2U, 8U, 9U, 64U, 65U, 1000U, 5000U}) {
        for (const std::uint32_t layers : {1U, 5U, 14U}) {
            const auto groups = random_groups(count, layers, 2, count + layers);
            const Tree tree = build_hierarchy(groups);
            const TreeStats stats = stats_of(tree, groups);
            INFO(count << " groups in " << layers << " layers");
            CHECK(std::ranges::all_of(stats.seen, [](int n) { return n == 1; }));
            CHECK(stats.outside == 0);
            const double largest = std::ceil(static_cast<double>(count) / layers);
            const double depth =
                std::ceil(std::log2(std::max(largest, 2.0)) / 3) + std::ceil(std::log2(layers) / 3) + 1;
            CHECK(static_cast<double>(stats.depth) <= depth);
            CHECK(tree.size() <= count / 7 + 2 * layers + 2);
        }
    }
}

TEST_CASE("No groups have no hierarchy") { CHECK(build_hierarchy({}).empty()); }

TEST_CASE("Children stand after their node and are filled from the first slot on") {
    const auto groups = random_groups(777, 6, 1, 3);
    const Tree tree = build_hierarchy(groups);
    std::uint32_t next = 1;
    for (const ClusterHierarchyNode& node : tree) {
        bool ended = false;
        for (std::size_t i = 0; i < 8; ++i) {
            if (node.child[i] == kHierarchyNone) {
                ended = true;
                CHECK((node.radius[i] == 0 && node.lod_error[i] == 0));
                continue;
            }
            CHECK_FALSE(ended);
            if ((node.child[i] & kHierarchyGroup) == 0) CHECK(node.child[i] == next++);
        }
    }
    CHECK(next == tree.size());
}

TEST_CASE("A traversal in float finds every group that is too coarse, from anywhere") {
    for (const float size : {1.0F, 100.0F, 1e-12F, 1e9F}) {
        const auto groups = random_groups(600, 8, size, 7);
        check_views<false>(groups, size, 21, 1500);
        check_views<true>(groups, size, 22, 1500);
    }
}

TEST_CASE("A traversal finds groups whose spheres and errors are all the same") {
    // Nothing but the slack keeps rounding from telling a node from the groups in it.
    std::vector<HierarchyGroup> groups = random_groups(1, 1, 1, 5);
    groups[0].lod_bounds = {{0.3F, 0.7F, 0.1F}, 0.01F};
    groups[0].lod_error = 0.003F;
    groups.resize(70, groups[0]);
    check_views<false>(groups, 1, 23, 20000);
    check_views<true>(groups, 1, 24, 20000);
}

TEST_CASE("A traversal of a mesh's groups finds all that are too coarse and tests few others") {
    const test::LaidOut laid = test::laid_out(test::noise_sphere(60000));
    std::vector<HierarchyGroup> groups;
    for (const PagedGroup& g : laid.paged.groups) {
        const ClusterGroup& source = laid.dag.groups[g.source];
        groups.push_back({source.lod_bounds, source.lod_error, source.level});
    }
    const Tree tree = build_hierarchy(groups);
    std::mt19937 random(31);
    std::uint64_t coarse = 0, tests = 0, lost = 0;
    for (int k = 0; k < 500; ++k) {
        lost += missed<false>(groups, tree, random_view(random, groups, 2), coarse, tests);
    }
    CHECK(lost == 0);
    CHECK(tests < 3 * coarse + 500 * 24);
}

}  // namespace sinter
