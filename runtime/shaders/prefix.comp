#version 460
#extension GL_GOOGLE_include_directive : require
#include "select.glsl"

// How many of its vertices the cut of each skinned instance needs: a thread an instance. Groups that are not too coarse at a
// prefix's error are not too coarse at smaller ones either, so the first prefix whose error the cut allows is enough.
layout(push_constant, scalar) uniform Constants { PrefixPush push; };
layout(local_size_x = 64) in;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.skin_count) return;
    SkinnedInstance skin = Skins(push.skins).at[i];
    InstanceCut cut = Cuts(push.cuts).at[skin.instance];
    PoseGrid box = PoseGrids(push.grids).at[i];
    uint p = 0;
    // A cut by levels has no one error: it gets all.
    while (p + 1u < skin.prefix_count &&
           is_too_coarse(cut, box, vec3(0), 0.0, Prefixes(push.prefixes).at[skin.first_prefix + p].lod_error, 0xFFFFFFFFu))
        ++p;
    Prefix prefix = Prefixes(push.prefixes).at[skin.first_prefix + p];
    SkinCounts(push.counts).at[i] = SkinCount(prefix.batch_count, 1u, 1u, prefix.vertex_count);
}
