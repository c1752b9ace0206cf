// The node hierarchy in double: local transforms to the world.
#pragma once

#include "runtime/math.hpp"

#include <sinter/formats/manifest.hpp>

#include <array>
#include <vector>

namespace sinter {

// The local transform of a node. A node with a matrix keeps it; clips do not move such nodes.
struct LocalTransform {
    Vec3d translation;
    std::array<double, 4> rotation{0, 0, 0, 1};  // x y z w, unit
    Vec3d scale{1, 1, 1};
    bool has_matrix = false;
    Affine3 matrix;
};

// One a node: as the package has it, at rest.
[[nodiscard]] std::vector<LocalTransform> rest_transforms(const manifest::ManifestT& manifest);

// One a node. Pre: verified, so that parents stand before their children; locals has one entry a node.
[[nodiscard]] std::vector<Affine3> world_from_nodes(const manifest::ManifestT& manifest,
                                                    const std::vector<LocalTransform>& locals);

}  // namespace sinter
