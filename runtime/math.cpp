#include "runtime/math.hpp"

namespace sinter {

Affine3 affine_of(Vec3d t, std::array<double, 4> q, Vec3d s) {
    const auto [x, y, z, w] = q;
    return {{(1 - 2 * (y * y + z * z)) * s.x, 2 * (x * y - z * w) * s.y, 2 * (x * z + y * w) * s.z, t.x,
             2 * (x * y + z * w) * s.x, (1 - 2 * (x * x + z * z)) * s.y, 2 * (y * z - x * w) * s.z, t.y,
             2 * (x * z - y * w) * s.x, 2 * (y * z + x * w) * s.y, (1 - 2 * (x * x + y * y)) * s.z, t.z}};
}

}  // namespace sinter
