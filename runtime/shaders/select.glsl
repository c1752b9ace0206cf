// The choice of clusters. Additions, subtractions, multiplications, comparisons only, and all of them precise: the float
// twin (reference/select.cpp) has the same operations in the same order and so finds the same clusters.
#include "scene.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer SkinCounts { SkinCount at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Prefixes { Prefix at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Selections { Selection selection; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Cuts { InstanceCut at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Bones { ClusterBone at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Works { Work at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WorkCounts { WorkCount at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Bits { uint at[]; };

// ClusterHierarchyNode of formats/.
struct TreeNode {
    float center_x[8], center_y[8], center_z[8], radius[8], lod_error[8];
    uint child[8];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer TreeNodes { TreeNode at[]; };
const uint kHierarchyGroup = 0x80000000u;
const float kNoReplacement = 3.402823466e38;  // lod_error of a group that nothing replaces

float squared_length(vec3 v) {
    precise float square = v.x * v.x + v.y * v.y + v.z * v.z;
    return square;
}

// Squared distance of a point and a box.
float squared_box_distance(vec3 p, vec3 low, vec3 high) {
    precise vec3 below = low - p;
    precise vec3 above = p - high;
    return squared_length(max(max(below, above), vec3(0.0)));
}

bool is_too_coarse(InstanceCut cut, PoseGrid box, vec3 center, float radius, float error, uint level) {
    if (cut.kind == kCutFull || error >= kNoReplacement) return true;
    if (cut.kind == kCutLevel) return level >= cut.level;
    precise float reach = error * cut.scale;
    if (cut.kind == kCutBox) {
        precise float square = reach * reach;
        return squared_box_distance(cut.eye, box.low, box.high) < square;
    }
    precise vec3 apart = center - cut.eye;
    precise float sum = radius + reach;
    precise float square = sum * sum;
    return squared_length(apart) < square;
}

// Appends to a list, and makes its dispatch large enough: `per_workgroup` pieces of work each.
void append(uint64_t list, WorkCounts counts, uint slot, uint per_workgroup, Work work) {
    uint index = atomicAdd(counts.at[slot].count, 1u);
    Works(list).at[index] = work;
    atomicMax(counts.at[slot].x, min(index / per_workgroup + 1u, kMaxWorkgroups));
}
