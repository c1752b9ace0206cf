#include "exporter/dag_cut.hpp"

#include <sinter/formats/mesh_arrays.hpp>
#include <sinter/formats/page.hpp>

#include <fmt/format.h>

namespace sinter {
namespace {

Error misfit(std::uint32_t mesh, std::uint32_t page, std::string_view what) {
    return {ErrorKind::Validation, fmt::format("mesh {} page {}", mesh, page), std::string(what),
            "run sinter validate; cook the package again"};
}

bool is_replaced(const ClusterGroupRecord& group, const DagCut& cut) {
    if (const auto* at = std::get_if<LevelCut>(&cut)) return group.end == 0 && group.level < at->level;
    const float lod_error = std::get<ErrorCut>(cut).lod_error;
    return group.lod_error < kNoReplacementError && group.lod_error <= lod_error;
}

// replaced[cut][group]
std::vector<std::vector<bool>> replaced_groups(std::span<const ClusterGroupRecord> groups,
                                               std::span<const DagCut> cuts) {
    std::vector<std::vector<bool>> out;
    for (const DagCut& cut : cuts) {
        std::vector<bool>& replaced = out.emplace_back();
        for (const ClusterGroupRecord& group : groups) replaced.push_back(is_replaced(group, cut));
    }
    return out;
}

bool is_drawn(const ClusterRecord& cluster, const std::vector<bool>& replaced) {
    if (replaced[cluster.group]) return false;
    return cluster.child_group < 0 || replaced[static_cast<std::uint32_t>(cluster.child_group)];
}

Result<std::vector<CutTriangle>> triangles_of(std::span<const ClusterPageRecord> pages, const PageView& page,
                                              const ClusterRecord& cluster, std::uint32_t mesh,
                                              std::uint32_t page_index) {
    std::array<std::uint32_t, 256> vertices{};
    for (std::uint32_t i = 0; i < cluster.vertex_count; ++i) {
        vertices[i] = vertex_of(pages, page, cluster, i);
        if (vertices[i] == kNoVertex)
            return misfit(mesh, page_index, "a cluster refers to a vertex that is not there");
    }
    std::vector<CutTriangle> out;
    for (std::uint32_t t = 0; t < cluster.triangle_count; ++t) {
        const auto corners = page.triangle(cluster, t);
        out.push_back({{vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]}, cluster.material});
    }
    return out;
}

Result<std::vector<std::vector<CutTriangle>>> plain_cuts(const PackageView& package,
                                                         const manifest::ManifestT& manifest,
                                                         std::uint32_t mesh, std::size_t cuts) {
    SINTER_TRY_ASSIGN(const MeshArrays arrays, read_mesh_arrays(package, manifest, mesh));
    std::vector<CutTriangle> triangles(arrays.materials.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        triangles[t] = {{arrays.indices[3 * t], arrays.indices[3 * t + 1], arrays.indices[3 * t + 2]},
                        arrays.materials[t]};
    }
    return std::vector(cuts, triangles);
}

}  // namespace

Result<std::vector<std::vector<CutTriangle>>> read_cuts(const PackageView& package,
                                                        const manifest::ManifestT& manifest,
                                                        std::uint32_t mesh, std::span<const DagCut> cuts) {
    if (!manifest.meshes[mesh]->cluster_dag) return plain_cuts(package, manifest, mesh, cuts.size());
    SINTER_TRY_ASSIGN(const ClusterTables tables, read_cluster_tables(package, manifest, mesh));
    const std::vector<std::vector<bool>> replaced = replaced_groups(tables.groups, cuts);
    std::vector<std::vector<CutTriangle>> out(cuts.size());
    for (std::uint32_t p = 0; p < tables.pages.size(); ++p) {
        SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes,
                          package.decode(SectionType::PageData, page_section_id(mesh, p)));
        SINTER_TRY_ASSIGN(const PageView page, view_page(bytes));
        for (std::uint32_t c = 0; c < page.header().cluster_count; ++c) {
            const ClusterRecord cluster = page.cluster(c);
            const auto groups = static_cast<std::int64_t>(tables.groups.size());
            if (cluster.group >= groups || cluster.child_group >= groups)
                return misfit(mesh, p, "a cluster refers to a group that is not there");
            SINTER_TRY_ASSIGN(const std::vector<CutTriangle> triangles,
                              triangles_of(tables.pages, page, cluster, mesh, p));
            for (std::size_t i = 0; i < cuts.size(); ++i) {
                if (is_drawn(cluster, replaced[i]))
                    out[i].insert(out[i].end(), triangles.begin(), triangles.end());
            }
        }
    }
    return out;
}

}  // namespace sinter
