#include "cooker/import/gltf/accessor.hpp"
#include "cooker/import/gltf/decompose.hpp"
#include "cooker/import/gltf/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinter::gltf {
namespace {

Error cycle_error(std::string pointer, std::string message) {
    Error error =
        invalid(std::move(pointer), std::move(message), "every node may be the child of one node at most");
    error.code = static_cast<std::uint16_t>(IssueCode::NodeCycle);
    return error;
}

Result<bool> read_matrix(Document& document, const JsonAt& at, const std::string& subject, Node& node) {
    std::array<float, 16> m{};
    SINTER_TRY_ASSIGN(const bool found, floats_member(at, "matrix", m));
    if (!found) return false;
    constexpr float kAffine = 1e-5F;  // what rounding in exporters leaves in the last row
    if (std::abs(m[3]) > kAffine || std::abs(m[7]) > kAffine || std::abs(m[11]) > kAffine ||
        std::abs(m[15] - 1) > kAffine) {
        return invalid(at.pointer + "/matrix",
                       fmt::format("has the last row ({}, {}, {}, {}), but must be affine with "
                                   "(0, 0, 0, 1)",
                                   m[3], m[7], m[11], m[15]));
    }
    const Decomposed parts =
        decompose({m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10], m[12], m[13], m[14]});
    node.local = parts.trs;
    if (!parts.exact) {
        node.local_matrix =
            Mat3x4{{m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14]}};
        document.issues->add(IssueCode::ShearedNode, subject,
                             "the node's matrix has shear or a zero axis; it was kept as a matrix");
    }
    return true;
}

Result<Unit> read_trs(const JsonAt& at, Node& node) {
    std::array<float, 3> t = {0, 0, 0};
    std::array<float, 4> r = {0, 0, 0, 1};
    std::array<float, 3> s = {1, 1, 1};
    SINTER_TRY(floats_member(at, "translation", t));
    SINTER_TRY(floats_member(at, "rotation", r));
    SINTER_TRY(floats_member(at, "scale", s));
    node.local = {{t[0], t[1], t[2]}, {r[0], r[1], r[2], r[3]}, {s[0], s[1], s[2]}};
    return Unit{};
}

Result<Unit> read_shape_weights(Document& document, const JsonAt& at, const Scene& scene,
                                const std::string& subject, Node& node) {
    SINTER_TRY_ASSIGN(node.shape_weights, float_list(at, "weights"));
    const std::size_t shapes =
        node.mesh == kNone ? 0 : scene.meshes[static_cast<std::size_t>(node.mesh)].shapes.size();
    if (node.shape_weights.empty() || node.shape_weights.size() == shapes) return Unit{};
    document.issues->add(
        IssueCode::RepairedSource, subject,
        fmt::format("\"weights\" has {} numbers for {} morph targets; the rest were left out or 0",
                    node.shape_weights.size(), shapes));
    node.shape_weights.resize(shapes);
    return Unit{};
}

Result<Node> read_node(Document& document, const JsonAt& at, std::size_t index, const Scene& scene) {
    Node node;
    SINTER_TRY_ASSIGN(node.name, string_member(at, "name"));
    const std::string subject = subject_of("node", index, node.name);
    SINTER_TRY_ASSIGN(const auto mesh, index_member(at, "mesh", scene.meshes.size(), "mesh"));
    SINTER_TRY_ASSIGN(const auto skin, index_member(at, "skin", top_count(document, "skins"), "skin"));
    if (mesh) node.mesh = static_cast<std::int32_t>(*mesh);
    if (skin) node.skin = static_cast<std::int32_t>(*skin);
    SINTER_TRY_ASSIGN(const bool has_matrix, read_matrix(document, at, subject, node));
    if (!has_matrix) {
        SINTER_TRY(read_trs(at, node));
    }
    SINTER_TRY(read_shape_weights(document, at, scene, subject, node));
    return node;
}

Result<Unit> read_children(const JsonAt& at, std::size_t index, Scene& scene) {
    SINTER_TRY_ASSIGN(const JsonAt children, array_member(at, "children"));
    for (std::size_t k = 0; k < children.size(); ++k) {
        const JsonAt child_at = element(children, k);
        SINTER_TRY_ASSIGN(const std::uint32_t child, index_of(child_at, scene.nodes.size(), "node"));
        std::int32_t& parent = scene.nodes[child].parent;
        if (parent != kNone) {
            return cycle_error(child_at.pointer, fmt::format("node {} is a child of node {} and of node {}",
                                                             child, parent, index));
        }
        parent = static_cast<std::int32_t>(index);
    }
    return Unit{};
}

