#include "cooker/import/assimp/collada.hpp"

#include "cooker/import/assimp/basis.hpp"
#include "cooker/import/assimp/collada_text.hpp"
#include "cooker/import/assimp/convert.hpp"
#include "cooker/import/assimp/keys.hpp"
#include "cooker/import/assimp/library.hpp"

#include <assimp/anim.h>
#include <assimp/mesh.h>
#include <assimp/scene.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace sinter {
namespace {

std::string_view view(const aiString& text) { return {text.data, text.length}; }

class ColladaScene {
public:
    ColladaScene(const aiScene& library, const ColladaText& facts, Issues& issues)
        : library_(library), facts_(facts), issues_(issues), node_of_xml_(facts.nodes.size(), kNone) {
        scene_.materials = convert_materials(library);
    }

    Scene convert() {
        // The root is the visual scene itself; Assimp puts the file's unit and axes on it, we apply them once.
        add_children(*library_.mRootNode, kNone);
        add_skins();
        add_clips();
        return std::move(scene_);
    }

private:
    void add_children(const aiNode& parent, std::int32_t parent_index) {
        for (unsigned int i = 0; i < parent.mNumChildren; ++i) add_node(*parent.mChildren[i], parent_index);
    }

    void add_node(const aiNode& source, std::int32_t parent) {
        if (number_after(kUnusedPrefix, view(source.mName)) >= 0) {
            (void)add_meshes(source, nullptr);
            return;
        }
        const std::int32_t xml = number_after(kNodePrefix, view(source.mName));
        const bool known = xml >= 0 && static_cast<std::size_t>(xml) < facts_.nodes.size();
        const auto index = static_cast<std::int32_t>(scene_.nodes.size());
        Node& node = scene_.nodes.emplace_back();
        node.parent = parent;
        set_local(node, &source.mTransformation.a1);
        const ColladaNode* fact = nullptr;
        if (known) {
            fact = &facts_.nodes[static_cast<std::size_t>(xml)];
            node.name = fact->name;
            // A node of a library that is shown twice: joints are those of its first place.
            std::int32_t& first = node_of_xml_[static_cast<std::size_t>(xml)];
            if (first == kNone) first = index;
        } else {
            node.name = source.mName.C_Str();
        }
        show(add_meshes(source, fact), index);
        add_children(source, index);
    }

    struct Shown {
        std::int32_t mesh = kNone;
        std::int32_t controller = -1;
    };

    // The first mesh on the node itself, each further one on a node below it.
    void show(const std::vector<Shown>& shown, std::int32_t node) {
        for (std::size_t i = 0; i < shown.size(); ++i) {
            std::int32_t place = node;
            if (i > 0) {
                place = static_cast<std::int32_t>(scene_.nodes.size());
                Node& extra = scene_.nodes.emplace_back();
                extra.name = scene_.meshes[static_cast<std::size_t>(shown[i].mesh)].name;
                extra.parent = node;
            }
            scene_.nodes[static_cast<std::size_t>(place)].mesh = shown[i].mesh;
            if (shown[i].controller >= 0) skinned_.emplace_back(place, shown[i].controller);
        }
    }

    // Joins the parts into which Assimp cut each geometry, by material.
    std::vector<Shown> add_meshes(const aiNode& source, const ColladaNode* fact) {
        std::vector<std::pair<std::int32_t, std::vector<unsigned int>>> parts;
        for (unsigned int i = 0; i < source.mNumMeshes; ++i) {
            const std::int32_t geometry =
                number_after(kGeometryPrefix, view(library_.mMeshes[source.mMeshes[i]]->mName));
            const auto same = [&](const auto& part) { return part.first == geometry; };
            auto found = std::ranges::find_if(parts, same);
            if (found == parts.end()) found = parts.insert(parts.end(), {geometry, {}});
            found->second.push_back(source.mMeshes[i]);
        }
        std::vector<Shown> out;
        for (const auto& [geometry, meshes] : parts) {
            const std::int32_t controller = skin_of(geometry, fact);
            const auto [entry, fresh] = mesh_of_source_.try_emplace({geometry, controller}, kNone);
            if (fresh) entry->second = add_mesh(geometry, controller, meshes);
            out.push_back({entry->second, controller});
        }
        return out;
    }

