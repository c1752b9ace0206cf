// Poses in which a mesh is measured; poses.hpp picks them and tells their space.
#pragma once

#include "cooker/math.hpp"
#include "cooker/prepared_mesh.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// What a pose is made from.
struct PoseOrigin {
    std::uint32_t node = 0;     // that draws the mesh
    std::int32_t clip = kNone;  // kNone: the nodes at rest
    std::uint32_t frame = 0;
    std::int32_t shape = kNone;  // the one shape that is on, at a frame's full weight
    std::uint32_t shape_frame = 0;
};

struct Pose {
    PoseOrigin origin;
    std::vector<Mat3x4> scene_from_mesh;  // one a joint of the skin; empty: not skinned
    // The sum of all blend-shape deltas: vertices that it moves, ascending, and how far.
    std::vector<std::uint32_t> moved_vertices;
    std::vector<Float3> offsets;
};

struct PoseSet {
    std::vector<Pose> poses;
    // Lengths in the space of the poses over lengths in the mesh's own space: 1 without a skin; 0.01 where a skeleton in
    // metres draws vertices in centimetres. Errors of poses over this are in the unit of the rest pose.
    float scale = 1;
};

}  // namespace sinter
