#include "cooker/import/check.hpp"

#include "cooker/import/check_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <set>

namespace sinter {
namespace check {

std::string place(std::string_view noun, std::size_t index, std::string_view name) {
    return name.empty() ? fmt::format("{} {}", noun, index) : fmt::format("{} {} '{}'", noun, index, name);
}

Error refusal(const Scene& scene, IssueCode code, std::string_view where, std::string message,
              std::string remedy) {
    std::string full =
        scene.source.name.empty() ? std::string(where) : fmt::format("{}: {}", scene.source.name, where);
    return {ErrorKind::InvalidInput, std::move(full), std::move(message), std::move(remedy),
            static_cast<std::uint16_t>(code)};
}

bool normalize_rotation(float* xyzw, double& length) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<double>(xyzw[i]) * static_cast<double>(xyzw[i]);
    length = std::sqrt(sum);
    if (!(length > 0)) return false;
    constexpr double kRounding = 1.0 / (1 << 22);  // what rounding a unit quaternion to float may leave
    if (std::abs(length - 1) <= kRounding) return true;
    for (int i = 0; i < 4; ++i) xyzw[i] = static_cast<float>(static_cast<double>(xyzw[i]) / length);
    return true;
}

namespace {

std::string node_place(const Scene& scene, std::size_t node) {
    return place("node", node, scene.nodes[node].name);
}

Error index_refusal(const Scene& scene, const std::string& where, std::string_view what, std::int64_t seen,
                    std::size_t count) {
    return refusal(scene, IssueCode::IndexOutOfRange, where,
                   fmt::format("{} {} is out of range, there are {}", what, seen, count),
                   "export the file again");
}

bool out_of_range(std::int32_t index, std::size_t count) {
    return index < kNone || (index >= 0 && static_cast<std::size_t>(index) >= count);
}

bool finite(const Trs& t) {
    return is_finite(t.translation) && is_finite(t.scale) && std::isfinite(t.rotation.x) &&
           std::isfinite(t.rotation.y) && std::isfinite(t.rotation.z) && std::isfinite(t.rotation.w);
}

bool finite(const Mat3x4& matrix) {
    return std::ranges::all_of(matrix.m, [](float value) { return std::isfinite(value); });
}

Result<Unit> check_node_references(const Scene& scene) {
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        const auto refuse = [&](std::string_view what, std::int32_t seen, std::size_t count) {
            return index_refusal(scene, node_place(scene, i), what, seen, count);
        };
        if (out_of_range(node.parent, scene.nodes.size()))
            return refuse("parent", node.parent, scene.nodes.size());
        if (out_of_range(node.mesh, scene.meshes.size()))
            return refuse("mesh", node.mesh, scene.meshes.size());
        if (out_of_range(node.skin, scene.skins.size())) return refuse("skin", node.skin, scene.skins.size());
        if (!finite(node.local) || (node.local_matrix && !finite(*node.local_matrix))) {
            return refusal(scene, IssueCode::NonFiniteAttribute, node_place(scene, i),
                           "the node's transform has a value that is not finite",
                           "correct the node's transform");
        }
    }
    return Unit{};
}

// Kahn's algorithm with the smallest index first: nodes that already stand parents first stay where they are.
// Arthur B. Kahn, Topological sorting of large networks, 1962.
Result<std::vector<std::size_t>> parents_first(const Scene& scene) {
    std::vector<std::vector<std::size_t>> children(scene.nodes.size());
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].parent == kNone) ready.push(i);
        else children[static_cast<std::size_t>(scene.nodes[i].parent)].push_back(i);
    }
    std::vector<std::size_t> order;
    std::vector<bool> placed(scene.nodes.size(), false);
    while (!ready.empty()) {
        const std::size_t node = ready.top();
        ready.pop();
        placed[node] = true;
        order.push_back(node);
        for (const std::size_t child : children[node]) ready.push(child);
    }
    if (order.size() == scene.nodes.size()) return order;
    // Every node that is left has an ancestor on a cycle: as many steps up as there are nodes end on it.
    auto at = static_cast<std::size_t>(std::ranges::find(placed, false) - placed.begin());
    const auto up = [&](std::size_t node) { return static_cast<std::size_t>(scene.nodes[node].parent); };
    for (std::size_t step = 0; step < scene.nodes.size(); ++step) at = up(at);
    for (std::size_t node = up(at), first = at; node != first; node = up(node)) at = std::min(at, node);
    return refusal(scene, IssueCode::NodeCycle, node_place(scene, at), "the node is its own ancestor",
                   "remove the cycle from the node hierarchy");
}

