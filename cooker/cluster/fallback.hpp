// The last way to simplify a group, for soup, many tiny pieces and surfaces that no edge collapse gets through.
#pragma once

#include "cooker/cluster/wedges.hpp"

#include <cstddef>

namespace sinter {

// Merges the free points of each cell of a grid into one of them, or into a locked point of the cell, and removes pieces
// without locked points that are smaller than a cell; the finest grid that leaves at most `goal` triangles, or the
// coarsest one that leaves any. After Rossignac and Borrel, "Multi-resolution 3D approximations for rendering complex
// scenes" (1993).
//
// Points are only mapped to points and triangles without an area on points left out, so the boundary of the result is
// the image of the boundary (a chain map): locked points stay, and with them every edge that another group has. Points
// of open borders go to such points only. Points of several materials stay.
//
// `local` has wedges of kind Point. The error is the longest way that a point goes, or the size of a removed piece.
[[nodiscard]] Collapsed merge_by_grid(const WedgeMesh& local, std::size_t goal);

}  // namespace sinter
