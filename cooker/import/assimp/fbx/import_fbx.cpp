#include "cooker/import/assimp/fbx/import_fbx.hpp"

#include "cooker/import/assimp/basis.hpp"
#include "cooker/import/assimp/fbx/animation.hpp"
#include "cooker/import/assimp/fbx/material.hpp"
#include "cooker/import/assimp/fbx/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sinter::fbx {
namespace {

// How far the places may lie apart at which two clusters bind the mesh, relative to its size.
constexpr double kBindTolerance = 1e-4;

constexpr std::int32_t kOnPath = -2;  // a model whose ancestors are being looked at

class SceneBuilder {
public:
    SceneBuilder(const Document& document, const Objects& objects, SourceFiles& files, Issues& issues)
        : document_(document),
          objects_(objects),
          files_(files),
          issues_(issues),
          file_name_(files.asset().filename().string()) {}

    Result<Scene> build() {
        SINTER_TRY(add_nodes());
        for (const std::size_t object : objects_.of_kind("Material")) {
            material_of_object_[object] = static_cast<std::int32_t>(scene_.materials.size());
            scene_.materials.push_back(read_material(objects_, object, files_, issues_));
        }
        for (const std::size_t object : objects_.of_kind("Geometry")) {
            if (objects_.list()[object].subtype == "Mesh") SINTER_TRY(add_mesh(object));
        }
        scene_.clips = read_clips(objects_, document_, models_, frame_rate(), issues_);
        return std::move(scene_);
    }

private:
    [[nodiscard]] const Node* global_properties() const {
        const Node* settings = document_.root.find("GlobalSettings");
        return settings == nullptr ? nullptr : settings->find("Properties70");
    }
    [[nodiscard]] double frame_rate() const { return frame_rate_of(global_properties()); }

    Error refuse(std::size_t object, std::string message, IssueCode code) const {
        return {ErrorKind::InvalidInput, fmt::format("{}: {}", file_name_, describe(objects_.list()[object])),
                std::move(message), "export the file again", static_cast<std::uint16_t>(code)};
    }

    // The first Model (or the scene) that a Model hangs under.
    [[nodiscard]] std::optional<std::size_t> parent_of(std::size_t model) const {
        for (const Link& link : objects_.targets_of(model)) {
            if (!link.property.empty()) continue;
            if (link.object == kRootObject || objects_.list()[link.object].kind == "Model")
                return link.object;
        }
        return std::nullopt;
    }

    Result<Unit> add_nodes() {
        const std::vector<std::size_t> objects = objects_.of_kind("Model");
        for (const std::size_t object : objects) {
            model_of_object_[object] = models_.size();
            AnimatedModel& model = models_.emplace_back();
            model.object = object;
            model.node = static_cast<std::int32_t>(model_of_object_[object]);
            model.pose = pose_of(objects_, object);
        }
        std::vector<bool> under_root(models_.size(), false);
        for (std::size_t i = 0; i < models_.size(); ++i) {
            const std::optional<std::size_t> parent = parent_of(models_[i].object);
            under_root[i] = parent == kRootObject;
            if (parent && *parent != kRootObject) {
                models_[i].parent = static_cast<std::int32_t>(model_of_object_.at(*parent));
            }
        }
        SINTER_TRY(check_tree());
        for (std::size_t i = 0; i < models_.size(); ++i) {
            warn_about_inherited_scale(i);
            ::sinter::Node& node = scene_.nodes.emplace_back();
            node.name = objects_.list()[models_[i].object].name;
            node.parent = models_[i].parent;
            node.local = to_float(rest_local(models_, i));
            std::size_t root = i;
            while (models_[root].parent >= 0) root = static_cast<std::size_t>(models_[root].parent);
            node.in_scene = under_root[root];
        }
        return Unit{};
    }

    // Refuses a hierarchy that goes round or too deep.
    Result<Unit> check_tree() const {
        std::vector<std::int32_t> depth(models_.size(), -1);
        for (std::size_t i = 0; i < models_.size(); ++i) {
            std::vector<std::size_t> path;
            auto at = static_cast<std::int32_t>(i);
            while (at >= 0 && depth[static_cast<std::size_t>(at)] == -1) {
                depth[static_cast<std::size_t>(at)] = kOnPath;
                path.push_back(static_cast<std::size_t>(at));
                at = models_[static_cast<std::size_t>(at)].parent;
            }
            std::int32_t above = at < 0 ? 0 : depth[static_cast<std::size_t>(at)];
            if (above == kOnPath) {
                return refuse(models_[static_cast<std::size_t>(at)].object,
                              "is its own ancestor: nodes must form a tree", IssueCode::NodeCycle);
            }
            std::ranges::reverse(path);
            for (const std::size_t model : path) depth[model] = ++above;
            if (above > kMaxNodeDepth) {
                return refuse(models_[path.back()].object,
                              fmt::format("lies {} levels deep in the hierarchy, at most {} are allowed",
                                          above, kMaxNodeDepth),
                              IssueCode::NodeCycle);
            }
        }
        return Unit{};
    }

