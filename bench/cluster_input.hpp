// What the cluster benchmarks run on: generated meshes by name, or the meshes of a file.
#pragma once

#include "cooker/issues.hpp"
#include "cooker/options.hpp"
#include "cooker/prepared_mesh.hpp"
#include "cooker/scene.hpp"

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace sinter::bench {

struct BenchMeshes {
    std::vector<PreparedMesh> meshes;
    std::vector<Material> materials;
};

// `kind`: a name of tests/cluster/meshes.hpp with about `triangles` triangles, or the path of a file (a name with a dot),
// whose meshes come with influences and blend shapes. Errors: those of import and preparation.
[[nodiscard]] Result<BenchMeshes> bench_meshes(std::string_view kind, std::uint32_t triangles,
                                               const CookOptions& options, Issues& issues);

// A whole number from text; 0 where there is none.
[[nodiscard]] std::uint32_t number_of(std::string_view text);

// Takes "key=value" arguments. Errors: those of set_option.
[[nodiscard]] Result<Unit> take_options(std::vector<std::string_view> arguments, CookOptions& options);

}  // namespace sinter::bench
