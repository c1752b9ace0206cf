#include "cooker/import/assimp/fbx/objects.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::fbx {
namespace {

// Binary files write "Name\0\1Class", text files "Class::Name".
std::string name_of(std::string_view text) {
    const std::size_t binary = text.find(std::string_view("\0\1", 2));
    if (binary != std::string_view::npos) return std::string(text.substr(0, binary));
    const std::size_t colons = text.find("::");
    return std::string(colons == std::string_view::npos ? text : text.substr(colons + 2));
}

}  // namespace

std::string describe(const Object& object) {
    return fmt::format("{} {} '{}'", object.kind, object.id, object.name);
}

const Node* find_property(const Node* properties, std::string_view name) {
    if (properties == nullptr) return nullptr;
    const auto named = [&](const Node& p) { return text_at(p, 0) == name; };
    const auto found = std::ranges::find_if(properties->children, named);
    return found == properties->children.end() ? nullptr : &*found;
}

std::optional<Affine> matrix_of(const Node* node) {
    const std::vector<double> m = reals_of(node);
    if (m.size() != 16) return std::nullopt;
    Affine out;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column)
            out.at(row, column) = m[static_cast<std::size_t>(column) * 4 + static_cast<std::size_t>(row)];
    }
    if (!is_finite(out)) return std::nullopt;
    return out;
}

Result<Objects> Objects::build(const Document& document, std::string_view file_name) {
    Objects out;
    out.list_.push_back({0, "Scene", {}, {}, &document.root});
    if (const Node* objects = document.root.find("Objects")) {
        for (const Node& node : objects->children) {
            if (node.values.empty() || std::holds_alternative<std::string>(node.values[0])) continue;
            out.list_.push_back({integer_at(node, 0), node.name, name_of(text_at(node, 1)),
                                 std::string(text_at(node, 2)), &node});
        }
    }
    for (std::size_t i = 0; i < out.list_.size(); ++i) out.by_id_.emplace_back(out.list_[i].id, i);
    std::sort(out.by_id_.begin(), out.by_id_.end());
    for (std::size_t i = 1; i < out.by_id_.size(); ++i) {
        if (out.by_id_[i].first != out.by_id_[i - 1].first) continue;
        const Object& first = out.list_[out.by_id_[i - 1].second];
        const Object& second = out.list_[out.by_id_[i].second];
        return Error{ErrorKind::InvalidInput, fmt::format("{}: Objects", file_name),
                     fmt::format("{} and {} have the same id, so that connections cannot tell them apart",
                                 describe(first), describe(second)),
                     "export the file again"};
    }
    out.sources_.resize(out.list_.size());
    out.targets_.resize(out.list_.size());
    if (const Node* connections = document.root.find("Connections")) {
        for (const Node& c : connections->children) {
            const auto source = out.find(integer_at(c, 1));
            const auto target = out.find(integer_at(c, 2));
            if (!source || !target || *source == kRootObject) continue;
            out.sources_[*target].push_back({*source, std::string(text_at(c, 3))});
            out.targets_[*source].push_back({*target, std::string(text_at(c, 3))});
        }
    }
    if (const Node* definitions = document.root.find("Definitions")) {
        for (const Node& type : definitions->children) {
            const Node* made = type.find("PropertyTemplate");
            const Node* properties = made == nullptr ? nullptr : made->find("Properties70");
            if (properties != nullptr) out.templates_.emplace_back(text_at(type, 0), properties);
        }
    }
    return out;
}

bool Objects::matches(std::size_t object, std::string_view kind, std::string_view subtype) const {
    return list_[object].kind == kind && (subtype.empty() || list_[object].subtype == subtype);
}

std::vector<std::size_t> Objects::sources_of(std::size_t object, std::string_view kind,
                                             std::string_view subtype) const {
    std::vector<std::size_t> out;
    for (const Link& link : sources_[object]) {
        if (matches(link.object, kind, subtype)) out.push_back(link.object);
    }
    return out;
}

std::vector<std::size_t> Objects::of_kind(std::string_view kind) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < list_.size(); ++i) {
        if (list_[i].kind == kind) out.push_back(i);
    }
    return out;
}

std::optional<std::size_t> Objects::find(std::int64_t id) const {
    const auto found = std::ranges::lower_bound(by_id_, id, {}, &std::pair<std::int64_t, std::size_t>::first);
    if (found == by_id_.end() || found->first != id) return std::nullopt;
    return found->second;
}

const Node* Objects::own_property(std::size_t object, std::string_view name) const {
    return find_property(list_[object].node->find("Properties70"), name);
}

const Node* Objects::property(std::size_t object, std::string_view name) const {
    if (const Node* own = own_property(object, name)) return own;
    for (const auto& [kind, properties] : templates_) {
        if (kind == list_[object].kind) return find_property(properties, name);
    }
    return nullptr;
}

double Objects::number(std::size_t object, std::string_view name, double otherwise) const {
    const Node* p = property(object, name);
    return p == nullptr || p->values.size() <= kPropertyValue ? otherwise : real_at(*p, kPropertyValue);
}

Double3 Objects::vector(std::size_t object, std::string_view name, Double3 otherwise) const {
    const Node* p = property(object, name);
    if (p == nullptr || p->values.size() < kPropertyValue + 3) return otherwise;
    return {real_at(*p, kPropertyValue), real_at(*p, kPropertyValue + 1), real_at(*p, kPropertyValue + 2)};
}

}  // namespace sinter::fbx
