#include "cooker/import/assimp/collada_skin.hpp"

#include "cooker/import/assimp/collada_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sinter {
namespace {

// Takes the names and gives the list those of collada_text.hpp.
Result<Unit> rename_joints(pugi::xml_node joints, const std::string& place, std::string_view file_name,
                           ColladaSkin& out) {
    pugi::xml_node list = joints.child("Name_array");
    if (!list) {
        list = joints.child("IDREF_array");
        out.joints_are_ids = true;
    }
    std::string renamed;
    std::string_view words = list.text().get();
    for (std::string_view word = next_word(words); !word.empty(); word = next_word(words)) {
        if (!renamed.empty()) renamed += ' ';
        renamed += fmt::format("{}{}", kJointPrefix, out.joint_names.size());
        out.joint_names.emplace_back(word);
    }
    if (out.joint_names.empty()) {
        return refuse_collada(file_name, place, "lists no joints", IssueCode::JointOutOfRange);
    }
    list.text().set(renamed.c_str());
    return Unit{};
}

}  // namespace

Result<Unit> read_collada_skin(pugi::xml_node skin, const std::string& place, std::string_view file_name,
                               ColladaSkin& out) {
    const auto refuse = [&](std::string message) {
        return refuse_collada(file_name, place, std::move(message), IssueCode::SingularBindMatrix);
    };
    const pugi::xml_node joints = source_of(skin, "joints", "JOINT");
    SINTER_TRY(rename_joints(joints, place, file_name, out));
    const std::size_t count = out.joint_names.size();
    const pugi::xml_node binds = source_of(skin, "joints", "INV_BIND_MATRIX");
    if (accessor_count(joints) != count || accessor_count(binds) < count) {
        return refuse(fmt::format("{} joints have accessors of {} names and {} bind matrices", count,
                                  accessor_count(joints), accessor_count(binds)));
    }
    Affine bind_shape;
    const std::vector<double> shape = numbers_of<double>(skin.child("bind_shape_matrix").text().get());
    if (!shape.empty() && shape.size() != 16) {
        return refuse(fmt::format("its bind_shape_matrix has {} numbers, not 16", shape.size()));
    }
    if (!shape.empty()) std::copy_n(shape.begin(), 12, bind_shape.m.begin());
    const std::vector<double> inverse_binds = numbers_of<double>(binds.child("float_array").text().get());
    if (inverse_binds.size() / 16 < count) {
        return refuse(
            fmt::format("{} joints have {} numbers in their bind matrices", count, inverse_binds.size()));
    }
    for (std::size_t j = 0; j < count; ++j) {
        Affine bind;
        std::copy_n(inverse_binds.begin() + static_cast<std::ptrdiff_t>(j * 16), 12, bind.m.begin());
        out.bone_from_mesh.push_back(bind * bind_shape);
    }
    return Unit{};
}

}  // namespace sinter
