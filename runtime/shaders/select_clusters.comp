#version 460
#extension GL_GOOGLE_include_directive : require
#include "select.glsl"

// Clusters of groups that may be too coarse: a workgroup a group, a thread a cluster. One that is drawn and not culled gets
// its bit.
layout(push_constant, scalar) uniform Push { SelectPush push; };
layout(local_size_x = 32) in;

// Where a cluster is in the world: in a sphere at rest, in a box in motion.
struct Bounds {
    vec3 center;
    vec3 reach;  // of a box along the axes of the world; of a sphere its radius
    bool sphere;
};

Bounds still_bounds(Selection s, Instance instance, InstanceCut cut, Cluster cluster) {
    vec3 c = cluster.cull_center;
    if (instance.node != kNone) {
        Transform t = Transforms(s.world).at[instance.node];
        precise vec3 moved;
        for (int r = 0; r < 3; ++r) moved[r] = t.rows[r].x * c.x + t.rows[r].y * c.y + t.rows[r].z * c.z + t.rows[r].w;
        c = moved;
    }
    precise float radius = cluster.cull_radius * cut.stretch;
    return Bounds(c, vec3(radius), true);
}

// Of the boxes of its bones; then two steps of the grid, for the rounding of the vertices and of these sums.
Bounds moving_bounds(Selection s, uint skin_index, uint cluster) {
    SkinnedInstance skin = Skins(s.skins).at[skin_index];
    vec3 low = vec3(3.0e38), high = vec3(-3.0e38);
    Words first = Words(s.bones_of_cluster);
    for (uint b = first.at[cluster]; b < first.at[cluster + 1u]; ++b) {
        ClusterBone bone = Bones(s.bones).at[b];
        vec3 box_low = bone.low, box_high = bone.high;
        if (bone.joint != kNone) {
            Transform t = Transforms(s.palette).at[skin.first_joint + bone.joint];
            precise vec3 center = 0.5 * (bone.low + bone.high);
            precise vec3 half_size = 0.5 * (bone.high - bone.low);
            for (int c = 0; c < 3; ++c) {
                vec4 row = t.rows[c];
                precise float middle = row.x * center.x + row.y * center.y + row.z * center.z + row.w;
                precise float reach = abs(row.x) * half_size.x + abs(row.y) * half_size.y + abs(row.z) * half_size.z;
                precise float below = middle - reach;
                precise float above = middle + reach;
                box_low[c] = below;
                box_high[c] = above;
            }
        }
        low = min(low, box_low);
        high = max(high, box_high);
    }
    precise vec3 center = 0.5 * (low + high);
    precise vec3 reach = 0.5 * (high - low) + vec3(2.0 * PoseGrids(s.grids).at[skin_index].step);
    return Bounds(center, reach, false);
}

// How far bounds reach along a direction whose length is known.
float reach_along(Bounds bounds, vec3 direction, float size) {
    if (bounds.sphere) {
        precise float reach = bounds.reach.x * size;
        return reach;
    }
    precise float reach = abs(direction.x) * bounds.reach.x + abs(direction.y) * bounds.reach.y +
                          abs(direction.z) * bounds.reach.z;
    return reach;
}

float plane_value(vec4 plane, vec3 p) {
    precise float value = plane.x * p.x + plane.y * p.y + plane.z * p.z + plane.w;
    return value;
}

bool is_outside(Selection s, Bounds bounds) {
    for (int i = 0; i < 5; ++i) {
        if (plane_value(s.planes[i], bounds.center) < -reach_along(bounds, s.planes[i].xyz, 1.0)) return true;
    }
    return false;
}

// floor(a / b), at least 0 and at most `most`. The quotient is only a guess, as devices divide with an error; the products
// decide. Pre: b > 0.
uint exact_floor(float a, float b, uint most) {
    if (!(a > 0.0)) return 0u;
    precise float limit = float(most) * b;
    if (a >= limit) return most;
    uint k = min(uint(a / b), most);
    for (;;) {
        precise float here = float(k) * b;
        precise float after = float(k + 1u) * b;
        if (here > a && k > 0u) --k;
        else if (after <= a && k < most) ++k;
        else return k;
    }
}

// The first and the last pixel that bounds can cover along an axis of the picture: their clip coordinate is in
// middle - reach to middle + reach, divided by a depth in near to far.
uvec2 pixel_range(float middle, float reach, float near, float far, uint size) {
    precise float low = middle - reach;
    precise float high = middle + reach;
    float low_depth = low < 0.0 ? near : far;
    float high_depth = high < 0.0 ? far : near;
    float half_size = 0.5 * float(size);
    precise float a = (low + low_depth) * half_size;
    precise float b = (high + high_depth) * half_size;
    return uvec2(exact_floor(a, low_depth, size - 1u), exact_floor(b, high_depth, size - 1u));
}

// Behind all that the depth picture shows where it could be.
bool is_occluded(Selection s, Bounds bounds) {
    float w = plane_value(s.clip_from_world[3], bounds.center);
    float w_reach = reach_along(bounds, s.clip_from_world[3].xyz, s.clip_lengths.z);
    precise float near = w - w_reach;
    precise float far = w + w_reach;
    if (near <= s.near_plane) return false;
    uvec2 x = pixel_range(plane_value(s.clip_from_world[0], bounds.center),
                          reach_along(bounds, s.clip_from_world[0].xyz, s.clip_lengths.x), near, far, s.width);
    uvec2 y = pixel_range(plane_value(s.clip_from_world[1], bounds.center),
                          reach_along(bounds, s.clip_from_world[1].xyz, s.clip_lengths.y), near, far, s.height);
    uint level = 0u;
    while ((x.y >> level) - (x.x >> level) > 1u || (y.y >> level) - (y.x >> level) > 1u) ++level;
    uint row = s.width;
    for (uint i = 0; i < level; ++i) row = (row + 1u) / 2u;
    Floats depths = Floats(s.pyramid + uint64_t(s.pyramid_first[level]) * 4ul);
    float farthest = 1.0;
    for (uint py = y.x >> level; py <= y.y >> level; ++py) {
        for (uint px = x.x >> level; px <= x.y >> level; ++px) farthest = min(farthest, depths.at[py * row + px]);
    }
    // Depth is near_plane / w; a hundred-thousandth is left for its rounding.
    precise float nearest = s.near_plane * 1.00001;
    precise float there = farthest * near;
    return nearest < there;
}