void reorder(Scene& scene, const std::vector<std::size_t>& order) {
    std::vector<std::int32_t> moved(order.size());
    std::vector<Node> nodes;
    nodes.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        moved[order[i]] = static_cast<std::int32_t>(i);
        nodes.push_back(std::move(scene.nodes[order[i]]));
    }
    // Indices that are out of range stay as they are: their own checks refuse them.
    const auto remap = [&](std::int32_t& node) {
        if (node >= 0 && static_cast<std::size_t>(node) < moved.size())
            node = moved[static_cast<std::size_t>(node)];
    };
    for (Node& node : nodes) remap(node.parent);
    for (Skin& skin : scene.skins) std::ranges::for_each(skin.joints, remap);
    for (Clip& clip : scene.clips) {
        for (Channel& channel : clip.channels) remap(channel.node);
    }
    scene.nodes = std::move(nodes);
}

void repair_rotations(Scene& scene, Issues& issues) {
    Tally zero, off;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        Quat& q = scene.nodes[i].local.rotation;
        float xyzw[4] = {q.x, q.y, q.z, q.w};
        double length = 0;
        if (!normalize_rotation(xyzw, length)) {
            q = {0, 0, 0, 1};
            zero.add([&] { return node_place(scene, i); });
            continue;
        }
        q = {xyzw[0], xyzw[1], xyzw[2], xyzw[3]};
        if (std::abs(length - 1) > kRotationLengthTolerance) off.add([&] { return node_place(scene, i); });
    }
    zero.tell(issues, IssueCode::ZeroLengthRotation,
              "{n} node rotations have length 0; taken as no rotation");
    off.tell(
        issues, IssueCode::UnnormalizedRotations,
        fmt::format("{{n}} node rotations are not unit quaternions (length off by more than {}); normalised",
                    kRotationLengthTolerance));
}

void repair_shape_weights(Scene& scene, Issues& issues) {
    Tally count, non_finite;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        Node& node = scene.nodes[i];
        const std::vector<BlendShape> none;
        const auto& shapes =
            node.mesh == kNone ? none : scene.meshes[static_cast<std::size_t>(node.mesh)].shapes;
        if (!node.shape_weights.empty() && node.shape_weights.size() != shapes.size()) {
            count.add([&] { return node_place(scene, i); });
            for (std::size_t k = node.shape_weights.size(); k < shapes.size(); ++k) {
                node.shape_weights.push_back(shapes[k].default_weight);
            }
            node.shape_weights.resize(shapes.size());
        }
        for (float& weight : node.shape_weights) {
            if (std::isfinite(weight)) continue;
            non_finite.add([&] { return node_place(scene, i); });
            weight = 0;
        }
    }
    count.tell(issues, IssueCode::RepairedSource,
               "{n} nodes have another number of blend-shape weights than their mesh has shapes; cut, or "
               "filled with the mesh's defaults");
    non_finite.tell(issues, IssueCode::NonFiniteAttribute,
                    "{n} blend-shape weights of nodes are not finite; set to 0");
}

}  // namespace

Result<Unit> check_nodes(Scene& scene, Issues& issues) {
    SINTER_TRY(check_node_references(scene));
    SINTER_TRY_ASSIGN(const std::vector<std::size_t> order, parents_first(scene));
    if (!std::ranges::is_sorted(order)) reorder(scene, order);
    Tally skin_only;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        Node& node = scene.nodes[i];
        if (node.skin == kNone || node.mesh != kNone) continue;
        node.skin = kNone;
        skin_only.add([&] { return node_place(scene, i); });
    }
    skin_only.tell(issues, IssueCode::IgnoredContent,
                   "{n} nodes have a skin but no mesh; the skin is not used there");
    repair_rotations(scene, issues);
    repair_shape_weights(scene, issues);
    return Unit{};
}

