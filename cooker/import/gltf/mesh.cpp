#include "cooker/import/gltf/readers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::gltf {
namespace {

// How many morph targets the mesh has: what its primitives agree on. A primitive without any is let
// pass, as one that no shape moves; other differences have no meaning.
Result<std::size_t> count_shapes(const JsonAt& primitives) {
    std::size_t shapes = 0;
    for (std::size_t p = 0; p < primitives.size(); ++p) {
        SINTER_TRY_ASSIGN(const JsonAt primitive, object_element(primitives, p));
        SINTER_TRY_ASSIGN(const JsonAt targets, array_member(primitive, "targets"));
        if (targets.size() == 0) continue;
        if (shapes != 0 && targets.size() != shapes) {
            return invalid(targets.pointer,
                           fmt::format("has {} morph targets, but another primitive of the mesh has {}",
                                       targets.size(), shapes));
        }
        shapes = targets.size();
    }
    return shapes;
}

// extras.targetNames is a convention, not part of the standard: whatever is no string is passed over.
void name_shapes(const JsonAt& mesh_at, Mesh& mesh) {
    const JsonAt names = member(member(mesh_at, "extras"), "targetNames");
    for (std::size_t s = 0; s < mesh.shapes.size(); ++s) {
        const JsonAt name = element(names, s);
        if (name && name.value->is_string()) mesh.shapes[s].name = name.value->get<std::string>();
    }
}

Result<Unit> read_default_weights(Document& document, const JsonAt& at, const std::string& subject,
                                  Mesh& mesh) {
    SINTER_TRY_ASSIGN(const std::vector<float> weights, float_list(at, "weights"));
    if (!weights.empty() && weights.size() != mesh.shapes.size()) {
        document.issues->add(
            IssueCode::RepairedSource, subject,
            fmt::format("\"weights\" has {} numbers for {} morph targets; the rest were left out or 0",
                        weights.size(), mesh.shapes.size()));
    }
    for (std::size_t s = 0; s < std::min(weights.size(), mesh.shapes.size()); ++s) {
        mesh.shapes[s].default_weight = weights[s];
    }
    return Unit{};
}

Result<Mesh> read_mesh(Document& document, const JsonAt& at, std::size_t index) {
    Mesh mesh;
    SINTER_TRY_ASSIGN(mesh.name, string_member(at, "name"));
    const std::string subject = subject_of("mesh", index, mesh.name);
    SINTER_TRY_ASSIGN(const JsonAt primitives, array_member(at, "primitives"));
    SINTER_TRY_ASSIGN(const std::size_t shape_count, count_shapes(primitives));
    mesh.shapes.resize(shape_count);
    name_shapes(at, mesh);
    SINTER_TRY(read_default_weights(document, at, subject, mesh));
    for (std::size_t p = 0; p < primitives.size(); ++p) {
        SINTER_TRY_ASSIGN(auto primitive,
                          read_primitive(document, element(primitives, p), shape_count, subject));
        if (!primitive) continue;
        mesh.source_triangles += primitive->indices.size() / 3;
        mesh.source_vertices += primitive->vertex_count();
        mesh.primitives.push_back(std::move(*primitive));
    }
    return mesh;
}

}  // namespace

Result<Unit> read_meshes(Document& document, Scene& scene) {
    SINTER_TRY_ASSIGN(const JsonAt list, top_array(document, "meshes"));
    scene.meshes.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        SINTER_TRY_ASSIGN(const JsonAt at, object_element(list, i));
        SINTER_TRY_ASSIGN(Mesh mesh, read_mesh(document, at, i));
        scene.meshes.push_back(std::move(mesh));
    }
    return Unit{};
}

}  // namespace sinter::gltf
