#include "cooker/import/gltf/accessor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

namespace sinter::gltf {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF buffers are little-endian and read in place");

constexpr std::array kIndexTypes = {ComponentType::U8, ComponentType::U16, ComponentType::U32};

// Elements of one accessor, or of one sparse part of it, within bytes that hold all of them.
struct Elements {
    const std::byte* data = nullptr;
    std::uint64_t stride = 0;
};

Result<ComponentType> component_type(const JsonAt& object) {
    SINTER_TRY_ASSIGN(const std::uint64_t number, required_uint(object, "componentType"));
    switch (number) {
    case 5120: return ComponentType::I8;
    case 5121: return ComponentType::U8;
    case 5122: return ComponentType::I16;
    case 5123: return ComponentType::U16;
    case 5125: return ComponentType::U32;
    case 5126: return ComponentType::F32;
    default:
        return invalid(object.pointer + "/componentType",
                       fmt::format("is {}, which is none of 5120, 5121, 5122, 5123, 5125, 5126", number));
    }
}

struct Shape {
    std::string_view name;
    std::uint32_t rows, columns;
};
constexpr std::array<Shape, 7> kShapes = {{{"SCALAR", 1, 1},
                                           {"VEC2", 2, 1},
                                           {"VEC3", 3, 1},
                                           {"VEC4", 4, 1},
                                           {"MAT2", 2, 2},
                                           {"MAT3", 3, 3},
                                           {"MAT4", 4, 4}}};

std::string_view shape_name(std::uint32_t rows, std::uint32_t columns) {
    for (const Shape& shape : kShapes) {
        if (shape.rows == rows && shape.columns == columns) return shape.name;
    }
    return "?";
}

template <typename Out, typename In>
Out converted(In value, bool normalized) {
    if constexpr (std::is_same_v<Out, float> && std::is_integral_v<In>) {
        if (!normalized) return static_cast<float>(value);
        constexpr auto kMax = static_cast<float>(std::numeric_limits<In>::max());
        const float scaled = static_cast<float>(value) / kMax;
        if constexpr (std::is_signed_v<In>) return std::max(scaled, -1.0F);
        return scaled;
    } else {
        static_cast<void>(normalized);
        return static_cast<Out>(value);
    }
}

template <typename Out, typename In>
void convert_element(const Accessor& accessor, const std::byte* element, Out* out) {
    const std::size_t column_bytes = accessor.column_bytes();
    for (std::uint32_t column = 0; column < accessor.columns; ++column) {
        for (std::uint32_t row = 0; row < accessor.rows; ++row) {
            In value{};
            std::memcpy(&value, element + column * column_bytes + row * sizeof(In), sizeof(In));
            *out++ = converted<Out>(value, accessor.normalized);
        }
    }
}

// Writes element k of `from` to place target(k) of `out`.
template <typename Out, typename In, typename Target>
void convert_as(const Accessor& accessor, const Elements& from, std::uint64_t count, std::vector<Out>& out,
                Target target) {
    const std::uint64_t components = accessor.components();
    for (std::uint64_t k = 0; k < count; ++k) {
        convert_element<Out, In>(accessor, from.data + k * from.stride, out.data() + target(k) * components);
    }
}

template <typename Out, typename Target>
void convert(const Accessor& accessor, const Elements& from, std::uint64_t count, std::vector<Out>& out,
             Target target) {
    switch (accessor.component) {
    case ComponentType::I8: return convert_as<Out, std::int8_t>(accessor, from, count, out, target);
    case ComponentType::U8: return convert_as<Out, std::uint8_t>(accessor, from, count, out, target);
    case ComponentType::I16: return convert_as<Out, std::int16_t>(accessor, from, count, out, target);
    case ComponentType::U16: return convert_as<Out, std::uint16_t>(accessor, from, count, out, target);
    case ComponentType::U32: return convert_as<Out, std::uint32_t>(accessor, from, count, out, target);
    case ComponentType::F32:
        if constexpr (std::is_same_v<Out, float>)
            return convert_as<Out, float>(accessor, from, count, out, target);
        return;
    }
}

Result<Elements> elements_in(Document& document, std::size_t view_index, const std::string& pointer,
                             std::uint64_t offset, std::uint64_t count, std::uint32_t element_bytes) {
    SINTER_TRY_ASSIGN(const BufferView view, buffer_view(document, view_index));
    const std::uint64_t stride = view.stride == 0 ? element_bytes : view.stride;
    if (stride < element_bytes) {
        return invalid(view.pointer + "/byteStride",
                       fmt::format("is {}, but {} has elements of {} bytes", stride, pointer, element_bytes));
    }
    if (!fits(offset, count, stride, element_bytes, view.bytes.size())) {
        return invalid(
            pointer, fmt::format("{} elements of {} bytes, {} bytes apart from offset {} on, are not within "
                                 "the {} bytes of {}",
                                 count, element_bytes, stride, offset, view.bytes.size(), view.pointer));
    }
    return Elements{view.bytes.data() + offset, stride};
}

struct Sparse {
    std::vector<std::uint32_t> indices;
    Elements values;
};

Result<std::vector<std::uint32_t>> sparse_indices(Document& document, const Accessor& accessor,
                                                  std::uint64_t count) {
    SINTER_TRY_ASSIGN(const JsonAt at, object_member(accessor.sparse, "indices"));
    if (!at) return invalid(accessor.sparse.pointer, "has no \"indices\", which are required");
    Accessor indices;
    indices.pointer = at.pointer;
    indices.count = count;
    SINTER_TRY_ASSIGN(indices.component, component_type(at));
    SINTER_TRY_ASSIGN(indices.view,
                      index_member(at, "bufferView", top_count(document, "bufferViews"), "buffer view"));
    SINTER_TRY_ASSIGN(indices.byte_offset, uint_member(at, "byteOffset", 0));
    SINTER_TRY(check_type(indices, {.rows = {1, 0}, .types = kIndexTypes}, "sparse indices"));
    if (!indices.view) return invalid(at.pointer, "has no \"bufferView\", which is required");
    SINTER_TRY_ASSIGN(auto list, decode_uints(document, indices));
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (list[k] >= accessor.count) {
            return invalid(at.pointer,
                           fmt::format("index {} at place {} is not below the accessor's count {}", list[k],
                                       k, accessor.count));
        }
        if (k > 0 && list[k] <= list[k - 1]) {
            return invalid(at.pointer, fmt::format("index {} at place {} follows {}, but indices must rise",
                                                   list[k], k, list[k - 1]));
        }
    }
    return list;
}

