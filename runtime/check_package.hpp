// A whole package checked on a device: what `sinter validate --gpu` says.
#pragma once

#include "runtime/check_pose.hpp"
#include "runtime/shot.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

// What a correct package and a correct device keep to; beyond them the check fails.
inline constexpr double kMaxRounding =
    1000.0 / (1U << 24U);                       // of clips and skeletons, relative to the largest
                                                // length: of 1,000 operations on 32-bit floats
inline constexpr double kMaxPositionSteps = 1;  // of the grid of skinned vertices
inline constexpr double kMaxNormalDeg = 0.16;   // of skinned normals, and tangents
inline constexpr double kMaxMeanFlip =
    0.01;  // of a cut at one pixel against full detail, mean over all views
inline constexpr double kSilhouetteBand =
    2.5;  // pixels at a silhouette that no crack is looked for in: the cut may be
          // off by 1, and the middle of a pixel by 0.7 at either side

struct GpuCheckOptions {
    std::uint32_t poses = 4;  // of each clip, besides the rest pose
    std::uint32_t views =
        64;  // of levels of detail against full detail, as near as all fits into the picture
    std::uint32_t far_views = 16;             // the same, 2 to 16 times as far away
    std::uint32_t width = 640, height = 360;  // of their pictures
    std::uint32_t select_views = 24;          // of the choice of clusters against its twin
};

struct LodCheck {
    std::uint32_t views = 0, far_views = 0, moving_views = 0;
    double mean_flip = 0;            // over the near views: the far ones are mostly background
    double largest_flip = 0;         // of all
    double silhouette = 0;           // pixels, the largest distance of the two silhouettes
    std::uint64_t crack_pixels = 0;  // only if closed
    bool closed = false;             // all meshes are closed: every edge has two opposite uses
    std::uint64_t full_triangles = 0, cut_triangles = 0;  // over all views
};

enum class GpuPass : std::uint8_t { Clips, Skeleton, Bounds, Skinning, Selection, Levels };

struct GpuBreach {
    GpuPass pass = GpuPass::Clips;
    std::string message;
};

struct GpuReport {
    std::string device;
    PoseErrors pose;
    std::uint32_t poses = 0;
    SelectCheck select;
    std::uint32_t select_views = 0;
    LodCheck lod;
    std::vector<GpuBreach> breaches;  // empty: the package passed
};

// Errors: of the device. Pre: as of create_stage.
[[nodiscard]] Result<GpuReport> check_package(const Stage& stage, const GpuCheckOptions& options = {});

// Whether every edge of a mesh at full detail has exactly two opposite uses, on points: vertices of one place.
[[nodiscard]] bool is_closed(const PackageScene& scene, std::uint32_t mesh);

}  // namespace sinter
