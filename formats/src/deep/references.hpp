// Deep checks of who refers to which vertices: owners, pages, prefixes.
#pragma once

#include "context.hpp"

#include <cstdint>
#include <vector>

namespace sinter::deep {

// The group in which each vertex is used last owns it; all other groups that use it are descendants of that one. Fills
// `owner_of_vertex`: a group, or 0xFFFFFFFF where nothing uses the vertex.
[[nodiscard]] DeepCheck check_references(const Context& context, std::vector<std::uint32_t>& owner_of_vertex);

// Pages follow each other and keep their limits; each vertex is in the page of its owner; clusters use vertices of their own
// page and of earlier ones that the page names, from at most 16 pages.
[[nodiscard]] DeepCheck check_pages(const Context& context,
                                    const std::vector<std::uint32_t>& owner_of_vertex);

// The uniform cut at each stored error uses no vertex beyond the stored prefix and every point in it, lies in the stored
// pages and has the stored number of triangles; errors fall to 0. Where a vertex was cloned, a cut may use one of the two
// only: such vertices are counted, not failed.
[[nodiscard]] DeepCheck check_prefixes(const Context& context);

}  // namespace sinter::deep
