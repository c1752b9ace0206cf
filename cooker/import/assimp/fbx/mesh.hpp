// Geometry of FBX: polygons with their layers, skin clusters and blend-shape channels.
#pragma once

#include "cooker/import/assimp/fbx/objects.hpp"
#include "cooker/import/assimp/fbx/pose.hpp"
#include "cooker/issues.hpp"
#include "cooker/scene.hpp"

namespace sinter::fbx {

// A mesh whose primitives' source_vertex are control points.
struct PolygonMesh {
    Mesh mesh;
    std::vector<std::size_t> slots;  // of each primitive: index into the materials of the model that shows it
};

// Reads a Geometry of subtype "Mesh": one primitive for each material slot in use (ascending), a vertex for each
// corner, corners - 2 triangles a polygon. Layers: normals, tangents with binormals, UV sets in file order, colours
// (the first set). `geometric` is baked into points, normals and tangents; where it mirrors, triangles turn around.
// Errors: InvalidInput (where: file, object): indices out of range, polygons without an end, layers too short.
[[nodiscard]] Result<PolygonMesh> read_mesh(const Objects& objects, std::size_t geometry,
                                            const DoubleTrs& geometric, std::string_view file_name,
                                            Issues& issues);

// One joint of a skin as the file lists it, weights or not.
struct Cluster {
    std::size_t object = 0;
    std::size_t model = 0;                  // object index of the bone
    std::optional<Affine> bone_from_mesh;   // "Transform"
    std::optional<Affine> world_from_bone;  // "TransformLink"
};

// Clusters of a geometry in file order, those of several Skin deformers one after the other. Clusters that no
// Model drives are left out with an issue. The influences are added to the mesh's primitives.
[[nodiscard]] Result<std::vector<Cluster>> read_skin(const Objects& objects, std::size_t geometry,
                                                     PolygonMesh& mesh, std::string_view file_name,
                                                     Issues& issues);

// Objects of the blend-shape channels of a geometry that have targets, in file order.
[[nodiscard]] std::vector<std::size_t> shape_channels(const Objects& objects, std::size_t geometry);

// Full weight of a channel's last target in per cent (100 where the file says nothing): weights of the channel are
// divided by it.
[[nodiscard]] double full_percent(const Objects& objects, std::size_t channel);

// Adds the blend shapes of a geometry: a shape for each channel, a frame for each of its targets, sorted by
// full weight. Deltas go through `geometric` as the points did.
[[nodiscard]] Result<Unit> read_shapes(const Objects& objects, std::size_t geometry,
                                       const DoubleTrs& geometric, PolygonMesh& mesh,
                                       std::string_view file_name, Issues& issues);

}  // namespace sinter::fbx
