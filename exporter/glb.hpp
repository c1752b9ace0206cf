// The binary part of a .glb: accessors and the bytes behind them (Khronos, glTF 2.0 specification, sections 3.6 and 4.4).
#pragma once

#include <sinter/formats/result.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sinter::gltf_out {

using Json = nlohmann::ordered_json;  // keys stay in the order in which they are set

enum class Component : std::uint32_t { U8 = 5121, U16 = 5123, U32 = 5125, F32 = 5126 };
enum class Target : std::uint32_t { None = 0, Vertices = 34962, Indices = 34963 };

struct AccessorShape {
    std::string_view type;  // "SCALAR", "VEC3", "MAT4" ...
    Component component = Component::F32;
    bool normalized = false;
    Target target = Target::None;
    bool range = false;  // write min and max; F32 only
};

class GlbBuilder {
public:
    // Adds values, `width` of them an element, and returns the accessor's index. Elements must be multiples of four bytes,
    // except for indices.
    template <typename T>
    std::uint32_t add(const AccessorShape& shape, std::uint32_t width, std::span<const T> values) {
        Json accessor = accessor_of(shape, values.size() / width);
        accessor["bufferView"] = add_view(std::as_bytes(values), shape.target);
        if constexpr (std::is_same_v<T, float>) {
            if (shape.range) add_range(accessor, width, values, false);
        }
        return append(std::move(accessor));
    }

    // `count` elements of three floats, zero but for those at `indices` (rising).
    std::uint32_t add_sparse(std::size_t count, std::span<const std::uint32_t> indices,
                             std::span<const float> values, bool range);

    // Header, JSON chunk, binary chunk. Takes `root`, to which it adds accessors, bufferViews and buffers.
    // Errors: Limit, where lengths do not fit 32 bits.
    [[nodiscard]] Result<std::vector<std::byte>> finish(Json root) &&;

private:
    static Json accessor_of(const AccessorShape& shape, std::size_t count);
    static void add_range(Json& accessor, std::uint32_t width, std::span<const float> values, bool with_zero);
    std::uint32_t add_view(std::span<const std::byte> bytes, Target target);
    std::uint32_t append(Json accessor);

    std::vector<std::byte> bytes_;
    Json accessors_ = Json::array();
    Json views_ = Json::array();
};

}  // namespace sinter::gltf_out
