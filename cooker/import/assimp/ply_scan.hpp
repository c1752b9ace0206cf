// A first look at a PLY: its header and the extent of its body, which Assimp does not check.
// Source of the layout: Turk, "The PLY Polygon File Format", 1994.
#pragma once

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <string_view>

namespace sinter {

struct PlyFacts {
    std::uint64_t vertices = 0;
    std::uint64_t faces = 0;
};

// Walks the whole file: every header line is understood, every instance of every element is there (a line each in
// text), a vertex has x, y and z, every value is a number, and every vertex index of a face is in range.
// Errors: InvalidInput, where = file_name and line of the header or number of the element's instance.
[[nodiscard]] Result<PlyFacts> scan_ply(std::string_view bytes, std::string_view file_name);

}  // namespace sinter
