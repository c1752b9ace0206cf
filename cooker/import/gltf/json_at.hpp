// Typed reading of JSON values that remember their place, so that each error carries a JSON pointer
// (RFC 6901). Errors made here have the pointer alone in `where`; import_gltf puts the file's name before it.
#pragma once

#include <sinter/formats/result.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::gltf {

using Json = nlohmann::json;

// A value and its pointer. `value` is null where the member does not exist.
struct JsonAt {
    const Json* value = nullptr;
    std::string pointer;
    explicit operator bool() const { return value != nullptr; }
    [[nodiscard]] std::size_t size() const { return value == nullptr ? 0 : value->size(); }
};

[[nodiscard]] Error invalid(std::string pointer, std::string message, std::string remedy = {});
[[nodiscard]] Error unsupported(std::string pointer, std::string message, std::string remedy = {});

// The value as it stands in the file, cut to a length that fits into a message.
[[nodiscard]] std::string shown(const Json& value);

// "pointer/key", with ~ and / escaped.
[[nodiscard]] std::string joined(std::string_view pointer, std::string_view key);

// Member or element; the value is null where it is not there or `object` is absent or of another type.
[[nodiscard]] JsonAt member(const JsonAt& object, std::string_view key);
[[nodiscard]] JsonAt element(const JsonAt& array, std::size_t index);

// The same, and an error where it is there but of another type.
[[nodiscard]] Result<JsonAt> object_member(const JsonAt& object, std::string_view key);
[[nodiscard]] Result<JsonAt> array_member(const JsonAt& object, std::string_view key);
[[nodiscard]] Result<JsonAt> object_element(const JsonAt& array, std::size_t index);

// Whole numbers from 0 to 2^53, also when written as 3.0.
[[nodiscard]] Result<std::uint64_t> uint_of(const JsonAt& at);
[[nodiscard]] Result<std::optional<std::uint64_t>> uint_member(const JsonAt& object, std::string_view key);
[[nodiscard]] Result<std::uint64_t> uint_member(const JsonAt& object, std::string_view key,
                                                std::uint64_t missing);
[[nodiscard]] Result<std::uint64_t> required_uint(const JsonAt& object, std::string_view key);

// An index into an array of `count` things called `noun`.
[[nodiscard]] Result<std::uint32_t> index_of(const JsonAt& at, std::size_t count, std::string_view noun);
[[nodiscard]] Result<std::optional<std::uint32_t>> index_member(const JsonAt& object, std::string_view key,
                                                                std::size_t count, std::string_view noun);
[[nodiscard]] Result<std::uint32_t> required_index(const JsonAt& object, std::string_view key,
                                                   std::size_t count, std::string_view noun);

// Numbers that a float can hold; an array must have as many as `values`, which keep their contents
// where the member is not there.
[[nodiscard]] Result<Unit> float_member(const JsonAt& object, std::string_view key, float& value);
[[nodiscard]] Result<bool> floats_member(const JsonAt& object, std::string_view key, std::span<float> values);
[[nodiscard]] Result<std::vector<float>> float_list(const JsonAt& object, std::string_view key);

[[nodiscard]] Result<std::string> string_member(const JsonAt& object,
                                                std::string_view key);  // "" where missing
[[nodiscard]] Result<bool> bool_member(const JsonAt& object, std::string_view key, bool missing);

}  // namespace sinter::gltf
