#include "cooker/import/gltf/meshopt.hpp"

#include "cooker/import/gltf/extensions.hpp"
#include "cooker/import/gltf/meshopt_filters.hpp"

#include <fmt/format.h>
#include <meshoptimizer.h>

namespace sinter::gltf {
namespace {

enum class Mode { Attributes, Triangles, Indices };
enum class Filter { None, Octahedral, Quaternion, Exponential };

struct Layout {
    std::uint64_t stride = 0;
    std::uint64_t count = 0;
    Mode mode = Mode::Attributes;
    Filter filter = Filter::None;
};

Result<Mode> mode_of(const JsonAt& compressed) {
    SINTER_TRY_ASSIGN(const std::string name, string_member(compressed, "mode"));
    if (name == "ATTRIBUTES") return Mode::Attributes;
    if (name == "TRIANGLES") return Mode::Triangles;
    if (name == "INDICES") return Mode::Indices;
    return invalid(compressed.pointer + "/mode",
                   fmt::format("is \"{}\", but must be ATTRIBUTES, TRIANGLES or INDICES", name));
}

Result<Filter> filter_of(const JsonAt& compressed) {
    SINTER_TRY_ASSIGN(const std::string name, string_member(compressed, "filter"));
    if (name.empty() || name == "NONE") return Filter::None;
    if (name == "OCTAHEDRAL") return Filter::Octahedral;
    if (name == "QUATERNION") return Filter::Quaternion;
    if (name == "EXPONENTIAL") return Filter::Exponential;
    return unsupported(
        compressed.pointer + "/filter",
        fmt::format("the filter \"{}\" is not read: only NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL", name),
        "compress the asset with EXT_meshopt_compression");
}

// The limits that the extension sets for each mode and filter; the decoders rely on them.
Result<Unit> check_layout(const JsonAt& compressed, const Layout& layout) {
    const auto wrong_stride = [&](std::string_view rule) {
        return invalid(compressed.pointer + "/byteStride", fmt::format("is {}, but {}", layout.stride, rule));
    };
    if (layout.mode == Mode::Attributes) {
        if (layout.stride == 0 || layout.stride > 256 || layout.stride % 4 != 0) {
            return wrong_stride("must be a multiple of 4 from 4 to 256 for ATTRIBUTES");
        }
    } else if (layout.stride != 2 && layout.stride != 4) {
        return wrong_stride("must be 2 or 4 for indices");
    }
    if (layout.mode == Mode::Triangles && layout.count % 3 != 0) {
        return invalid(compressed.pointer + "/count",
                       fmt::format("is {}, but must be a multiple of 3 for TRIANGLES", layout.count));
    }
    if (layout.mode != Mode::Attributes && layout.filter != Filter::None) {
        return invalid(compressed.pointer + "/filter", "is set, but only ATTRIBUTES can be filtered");
    }
    if (layout.filter == Filter::Octahedral && layout.stride != 4 && layout.stride != 8) {
        return wrong_stride("must be 4 or 8 for OCTAHEDRAL");
    }
    if (layout.filter == Filter::Quaternion && layout.stride != 8)
        return wrong_stride("must be 8 for QUATERNION");
    return Unit{};
}

int run_decoder(const Layout& layout, std::span<std::byte> out, std::span<const std::byte> in) {
    const auto count = static_cast<std::size_t>(layout.count);
    const auto stride = static_cast<std::size_t>(layout.stride);
    const auto* source = reinterpret_cast<const unsigned char*>(in.data());
    switch (layout.mode) {
    case Mode::Attributes: return meshopt_decodeVertexBuffer(out.data(), count, stride, source, in.size());
    case Mode::Triangles: return meshopt_decodeIndexBuffer(out.data(), count, stride, source, in.size());
    case Mode::Indices: return meshopt_decodeIndexSequence(out.data(), count, stride, source, in.size());
    }
    return -1;
}

void undo_filter(const Layout& layout, std::span<std::byte> data) {
    switch (layout.filter) {
    case Filter::None: return;
    case Filter::Octahedral: return undo_octahedral_filter(data, static_cast<std::size_t>(layout.stride));
    case Filter::Quaternion: return undo_quaternion_filter(data);
    case Filter::Exponential: return undo_exponential_filter(data);
    }
}

}  // namespace

Result<std::optional<JsonAt>> meshopt_extension(const JsonAt& view) {
    for (const std::string_view name : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
        SINTER_TRY_ASSIGN(JsonAt found, extension(view, name));
        if (found) return std::optional<JsonAt>{std::move(found)};
    }
    return std::optional<JsonAt>{};
}

Result<std::vector<std::byte>> decode_meshopt(Document& document, const JsonAt& compressed) {
    Layout layout;
    SINTER_TRY_ASSIGN(layout.stride, required_uint(compressed, "byteStride"));
    SINTER_TRY_ASSIGN(layout.count, required_uint(compressed, "count"));
    SINTER_TRY_ASSIGN(layout.mode, mode_of(compressed));
    SINTER_TRY_ASSIGN(layout.filter, filter_of(compressed));
    SINTER_TRY(check_layout(compressed, layout));
    SINTER_TRY_ASSIGN(const auto source, view_range(document, compressed));
    SINTER_TRY(book(document, compressed.pointer, layout.count, layout.stride));
    std::vector<std::byte> data(static_cast<std::size_t>(layout.count * layout.stride));
    if (const int code = run_decoder(layout, data, source); code != 0) {
        return invalid(
            compressed.pointer,
            fmt::format("meshoptimizer cannot decode {} elements of {} bytes out of {} bytes (code {})",
                        layout.count, layout.stride, source.size(), code),
            "compress the asset again");
    }
    undo_filter(layout, data);
    return data;
}

}  // namespace sinter::gltf
