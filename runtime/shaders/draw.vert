#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
#include "colors.glsl"

// Vertex pulling: draw i is visible cluster i, three vertices a triangle.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer FrameAt { Frame frame; };
layout(push_constant, scalar) uniform Push { uint64_t frame; } push;

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec3 barycentric;
layout(location = 3) flat out uvec4 ids;  // cluster, group, child group or all ones, material
layout(location = 4) flat out uint mirrored;
layout(location = 5) out vec3 bone_color;
invariant gl_Position;

// Of the bone that moves a vertex most, which has the first of its influences; grey where none does.
vec3 color_of_bone(Frame frame, Instance instance, uint vertex) {
    if (frame.mode != kModeBones || instance.skin == kNone) return vec3(0.6);
    SkinnedInstance skin = Skins(frame.skins).at[instance.skin];
    uint64_t record = frame.influences + uint64_t(skin.first_influence) +
                      uint64_t(vertex) * uint64_t(skin.stride * (2u + skin.weight_bits / 8u));
    uint weight = uint(Unsigned8(record + uint64_t(skin.stride * 2u)).at[0]);
    if (skin.weight_bits == 16u) weight = uint(Unsigned16(record + uint64_t(skin.stride * 2u)).at[0]);
    return weight == 0u ? vec3(0.6) : color_of_id(uint(Unsigned16(record).at[0]) * 31u + 5u);
}


void main() {
    Frame frame = FrameAt(push.frame).frame;
    VisibleCluster visible = VisibleClusters(frame.visible).at[gl_InstanceIndex];
    Instance instance = Instances(frame.instances).at[visible.instance];
    Mesh mesh = Meshes(frame.meshes).at[instance.mesh];
    Page page = Pages(frame.pages).at[visible.page];
    uint64_t address = page_address(frame.heap, page);
    Cluster cluster = read_cluster(address, visible.cluster);

    uint triangle = uint(gl_VertexIndex) / 3u;
    uint corner = uint(gl_VertexIndex) % 3u;
    VertexPlace place = read_corner(address, mesh, cluster, triangle, corner);
    uint64_t vertex_page = page_address(frame.heap, Pages(frame.pages).at[place.page]);
    precise vec3 world;
    world_normal = vec3(0);
    Transform world_from_mesh = identity();
    if (instance.node != kNone) world_from_mesh = Transforms(frame.world).at[instance.node];
    if (instance.skin != kNone) {
        uint vertex = instance.first_skinned + Pages(frame.pages).at[place.page].first_vertex + place.vertex;
        SkinnedVertex v = SkinnedVertices(frame.skinned).at[vertex];
        world = skinned_position(v, PoseGrids(frame.grids).at[instance.skin]);
        if (mesh.has_normals != 0u) world_normal = oct_decode(signed_halves(v.normal));
    } else {
        world = transform_point(world_from_mesh, read_position(vertex_page, mesh, place.vertex));
        if (mesh.has_normals != 0u)
            world_normal = transform_normal(world_from_mesh, oct_decode(read_normal_code(vertex_page, place.vertex)));
    }
    mirrored = determinant(mat3(world_from_mesh.rows[0].xyz, world_from_mesh.rows[1].xyz,
                                world_from_mesh.rows[2].xyz)) < 0.0 ? 1u : 0u;
    world_position = world;
    bone_color = color_of_bone(frame, instance, Pages(frame.pages).at[place.page].first_vertex + place.vertex);
    barycentric = vec3(corner == 0u, corner == 1u, corner == 2u);
    ids = uvec4(page.first_cluster + visible.cluster, mesh.first_group + cluster.group,
                cluster.child_group < 0 ? 0xFFFFFFFFu : mesh.first_group + uint(cluster.child_group),
                uint(cluster.material + 1));
    vec4 w = vec4(world, 1.0);
    precise vec4 clip = vec4(dot(frame.clip_from_world[0], w), dot(frame.clip_from_world[1], w),
                             dot(frame.clip_from_world[2], w), dot(frame.clip_from_world[3], w));
    gl_Position = clip;
}
