// What the stages make out of a Scene, and what cooker/package turns into bytes. Plain values: each
// stage fills its own struct and none changes another's. Errors are stored beside what they belong to.
#pragma once

#include "cooker/cluster/dag.hpp"
#include "cooker/cluster/hierarchy.hpp"
#include "cooker/cluster/layout.hpp"
#include "cooker/issues.hpp"
#include "cooker/options.hpp"
#include "cooker/prepared_mesh.hpp"
#include "cooker/scene.hpp"
#include "cooker/source_files.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

struct Bone {
    std::string name;
    std::int32_t parent = kNone;  // index of a bone before this one
    std::int32_t node = kNone;    // scene node
    bool helper = false;          // lies between joints but is none itself
};

// Bones parent before child. Skins that share bones share a skeleton.
struct Skeleton {
    std::string name;
    std::vector<Bone> bones;
    std::uint32_t leaf_bones = 0;
    std::uint32_t max_depth = 0;  // of a root: 0
};

struct CookedSkin {
    std::string name;
    std::uint32_t skeleton = 0;
    std::vector<std::uint32_t> bone_of_joint;  // joints keep the file's order
    std::vector<Mat3x4> bone_from_mesh;        // inverse bind matrices
};

// One property of one node over a clip. Constant tracks store one frame, others frame_count.
struct SampledTrack {
    std::int32_t node = kNone;
    TrackPath path = TrackPath::Translation;
    bool step = false;      // hold the last sample instead of interpolating
    bool constant = false;  // every sample is bit-equal to the first
    std::uint32_t components = 3;
    std::vector<float> samples;  // frames x components
};

// Samples at start_s + k / sample_rate_hz for k < frame_count - 1, the last one at exactly
// start_s + duration_s.
struct SampledClip {
    std::string name;
    double start_s = 0;
    double duration_s = 0;  // last key - first key
    double sample_rate_hz = 60;
    std::uint32_t frame_count = 1;
    std::vector<SampledTrack> tracks;
    // Largest difference between the sampled and the source curves, looked for at every key, every
    // sample and three points between each pair of them. STEP tracks count by time, not by value.
    float max_translation_error = 0;  // metres
    float max_rotation_error_deg = 0;
    float max_scale_error = 0;
    float max_weight_error = 0;  // blend-shape weights
    float max_step_error_s = 0;  // how late a STEP key can appear
};

// Levels of detail of a mesh and the pages that they lie in; both empty where cluster.enabled is false, and for a mesh
// without triangles. The mesh beside it has its vertices in page order.
struct ClusteredMesh {
    ClusterDag dag;
    PagedMesh paged;
    std::vector<ClusterHierarchyNode> hierarchy;  // over paged.groups
};

struct CookedAsset {
    SourceInfo source;
    std::vector<Node> nodes;  // parents before children
    std::vector<Material> materials;
    std::vector<PreparedMesh> meshes;
    std::vector<ClusteredMesh> clustered;  // one a mesh
    std::vector<CookedSkin> skins;
    std::vector<Skeleton> skeletons;
    std::vector<SampledClip> clips;
    std::vector<Issue> issues;
    std::vector<InputFile> inputs;
    CookOptions options;
};

}  // namespace sinter
