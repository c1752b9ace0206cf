#include "cooker/import/assimp/collada_clips.hpp"

#include "cooker/import/assimp/collada_xml.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>

namespace sinter {

std::vector<ColladaClip> read_collada_clips(pugi::xml_node root) {
    std::vector<ColladaClip> out;
    for (const pugi::xml_node clip : root.child("library_animation_clips").children("animation_clip")) {
        const std::string_view name = clip.attribute("name").value();
        out.push_back({std::string(name.empty() ? clip.attribute("id").value() : name),
                       number_of<double>(clip.attribute("start").value()).value_or(0),
                       number_of<double>(clip.attribute("end").value())});
    }
    return out;
}

void separate_collada_clips(pugi::xml_node root) {
    const pugi::xml_node library = root.child("library_animations");
    std::map<std::string, int, std::less<>> uses;
    for (const pugi::xml_node clip : root.child("library_animation_clips").children("animation_clip")) {
        for (const pugi::xml_node instance : clip.children("instance_animation")) {
            pugi::xml_attribute url = instance.attribute("url");
            const std::string id(local_id(url.value()));
            if (uses[id]++ == 0) continue;
            const pugi::xml_node original = library.find_child_by_attribute("animation", "id", id.c_str());
            if (!original) continue;
            pugi::xml_node copy = pugi::xml_node(library).append_copy(original);
            const std::string copy_id = fmt::format("{}_use_{}", id, uses[id]);
            copy.attribute("id").set_value(copy_id.c_str());
            url.set_value(("#" + copy_id).c_str());
        }
    }
}

}  // namespace sinter
