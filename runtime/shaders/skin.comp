#version 460
#extension GL_GOOGLE_include_directive : require
#include "select.glsl"

// Skinning, once for all that reads vertices afterwards: a workgroup a batch, a thread a vertex. All vertices of a batch
// have the same number of influences at most, so that no thread waits for another.
layout(push_constant, scalar) uniform Constants { SkinPush push; };
layout(local_size_x = 128) in;

Transform blend(SkinnedInstance skin, uint vertex, uint influences) {
    uint64_t record = push.influences + uint64_t(skin.first_influence) +
                      uint64_t(vertex) * uint64_t(skin.stride * (2u + skin.weight_bits / 8u));
    uint64_t weights = record + uint64_t(skin.stride * 2u);
    Transform sum = Transform(vec4[3](vec4(0), vec4(0), vec4(0)));
    for (uint slot = 0; slot < min(influences, skin.stride); ++slot) {
        uint joint = uint(Unsigned16(record).at[slot]);
        float weight = skin.weight_bits == 8u ? float(uint(Unsigned8(weights).at[slot])) / 255.0
                                              : float(uint(Unsigned16(weights).at[slot])) / 65535.0;
        Transform bone = Transforms(push.palette).at[skin.first_joint + joint];
        for (int r = 0; r < 3; ++r) sum.rows[r] += weight * bone.rows[r];
    }
    return sum;
}

void main() {
    Batch batch = Batches(push.batches).at[gl_WorkGroupID.x];
    uint vertex = batch.first_vertex + gl_LocalInvocationID.x;
    if (gl_LocalInvocationID.x >= batch.vertex_count || vertex >= SkinCounts(push.counts).at[push.skin].vertex_count) return;
    SkinnedInstance skin = Skins(push.skins).at[push.skin];
    Mesh mesh = Meshes(push.meshes).at[skin.mesh];
    Page page = Pages(push.pages).at[batch.page];
    uint64_t address = page_address(push.heap, page);
    uint in_page = vertex - page.first_vertex;

    Transform world_from_mesh = identity();
    if (batch.influences != 0u) world_from_mesh = blend(skin, vertex, batch.influences);
    PoseGrid grid = PoseGrids(push.grids).at[push.skin];
    vec3 position = transform_point(world_from_mesh, read_position(address, mesh, in_page));
    ivec3 code = ivec3(clamp(round((position - grid.center) / grid.step), -32767.0, 32767.0));

    ivec2 normal = ivec2(0);
    uint tangent = 0u;
    if (mesh.has_normals != 0u) {
        ivec2 source = read_normal_code(address, in_page);
        vec3 n = transform_normal(world_from_mesh, oct_decode(source));
        float size = length(n);
        normal = size > 0.0 ? oct_encode(n / size) : source;  // a matrix that flattens all has no normals
        vec4 t = tangent_decode(source, read_tangent_code(address, mesh, in_page));
        tangent = tangent_encode(normal, transform_direction(world_from_mesh, t.xyz), t.w < 0.0);
    }
    SkinnedVertices(push.skinned).at[skin.first_skinned + vertex] =
        SkinnedVertex(halves(code.xy), halves(ivec2(code.z, int(tangent))), halves(normal));
}
