#include "cooker/import/assimp/collada_text.hpp"

#include "cooker/import/assimp/collada_clips.hpp"
#include "cooker/import/assimp/collada_geometry.hpp"
#include "cooker/import/assimp/collada_skin.hpp"
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
        SINTER_TRY(check_accessors(arrays_, accessors_, file_name_));
        for (const pugi::xml_node list : index_lists_) SINTER_TRY(check_indices(list, file_name_));
        for (const pugi::xml_node primitives : primitives_)
            SINTER_TRY(check_primitives(primitives, file_name_));
        read_asset();
        for (std::size_t i = 0; i < geometries_.size(); ++i) {
            out_.geometries[i].positions = count_positions(geometries_[i].child("mesh"));
        }
        out_.clips = read_collada_clips(root_);
        rename_references();
        for (std::size_t i = 0; i < controllers_.size(); ++i) SINTER_TRY(read_controller(i));
        for (std::size_t i = 0; i < controllers_.size(); ++i) SINTER_TRY(resolve_joints(i));
        SINTER_TRY(show_unused());
        separate_collada_clips(root_);
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
            out_.geometries.emplace_back().name = name.empty() ? element.attribute("id").value() : name;
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
        arrays_.emplace(element.attribute("id").value(), ColladaArray{element, count});
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
            SINTER_TRY(read_collada_skin(part, place, file_name_, out_.skins[index]));
            std::uint64_t positions = 0;
            if (geometry >= 0) {
                const auto g = static_cast<std::size_t>(geometry);
                positions = out_.geometries[g].positions;
                out_.geometries[g].corners = control_points_of_corners(geometries_[g].child("mesh"));
            }
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
        const auto inside = sids_below(roots);
        for (std::size_t j = 0; j < skin.joint_names.size(); ++j) {
            std::int32_t node = skin.joints_are_ids ? find(node_of_id_, skin.joint_names[j])
                                                    : find(inside, skin.joint_names[j]);
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

    std::string_view file_name_;
    pugi::xml_document document_;
    pugi::xml_node root_;
    std::vector<pugi::xml_node> nodes_, geometries_, controllers_, accessors_, index_lists_, primitives_;
    ColladaArrays arrays_;
    std::map<std::string, std::int32_t, std::less<>> node_of_id_, geometry_of_id_, controller_of_id_,
        all_sids_;
    std::vector<std::int32_t> shown_;
    std::vector<std::pair<std::int32_t, pugi::xml_node>> instances_;
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
