// The tree of nodes that every FBX file is, binary or text, before anything is known about its meaning.
// Source: the layout as observed in files of versions 7100-7700; there is no public specification.
#pragma once

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinter::fbx {

inline constexpr int kMaxDepth = 64;  // of nested nodes
inline constexpr std::size_t kMaxNodes = 4'000'000;
inline constexpr std::size_t kMaxArrayBytes = 1U << 30;  // all arrays of a file together, unpacked

// Whole numbers and truth values are integers; "f" and "d" are reals; "R" and "S" are text.
using Value = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;

struct Node {
    std::string name;
    std::vector<Value> values;
    std::vector<Node> children;

    // First child of that name, or nullptr.
    [[nodiscard]] const Node* find(std::string_view child) const;
};

struct Document {
    Node root;                 // nameless; its children are the file's sections
    std::int64_t version = 0;  // 7400 = 7.4
    bool ascii = false;
};

// A value as a number (0 where there is none or it is text), as text ("" likewise), an array as either kind;
// values out of range of int64 become 0.
[[nodiscard]] std::int64_t integer_at(const Node& node, std::size_t index);
[[nodiscard]] double real_at(const Node& node, std::size_t index);
[[nodiscard]] std::string_view text_at(const Node& node, std::size_t index);
[[nodiscard]] std::vector<double> reals_of(const Node* node);  // empty without a node or array
[[nodiscard]] std::vector<std::int64_t> integers_of(const Node* node);

// Parses the tree. Everything is checked against the bytes that are left before it is used; packed arrays are
// refused before they are unpacked when zlib cannot make so much of so little.
// Errors: InvalidInput (where: file name and byte offset or line), Unsupported (version not 7.0 - 7.7), Limit.
[[nodiscard]] Result<Document> read_document(std::span<const std::byte> bytes, std::string_view file_name);

// Unsupported unless the version is one of FBX 7.0 - 7.7.
[[nodiscard]] Result<Unit> check_version(std::int64_t version, std::string_view file_name);

// The two halves of read_document.
[[nodiscard]] Result<Document> read_binary(std::span<const std::byte> bytes, std::string_view file_name);
[[nodiscard]] Result<Document> read_text(std::string_view text, std::string_view file_name);

}  // namespace sinter::fbx
