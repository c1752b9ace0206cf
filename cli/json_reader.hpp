// JSON text -> a tree that remembers lines. Strict JSON (RFC 8259): no comments, no trailing commas, and
// no key twice in one object. Independent of the locale.
#pragma once

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter {

enum class JsonKind : std::uint8_t { Null, Boolean, Number, String, Array, Object };

struct JsonValue;

struct JsonMember {
    std::string key;
    std::size_t line = 0;          // of the key, from 1
    std::vector<JsonValue> value;  // exactly one; a vector because the type is not complete here
};

struct JsonValue {
    JsonKind kind = JsonKind::Null;
    std::size_t line = 0;             // where it begins, from 1
    std::string text;                 // strings: decoded; numbers: as written; booleans: "true" or "false"
    std::vector<JsonValue> items;     // of an array
    std::vector<JsonMember> members;  // of an object, in file order

    // The value of a key, or nullptr.
    [[nodiscard]] const JsonValue* find(std::string_view key) const;
};

// "an object", "a string", ...: for messages.
[[nodiscard]] std::string_view name_of(JsonKind kind);

// Numbers of the writer in protocol.cpp and the like; 0 when the text is none.
[[nodiscard]] double number_of(const JsonValue& value);
[[nodiscard]] std::uint64_t count_of(const JsonValue& value);

// Errors (Usage): `where` is "name:line", the message says what is wrong. Nesting is limited to 64.
[[nodiscard]] Result<JsonValue> parse_json(std::string_view text, std::string_view name);

}  // namespace sinter