    // The skin through which a node shows a geometry, also one behind a morph.
    [[nodiscard]] std::int32_t skin_of(std::int32_t geometry, const ColladaNode* fact) const {
        if (fact == nullptr) return -1;
        for (const std::int32_t controller : fact->controllers) {
            const ColladaSkin& skin = facts_.skins[static_cast<std::size_t>(controller)];
            if (!skin.joint_names.empty() && (skin.geometry == geometry || skin.geometry < 0))
                return controller;
        }
        return -1;
    }

    std::int32_t add_mesh(std::int32_t geometry, std::int32_t controller,
                          const std::vector<unsigned int>& parts) {
        Mesh mesh;
        const bool known = geometry >= 0 && static_cast<std::size_t>(geometry) < facts_.geometries.size();
        if (known) {
            mesh.name = facts_.geometries[static_cast<std::size_t>(geometry)].name;
            mesh.source_vertices = facts_.geometries[static_cast<std::size_t>(geometry)].positions;
        }
        const aiMesh* first = nullptr;
        for (const unsigned int index : parts) {
            const aiMesh& part = *library_.mMeshes[index];
            if (const std::uint64_t left_out = count_points_and_lines(part); left_out != 0) {
                issues_.add(IssueCode::PointsOrLines, fmt::format("geometry '{}'", mesh.name),
                            "points and lines are left out: only triangles are cooked", left_out);
            }
            Primitive primitive = convert_mesh(part);
            if (primitive.indices.empty()) continue;
            primitive.material = static_cast<std::int32_t>(part.mMaterialIndex);
            if (controller >= 0) convert_influences(part, joints_of(part), primitive);
            if (first == nullptr) {
                first = &part;
                add_shapes(part, mesh);
            }
            if (part.mNumAnimMeshes == first->mNumAnimMeshes) add_deltas(part, primitive);
            mesh.source_triangles += primitive.indices.size() / 3;
            mesh.primitives.push_back(std::move(primitive));
        }
        if (known) set_control_points(facts_.geometries[static_cast<std::size_t>(geometry)], mesh);
        scene_.meshes.push_back(std::move(mesh));
        return static_cast<std::int32_t>(scene_.meshes.size() - 1);
    }

    // Each corner's control point, where Assimp's vertices are the corners of the file: as many of them, and each control
    // point at one place only.
    static void set_control_points(const ColladaGeometry& facts, Mesh& mesh) {
        std::size_t corners = 0;
        for (const Primitive& primitive : mesh.primitives) corners += primitive.vertex_count();
        if (corners == 0 || corners != facts.corners.size()) return;
        std::vector<std::optional<Float3>> places(static_cast<std::size_t>(facts.positions));
        std::size_t corner = 0;
        for (const Primitive& primitive : mesh.primitives) {
            for (const Float3& position : primitive.positions) {
                const std::uint32_t point = facts.corners[corner++];
                if (point >= places.size() || places[point].value_or(position) != position) return;
                places[point] = position;
            }
        }
        corner = 0;
        for (Primitive& primitive : mesh.primitives) {
            const auto first = facts.corners.begin() + static_cast<std::ptrdiff_t>(corner);
            corner += primitive.vertex_count();
            primitive.source_vertex.assign(first,
                                           facts.corners.begin() + static_cast<std::ptrdiff_t>(corner));
        }
    }

    static std::vector<std::int32_t> joints_of(const aiMesh& part) {
        std::vector<std::int32_t> joints;
        for (unsigned int b = 0; b < part.mNumBones; ++b) {
            joints.push_back(number_after(kJointPrefix, view(part.mBones[b]->mName)));
        }
        return joints;
    }

    // Targets carry the name of their geometry; Assimp gives them as whole meshes.
    void add_shapes(const aiMesh& part, Mesh& mesh) const {
        for (unsigned int a = 0; a < part.mNumAnimMeshes; ++a) {
            const aiAnimMesh& target = *part.mAnimMeshes[a];
            const std::int32_t geometry = number_after(kGeometryPrefix, view(target.mName));
            BlendShape shape;
            shape.name = geometry >= 0 && static_cast<std::size_t>(geometry) < facts_.geometries.size()
                             ? facts_.geometries[static_cast<std::size_t>(geometry)].name
                             : target.mName.C_Str();
            shape.default_weight = target.mWeight;
            mesh.shapes.push_back(std::move(shape));
        }
    }

