// Influences: which bones move a vertex and how much, encoded so that the weights of a vertex sum to
// exactly full scale (255 or 65535).
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/issues.hpp"
#include "cooker/options.hpp"
#include "cooker/scene.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Encodes the influences of all vertices of a mesh: its primitives' vertices one after the other, before
// welding. A mesh without influences gives stride 0 and empty arrays.
//
// Each vertex keeps its `max_influences` largest weights (equal ones: the lower joint index stays), divided
// by their sum and quantised by the largest-remainder method: floor, then one more for the largest remainders
// until the sum is exact (equal remainders: the earlier slot). What quantises to 0 is left out, so that
// weight 0 never names a joint. Slots are sorted by falling weight, then joint. stride is the smallest class
// of 1, 4, 8 that holds the mesh's largest vertex. The statistics of EncodedInfluences are filled but
// max_posed_error (posed_error.hpp). Issues: TooManyInfluences with the number of vertices that lost
// influences and the largest weight that one lost. Pre: a checked mesh (weights positive and finite, joints
// below kMaxJoints). Deterministic.
[[nodiscard]] EncodedInfluences encode_influences(const Mesh& mesh, const SkinOptions& options,
                                                  Issues& issues);

// Quantises weights that sum to about 1 to integers that sum to exactly `full_scale`, by the
// largest-remainder method (Hamilton's method of apportionment). Pre: weights positive and finite, not empty.
[[nodiscard]] std::vector<std::uint32_t> quantize_weights(std::span<const double> weights,
                                                          std::uint32_t full_scale);

}  // namespace sinter
