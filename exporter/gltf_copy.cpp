// Which copies stand beside full detail, and where.
#include "exporter/gltf_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinter::gltf_out {
namespace {

// Three rows of four, row-major.
using Affine = std::array<double, 12>;

constexpr Affine kIdentity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

constexpr double wide(float value) { return static_cast<double>(value); }

Affine product(const Affine& a, const Affine& b) {
    Affine out{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 4; ++column) {
            double sum = column == 3 ? a[row * 4 + 3] : 0;
            for (std::size_t k = 0; k < 3; ++k) sum += a[row * 4 + k] * b[k * 4 + column];
            out[row * 4 + column] = sum;
        }
    }
    return out;
}

Affine local_of(const manifest::NodeT& node) {
    Affine out = kIdentity;
    if (node.matrix.size() == out.size()) {
        std::ranges::transform(node.matrix, out.begin(), wide);
        return out;
    }
    if (!node.translation || !node.rotation || !node.scale) return out;
    const double x = wide(node.rotation->x()), y = wide(node.rotation->y()), z = wide(node.rotation->z()),
                 w = wide(node.rotation->w());
    const double sx = wide(node.scale->x()), sy = wide(node.scale->y()), sz = wide(node.scale->z());
    return {(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y - z * w) * sy,       2 * (x * z + y * w) * sz,
            wide(node.translation->x()),    2 * (x * y + z * w) * sx,       (1 - 2 * (x * x + z * z)) * sy,
            2 * (y * z - x * w) * sz,       wide(node.translation->y()),    2 * (x * z - y * w) * sx,
            2 * (y * z + x * w) * sy,       (1 - 2 * (x * x + y * y)) * sz, wide(node.translation->z())};
}

std::vector<Affine> globals_of(const manifest::ManifestT& manifest) {
    std::vector<Affine> out;
    for (const auto& node : manifest.nodes) {
        const Affine local = local_of(*node);
        const auto parent = static_cast<std::size_t>(node->parent);
        out.push_back(node->parent >= 0 && parent < out.size() ? product(out[parent], local) : local);
    }
    return out;
}

// A mesh with a skin lies where its joints put it. In the bind pose all agree, so the first one stands for all.
Affine mesh_transform(const manifest::ManifestT& manifest, std::size_t node,
                      const std::vector<Affine>& globals,
                      const std::vector<std::vector<float>>& inverse_binds) {
    const std::int32_t index = manifest.nodes[node]->skin;
    if (index < 0 || static_cast<std::size_t>(index) >= manifest.skins.size()) return globals[node];
    const manifest::SkinT& skin = *manifest.skins[static_cast<std::size_t>(index)];
    const std::vector<float>& binds = inverse_binds[static_cast<std::size_t>(index)];
    if (skin.bone_of_joint.empty() || binds.size() < 12 || skin.skeleton >= manifest.skeletons.size())
        return globals[node];
    const manifest::SkeletonT& skeleton = *manifest.skeletons[skin.skeleton];
    if (skin.bone_of_joint.front() >= skeleton.bones.size()) return globals[node];
    const std::int32_t joint = skeleton.bones[skin.bone_of_joint.front()]->node;
    if (joint < 0 || static_cast<std::size_t>(joint) >= globals.size()) return globals[node];
    Affine bind{};
    std::transform(binds.begin(), binds.begin() + 12, bind.begin(), wide);
    return product(globals[static_cast<std::size_t>(joint)], bind);
}

std::uint32_t level_count(const manifest::ManifestT& manifest) {
    std::size_t count = 0;
    for (const auto& mesh : manifest.meshes) {
        if (mesh->cluster_dag) count = std::max(count, mesh->cluster_dag->levels.size());
    }
    return static_cast<std::uint32_t>(count);
}

template <typename T>
std::vector<T> sorted_once(std::vector<T> values) {
    std::ranges::sort(values);
    const auto repeated = std::ranges::unique(values);
    values.erase(repeated.begin(), repeated.end());
    return values;
}

}  // namespace

Result<std::vector<Copy>> copies_of(const manifest::ManifestT& manifest, const GltfOptions& options) {
    std::vector<Copy> out{{.name = "full detail", .suffix = {}, .cut = LevelCut{0}}};
    if (options.levels.empty() && options.lod_errors.empty() && !options.all_levels) return out;
    const std::uint32_t count = level_count(manifest);
    if (count == 0) {
        return Error{ErrorKind::Usage,
                     {},
                     "no mesh of the package has levels of detail",
                     "cook it with cluster.enabled=true, or leave the levels out"};
    }
    std::vector<std::uint32_t> levels = options.levels;
    for (std::uint32_t level = 1; options.all_levels && level < count; ++level) levels.push_back(level);
    for (const std::uint32_t level : sorted_once(std::move(levels))) {
        if (level >= count) {
            return Error{
                ErrorKind::Usage,
                {},
                fmt::format("level {} is not there: the package has levels 0 to {}", level, count - 1),
                "`sinter inspect` lists them"};
        }
        if (level == 0) continue;
        out.push_back({.name = fmt::format("level {}", level),
                       .suffix = fmt::format(".level{}", level),
                       .cut = LevelCut{level}});
    }
    for (const float lod_error : sorted_once(options.lod_errors)) {
        if (!std::isfinite(lod_error) || lod_error < 0)
            return Error{ErrorKind::Usage, {}, "an error is a length in metres, 0 or more", {}};
        out.push_back({.name = fmt::format("error {}", lod_error),
                       .suffix = fmt::format(".error{}", lod_error),
                       .cut = ErrorCut{lod_error}});
    }
    return out;
}

double spacing_of(const manifest::ManifestT& manifest, const std::vector<std::vector<float>>& inverse_binds) {
    constexpr double kGap = 1.2;
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();
    const std::vector<Affine> globals = globals_of(manifest);
    for (std::size_t n = 0; n < manifest.nodes.size(); ++n) {
        const manifest::NodeT& node = *manifest.nodes[n];
        const auto mesh = static_cast<std::size_t>(node.mesh);
        if (!node.in_scene || node.mesh < 0 || mesh >= manifest.meshes.size()) continue;
        const auto& bounds = manifest.meshes[mesh]->bounds;
        if (!bounds || !bounds->min || !bounds->max) continue;
        const Affine m = mesh_transform(manifest, n, globals, inverse_binds);
        for (unsigned corner = 0; corner < 8; ++corner) {
            const double x = (corner & 1U) != 0 ? wide(bounds->max->x()) : wide(bounds->min->x());
            const double y = (corner & 2U) != 0 ? wide(bounds->max->y()) : wide(bounds->min->y());
            const double z = (corner & 4U) != 0 ? wide(bounds->max->z()) : wide(bounds->min->z());
            low = std::min(low, m[0] * x + m[1] * y + m[2] * z + m[3]);
            high = std::max(high, m[0] * x + m[1] * y + m[2] * z + m[3]);
        }
    }
    return high > low ? kGap * (high - low) : 1;
}

}  // namespace sinter::gltf_out
