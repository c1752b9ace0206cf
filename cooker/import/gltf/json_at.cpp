#include "cooker/import/gltf/json_at.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace sinter::gltf {
namespace {

constexpr std::uint64_t kMaxWhole = std::uint64_t{1} << 53;

constexpr std::string_view kReexport =
    "export the asset again, or look at it with the Khronos glTF validator";

Error wrong_type(const JsonAt& at, std::string_view wanted) {
    return invalid(at.pointer, fmt::format("is {}, but must be {}", shown(*at.value), wanted));
}

Result<float> float_of(const JsonAt& at) {
    if (!at.value->is_number()) return wrong_type(at, "a number");
    const double value = at.value->get<double>();
    if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()))) {
        return wrong_type(at, "a number that a 32-bit float can hold");
    }
    return static_cast<float>(value);
}

}  // namespace

Error invalid(std::string pointer, std::string message, std::string remedy) {
    if (remedy.empty()) remedy = kReexport;
    return {ErrorKind::InvalidInput, std::move(pointer), std::move(message), std::move(remedy)};
}

Error unsupported(std::string pointer, std::string message, std::string remedy) {
    return {ErrorKind::Unsupported, std::move(pointer), std::move(message), std::move(remedy)};
}

std::string shown(const Json& value) {
    constexpr std::size_t kMaxShown = 60;
    if (value.is_array()) return fmt::format("an array of {}", value.size());
    if (value.is_object()) return "an object";
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > kMaxShown) text = text.substr(0, kMaxShown) + "...";
    return text;
}

std::string joined(std::string_view pointer, std::string_view key) {
    std::string out(pointer);
    out += '/';
    for (const char c : key) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
    return out;
}

JsonAt member(const JsonAt& object, std::string_view key) {
    if (!object || !object.value->is_object()) return {};
    const auto found = object.value->find(key);
    if (found == object.value->end()) return {};
    return {&*found, joined(object.pointer, key)};
}

JsonAt element(const JsonAt& array, std::size_t index) {
    if (!array || !array.value->is_array() || index >= array.value->size()) return {};
    return {&(*array.value)[index], fmt::format("{}/{}", array.pointer, index)};
}

Result<JsonAt> object_member(const JsonAt& object, std::string_view key) {
    JsonAt at = member(object, key);
    if (at && !at.value->is_object()) return wrong_type(at, "an object");
    return at;
}

Result<JsonAt> array_member(const JsonAt& object, std::string_view key) {
    JsonAt at = member(object, key);
    if (at && !at.value->is_array()) return wrong_type(at, "an array");
    return at;
}

Result<JsonAt> object_element(const JsonAt& array, std::size_t index) {
    JsonAt at = element(array, index);
    if (at && !at.value->is_object()) return wrong_type(at, "an object");
    return at;
}

Result<std::uint64_t> uint_of(const JsonAt& at) {
    if (at.value->is_number_unsigned()) {
        const auto value = at.value->get<std::uint64_t>();
        if (value <= kMaxWhole) return value;
    } else if (at.value->is_number_float()) {
        const double value = at.value->get<double>();
        if (value >= 0 && value <= static_cast<double>(kMaxWhole) && std::floor(value) == value) {
            return static_cast<std::uint64_t>(value);
        }
    }
    return wrong_type(at, "a whole number, not negative and at most 2^53");
}

Result<std::optional<std::uint64_t>> uint_member(const JsonAt& object, std::string_view key) {
    const JsonAt at = member(object, key);
    if (!at) return std::optional<std::uint64_t>{};
    SINTER_TRY_ASSIGN(const std::uint64_t value, uint_of(at));
    return std::optional<std::uint64_t>{value};
}

Result<std::uint64_t> uint_member(const JsonAt& object, std::string_view key, std::uint64_t missing) {
    SINTER_TRY_ASSIGN(const auto value, uint_member(object, key));
    return value.value_or(missing);
}

Result<std::uint64_t> required_uint(const JsonAt& object, std::string_view key) {
    SINTER_TRY_ASSIGN(const auto value, uint_member(object, key));
    if (!value) return invalid(object.pointer, fmt::format("has no \"{}\", which is required", key));
    return *value;
}

Result<std::uint32_t> index_of(const JsonAt& at, std::size_t count, std::string_view noun) {
    SINTER_TRY_ASSIGN(const std::uint64_t value, uint_of(at));
    if (value >= count || value > std::numeric_limits<std::int32_t>::max()) {
        return invalid(at.pointer, fmt::format("refers to {} {}, but the file has {}", noun, value, count));
    }
    return static_cast<std::uint32_t>(value);
}

Result<std::optional<std::uint32_t>> index_member(const JsonAt& object, std::string_view key,
                                                  std::size_t count, std::string_view noun) {
    const JsonAt at = member(object, key);
    if (!at) return std::optional<std::uint32_t>{};
    SINTER_TRY_ASSIGN(const std::uint32_t value, index_of(at, count, noun));
    return std::optional<std::uint32_t>{value};
}

Result<std::uint32_t> required_index(const JsonAt& object, std::string_view key, std::size_t count,
                                     std::string_view noun) {
    SINTER_TRY_ASSIGN(const auto value, index_member(object, key, count, noun));
    if (!value) return invalid(object.pointer, fmt::format("has no \"{}\", which is required", key));
    return *value;
}

Result<Unit> float_member(const JsonAt& object, std::string_view key, float& value) {
    const JsonAt at = member(object, key);
    if (!at) return Unit{};
    SINTER_TRY_ASSIGN(value, float_of(at));
    return Unit{};
}

Result<bool> floats_member(const JsonAt& object, std::string_view key, std::span<float> values) {
    SINTER_TRY_ASSIGN(const JsonAt at, array_member(object, key));
    if (!at) return false;
    if (at.size() != values.size()) {
        return invalid(at.pointer, fmt::format("has {} numbers, but must have {}", at.size(), values.size()));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        SINTER_TRY_ASSIGN(values[i], float_of(element(at, i)));
    }
    return true;
}

Result<std::vector<float>> float_list(const JsonAt& object, std::string_view key) {
    SINTER_TRY_ASSIGN(const JsonAt at, array_member(object, key));
    std::vector<float> values(at.size());
    SINTER_TRY(floats_member(object, key, values));
    return values;
}

Result<std::string> string_member(const JsonAt& object, std::string_view key) {
    const JsonAt at = member(object, key);
    if (!at) return std::string{};
    if (!at.value->is_string()) return wrong_type(at, "a string");
    return at.value->get<std::string>();
}

Result<bool> bool_member(const JsonAt& object, std::string_view key, bool missing) {
    const JsonAt at = member(object, key);
    if (!at) return missing;
    if (!at.value->is_boolean()) return wrong_type(at, "true or false");
    return at.value->get<bool>();
}

}  // namespace sinter::gltf
