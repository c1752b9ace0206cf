#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

// One level of the pyramid of depths: a thread a texel, the farthest (smallest) of up to four.
layout(push_constant, scalar) uniform Constants { PyramidPush push; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Depths { float at[]; };
layout(local_size_x = 8, local_size_y = 8) in;

void main() {
    uvec2 to = gl_GlobalInvocationID.xy;
    if (to.x >= push.to_width || to.y >= push.to_height) return;
    Depths depths = Depths(push.pyramid);
    float farthest = 1.0;
    for (uint i = 0u; i < 4u; ++i) {
        uvec2 from = min(2u * to + uvec2(i & 1u, i >> 1), uvec2(push.from_width, push.from_height) - 1u);
        farthest = min(farthest, depths.at[push.from + from.y * push.from_width + from.x]);
    }
    depths.at[push.to + to.y * push.to_width + to.x] = farthest;
}
