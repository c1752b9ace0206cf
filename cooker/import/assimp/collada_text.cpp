#include "cooker/import/assimp/collada_text.hpp"

#include "cooker/import/assimp/collada_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace sinter {
namespace {

class StringWriter final : public pugi::xml_writer {
public:
    void write(const void* data, std::size_t size) override {
        text.append(static_cast<const char*>(data), size);
    }
    std::string text;
};

class Preparation {
public:
    explicit Preparation(std::string_view file_name) : file_name_(file_name) {}

    Result<ColladaText> run(std::span<const std::byte> bytes) {
        SINTER_TRY(parse(bytes));
        SINTER_TRY(collect());
        SINTER_TRY(check_accessors());
        for (const pugi::xml_node list : index_lists_) SINTER_TRY(check_indices(list, file_name_));
        for (const pugi::xml_node primitives : primitives_)
            SINTER_TRY(check_primitives(primitives, file_name_));
        read_asset();
        read_geometries();
        read_clips();
        rename_references();
        for (std::size_t i = 0; i < controllers_.size(); ++i) SINTER_TRY(read_controller(i));
        for (std::size_t i = 0; i < controllers_.size(); ++i) SINTER_TRY(resolve_joints(i));
        SINTER_TRY(show_unused());
        separate_clips();
        StringWriter writer;
        document_.save(writer, "", pugi::format_raw, pugi::encoding_utf8);
        out_.text = std::move(writer.text);
        return std::move(out_);
    }

private:
    Error refuse(std::string place, std::string message, IssueCode code = IssueCode::IndexOutOfRange) const {
        return refuse_collada(file_name_, std::move(place), std::move(message), code);
    }

    Result<Unit> parse(std::span<const std::byte> bytes) {
        const pugi::xml_parse_result parsed =
            document_.load_buffer(bytes.data(), bytes.size(), pugi::parse_default | pugi::parse_trim_pcdata);
        if (!parsed) {
            return refuse(fmt::format("byte {}", parsed.offset),
                          fmt::format("the XML does not parse: {}", parsed.description()));
        }
        root_ = document_.child("COLLADA");
        if (!root_) {
            return refuse("root element", fmt::format("is <{}>: there is no <COLLADA> element",
                                                      document_.document_element().name()));
        }
        return Unit{};
    }

    // Numbers nodes, geometries and controllers in document order and gives them new ids.
    Result<Unit> collect() {
        pugi::xml_node at = root_;
        int depth = 0;
        while (true) {
            visit(at);
            if (const pugi::xml_node child = at.first_child()) {
                at = child;
                if (++depth > kMaxXmlDepth) {
                    return refuse(fmt::format("<{}>", at.name()),
                                  fmt::format("elements are nested deeper than {}", kMaxXmlDepth));
                }
                continue;
            }
            while (at != root_ && !at.next_sibling()) {
                at = at.parent();
                --depth;
            }
            if (at == root_) return Unit{};
            at = at.next_sibling();
        }
    }

    void visit(pugi::xml_node element) {
        const std::string_view kind = element.name();
        if (kind == "node") {
            const std::string_view name = element.attribute("name").value();
            const std::string_view id = element.attribute("id").value();
            out_.nodes.push_back({std::string(!name.empty() ? name
                                              : !id.empty() ? id
                                                            : element.attribute("sid").value()),
                                  {}});
            nodes_.push_back(element);
            give_id(element, kNodePrefix, nodes_.size() - 1, node_of_id_);
        } else if (kind == "geometry") {
            geometries_.push_back(element);
            const std::string_view name = element.attribute("name").value();
            out_.geometries.push_back(
                {std::string(name.empty() ? element.attribute("id").value() : name), 0});
            give_id(element, kGeometryPrefix, geometries_.size() - 1, geometry_of_id_);
        } else if (kind == "controller") {
            controllers_.push_back(element);
            const std::string_view name = element.attribute("name").value();
            out_.skins.push_back({});
            out_.skins.back().name = name.empty() ? element.attribute("id").value() : name;
            give_id(element, kControllerPrefix, controllers_.size() - 1, controller_of_id_);
        } else if (kind == "p" || kind == "h" || kind == "vcount" || kind == "v") {
            index_lists_.push_back(element);
        } else if (kind == "triangles" || kind == "polylist" || kind == "polygons" || kind == "tristrips" ||
                   kind == "trifans" || kind == "lines" || kind == "linestrips") {
            primitives_.push_back(element);
        } else if (kind == "accessor") {
            accessors_.push_back(element);
        } else if (kind.ends_with("_array")) {
            visit_array(element);
        }
    }

