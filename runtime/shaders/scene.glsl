// Access to a package on the device. The offsets are those of docs/pages.md: pages are read as they lie in the file.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#include "records.h"
#include "vertex_codec.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Words { uint at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Floats { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Signed32 { int at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 2) readonly buffer Signed16 { int16_t at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 2) readonly buffer Unsigned16 { uint16_t at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 1) readonly buffer Unsigned8 { uint8_t at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Pages { Page at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Meshes { Mesh at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Materials { Material at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Instances { Instance at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer VisibleClusters { VisibleCluster at[]; };

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Skins { SkinnedInstance at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Joints { Joint at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Batches { Batch at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Transforms { Transform at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer PoseGrids { PoseGrid at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer SkinnedVertices { SkinnedVertex at[]; };

// ClusterGroupRecord of formats/.
struct Group {
    vec3 lod_center;
    float lod_radius;
    float lod_error;
    float geometric_error;
    float posed_error;
    float attribute_error;
    uint page;
    uint first_cluster;
    uint cluster_count;
    uint level;
    uint end_path_reason;
    uint locked_points;
    uint points;
    uint reserved;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Groups { Group at[]; };

// PageHeader, as far as it is needed.
const uint kHeaderNormals = 36 / 4;
const uint kHeaderClusters = 40 / 4;
const uint kHeaderTables = 44 / 4;
const uint kHeaderReferences = 48 / 4;
const uint kHeaderTriangles = 52 / 4;
const uint kHeaderBytes = 64;

// ClusterRecord of formats/; the last five fields are bytes of the last two words.
struct Cluster {
    vec3 cull_center;
    float cull_radius;
    uint cone;
    uint group;
    int child_group;
    int material;
    uint first_reference;
    uint first_triangle_byte;
    uint table_and_counts;     // first_table_entry, table_size, vertex_count
    uint triangles_and_flags;  // triangle_count, flags, reserved
};
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Clusters { Cluster at[]; };

uint64_t page_address(uint64_t heap, Page page) { return heap + uint64_t(page.offset16) * 16ul; }

Cluster read_cluster(uint64_t page, uint index) {
    return Clusters(page + uint64_t(Words(page).at[kHeaderClusters])).at[index];
}
uint triangle_count(Cluster cluster) { return cluster.triangles_and_flags & 255u; }

// A vertex: the page that has it and its number there.
struct VertexPlace {
    uint page;  // over all meshes
    uint vertex;
};

// Corner 0, 1 or 2 of a triangle of a cluster.
VertexPlace read_corner(uint64_t page, Mesh mesh, Cluster cluster, uint triangle, uint corner) {
    Words header = Words(page);
    uint local = uint(Unsigned8(page + uint64_t(header.at[kHeaderTriangles] + cluster.first_triangle_byte)).at[3u * triangle + corner]);
    uint reference = uint(Unsigned16(page + uint64_t(header.at[kHeaderReferences])).at[cluster.first_reference + local]);
    uint entry = (cluster.table_and_counts & 65535u) + (reference >> 12);
    uint table_page = Words(page + uint64_t(header.at[kHeaderTables])).at[entry];
    return VertexPlace(mesh.first_page + table_page, reference & 4095u);
}

vec3 read_position(uint64_t page, Mesh mesh, uint vertex) {
    ivec3 grid;
    if (mesh.position_bits == 16u) {
        Signed16 v = Signed16(page + uint64_t(kHeaderBytes + 8u * vertex));
        grid = ivec3(v.at[0], v.at[1], v.at[2]);
    } else {
        Signed32 v = Signed32(page + uint64_t(kHeaderBytes + 16u * vertex));
        grid = ivec3(v.at[0], v.at[1], v.at[2]);
    }
    return grid_decode(mesh.center, mesh.step, grid);
}

uint read_tangent_code(uint64_t page, Mesh mesh, uint vertex) {
    uint offset = mesh.position_bits == 16u ? kHeaderBytes + 8u * vertex + 6u : kHeaderBytes + 16u * vertex + 12u;
    return uint(Unsigned16(page + uint64_t(offset)).at[0]);
}

ivec2 read_normal_code(uint64_t page, uint vertex) {
    Signed16 v = Signed16(page + uint64_t(Words(page).at[kHeaderNormals] + 4u * vertex));
    return ivec2(v.at[0], v.at[1]);
}

// --- skinned vertices ---

ivec2 signed_halves(uint word) { return ivec2(int(word << 16) >> 16, int(word) >> 16); }
uint halves(ivec2 v) { return (uint(v.x) & 65535u) | (uint(v.y) << 16); }

vec3 skinned_position(SkinnedVertex v, PoseGrid grid) {
    return grid_decode(grid.center, grid.step, ivec3(signed_halves(v.xy), signed_halves(v.z_tangent).x));
}

Transform identity() { return Transform(vec4[3](vec4(1, 0, 0, 0), vec4(0, 1, 0, 0), vec4(0, 0, 1, 0))); }
vec3 transform_point(Transform t, vec3 p) {
    return vec3(dot(t.rows[0].xyz, p) + t.rows[0].w, dot(t.rows[1].xyz, p) + t.rows[1].w,
                dot(t.rows[2].xyz, p) + t.rows[2].w);
}
vec3 transform_direction(Transform t, vec3 d) {
    return vec3(dot(t.rows[0].xyz, d), dot(t.rows[1].xyz, d), dot(t.rows[2].xyz, d));
}
// Normals go by the cofactors, whose length does not matter; a mirroring turns them round, and that is undone.
vec3 transform_normal(Transform t, vec3 n) {
    vec3 x = t.rows[0].xyz, y = t.rows[1].xyz, z = t.rows[2].xyz;
    vec3 yz = cross(y, z);
    vec3 moved = vec3(dot(yz, n), dot(cross(z, x), n), dot(cross(x, y), n));
    return dot(x, yz) < 0.0 ? -moved : moved;
}
