// A package, read and laid out for a device: pages as they lie in the file, one after the other, and small tables over
// all meshes. What an engine does at load; nothing here needs a device.
#pragma once

#include "runtime/math.hpp"
#include "runtime/shaders/records.h"

#include <sinter/formats/cluster_records.hpp>
#include <sinter/formats/manifest.hpp>
#include <sinter/formats/page.hpp>
#include <sinter/formats/reader.hpp>
#include <sinter/formats/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// A part of one of the scene's arrays.
struct Range {
    std::uint32_t first = 0, count = 0;
    [[nodiscard]] std::uint32_t end() const { return first + count; }
};

struct SceneMesh {
    Range pages, groups, clusters, nodes, prefixes;
    std::uint32_t vertex_count = 0;
    std::uint32_t level_count = 0;
    Vec3d center;  // of a sphere around its vertices
    double radius = 0;
};

// A mesh under a node of the scene, or under none where its mesh has no node.
inline constexpr std::uint32_t kNoNode = 0xFFFFFFFF;
struct SceneInstance {
    std::uint32_t mesh = 0;
    std::uint32_t node = kNoNode;
    std::int32_t skin = -1;
};

// Groups and clusters know their page, groups and children by the mesh's own numbers, as in the package; the ranges of
// SceneMesh make them numbers over all meshes.
struct PackageScene {
    std::vector<SceneMesh> meshes;  // the manifest's
    std::vector<gpu::Mesh> gpu_meshes;
    std::vector<std::byte> heap;  // pages, each 16-byte aligned
    std::vector<gpu::Page> pages;
    std::vector<ClusterRecord> clusters;
    std::vector<std::uint32_t> page_of_cluster;
    std::vector<ClusterGroupRecord> groups;
    std::vector<std::uint32_t> max_levels;  // a group: the coarsest level that it is replaced by in the end
    std::vector<ClusterHierarchyNode> nodes;
    std::vector<ClusterPrefixRecord> prefixes;
    std::vector<gpu::Material> materials;  // [0]: of triangles without one
    std::vector<SceneInstance> instances;  // drawn nodes; a package without any shows each mesh once
};

// The bytes of a page, for view_page(). Pre: page < pages.size().
[[nodiscard]] std::span<const std::byte> page_bytes(const PackageScene& scene, std::uint32_t page);

// Decoded positions of the first `count` vertices of a mesh, or all that there are.
[[nodiscard]] std::vector<std::array<float, 3>> mesh_positions(const PackageScene& scene, std::uint32_t mesh,
                                                               std::uint32_t count);

// Vertices of a cluster, as numbers of its mesh's vertices. Pre: cluster < clusters.size().
[[nodiscard]] std::vector<std::uint32_t> cluster_vertices(const PackageScene& scene, std::uint32_t cluster);

// Triangles of a cluster, as positions in cluster_vertices().
[[nodiscard]] std::vector<std::array<std::uint8_t, 3>> cluster_triangles(const PackageScene& scene,
                                                                         std::uint32_t cluster);

// Reads all meshes. Pre: verify_package() found nothing wrong. Errors: those of PackageView::decode and view_page;
// Unsupported where a mesh has no cluster DAG; Limit beyond 64 GiB of pages or 2^32 clusters.
[[nodiscard]] Result<PackageScene> load_scene(const PackageView& package,
                                              const manifest::ManifestT& manifest);

}  // namespace sinter
