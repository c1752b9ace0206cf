#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

// Clip sampling: a thread a track writes one component of one node.
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Tracks { Track at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Locals { Local at[]; };
layout(push_constant, scalar) uniform Constants { SamplePush push; };
layout(local_size_x = 64) in;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.track_count) return;
    Track track = Tracks(push.tracks).at[i];
    uint components = track.path == kPathRotation ? 4u : 3u;
    float t = push.fraction;
    uint before = push.frame, after = push.frame + 1u;
    if (track.step != 0u) {
        before += t >= 1.0 ? 1u : 0u;
        t = 0.0;
    }
    if (track.constant != 0u) before = 0u, t = 0.0;
    if (t == 0.0) after = before;

    Floats values = Floats(push.values + uint64_t(track.first_value) * 4ul);
    vec4 a = vec4(0), b = vec4(0);
    for (uint c = 0; c < components; ++c) {
        a[c] = values.at[before * components + c];
        b[c] = values.at[after * components + c];
    }
    if (track.path == kPathRotation && dot(a, b) < 0.0) b = -b;
    vec4 value = a + (b - a) * t;
    Locals locals = Locals(push.locals);
    if (track.path == kPathTranslation) locals.at[track.node].translation = value.xyz;
    else if (track.path == kPathScale) locals.at[track.node].scale = value.xyz;
    else locals.at[track.node].rotation = value / length(value);
    locals.at[track.node].matrix = kNone;
}