    // Only a uniform scale of the parent gives an exact transform for the rarer kinds of inheritance.
    void warn_about_inherited_scale(std::size_t i) {
        const Pose& pose = models_[i].pose;
        if (models_[i].parent < 0 || (!pose.drops_parent_scale && !pose.splits_parent_scale)) return;
        const Double3 s = models_[static_cast<std::size_t>(models_[i].parent)].pose.scale;
        if (std::abs(s.x - s.y) <= 1e-6 * std::abs(s.x) && std::abs(s.x - s.z) <= 1e-6 * std::abs(s.x))
            return;
        issues_.add(
            IssueCode::ShearedNode, describe(objects_.list()[models_[i].object]),
            fmt::format(
                "inherits scale in another way than plain nesting (InheritType {}) from a parent with "
                "scale ({}, {}, {}); it is nested plainly",
                pose.drops_parent_scale ? 2 : 0, s.x, s.y, s.z));
    }

    // Models that show a geometry, in the order of the connections.
    [[nodiscard]] std::vector<std::size_t> instances_of(std::size_t geometry) const {
        std::vector<std::size_t> out;
        for (const Link& link : objects_.targets_of(geometry)) {
            if (objects_.list()[link.object].kind == "Model") out.push_back(model_of_object_.at(link.object));
        }
        return out;
    }

    // The geometric transform where all instances share it: it is baked. Else it stays out.
    [[nodiscard]] std::optional<DoubleTrs> shared_geometric(const std::vector<std::size_t>& instances) const {
        if (instances.empty()) return DoubleTrs{};
        const Affine first = affine_of(models_[instances[0]].pose.geometric);
        for (const std::size_t i : instances) {
            if (affine_of(models_[i].pose.geometric).m != first.m) return std::nullopt;
        }
        return models_[instances[0]].pose.geometric;
    }

    Result<Unit> add_mesh(std::size_t geometry) {
        const std::vector<std::size_t> instances = instances_of(geometry);
        const std::optional<DoubleTrs> shared = shared_geometric(instances);
        const DoubleTrs geometric = shared.value_or(DoubleTrs{});
        SINTER_TRY_ASSIGN(PolygonMesh mesh, read_mesh(objects_, geometry, geometric, file_name_, issues_));
        if (mesh.mesh.name.empty() && !instances.empty()) {
            mesh.mesh.name = scene_.nodes[instances[0]].name;
        }
        SINTER_TRY_ASSIGN(const std::vector<Cluster> clusters,
                          read_skin(objects_, geometry, mesh, file_name_, issues_));
        SINTER_TRY(read_shapes(objects_, geometry, geometric, mesh, file_name_, issues_));
        std::int32_t skin = kNone;
        if (!clusters.empty()) {
            SINTER_TRY_ASSIGN(skin, add_skin(geometry, clusters, mesh.mesh, instances));
        }
        set_materials(mesh, instances);
        const auto index = static_cast<std::int32_t>(scene_.meshes.size());
        for (const std::size_t instance : instances) {
            const std::size_t node = place_for(instance, shared.has_value(), mesh.mesh.name);
            scene_.nodes[node].mesh = index;
            scene_.nodes[node].skin = skin;
            AnimatedModel& model = models_[instance];
            if (!model.shape_channels.empty()) continue;
            model.node = mesh.mesh.shapes.empty() ? model.node : static_cast<std::int32_t>(node);
            set_channels(model, geometry, mesh.mesh);
        }
        scene_.meshes.push_back(std::move(mesh.mesh));
        return Unit{};
    }

    void set_channels(AnimatedModel& model, std::size_t geometry, const Mesh& mesh) const {
        model.shape_channels = shape_channels(objects_, geometry);
        for (std::size_t i = 0; i < model.shape_channels.size(); ++i) {
            model.full_percents.push_back(full_percent(objects_, model.shape_channels[i]));
            model.default_weights.push_back(mesh.shapes[i].default_weight);
        }
    }