Result<Sparse> read_sparse(Document& document, const Accessor& accessor) {
    SINTER_TRY_ASSIGN(const std::uint64_t count, required_uint(accessor.sparse, "count"));
    if (count > accessor.count) {
        return invalid(accessor.sparse.pointer + "/count",
                       fmt::format("is {}, more than the accessor's count {}", count, accessor.count));
    }
    Sparse sparse;
    SINTER_TRY_ASSIGN(sparse.indices, sparse_indices(document, accessor, count));
    SINTER_TRY_ASSIGN(const JsonAt values, object_member(accessor.sparse, "values"));
    if (!values) return invalid(accessor.sparse.pointer, "has no \"values\", which are required");
    SINTER_TRY_ASSIGN(
        const std::uint32_t view,
        required_index(values, "bufferView", top_count(document, "bufferViews"), "buffer view"));
    SINTER_TRY_ASSIGN(const std::uint64_t offset, uint_member(values, "byteOffset", 0));
    SINTER_TRY_ASSIGN(sparse.values,
                      elements_in(document, view, values.pointer, offset, count, accessor.element_bytes()));
    return sparse;
}

template <typename Out>
Result<std::vector<Out>> decode(Document& document, const Accessor& accessor) {
    const std::uint64_t components = accessor.components();
    std::optional<Elements> base;
    if (accessor.decoded) {
        base = Elements{accessor.decoded->data(), accessor.element_bytes()};
    } else if (accessor.view) {
        SINTER_TRY_ASSIGN(base, elements_in(document, *accessor.view, accessor.pointer, accessor.byte_offset,
                                            accessor.count, accessor.element_bytes()));
    }
    std::optional<Sparse> sparse;
    if (accessor.sparse && !accessor.decoded) {
        SINTER_TRY_ASSIGN(sparse, read_sparse(document, accessor));
    }
    SINTER_TRY(book(document, accessor.pointer, accessor.count, components * sizeof(Out)));
    std::vector<Out> out(static_cast<std::size_t>(accessor.count * components));
    if (base) convert(accessor, *base, accessor.count, out, [](std::uint64_t k) { return k; });
    if (sparse) {
        convert(accessor, sparse->values, sparse->indices.size(), out,
                [&](std::uint64_t k) { return std::uint64_t{sparse->indices[static_cast<std::size_t>(k)]}; });
    }
    return out;
}

}  // namespace

