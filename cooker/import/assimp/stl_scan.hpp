// A first look at an STL: which of its two layouts it has, and whether its size holds what it announces.
// Source of the layouts: 3D Systems, "StereoLithography Interface Specification", 1989.
#pragma once

#include "cooker/issues.hpp"

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <string_view>

namespace sinter {

struct StlFacts {
    std::size_t bytes = 0;  // what belongs to the model: bytes behind the last triangle do not
    bool has_triangles = false;
};

// Binary: a header of 80 bytes, a count, 50 bytes a triangle. A file whose size fits its count is binary, whatever
// its header says; else one that begins with "solid" and has no zero byte near its start is text. Bytes behind the
// last triangle are an issue (RepairedSource).
// Errors: InvalidInput, where = file_name and byte or line.
[[nodiscard]] Result<StlFacts> scan_stl(std::string_view bytes, std::string_view file_name, Issues& issues);

}  // namespace sinter
