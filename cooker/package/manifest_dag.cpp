#include "cooker/package/manifest_dag.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinter {
namespace {

namespace mf = manifest;

std::uint64_t triangles_of(const PagedMesh& paged, const PagedGroup& group) {
    std::uint64_t count = 0;
    for (std::uint32_t c = group.first_cluster; c < group.first_cluster + group.cluster_count; ++c) {
        count += paged.clusters[c].triangle_count;
    }
    return count;
}

// Groups as they lie in the pages: a terminal group that was cut into slices counts once a slice.
void add_levels(mf::ClusterDagT& out, const ClusteredMesh& clustered) {
    for (std::uint32_t i = 0; i < clustered.dag.level_count(); ++i) {
        out.levels.push_back(std::make_unique<mf::ClusterLevelT>());
    }
    std::vector<bool> has_error(out.levels.size());
    for (const PagedGroup& group : clustered.paged.groups) {
        const ClusterGroup& source = clustered.dag.groups[group.source];
        const std::uint64_t triangles = triangles_of(clustered.paged, group);
        mf::ClusterLevelT& level = *out.levels[source.level];
        level.clusters += group.cluster_count;
        level.groups += 1;
        level.triangles += triangles;
        out.stored_triangles += triangles;
        if (source.end != GroupEnd::Simplified) {
            out.root_triangles += triangles;
            out.root_clusters += group.cluster_count;
            level.stuck_groups += source.end == GroupEnd::Stuck ? 1 : 0;
            continue;
        }
        level.min_error =
            has_error[source.level] ? std::min(level.min_error, source.lod_error) : source.lod_error;
        has_error[source.level] = true;
        level.max_error = std::max(level.max_error, source.lod_error);
    }
}

}  // namespace

std::unique_ptr<mf::ClusterDagT> manifest_dag_of(const ClusteredMesh& clustered,
                                                 const ClusterOptions& options) {
    const PagedMesh& paged = clustered.paged;
    if (paged.pages.empty()) return nullptr;
    auto out = std::make_unique<mf::ClusterDagT>();
    add_levels(*out, clustered);
    out->group_count = static_cast<std::uint32_t>(paged.groups.size());
    out->cluster_count = static_cast<std::uint32_t>(paged.clusters.size());
    out->page_count = static_cast<std::uint32_t>(paged.pages.size());
    out->hierarchy_node_count = static_cast<std::uint32_t>(clustered.hierarchy.size());
    out->dependency_count = static_cast<std::uint32_t>(paged.dependencies.size());
    out->prefix_count = static_cast<std::uint32_t>(paged.prefixes.size());
    out->skin_batch_count = static_cast<std::uint32_t>(paged.batches.size());
    out->max_triangles = options.max_triangles;
    out->max_vertices = options.max_vertices;
    out->reference_count = paged.references.size();
    out->clones = static_cast<std::uint32_t>(paged.owner_clones + paged.table_clones);
    for (const Page& page : paged.pages) out->resident_bytes += page.byte_count;
    out->measured_error = clustered.dag.measured_error;
    out->poses = static_cast<std::uint32_t>(clustered.dag.poses.size());
    for (const PoseOrigin& pose : clustered.dag.poses) {
        auto measured = std::make_unique<mf::MeasuredPoseT>();
        measured->node = static_cast<std::int32_t>(pose.node);
        measured->clip = pose.clip;
        measured->frame = pose.frame;
        measured->shape = pose.shape;
        measured->shape_frame = pose.shape_frame;
        out->measured_poses.push_back(std::move(measured));
    }
    out->pose_scale = clustered.dag.pose_scale;
    return out;
}

}  // namespace sinter
