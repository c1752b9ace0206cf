// A scene's tables on a device.
#pragma once

#include "runtime/gpu/buffer.hpp"
#include "runtime/scene/scene.hpp"

namespace sinter {

struct DeviceScene {
    Buffer heap, pages, meshes, materials, groups, max_levels;
};

// Errors: Limit where the device has too little memory.
[[nodiscard]] Result<DeviceScene> upload_scene(Device& device, const PackageScene& scene);

}  // namespace sinter
