// The order in which the parts of a DAG stand in pages: by bands of falling lod_error, along a Morton curve inside a band,
// every part after its ancestors.
#pragma once

#include "cooker/cluster/ownership.hpp"
#include "cooker/prepared_mesh.hpp"

#include <cstdint>
#include <vector>

namespace sinter {

// How much the vertex table grows by one band. A uniform cut needs the bands above its error, so it takes at most this much
// more than it uses, whatever the errors are like; with bands of fixed error ratios instead, a mesh of even detail would have
// nearly all of a level in one band. Half a level: at 1 M triangles a page depends on 18.5 others in the mean, on 16.1 with
// 2 and on 20.4 with 1.2 (sinter_tests_cluster "[figures]"). A Hilbert curve in the place of Morton's saves one of them.
inline constexpr double kBandGrowth = 1.4142135623730951;
inline constexpr std::uint32_t kLeastBandVertices = 128;  // a skin batch

struct PageOrder {
    std::vector<std::uint32_t> parts;  // in page order
    std::vector<std::uint32_t> band;   // by part; rising along `parts`
    std::uint32_t band_count = 0;
};

// Band 0 holds the terminal parts; parts of lod_error 0, which no uniform cut draws, have the last one for themselves. Errors
// of different bands differ, all of a band being larger than all of the next.
[[nodiscard]] PageOrder order_parts(const ClusterDag& dag, const Ownership& ownership, const Bounds& bounds);

}  // namespace sinter
