#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
#include "colors.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer FrameAt { Frame frame; };
layout(push_constant, scalar) uniform Push { uint64_t frame; } push;

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec3 barycentric;
layout(location = 3) flat in uvec4 ids;
layout(location = 4) flat in uint mirrored;
layout(location = 5) in vec3 bone_color;
layout(location = 0) out vec4 color;  // alpha: 1 a front face, 0.5 a back face; the cleared background has 0

// Fine levels blue, then green, yellow, red, violet: twelve levels once around.
vec3 color_of_level(uint level) { return mix(vec3(0.8), hue(0.62 - float(level) / 13.0), 0.75); }

// 0 blue, half a pixel green, one pixel yellow, two and more red.
vec3 color_of_error(float pixels) {
    vec3 c = mix(vec3(0.15, 0.25, 0.8), vec3(0.2, 0.7, 0.3), clamp(pixels * 2.0, 0.0, 1.0));
    c = mix(c, vec3(0.95, 0.85, 0.2), clamp(pixels * 2.0 - 1.0, 0.0, 1.0));
    return mix(c, vec3(0.9, 0.1, 0.1), clamp(pixels - 1.0, 0.0, 1.0));
}

vec3 surface_color(Frame frame) {
    switch (frame.mode) {
    case kModeClusters: return color_of_id(ids.x);
    case kModeGroups: return color_of_id(ids.y + 0x9E3779B9u);
    case kModeLevels: return color_of_level(Groups(frame.groups).at[ids.y].level);
    case kModeMaxLevel: return color_of_level(Words(frame.max_levels).at[ids.y]);
    case kModeBones: return bone_color;
    case kModeMaterials: return color_of_id(ids.w * 7919u + 17u);
    case kModeError: {
        if (ids.z == 0xFFFFFFFFu) return color_of_error(0.0);
        float error = Groups(frame.groups).at[ids.z].lod_error;
        return color_of_error(error * frame.pixels_per_radian / distance(frame.eye, world_position));
    }
    default: return Materials(frame.materials).at[ids.w].base_color.rgb;
    }
}

void main() {
    Frame frame = FrameAt(push.frame).frame;
    bool front = gl_FrontFacing == (mirrored == 0u);
    if (!front && frame.show_back_faces == 0u && Materials(frame.materials).at[ids.w].double_sided == 0u) discard;
    vec3 face = cross(dFdx(world_position), dFdy(world_position));
    vec3 view = normalize(frame.eye - world_position);
    if (dot(face, view) < 0.0) face = -face;
    vec3 normal = dot(world_normal, world_normal) > 0.0 ? world_normal : face;
    normal = normalize(normal);
    if (!front && dot(world_normal, world_normal) > 0.0) normal = -normal;

    // A light near the eye, light from the sky and from the ground; then the sRGB curve.
    float key = max(dot(normal, frame.light), 0.0);
    float sky = 0.5 + 0.5 * normal.y;
    vec3 linear = surface_color(frame) * (0.75 * key + mix(vec3(0.10, 0.09, 0.08), vec3(0.24, 0.27, 0.32), sky));
    if (frame.mode == kModeShaded) linear += Materials(frame.materials).at[ids.w].emissive;
    if (frame.mode == kModeWire) {
        vec3 away = barycentric / max(fwidth(barycentric), 1e-6);
        float line = 1.0 - smoothstep(0.6, 1.4, min(away.x, min(away.y, away.z)));
        linear = mix(linear, vec3(0.01), 0.85 * line);
    }
    vec3 low = linear * 12.92;
    vec3 high = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    color = vec4(clamp(mix(low, high, greaterThan(linear, vec3(0.0031308))), 0.0, 1.0), front ? 1.0 : 0.5);
}
