#include "bench/cluster_input.hpp"

#include "cooker/import/import.hpp"
#include "cooker/mesh/prepare.hpp"
#include "cooker/skin/influences.hpp"
#include "cooker/source_files.hpp"
#include "tests/cluster/meshes.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace sinter::bench {
namespace {

Result<Scene> scene_of(std::string_view kind, std::uint32_t triangles, const CookOptions& options,
                       Issues& issues) {
    if (kind.find('.') != std::string_view::npos) {
        SourceFiles files(kind);
        return import_scene(files, options.import, issues);
    }
    Scene scene;
    scene.meshes.push_back(test::mesh_by_name(kind, triangles));
    std::int32_t last = kNone;
    for (const Primitive& primitive : scene.meshes[0].primitives) last = std::max(last, primitive.material);
    scene.materials.resize(static_cast<std::size_t>(last + 1));
    return scene;
}

}  // namespace

Result<BenchMeshes> bench_meshes(std::string_view kind, std::uint32_t triangles, const CookOptions& options,
                                 Issues& issues) {
    SINTER_TRY_ASSIGN(Scene scene, scene_of(kind, triangles, options, issues));
    BenchMeshes out;
    for (Mesh& mesh : scene.meshes) {
        const EncodedInfluences influences = encode_influences(mesh, options.skin, issues);
        SINTER_TRY_ASSIGN(PreparedMesh prepared, prepare_mesh(mesh, influences, options.mesh, issues));
        mesh = {};
        out.meshes.push_back(std::move(prepared));
    }
    out.materials = std::move(scene.materials);
    return out;
}

std::uint32_t number_of(std::string_view text) {
    std::uint32_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

Result<Unit> take_options(std::vector<std::string_view> arguments, CookOptions& options) {
    for (const std::string_view text : arguments) {
        const std::size_t equals = std::min(text.find('='), text.size());
        SINTER_TRY(
            set_option(options, text.substr(0, equals), text.substr(std::min(equals + 1, text.size()))));
    }
    return Unit{};
}

}  // namespace sinter::bench
