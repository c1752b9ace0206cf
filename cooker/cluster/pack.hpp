// Clusters of small loose pieces, compact in space. A builder that grows clusters along edges has nothing to follow from
// one leaf or splinter to the next, and leaves clusters of left-overs that reach across the mesh.
#pragma once

#include "cooker/math.hpp"
#include "cooker/options.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

struct Packing {
    std::vector<std::vector<std::uint32_t>> clusters;  // triangles of each, rising within a piece
    std::vector<std::uint32_t> rest;                   // triangles of larger pieces, rising
};

// `indices`: three a triangle, into `positions`; pieces hang together by vertices. Pieces of at most an eighth of a
// cluster are packed by cuts across the longest side of their box, at whole clusters; all triangles are left in `rest`
// where such pieces would not fill a few clusters.
[[nodiscard]] Packing pack_pieces(std::span<const std::uint32_t> indices, std::span<const Float3> positions,
                                  const ClusterOptions& options);

}  // namespace sinter