namespace {

// Singular whatever the units: the volume of the column vectors against the product of their lengths.
bool is_singular(const Mat3x4& matrix) {
    double columns[3][3];
    double product = 1;
    for (int c = 0; c < 3; ++c) {
        double sum = 0;
        for (int r = 0; r < 3; ++r) {
            columns[c][r] = static_cast<double>(matrix.at(r, c));
            sum += columns[c][r] * columns[c][r];
        }
        product *= std::sqrt(sum);
    }
    const auto& [a, b, c] = columns;
    const double volume = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                          a[2] * (b[0] * c[1] - b[1] * c[0]);
    constexpr double kFlat =
        1e-6;  // a right-angled frame has 1; float matrices of flat ones leave about 1e-7
    return !(std::abs(volume) > kFlat * product);
}

Result<Unit> check_skin(Scene& scene, std::size_t index, Issues& issues) {
    Skin& skin = scene.skins[index];
    const std::string where = place("skin", index, skin.name);
    if (skin.joints.empty()) {
        return refusal(scene, IssueCode::JointOutOfRange, where, "the skin has no joints",
                       "remove the skin or give it joints");
    }
    if (skin.joints.size() > kMaxJoints) {
        return Error{ErrorKind::Limit, scene.source.name.empty() ? where : scene.source.name + ": " + where,
                     fmt::format("{} joints, at most {} are possible", skin.joints.size(), kMaxJoints),
                     "split the skin", static_cast<std::uint16_t>(IssueCode::JointOutOfRange)};
    }
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        if (skin.joints[j] >= 0 && static_cast<std::size_t>(skin.joints[j]) < scene.nodes.size()) continue;
        return refusal(
            scene, IssueCode::JointOutOfRange, fmt::format("{}, joint {}", where, j),
            fmt::format("node {} is out of range, there are {}", skin.joints[j], scene.nodes.size()),
            "export the file again");
    }
    if (skin.bone_from_mesh.empty()) skin.bone_from_mesh.resize(skin.joints.size());
    if (skin.bone_from_mesh.size() != skin.joints.size()) {
        return refusal(scene, IssueCode::IndexOutOfRange, where,
                       fmt::format("{} inverse bind matrices for {} joints", skin.bone_from_mesh.size(),
                                   skin.joints.size()),
                       "export the file again");
    }
    Tally singular;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        const auto joint_place = [&] { return fmt::format("{}, joint {}", where, j); };
        if (!finite(skin.bone_from_mesh[j])) {
            return refusal(scene, IssueCode::NonFiniteAttribute, joint_place(),
                           "the inverse bind matrix has a value that is not finite", "bind the mesh again");
        }
        if (is_singular(skin.bone_from_mesh[j])) singular.add(joint_place);
    }
    singular.tell(issues, IssueCode::SingularBindMatrix,
                  "{n} inverse bind matrices are singular and flatten what they move; kept as they are, "
                  "bind the mesh again if it looks wrong");
    return Unit{};
}

// The first joint of the skin without another joint of it above: where a vertex that names no joint belongs.
std::uint32_t root_joint(const Scene& scene, const Skin& skin) {
    std::vector<bool> joint(scene.nodes.size(), false), below(scene.nodes.size(), false);
    for (const std::int32_t node : skin.joints) joint[static_cast<std::size_t>(node)] = true;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {  // parents come first
        if (scene.nodes[i].parent == kNone) continue;
        const auto parent = static_cast<std::size_t>(scene.nodes[i].parent);
        below[i] = joint[parent] || below[parent];
    }
    const auto root = std::ranges::find_if(
        skin.joints, [&](std::int32_t j) { return !below[static_cast<std::size_t>(j)]; });
    return static_cast<std::uint32_t>(root - skin.joints.begin());
}

}  // namespace

Result<Unit> check_skins(Scene& scene, Issues& issues) {
    for (std::size_t i = 0; i < scene.skins.size(); ++i) SINTER_TRY(check_skin(scene, i, issues));
    return Unit{};
}

std::vector<MeshUse> mesh_uses(const Scene& scene) {
    std::vector<MeshUse> uses(scene.meshes.size());
    for (const Node& node : scene.nodes) {
        if (node.mesh == kNone) continue;
        MeshUse& use = uses[static_cast<std::size_t>(node.mesh)];
        use.drawn = true;
        if (node.skin == kNone) continue;
        const Skin& skin = scene.skins[static_cast<std::size_t>(node.skin)];
        if (!use.skinned) use.root_joint = root_joint(scene, skin);
        use.joint_limit = use.skinned ? std::min(use.joint_limit, skin.joints.size()) : skin.joints.size();
        use.skinned = true;
    }
    // A mesh that nothing draws may belong to any skin: its joints must fit into one of them.
    std::size_t most = 0;
    for (const Skin& skin : scene.skins) most = std::max(most, skin.joints.size());
    for (MeshUse& use : uses) {
        if (!use.drawn) use.joint_limit = most;
    }
    return uses;
}

