#include "cooker/import/assimp/fbx/pose.hpp"

#include <cmath>
#include <numbers>

namespace sinter::fbx {
namespace {

// Sine and cosine of half an angle in degrees, exact where an axis-aligned turn has exact ones.
struct HalfTurn {
    double sine = 0;
    double cosine = 1;
};

HalfTurn half_turn(double degrees) {
    if (degrees == 0 || !std::isfinite(degrees)) return {};
    const double radians = degrees * (std::numbers::pi / 360.0);
    HalfTurn out{std::sin(radians), std::cos(radians)};
    if (std::fmod(degrees, 360.0) == 0) out = {0, out.cosine < 0 ? -1.0 : 1.0};
    else if (std::fmod(degrees, 180.0) == 0) out = {out.sine < 0 ? -1.0 : 1.0, 0};
    return out;
}

}  // namespace

DoubleQuat quat_of_euler(Double3 degrees, int order) {
    const HalfTurn x = half_turn(degrees.x);
    const HalfTurn y = half_turn(degrees.y);
    const HalfTurn z = half_turn(degrees.z);
    const DoubleQuat qx{x.sine, 0, 0, x.cosine};
    const DoubleQuat qy{0, y.sine, 0, y.cosine};
    const DoubleQuat qz{0, 0, z.sine, z.cosine};
    switch (order) {
    case 1: return qy * qz * qx;
    case 2: return qx * qz * qy;
    case 3: return qz * qx * qy;
    case 4: return qy * qx * qz;
    case 5: return qx * qy * qz;
    default: return qz * qy * qx;
    }
}

Pose pose_of(const Objects& objects, std::size_t model) {
    const auto vector = [&](std::string_view name, Double3 otherwise = {}) {
        const Double3 value = objects.vector(model, name, otherwise);
        return is_finite(value) ? value : otherwise;
    };
    Pose pose;
    pose.translation = vector("Lcl Translation");
    pose.rotation_deg = vector("Lcl Rotation");
    pose.scale = vector("Lcl Scaling", {1, 1, 1});
    pose.pre_rotation = quat_of_euler(vector("PreRotation"), 0);
    pose.post_rotation = quat_of_euler(vector("PostRotation"), 0);
    pose.rotation_offset = vector("RotationOffset");
    pose.rotation_pivot = vector("RotationPivot");
    pose.scaling_offset = vector("ScalingOffset");
    pose.scaling_pivot = vector("ScalingPivot");
    pose.rotation_order = static_cast<int>(objects.number(model, "RotationOrder", 0));
    // Without the property the SDK's own default is 0, but every exporter writes it or means plain nesting.
    const double inherit = objects.number(model, "InheritType", 1);
    pose.drops_parent_scale = inherit == 2;
    pose.splits_parent_scale = inherit == 0;
    pose.geometric.translation = vector("GeometricTranslation");
    pose.geometric.rotation = quat_of_euler(vector("GeometricRotation"), 0);
    pose.geometric.scale = vector("GeometricScaling", {1, 1, 1});
    return pose;
}

DoubleTrs local_of(const Pose& pose, Double3 translation, Double3 rotation_deg, Double3 scale) {
    DoubleTrs out;
    out.rotation =
        pose.pre_rotation * quat_of_euler(rotation_deg, pose.rotation_order) * conjugate(pose.post_rotation);
    out.scale = scale;
    const Double3 before_rotation =
        pose.scaling_offset + pose.scaling_pivot - scaled(pose.scaling_pivot, scale) - pose.rotation_pivot;
    out.translation =
        translation + pose.rotation_offset + pose.rotation_pivot + rotate(out.rotation, before_rotation);
    return out;
}

}  // namespace sinter::fbx
