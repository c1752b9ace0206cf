#include "cooker/import/assimp/static_mesh.hpp"

#include "cooker/import/assimp/convert.hpp"
#include "cooker/import/assimp/library.hpp"
#include "cooker/import/assimp/obj_scan.hpp"
#include "cooker/import/assimp/ply_scan.hpp"
#include "cooker/import/assimp/stl_scan.hpp"

#include <assimp/mesh.h>
#include <assimp/scene.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace sinter {
namespace {

class StaticMeshes {
public:
    StaticMeshes(const aiScene& library, std::string_view format, std::string stem, Issues& issues)
        : library_(library), format_(format), stem_(std::move(stem)), issues_(issues) {
        scene_.materials = convert_materials(library);
    }

    Scene convert() {
        visit(*library_.mRootNode);
        return std::move(scene_);
    }

private:
    // Readers of these formats make a flat tree: a root and a node a mesh, all of them without a transform.
    void visit(const aiNode& node) {
        if (node.mNumMeshes != 0) add_mesh(node);
        for (unsigned int i = 0; i < node.mNumChildren; ++i) visit(*node.mChildren[i]);
    }

    void add_mesh(const aiNode& node) {
        Mesh mesh;
        mesh.name = node.mName.length == 0 || node.mName == aiString("defaultobject") || format_ != "obj"
                        ? stl_name(node)
                        : node.mName.C_Str();
        for (unsigned int i = 0; i < node.mNumMeshes; ++i) {
            const aiMesh& part = *library_.mMeshes[node.mMeshes[i]];
            if (const std::uint64_t left_out = count_points_and_lines(part); left_out != 0) {
                issues_.add(IssueCode::PointsOrLines, fmt::format("mesh '{}'", mesh.name),
                            "points and lines are left out: only triangles are cooked", left_out);
            }
            Primitive primitive = convert_mesh(part);
            if (primitive.indices.empty()) continue;
            primitive.material = static_cast<std::int32_t>(part.mMaterialIndex);
            mesh.source_triangles += primitive.indices.size() / 3;
            mesh.source_vertices += primitive.vertex_count();
            mesh.primitives.push_back(std::move(primitive));
        }
        Node& out = scene_.nodes.emplace_back();
        out.name = mesh.name;
        out.mesh = static_cast<std::int32_t>(scene_.meshes.size());
        scene_.meshes.push_back(std::move(mesh));
    }

    // An ASCII STL may name its solids; Assimp calls the others by its own words.
    [[nodiscard]] std::string stl_name(const aiNode& node) const {
        const std::string_view name(node.mName.C_Str());
        if (format_ != "stl" || name.empty() || name.starts_with('<')) return stem_;
        return std::string(name);
    }

    const aiScene& library_;
    std::string_view format_;
    std::string stem_;
    Issues& issues_;
    Scene scene_;
};

// Takes materials out again that the file does not have.
template <typename Predicate>
void drop_materials(Scene& scene, Predicate made_up) {
    std::vector<std::int32_t> moved(scene.materials.size(), kNone);
    std::vector<Material> kept;
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        if (made_up(scene.materials[i])) continue;
        moved[i] = static_cast<std::int32_t>(kept.size());
        kept.push_back(std::move(scene.materials[i]));
    }
    scene.materials = std::move(kept);
    for (Mesh& mesh : scene.meshes) {
        for (Primitive& primitive : mesh.primitives) {
            const auto old = static_cast<std::size_t>(primitive.material);
            primitive.material = primitive.material >= 0 && old < moved.size() ? moved[old] : kNone;
        }
    }
}

void apply_obj_facts(Scene& scene, const ObjFacts& facts, Issues& issues) {
    if (facts.short_faces + facts.points_and_lines != 0 && issues.count_of(IssueCode::PointsOrLines) == 0) {
        issues.add(IssueCode::PointsOrLines, "the file",
                   "points and lines are left out: only triangles are cooked",
                   facts.short_faces + facts.points_and_lines);
    }
    if (scene.meshes.size() == 1) scene.meshes[0].source_vertices = facts.positions;
    if (scene.meshes.size() > 1) {
        std::map<std::string_view, std::uint64_t> positions;
        for (const ObjSection& section : facts.sections) positions[section.name] += section.positions;
        for (Mesh& mesh : scene.meshes) {
            const auto found = positions.find(mesh.name);
            if (found != positions.end() && found->second != 0) mesh.source_vertices = found->second;
        }
    }
    std::uint64_t triangles = 0;
    for (const Mesh& mesh : scene.meshes) triangles += mesh.source_triangles;
    if (triangles != facts.triangles) {
        issues.add(IssueCode::IgnoredContent, "the file",
                   fmt::format("its faces make {} triangles, {} were read", facts.triangles, triangles));
    }
}

}  // namespace

Result<Scene> import_static_mesh(SourceFiles& files, std::span<const std::byte> bytes,
                                 std::string_view format, Issues& issues) {
    ObjFacts facts;
    PlyFacts ply;
    std::optional<std::string> plain;
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string name = files.asset().filename().string();
    std::uint64_t triangles = 1;  // 0 where there is nothing for Assimp, which refuses such files
    if (format == "obj") {
        if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
        plain = with_plain_line_ends(text);
        if (plain) text = *plain;
        SINTER_TRY_ASSIGN(facts, scan_obj(text, name));
        triangles = facts.triangles;
        if (facts.has_unusual_numbers && !facts.has_joined_lines) {
            plain = with_plain_numbers(text);
            text = *plain;
        }
        if (should_read_objects_as_groups(facts)) {
            plain = objects_as_groups(text);
            text = *plain;
        }
    } else if (format == "ply") {
        SINTER_TRY_ASSIGN(ply, scan_ply(text, name));
        triangles = ply.vertices;
    } else {
        SINTER_TRY_ASSIGN(const StlFacts stl, scan_stl(text, name, issues));
        text = text.substr(0, stl.bytes);
        triangles = stl.has_triangles ? 1 : 0;
    }
    Scene scene;
    if (triangles != 0) {
        SINTER_TRY_ASSIGN(const LibraryScene library,
                          read_with_library(files, std::as_bytes(std::span(text)), format));
        scene = StaticMeshes(*library.scene, format, files.asset().stem().string(), issues).convert();
        drop_materials(scene, [&](const Material& material) {
            if (format != "obj") return material.name.empty() || is_made_up_material(material);
            return !facts.names_default_material && is_made_up_material(material);
        });
        for (const MissingFile& missing : library.missing_files) {
            issues.add(
                IssueCode::RepairedSource, fmt::format("material library '{}'", missing.name),
                fmt::format("'{}' {}: its materials keep their defaults", missing.name, missing.reason));
        }
    }
    if (format == "obj") apply_obj_facts(scene, facts, issues);
    if (format == "ply" && scene.meshes.size() == 1) scene.meshes[0].source_vertices = ply.vertices;
    check_textures(scene.materials, files, issues);
    return scene;
}

}  // namespace sinter
