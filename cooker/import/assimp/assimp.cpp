#include "cooker/import/assimp/assimp.hpp"

#include "cooker/import/assimp/basis.hpp"
#include "cooker/import/assimp/collada.hpp"
#include "cooker/import/assimp/fbx/import_fbx.hpp"
#include "cooker/import/assimp/static_mesh.hpp"

namespace sinter {

Result<Scene> import_assimp(SourceFiles& files, std::vector<std::byte> bytes, std::string_view format,
                            const ImportOptions& options, Issues& issues) {
    if (format == "fbx") return fbx::import_fbx(files, bytes, options, issues);
    if (format == "dae") return import_collada(files, bytes, options, issues);
    if (format != "obj" && format != "ply" && format != "stl") {
        return Error{ErrorKind::Unsupported, files.asset().filename().string(),
                     "the format '" + std::string(format) + "' is not supported",
                     "convert it to glTF, FBX, COLLADA, OBJ, PLY or STL"};
    }
    SINTER_TRY_ASSIGN(Scene scene, import_static_mesh(files, bytes, format, issues));
    scene.source = {files.asset().filename().string(), std::string(format), {}};
    change_basis(scene, basis_of(options.up_axis, options.unit_m > 0 ? options.unit_m : 1.0));
    return scene;
}

}  // namespace sinter
