// Where the vertices of a mesh are in the poses in which the cooker measured errors, and in frames that it did not pick:
// from the nodes, clips, skins, influences and blend shapes of a package, with code of its own, in double.
#pragma once

#include <sinter/formats/deep.hpp>

namespace sinter::deep {

// Frames of the asset's clips, evenly over all of them, that are no stored pose.
inline constexpr std::uint32_t kHeldOutFrames = 8;

// Sets the model's poses, held_out_poses, pose_scale and expected_pose_scale. Positions are relative to vertex 0 and in the
// unit of the rest pose: those of the scene over pose_scale.
// Pre: `model` has the positions of the mesh; `manifest` is that of `package`.
// Errors: those of PackageView::decode; Validation where poses, clips, skins and sections do not fit together.
[[nodiscard]] Result<Unit> add_poses(const PackageView& package, const manifest::ManifestT& manifest,
                                     std::uint32_t mesh, DagModel& model);

}  // namespace sinter::deep
