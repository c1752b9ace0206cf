#include "cooker/import/assimp/fbx/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinter::fbx {
namespace {

constexpr std::string_view kBinaryMagic("Kaydara FBX Binary  \0", 21);
constexpr std::int64_t kOldestVersion = 7000;  // before it objects had no ids
constexpr std::int64_t kNewestVersion = 7799;  // 7.7 is the last that was published

std::int64_t to_integer(double value) {
    if (!(std::abs(value) < 9.2e18)) return 0;
    return static_cast<std::int64_t>(value);
}

}  // namespace

const Node* Node::find(std::string_view child) const {
    const auto found = std::ranges::find_if(children, [&](const Node& node) { return node.name == child; });
    return found == children.end() ? nullptr : &*found;
}

std::int64_t integer_at(const Node& node, std::size_t index) {
    if (index >= node.values.size()) return 0;
    if (const auto* integer = std::get_if<std::int64_t>(&node.values[index])) return *integer;
    if (const auto* real = std::get_if<double>(&node.values[index])) return to_integer(*real);
    return 0;
}

double real_at(const Node& node, std::size_t index) {
    if (index >= node.values.size()) return 0;
    if (const auto* real = std::get_if<double>(&node.values[index])) return *real;
    if (const auto* integer = std::get_if<std::int64_t>(&node.values[index]))
        return static_cast<double>(*integer);
    return 0;
}

std::string_view text_at(const Node& node, std::size_t index) {
    if (index >= node.values.size()) return {};
    const auto* text = std::get_if<std::string>(&node.values[index]);
    return text == nullptr ? std::string_view{} : std::string_view(*text);
}

std::vector<double> reals_of(const Node* node) {
    if (node == nullptr || node->values.empty()) return {};
    if (const auto* reals = std::get_if<std::vector<double>>(node->values.data())) return *reals;
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(node->values.data())) {
        std::vector<double> out;
        out.reserve(integers->size());
        for (const std::int64_t value : *integers) out.push_back(static_cast<double>(value));
        return out;
    }
    return {};
}

std::vector<std::int64_t> integers_of(const Node* node) {
    if (node == nullptr || node->values.empty()) return {};
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(node->values.data())) return *integers;
    if (const auto* reals = std::get_if<std::vector<double>>(node->values.data())) {
        std::vector<std::int64_t> out;
        out.reserve(reals->size());
        for (const double value : *reals) out.push_back(to_integer(value));
        return out;
    }
    return {};
}

Result<Unit> check_version(std::int64_t version, std::string_view file_name) {
    if (version >= kOldestVersion && version <= kNewestVersion) return Unit{};
    return Error{
        ErrorKind::Unsupported, std::string(file_name),
        fmt::format("FBX version {} is not supported: 7000 (FBX 2011) is the oldest that is read, 7700 "
                    "(FBX 2019) the newest",
                    version),
        "save the file again as FBX 2014 to 2020"};
}

Result<Document> read_document(std::span<const std::byte> bytes, std::string_view file_name) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    Result<Document> document =
        text.starts_with(kBinaryMagic) ? read_binary(bytes, file_name) : read_text(text, file_name);
    if (document) SINTER_TRY(check_version(document->version, file_name));
    return document;
}

}  // namespace sinter::fbx
