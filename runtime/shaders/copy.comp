#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

// What memory can do at best: 16 bytes a thread, read and written, in strides.
layout(push_constant, scalar) uniform Constants { CopyPush push; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Quads { uvec4 at[]; };
layout(local_size_x = 256) in;

void main() {
    for (uint i = gl_GlobalInvocationID.x; i < push.count; i += gl_NumWorkGroups.x * 256u)
        Quads(push.to).at[i] = Quads(push.from).at[i];
}
