// aiScene -> Scene, for the formats that Assimp reads. Everything stays in the file's coordinates.
#pragma once

#include "cooker/issues.hpp"
#include "cooker/scene.hpp"
#include "cooker/source_files.hpp"

#include <cstdint>
#include <vector>

struct aiAnimation;  // NOLINT(readability-identifier-naming): Assimp's
struct aiMesh;       // NOLINT(readability-identifier-naming): Assimp's
struct aiScene;      // NOLINT(readability-identifier-naming): Assimp's

namespace sinter {

// Materials in Assimp's order. A default material that Assimp made up is there too: see is_made_up_material.
[[nodiscard]] std::vector<Material> convert_materials(const aiScene& scene);

// Assimp gives every mesh a material; where the file names none it is one called DefaultMaterial.
[[nodiscard]] bool is_made_up_material(const Material& material);

// Triangles (polygon.hpp: corners - 2 for each face) with all attributes as given except that V is turned to the glTF origin (top left); UVs of these
// formats start at the bottom left. Tangent signs are against the file's own UVs, as glTF's are in practice.
// Influences are left out (bone order is the caller's), points and lines too. Indices are as in the mesh: they may be
// out of range.
[[nodiscard]] Primitive convert_mesh(const aiMesh& mesh);

// Faces with one or two corners.
[[nodiscard]] std::uint64_t count_points_and_lines(const aiMesh& mesh);

// Influences of a mesh: joint_of_bone[b] is the joint of aiMesh bone b; bones with kNone are left out.
// In the order of the bones, as COLLADA lists joints.
void convert_influences(const aiMesh& mesh, const std::vector<std::int32_t>& joint_of_bone,
                        Primitive& primitive);

// The parts of a column-vector matrix given as 16 floats row by row; local_matrix where it has shear.
void set_local(Node& node, const float* row_major_4x4);

// Tells of each picture that a material names and that is not there, its path taken from the asset's folder.
void check_textures(const std::vector<Material>& materials, const SourceFiles& files, Issues& issues);

}  // namespace sinter
