#include "cooker/import/assimp/fbx/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sinter::fbx {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '|' || c == '-' || c == '+' || c == '.' || c == '#';
}

// "&quot;" stands for a quotation mark inside a text.
std::string unescaped(std::string_view text) {
    constexpr std::string_view kQuote = "&quot;";
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        if (text.substr(i, kQuote.size()) == kQuote) {
            out += '"';
            i += kQuote.size();
        } else {
            out += text[i++];
        }
    }
    return out;
}

// Whole numbers stay exact; words that are no numbers ("Y", "T") become text.
Value value_of_word(std::string_view word) {
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    const char* end = digits.data() + digits.size();
    std::int64_t integer = 0;
    if (const auto parsed = std::from_chars(digits.data(), end, integer);
        parsed.ec == std::errc{} && parsed.ptr == end) {
        return integer;
    }
    double real = 0;
    if (const auto parsed = std::from_chars(digits.data(), end, real); parsed.ptr == end) {
        if (parsed.ec == std::errc{}) return real;
        return 0.0;  // a denormal or a number past the range: as good as 0 for coordinates
    }
    return std::string(word);
}

class TextReader {
public:
    TextReader(std::string_view text, std::string_view file_name) : text_(text), file_name_(file_name) {}

    Result<Document> read() {
        Document document;
        document.ascii = true;
        if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
        SINTER_TRY(read_nodes(document.root, 0));
        const Node* header = document.root.find("FBXHeaderExtension");
        const Node* version = header == nullptr ? nullptr : header->find("FBXVersion");
        if (version == nullptr) return refuse("there is no FBXHeaderExtension with an FBXVersion");
        document.version = integer_at(*version, 0);
        return document;
    }

private:
    Error refuse(std::string message, ErrorKind kind = ErrorKind::InvalidInput) const {
        const auto line =
            1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(position_), '\n');
        return {kind, fmt::format("{}: line {}", file_name_, line), std::move(message),
                "the file is damaged or cut off: export it again"};
    }

    [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
    [[nodiscard]] char peek() const { return text_[position_]; }

    // To the next character that counts; comments run from ';' to the end of the line.
    void skip() {
        while (!at_end()) {
            if (is_blank(peek())) {
                ++position_;
            } else if (peek() == ';') {
                while (!at_end() && peek() != '\n') ++position_;
            } else {
                return;
            }
        }
    }

    std::string_view take_word() {
        const std::size_t first = position_;
        while (!at_end() && is_word(peek())) ++position_;
        return text_.substr(first, position_ - first);
    }

    // "Name:" ahead? A word that is a value is followed by a comma, a brace or a new line.
    [[nodiscard]] bool at_key() const {
        std::size_t i = position_;
        while (i < text_.size() && is_word(text_[i])) ++i;
        return i > position_ && i < text_.size() && text_[i] == ':';
    }

    // Nodes until a closing brace (depth > 0) or the end of the text.
    Result<Unit> read_nodes(Node& parent, int depth) {
        if (depth > kMaxDepth) return refuse(fmt::format("nodes are nested deeper than {}", kMaxDepth));
        while (true) {
            skip();
            if (at_end()) {
                if (depth == 0) return Unit{};
                return refuse(fmt::format("the text ends inside of node '{}'", parent.name));
            }
            if (peek() == '}' && depth > 0) {
                ++position_;
                return Unit{};
            }
            if (!at_key()) return refuse(fmt::format("expected 'Name:' in node '{}'", parent.name));
            if (++nodes_ > kMaxNodes)
                return refuse(fmt::format("more than {} nodes", kMaxNodes), ErrorKind::Limit);
            Node& node = parent.children.emplace_back();
            node.name = take_word();
            ++position_;
            SINTER_TRY(read_body(node, depth));
        }
    }

    // Values separated by commas, then perhaps children in braces.
    Result<Unit> read_body(Node& node, int depth) {
        while (true) {
            skip();
            if (at_end() || peek() == '}' || at_key()) return Unit{};
            if (peek() == ',') {
                ++position_;
            } else if (peek() == '{') {
                ++position_;
                return read_nodes(node, depth + 1);
            } else if (peek() == '*') {
                ++position_;
                return read_array(node);
            } else {
                SINTER_TRY(read_value(node));
            }
        }
    }

    Result<Unit> read_value(Node& node) {
        if (peek() == '"') {
            const std::size_t end = text_.find('"', position_ + 1);
            if (end == std::string_view::npos)
                return refuse(fmt::format("a text in node '{}' has no end", node.name));
            node.values.emplace_back(unescaped(text_.substr(position_ + 1, end - position_ - 1)));
            position_ = end + 1;
            return Unit{};
        }
        const std::string_view word = take_word();
        if (word.empty()) {
            return refuse(fmt::format("unexpected character 0x{:02x} in node '{}'",
                                      static_cast<unsigned char>(peek()), node.name));
        }
        node.values.push_back(value_of_word(word));
        return Unit{};
    }

    // "*COUNT { a: 1,2,3 }". The count must be right.
    Result<Unit> read_array(Node& node) {
        const Value count = value_of_word(take_word());
        const auto* expected = std::get_if<std::int64_t>(&count);
        skip();
        if (expected == nullptr || at_end() || peek() != '{') {
            return refuse(fmt::format("node '{}' has '*' without a count and braces", node.name));
        }
        ++position_;
        skip();
        if (!at_end() && peek() == 'a') position_ = std::min(position_ + 2, text_.size());
        std::vector<std::int64_t> integers;
        std::vector<double> reals;
        SINTER_TRY(read_numbers(node, integers, reals));
        const std::size_t got = reals.empty() ? integers.size() : reals.size();
        if (*expected < 0 || got != static_cast<std::uint64_t>(*expected)) {
            return refuse(fmt::format("node '{}' announces {} values and has {}", node.name, *expected, got));
        }
        if (reals.empty()) {
            node.values.emplace_back(std::move(integers));
        } else {
            node.values.emplace_back(std::move(reals));
        }
        return Unit{};
    }

    // Integers as long as all are whole, from the first real on all of them as reals.
    Result<Unit> read_numbers(const Node& node, std::vector<std::int64_t>& integers,
                              std::vector<double>& reals) {
        while (true) {
            skip();
            if (at_end()) return refuse(fmt::format("the text ends inside of array '{}'", node.name));
            if (peek() == '}') {
                ++position_;
                return Unit{};
            }
            if (peek() == ',') {
                ++position_;
                continue;
            }
            const std::string_view word = take_word();
            const Value value = value_of_word(word);
            if (word.empty() || std::holds_alternative<std::string>(value)) {
                return refuse(fmt::format("'{}' in array '{}' is no number", word.substr(0, 20), node.name));
            }
            const auto* integer = std::get_if<std::int64_t>(&value);
            if (integer != nullptr && reals.empty()) {
                integers.push_back(*integer);
                continue;
            }
            if (reals.empty()) reals.assign(integers.begin(), integers.end());
            reals.push_back(integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value));
        }
    }

    std::string_view text_;
    std::string_view file_name_;
    std::size_t position_ = 0;
    std::size_t nodes_ = 0;
};

}  // namespace

Result<Document> read_text(std::string_view text, std::string_view file_name) {
    return TextReader(text, file_name).read();
}

}  // namespace sinter::fbx
