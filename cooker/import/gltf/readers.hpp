// The parts of a document, read into a Scene. Order matters: materials before meshes before nodes before
// animations.
#pragma once

#include "cooker/import/gltf/document.hpp"
#include "cooker/scene.hpp"

namespace sinter::gltf {

// materials[]: factors, alpha mode, double-sidedness, texture references. Pictures are only looked for. What the
// textures do to UVs stays in document.material_uvs for read_meshes.
[[nodiscard]] Result<Unit> read_materials(Document& document, Scene& scene);

// meshes[]: primitives that make triangles, morph targets, default weights.
[[nodiscard]] Result<Unit> read_meshes(Document& document, Scene& scene);

// One entry of primitives[] of a mesh with `shape_count` morph targets; nothing where it makes no
// triangles (points, lines, no positions), which is reported under `subject`.
[[nodiscard]] Result<std::optional<Primitive>>
read_primitive(Document& document, const JsonAt& at, std::size_t shape_count, const std::string& subject);

// nodes[], skins[] and scenes[]: hierarchy, transforms, joints, inverse bind matrices, what is shown.
[[nodiscard]] Result<Unit> read_nodes(Document& document, Scene& scene);
[[nodiscard]] Result<Unit> read_skins(Document& document, Scene& scene);
[[nodiscard]] Result<Unit> read_shown_scene(Document& document, Scene& scene);

// animations[].
[[nodiscard]] Result<Unit> read_animations(Document& document, Scene& scene);

// "mesh 3 'Head'", or "mesh 3" without a name: how issues call their subject.
[[nodiscard]] std::string subject_of(std::string_view noun, std::size_t index, std::string_view name);

}  // namespace sinter::gltf
