// The passes of a pose on the device against the references in double.
#pragma once

#include "runtime/stage.hpp"

#include <cstdint>
#include <optional>

namespace sinter {

// The largest differences that were found.
struct PoseErrors {
    double translation = 0;   // of clip sampling: metres
    double rotation_deg = 0;  // of clip sampling
    double scale = 0;         // of clip sampling
    double world = 0;  // of skeleton evaluation: metres, over origins and ends of the axes of all nodes
    double translation_reach = 0, scale_reach = 0, world_reach = 0;  // the largest such lengths themselves
    double position = 0;                                             // of skinning, metres
    double position_steps =
        0;  // the same in steps of the grid that the skinned vertices are stored on, by component
    double normal_deg = 0;
    double tangent_deg = 0;
    double largest_step = 0;     // metres
    double outside_bounds = 0;   // metres that a skinned vertex is outside of its instance's box
    std::uint64_t nodes = 0;     // that were compared
    std::uint64_t vertices = 0;  // that were compared
    std::uint64_t normals = 0;   // of these, those whose direction means something in this pose

    void add(const PoseErrors& other);
};

// Brings the scene into a pose on the device, reads all of it back and compares. Errors: of the device.
[[nodiscard]] Result<PoseErrors> check_pose(const Stage& stage, std::optional<ClipTime> clip);

}  // namespace sinter
