#include "cooker/package/assemble_pages.hpp"

#include "cooker/package/encode_normal.hpp"

#include <sinter/formats/cluster_records.hpp>
#include <sinter/formats/page.hpp>
#include <sinter/formats/vertex_codec.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace sinter {
namespace {

float stored_error(float lod_error) { return std::isinf(lod_error) ? kNoReplacementError : lod_error; }

// The vertices of all pages, encoded; one of the two position arrays is filled.
struct EncodedVertices {
    std::vector<ResidentVertex16> v16;
    std::vector<ResidentVertex32> v32;
    std::vector<OctNormal> normals;
    MeshEncodingErrors errors;
};

EncodedVertices encode_vertices(const PreparedMesh& mesh, std::uint32_t normal_bits) {
    EncodedVertices out;
    std::vector<TangentCode> tangents(mesh.vertex_count());
    double max_normal_deg = 0;
    double max_tangent_deg = 0;
    for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
        const OctNormal code = encode_normal(mesh.normals[v], normal_bits);
        out.normals.push_back(code);
        max_normal_deg = std::max(max_normal_deg, angle_deg(array_of(mesh.normals[v]), oct_decode(code)));
        if (mesh.tangents.empty()) continue;
        const Float4 t = mesh.tangents[v];
        tangents[v] = tangent_encode(code, {t.x, t.y, t.z}, t.w < 0);
        max_tangent_deg = std::max(
            max_tangent_deg, angle_deg(std::array{t.x, t.y, t.z}, tangent_decode(code, tangents[v]).tangent));
    }
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        const auto [x, y, z] = mesh.grid_positions[v];
        if (mesh.grid.bits == 32) {
            out.v32.push_back({.x = x, .y = y, .z = z, .tangent = tangents[v]});
        } else {
            out.v16.push_back({.x = static_cast<std::int16_t>(x),
                               .y = static_cast<std::int16_t>(y),
                               .z = static_cast<std::int16_t>(z),
                               .tangent = tangents[v]});
        }
    }
    out.errors = {.max_normal_error_deg = static_cast<float>(max_normal_deg),
                  .max_tangent_error_deg = static_cast<float>(max_tangent_deg),
                  .uvs = {}};
    return out;
}

// The part of an array that belongs to a page; empty arrays stay empty.
template <typename T>
std::span<const T> part(const std::vector<T>& all, const Page& page) {
    return all.empty() ? std::span<const T>() : std::span(all).subspan(page.first_vertex, page.vertex_count);
}

PageCluster page_cluster(const ClusteredMesh& clustered, const PagedCluster& cluster) {
    const PagedMesh& paged = clustered.paged;
    const Cluster& source = clustered.dag.clusters[cluster.source];
    return {.cull_center = array_of(source.cull_bounds.center),
            .cull_radius = source.cull_bounds.radius,
            .cone = encode_cone(array_of(source.cone.axis), source.cone.cutoff),
            .group = cluster.group,
            .child_group = cluster.child_group,
            .material = source.material,
            .table = std::span(paged.tables).subspan(cluster.first_table_entry, cluster.table_size),
            .references = std::span(paged.references).subspan(cluster.first_reference, cluster.vertex_count),
            .triangles = std::span(paged.triangles)
                             .subspan(std::size_t{3} * cluster.first_triangle,
                                      std::size_t{3} * cluster.triangle_count)};
}

ClusterGroupRecord group_record(const ClusteredMesh& clustered, const PagedGroup& group) {
    const ClusterGroup& source = clustered.dag.groups[group.source];
    ClusterGroupRecord record;
    record.lod_center = array_of(source.lod_bounds.center);
    record.lod_radius = source.lod_bounds.radius;
    record.lod_error = stored_error(source.lod_error);
    record.geometric_error = source.geometric_error;
    record.posed_error = source.posed_error;
    record.attribute_error = source.attribute_error;
    record.page = group.page;
    record.first_cluster = group.first_cluster - clustered.paged.pages[group.page].first_cluster;
    record.cluster_count = group.cluster_count;
    record.level = source.level;
    record.end = static_cast<std::uint8_t>(source.end);
    record.path = static_cast<std::uint8_t>(source.path);
    record.reason = static_cast<std::uint8_t>(source.reason);
    record.locked_points = source.locked_points;
    record.points = source.points;
    return record;
}