    void visit_array(pugi::xml_node element) {
        std::string_view words = element.text().get();
        bool curved = false;
        std::uint64_t count = 0;
        for (std::string_view w = next_word(words); !w.empty(); w = next_word(words)) {
            curved = curved || w == "BEZIER" || w == "HERMITE" || w == "CARDINAL" || w == "BSPLINE";
            ++count;
        }
        out_.curved_samplers += curved ? 1U : 0U;
        arrays_.emplace(element.attribute("id").value(), std::pair{element, count});
    }

    // Assimp trusts the counts of arrays and accessors, and ends the program where they lie.
    Result<Unit> check_accessors() {
        for (auto& [id, array] : arrays_) {
            auto& [element, count] = array;
            pugi::xml_attribute declared = element.attribute("count");
            if (!declared) declared = element.append_attribute("count");
            const std::uint64_t number = number_of<std::uint64_t>(declared.value()).value_or(count);
            if (number > count) {
                return refuse(fmt::format("<{} id='{}'>", element.name(), id),
                              fmt::format("announces {} values and has {}", number, count));
            }
            declared.set_value(fmt::format("{}", number).c_str());
            count = number;
        }
        for (const pugi::xml_node accessor : accessors_) {
            const auto array = arrays_.find(local_id(accessor.attribute("source").value()));
            if (array == arrays_.end()) continue;
            const auto number = [&](const char* name, std::uint64_t otherwise) {
                return number_of<std::uint32_t>(accessor.attribute(name).value()).value_or(otherwise);
            };
            const auto params = static_cast<std::uint64_t>(std::ranges::distance(accessor.children("param")));
            const std::uint64_t stride = number("stride", 1);
            const std::uint64_t count = number("count", 0);
            const std::uint64_t end =
                count == 0 ? 0 : number("offset", 0) + (count - 1) * stride + std::max(stride, params);
            if (end > array->second.second) {
                return refuse(fmt::format("accessor of '{}'", array->first),
                              fmt::format("reads {} values, the array has {}", end, array->second.second));
            }
        }
        return Unit{};
    }

    static void give_id(pugi::xml_node element, std::string_view prefix, std::size_t index,
                        std::map<std::string, std::int32_t, std::less<>>& index_of_id) {
        pugi::xml_attribute id = element.attribute("id");
        if (!id) id = element.prepend_attribute("id");
        if (*id.value() != '\0') index_of_id.emplace(id.value(), static_cast<std::int32_t>(index));
        id.set_value(fmt::format("{}{}", prefix, index).c_str());
    }

    void read_asset() {
        const pugi::xml_node asset = root_.child("asset");
        const std::optional<double> meter = number_of<double>(asset.child("unit").attribute("meter").value());
        if (meter && *meter > 0 && std::isfinite(*meter)) out_.unit_m = *meter;
        const std::string_view up = asset.child("up_axis").text().get();
        if (!up.empty()) out_.up_axis = up;
        out_.generator = asset.child("contributor").child("authoring_tool").text().get();
    }

    void read_geometries() {
        for (std::size_t i = 0; i < geometries_.size(); ++i) {
            const pugi::xml_node mesh = geometries_[i].child("mesh");
            for (const pugi::xml_node input : mesh.child("vertices").children("input")) {
                if (std::string_view(input.attribute("semantic").value()) != "POSITION") continue;
                const pugi::xml_node source = mesh.find_child_by_attribute(
                    "source", "id", std::string(local_id(input.attribute("source").value())).c_str());
                out_.geometries[i].positions = accessor_count(source);
            }
        }
    }

    void read_clips() {
        for (const pugi::xml_node clip : root_.child("library_animation_clips").children("animation_clip")) {
            const std::string_view name = clip.attribute("name").value();
            out_.clips.push_back({std::string(name.empty() ? clip.attribute("id").value() : name),
                                  number_of<double>(clip.attribute("start").value()).value_or(0),
                                  number_of<double>(clip.attribute("end").value())});
        }
    }

