// KHR_texture_transform: offset, rotation and scale of the UVs that a texture is read at.
//
// uv' = T * R * S * uv: scaled first, then turned, then moved. The extension's text contradicts itself on the
// direction: its GLSL listing turns one way, its words ("counter-clockwise", in a space where v points down) and its
// example ("the lower left quadrant") the other. We follow words and example, as Khronos' renderer does (KhronosGroup/
// glTF, issue 1563).
#pragma once

#include "cooker/import/gltf/json_at.hpp"
#include "cooker/math.hpp"

#include <cstdint>
#include <map>
#include <span>

namespace sinter::gltf {

struct UvTransform {
    Float2 offset;
    float rotation = 0;  // radians, from u towards -v: counter-clockwise as a picture is seen
    Float2 scale{1, 1};
    bool operator==(const UvTransform&) const = default;
};

// What the textures of one material say about the UV sets of the primitives that show it.
struct MaterialUvs {
    std::map<std::uint32_t, UvTransform> of_set;  // sets whose textures all have this one transform
    std::uint32_t tangent_set = 0;                // that of the normal texture, which tangents belong to
};

// The transform of a texture's extension object, which may be absent (identity). Errors: InvalidInput.
[[nodiscard]] Result<UvTransform> read_uv_transform(const JsonAt& extension);

// Computed in double precision and rounded once.
void transform_uvs(const UvTransform& transform, std::span<Float2> uvs);

// Whether the transform turns or mirrors the axes that tangents follow; scaling and moving do not.
[[nodiscard]] bool turns_tangents(const UvTransform& transform);

}  // namespace sinter::gltf
