#include "cli/json_reader.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace sinter {
namespace {

constexpr std::size_t kMaxDepth = 64;

// Reads characters and counts lines; the parser copies it, so the counter lives outside.
class LineIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    LineIterator(const char* at, std::size_t* line) : at_(at), line_(line) {}
    reference operator*() const { return *at_; }
    LineIterator& operator++() {
        if (*at_ == '\n') ++*line_;
        ++at_;
        return *this;
    }
    LineIterator operator++(int) {
        LineIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const LineIterator& other) const { return at_ == other.at_; }
    bool operator!=(const LineIterator& other) const { return at_ != other.at_; }

private:
    const char* at_;
    std::size_t* line_;
};

// Builds the tree from the parser's events. A number is told only once the character after it was read, so a
// scalar in an object takes the line of its key.
class TreeBuilder {
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    explicit TreeBuilder(const std::size_t& line) : line_(line) {}

    bool null() { return add(JsonKind::Null, {}); }
    bool boolean(bool value) { return add(JsonKind::Boolean, value ? "true" : "false"); }
    bool number_integer(number_integer_t value) { return add(JsonKind::Number, std::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) { return add(JsonKind::Number, std::to_string(value)); }
    bool number_float(number_float_t, const string_t& text) { return add(JsonKind::Number, text); }
    bool string(string_t& value) { return add(JsonKind::String, std::move(value)); }
    bool binary(binary_t&) { return false; }
    bool start_object(std::size_t) { return open(JsonKind::Object); }
    bool start_array(std::size_t) { return open(JsonKind::Array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(string_t& name) {
        std::vector<JsonMember>& members = open_.back().members;
        if (std::ranges::find(members, name, &JsonMember::key) != members.end()) {
            return fail(fmt::format("the key '{}' stands twice in one object", name));
        }
        members.push_back({std::move(name), line_, {}});
        return true;
    }

    bool parse_error(std::size_t, const std::string& last_token, const nlohmann::detail::exception& problem) {
        // "[json.exception...] parse error at line 3, column 5: syntax error while ...": keep what follows.
        const std::string text = problem.what();
        const std::size_t place = text.find(": ");
        std::string cause = place == std::string::npos ? text : text.substr(place + 2);
        std::replace(cause.begin(), cause.end(), '\n', ' ');
        fail("not JSON: " + cause);
        if (last_token.ends_with("<U+000A>")) --problem_line_;  // what is wrong ended with the line before
        return false;
    }

    [[nodiscard]] std::optional<std::string>& problem() { return problem_; }
    [[nodiscard]] std::size_t problem_line() const { return problem_line_; }
    [[nodiscard]] JsonValue take_root() { return std::move(root_); }

private:
    bool fail(std::string text) {
        problem_ = std::move(text);
        problem_line_ = line_;
        return false;
    }

    std::size_t line_of_value() const {
        const bool in_object = !open_.empty() && open_.back().kind == JsonKind::Object;
        return in_object ? open_.back().members.back().line : line_;
    }

    bool add(JsonKind kind, std::string text) {
        return attach({kind, line_of_value(), std::move(text), {}, {}});
    }

    bool open(JsonKind kind) {
        if (open_.size() == kMaxDepth) return fail(fmt::format("nested deeper than {}", kMaxDepth));
        open_.push_back({kind, line_, {}, {}, {}});
        return true;
    }

    bool close() {
        JsonValue value = std::move(open_.back());
        open_.pop_back();
        return attach(std::move(value));
    }

    bool attach(JsonValue value) {
        if (open_.empty()) root_ = std::move(value);
        else if (open_.back().kind == JsonKind::Array) open_.back().items.push_back(std::move(value));
        else open_.back().members.back().value.push_back(std::move(value));
        return true;
    }

    const std::size_t& line_;
    std::vector<JsonValue> open_;
    JsonValue root_;
    std::optional<std::string> problem_;
    std::size_t problem_line_ = 0;
};

template <typename T>
T parsed(const std::string& text) {
    T value{};
    const auto [stopped, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() ? value : T{};
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
    const auto found = std::ranges::find(members, key, &JsonMember::key);
    return found == members.end() ? nullptr : &found->value.front();
}

std::string_view name_of(JsonKind kind) {
    switch (kind) {
    case JsonKind::Null: return "null";
    case JsonKind::Boolean: return "true or false";
    case JsonKind::Number: return "a number";
    case JsonKind::String: return "a string";
    case JsonKind::Array: return "an array";
    case JsonKind::Object: return "an object";
    }
    return {};
}

double number_of(const JsonValue& value) { return parsed<double>(value.text); }
std::uint64_t count_of(const JsonValue& value) { return parsed<std::uint64_t>(value.text); }

Result<JsonValue> parse_json(std::string_view text, std::string_view name) {
    std::size_t line = 1;
    TreeBuilder builder(line);
    const LineIterator first(text.data(), &line);
    const LineIterator last(text.data() + text.size(), &line);
    const bool parsed_all = nlohmann::json::sax_parse(first, last, &builder);
    if (parsed_all) return builder.take_root();
    return Error{ErrorKind::Usage,
                 fmt::format("{}:{}", name, builder.problem_line()),
                 builder.problem().value_or("not JSON"),
                 {}};
}

}  // namespace sinter
