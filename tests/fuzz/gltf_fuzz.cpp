#include "tests/fuzz/gltf_fuzz.hpp"

#include "tests/support/gltf_builder.hpp"

#include <algorithm>
#include <cstdlib>

namespace sinter::test {
namespace {

void promise(bool kept) {
    if (!kept) std::abort();
}

bool in_range(std::int32_t index, std::size_t count) {
    return index == kNone || (index >= 0 && static_cast<std::size_t>(index) < count);
}

template <typename T>
void per_vertex(const std::vector<T>& values, const Primitive& primitive) {
    promise(values.empty() || values.size() == primitive.vertex_count());
}

void check_primitive(const Primitive& primitive, const Mesh& mesh, const Scene& scene) {
    promise(in_range(primitive.material, scene.materials.size()));
    promise(primitive.indices.size() % 3 == 0);
    for (const std::uint32_t index : primitive.indices) promise(index < primitive.vertex_count());
    per_vertex(primitive.normals, primitive);
    per_vertex(primitive.tangents, primitive);
    per_vertex(primitive.colors, primitive);
    for (const auto& set : primitive.uv_sets) per_vertex(set, primitive);
    const auto& offsets = primitive.influence_offsets;
    promise(offsets.empty() ||
            (offsets.size() == primitive.vertex_count() + 1 && offsets.front() == 0 &&
             offsets.back() == primitive.influences.size() && std::ranges::is_sorted(offsets)));
    promise(primitive.shape_frames.size() == mesh.shapes.size());
    for (const ShapeDeltas& deltas : primitive.shape_frames) {
        per_vertex(deltas.positions, primitive);
        per_vertex(deltas.normals, primitive);
        per_vertex(deltas.tangents, primitive);
    }
}

void check_nodes(const Scene& scene) {
    for (const Node& node : scene.nodes) {
        promise(in_range(node.parent, scene.nodes.size()));
        promise(in_range(node.mesh, scene.meshes.size()));
        promise(in_range(node.skin, scene.skins.size()));
        promise(node.shape_weights.empty() ||
                (node.mesh != kNone && node.shape_weights.size() ==
                                           scene.meshes[static_cast<std::size_t>(node.mesh)].shapes.size()));
        std::size_t steps = 0;
        for (std::int32_t at = node.parent; at != kNone;
             at = scene.nodes[static_cast<std::size_t>(at)].parent) {
            promise(++steps < scene.nodes.size());
        }
    }
    for (const Skin& skin : scene.skins) {
        promise(skin.joints.size() == skin.bone_from_mesh.size());
        for (const std::int32_t joint : skin.joints)
            promise(joint != kNone && in_range(joint, scene.nodes.size()));
    }
}

void check_clips(const Scene& scene) {
    for (const Clip& clip : scene.clips) {
        promise(clip.start_s <= clip.end_s);
        for (const Channel& channel : clip.channels) {
            promise(channel.node != kNone && in_range(channel.node, scene.nodes.size()));
            const std::size_t parts = channel.interpolation == Interpolation::CubicSpline ? 3 : 1;
            promise(channel.values.size() == channel.times.size() * channel.components * parts);
        }
    }
}

}  // namespace

void fuzz_gltf(std::span<const std::byte> bytes) {
    Bytes asset(bytes.begin(), bytes.end());
    const auto zero = std::ranges::find(asset, std::byte{0});
    const bool is_glb = bytes.size() >= 4 && std::memcmp(bytes.data(), "glTF", 4) == 0;
    if (!is_glb && zero != asset.end()) {
        std::string json(reinterpret_cast<const char*>(asset.data()),
                         static_cast<std::size_t>(zero - asset.begin()));
        asset = GltfBuilder::glb_of(std::move(json), Bytes(zero + 1, asset.end()));
    }
    Issues issues;
    const auto scene = import_bytes(std::move(asset), issues, "/nonexistent/fuzz.glb");
    if (!scene) {
        promise(!scene.error().message.empty());
        return;
    }
    for (const Mesh& mesh : scene->meshes) {
        for (const Primitive& primitive : mesh.primitives) check_primitive(primitive, mesh, *scene);
    }
    check_nodes(*scene);
    check_clips(*scene);
}

}  // namespace sinter::test
