// Checks that go through most bytes of a page, a few microseconds each. Internal to formats.
#pragma once

#include "bytes.hpp"

#include <cstdint>

namespace sinter {

// Every code is one that the format uses; reserved bytes are 0, tangents too if there are none. `vertices` holds whole
// records, `normals` 4 bytes a vertex.
[[nodiscard]] bool are_good_vertices(Bytes vertices, std::uint32_t position_bits, bool has_tangents);
[[nodiscard]] bool are_good_normals(Bytes normals, std::uint32_t normal_bits);

// Of a cluster's references, 2 bytes each: entries are below `count`; vertices of one entry are below `count`, at most 4,096.
[[nodiscard]] bool are_entries_below(Bytes references, std::uint32_t count);
[[nodiscard]] bool are_vertices_below(Bytes references, std::uint32_t entry, std::uint32_t count);

// Each triangle has three different ones of a cluster's vertices. `triangles` holds 3 bytes each, at most 384 in all.
[[nodiscard]] bool are_good_triangles(Bytes triangles, std::uint32_t vertex_count);

}  // namespace sinter