    static void add_deltas(const aiMesh& part, Primitive& primitive) {
        for (unsigned int a = 0; a < part.mNumAnimMeshes; ++a) {
            const aiAnimMesh& target = *part.mAnimMeshes[a];
            ShapeDeltas& frame = primitive.shape_frames.emplace_back();
            frame.positions.resize(primitive.vertex_count());
            if (target.mNumVertices != part.mNumVertices || target.mVertices == nullptr) continue;
            for (unsigned int v = 0; v < part.mNumVertices; ++v) {
                const aiVector3D d = target.mVertices[v] - part.mVertices[v];
                frame.positions[v] = {d.x, d.y, d.z};
            }
            if (target.mNormals == nullptr || part.mNormals == nullptr) continue;
            frame.normals.reserve(primitive.vertex_count());
            for (unsigned int v = 0; v < part.mNumVertices; ++v) {
                const aiVector3D d = target.mNormals[v] - part.mNormals[v];
                frame.normals.push_back({d.x, d.y, d.z});
            }
        }
    }

    void add_skins() {
        std::map<std::int32_t, std::int32_t> skin_of_controller;
        for (const auto& [node, controller] : skinned_) {
            const auto [entry, fresh] = skin_of_controller.try_emplace(controller, kNone);
            if (fresh) {
                const ColladaSkin& facts = facts_.skins[static_cast<std::size_t>(controller)];
                Skin skin;
                skin.name = facts.name;
                for (std::size_t j = 0; j < facts.joint_nodes.size(); ++j) {
                    const std::int32_t xml = facts.joint_nodes[j];
                    skin.joints.push_back(xml < 0 ? kNone : node_of_xml_[static_cast<std::size_t>(xml)]);
                    skin.bone_from_mesh.push_back(to_float(facts.bone_from_mesh[j]));
                }
                entry->second = static_cast<std::int32_t>(scene_.skins.size());
                scene_.skins.push_back(std::move(skin));
            }
            scene_.nodes[static_cast<std::size_t>(node)].skin = entry->second;
        }
    }

    void add_clips() {
        for (unsigned int i = 0; i < library_.mNumAnimations; ++i) {
            const aiAnimation& animation = *library_.mAnimations[i];
            // Where no clips are declared, all animations are one clip. Assimp keeps the order of declared ones, but
            // may call them by names of its own.
            if (scene_.clips.empty() || !facts_.clips.empty()) scene_.clips.emplace_back();
            const double rate = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : 1000.0;
            for (unsigned int c = 0; c < animation.mNumChannels; ++c) {
                add_channels(*animation.mChannels[c], rate, scene_.clips.back());
            }
        }
        const bool all_there = scene_.clips.size() == facts_.clips.size();
        for (std::size_t i = 0; i < scene_.clips.size(); ++i) {
            Clip& clip = scene_.clips[i];
            set_range(clip);
            if (facts_.clips.empty()) continue;
            clip.name = all_there ? facts_.clips[i].name : library_.mAnimations[i]->mName.C_Str();
            if (all_there) cut_to_declared(clip, facts_.clips[i]);
        }
        std::erase_if(scene_.clips, [](const Clip& clip) { return clip.channels.empty(); });
    }

