// Pictures of a package: the camera around it, the cut, and sheets of several pictures.
#pragma once

#include "runtime/passes/draw.hpp"
#include "runtime/reference/select.hpp"

#include <sinter/formats/manifest.hpp>
#include <sinter/formats/reader.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sinter {

// A package on a device, ready to be drawn. Move-only.
struct Stage {
    std::unique_ptr<Device> device;
    PackageScene scene;
    DeviceScene device_scene;
    DrawPass draw_pass;
    std::vector<Affine3> world_from_mesh;  // one an instance of the scene
    std::vector<BoundingSphere> bounds;    // of what is drawn, in the world
};

// Pre: `package` is verified, `manifest` its own. Errors: those of load_scene and of the device.
[[nodiscard]] Result<Stage> create_stage(std::unique_ptr<Device> device, const PackageView& package,
                                         const manifest::ManifestT& manifest);

struct RenderOptions {
    std::uint32_t width = 1280, height = 720;
    DrawMode mode = DrawMode::Shaded;
    Orbit orbit;
    std::optional<std::uint32_t> level;  // of detail
    std::optional<double> pixels;        // of error at most; neither: full detail
    std::uint32_t samples = 2;           // a side of each pixel: 2 makes 4 of them
    std::array<std::uint8_t, 3> background{236, 238, 241};
};

struct Rendered {
    Picture picture;              // opaque
    std::uint64_t triangles = 0;  // drawn
};
[[nodiscard]] Result<Rendered> render(Stage& stage, const RenderOptions& options);

}  // namespace sinter