// With one parent each, a cycle is a walk upwards that meets its own track.
Result<Unit> check_cycles(const Scene& scene) {
    constexpr std::int32_t kUnseen = -1;
    std::vector<std::int32_t> seen_by(scene.nodes.size(), kUnseen);
    for (std::size_t start = 0; start < scene.nodes.size(); ++start) {
        auto at = static_cast<std::int32_t>(start);
        while (at != kNone && seen_by[static_cast<std::size_t>(at)] == kUnseen) {
            seen_by[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(start);
            at = scene.nodes[static_cast<std::size_t>(at)].parent;
        }
        if (at != kNone && seen_by[static_cast<std::size_t>(at)] == static_cast<std::int32_t>(start)) {
            return cycle_error(fmt::format("/nodes/{}", at), fmt::format("node {} is its own ancestor", at));
        }
    }
    return Unit{};
}

Result<Unit> read_bind_matrices(Document& document, const JsonAt& at, Skin& skin) {
    skin.bone_from_mesh.resize(skin.joints.size());
    SINTER_TRY_ASSIGN(const auto index,
                      index_member(at, "inverseBindMatrices", top_count(document, "accessors"), "accessor"));
    if (!index) return Unit{};
    SINTER_TRY_ASSIGN(const Accessor accessor, read_accessor(document, *index));
    SINTER_TRY(
        check_type(accessor, {.rows = {4, 0}, .columns = 4, .types = kFloatOnly}, "inverseBindMatrices"));
    if (accessor.count < skin.joints.size()) {
        return invalid(at.pointer + "/inverseBindMatrices",
                       fmt::format("has {} matrices ({}) for {} joints", accessor.count, accessor.pointer,
                                   skin.joints.size()));
    }
    SINTER_TRY_ASSIGN(const std::vector<float> values, decode_floats(document, accessor));
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 4; ++column) {
                skin.bone_from_mesh[j].at(row, column) =
                    values[j * 16 + static_cast<std::size_t>(column * 4 + row)];
            }
        }
    }
    return Unit{};
}

Result<Skin> read_skin(Document& document, const JsonAt& at, const Scene& scene) {
    Skin skin;
    SINTER_TRY_ASSIGN(skin.name, string_member(at, "name"));
    SINTER_TRY_ASSIGN(const JsonAt joints, array_member(at, "joints"));
    if (joints.size() == 0)
        return invalid(at.pointer, "has no \"joints\", but a skin must have one at least");
    skin.joints.reserve(joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j) {
        SINTER_TRY_ASSIGN(const std::uint32_t node, index_of(element(joints, j), scene.nodes.size(), "node"));
        skin.joints.push_back(static_cast<std::int32_t>(node));
    }
    SINTER_TRY(read_bind_matrices(document, at, skin));
    return skin;
}

Result<std::vector<std::uint32_t>> shown_roots(Document& document, const Scene& scene) {
    SINTER_TRY_ASSIGN(const JsonAt scenes, top_array(document, "scenes"));
    SINTER_TRY_ASSIGN(const auto shown, index_member(document.root(), "scene", scenes.size(), "scene"));
    std::vector<std::uint32_t> roots;
    if (scenes.size() == 0) {
        for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
            if (scene.nodes[n].parent == kNone) roots.push_back(static_cast<std::uint32_t>(n));
        }
        return roots;
    }
    SINTER_TRY_ASSIGN(const JsonAt at, object_element(scenes, shown.value_or(0)));
    SINTER_TRY_ASSIGN(const JsonAt nodes, array_member(at, "nodes"));
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        SINTER_TRY_ASSIGN(const std::uint32_t root, index_of(element(nodes, k), scene.nodes.size(), "node"));
        roots.push_back(root);
    }
    return roots;
}

}  // namespace

Result<Unit> read_nodes(Document& document, Scene& scene) {
    SINTER_TRY_ASSIGN(const JsonAt list, top_array(document, "nodes"));
    scene.nodes.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        SINTER_TRY_ASSIGN(const JsonAt at, object_element(list, i));
        SINTER_TRY_ASSIGN(Node node, read_node(document, at, i, scene));
        scene.nodes.push_back(std::move(node));
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        SINTER_TRY(read_children(element(list, i), i, scene));
    }
    return check_cycles(scene);
}

Result<Unit> read_skins(Document& document, Scene& scene) {
    SINTER_TRY_ASSIGN(const JsonAt list, top_array(document, "skins"));
    scene.skins.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        SINTER_TRY_ASSIGN(const JsonAt at, object_element(list, i));
        SINTER_TRY_ASSIGN(Skin skin, read_skin(document, at, scene));
        scene.skins.push_back(std::move(skin));
    }
    return Unit{};
}

Result<Unit> read_shown_scene(Document& document, Scene& scene) {
    SINTER_TRY_ASSIGN(std::vector<std::uint32_t> open, shown_roots(document, scene));
    std::vector<std::vector<std::uint32_t>> children(scene.nodes.size());
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        scene.nodes[n].in_scene = false;
        const std::int32_t parent = scene.nodes[n].parent;
        if (parent != kNone)
            children[static_cast<std::size_t>(parent)].push_back(static_cast<std::uint32_t>(n));
    }
    while (!open.empty()) {
        Node& node = scene.nodes[open.back()];
        const std::vector<std::uint32_t>& below = children[open.back()];
        open.pop_back();
        if (node.in_scene) continue;
        node.in_scene = true;
        open.insert(open.end(), below.begin(), below.end());
    }
    return Unit{};
}

}  // namespace sinter::gltf
