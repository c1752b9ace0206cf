// UVs as a package stores them.
#pragma once

#include "cooker/math.hpp"

#include <sinter/formats/codecs.hpp>

#include <span>
#include <vector>

namespace sinter {

// One UV set: codes on its rectangle, or floats.
struct EncodedUvs {
    UvGrid grid;
    float max_error = 0;  // largest distance of a coordinate from its decoded code, UV units; 0 with floats
    std::vector<UvCode> codes;
    std::vector<UvRecord> floats;  // one of the two is empty
};

// 16-bit codes if no coordinate is off by more than `tolerance`, else floats. Equal UVs get equal codes. Pre: finite.
[[nodiscard]] EncodedUvs encode_uvs(std::span<const Float2> uvs, double tolerance);

}  // namespace sinter
