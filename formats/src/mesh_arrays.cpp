#include <sinter/formats/mesh_arrays.hpp>

#include "bytes.hpp"
#include "text.hpp"

#include <sinter/formats/codecs.hpp>

#include <algorithm>
#include <cstring>

namespace sinter {
namespace {

Error misfit(const manifest::MeshT& mesh, std::uint32_t index, std::string message) {
    return {.kind = ErrorKind::Validation,
            .where = place("mesh", index, mesh.name),
            .message = std::move(message),
            .remedy = "run sinter validate; cook the package again"};
}

// `count` records; none and no section if that is 0.
template <typename Record>
Result<std::vector<Record>> read_records(const PackageView& package, SectionType type, std::uint64_t id,
                                         std::uint64_t count) {
    std::vector<Record> out;
    if (count == 0) return out;
    SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes, package.decode(type, id));
    if (bytes.size() % sizeof(Record) != 0 || bytes.size() / sizeof(Record) != count) {
        return Error{.kind = ErrorKind::Validation,
                     .where = cat("section ", section_type_name(type).value_or("of unknown type"), ' ', id),
                     .message = cat(bytes.size(), " bytes are not ", count, " records of ", sizeof(Record)),
                     .remedy = "run sinter validate; cook the package again"};
    }
    out.resize(count);
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
}

class Reader {
public:
    Reader(const PackageView& package, const manifest::MeshT& mesh, std::uint32_t index)
        : package_(package), mesh_(mesh), index_(index) {}

    Result<MeshArrays> read() && {
        if (!mesh_.grid || !mesh_.grid->center || !mesh_.normal || !mesh_.tangent ||
            (mesh_.grid->bits != 16 && mesh_.grid->bits != 32)) {
            return misfit(mesh_, index_, "the manifest has no grid, normal or tangent for it");
        }
        if (mesh_.cluster_dag) {
            SINTER_TRY(read_pages());
        } else {
            SINTER_TRY(read_plain());
        }
        if (out_.indices.size() != mesh_.index_count) {
            return misfit(mesh_, index_,
                          cat(out_.indices.size(), " indices, the manifest says ", mesh_.index_count));
        }
        return std::move(out_);
    }

private:
    // --- plain arrays ---

    template <typename Record>
    Result<Unit> read_positions() {
        SINTER_TRY_ASSIGN(
            const std::vector<Record> records,
            read_records<Record>(package_, SectionType::MeshPositions, index_, mesh_.vertex_count));
        for (const Record& p : records) out_.grid_positions.push_back({p.x, p.y, p.z});
        return Unit{};
    }

    Result<Unit> read_plain() {
        SINTER_TRY(mesh_.grid->bits == 16 ? read_positions<GridPosition16>()
                                          : read_positions<GridPosition32>());
        const std::uint64_t count = mesh_.vertex_count;
        SINTER_TRY_ASSIGN(out_.normals, read_records<OctNormal>(package_, SectionType::MeshNormals, index_,
                                                                mesh_.normal->bits == 0 ? 0 : count));
        SINTER_TRY_ASSIGN(out_.tangents,
                          read_records<TangentRecord>(package_, SectionType::MeshTangents, index_,
                                                      mesh_.tangent->bits == 0 ? 0 : count));
        SINTER_TRY_ASSIGN(out_.indices, read_records<std::uint32_t>(package_, SectionType::MeshIndices,
                                                                    index_, mesh_.index_count));
        if (std::ranges::any_of(out_.indices, [&](std::uint32_t v) { return v >= mesh_.vertex_count; }))
            return misfit(mesh_, index_, "an index is beyond the vertices");
        return read_materials();
    }

    // A triangle has the material of the submesh that its first index is in.
    Result<Unit> read_materials() {
        for (const auto& submesh : mesh_.submeshes) {
            const std::uint64_t first = std::uint64_t{3} * out_.materials.size();
            if (submesh->first_index != first || submesh->index_count % 3 != 0 ||
                first + submesh->index_count > mesh_.index_count) {
                return misfit(mesh_, index_, "its submeshes do not follow each other");
            }
            out_.materials.insert(out_.materials.end(), submesh->index_count / 3, submesh->material);
        }
        if (std::uint64_t{3} * out_.materials.size() != mesh_.index_count)
            return misfit(mesh_, index_, "its submeshes do not cover its triangles");
        return Unit{};
    }

    // --- pages ---

    Result<Unit> read_pages() {
        SINTER_TRY_ASSIGN(pages_, read_records<ClusterPageRecord>(package_, SectionType::ClusterPages, index_,
                                                                  mesh_.cluster_dag->page_count));
        for (std::uint32_t p = 0; p < pages_.size(); ++p) {
            SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes,
                              package_.decode(SectionType::PageData, page_section_id(index_, p)));
            auto view = view_page(bytes);
            if (!view) return misfit(mesh_, index_, cat("page ", p, ": ", view.error().message));
            SINTER_TRY(add_page(p, *view));
        }
        if (out_.grid_positions.size() != mesh_.vertex_count) {
            return misfit(mesh_, index_,
                          cat(out_.grid_positions.size(), " vertices in its pages, the manifest says ",
                              mesh_.vertex_count));
        }
        return Unit{};
    }

