// Animation stacks of FBX as clips. A clip keeps the times of the file's keys; where the file's curves are not
// straight lines between them (cubic segments, Euler angles, pivots), keys are added on the file's frames
// (resample.hpp).
#pragma once

#include "cooker/import/assimp/fbx/objects.hpp"
#include "cooker/import/assimp/fbx/pose.hpp"
#include "cooker/issues.hpp"
#include "cooker/scene.hpp"

namespace sinter::fbx {

// What drives the animation of one Model in the scene.
struct AnimatedModel {
    std::int32_t node = kNone;
    std::size_t object = 0;
    Pose pose;
    std::int32_t parent = -1;                 // index of the parent in the list of models, or -1
    std::vector<std::size_t> shape_channels;  // of the mesh that it shows: one for each blend shape
    std::vector<double> full_percents;        // one for each of them
    std::vector<float> default_weights;       // likewise, already divided by the full weight
};

// The rest transform of a model: with the parent's scale taken out where the file says so.
[[nodiscard]] DoubleTrs rest_local(const std::vector<AnimatedModel>& models, std::size_t model);

// One clip for each AnimationStack whose first layer drives translation, rotation, scale or blend shapes; others
// are left out (with an issue where there are curves of other properties). Keys keep the file's times: a clip
// may start after 0.
[[nodiscard]] std::vector<Clip> read_clips(const Objects& objects, const Document& document,
                                           const std::vector<AnimatedModel>& models, double frame_rate_hz,
                                           Issues& issues);

// The frame rate that GlobalSettings name (TimeMode, CustomFrameRate); 30 where they name none.
[[nodiscard]] double frame_rate_of(const Node* global_properties);

}  // namespace sinter::fbx
