#version 460
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

// Vertex pulling: draw i is visible cluster i, three vertices a triangle.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer FrameAt { Frame frame; };
layout(push_constant, scalar) uniform Push { uint64_t frame; } push;

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec3 barycentric;
layout(location = 3) flat out uvec4 ids;  // cluster, group, child group or all ones, material
layout(location = 4) flat out uint mirrored;
invariant gl_Position;

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
    vec4 position = vec4(read_position(vertex_page, mesh, place.vertex), 1.0);
    vec4 rows[3] = instance.world_from_mesh;
    precise vec3 world = vec3(dot(rows[0], position), dot(rows[1], position), dot(rows[2], position));

    // Normals go by the cofactors of the 3 x 3 part, turned so that those of a mirrored instance point outwards too.
    vec3 x = rows[0].xyz, y = rows[1].xyz, z = rows[2].xyz;
    mirrored = dot(x, cross(y, z)) < 0.0 ? 1u : 0u;
    world_normal = vec3(0);
    if (mesh.has_normals != 0u) {
        vec3 n = oct_decode(read_normal_code(vertex_page, place.vertex));
        vec3 out_of_face = vec3(dot(cross(y, z), n), dot(cross(z, x), n), dot(cross(x, y), n));
        world_normal = mirrored != 0u ? -out_of_face : out_of_face;
    }
    world_position = world;
    barycentric = vec3(corner == 0u, corner == 1u, corner == 2u);
    ids = uvec4(page.first_cluster + visible.cluster, mesh.first_group + cluster.group,
                cluster.child_group < 0 ? 0xFFFFFFFFu : mesh.first_group + uint(cluster.child_group),
                uint(cluster.material + 1));
    vec4 w = vec4(world, 1.0);
    precise vec4 clip = vec4(dot(frame.clip_from_world[0], w), dot(frame.clip_from_world[1], w),
                             dot(frame.clip_from_world[2], w), dot(frame.clip_from_world[3], w));
    gl_Position = clip;
}