    void add_channels(const aiNodeAnim& source, double ticks_per_second, Clip& clip) {
        const std::int32_t xml = number_after(kNodePrefix, view(source.mNodeName));
        const std::int32_t node = xml < 0 || static_cast<std::size_t>(xml) >= node_of_xml_.size()
                                      ? kNone
                                      : node_of_xml_[static_cast<std::size_t>(xml)];
        if (node == kNone) {
            issues_.add(IssueCode::UnboundChannel, fmt::format("clip '{}'", clip.name),
                        fmt::format("a channel drives '{}', which is no node of the scene",
                                    source.mNodeName.C_Str()));
            return;
        }
        const auto time_of = [&](double ticks) { return static_cast<float>(ticks / ticks_per_second); };
        const auto add = [&](TrackPath path, std::uint32_t components, unsigned int count, auto&& put) {
            if (count == 0) return;
            Channel channel{node, path, Interpolation::Linear, components, {}, {}};
            for (unsigned int k = 0; k < count; ++k) put(channel, k);
            keep_hemisphere(channel);
            clip.channels.push_back(std::move(channel));
        };
        add(TrackPath::Translation, 3, source.mNumPositionKeys, [&](Channel& channel, unsigned int k) {
            const aiVectorKey& key = source.mPositionKeys[k];
            channel.times.push_back(time_of(key.mTime));
            channel.values.insert(channel.values.end(), {key.mValue.x, key.mValue.y, key.mValue.z});
        });
        add(TrackPath::Rotation, 4, source.mNumRotationKeys, [&](Channel& channel, unsigned int k) {
            const aiQuatKey& key = source.mRotationKeys[k];
            channel.times.push_back(time_of(key.mTime));
            channel.values.insert(channel.values.end(),
                                  {key.mValue.x, key.mValue.y, key.mValue.z, key.mValue.w});
        });
        add(TrackPath::Scale, 3, source.mNumScalingKeys, [&](Channel& channel, unsigned int k) {
            const aiVectorKey& key = source.mScalingKeys[k];
            channel.times.push_back(time_of(key.mTime));
            channel.values.insert(channel.values.end(), {key.mValue.x, key.mValue.y, key.mValue.z});
        });
    }

    static void cut_to_declared(Clip& clip, const ColladaClip& declared) {
        double shortest = clip.end_s - clip.start_s;
        for (const Channel& channel : clip.channels) {
            for (std::size_t k = 1; k < channel.times.size(); ++k) {
                shortest = std::min(shortest, static_cast<double>(channel.times[k] - channel.times[k - 1]));
            }
        }
        const double end = declared.end_s.value_or(clip.end_s);
        const double slack = 1.5 * shortest;
        if (!(end > declared.start_s)) return;
        if (clip.start_s >= declared.start_s - slack && clip.end_s <= end + slack) return;
        for (Channel& channel : clip.channels) cut_channel(channel, declared.start_s, end);
        set_range(clip);
    }

    const aiScene& library_;
    const ColladaText& facts_;
    Issues& issues_;
    std::vector<std::int32_t> node_of_xml_;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> mesh_of_source_;
    std::vector<std::pair<std::int32_t, std::int32_t>> skinned_;  // scene node, controller
    Scene scene_;
};

Basis basis_of_file(const ColladaText& facts, const ImportOptions& options) {
    const double unit_m = options.unit_m > 0 ? options.unit_m : facts.unit_m;
    if (options.up_axis != UpAxis::Auto) return basis_of(options.up_axis, unit_m);
    Basis basis = basis_of(facts.up_axis == "Z_UP" ? UpAxis::Z : UpAxis::Y, unit_m);
    // COLLADA 1.4.1, "up_axis": right is -Y, up +X, towards the viewer +Z.
    if (facts.up_axis == "X_UP") basis.axes = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
    return basis;
}

}  // namespace

Result<Scene> import_collada(SourceFiles& files, std::span<const std::byte> bytes,
                             const ImportOptions& options, Issues& issues) {
    const std::string name = files.asset().filename().string();
    SINTER_TRY_ASSIGN(const ColladaText facts, prepare_collada(bytes, name));
    const std::span<const char> text(facts.text);
    SINTER_TRY_ASSIGN(const LibraryScene library, read_with_library(files, std::as_bytes(text), "dae"));
    Scene scene = ColladaScene(*library.scene, facts, issues).convert();
    if (facts.curved_samplers != 0) {
        issues.add(IssueCode::IgnoredContent, "animations",
                   "curves between keys are read as straight lines: bake a key for each frame",
                   facts.curved_samplers);
    }
    check_textures(scene.materials, files, issues);
    change_basis(scene, basis_of_file(facts, options));
    scene.source = {name, "dae", facts.generator};
    return scene;
}

}  // namespace sinter