std::uint32_t bytes_of(ComponentType type) {
    switch (type) {
    case ComponentType::I8:
    case ComponentType::U8: return 1;
    case ComponentType::I16:
    case ComponentType::U16: return 2;
    case ComponentType::U32:
    case ComponentType::F32: return 4;
    }
    return 4;
}

std::string_view name_of(ComponentType type) {
    switch (type) {
    case ComponentType::I8: return "BYTE";
    case ComponentType::U8: return "UNSIGNED_BYTE";
    case ComponentType::I16: return "SHORT";
    case ComponentType::U16: return "UNSIGNED_SHORT";
    case ComponentType::U32: return "UNSIGNED_INT";
    case ComponentType::F32: return "FLOAT";
    }
    return "?";
}

std::uint32_t Accessor::column_bytes() const {
    const std::uint32_t packed = rows * bytes_of(component);
    return columns == 1 ? packed : (packed + 3) / 4 * 4;
}

Result<Accessor> read_accessor(const Document& document, std::size_t index) {
    SINTER_TRY_ASSIGN(const JsonAt accessors, top_array(document, "accessors"));
    SINTER_TRY_ASSIGN(const JsonAt at, object_element(accessors, index));
    Accessor accessor;
    accessor.pointer = at.pointer;
    SINTER_TRY_ASSIGN(accessor.component, component_type(at));
    SINTER_TRY_ASSIGN(accessor.normalized, bool_member(at, "normalized", false));
    SINTER_TRY_ASSIGN(accessor.count, required_uint(at, "count"));
    SINTER_TRY_ASSIGN(accessor.view,
                      index_member(at, "bufferView", top_count(document, "bufferViews"), "buffer view"));
    SINTER_TRY_ASSIGN(accessor.byte_offset, uint_member(at, "byteOffset", 0));
    SINTER_TRY_ASSIGN(accessor.sparse, object_member(at, "sparse"));
    SINTER_TRY_ASSIGN(const std::string type, string_member(at, "type"));
    const auto shape = std::ranges::find(kShapes, std::string_view(type), &Shape::name);
    if (shape == kShapes.end()) {
        return invalid(at.pointer + "/type",
                       fmt::format("is \"{}\", but must be SCALAR, VEC2 to VEC4 or MAT2 to MAT4", type));
    }
    accessor.rows = shape->rows;
    accessor.columns = shape->columns;
    return accessor;
}

Result<Unit> check_type(const Accessor& accessor, const Allowed& allowed, std::string_view what) {
    const bool shape_ok = accessor.columns == allowed.columns &&
                          std::ranges::find(allowed.rows, accessor.rows) != allowed.rows.end();
    if (!shape_ok) {
        std::string wanted(shape_name(allowed.rows[0], allowed.columns));
        if (allowed.rows[1] != 0)
            wanted += fmt::format(" or {}", shape_name(allowed.rows[1], allowed.columns));
        return invalid(accessor.pointer + "/type",
                       fmt::format("is {}, but {} must be {}", shape_name(accessor.rows, accessor.columns),
                                   what, wanted));
    }
    if (std::ranges::find(allowed.types, accessor.component) == allowed.types.end()) {
        std::string wanted;
        for (const ComponentType type : allowed.types) {
            wanted += fmt::format("{}{}", wanted.empty() ? "" : ", ", name_of(type));
        }
        return invalid(
            accessor.pointer + "/componentType",
            fmt::format("is {}, but {} must be one of {}", name_of(accessor.component), what, wanted));
    }
    return Unit{};
}

Result<std::vector<float>> decode_floats(Document& document, const Accessor& accessor) {
    return decode<float>(document, accessor);
}

Result<std::vector<std::uint32_t>> decode_uints(Document& document, const Accessor& accessor) {
    return decode<std::uint32_t>(document, accessor);
}

}  // namespace sinter::gltf
