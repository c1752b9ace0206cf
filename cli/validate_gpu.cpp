#include "cli/validate_gpu.hpp"

#include "cli/package_file.hpp"
#include "runtime/check_package.hpp"

#include <utility>

namespace sinter {
namespace {

DeepCheck make_check(const GpuReport& report, GpuPass pass, std::string_view name, std::string_view subject,
                     std::uint64_t checked, std::vector<DeepFigure> figures) {
    DeepCheck out;
    out.name = name;
    out.subject = subject;
    out.checked = checked;
    out.figures = std::move(figures);
    for (const GpuBreach& breach : report.breaches) {
        if (breach.pass == pass) out.findings.push_back({report.device, breach.message});
    }
    out.failed = out.findings.size();
    return out;
}

std::vector<DeepCheck> checks_of(const GpuReport& report) {
    const PoseErrors& pose = report.pose;
    const LodCheck& lod = report.lod;
    std::vector<DeepCheck> out;
    out.push_back(make_check(report, GpuPass::Clips, "clips", "poses", report.poses,
                             {{"translation m", pose.translation},
                              {"bound m", kMaxRounding * pose.translation_reach},
                              {"rotation deg (bound 0.0034)", pose.rotation_deg},
                              {"scale", pose.scale},
                              {"bound", kMaxRounding * pose.scale_reach}}));
    out.push_back(make_check(report, GpuPass::Skeleton, "skeleton", "nodes", pose.nodes,
                             {{"m", pose.world}, {"bound m", kMaxRounding * pose.world_reach}}));
    out.push_back(make_check(report, GpuPass::Bounds, "bounds", "vertices", pose.vertices,
                             {{"outside m", pose.outside_bounds}}));
    out.push_back(make_check(report, GpuPass::Skinning, "skinning", "vertices", pose.vertices,
                             {{"m", pose.position},
                              {"steps (bound 1)", pose.position_steps},
                              {"normal deg (bound 0.16)", pose.normal_deg},
                              {"tangent deg (bound 0.16)", pose.tangent_deg}}));
    out.push_back(make_check(report, GpuPass::Selection, "selection", "clusters", report.select.clusters,
                             {{"views", static_cast<double>(report.select_views)},
                              {"other than the twin", static_cast<double>(report.select.differences)}}));
    std::vector<DeepFigure> levels{
        {"far", static_cast<double>(lod.far_views)},
        {"in motion", static_cast<double>(lod.moving_views)},
        {"mean FLIP (bound 0.01)", lod.mean_flip},
        {"largest FLIP", lod.largest_flip},
        {"silhouette px", lod.silhouette},
        {"triangles left", static_cast<double>(lod.cut_triangles) /
                               static_cast<double>(std::max<std::uint64_t>(lod.full_triangles, 1))}};
    if (lod.closed) levels.push_back({"crack pixels (bound 0)", static_cast<double>(lod.crack_pixels)});
    out.push_back(
        make_check(report, GpuPass::Levels, "levels", "views", lod.views + lod.far_views, std::move(levels)));
    return out;
}

}  // namespace

Result<GpuValidation> validate_on_gpu(const std::string& path, const std::string& device) {
    SINTER_TRY_ASSIGN(const OpenPackage package, open_package(path));
    SINTER_TRY_ASSIGN(std::unique_ptr<Device> opened, open_device({device, false}));
    const Result<Stage> stage = create_stage(std::move(opened), package.view, *package.manifest);
    if (!stage) return at_path(stage.error(), path);
    SINTER_TRY_ASSIGN(const GpuReport report, check_package(*stage));
    return GpuValidation{report.device, checks_of(report)};
}

}  // namespace sinter
