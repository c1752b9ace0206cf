// The poses of a package in double, from the package's own records: what passes/pose.hpp is compared with. It shares
// nothing with the shaders but the package's definitions (docs/package-format.md).
#pragma once

#include "runtime/passes/pose.hpp"
#include "runtime/reference/nodes.hpp"
#include "runtime/scene/motion.hpp"

#include <optional>
#include <vector>

namespace sinter {

// The local transforms of all nodes at a time of a clip.
[[nodiscard]] std::vector<LocalTransform>
sample_locals(const manifest::ManifestT& manifest, const SceneMotion& motion, std::optional<ClipTime> clip);

// The box around a skinned instance, from the boxes of its joints: a skinned vertex is a mean of its position under each
// of its bones, and each of these is in that bone's moved box.
struct BoundingBox {
    Vec3d low, high;
};
[[nodiscard]] BoundingBox skinned_bounds(const SceneMotion& motion, const gpu::SkinnedInstance& skin,
                                         const std::vector<Affine3>& world);

struct SkinnedReference {
    Vec3d position;
    Vec3d normal;   // unit; zero where the mesh has none or the pose flattens it
    Vec3d tangent;  // across the normal, unit; zero likewise
};

// One skinned instance's vertices, the first `vertex_count` of its mesh. `world`: of all nodes.
[[nodiscard]] std::vector<SkinnedReference> skin_vertices(const PackageScene& scene,
                                                          const SceneMotion& motion,
                                                          const std::vector<Affine3>& world,
                                                          std::uint32_t skin, std::uint32_t vertex_count);

}  // namespace sinter