    // The instance's own node, or a new one below it: for a second mesh, or for a geometric transform of its own.
    std::size_t place_for(std::size_t instance, bool baked, const std::string& name) {
        if (baked && scene_.nodes[instance].mesh == kNone) return instance;
        ::sinter::Node& node = scene_.nodes.emplace_back();
        node.name = name;
        node.parent = static_cast<std::int32_t>(instance);
        node.in_scene = scene_.nodes[instance].in_scene;
        if (!baked) node.local = to_float(models_[instance].pose.geometric);
        return scene_.nodes.size() - 1;
    }

    void set_materials(PolygonMesh& mesh, const std::vector<std::size_t>& instances) {
        if (instances.empty()) return;
        const std::vector<std::size_t> materials =
            objects_.sources_of(models_[instances[0]].object, "Material");
        for (std::size_t i = 0; i < mesh.slots.size(); ++i) {
            if (mesh.slots[i] >= materials.size()) continue;
            mesh.mesh.primitives[i].material = material_of_object_.at(materials[mesh.slots[i]]);
        }
        for (const std::size_t other : instances) {
            if (objects_.sources_of(models_[other].object, "Material") == materials) continue;
            issues_.add(IssueCode::IgnoredContent, describe(objects_.list()[models_[other].object]),
                        fmt::format("shows mesh '{}' with other materials than '{}': the first ones are kept",
                                    mesh.mesh.name, scene_.nodes[instances[0]].name));
        }
    }

    [[nodiscard]] Affine world_of(std::size_t model) const {
        Affine world = affine_of(rest_local(models_, model));
        for (std::int32_t at = models_[model].parent; at >= 0;
             at = models_[static_cast<std::size_t>(at)].parent) {
            world = affine_of(rest_local(models_, static_cast<std::size_t>(at))) * world;
        }
        return world;
    }

    // Where the file's bind pose has the mesh, else where its node rests.
    [[nodiscard]] Affine bind_world(const std::vector<std::size_t>& instances) const {
        if (instances.empty()) return {};
        const std::int64_t id = objects_.list()[models_[instances[0]].object].id;
        for (const std::size_t pose : objects_.of_kind("Pose")) {
            for (const Node& entry : objects_.list()[pose].node->children) {
                const Node* node = entry.name == "PoseNode" ? entry.find("Node") : nullptr;
                if (node == nullptr || integer_at(*node, 0) != id) continue;
                if (const std::optional<Affine> matrix = matrix_of(entry.find("Matrix"))) return *matrix;
            }
        }
        return world_of(instances[0]);
    }

    Result<std::int32_t> add_skin(std::size_t geometry, const std::vector<Cluster>& clusters,
                                  const Mesh& mesh, const std::vector<std::size_t>& instances) {
        const bool agree = clusters_agree(clusters, mesh);
        const Affine mesh_bind = agree ? Affine{} : bind_world(instances);
        if (!agree) {
            issues_.add(
                IssueCode::RepairedSource, describe(objects_.list()[geometry]),
                "its clusters' Transform matrices disagree on where the mesh was bound: bind matrices were "
                "made from TransformLink and the bind pose");
        }
        Skin skin;
        skin.name = mesh.name;
        for (const Cluster& cluster : clusters) {
            std::optional<Affine> bind = agree ? cluster.bone_from_mesh : std::nullopt;
            if (!agree && cluster.world_from_bone) {
                if (const auto bone = inverse(*cluster.world_from_bone)) bind = *bone * mesh_bind;
            }
            if (!bind) {
                return refuse(cluster.object,
                              "has no bind matrix: Transform and TransformLink are missing, not "
                              "finite or singular",
                              IssueCode::SingularBindMatrix);
            }
            skin.joints.push_back(static_cast<std::int32_t>(model_of_object_.at(cluster.model)));
            skin.bone_from_mesh.push_back(to_float(*bind));
        }
        scene_.skins.push_back(std::move(skin));
        return static_cast<std::int32_t>(scene_.skins.size() - 1);
    }

