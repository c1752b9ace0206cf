// The decoders of formats/src/codecs.cpp and vertex_codec.cpp, line by line. Integer parts, additions and
// multiplications are exact twins (precise: no contraction); divisions and square roots are as good as the device's.
#ifndef SINTER_VERTEX_CODEC_GLSL
#define SINTER_VERTEX_CODEC_GLSL

// grid_decode(): one multiplication and one addition a component.
vec3 grid_decode(vec3 center, float step_size, ivec3 grid) {
    precise vec3 position = center + step_size * vec3(grid);
    return position;
}

// oct_decode(): the unit vector of an octahedral code.
vec3 oct_decode(ivec2 code) {
    precise vec2 p = max(vec2(code) / 32767.0, -1.0);
    precise float z = 1.0 - abs(p.x) - abs(p.y);
    precise float fold = max(-z, 0.0);
    p.x += p.x >= 0.0 ? -fold : fold;
    p.y += p.y >= 0.0 ? -fold : fold;
    precise float len = sqrt(p.x * p.x + p.y * p.y + z * z);
    return vec3(p.x / len, p.y / len, z / len);
}

struct TangentFrame {
    vec3 s, t;
};

// tangent_frame(): its one branch is taken on integers, so that float noise never swaps it.
TangentFrame tangent_frame(ivec2 code) {
    vec3 n = oct_decode(code);
    ivec2 c = max(code, ivec2(-32767));
    float flip = abs(c.x) + abs(c.y) > 32767 ? -1.0 : 1.0;
    precise float a = -1.0 / (flip + n.z);
    precise float b = n.x * n.y * a;
    precise vec3 s = vec3(1.0 + flip * n.x * n.x * a, flip * b, -flip * n.x);
    precise vec3 t = vec3(b, flip + n.y * n.y * a, -n.y);
    return TangentFrame(s, t);
}

// The direction of an angle code on the square |c| + |s| = 8192, exact.
ivec2 square_point(int angle) {
    int along = angle & 8191;
    int rest = 8192 - along;
    switch (angle / 8192) {
    case 0: return ivec2(rest, along);
    case 1: return ivec2(-along, rest);
    case 2: return ivec2(-rest, -along);
    default: return ivec2(along, -rest);
    }
}

// tangent_decode(): xyz a unit tangent across the decoded normal, w the bitangent's sign.
vec4 tangent_decode(ivec2 normal, uint code) {
    TangentFrame frame = tangent_frame(normal);
    vec2 p = vec2(square_point(int(code & 32767u)));
    precise vec3 t = p.x * frame.s + p.y * frame.t;
    precise float len = sqrt(t.x * t.x + t.y * t.y + t.z * t.z);
    return vec4(t / len, (code & 32768u) != 0u ? -1.0 : 1.0);
}

#endif
