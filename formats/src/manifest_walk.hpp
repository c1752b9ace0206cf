// Kinds of manifest values, for generic walks over visit_fields().
#pragma once

#include "manifest_fields.hpp"

#include <array>
#include <string_view>
#include <type_traits>

namespace sinter::manifest {

template <typename T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <typename T>
concept TableType =
    requires { typename T::NativeTableType; } && !std::is_same_v<T, Float3> && !std::is_same_v<T, Float4>;

template <Scalar T>
[[nodiscard]] constexpr bool is_default(T value) {
    return value == T{};  // -0.0 too, as FlatBuffers leaves it out
}

[[nodiscard]] inline std::array<float, 3> components(const Float3& v) { return {v.x(), v.y(), v.z()}; }
[[nodiscard]] inline std::array<float, 4> components(const Float4& v) { return {v.x(), v.y(), v.z(), v.w()}; }

[[nodiscard]] inline std::string_view text_of(const flatbuffers::String* text) {
    return text == nullptr ? std::string_view() : std::string_view(text->c_str(), text->size());
}

}  // namespace sinter::manifest
