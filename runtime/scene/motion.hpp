// What moves in a package, laid out for a device: nodes, clips, skins, influences.
#pragma once

#include "runtime/scene/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sinter {

struct SceneClip {
    Range tracks;
    double start_s = 0, duration_s = 0, rate_hz = 0;
    std::uint32_t frame_count = 0;
};

// The frames around a time. fraction is 1 only at the end of the clip.
struct FramePair {
    std::uint32_t frame = 0;  // frame + 1 exists unless fraction is 0
    double fraction = 0;
};
// Times before the first key and after the last one are those of the keys.
[[nodiscard]] FramePair frames_at(const SceneClip& clip, double time_s);

struct SceneMotion {
    std::vector<gpu::Local> rest;  // one a node
    std::vector<gpu::Transform> matrices;
    std::vector<gpu::Leaf> leaves;
    std::vector<std::uint32_t> path_nodes;  // of all leaves, each path from the root on
    std::vector<SceneClip> clips;           // the manifest's
    std::vector<gpu::Track> tracks;         // of nodes; weights of blend shapes are not among them
    std::vector<float> values;
    std::vector<gpu::SkinnedInstance> skins;
    std::vector<std::uint32_t> skin_of_instance;  // one an instance of the scene: skins, or gpu::kNone
    std::vector<gpu::Joint> joints;
    std::vector<Range> batches_of_mesh;
    std::vector<gpu::Batch> batches;
    std::vector<gpu::Prefix> prefixes;       // of all skinned instances
    std::vector<std::byte> influences;       // of all meshes, records as in the package
    std::vector<gpu::ClusterBone> bones;     // of the clusters of skinned meshes
    std::vector<std::uint32_t> first_bones;  // one a cluster of any mesh, and one more
    std::uint32_t skinned_vertices = 0;
};

// Leaves are the nodes without children; each node is owned by the first leaf below it.
// Pre: as of load_scene, whose result `scene` is. Errors: those of PackageView::decode; Limit beyond 2^32 bytes of influences.
[[nodiscard]] Result<SceneMotion> load_motion(const PackageView& package, const manifest::ManifestT& manifest,
                                              const PackageScene& scene);

}  // namespace sinter
