// A package on a device, ready for every pass.
#pragma once

#include "runtime/camera.hpp"
#include "runtime/passes/draw.hpp"
#include "runtime/passes/pose.hpp"
#include "runtime/passes/select.hpp"
#include "runtime/reference/pose.hpp"

#include <sinter/formats/manifest.hpp>
#include <sinter/formats/reader.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sinter {

// Move-only; `manifest` must outlive it.
struct Stage {
    std::unique_ptr<Device> device;
    const manifest::ManifestT* manifest = nullptr;
    PackageScene scene;
    SceneMotion motion;
    std::vector<double>
        world_scale;  // a skinned instance: lengths in the world over lengths in the mesh, at rest
    DeviceScene device_scene;
    DeviceMotion device_motion;
    DeviceSelection selection;
    PosePasses pose_passes;
    SelectPasses select_passes;
    DrawPass draw_pass;
};

// `copies`: of each instance, all in the same place, for measurements.
// Pre: `package` is verified, `manifest` its own. Errors: those of load_scene and of the device.
[[nodiscard]] Result<Stage> create_stage(std::unique_ptr<Device> device, const PackageView& package,
                                         const manifest::ManifestT& manifest, std::uint32_t copies = 1);

// Where an instance of the scene stands; a skinned one stands where its bones put it, so nothing is added.
[[nodiscard]] Affine3 world_from_instance(const Stage& stage, std::size_t instance,
                                          const std::vector<Affine3>& world);

// Spheres that the scene is in, for cameras: at rest, or in `samples` moments of a clip, both ends among them.
[[nodiscard]] std::vector<BoundingSphere> scene_bounds(const Stage& stage, std::optional<std::uint32_t> clip,
                                                       std::uint32_t samples = 16);

}  // namespace sinter
