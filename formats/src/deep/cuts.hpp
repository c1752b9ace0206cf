// Sampled cuts, as a cross-check of everything that was proved for all of them.
#pragma once

#include "border.hpp"

namespace sinter::deep {

// Uniform and perspective cuts. In each: no group is replaced whose child is not, so that the cut covers everything once;
// and the boundary of its triangles is open border of the mesh, edge by edge.
[[nodiscard]] DeepCheck check_cuts(const Context& context, const Borders& borders);

}  // namespace sinter::deep
