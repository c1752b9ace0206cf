// Triangles of a mesh at chosen places of its cluster DAG.
#pragma once

#include <sinter/formats/manifest.hpp>
#include <sinter/formats/reader.hpp>
#include <sinter/formats/result.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace sinter {

struct LevelCut {
    std::uint32_t level = 0;
};
struct ErrorCut {
    float lod_error = 0;  // metres, the same everywhere
};
using DagCut = std::variant<LevelCut, ErrorCut>;

struct CutTriangle {
    std::array<std::uint32_t, 3> vertices{};  // of the mesh's vertex table
    std::int32_t material = -1;
};

// Which groups are drawn unless their replacement is: those that are too coarse to be replaced. A level cut holds the
// clusters of its level, and those of lower levels that nothing replaces; an error cut replaces every group whose
// lod_error is at most its own. Both are closed (a group is replaced only if all below it are), so a cut never tears.
//
// One entry a cut; the mesh's pages are read once. A mesh without a DAG is at full detail in every cut.
// Pre: mesh < manifest.meshes.size(). Errors: those of read_mesh_arrays; Validation where a page does not fit the tables.
[[nodiscard]] Result<std::vector<std::vector<CutTriangle>>> read_cuts(const PackageView& package,
                                                                      const manifest::ManifestT& manifest,
                                                                      std::uint32_t mesh,
                                                                      std::span<const DagCut> cuts);

}  // namespace sinter
