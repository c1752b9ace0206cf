// What C++ and GLSL have in common, declared once. GLSL reads these structs in scalar layout, which is C++'s.
// Addresses are buffer addresses; what is there stands behind them. Indices are over all meshes of a package.
#ifndef SINTER_RUNTIME_RECORDS_H
#define SINTER_RUNTIME_RECORDS_H

// GLSL has these names for its types, and no initialisers of members.
// NOLINTBEGIN(readability-identifier-naming, cppcoreguidelines-pro-type-member-init)

#ifdef __cplusplus
#include <cstdint>
namespace sinter::gpu {
using uint = std::uint32_t;
using uint64_t = std::uint64_t;
struct vec3 {
    float x = 0, y = 0, z = 0;
};
struct vec4 {
    float x = 0, y = 0, z = 0, w = 0;
};
#endif

// A page of the package as it lies in the page heap.
struct Page {
    uint offset16;  // of its first byte in the heap, in units of 16 bytes
    uint mesh;
    uint first_cluster;
    uint first_vertex;  // of the mesh's vertices
};

struct Mesh {
    vec3 center;  // of the position grid
    float step;
    uint first_page;
    uint first_group;
    uint position_bits;  // 16 or 32
    uint has_normals;
};

struct Material {
    vec4 base_color;
    vec3 emissive;
    uint double_sided;
};

// A mesh in the world: under a node, or skinned and drawn from its skinned vertices, which are in the world already.
const uint kNone = 0xFFFFFFFF;
struct Instance {
    uint mesh;
    uint node;           // whose transform it has; kNone: none
    uint skin;           // SkinnedInstance, or kNone
    uint first_skinned;  // its vertices in the skinned vertices
};

// --- motion ---

// The local transform of a node: scale, then rotation, then translation; or a matrix, where a clip does not move it.
struct Local {
    vec3 translation;
    vec4 rotation;  // unit quaternion
    vec3 scale;
    uint matrix;  // Transform, or kNone
};

// Affine: rows.
struct Transform {
    vec4 rows[3];
};

// One component of one node in a clip; the paths are those of the manifest.
const uint kPathTranslation = 0;
const uint kPathRotation = 1;
const uint kPathScale = 2;
struct Track {
    uint node;
    uint path;
    uint step;         // hold the frame before
    uint constant;     // one frame instead of all
    uint first_value;  // floats of all clips
};

// A leaf of the hierarchy and its path from the root, of which it writes the nodes from first_owned on.
struct Leaf {
    uint first;  // in the path nodes
    uint count;
    uint first_owned;
};

// A joint of a skinned instance: its node, bone_from_mesh, and the box of the vertices that it moves, in mesh space.
struct Joint {
    uint node;
    vec4 bone_from_mesh[3];
    vec3 low;  // low > high: moves none
    vec3 high;
};

struct SkinnedInstance {
    uint mesh;
    uint first_joint;
    uint joint_count;
    uint first_skinned;
    uint first_influence;  // byte in the influences of all meshes
    uint stride;           // slots a vertex
    uint weight_bits;      // 8 or 16
    uint instance;
    uint first_prefix;
    uint prefix_count;  // the last one is of all vertices
    vec3 low;           // of the vertices without a bone, which stay where they are; low > high: none
    vec3 high;
};

// Vertices of one page and one number of influences: a workgroup, a thread a vertex.
struct Batch {
    uint first_vertex;
    uint vertex_count;
    uint influences;
    uint page;  // over all meshes
};

// Where the skinned vertices of an instance are: a box, and the grid of their positions.
struct PoseGrid {
    vec3 center;
    float step;
    vec3 low;
    vec3 high;
};

// 12 bytes: three 16-bit grid coordinates, the tangent code, two 16-bit components of the normal's code.
struct SkinnedVertex {
    uint xy;
    uint z_tangent;
    uint normal;
};

struct SamplePush {
    uint64_t tracks;  // Track of the clip
    uint64_t values;  // float
    uint64_t locals;  // Local
    uint track_count;
    uint frame;      // the frame before the time
    float fraction;  // from it to the next; 1 only at the end of the clip
    uint padding;
};

struct SkeletonPush {
    uint64_t leaves;      // Leaf
    uint64_t path_nodes;  // uint
    uint64_t locals;      // Local
    uint64_t matrices;    // Transform
    uint64_t world;       // Transform a node: world_from_node
    uint leaf_count;
    uint padding;
};

struct BoundsPush {
    uint64_t skins;    // SkinnedInstance
    uint64_t joints;   // Joint
    uint64_t world;    // Transform a node
    uint64_t palette;  // Transform a joint: world_from_mesh
    uint64_t grids;    // PoseGrid a skinned instance
};

struct SkinPush {
    uint64_t heap;
    uint64_t pages;       // Page
    uint64_t batches;     // Batch of the instance's mesh
    uint64_t influences;  // bytes
    uint64_t skins;       // SkinnedInstance
    uint64_t palette;     // Transform a joint
    uint64_t grids;       // PoseGrid
    uint64_t skinned;     // SkinnedVertex
    uint64_t meshes;      // Mesh
    uint64_t counts;      // SkinCount
    uint skin;
    uint reserved;
};

// How much of a skinned instance is skinned: VkDispatchIndirectCommand first.
struct SkinCount {
    uint x, y, z;
    uint vertex_count;  // of the mesh's first vertices
};

// A prefix of a mesh's vertices: enough for cuts at one error of at least lod_error. Errors fall.
struct Prefix {
    float lod_error;
    uint vertex_count;
    uint batch_count;
};

struct PrefixPush {
    uint64_t skins;     // SkinnedInstance
    uint64_t grids;     // PoseGrid
    uint64_t cuts;      // InstanceCut an instance
    uint64_t prefixes;  // Prefix
    uint64_t counts;    // SkinCount
    uint skin_count;
    uint reserved;
};

// --- the choice of clusters ---

// Which groups are too coarse to be replaced (reference/select.hpp tells more).
const uint kCutFull = 0;    // all: full detail
const uint kCutLevel = 1;   // those of a level and above
const uint kCutPixels = 2;  // |lod_center - eye|^2 < (lod_radius + lod_error * scale)^2, in the mesh's space
const uint kCutBox = 3;     // squared distance of eye and instance's box < (lod_error * scale)^2, in the world
struct InstanceCut {
    uint kind;
    uint level;
    float scale;
    vec3 eye;       // in the mesh's space; of a skinned instance in the world
    float stretch;  // radius in the world = stretch * radius in the mesh; of an instance that is not skinned
    uint first_word;  // of its visible bits, one bit a cluster of the mesh
    uint first_node;  // of its mesh's tree over groups
    uint first_cluster;
    uint first_group;
};

// Where a cluster of a skinned mesh reaches: the box of those of its vertices that a joint moves. kNone: that no joint moves.
struct ClusterBone {
    uint joint;  // of the skin
    vec3 low;
    vec3 high;
};

// Nodes of the tree and groups that wait to be looked at.
struct Work {
    uint instance;
    uint index;  // node or group, over all meshes
};

// Counts of a list of work, and the workgroups of the dispatch that takes it: VkDispatchIndirectCommand first.
struct WorkCount {
    uint x, y, z;
    uint count;
};
const uint kMaxWorkgroups = 32768;  // of a dispatch; more work is taken in strides

const uint kCullFrustum = 1;
const uint kCullCone = 2;
const uint kCullOcclusion = 4;

// Smallest depths of 2^n x 2^n pixels, level after level, each half the size of the one before, rounded up.
const uint kMaxPyramidLevels = 16;

struct Selection {
    vec4 planes[5];           // of the view, pointing inwards: left, right, top, bottom, near
    vec4 clip_from_world[4];  // as Frame
    vec3 clip_lengths;        // of the first three components of its rows x, y and w
    float near_plane;
    uint width, height;  // of the depth picture
    uint cull;           // kCull...
    uint word_count;
    uint64_t heap, pages, meshes, instances, groups, nodes, materials;
    uint64_t page_of_cluster;  // uint
    uint64_t cuts;             // InstanceCut an instance
    uint64_t world, palette, grids, skins;
    uint64_t bones;             // ClusterBone
    uint64_t bones_of_cluster;  // uint a cluster of any mesh, and one more: where its bones begin
    uint64_t work_nodes[2];     // Work, for levels of the tree in turn
    uint64_t work_groups;       // Work
    uint64_t work_counts;       // WorkCount: one a level of the tree, the last one of the groups
    uint64_t visible_bits;      // uint
    uint64_t instance_of_word;  // uint
    uint64_t visible;           // VisibleCluster
    uint64_t commands;          // VkDrawIndirectCommand
    uint64_t draw_count;        // uint
    uint64_t pyramid;           // float
    uint pyramid_first[kMaxPyramidLevels];  // of each level, in floats
    uint group_count_slot;                  // of the groups in work_counts
};

struct SelectPush {
    uint64_t selection;
    uint level;  // of the tree
    uint reserved;
};

struct PyramidPush {
    uint64_t pyramid;
    uint from, to;  // first floats of both levels
    uint from_width, from_height;
    uint to_width, to_height;
};

struct CopyPush {
    uint64_t from, to;
    uint count;  // of 16 bytes
    uint reserved;
};

// --- drawing ---

// A cluster that is drawn.
struct VisibleCluster {
    uint instance;
    uint page;
    uint cluster;  // in the page
};

// What a picture shows. The order is that of the names in runtime/passes/draw.hpp.
const uint kModeShaded = 0;
const uint kModeWire = 1;
const uint kModeClusters = 2;
const uint kModeGroups = 3;
const uint kModeLevels = 4;
const uint kModeMaxLevel = 5;
const uint kModeMaterials = 6;
const uint kModeError = 7;
const uint kModeBones = 8;

// The argument of the draw's shaders.
struct Frame {
    vec4 clip_from_world[4];  // rows; depth 1 at the near plane, 0 far away
    vec3 eye;                 // in the world
    float pixels_per_radian;  // size in pixels of something one metre large, one metre away
    vec3 light;               // unit, towards the light
    uint mode;
    uint show_back_faces;  // of materials with one side too
    uint reserved;
    uint64_t heap;        // bytes of pages
    uint64_t pages;       // Page
    uint64_t meshes;      // Mesh
    uint64_t instances;   // Instance
    uint64_t materials;   // Material; the first is for triangles without one
    uint64_t groups;      // ClusterGroupRecord, as in the package
    uint64_t max_levels;  // uint a group: the coarsest level that replaces it in the end
    uint64_t visible;     // VisibleCluster
    uint64_t world;       // Transform a node
    uint64_t grids;       // PoseGrid a skinned instance
    uint64_t skinned;     // SkinnedVertex
    uint64_t skins;       // SkinnedInstance
    uint64_t influences;  // bytes
};

#ifdef __cplusplus
}  // namespace sinter::gpu
#endif
// NOLINTEND(readability-identifier-naming, cppcoreguidelines-pro-type-member-init)
#endif
