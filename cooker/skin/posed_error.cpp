#include "cooker/skin/posed_error.hpp"

#include "cooker/animation/pose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sinter {
namespace {

// Skins that some node draws the mesh with, each once.
std::vector<std::size_t> skins_of(const Scene& scene, std::uint32_t mesh) {
    std::vector<std::size_t> skins;
    for (const Node& node : scene.nodes) {
        if (node.mesh != static_cast<std::int32_t>(mesh) || node.skin == kNone) continue;
        const auto skin = static_cast<std::size_t>(node.skin);
        if (std::ranges::find(skins, skin) == skins.end()) skins.push_back(skin);
    }
    return skins;
}

struct SkinPose {
    const Clip* clip = nullptr;
    double time_s = 0;
};

std::vector<SkinPose> poses_of(const Scene& scene) {
    std::vector<SkinPose> poses{{}};
    for (const Clip& clip : scene.clips) {
        const std::size_t count = clip.end_s > clip.start_s ? kPosedErrorFramesPerClip : 1;
        for (std::size_t k = 0; k < count; ++k) {
            const double part = count == 1 ? 0.0 : static_cast<double>(k) / static_cast<double>(count - 1);
            poses.push_back({&clip, clip.start_s + (clip.end_s - clip.start_s) * part});
        }
    }
    return poses;
}

Point encoded_point(const std::vector<PoseMatrix>& matrices, const EncodedInfluences& influences,
                    std::size_t vertex, const Point& p) {
    const double full_scale = static_cast<double>((1U << influences.weight_bits) - 1);
    Point out{};
    for (std::size_t slot = vertex * influences.stride; slot < (vertex + 1) * influences.stride; ++slot) {
        if (influences.weights[slot] == 0) continue;
        const Point moved = transform_point(matrices[influences.joints[slot]], p);
        for (std::size_t i = 0; i < 3; ++i) out[i] += influences.weights[slot] / full_scale * moved[i];
    }
    return out;
}

// Largest squared distance over every n-th vertex in one pose.
double worst_in_pose(const Mesh& mesh, const EncodedInfluences& influences,
                     const std::vector<PoseMatrix>& matrices, std::size_t every) {
    double worst = 0;
    std::size_t vertex = 0;
    for (const Primitive& primitive : mesh.primitives) {
        for (std::size_t v = 0; v < primitive.vertex_count(); ++v, ++vertex) {
            if (vertex % every != 0 || primitive.influence_offsets.empty()) continue;
            const Float3 position = primitive.positions[v];
            const Point p{static_cast<double>(position.x), static_cast<double>(position.y),
                          static_cast<double>(position.z)};
            const std::span<const Influence> own(primitive.influences.data() + primitive.influence_offsets[v],
                                                 primitive.influence_offsets[v + 1] -
                                                     primitive.influence_offsets[v]);
            const Point a = skin_point(matrices, own, p);
            const Point b = encoded_point(matrices, influences, vertex, p);
            worst = std::max(worst, (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                                        (a[2] - b[2]) * (a[2] - b[2]));
        }
    }
    return worst;
}

}  // namespace

float posed_error(const Scene& scene, std::uint32_t mesh, const EncodedInfluences& influences) {
    const Mesh& source = scene.meshes[mesh];
    const std::vector<std::size_t> skins = skins_of(scene, mesh);
    if (influences.stride == 0 || skins.empty()) return 0;
    std::size_t vertices = 0;
    for (const Primitive& primitive : source.primitives) vertices += primitive.vertex_count();
    const std::vector<SkinPose> poses = poses_of(scene);
    const std::size_t work = vertices * poses.size() * skins.size();
    const std::size_t every =
        std::max<std::size_t>(1, (work + kPosedErrorVertexPoses - 1) / kPosedErrorVertexPoses);
    double worst = 0;
    for (const SkinPose& pose : poses) {
        const std::vector<PoseMatrix> world = world_from_nodes(scene.nodes, pose.clip, pose.time_s);
        for (const std::size_t skin : skins) {
            worst = std::max(
                worst, worst_in_pose(source, influences, skinning_matrices(scene.skins[skin], world), every));
        }
    }
    const double error = std::sqrt(worst);
    auto rounded = static_cast<float>(error);
    if (static_cast<double>(rounded) < error)
        rounded = std::nextafter(rounded, std::numeric_limits<float>::infinity());
    return rounded;
}

}  // namespace sinter