// All triangles are seen from behind: the rule of ConeRecord, squared. `apart` is center - eye times some scale > 0.
bool faces_away(uint cone, vec3 apart, float radius) {
    precise vec3 axis = vec3(int(cone << 24) >> 24, int(cone << 16) >> 24, int(cone << 8) >> 24);
    float cutoff = float(int(cone) >> 24);
    precise float along = apart.x * axis.x + apart.y * axis.y + apart.z * axis.z;
    precise float margin = along - 127.0 * radius;
    precise float margin2 = margin * margin;
    precise float limit = cutoff * cutoff * squared_length(apart);
    if (cutoff >= 0.0) return margin >= 0.0 && margin2 >= limit;
    return margin >= 0.0 || margin2 <= limit;
}

bool is_turned_away(Selection s, Instance instance, InstanceCut cut, Cluster cluster, uint index) {
    if ((cluster.cone >> 24) == 127u || Materials(s.materials).at[cluster.material + 1].double_sided != 0u) return false;
    if (instance.skin == kNone) {
        precise vec3 apart = cluster.cull_center - cut.eye;
        return faces_away(cluster.cone, apart, cluster.cull_radius);
    }
    // In motion only where all of it follows one bone: then the eye goes into the space of the mesh. Times the determinant,
    // so that nothing is divided.
    Words first = Words(s.bones_of_cluster);
    uint bone = first.at[index];
    if (first.at[index + 1u] != bone + 1u || Bones(s.bones).at[bone].joint == kNone) return false;
    Transform t = Transforms(s.palette).at[Skins(s.skins).at[instance.skin].first_joint + Bones(s.bones).at[bone].joint];
    vec3 x = t.rows[0].xyz, y = t.rows[1].xyz, z = t.rows[2].xyz;
    precise vec3 yz = vec3(y.y * z.z - y.z * z.y, y.z * z.x - y.x * z.z, y.x * z.y - y.y * z.x);
    precise vec3 zx = vec3(z.y * x.z - z.z * x.y, z.z * x.x - z.x * x.z, z.x * x.y - z.y * x.x);
    precise vec3 xy = vec3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x);
    precise float determinant = x.x * yz.x + x.y * yz.y + x.z * yz.z;
    if (!(determinant > 0.0)) return false;
    precise vec3 e = cut.eye - vec3(t.rows[0].w, t.rows[1].w, t.rows[2].w);
    precise vec3 eye = yz * e.x + zx * e.y + xy * e.z;
    precise vec3 apart = cluster.cull_center * determinant - eye;
    precise float radius = cluster.cull_radius * determinant;
    return faces_away(cluster.cone, apart, radius);
}

bool is_drawn(Selection s, Work work, uint first_group, PoseGrid box, Cluster cluster) {
    if (cluster.child_group < 0) return true;
    Group child = Groups(s.groups).at[first_group + uint(cluster.child_group)];
    return !is_too_coarse(Cuts(s.cuts).at[work.instance], box, child.lod_center, child.lod_radius, child.lod_error, child.level);
}

void main() {
    Selection s = Selections(push.selection).selection;
    uint work_count = WorkCounts(s.work_counts).at[s.group_count_slot].count;
    for (uint i = gl_WorkGroupID.x; i < work_count; i += gl_NumWorkGroups.x) {
        Work work = Works(s.work_groups).at[i];
        InstanceCut cut = Cuts(s.cuts).at[work.instance];
        Instance instance = Instances(s.instances).at[work.instance];
        PoseGrid box;
        if (instance.skin != kNone) box = PoseGrids(s.grids).at[instance.skin];
        Group group = Groups(s.groups).at[cut.first_group + work.index];
        if (!is_too_coarse(cut, box, group.lod_center, group.lod_radius, group.lod_error, group.level)) continue;
        Page page = Pages(s.pages).at[Meshes(s.meshes).at[instance.mesh].first_page + group.page];
        uint64_t address = page_address(s.heap, page);
        for (uint c = gl_LocalInvocationID.x; c < group.cluster_count; c += 32u) {
            Cluster cluster = read_cluster(address, group.first_cluster + c);
            uint index = page.first_cluster + group.first_cluster + c;
            if (!is_drawn(s, work, cut.first_group, box, cluster)) continue;
            Bounds bounds;
            if (instance.skin == kNone) bounds = still_bounds(s, instance, cut, cluster);
            else bounds = moving_bounds(s, instance.skin, index);
            if ((s.cull & kCullFrustum) != 0u && is_outside(s, bounds)) continue;
            if ((s.cull & kCullCone) != 0u && is_turned_away(s, instance, cut, cluster, index)) continue;
            if ((s.cull & kCullOcclusion) != 0u && is_occluded(s, bounds)) continue;
            uint bit = index - cut.first_cluster;
            atomicOr(Bits(s.visible_bits).at[cut.first_word + bit / 32u], 1u << (bit % 32u));
        }
    }
}
