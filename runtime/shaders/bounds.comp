#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

// A workgroup a skinned instance: its joints' matrices, and from their boxes the box and the grid of the instance. A
// skinned vertex is a mean of its position under each of its bones, and each of these is in that bone's moved box.
layout(push_constant, scalar) uniform Constants { BoundsPush push; };
layout(local_size_x = 64) in;
shared vec3 lows[64];
shared vec3 highs[64];

const float kFar = 3.0e38;

void main() {
    uint thread = gl_LocalInvocationID.x;
    SkinnedInstance skin = Skins(push.skins).at[gl_WorkGroupID.x];
    vec3 low = vec3(kFar), high = vec3(-kFar);
    if (thread == 0u && skin.low.x <= skin.high.x) low = skin.low, high = skin.high;
    for (uint j = thread; j < skin.joint_count; j += 64u) {
        Joint joint = Joints(push.joints).at[skin.first_joint + j];
        Transform world = Transforms(push.world).at[joint.node];
        Transform palette;
        for (int r = 0; r < 3; ++r) {
            vec4 row = world.rows[r];
            palette.rows[r] = row.x * joint.bone_from_mesh[0] + row.y * joint.bone_from_mesh[1] +
                              row.z * joint.bone_from_mesh[2] + vec4(0, 0, 0, row.w);
        }
        Transforms(push.palette).at[skin.first_joint + j] = palette;
        if (joint.low.x > joint.high.x) continue;
        vec3 center = transform_point(palette, 0.5 * (joint.low + joint.high));
        vec3 half_size = 0.5 * (joint.high - joint.low);
        vec3 reach = vec3(dot(abs(palette.rows[0].xyz), half_size), dot(abs(palette.rows[1].xyz), half_size),
                          dot(abs(palette.rows[2].xyz), half_size));
        low = min(low, center - reach);
        high = max(high, center + reach);
    }
    lows[thread] = low;
    highs[thread] = high;
    barrier();
    for (uint width = 32u; width > 0u; width /= 2u) {
        if (thread < width) {
            lows[thread] = min(lows[thread], lows[thread + width]);
            highs[thread] = max(highs[thread], highs[thread + width]);
        }
        barrier();
    }
    if (thread != 0u) return;
    PoseGrid grid;
    grid.center = 0.5 * (lows[0] + highs[0]);
    vec3 half_size = 0.5 * (highs[0] - lows[0]);
    float reach = max(half_size.x, max(half_size.y, half_size.z));
    // A little room for the rounding of the sums above and of the skinned positions: 2^-18 of all that takes part.
    float room = (reach + abs(grid.center.x) + abs(grid.center.y) + abs(grid.center.z)) * (1.0 / 262144.0);
    grid.step = max((reach + room) / 32767.0, 1e-30);
    grid.low = lows[0] - room;
    grid.high = highs[0] + room;
    PoseGrids(push.grids).at[gl_WorkGroupID.x] = grid;
}
