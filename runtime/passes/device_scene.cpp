#include "runtime/passes/device_scene.hpp"

namespace sinter {

Result<DeviceScene> upload_scene(Device& device, const PackageScene& scene) {
    DeviceScene out;
    SINTER_TRY_ASSIGN(out.heap, upload(device, scene.heap));
    SINTER_TRY_ASSIGN(out.pages, upload_records<gpu::Page>(device, scene.pages));
    SINTER_TRY_ASSIGN(out.meshes, upload_records<gpu::Mesh>(device, scene.gpu_meshes));
    SINTER_TRY_ASSIGN(out.materials, upload_records<gpu::Material>(device, scene.materials));
    SINTER_TRY_ASSIGN(out.groups, upload_records<ClusterGroupRecord>(device, scene.groups));
    SINTER_TRY_ASSIGN(out.max_levels, upload_records<std::uint32_t>(device, scene.max_levels));
    return out;
}

}  // namespace sinter
