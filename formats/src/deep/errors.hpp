// Stored errors against samples that the builder never saw.
#pragma once

#include "context.hpp"

namespace sinter::deep {

inline constexpr double kMostExceeding =
    0.01;  // share of groups whose true deviation may be above the stored one
inline constexpr double kMostRatio = 1.02;          // and by how much
inline constexpr std::uint32_t kLeastSamples = 64;  // a group

// stored_errors (rest pose) and posed_errors (all poses of the model; looks at nothing without poses).
//
// Random points of the source surface go up through the levels: each is measured against what replaces the group that it is
// on, then it is on the cluster that is nearest there. Those that are farther away than the stored error are measured against
// the whole uniform cut at the group's lod_error: of loose pieces the nearest one may have come into another group. Random
// points of what replaces a group are measured against the whole source surface. The largest of both is a group's true
// deviation, from below, as samples are finite.
[[nodiscard]] std::vector<DeepCheck> check_stored_errors(const Context& context);

}  // namespace sinter::deep
