// Drawing chosen clusters by vertex pulling: all instances, meshes and materials in one indirect draw.
#pragma once

#include "runtime/camera.hpp"
#include "runtime/gpu/image.hpp"
#include "runtime/gpu/pipeline.hpp"
#include "runtime/passes/device_scene.hpp"
#include "runtime/passes/pose.hpp"
#include "runtime/passes/select.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sinter {

// What a picture shows; the numbers are those of records.h.
enum class DrawMode : std::uint32_t {
    Shaded = gpu::kModeShaded,
    Wire = gpu::kModeWire,            // shaded, with the edges of the triangles
    Clusters = gpu::kModeClusters,    // a colour a cluster
    Groups = gpu::kModeGroups,        // a colour a group
    Levels = gpu::kModeLevels,        // of the drawn clusters: fine blue, then green, yellow, red, violet
    MaxLevel = gpu::kModeMaxLevel,    // the coarsest level that each place is replaced by in the end
    Materials = gpu::kModeMaterials,  // a colour a material
    Error = gpu::kModeError,          // of the drawn clusters, in pixels: 0 blue, 1 yellow, 2 and more red
    Bones = gpu::kModeBones,          // a colour a bone, of the one that moves a vertex most
};
// In the order of DrawMode.
inline constexpr std::array<std::string_view, 9> kDrawModeNames{
    "shaded", "wire", "clusters", "groups", "levels", "max-level", "materials", "error", "bones"};
[[nodiscard]] std::optional<DrawMode> draw_mode_from_name(std::string_view name);

struct DrawPass {
    Pipeline pipeline;
};
[[nodiscard]] Result<DrawPass> create_draw_pass(Device& device);

// What a picture is drawn from.
struct DrawInput {
    Camera camera;
    DrawMode mode = DrawMode::Shaded;
    bool show_back_faces = false;  // of materials with one side too
    const Buffer* instances = nullptr;
};
[[nodiscard]] gpu::Frame frame_of(const DrawInput& input, const DeviceScene& scene,
                                  const DeviceMotion& motion, const DeviceSelection& selection);

// Records the draw of all chosen clusters onto the cleared target, which can then be copied from. `frame`: the gpu::Frame
// on the device. Its alpha says what a pixel shows: 255 a front face, 128 a back face, 0 nothing.
void record_draw(VkCommandBuffer commands, const DrawPass& pass, const DeviceSelection& selection,
                 const RenderTarget& target, const Buffer& frame);

}  // namespace sinter
