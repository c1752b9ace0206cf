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

// --- encoders, for what shaders write ---

// oct_encode(): of the four codes around the exact point the one whose direction is nearest. In float, where the C++
// one is in double: next to the middle between two codes the other one may win. Pre: unit.
ivec2 oct_encode(vec3 n) {
    vec2 p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
    if (n.z < 0.0) p = (1.0 - abs(p.yx)) * vec2(p.x >= 0.0 ? 1.0 : -1.0, p.y >= 0.0 ? 1.0 : -1.0);
    ivec2 low = ivec2(floor(p * 32767.0));
    ivec2 best = ivec2(0);
    float best_distance = 8.0;
    for (int i = 0; i < 4; ++i) {
        ivec2 code = clamp(low + ivec2(i & 1, i >> 1), -32767, 32767);
        vec3 apart = oct_decode(code) - n;
        float distance = dot(apart, apart);
        if (distance < best_distance) {
            best_distance = distance;
            best = code;
        }
    }
    return best;
}

// tangent_encode(), in float and rounded to the nearest step. Pre: t is not along the decoded normal.
uint tangent_encode(ivec2 normal, vec3 t, bool negative_bitangent) {
    TangentFrame frame = tangent_frame(normal);
    float c = dot(t, frame.s), s = dot(t, frame.t);
    float steps = 8192.0 / max(abs(c) + abs(s), 1e-30);
    float position;
    if (c > 0.0 && s >= 0.0) position = s * steps;
    else if (c <= 0.0 && s > 0.0) position = 8192.0 - c * steps;
    else if (c < 0.0) position = 2.0 * 8192.0 - s * steps;
    else position = 3.0 * 8192.0 + c * steps;
    return (uint(position + 0.5) & 32767u) | (negative_bitangent ? 32768u : 0u);
}

#endif
