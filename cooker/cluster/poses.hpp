// Poses in which a skinned or morphed mesh is measured besides its rest pose: a few that differ most, picked from the
// asset's own clips and blend shapes, and where vertices are in them.
//
// Space: a skinned mesh is posed in the space of the shown scene, as cooker/skin/posed_error.hpp does: scene from joint
// times joint from mesh, and the node that draws it has no say (glTF 2.0, section 3.7.3.3). A mesh with blend shapes only
// is posed in its own space. PoseSet::scale relates the two.
#pragma once

#include "cooker/cluster/pose_set.hpp"
#include "cooker/cooked_asset.hpp"
#include "cooker/scene.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// What poses are picked from; refers to the asset.
struct PoseSources {
    std::span<const Node> nodes;  // parents first
    std::span<const CookedSkin> skins;
    std::span<const Skeleton> skeletons;
    std::span<const SampledClip> clips;
};

// At most `count` poses of asset mesh number `mesh_index`. Candidates, for each node that draws the mesh (at most
// kPoseInstances with different skins or shape weights): the nodes at rest; frames of each clip, evenly from the first
// to the last, at most kPoseCandidates in all; each blend-shape frame alone at its full weight. Picked one after the other,
// each the one that differs most from the rest pose and all picked before (Gonzalez, "Clustering to Minimize the Maximum
// Intercluster Distance", Theoretical Computer Science 38, 1985), until none differs by kPoseDifference. Two poses differ
// by the largest change of a distance between two vertices, in parts of what it is at rest, over a subsample of pairs, near
// and far, with the vertex that each shape moves most: walking or turning as a whole is no difference, and a body that curls
// up does not hide that its legs move.
//
// No poses without skin and shapes, and none for count 0. Deterministic; matrices in double precision, rounded once.
inline constexpr std::size_t kPoseInstances = 8;
inline constexpr std::size_t kPoseCandidates = 1024;
inline constexpr double kPoseDifference = 1e-4;
[[nodiscard]] PoseSet pick_poses(const PoseSources& sources, std::uint32_t mesh_index,
                                 const PreparedMesh& mesh, std::uint32_t count);

// Positions of vertices in a pose: blend shapes first, then linear blend skinning with the encoded weights, in float in
// the order of the slots. A vertex without weights stays where it is. Pre: out.size() == vertices.size().
void pose_vertices(const PreparedMesh& mesh, const Pose& pose, std::span<const std::uint32_t> vertices,
                   std::span<Float3> out);

// Weights of a shape's frames at a weight of the shape: linear from 0 to the first frame, between frames, and on along
// the last two beyond the last. out.size() == shape.frames.size().
void frame_weights(const PreparedShape& shape, double weight, std::span<double> out);

}  // namespace sinter
