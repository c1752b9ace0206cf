#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#include "vertex_codec.glsl"

// One code in, all that the decoders make of it out.
struct Code {
    ivec3 grid;
    ivec2 normal;
    uint tangent;
};
struct Decoded {
    vec3 position, normal;
    vec4 tangent;
    ivec2 square;
};
layout(buffer_reference, scalar) readonly buffer Codes { Code at[]; };
layout(buffer_reference, scalar) writeonly buffer Decodeds { Decoded at[]; };
layout(push_constant, scalar) uniform Push {
    uint64_t codes, decoded;
    vec3 center;
    float step_size;
    uint count;
} push;
layout(local_size_x = 64) in;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) return;
    Code code = Codes(push.codes).at[i];
    Decodeds(push.decoded).at[i] =
        Decoded(grid_decode(push.center, push.step_size, code.grid), oct_decode(code.normal),
                tangent_decode(code.normal, code.tangent), square_point(int(code.tangent & 32767u)));
}
