// What C++ and GLSL have in common, declared once. GLSL reads these structs in scalar layout, which is C++'s.
// Addresses are buffer addresses; what is there stands behind them. Indices are over all meshes of a package.
#ifndef SINTER_RUNTIME_RECORDS_H
#define SINTER_RUNTIME_RECORDS_H

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
    float reserved;
};

// A mesh in the world.
struct Instance {
    vec4 world_from_mesh[3];  // rows
    uint mesh;
    uint reserved[3];
};

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
    uint64_t heap;        // bytes of pages
    uint64_t pages;       // Page
    uint64_t meshes;      // Mesh
    uint64_t instances;   // Instance
    uint64_t materials;   // Material; the first is for triangles without one
    uint64_t groups;      // ClusterGroupRecord, as in the package
    uint64_t max_levels;  // uint a group: the coarsest level that replaces it in the end
    uint64_t visible;     // VisibleCluster
};

#ifdef __cplusplus
}  // namespace sinter::gpu
#endif
#endif
