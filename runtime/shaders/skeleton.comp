#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

// Skeleton evaluation in one dispatch: a thread a leaf walks from the root to it and writes the nodes that it owns.
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Leaves { Leaf at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Locals { Local at[]; };
layout(push_constant, scalar) uniform Constants { SkeletonPush push; };
layout(local_size_x = 64) in;

Transform transform_of(Local local) {
    vec4 q = local.rotation;
    vec3 s = local.scale, t = local.translation;
    return Transform(vec4[3](
        vec4((1.0 - 2.0 * (q.y * q.y + q.z * q.z)) * s.x, 2.0 * (q.x * q.y - q.z * q.w) * s.y, 2.0 * (q.x * q.z + q.y * q.w) * s.z, t.x),
        vec4(2.0 * (q.x * q.y + q.z * q.w) * s.x, (1.0 - 2.0 * (q.x * q.x + q.z * q.z)) * s.y, 2.0 * (q.y * q.z - q.x * q.w) * s.z, t.y),
        vec4(2.0 * (q.x * q.z - q.y * q.w) * s.x, 2.0 * (q.y * q.z + q.x * q.w) * s.y, (1.0 - 2.0 * (q.x * q.x + q.y * q.y)) * s.z, t.z)));
}

Transform product(Transform a, Transform b) {
    Transform result;
    for (int r = 0; r < 3; ++r) {
        vec4 row = a.rows[r];
        result.rows[r] = row.x * b.rows[0] + row.y * b.rows[1] + row.z * b.rows[2] + vec4(0, 0, 0, row.w);
    }
    return result;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.leaf_count) return;
    Leaf leaf = Leaves(push.leaves).at[i];
    Transform world = identity();
    for (uint k = 0; k < leaf.count; ++k) {
        uint node = Words(push.path_nodes).at[leaf.first + k];
        Local local = Locals(push.locals).at[node];
        if (local.matrix != kNone) world = product(world, Transforms(push.matrices).at[local.matrix]);
        else world = product(world, transform_of(local));
        if (k >= leaf.first_owned) Transforms(push.world).at[node] = world;
    }
}
