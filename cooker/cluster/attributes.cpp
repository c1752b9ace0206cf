#include "cooker/cluster/attributes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sinter {
namespace {

constexpr float kNormalWeight = 0.5F;
constexpr float kColorWeight = 0.5F;
constexpr std::size_t kMostUvSets = 2;
constexpr std::size_t kMostBones = 8;

float cross_of(Float2 a, Float2 b) { return a.x * b.y - a.y * b.x; }

Float2 minus(Float2 a, Float2 b) { return {a.x - b.x, a.y - b.y}; }

AttributeLayout::UvSet uv_layout(const PreparedMesh& mesh, const std::vector<Float2>& uvs,
                                 std::span<const std::uint32_t> indices, float extent) {
    double surface = 0, texture = 0;
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        const std::uint32_t a = indices[i], b = indices[i + 1], c = indices[i + 2];
        surface += static_cast<double>(
            length(cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a])));
        texture += static_cast<double>(std::abs(cross_of(minus(uvs[b], uvs[a]), minus(uvs[c], uvs[a]))));
    }
    const double scale =
        texture > 0 && extent > 0 ? std::sqrt(surface / texture) / static_cast<double>(extent) : 0;
    // Charts of next to no area say nothing about lengths.
    constexpr double kMost = 1e4;
    return {uvs[indices[0]], static_cast<float>(scale < kMost ? scale : 0)};
}

// The joints with the largest sums of weights over the corners, falling, equal sums by rising joint.
std::vector<std::uint16_t> strongest_joints(const EncodedInfluences& influences,
                                            std::span<const std::uint32_t> indices) {
    std::vector<std::pair<std::uint16_t, std::uint64_t>> sums;
    for (const std::uint32_t v : indices) {
        for (std::size_t s = std::size_t{v} * influences.stride; s < (std::size_t{v} + 1) * influences.stride;
             ++s) {
            if (influences.weights[s] == 0) continue;
            const std::uint16_t joint = influences.joints[s];
            auto found = std::ranges::find(sums, joint, &std::pair<std::uint16_t, std::uint64_t>::first);
            if (found == sums.end()) found = sums.insert(sums.end(), {joint, 0});
            found->second += influences.weights[s];
        }
    }
    std::ranges::sort(sums, [](const auto& a, const auto& b) {
        return a.second > b.second || (a.second == b.second && a.first < b.first);
    });
    // Weights sum to one, so a single bone says nothing and the last of a few follows from the others.
    std::vector<std::uint16_t> joints;
    for (std::size_t i = 0; i + 1 < sums.size() && i < kMostBones; ++i) joints.push_back(sums[i].first);
    return joints;
}

float weight_of(const EncodedInfluences& influences, std::uint32_t vertex, std::uint16_t joint) {
    const float full = influences.weight_bits == 8 ? 255.0F : 65535.0F;
    for (std::size_t s = std::size_t{vertex} * influences.stride;
         s < (std::size_t{vertex} + 1) * influences.stride; ++s) {
        if (influences.joints[s] == joint && influences.weights[s] != 0) {
            return static_cast<float>(influences.weights[s]) / full;
        }
    }
    return 0;
}

}  // namespace

AttributeLayout attribute_layout(const PreparedMesh& mesh, std::span<const std::uint32_t> indices,
                                 float extent, const AttributeWeights& weights) {
    AttributeLayout layout;
    layout.weights = weights;
    layout.normals = !mesh.normals.empty();
    layout.colors = !mesh.colors.empty();
    for (std::size_t s = 0; s < std::min(mesh.uv_sets.size(), kMostUvSets); ++s) {
        layout.uv_sets.push_back(uv_layout(mesh, mesh.uv_sets[s], indices, extent));
    }
    if (mesh.influences.stride > 0 && weights.bones > 0)
        layout.joints = strongest_joints(mesh.influences, indices);
    return layout;
}

void write_attributes(const PreparedMesh& mesh, const AttributeLayout& layout, std::uint32_t vertex,
                      std::span<float> row) {
    std::size_t at = 0;
    if (layout.normals) {
        const Float3 n = mesh.normals[vertex] * (kNormalWeight * layout.weights.normals);
        for (const float v : {n.x, n.y, n.z}) row[at++] = v;
    }
    for (std::size_t s = 0; s < layout.uv_sets.size(); ++s) {
        const AttributeLayout::UvSet& set = layout.uv_sets[s];
        const Float2 uv = minus(mesh.uv_sets[s][vertex], set.origin);
        row[at++] = uv.x * set.scale;
        row[at++] = uv.y * set.scale;
    }
    if (layout.colors) {
        const Float4 c = mesh.colors[vertex];
        for (const float v : {c.x, c.y, c.z, c.w}) row[at++] = v * kColorWeight;
    }
    for (const std::uint16_t joint : layout.joints)
        row[at++] = weight_of(mesh.influences, vertex, joint) * layout.weights.bones;
}

}  // namespace sinter
