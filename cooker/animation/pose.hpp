// Poses: where nodes, bones and skinned vertices are at a time of a clip, in double precision. Used to
// measure errors and by tests; nothing here is stored.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/scene.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// PoseMatrix transform, three rows of four, row-major, as Mat3x4.
struct PoseMatrix {
    std::array<double, 12> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
};

using Point = std::array<double, 3>;

[[nodiscard]] PoseMatrix pose_matrix_of(const Mat3x4& matrix);
[[nodiscard]] PoseMatrix operator*(const PoseMatrix& a, const PoseMatrix& b);  // b first
[[nodiscard]] Point transform_point(const PoseMatrix& a, const Point& p);

// world_from_node of every node; clip == nullptr is the rest pose. A node keeps its local_matrix unless the
// clip animates its translation, rotation or scale. Pre: nodes parents first (check.hpp, or
// CookedAsset::nodes).
[[nodiscard]] std::vector<PoseMatrix> world_from_nodes(std::span<const Node> nodes, const Clip* clip,
                                                       double time_s);
[[nodiscard]] std::vector<PoseMatrix> world_from_nodes(std::span<const Node> nodes, const SampledClip& clip,
                                                       double time_s);

// world_from_mesh of every joint of a skin: world_from_node of the joint times its inverse bind matrix.
[[nodiscard]] std::vector<PoseMatrix> skinning_matrices(const Skin& skin,
                                                        std::span<const PoseMatrix> world_from_node);

// A vertex moved by its influences, in the space of the matrices; weights as they are.
[[nodiscard]] Point skin_point(std::span<const PoseMatrix> matrices, std::span<const Influence> influences,
                               const Point& p);

// Blend-shape weights of the mesh under a node at a time: the clip's, else the node's, else the mesh's
// defaults.
[[nodiscard]] std::vector<double> shape_weights(const Scene& scene, std::uint32_t node, const Clip* clip,
                                                double time_s);

}  // namespace sinter