    static std::int32_t find(const std::map<std::string, std::int32_t, std::less<>>& index_of_id,
                             std::string_view id) {
        const auto found = index_of_id.find(id);
        return found == index_of_id.end() ? -1 : found->second;
    }

    static void point_to(pugi::xml_attribute attribute, std::string_view prefix, std::int32_t index) {
        if (index >= 0) attribute.set_value(fmt::format("#{}{}", prefix, index).c_str());
    }

    void rename_references() {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            for (const pugi::xml_node child : nodes_[i].children()) rename_instance(child, out_.nodes[i]);
        }
        for (const pugi::xml_node animation : root_.child("library_animations").children("animation")) {
            rename_channels(animation);
        }
        for (const pugi::xml_node scene : root_.child("library_visual_scenes").children("visual_scene")) {
            for (const pugi::xml_node instance : scene.children("instance_node"))
                rename_instance(instance, scratch_);
        }
    }

    void rename_instance(pugi::xml_node instance, ColladaNode& owner) {
        const std::string_view kind = instance.name();
        pugi::xml_attribute url = instance.attribute("url");
        const std::string_view id = local_id(url.value());
        if (kind == "instance_node") point_to(url, kNodePrefix, find(node_of_id_, id));
        if (kind == "instance_geometry") {
            const std::int32_t geometry = find(geometry_of_id_, id);
            if (geometry >= 0) shown_.push_back(geometry);
            point_to(url, kGeometryPrefix, geometry);
        }
        if (kind == "instance_controller") {
            const std::int32_t controller = find(controller_of_id_, id);
            if (controller < 0) return;
            owner.controllers.push_back(controller);
            instances_.emplace_back(controller, instance);
            point_to(url, kControllerPrefix, controller);
            for (pugi::xml_node skeleton : instance.children("skeleton")) {
                const std::int32_t node = find(node_of_id_, local_id(skeleton.text().get()));
                if (node >= 0) skeleton.text().set(fmt::format("#{}{}", kNodePrefix, node).c_str());
            }
        }
    }

    // "id/sid.member": only the id changes. Animations may contain animations; their depth was checked.
    void rename_channels(pugi::xml_node animation) {
        for (pugi::xml_node channel : animation.children("channel")) {
            pugi::xml_attribute target = channel.attribute("target");
            const std::string_view text = target.value();
            const std::size_t slash = text.find('/');
            const std::int32_t node = find(node_of_id_, text.substr(0, slash));
            if (node < 0 || slash == std::string_view::npos) continue;
            target.set_value(fmt::format("{}{}{}", kNodePrefix, node, text.substr(slash)).c_str());
        }
        for (const pugi::xml_node child : animation.children("animation")) rename_channels(child);
    }

    Result<Unit> read_controller(std::size_t index) {
        const pugi::xml_node controller = controllers_[index];
        const std::string place = fmt::format("controller '{}'", out_.skins[index].name);
        for (pugi::xml_node part : controller.children()) {
            const std::string_view kind = part.name();
            if (kind != "skin" && kind != "morph") continue;
            pugi::xml_attribute source = part.attribute("source");
            const std::int32_t geometry = find(geometry_of_id_, local_id(source.value()));
            out_.skins[index].geometry = geometry;
            if (geometry >= 0) {
                shown_.push_back(geometry);
                point_to(source, kGeometryPrefix, geometry);
            } else {
                point_to(source, kControllerPrefix, find(controller_of_id_, local_id(source.value())));
            }
            if (kind == "morph") {
                rename_targets(part);
                continue;
            }
            SINTER_TRY(read_skin(part, out_.skins[index], place));
            const std::uint64_t positions =
                geometry < 0 ? 0 : out_.geometries[static_cast<std::size_t>(geometry)].positions;
            SINTER_TRY(
                check_weights(part, out_.skins[index].joint_names.size(), positions, place, file_name_));
        }
        return Unit{};
    }

    void rename_targets(pugi::xml_node morph) {
        for (const pugi::xml_node source : morph.children("source")) {
            pugi::xml_node list = source.child("IDREF_array");
            if (!list) list = source.child("Name_array");
            if (!list) continue;
            std::string renamed;
            std::string_view words = list.text().get();
            for (std::string_view word = next_word(words); !word.empty(); word = next_word(words)) {
                const std::int32_t geometry = find(geometry_of_id_, word);
                if (!renamed.empty()) renamed += ' ';
                renamed += geometry < 0 ? std::string(word) : fmt::format("{}{}", kGeometryPrefix, geometry);
                if (geometry >= 0) shown_.push_back(geometry);
            }
            list.text().set(renamed.c_str());
        }
    }

