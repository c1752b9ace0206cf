// One picture of the scene by one camera: the pose, the choice of clusters and the draw on the device, and on request all
// that the device found on the way.
#pragma once

#include "runtime/picture/picture.hpp"
#include "runtime/reference/select.hpp"
#include "runtime/stage.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter {

// Which of a mesh's levels are drawn.
struct Detail {
    std::optional<std::uint32_t> level;
    std::optional<double> pixels;  // of error at most; neither: full detail
};

struct Shot {
    Camera camera;
    std::uint32_t samples = 1;  // of the camera's picture, a side of a pixel in which errors count
    DrawMode mode = DrawMode::Shaded;
    bool show_back_faces = false;
    Detail detail;
    std::optional<ClipTime> clip;  // none: the rest pose
    // With occlusion the scene is drawn twice: what the first picture hides is left out of the second one.
    std::uint32_t cull = gpu::kCullFrustum | gpu::kCullCone;
    bool with_distances = false;
};

struct Taken {
    Picture picture;  // alpha: 255 a front face, 128 a back face, 0 nothing
    std::vector<gpu::VisibleCluster> visible;
    std::uint64_t triangles = 0;
    std::vector<float>
        distances;  // a pixel: metres along the camera's forward, infinite for nothing; on request
};
[[nodiscard]] Result<Taken> take(const Stage& stage, const Shot& shot);

// What the device reads of one shot, and the twin too.
struct ShotInput {
    std::vector<gpu::Instance> instances;
    std::vector<gpu::InstanceCut> cuts;
    gpu::Selection selection;
    Buffer device_instances, device_cuts, device_selection;
    std::optional<DepthPyramid> pyramid;  // of an occlusion shot
};
// Without occlusion.
[[nodiscard]] Result<ShotInput> prepare_shot(const Stage& stage, const Shot& shot);

// Whether the device chose what the float twin chooses.
struct SelectCheck {
    std::uint64_t clusters = 0;     // that the twin draws
    std::uint64_t differences = 0;  // clusters that only one of them draws, or the order
    std::uint64_t prefixes = 0;     // skinned instances whose prefixes were compared
    std::uint64_t wrong_prefixes = 0;
    bool out_of_prefix = false;  // a drawn cluster refers to a vertex that was not skinned

    void add(const SelectCheck& other);
    [[nodiscard]] bool ok() const { return differences == 0 && wrong_prefixes == 0 && !out_of_prefix; }
};
[[nodiscard]] Result<SelectCheck> check_selection(const Stage& stage, const Shot& shot);

}  // namespace sinter
