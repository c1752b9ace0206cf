#include "cooker/cook.hpp"

#include "cooker/animation/sample.hpp"
#include "cooker/cluster/dag.hpp"
#include "cooker/cluster/hierarchy.hpp"
#include "cooker/cluster/layout.hpp"
#include "cooker/cluster/poses.hpp"
#include "cooker/import/import.hpp"
#include "cooker/mesh/prepare.hpp"
#include "cooker/skeleton/skeleton.hpp"
#include "cooker/skin/influences.hpp"
#include "cooker/skin/posed_error.hpp"

#include <fmt/format.h>

namespace sinter {
namespace {

// Stages know their scene, not their file: the pipeline puts the file's name in front.
Error at_file(Error error, const std::string& file) {
    if (error.where.compare(0, file.size(), file) != 0) {
        error.where = error.where.empty() ? file : file + ": " + error.where;
    }
    return error;
}

Result<PreparedMesh> cook_mesh(const Scene& scene, std::uint32_t index, const CookOptions& options,
                               Issues& issues) {
    const Mesh& mesh = scene.meshes[index];
    const EncodedInfluences influences = encode_influences(mesh, options.skin, issues);
    SINTER_TRY_ASSIGN(PreparedMesh prepared, prepare_mesh(mesh, influences, options.mesh, issues));
    if (influences.stride > 0) prepared.influences.max_posed_error = posed_error(scene, index, influences);
    return prepared;
}

// Adds levels of detail of mesh number `index` to the asset, and the mesh in the order of their pages. Nodes, skins,
// skeletons and clips are there.
Result<Unit> cluster_mesh(PreparedMesh mesh, std::uint32_t index, const ClusterOptions& options,
                          std::uint32_t threads, Issues& issues, CookedAsset& asset) {
    ClusteredMesh clustered;
    if (options.enabled && !mesh.indices.empty()) {
        const PoseSources sources{asset.nodes, asset.skins, asset.skeletons, asset.clips};
        const PoseSet poses = pick_poses(sources, index, mesh, options.measure_error ? options.poses : 0);
        SINTER_TRY_ASSIGN(clustered.dag, build_cluster_dag(mesh, options, threads, issues, poses));
        SINTER_TRY_ASSIGN(clustered.paged, lay_out_pages(mesh, clustered.dag, threads));
        clustered.hierarchy = hierarchy_of(clustered.dag, clustered.paged);
        mesh = in_page_order(mesh, clustered.paged);
    }
    asset.meshes.push_back(std::move(mesh));
    asset.clustered.push_back(std::move(clustered));
    return Unit{};
}

Result<CookedAsset> run_stages(SourceFiles& files, const CookOptions& options, Issues& issues,
                               const StageObserver& observer, std::uint32_t threads) {
    const auto begin = [&](std::string_view stage) {
        if (observer) observer(stage);
    };
    begin("import");
    SINTER_TRY_ASSIGN(Scene scene, import_scene(files, options.import, issues));

    CookedAsset asset;
    std::vector<PreparedMesh> prepared_meshes;
    prepared_meshes.reserve(scene.meshes.size());
    for (std::uint32_t i = 0; i < scene.meshes.size(); ++i) {
        begin(fmt::format("mesh {}/{}", i + 1, scene.meshes.size()));
        SINTER_TRY_ASSIGN(PreparedMesh prepared, cook_mesh(scene, i, options, issues));
        prepared_meshes.push_back(std::move(prepared));
    }
    begin("skeleton");
    SINTER_TRY_ASSIGN(Skeletons skeletons, build_skeletons(scene, issues));
    asset.skeletons = std::move(skeletons.skeletons);
    asset.skins = std::move(skeletons.skins);
    begin("animation");
    SINTER_TRY_ASSIGN(asset.clips, sample_clips(scene, options.animation, issues));
    asset.source = std::move(scene.source);
    asset.nodes = std::move(scene.nodes);
    for (std::uint32_t i = 0; i < prepared_meshes.size(); ++i) {
        begin(fmt::format("cluster {}/{}", i + 1, prepared_meshes.size()));
        SINTER_TRY(cluster_mesh(std::move(prepared_meshes[i]), i, options.cluster, threads, issues, asset));
    }
    asset.materials = std::move(scene.materials);
    asset.issues = issues.list();
    asset.inputs = files.read_files();
    asset.options = options;
    return asset;
}

}  // namespace

Result<CookedAsset> cook_asset(SourceFiles& files, const CookOptions& options, Issues& issues,
                               const StageObserver& observer, std::uint32_t threads) {
    Result<CookedAsset> cooked = run_stages(files, options, issues, observer, threads);
    if (!cooked) return at_file(std::move(cooked).error(), files.asset().filename().string());
    return cooked;
}

}  // namespace sinter