    Result<Unit> read_skin(pugi::xml_node skin, ColladaSkin& out, const std::string& place) {
        pugi::xml_node joints = source_of(skin, "joints", "JOINT");
        pugi::xml_node list = joints.child("Name_array");
        if (!list) {
            list = joints.child("IDREF_array");
            id_lists_.push_back(&out);
        }
        std::string renamed;
        std::string_view words = list.text().get();
        for (std::string_view word = next_word(words); !word.empty(); word = next_word(words)) {
            if (!renamed.empty()) renamed += ' ';
            renamed += fmt::format("{}{}", kJointPrefix, out.joint_names.size());
            out.joint_names.emplace_back(word);
        }
        if (out.joint_names.empty()) return refuse(place, "lists no joints", IssueCode::JointOutOfRange);
        list.text().set(renamed.c_str());
        const pugi::xml_node binds = source_of(skin, "joints", "INV_BIND_MATRIX");
        if (accessor_count(joints) != out.joint_names.size() ||
            accessor_count(binds) < out.joint_names.size()) {
            return refuse(place,
                          fmt::format("{} joints have accessors of {} names and {} bind matrices",
                                      out.joint_names.size(), accessor_count(joints), accessor_count(binds)),
                          IssueCode::SingularBindMatrix);
        }
        Affine bind_shape;
        const std::vector<double> shape = numbers_of<double>(skin.child("bind_shape_matrix").text().get());
        if (!shape.empty() && shape.size() != 16) {
            return refuse(place, fmt::format("its bind_shape_matrix has {} numbers, not 16", shape.size()),
                          IssueCode::SingularBindMatrix);
        }
        if (!shape.empty()) std::copy_n(shape.begin(), 12, bind_shape.m.begin());
        const std::vector<double> inverse_binds = numbers_of<double>(binds.child("float_array").text().get());
        if (inverse_binds.size() / 16 < out.joint_names.size()) {
            return refuse(place,
                          fmt::format("{} joints have {} numbers in their bind matrices",
                                      out.joint_names.size(), inverse_binds.size()),
                          IssueCode::SingularBindMatrix);
        }
        for (std::size_t j = 0; j < out.joint_names.size(); ++j) {
            Affine bind;
            std::copy_n(inverse_binds.begin() + static_cast<std::ptrdiff_t>(j * 16), 12, bind.m.begin());
            out.bone_from_mesh.push_back(bind * bind_shape);
        }
        return Unit{};
    }

    // Joint names are sids below the instance's skeleton roots, or ids; sids may repeat elsewhere in the file.
    Result<Unit> resolve_joints(std::size_t index) {
        ColladaSkin& skin = out_.skins[index];
        if (skin.joint_names.empty()) return Unit{};
        const auto instance = std::ranges::find(instances_, static_cast<std::int32_t>(index),
                                                &std::pair<std::int32_t, pugi::xml_node>::first);
        skin.joint_nodes.assign(skin.joint_names.size(), -1);
        if (instance == instances_.end()) return Unit{};
        std::vector<pugi::xml_node> roots;
        for (const pugi::xml_node skeleton : instance->second.children("skeleton")) {
            const std::int32_t root = number_after(kNodePrefix, local_id(skeleton.text().get()));
            if (root >= 0) roots.push_back(nodes_[static_cast<std::size_t>(root)]);
        }
        const bool ids = std::ranges::find(id_lists_, &skin) != id_lists_.end();
        const auto inside = sids_below(roots);
        for (std::size_t j = 0; j < skin.joint_names.size(); ++j) {
            std::int32_t node =
                ids ? find(node_of_id_, skin.joint_names[j]) : find(inside, skin.joint_names[j]);
            if (node < 0) node = find(all_sids(), skin.joint_names[j]);
            if (node < 0) node = find(node_of_id_, skin.joint_names[j]);
            if (node < 0) {
                return refuse(fmt::format("controller '{}'", skin.name),
                              fmt::format("its joint {} '{}' is no node's sid or id", j, skin.joint_names[j]),
                              IssueCode::JointOutOfRange);
            }
            skin.joint_nodes[j] = node;
        }
        return Unit{};
    }

