// Accessors: typed arrays in buffer views, decoded to floats or unsigned integers (glTF 2.0, section
// 3.6.2, and KHR_mesh_quantization).
#pragma once

#include "cooker/import/gltf/document.hpp"

#include <array>

namespace sinter::gltf {

enum class ComponentType : std::uint16_t {
    I8 = 5120,
    U8 = 5121,
    I16 = 5122,
    U16 = 5123,
    U32 = 5125,
    F32 = 5126
};

[[nodiscard]] std::uint32_t bytes_of(ComponentType type);
[[nodiscard]] std::string_view name_of(ComponentType type);

struct Accessor {
    std::string pointer;
    ComponentType component = ComponentType::F32;
    bool normalized = false;
    std::uint32_t rows = 1;     // components of a scalar or vector, rows of a matrix
    std::uint32_t columns = 1;  // of a matrix; each starts at a multiple of 4 bytes
    std::uint64_t count = 0;
    std::optional<std::uint32_t> view;
    std::uint64_t byte_offset = 0;
    JsonAt sparse;
    // Set where an extension has decoded the elements already: packed tightly, `count` of them.
    std::optional<std::span<const std::byte>> decoded;

    [[nodiscard]] std::uint32_t components() const { return rows * columns; }
    [[nodiscard]] std::uint32_t column_bytes() const;
    [[nodiscard]] std::uint32_t element_bytes() const { return column_bytes() * columns; }
};

// Reads the description of accessor `index` (which exists); its data is checked when it is decoded.
[[nodiscard]] Result<Accessor> read_accessor(const Document& document, std::size_t index);

// What a property allows: `rows` (or one of two) and the component types.
struct Allowed {
    std::array<std::uint32_t, 2> rows{};  // the second may be 0
    std::uint32_t columns = 1;
    std::span<const ComponentType> types;
};

// What key times and inverse bind matrices must be.
inline constexpr std::array kFloatOnly = {ComponentType::F32};

// InvalidInput, naming what was seen and what `what` (a semantic like "POSITION") allows.
[[nodiscard]] Result<Unit> check_type(const Accessor& accessor, const Allowed& allowed,
                                      std::string_view what);

// count * components() values. Integers are converted as the specification's section 3.6.2.2 says when
// the accessor is normalised (c / 255, max(c / 127, -1), and so on), and by value when it is not.
// Elements without any data are 0. Errors: InvalidInput when the elements or sparse parts lie outside of
// their buffer views or sparse indices do not rise; Limit.
[[nodiscard]] Result<std::vector<float>> decode_floats(Document& document, const Accessor& accessor);

// The same for unsigned integer component types, by value.
[[nodiscard]] Result<std::vector<std::uint32_t>> decode_uints(Document& document, const Accessor& accessor);

}  // namespace sinter::gltf