void check_materials(Scene& scene, Issues& issues) {
    Tally repaired;
    const Material fresh;
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        Material& material = scene.materials[i];
        const auto repair = [&](float& value, float otherwise) {
            if (std::isfinite(value)) return;
            value = otherwise;
            repaired.add([&] { return place("material", i, material.name); });
        };
        for (float* value :
             {&material.base_color.x, &material.base_color.y, &material.base_color.z, &material.base_color.w})
            repair(*value, 1);
        for (float* value : {&material.emissive.x, &material.emissive.y, &material.emissive.z})
            repair(*value, 0);
        repair(material.metallic, fresh.metallic);
        repair(material.roughness, fresh.roughness);
        repair(material.alpha_cutoff, fresh.alpha_cutoff);
    }
    repaired.tell(issues, IssueCode::NonFiniteAttribute,
                  "{n} material factors are not finite; set to their defaults");
}

namespace {

// Names are only told about: nothing inside refers by name.
void tell_names(std::string_view noun, const std::vector<std::pair<std::size_t, const std::string*>>& names,
                Issues& issues) {
    const std::string nouns = noun == "mesh" ? "meshes" : fmt::format("{}s", noun);
    Tally missing, doubled;
    std::set<std::string_view> seen;
    for (const auto& [index, name] : names) {
        if (name->empty()) missing.add([&] { return place(noun, index, ""); });
        else if (!seen.insert(*name).second) doubled.add([&] { return place(noun, index, *name); });
    }
    missing.tell(issues, IssueCode::MissingNames,
                 fmt::format("{{n}} of {} {} have no name; kept, addressed by index", names.size(), nouns));
    doubled.tell(issues, IssueCode::DuplicateNames,
                 fmt::format("{{n}} of {} {} have the name of an earlier one; kept, addressed by index",
                             names.size(), nouns));
}

template <typename T>
std::vector<std::pair<std::size_t, const std::string*>> names_of(const std::vector<T>& things) {
    std::vector<std::pair<std::size_t, const std::string*>> names;
    for (std::size_t i = 0; i < things.size(); ++i) names.emplace_back(i, &things[i].name);
    return names;
}

}  // namespace

void check_names(const Scene& scene, Issues& issues) {
    tell_names("node", names_of(scene.nodes), issues);
    tell_names("mesh", names_of(scene.meshes), issues);
    tell_names("material", names_of(scene.materials), issues);
    tell_names("clip", names_of(scene.clips), issues);
    std::set<std::int32_t> joints;
    for (const Skin& skin : scene.skins) joints.insert(skin.joints.begin(), skin.joints.end());
    std::vector<std::pair<std::size_t, const std::string*>> bones;
    for (const std::int32_t joint : joints) {
        const auto node = static_cast<std::size_t>(joint);
        bones.emplace_back(node, &scene.nodes[node].name);
    }
    tell_names("bone", bones, issues);
}

}  // namespace check

Result<Scene> check_scene(Scene scene, Issues& issues) {
    SINTER_TRY(check::check_nodes(scene, issues));
    SINTER_TRY(check::check_skins(scene, issues));
    const std::vector<check::MeshUse> uses = check::mesh_uses(scene);
    check::Tally undrawn;
    std::uint64_t triangles = 0;
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
        SINTER_TRY(check::check_mesh(scene, i, uses[i], issues));
        if (!uses[i].drawn) undrawn.add([&] { return check::place("mesh", i, scene.meshes[i].name); });
        for (const Primitive& primitive : scene.meshes[i].primitives)
            triangles += primitive.indices.size() / 3;
    }
    undrawn.tell(issues, IssueCode::UninstancedMesh, "{n} meshes stand under no node; kept all the same");
    if (triangles == 0) {
        issues.add(IssueCode::NoTriangles, scene.source.name,
                   "the file has no triangles; the package has no surface");
    }
    for (std::size_t i = 0; i < scene.clips.size(); ++i) SINTER_TRY(check::check_clip(scene, i, issues));
    check::check_materials(scene, issues);
    check::check_names(scene, issues);
    return scene;
}

}  // namespace sinter