    [[nodiscard]] std::map<std::string, std::int32_t, std::less<>>
    sids_below(const std::vector<pugi::xml_node>& roots) const {
        std::map<std::string, std::int32_t, std::less<>> out;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            bool below = false;
            for (pugi::xml_node at = nodes_[i]; at && !below; at = at.parent()) {
                below = std::ranges::find(roots, at) != roots.end();
            }
            const std::string_view sid = nodes_[i].attribute("sid").value();
            if (below && !sid.empty()) out.emplace(sid, static_cast<std::int32_t>(i));
        }
        return out;
    }

    const std::map<std::string, std::int32_t, std::less<>>& all_sids() {
        if (all_sids_.empty()) {
            for (std::size_t i = 0; i < nodes_.size(); ++i) {
                const std::string_view sid = nodes_[i].attribute("sid").value();
                if (!sid.empty()) all_sids_.emplace(sid, static_cast<std::int32_t>(i));
            }
        }
        return all_sids_;
    }

    // Meshes that nothing shows are kept; Assimp only reads those that a node shows.
    Result<Unit> show_unused() {
        const std::string_view url =
            root_.child("scene").child("instance_visual_scene").attribute("url").value();
        const pugi::xml_node scenes = root_.child("library_visual_scenes");
        pugi::xml_node scene =
            scenes.find_child_by_attribute("visual_scene", "id", std::string(local_id(url)).c_str());
        if (!scene) {
            return refuse("<scene>",
                          url.empty() ? std::string("there is no <instance_visual_scene>: nothing is shown")
                                      : fmt::format("the <visual_scene> '{}' is not there", url));
        }
        for (std::size_t i = 0; i < geometries_.size(); ++i) {
            if (std::ranges::find(shown_, static_cast<std::int32_t>(i)) != shown_.end()) continue;
            if (!geometries_[i].child("mesh")) continue;
            pugi::xml_node node = scene.append_child("node");
            node.append_attribute("id").set_value(fmt::format("{}{}", kUnusedPrefix, i).c_str());
            point_to(node.append_child("instance_geometry").append_attribute("url"), kGeometryPrefix,
                     static_cast<std::int32_t>(i));
        }
        return Unit{};
    }

    // Assimp moves an animation into the first clip that names it: further clips get copies with ids of their own.
    void separate_clips() {
        const pugi::xml_node library = root_.child("library_animations");
        std::map<std::string, int, std::less<>> uses;
        for (const pugi::xml_node clip : root_.child("library_animation_clips").children("animation_clip")) {
            for (const pugi::xml_node instance : clip.children("instance_animation")) {
                pugi::xml_attribute url = instance.attribute("url");
                const std::string id(local_id(url.value()));
                if (uses[id]++ == 0) continue;
                const pugi::xml_node original =
                    library.find_child_by_attribute("animation", "id", id.c_str());
                if (!original) continue;
                pugi::xml_node copy = pugi::xml_node(library).append_copy(original);
                const std::string copy_id = fmt::format("{}_use_{}", id, uses[id]);
                copy.attribute("id").set_value(copy_id.c_str());
                url.set_value(("#" + copy_id).c_str());
            }
        }
    }

    std::string_view file_name_;
    pugi::xml_document document_;
    pugi::xml_node root_;
    std::vector<pugi::xml_node> nodes_, geometries_, controllers_, accessors_, index_lists_, primitives_;
    std::map<std::string, std::pair<pugi::xml_node, std::uint64_t>, std::less<>>
        arrays_;  // with their lengths
    std::map<std::string, std::int32_t, std::less<>> node_of_id_, geometry_of_id_, controller_of_id_,
        all_sids_;
    std::vector<std::int32_t> shown_;
    std::vector<std::pair<std::int32_t, pugi::xml_node>> instances_;
    std::vector<const ColladaSkin*> id_lists_;  // skins whose joints are ids
    ColladaNode scratch_;
    ColladaText out_;
};

}  // namespace

Result<ColladaText> prepare_collada(std::span<const std::byte> bytes, std::string_view file_name) {
    return Preparation(file_name).run(bytes);
}

std::int32_t number_after(std::string_view prefix, std::string_view id) {
    if (!id.starts_with(prefix)) return -1;
    return number_of<std::int32_t>(id.substr(prefix.size())).value_or(-1);
}

}  // namespace sinter
