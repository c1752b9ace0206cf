// The border invariant, which makes every cut watertight.
#pragma once

#include "chain.hpp"

#include <cstdint>
#include <vector>

namespace sinter::deep {

// What the border check knows of every cluster, for the check of cuts.
struct Borders {
    std::vector<Chain> boundary;  // of each cluster
    std::vector<Chain>
        open;  // the part of it that is the mesh's open border, as far as simplification has moved it
    std::vector<std::uint8_t> on_border;  // by point: on the open border of the source
    // By point: where more than two triangles meet at an edge there is no telling which of them ends there. A border that
    // hangs together with such an edge may move to any point, and is not followed.
    std::vector<std::uint8_t> loose;
    Chain source;  // the open border of the source
};

// For every simplified group: the boundary of what replaces it is that of its clusters, apart from the mesh's open border,
// which moves along points of the source's border.
//
// Why that proves all cuts: let open(c) be the part of cluster c's boundary that is open border. At full detail the sum of
// open(c) is the boundary of the surface. Where group g is replaced, the boundary changes by d = boundary(replacing) -
// boundary(g); the check shows that the sum of open(c) over g, plus d, can be given to the replacing clusters as parts of
// their own boundaries. So in any cut, in whatever order groups were replaced, the boundary of the surface is the sum of
// open(c): edges of open border, no crack. Linear time.
[[nodiscard]] DeepCheck check_border(const Context& context, Borders& borders);

}  // namespace sinter::deep
