// Meshes as arrays, whichever way a package stores them: a mesh without a cluster DAG as plain arrays, one with it in pages.
#pragma once

#include <sinter/formats/cluster_records.hpp>
#include <sinter/formats/codecs.hpp>
#include <sinter/formats/manifest.hpp>
#include <sinter/formats/page.hpp>
#include <sinter/formats/reader.hpp>
#include <sinter/formats/result.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// A mesh at full detail. Its other arrays (UVs, colours, influences, blend-shape deltas) are sections of their own in both
// forms, in the order of these vertices.
struct MeshArrays {
    std::vector<std::array<std::int32_t, 3>> grid_positions;  // one a vertex; positions_of() decodes them
    std::vector<OctNormal> normals;                           // one a vertex, or none
    std::vector<TangentRecord> tangents;                      // one a vertex, or none; those of pages decoded
    std::vector<std::uint32_t> indices;                       // three a triangle, each below the vertex count
    std::vector<std::int32_t> materials;                      // one a triangle
};

// Of a mesh in pages the triangles are those of the clusters that replace nothing, in the order of the pages, so other levels
// cost time but no memory. Pre: `manifest` is that of `package`, mesh < its count.
// Errors: those of PackageView::decode; Validation where sections and pages do not fit the manifest.
[[nodiscard]] Result<MeshArrays> read_mesh_arrays(const PackageView& package,
                                                  const manifest::ManifestT& manifest, std::uint32_t mesh);

// Positions of a mesh's vertices in metres. Pre: `arrays` was read from it.
[[nodiscard]] std::vector<std::array<float, 3>> positions_of(const manifest::MeshT& mesh,
                                                             const MeshArrays& arrays);

[[nodiscard]] inline UvGrid uv_grid_of(const manifest::UvInfoT& info) {
    return {.min = {info.min_u, info.min_v}, .step = {info.step_u, info.step_v}};
}

// UV set `set` of a mesh, decoded, in the order of its vertices. Pre and errors as for read_mesh_arrays.
[[nodiscard]] Result<std::vector<UvRecord>> read_uvs(const PackageView& package,
                                                     const manifest::ManifestT& manifest, std::uint32_t mesh,
                                                     std::uint32_t set);

// The tables of a mesh's cluster DAG; its pages are sections of their own (page_section_id, view_page).
struct ClusterTables {
    std::vector<ClusterGroupRecord> groups;
    std::vector<ClusterHierarchyNode> hierarchy;
    std::vector<ClusterPageRecord> pages;
    std::vector<std::uint32_t> dependencies;
    std::vector<ClusterPrefixRecord> prefixes;
    std::vector<SkinBatchRecord> batches;
};

// All empty for a mesh without a DAG. Only the numbers of records are checked against the manifest; verify_package checks what
// is in them. Pre and errors as above.
[[nodiscard]] Result<ClusterTables>
read_cluster_tables(const PackageView& package, const manifest::ManifestT& manifest, std::uint32_t mesh);

// The mesh's vertex that local vertex `i` of a cluster stands for, or kNoVertex where its page has no such vertex or is not
// there. Pre: cluster is one of `page`, i < its vertex count.
inline constexpr std::uint32_t kNoVertex = 0xFFFFFFFF;
[[nodiscard]] std::uint32_t vertex_of(std::span<const ClusterPageRecord> pages, const PageView& page,
                                      const ClusterRecord& cluster, std::uint32_t i);

}  // namespace sinter
