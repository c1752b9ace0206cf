// Pictures of a package: the pose, the camera around it, the cut.
#pragma once

#include "runtime/passes/draw.hpp"
#include "runtime/reference/pose.hpp"
#include "runtime/reference/select.hpp"

#include <sinter/formats/manifest.hpp>
#include <sinter/formats/reader.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sinter {

// A package on a device, ready to be drawn. Move-only; `manifest` must outlive it.
struct Stage {
    std::unique_ptr<Device> device;
    const manifest::ManifestT* manifest = nullptr;
    PackageScene scene;
    SceneMotion motion;
    std::vector<double>
        world_scale;  // a skinned instance: lengths in the world over lengths in the mesh, at rest
    DeviceScene device_scene;
    DeviceMotion device_motion;
    PosePasses pose_passes;
    DrawPass draw_pass;
};

// Pre: `package` is verified, `manifest` its own. Errors: those of load_scene and of the device.
[[nodiscard]] Result<Stage> create_stage(std::unique_ptr<Device> device, const PackageView& package,
                                         const manifest::ManifestT& manifest);

// Spheres that the scene is in, for cameras: at rest, or in `samples` moments of a clip, both ends among them.
[[nodiscard]] std::vector<BoundingSphere> scene_bounds(const Stage& stage, std::optional<std::uint32_t> clip,
                                                       std::uint32_t samples = 16);

struct RenderOptions {
    std::uint32_t width = 1280, height = 720;
    DrawMode mode = DrawMode::Shaded;
    Orbit orbit;
    std::optional<std::uint32_t> level;  // of detail
    std::optional<double> pixels;        // of error at most; neither: full detail
    std::optional<ClipTime> clip;        // none: the rest pose
    std::uint32_t samples = 2;           // a side of each pixel: 2 makes 4 of them
    std::array<std::uint8_t, 3> background{236, 238, 241};
};

struct Rendered {
    Picture picture;              // opaque
    std::uint64_t triangles = 0;  // drawn
};
// The camera frames all of the clip, so that pictures of its moments go together.
[[nodiscard]] Result<Rendered> render(const Stage& stage, const RenderOptions& options);

}  // namespace sinter
