// What the simplifier sees of a vertex besides its place: one row of weighted numbers.
#pragma once

#include "cooker/cooked_asset.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Which numbers, for the triangles of one group. At most 32, meshoptimizer's limit.
//  - the normal, times 0.5 (more than that makes 0.22 spend its triangles on normals; issue 837 of meshoptimizer);
//  - the first two UV sets, as lengths on the surface: a shift of the texture by the group's extent counts like a normal
//    turned by one radian, times 1;
//  - the colour, times 0.5;
//  - the weights of the eight bones that move the group most, times 1.
// AttributeWeights multiply those of normals and of bones.
struct AttributeWeights {
    float normals = 1;
    float bones = 1;
};
struct AttributeLayout {
    AttributeWeights weights;
    bool normals = false;
    bool colors = false;
    struct UvSet {
        Float2 origin;    // of the group's first vertex: tiled UVs would lose digits in squares
        float scale = 0;  // 1 / UV unit
    };
    std::vector<UvSet> uv_sets;
    std::vector<std::uint16_t> joints;
    [[nodiscard]] std::uint32_t count() const {
        return static_cast<std::uint32_t>((normals ? 3U : 0U) + uv_sets.size() * 2 + (colors ? 4U : 0U) +
                                          joints.size());
    }
};

// The layout for triangles (vertices of the mesh, three each; not empty) whose box has `extent` as its longest side.
[[nodiscard]] AttributeLayout attribute_layout(const PreparedMesh& mesh,
                                               std::span<const std::uint32_t> indices, float extent,
                                               const AttributeWeights& weights = {});

// Writes the row of a vertex. Pre: row.size() == layout.count().
void write_attributes(const PreparedMesh& mesh, const AttributeLayout& layout, std::uint32_t vertex,
                      std::span<float> row);

}  // namespace sinter