void add_groups(Sections& sections, std::uint32_t index, const ClusteredMesh& clustered) {
    std::vector<ClusterGroupRecord> records;
    for (const PagedGroup& group : clustered.paged.groups) {
        records.push_back(group_record(clustered, group));
    }
    sections.add(SectionType::ClusterGroups, index, records);
    sections.add(SectionType::ClusterHierarchy, index, clustered.hierarchy);
}

void add_tables(Sections& sections, std::uint32_t index, const PagedMesh& paged,
                const std::vector<ClusterPageRecord>& pages) {
    sections.add(SectionType::ClusterPages, index, pages);
    sections.add(SectionType::ClusterPageDependencies, index, paged.dependencies);
    std::vector<ClusterPrefixRecord> prefixes;
    for (const VertexPrefix& prefix : paged.prefixes) {
        prefixes.push_back({.lod_error = prefix.lod_error,
                            .vertex_count = prefix.vertices,
                            .page_count = prefix.pages,
                            .triangle_count = prefix.triangles});
    }
    sections.add(SectionType::ClusterPrefixes, index, prefixes);
    std::vector<SkinBatchRecord> batches;
    for (const SkinBatch& batch : paged.batches) {
        batches.push_back(
            {.first_vertex = batch.first, .vertex_count = batch.count, .influences = batch.influences});
    }
    sections.add(SectionType::SkinBatches, index, batches);
}

ClusterPageRecord page_record(const ClusteredMesh& clustered, const Page& page, const PageContent& content) {
    ClusterPageRecord record;
    record.first_vertex = page.first_vertex;
    record.vertex_count = page.vertex_count;
    record.cluster_count = page.cluster_count;
    record.first_group = page.first_group;
    record.group_count = page.group_count;
    record.first_dependency = page.first_dependency;
    record.dependency_count = page.dependency_count;
    for (const PageCluster& cluster : content.clusters) {
        record.reference_count += static_cast<std::uint32_t>(cluster.references.size());
        record.triangle_count += static_cast<std::uint32_t>(cluster.triangles.size() / 3);
    }
    const auto groups = std::span(clustered.paged.groups).subspan(page.first_group, page.group_count);
    for (const PagedGroup& group : groups) {
        record.max_lod_error = std::max(record.max_lod_error, stored_error(group.lod_error));
    }
    return record;
}

}  // namespace

Result<MeshEncodingErrors> add_pages(Sections& sections, std::uint32_t index, const PreparedMesh& mesh,
                                     const ClusteredMesh& clustered, std::uint32_t normal_bits) {
    const PagedMesh& paged = clustered.paged;
    const EncodedVertices vertices = encode_vertices(mesh, normal_bits);
    std::vector<ClusterPageRecord> records;
    for (std::uint32_t p = 0; p < paged.pages.size(); ++p) {
        const Page& page = paged.pages[p];
        std::vector<PageCluster> clusters;
        for (std::uint32_t c = page.first_cluster; c < page.first_cluster + page.cluster_count; ++c) {
            clusters.push_back(page_cluster(clustered, paged.clusters[c]));
        }
        const PageContent content{.page = p,
                                  .has_tangents = !mesh.tangents.empty(),
                                  .normal_bits =
                                      static_cast<std::uint16_t>(mesh.normals.empty() ? 0 : normal_bits),
                                  .vertices16 = part(vertices.v16, page),
                                  .vertices32 = part(vertices.v32, page),
                                  .normals = part(vertices.normals, page),
                                  .clusters = clusters};
        records.push_back(page_record(clustered, page, content));
        SINTER_TRY_ASSIGN(std::vector<std::byte> bytes, pack_page(content));
        records.back().byte_count = static_cast<std::uint32_t>(bytes.size());
        sections.add_bytes(SectionType::PageData, page_section_id(index, p), 1, std::move(bytes));
    }
    add_groups(sections, index, clustered);
    add_tables(sections, index, paged, records);
    return vertices.errors;
}

}  // namespace sinter