    Result<Unit> add_page(std::uint32_t p, const PageView& page) {
        const PageHeader& h = page.header();
        const bool tangents = (h.flags & kPageHasTangents) != 0;
        if (h.page != p || h.vertex_count != pages_[p].vertex_count ||
            pages_[p].first_vertex != out_.grid_positions.size() || h.position_bits != mesh_.grid->bits ||
            h.normal_bits != mesh_.normal->bits || tangents != (mesh_.tangent->bits != 0)) {
            return misfit(mesh_, index_, cat("page ", p, " is not what its record and the manifest say"));
        }
        for (std::uint32_t v = 0; v < h.vertex_count; ++v) {
            out_.grid_positions.push_back(page.grid_position(v));
            const OctNormal normal = h.normal_bits == 0 ? OctNormal{} : page.normal(v);
            if (h.normal_bits != 0) out_.normals.push_back(normal);
            if (!tangents) continue;
            const DecodedTangent t = tangent_decode(normal, page.tangent(v));
            out_.tangents.push_back({t.tangent[0], t.tangent[1], t.tangent[2], t.sign});
        }
        for (std::uint32_t c = 0; c < h.cluster_count; ++c) SINTER_TRY(add_cluster(p, page, page.cluster(c)));
        return Unit{};
    }

    Result<Unit> add_cluster(std::uint32_t p, const PageView& page, const ClusterRecord& cluster) {
        if (cluster.child_group != -1) return Unit{};
        std::array<std::uint32_t, kMaxClusterVertices> vertices{};
        for (std::uint32_t i = 0; i < cluster.vertex_count; ++i) {
            vertices[i] = vertex_of(pages_, page, cluster, i);
            if (vertices[i] == kNoVertex)
                return misfit(mesh_, index_, cat("page ", p, " refers to a vertex that is not there"));
        }
        for (std::uint32_t t = 0; t < cluster.triangle_count; ++t) {
            for (const std::uint8_t corner : page.triangle(cluster, t))
                out_.indices.push_back(vertices[corner]);
            out_.materials.push_back(cluster.material);
        }
        return Unit{};
    }

    const PackageView& package_;
    const manifest::MeshT& mesh_;
    std::uint32_t index_;
    std::vector<ClusterPageRecord> pages_;
    MeshArrays out_;
};

}  // namespace

std::uint32_t vertex_of(std::span<const ClusterPageRecord> pages, const PageView& page,
                        const ClusterRecord& cluster, std::uint32_t i) {
    const std::uint16_t reference = page.reference(cluster, i);
    const std::uint32_t at = page.table_page(cluster, reference_entry(reference));
    if (at >= pages.size() || reference_vertex(reference) >= pages[at].vertex_count) return kNoVertex;
    return pages[at].first_vertex + reference_vertex(reference);
}

Result<MeshArrays> read_mesh_arrays(const PackageView& package, const manifest::ManifestT& manifest,
                                    std::uint32_t mesh) {
    return Reader(package, *manifest.meshes[mesh], mesh).read();
}

Result<std::vector<UvRecord>> read_uvs(const PackageView& package, const manifest::ManifestT& manifest,
                                       std::uint32_t mesh_index, std::uint32_t set) {
    const manifest::MeshT& mesh = *manifest.meshes[mesh_index];
    if (set >= mesh.uvs.size())
        return misfit(mesh, mesh_index, cat("the manifest does not describe UV set ", set));
    const manifest::UvInfoT& info = *mesh.uvs[set];
    const std::uint64_t id = uv_section_id(mesh_index, set);
    if (info.bits == 32) return read_records<UvRecord>(package, SectionType::MeshUvs, id, mesh.vertex_count);
    SINTER_TRY_ASSIGN(const std::vector<UvCode> codes,
                      read_records<UvCode>(package, SectionType::MeshUvs, id, mesh.vertex_count));
    std::vector<UvRecord> out;
    out.reserve(codes.size());
    for (const UvCode code : codes) out.push_back(uv_decode(uv_grid_of(info), code));
    return out;
}

std::vector<std::array<float, 3>> positions_of(const manifest::MeshT& mesh, const MeshArrays& arrays) {
    const auto& c = *mesh.grid->center;
    std::vector<std::array<float, 3>> out;
    out.reserve(arrays.grid_positions.size());
    for (const auto& q : arrays.grid_positions)
        out.push_back(grid_decode({c.x(), c.y(), c.z()}, mesh.grid->step, q));
    return out;
}

Result<ClusterTables> read_cluster_tables(const PackageView& package, const manifest::ManifestT& manifest,
                                          std::uint32_t mesh) {
    ClusterTables out;
    if (!manifest.meshes[mesh]->cluster_dag) return out;
    const manifest::ClusterDagT& dag = *manifest.meshes[mesh]->cluster_dag;
    SINTER_TRY_ASSIGN(out.groups, read_records<ClusterGroupRecord>(package, SectionType::ClusterGroups, mesh,
                                                                   dag.group_count));
    SINTER_TRY_ASSIGN(out.hierarchy,
                      read_records<ClusterHierarchyNode>(package, SectionType::ClusterHierarchy, mesh,
                                                         dag.hierarchy_node_count));
    SINTER_TRY_ASSIGN(
        out.pages, read_records<ClusterPageRecord>(package, SectionType::ClusterPages, mesh, dag.page_count));
    SINTER_TRY_ASSIGN(out.dependencies,
                      read_records<std::uint32_t>(package, SectionType::ClusterPageDependencies, mesh,
                                                  dag.dependency_count));
    SINTER_TRY_ASSIGN(out.prefixes, read_records<ClusterPrefixRecord>(package, SectionType::ClusterPrefixes,
                                                                      mesh, dag.prefix_count));
    SINTER_TRY_ASSIGN(out.batches, read_records<SkinBatchRecord>(package, SectionType::SkinBatches, mesh,
                                                                 dag.skin_batch_count));
    return out;
}

}  // namespace sinter
