// A cluster DAG as it lies in pages: groups in page order (page_order.hpp), each page with whole groups and the vertices that
// these own, so that vertices stand once in one table, every uniform cut uses a prefix of it, and clusters refer to vertices by
// 16 bits. page.hpp and cluster_records.hpp of formats/ are the bytes of the same things.
#pragma once

#include "cooker/cluster/dag.hpp"
#include "cooker/cluster/ownership.hpp"
#include "cooker/cluster/page_order.hpp"
#include "cooker/prepared_mesh.hpp"

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <vector>

namespace sinter {

struct PagedCluster {
    std::uint32_t source = 0;             // of ClusterDag::clusters
    std::uint32_t group = 0;              // of PagedMesh::groups
    std::int32_t child_group = kNone;     // of PagedMesh::groups
    std::uint32_t first_reference = 0;    // into PagedMesh::references
    std::uint32_t first_triangle = 0;     // PagedMesh::triangles holds 3 entries a triangle
    std::uint32_t first_table_entry = 0;  // into PagedMesh::tables
    std::uint8_t table_size = 1;          // 1 to 16
    std::uint8_t vertex_count = 1;
    std::uint8_t triangle_count = 1;
    bool operator==(const PagedCluster&) const = default;
};

// A group of the DAG, or a slice of a terminal one (DagPart); bounds and errors are the DAG group's.
struct PagedGroup {
    std::uint32_t source = 0;  // of ClusterDag::groups
    std::uint32_t page = 0;
    std::uint32_t first_cluster = 0;  // into PagedMesh::clusters
    std::uint32_t cluster_count = 0;
    std::uint32_t band = 0;
    float lod_error = 0;
    bool operator==(const PagedGroup&) const = default;
};

// Each page's vertices, groups, clusters and dependencies follow those of the page before.
struct Page {
    std::uint32_t first_vertex = 0, vertex_count = 0;
    std::uint32_t first_group = 0, group_count = 0;
    std::uint32_t first_cluster = 0, cluster_count = 0;
    std::uint32_t first_dependency = 0,
                  dependency_count = 0;  // pages before it that its clusters refer to, rising
    std::uint32_t byte_count = 0;        // of the raw page
    bool operator==(const Page&) const = default;
};

// Vertices of one page, one band and one influence class: one thread a vertex.
struct SkinBatch {
    std::uint32_t first = 0;       // in the final vertex table
    std::uint16_t count = 0;       // 1 to 128
    std::uint16_t influences = 0;  // class: 0, 1, 4 or 8
    bool operator==(const SkinBatch&) const = default;
};
inline constexpr std::uint32_t kMostBatchVertices = 128;

// A uniform cut at an error of at least lod_error uses only the first `vertices`, the clusters drawn being in the first
// `pages`. Errors fall; the last one's is 0. Groups of lod_error 0 are in no uniform cut, and behind the last prefix.
struct VertexPrefix {
    float lod_error = 0;
    std::uint32_t vertices = 0;
    std::uint32_t pages = 0;
    std::uint32_t batches = 0;
    std::uint32_t triangles = 0;  // of the cut at exactly this error
    bool operator==(const VertexPrefix&) const = default;
};

struct PagedMesh {
    std::vector<std::uint32_t> source_vertex;  // of each final vertex, in the PreparedMesh; clones repeat one
    std::vector<Page> pages;
    std::vector<PagedGroup> groups;
    std::vector<PagedCluster> clusters;  // by group
    std::vector<std::uint16_t>
        references;  // make_reference(entry of the cluster's table, vertex in that page)
    std::vector<std::uint8_t>
        triangles;  // local vertices; order_cluster() may have turned and reordered them
    std::vector<std::uint32_t>
        tables;  // pages; neighbouring clusters share a table where 16 entries are enough
    std::vector<std::uint32_t> dependencies;
    std::vector<SkinBatch> batches;  // none for a mesh that neither bones nor blend shapes move
    std::vector<VertexPrefix> prefixes;
    std::uint64_t owner_clones = 0;  // made because no ancestor owns the vertex
    std::uint64_t table_clones = 0;  // made because 16 pages are not enough for a cluster

    // The final vertex of a reference.
    [[nodiscard]] std::uint32_t vertex_of(const PagedCluster& cluster, std::uint32_t local) const;
    bool operator==(const PagedMesh&) const = default;
};

// Lays out a DAG of this mesh. The result depends on mesh and DAG only; `threads` (at least 1) changes nothing. An empty DAG
// has no pages. Errors: those of own_vertices; Internal for a group that owns more than kMaxPageVertices vertices, which one
// of at most 32 clusters cannot.
[[nodiscard]] Result<PagedMesh> lay_out_pages(const PreparedMesh& mesh, const ClusterDag& dag,
                                              std::uint32_t threads);

// The mesh with its vertices in the order of the pages. Triangles stay; corners on cloned vertices take the first of their
// clones. A blend shape lists a moved vertex once a clone. Statistics stay but influences.class_counts, counted anew.
// Pre: `paged` is of this mesh.
[[nodiscard]] PreparedMesh in_page_order(const PreparedMesh& mesh, const PagedMesh& paged);

}  // namespace sinter
