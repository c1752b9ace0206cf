#include "runtime/reference/nodes.hpp"

namespace sinter {
namespace {

Vec3d vec3d_of(const manifest::Float3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

// Quaternions of a package have unit length to float precision; in double that is made exact.
std::array<double, 4> rotation_of(const manifest::Float4& q) {
    std::array<double, 4> out{static_cast<double>(q.x()), static_cast<double>(q.y()),
                              static_cast<double>(q.z()), static_cast<double>(q.w())};
    const double size = std::sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    for (double& component : out) component /= size;
    return out;
}

}  // namespace

std::vector<LocalTransform> rest_transforms(const manifest::ManifestT& manifest) {
    std::vector<LocalTransform> out;
    for (const auto& node : manifest.nodes) {
        LocalTransform local;
        if (node->translation) local.translation = vec3d_of(*node->translation);
        if (node->rotation) local.rotation = rotation_of(*node->rotation);
        if (node->scale) local.scale = vec3d_of(*node->scale);
        local.has_matrix = node->matrix.size() == 12;
        if (local.has_matrix) {
            for (std::size_t i = 0; i < 12; ++i) local.matrix.m[i] = static_cast<double>(node->matrix[i]);
        }
        out.push_back(local);
    }
    return out;
}

std::vector<Affine3> world_from_nodes(const manifest::ManifestT& manifest,
                                      const std::vector<LocalTransform>& locals) {
    std::vector<Affine3> out;
    for (std::size_t n = 0; n < locals.size(); ++n) {
        const LocalTransform& local = locals[n];
        const Affine3 parent_from_node =
            local.has_matrix ? local.matrix : affine_of(local.translation, local.rotation, local.scale);
        const std::int32_t parent = manifest.nodes[n]->parent;
        out.push_back(parent < 0 ? parent_from_node
                                 : out[static_cast<std::size_t>(parent)] * parent_from_node);
    }
    return out;
}

}  // namespace sinter
