// How FBX makes a local transform: offsets, pivots, pre- and post-rotations and Euler angles. All of it folds into
// one translation, rotation and scale, because scale comes first and only translations stand between the rest.
#pragma once

#include "cooker/import/assimp/fbx/objects.hpp"

namespace sinter::fbx {

// The parts of one Model. The local transform is (points are columns, applied from right to left)
// T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1.
struct Pose {
    Double3 translation;
    Double3 rotation_deg;
    Double3 scale{1, 1, 1};
    DoubleQuat pre_rotation;
    DoubleQuat post_rotation;
    Double3 rotation_offset;
    Double3 rotation_pivot;
    Double3 scaling_offset;
    Double3 scaling_pivot;
    int rotation_order = 0;            // 0 XYZ (X is applied first), 1 XZY, 2 YZX, 3 YXZ, 4 ZXY, 5 ZYX
    bool drops_parent_scale = false;   // InheritType 2: the parent's own scaling is not inherited
    bool splits_parent_scale = false;  // InheritType 0: rotation of the parent before its scale
    DoubleTrs geometric;               // mesh node from geometry; children do not inherit it

    // Whether the translation of the result depends on rotation or scale.
    [[nodiscard]] bool has_pivots() const {
        return rotation_pivot != Double3{} || scaling_pivot != Double3{} || scaling_offset != Double3{};
    }
};

[[nodiscard]] Pose pose_of(const Objects& objects, std::size_t model);

// The local transform with other translation, angles and scale than the model's own; pose.translation,
// rotation_deg and scale are not used.
[[nodiscard]] DoubleTrs local_of(const Pose& pose, Double3 translation, Double3 rotation_deg, Double3 scale);

// Angles in degrees about fixed axes in the given order.
[[nodiscard]] DoubleQuat quat_of_euler(Double3 degrees, int order);

}  // namespace sinter::fbx
