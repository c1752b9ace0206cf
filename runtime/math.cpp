#include "runtime/math.hpp"

namespace sinter {

Affine3 affine_of(Vec3d translation, std::array<double, 4> rotation, Vec3d scale) {
    const auto [x, y, z, w] = rotation;
    const Vec3d& t = translation;
    const Vec3d& s = scale;
    return {{(1 - 2 * (y * y + z * z)) * s.x, 2 * (x * y - z * w) * s.y, 2 * (x * z + y * w) * s.z, t.x,
             2 * (x * y + z * w) * s.x, (1 - 2 * (x * x + z * z)) * s.y, 2 * (y * z - x * w) * s.z, t.y,
             2 * (x * z - y * w) * s.x, 2 * (y * z + x * w) * s.y, (1 - 2 * (x * x + y * y)) * s.z, t.z}};
}

}  // namespace sinter
