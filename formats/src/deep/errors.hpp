// Stored errors against samples that the builder never saw.
#pragma once

#include "context.hpp"

namespace sinter::deep {

inline constexpr double kMostExceeding =
    0.01;  // share of groups whose true deviation may be above the stored one
inline constexpr double kMostRatio = 1.02;          // and by how much
inline constexpr std::uint32_t kLeastSamples = 64;  // a group

// In other poses, so many samples of the source a group at most, evenly among those of the rest pose.
inline constexpr std::size_t kPosedSamples = 4096;
inline constexpr std::size_t kHeldOutSamples = 1024;
// How far the stored scale of poses may be from that of random pairs of vertices: other pairs stretch by a little more or less
// where the nodes at rest do not stand as the mesh was bound.
inline constexpr double kMostScaleRatio = 1.25;

// stored_errors (rest pose) and posed_errors (all poses of the model; looks at nothing without poses). Held-out poses fail
// nothing: figures tell how far groups are beyond their posed error there.
//
// Random points of the source surface go up through the levels: each is measured against what replaces the group that it is
// on, then it is on the cluster that is nearest there. Those that are farther away than the stored error are measured against
// the whole uniform cut at the group's lod_error: of loose pieces the nearest one may have come into another group. Random
// points of what replaces a group are measured against the whole source surface. The largest of both is a group's true
// deviation, from below, as samples are finite.
[[nodiscard]] std::vector<DeepCheck> check_stored_errors(const Context& context);

}  // namespace sinter::deep
