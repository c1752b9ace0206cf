// Records of a mesh's cluster DAG, as they lie in a package. docs/pages.md has the same tables for readers in other
// languages. Clusters and their vertices are in pages (page.hpp); what decides which of them are drawn, and which pages that
// takes, is here, small and always resident.
//
// The cut at a threshold: with `scale` the error in metres that is allowed a metre away from the eye, inverted,
//     too_coarse(g) = |g.lod_center - eye|^2 < (g.lod_radius + g.lod_error * scale)^2
// A cluster is drawn when its own group is too coarse, so that its replacement must not be used, and its child group, the
// one that it replaces, is not. Groups decide as a whole: a cut never tears.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace sinter {

// lod_error of a group that nothing replaces: every threshold finds it too coarse. Finite, as shading languages do not
// promise infinities; readers compare with >=.
inline constexpr float kNoReplacementError = std::numeric_limits<float>::max();

// One a group, in the order of the pages: group i's clusters follow those of group i - 1 in the same page, or begin the next.
struct ClusterGroupRecord {
    std::array<float, 3>
        lod_center{};  // a sphere around its clusters and the lod spheres of all its child groups
    float lod_radius = 0;
    float lod_error = kNoReplacementError;  // metres; at least 1.001 times each child's
    float geometric_error = 0;  // metres, two-sided deviation of its simplification in the rest pose
    float posed_error = 0;      // the same over the stored poses
    float attribute_error = 0;  // a hint, no bound
    std::uint32_t page = 0;
    std::uint32_t first_cluster = 0;  // in that page
    std::uint32_t cluster_count = 0;
    std::uint32_t level = 0;  // of its clusters; 0 = full detail
    std::uint8_t end = 0;     // 0 simplified, 1 root, 2 stuck
    std::uint8_t path = 0;    // 0 regular, 1 welded, 2 fallback, 3 not simplified
    std::uint8_t reason = 0;  // why it is stuck: 0 not stuck, 1 locked border, 2 topology
    std::uint8_t reserved0 = 0;
    std::uint32_t locked_points = 0;
    std::uint32_t points = 0;
    std::uint32_t reserved1 = 0;
};
static_assert(sizeof(ClusterGroupRecord) == 64 && std::is_trivially_copyable_v<ClusterGroupRecord>);
static_assert(offsetof(ClusterGroupRecord, lod_error) == 16 && offsetof(ClusterGroupRecord, page) == 32);
static_assert(offsetof(ClusterGroupRecord, end) == 48 && offsetof(ClusterGroupRecord, locked_points) == 52);

// A node of the wide tree over groups; node 0 is the root. Children fill the slots from 0 on. A child's sphere contains the
// lod spheres of all groups below it, and its error is the largest of theirs, so
//     |center - eye|^2 < (radius + lod_error * scale)^2
// holds for a child whenever it holds for any group below: a traversal that goes on only where it holds finds every group
// that is too coarse, and no other group's clusters need a look.
inline constexpr std::uint32_t kHierarchyWidth = 8;
inline constexpr std::uint32_t kHierarchyGroup =
    0x80000000;  // bit of `child`: the rest is a group, else a node
inline constexpr std::uint32_t kHierarchyNone = 0xFFFFFFFF;  // an unused slot; the sphere and the error are 0
struct ClusterHierarchyNode {
    std::array<float, kHierarchyWidth> center_x{}, center_y{}, center_z{}, radius{}, lod_error{};
    std::array<std::uint32_t, kHierarchyWidth> child{kHierarchyNone, kHierarchyNone, kHierarchyNone,
                                                     kHierarchyNone, kHierarchyNone, kHierarchyNone,
                                                     kHierarchyNone, kHierarchyNone};
};
static_assert(sizeof(ClusterHierarchyNode) == 192 && std::is_trivially_copyable_v<ClusterHierarchyNode>);
static_assert(offsetof(ClusterHierarchyNode, lod_error) == 128 &&
              offsetof(ClusterHierarchyNode, child) == 160);

// One a page. Vertices, clusters and groups of page i follow those of page i - 1.
struct ClusterPageRecord {
    std::uint32_t first_vertex = 0;  // in the mesh's vertex table
    std::uint32_t vertex_count = 0;  // at most 4096
    std::uint32_t cluster_count = 0;
    std::uint32_t reference_count = 0;
    std::uint32_t triangle_count = 0;
    std::uint32_t byte_count = 0;  // of the raw page
    std::uint32_t first_group = 0;
    std::uint32_t group_count = 0;
    std::uint32_t first_dependency =
        0;  // into cluster_page_dependencies: u32 pages, rising, all below this page's own
    std::uint32_t dependency_count =
        0;                    // index; every page in whose vertices this page's clusters have a share
    float max_lod_error = 0;  // of its groups
    std::uint32_t reserved = 0;
};
static_assert(sizeof(ClusterPageRecord) == 48 && std::is_trivially_copyable_v<ClusterPageRecord>);
static_assert(offsetof(ClusterPageRecord, first_group) == 24 &&
              offsetof(ClusterPageRecord, max_lod_error) == 40);

// Errors fall from record to record. A cut at one error e of at least `lod_error` (the last one's is 0) refers only to the
// first `vertex_count` vertices, and its clusters are in the first `page_count` pages: take the first record that allows e.
struct ClusterPrefixRecord {
    float lod_error = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t page_count = 0;
    std::uint32_t triangle_count = 0;  // of the cut at exactly this error
};
static_assert(sizeof(ClusterPrefixRecord) == 16 && std::is_trivially_copyable_v<ClusterPrefixRecord>);

// Directions from which every triangle of a cluster is seen from behind, in four signed-normalised bytes: a unit direction
// d from the eye to any of its points sees no front face if dot(d, axis / 127) >= cutoff / 127. Conservative: true of
// fewer directions than the cone that was encoded. cutoff 127 with axis 0 hides nothing. For a whole cluster inside a
// sphere the test is dot(center - eye, axis) >= cutoff * |center - eye| + 127 * radius.
struct ConeRecord {
    std::array<std::int8_t, 3> axis{};
    std::int8_t cutoff = 127;
    bool operator==(const ConeRecord&) const = default;
};
static_assert(sizeof(ConeRecord) == 4);

// Pre: finite; the axis has length 1 or 0, cutoff in [-1, 1].
[[nodiscard]] ConeRecord encode_cone(std::array<float, 3> axis, float cutoff);

}  // namespace sinter
