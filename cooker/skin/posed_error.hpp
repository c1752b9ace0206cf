// What encoding the influences costs in metres: the same vertices skinned with the encoded and with the
// source weights, over poses of the scene's own clips.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/scene.hpp"

#include <cstddef>
#include <cstdint>

namespace sinter {

inline constexpr std::size_t kPosedErrorFramesPerClip = 8;
inline constexpr std::size_t kPosedErrorVertexPoses = std::size_t{1} << 22;

// The largest distance, in metres of the shown scene, between a vertex of `mesh` skinned with `influences`
// (encode_influences) and the same vertex skinned with the mesh's own weights, both in double precision.
// Poses: the rest pose, and each clip at kPosedErrorFramesPerClip times evenly from its first to its last
// key, for each skin that a node draws the mesh with. When vertices x poses exceed kPosedErrorVertexPoses,
// every n-th vertex is taken, n being the smallest number that meets the limit: the result is then a lower
// bound. 0 for a mesh without influences or without a skin. Pre: a checked scene. Deterministic.
[[nodiscard]] float posed_error(const Scene& scene, std::uint32_t mesh, const EncodedInfluences& influences);

}  // namespace sinter
