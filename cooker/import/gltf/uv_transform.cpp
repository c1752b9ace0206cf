#include "cooker/import/gltf/uv_transform.hpp"

#include <array>
#include <cmath>

namespace sinter::gltf {

Result<UvTransform> read_uv_transform(const JsonAt& extension) {
    UvTransform out;
    std::array<float, 2> offset = {0, 0};
    std::array<float, 2> scale = {1, 1};
    SINTER_TRY(floats_member(extension, "offset", offset));
    SINTER_TRY(float_member(extension, "rotation", out.rotation));
    SINTER_TRY(floats_member(extension, "scale", scale));
    out.offset = {offset[0], offset[1]};
    out.scale = {scale[0], scale[1]};
    return out;
}

void transform_uvs(const UvTransform& transform, std::span<Float2> uvs) {
    if (transform == UvTransform{}) return;
    const auto angle = static_cast<double>(transform.rotation);
    const double cosine = std::cos(angle), sine = std::sin(angle);
    for (Float2& uv : uvs) {
        const double u = static_cast<double>(uv.x) * static_cast<double>(transform.scale.x);
        const double v = static_cast<double>(uv.y) * static_cast<double>(transform.scale.y);
        uv.x = static_cast<float>(cosine * u + sine * v + static_cast<double>(transform.offset.x));
        uv.y = static_cast<float>(cosine * v - sine * u + static_cast<double>(transform.offset.y));
    }
}

bool turns_tangents(const UvTransform& transform) {
    return transform.rotation != 0 || transform.scale.x < 0 || transform.scale.y < 0;
}

}  // namespace sinter::gltf
