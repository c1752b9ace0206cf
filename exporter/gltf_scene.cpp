#include "exporter/gltf_writer.hpp"

#include <fmt/format.h>

namespace sinter::gltf_out {
namespace {

Error misfit(std::string where, std::string_view what) {
    return {ErrorKind::Validation, std::move(where), std::string(what),
            "run sinter validate; cook the package again"};
}

// Nodes of copy c follow those of copy c - 1; after all of them one node a copy that moves it.
std::size_t node_in_copy(const Writer& out, std::size_t copy, std::size_t node) {
    return copy * out.manifest.nodes.size() + node;
}

// Nodes of the joints, in their order.
Result<std::vector<std::size_t>> joints_of(const manifest::ManifestT& manifest, std::size_t index) {
    const manifest::SkinT& skin = *manifest.skins[index];
    const std::string where = fmt::format("skin {}", index);
    if (skin.skeleton >= manifest.skeletons.size()) return misfit(where, "its skeleton is not there");
    const manifest::SkeletonT& skeleton = *manifest.skeletons[skin.skeleton];
    std::vector<std::size_t> out;
    for (const std::uint32_t bone : skin.bone_of_joint) {
        if (bone >= skeleton.bones.size()) return misfit(where, "a bone is not there");
        const std::int32_t node = skeleton.bones[bone]->node;
        if (node < 0 || static_cast<std::size_t>(node) >= manifest.nodes.size())
            return misfit(where, "the node of a bone is not there");
        out.push_back(static_cast<std::size_t>(node));
    }
    return out;
}

// bone_from_mesh has three rows, glTF wants four columns.
std::vector<float> columns_of(const std::vector<float>& binds) {
    std::vector<float> out;
    for (std::size_t first = 0; first + 12 <= binds.size(); first += 12) {
        for (std::size_t column = 0; column < 4; ++column) {
            for (std::size_t row = 0; row < 3; ++row) out.push_back(binds[first + row * 4 + column]);
            out.push_back(column == 3 ? 1.0F : 0.0F);
        }
    }
    return out;
}

Result<std::vector<std::vector<float>>> read_inverse_binds(const Writer& out) {
    std::vector<std::vector<float>> binds;
    for (std::size_t i = 0; i < out.manifest.skins.size(); ++i) {
        binds.emplace_back();
        if (out.manifest.skins[i]->bone_of_joint.empty()) continue;
        SINTER_TRY_ASSIGN(binds.back(), read_floats(out.package, SectionType::SkinInverseBinds, i));
        if (binds.back().size() != 12 * out.manifest.skins[i]->bone_of_joint.size())
            return misfit(fmt::format("skin {}", i), "it has not one inverse bind matrix a joint");
    }
    return binds;
}

// Copies have skins of their own, over their own joints; the matrices are shared.
Result<Unit> write_skins(Writer& out, const std::vector<std::vector<float>>& binds) {
    std::vector<Json> skins;
    std::vector<std::vector<std::size_t>> joints;
    for (std::size_t i = 0; i < out.manifest.skins.size(); ++i) {
        SINTER_TRY_ASSIGN(std::vector<std::size_t> nodes, joints_of(out.manifest, i));
        out.skins.push_back(nodes.empty() ? -1 : static_cast<std::int32_t>(skins.size()));
        if (nodes.empty()) continue;
        Json skin;
        if (!out.manifest.skins[i]->name.empty()) skin["name"] = out.manifest.skins[i]->name;
        skin["inverseBindMatrices"] = out.glb.add<float>({.type = "MAT4"}, 16, columns_of(binds[i]));
        skins.push_back(std::move(skin));
        joints.push_back(std::move(nodes));
    }
    out.skin_count = static_cast<std::uint32_t>(skins.size());
    for (std::size_t c = 0; c < out.copies.size(); ++c) {
        for (std::size_t i = 0; i < skins.size(); ++i) {
            Json skin = skins[i];
            if (c != 0 && skin.contains("name"))
                skin["name"] = skin["name"].get<std::string>() + out.copies[c].suffix;
            for (const std::size_t node : joints[i]) skin["joints"].push_back(node_in_copy(out, c, node));
            out.root["skins"].push_back(std::move(skin));
        }
    }
    return Unit{};
}

// Nodes that a clip moves must have their transform in parts.
std::vector<bool> animated_nodes(const manifest::ManifestT& manifest) {
    std::vector<bool> out(manifest.nodes.size());
    for (const auto& clip : manifest.clips) {
        for (const auto& track : clip->tracks) {
            const auto node = static_cast<std::size_t>(track->node);
            if (track->node >= 0 && node < out.size() && track->path != manifest::TrackPath::Weights)
                out[node] = true;
        }
    }
    return out;
}

void set_transform(Json& json, const manifest::NodeT& node, bool animated) {
    if (node.matrix.size() == 12 && !animated) {
        json["matrix"] = columns_of(node.matrix);
        return;
    }
    if (!node.translation || !node.rotation || !node.scale) return;
    const manifest::Float3& t = *node.translation;
    const manifest::Float4& r = *node.rotation;
    const manifest::Float3& s = *node.scale;
    if (t.x() != 0 || t.y() != 0 || t.z() != 0) json["translation"] = {t.x(), t.y(), t.z()};
    if (r.x() != 0 || r.y() != 0 || r.z() != 0 || r.w() != 1) json["rotation"] = {r.x(), r.y(), r.z(), r.w()};
    if (s.x() != 1 || s.y() != 1 || s.z() != 1) json["scale"] = {s.x(), s.y(), s.z()};
}

void set_mesh(Json& json, const Writer& out, std::size_t copy, const manifest::NodeT& node) {
    if (node.mesh < 0) return;
    const auto source = static_cast<std::size_t>(node.mesh);
    const std::int32_t mesh = out.meshes[copy][source];
    if (mesh < 0) return;
    json["mesh"] = mesh;
    if (!node.shape_weights.empty()) json["weights"] = node.shape_weights;
    if (node.skin < 0 || !out.manifest.meshes[source]->influences) return;
    const std::int32_t skin = out.skins[static_cast<std::size_t>(node.skin)];
    if (skin >= 0) json["skin"] = copy * out.skin_count + static_cast<std::size_t>(skin);
}

// Roots with something of the scene below them.
std::vector<std::size_t> scene_roots(const manifest::ManifestT& manifest) {
    std::vector<bool> shown;
    for (const auto& node : manifest.nodes) shown.push_back(node->in_scene);
    std::vector<std::size_t> out;
    for (std::size_t i = manifest.nodes.size(); i-- > 0;) {
        const std::int32_t parent = manifest.nodes[i]->parent;
        if (!shown[i]) continue;
        if (parent >= 0) shown[static_cast<std::size_t>(parent)] = true;
        else out.insert(out.begin(), i);
    }
    return out;
}

Result<Unit> check_nodes(const manifest::ManifestT& manifest) {
    const auto in = [](std::int32_t index, std::size_t count) {
        return index < 0 || static_cast<std::size_t>(index) < count;
    };
    for (std::size_t i = 0; i < manifest.nodes.size(); ++i) {
        const manifest::NodeT& node = *manifest.nodes[i];
        if (!in(node.parent, i) || !in(node.mesh, manifest.meshes.size()) ||
            !in(node.skin, manifest.skins.size()))
            return misfit(fmt::format("node {}", i), "its parent, mesh or skin is not there");
    }
    return Unit{};
}

void write_nodes(Writer& out) {
    const std::vector<bool> animated = animated_nodes(out.manifest);
    std::vector<Json> nodes;
    for (std::size_t c = 0; c < out.copies.size(); ++c) {
        for (std::size_t i = 0; i < out.manifest.nodes.size(); ++i) {
            const manifest::NodeT& node = *out.manifest.nodes[i];
            Json json = Json::object();
            if (!node.name.empty()) json["name"] = node.name + out.copies[c].suffix;
            set_transform(json, node, animated[i]);
            set_mesh(json, out, c, node);
            nodes.push_back(std::move(json));
        }
        for (std::size_t i = 0; i < out.manifest.nodes.size(); ++i) {
            const std::int32_t parent = out.manifest.nodes[i]->parent;
            if (parent < 0) continue;
            nodes[node_in_copy(out, c, static_cast<std::size_t>(parent))]["children"].push_back(
                node_in_copy(out, c, i));
        }
    }
    if (!nodes.empty()) out.root["nodes"] = std::move(nodes);
}

}  // namespace

Result<Unit> write_scene(Writer& out) {
    SINTER_TRY(check_nodes(out.manifest));
    SINTER_TRY_ASSIGN(const auto binds, read_inverse_binds(out));
    SINTER_TRY(write_skins(out, binds));
    write_nodes(out);
    const std::vector<std::size_t> roots = scene_roots(out.manifest);
    if (roots.empty()) return Unit{};
    Json scene;
    scene["nodes"] = roots;
    const double spacing = out.copies.size() > 1 ? spacing_of(out.manifest, binds) : 0;
    for (std::size_t c = 1; c < out.copies.size(); ++c) {
        Json holder;
        holder["name"] = out.copies[c].name;
        holder["translation"] = {static_cast<float>(spacing * static_cast<double>(c)), 0, 0};
        for (const std::size_t root : roots) holder["children"].push_back(node_in_copy(out, c, root));
        scene["nodes"].push_back(out.root["nodes"].size());
        out.root["nodes"].push_back(std::move(holder));
    }
    out.root["scenes"].push_back(std::move(scene));
    out.root["scene"] = 0;
    return Unit{};
}

}  // namespace sinter::gltf_out