    // Whether TransformLink * Transform takes the corners of the mesh's box to the same places for every cluster.
    static bool clusters_agree(const std::vector<Cluster>& clusters, const Mesh& mesh) {
        constexpr double kFar = std::numeric_limits<double>::infinity();
        Double3 low{kFar, kFar, kFar};
        Double3 high{-kFar, -kFar, -kFar};
        for (const Primitive& primitive : mesh.primitives) {
            for (const Float3& p : primitive.positions) {
                const Double3 q = to_double(p);
                low = {std::min(low.x, q.x), std::min(low.y, q.y), std::min(low.z, q.z)};
                high = {std::max(high.x, q.x), std::max(high.y, q.y), std::max(high.z, q.z)};
            }
        }
        if (!is_finite(low) || !is_finite(high)) low = high = {};
        std::optional<Affine> first;
        for (const Cluster& cluster : clusters) {
            if (!cluster.bone_from_mesh) return false;
            if (!cluster.world_from_bone) continue;
            const Affine world = *cluster.world_from_bone * *cluster.bone_from_mesh;
            if (!first) first = world;
            const double size = length(transform_vector(*first, high - low));
            for (int corner = 0; corner < 8; ++corner) {
                const Double3 p{(corner & 1) != 0 ? high.x : low.x, (corner & 2) != 0 ? high.y : low.y,
                                (corner & 4) != 0 ? high.z : low.z};
                const double apart = length(transform_point(world, p) - transform_point(*first, p));
                if (!(apart <= kBindTolerance * size)) return false;
            }
        }
        return true;
    }

    const Document& document_;
    const Objects& objects_;
    SourceFiles& files_;
    Issues& issues_;
    std::string file_name_;
    std::vector<AnimatedModel> models_;
    std::map<std::size_t, std::size_t> model_of_object_;
    std::map<std::size_t, std::int32_t> material_of_object_;
    Scene scene_;
};

// CoordAxis points right, UpAxis up, FrontAxis to the viewer: the rows of the change to the scene's axes.
Basis basis_of_settings(const Node* properties, const ImportOptions& options) {
    const auto integer = [&](std::string_view name, std::int64_t otherwise) {
        const Node* p = find_property(properties, name);
        return p == nullptr || p->values.size() <= kPropertyValue ? otherwise
                                                                  : integer_at(*p, kPropertyValue);
    };
    const Node* unit = find_property(properties, "UnitScaleFactor");
    double centimetres = unit == nullptr ? 1.0 : real_at(*unit, kPropertyValue);
    if (!(centimetres > 0) || !std::isfinite(centimetres)) centimetres = 1;
    const double unit_m = options.unit_m > 0 ? options.unit_m : centimetres * 0.01;
    if (options.up_axis != UpAxis::Auto) return basis_of(options.up_axis, unit_m);
    const std::array<std::int64_t, 3> axis{integer("CoordAxis", 0), integer("UpAxis", 1),
                                           integer("FrontAxis", 2)};
    const std::array<std::int64_t, 3> sign{integer("CoordAxisSign", 1), integer("UpAxisSign", 1),
                                           integer("FrontAxisSign", 1)};
    Basis basis;
    basis.unit_m = unit_m;
    std::array<bool, 3> seen{};
    for (const std::int64_t a : axis) {
        if (a < 0 || a > 2 || seen[static_cast<std::size_t>(a)]) return basis;  // nonsense: as if unsaid
        seen[static_cast<std::size_t>(a)] = true;
    }
    for (std::size_t row = 0; row < 3; ++row) {
        basis.axes[row] = {};
        basis.axes[row][static_cast<std::size_t>(axis[row])] = sign[row] < 0 ? -1 : 1;
    }
    return basis;
}

}  // namespace

Result<Scene> import_fbx(SourceFiles& files, std::span<const std::byte> bytes, const ImportOptions& options,
                         Issues& issues) {
    const std::string name = files.asset().filename().string();
    SINTER_TRY_ASSIGN(const Document document, read_document(bytes, name));
    SINTER_TRY_ASSIGN(const Objects objects, Objects::build(document, name));
    SINTER_TRY_ASSIGN(Scene scene, SceneBuilder(document, objects, files, issues).build());
    const Node* settings = document.root.find("GlobalSettings");
    change_basis(scene,
                 basis_of_settings(settings == nullptr ? nullptr : settings->find("Properties70"), options));
    const Node* creator = document.root.find("Creator");
    if (creator == nullptr) {
        const Node* header = document.root.find("FBXHeaderExtension");
        creator = header == nullptr ? nullptr : header->find("Creator");
    }
    scene.source = {name, "fbx", creator == nullptr ? std::string{} : std::string(text_at(*creator, 0))};
    return scene;
}

}  // namespace sinter::fbx
