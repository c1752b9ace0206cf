#version 460
#extension GL_GOOGLE_include_directive : require
#include "select.glsl"

// One level of the trees over groups: a thread a child. A child is followed when it can hold a group that is too coarse.
layout(push_constant, scalar) uniform Push { SelectPush push; };
layout(local_size_x = 64) in;

void main() {
    Selection s = Selections(push.selection).selection;
    WorkCounts counts = WorkCounts(s.work_counts);
    uint work_count = counts.at[push.level].count * 8u;
    uint64_t list = (push.level & 1u) == 0u ? s.work_nodes[0] : s.work_nodes[1];
    uint64_t next = (push.level & 1u) == 0u ? s.work_nodes[1] : s.work_nodes[0];
    for (uint i = gl_GlobalInvocationID.x; i < work_count; i += gl_NumWorkGroups.x * 64u) {
        Work work = Works(list).at[i / 8u];
        uint slot = i % 8u;
        uint child = TreeNodes(s.nodes).at[work.index].child[slot];
        if (child == kNone) continue;
        InstanceCut cut = Cuts(s.cuts).at[work.instance];
        Instance instance = Instances(s.instances).at[work.instance];
        PoseGrid box;
        if (instance.skin != kNone) box = PoseGrids(s.grids).at[instance.skin];
        TreeNodes nodes = TreeNodes(s.nodes);
        vec3 center = vec3(nodes.at[work.index].center_x[slot], nodes.at[work.index].center_y[slot],
                           nodes.at[work.index].center_z[slot]);
        // Levels have no order in the tree: all of it is followed.
        if (!is_too_coarse(cut, box, center, nodes.at[work.index].radius[slot], nodes.at[work.index].lod_error[slot],
                           0xFFFFFFFFu))
            continue;
        if ((child & kHierarchyGroup) == 0u) {
            append(next, counts, push.level + 1u, 8u, Work(work.instance, cut.first_node + child));
        } else {
            append(s.work_groups, counts, s.group_count_slot, 1u, Work(work.instance, child & ~kHierarchyGroup));
        }
    }
}
