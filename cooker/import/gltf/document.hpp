// The opened glTF document: container, JSON, and the bytes of buffers and buffer views, each checked
// against what it lies in before it is read.
#pragma once

#include "cooker/import/gltf/json_at.hpp"
#include "cooker/import/gltf/uv_transform.hpp"
#include "cooker/issues.hpp"
#include "cooker/source_files.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinter::gltf {

// What decoding may unfold: a file of one kilobyte can ask for gigabytes by sparse accessors without a
// base, by compression, and by thousands of primitives that share one accessor.
inline constexpr std::uint64_t kExpansionBaseBytes = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kExpansionFactor = 128;

struct Document {
    Document() = default;
    Document(Document&&) = default;
    Document& operator=(Document&&) = default;
    Document(const Document&) = delete;  // `bin` points into `bytes`
    Document& operator=(const Document&) = delete;
    ~Document() = default;

    SourceFiles* files = nullptr;
    Issues* issues = nullptr;
    std::vector<std::byte> bytes;                   // the asset
    std::optional<std::span<const std::byte>> bin;  // the GLB's binary chunk, within `bytes`
    bool is_glb = false;
    Json json;
    std::uint64_t bytes_read = 0;  // the asset and every buffer that was loaded
    std::uint64_t bytes_decoded = 0;
    std::vector<std::optional<std::vector<std::byte>>> buffers;        // loaded from a uri
    std::vector<std::optional<std::vector<std::byte>>> decoded_views;  // decompressed by meshoptimizer
    std::vector<MaterialUvs> material_uvs;                             // one a material that was read

    [[nodiscard]] JsonAt root() const { return {&json, {}}; }
};

// Reads the GLB container if there is one, then the JSON, and checks asset.version and the extensions.
[[nodiscard]] Result<Document> open_document(SourceFiles& files, std::vector<std::byte> bytes,
                                             Issues& issues);

// The top-level array `name`; its value is null where the file has none.
[[nodiscard]] Result<JsonAt> top_array(const Document& document, std::string_view name);
[[nodiscard]] std::size_t top_count(const Document& document, std::string_view name);

// The bytes of buffer `index`, byteLength of them, loaded on first use.
[[nodiscard]] Result<std::span<const std::byte>> buffer_bytes(Document& document, std::size_t index);

struct BufferView {
    std::string pointer;
    std::span<const std::byte> bytes;
    std::uint64_t stride = 0;  // 0 = tightly packed
};

// The bytes of buffer view `index`, decompressed where EXT_meshopt_compression says so.
[[nodiscard]] Result<BufferView> buffer_view(Document& document, std::size_t index);

// The bytes that an object with buffer, byteOffset and byteLength names (a buffer view or its extension).
[[nodiscard]] Result<std::span<const std::byte>> view_range(Document& document, const JsonAt& view);

// Books `bytes` of decoded data, before they are allocated. Limit when the document unfolds to too much.
[[nodiscard]] Result<Unit> book(Document& document, const std::string& pointer, std::uint64_t count,
                                std::uint64_t element_bytes);

// True if `count` elements of `size` bytes, each `stride` after the one before, fit into `available`
// bytes from `offset` on. Free of overflow for all values; stride > 0.
[[nodiscard]] bool fits(std::uint64_t offset, std::uint64_t count, std::uint64_t stride, std::uint64_t size,
                        std::uint64_t available);

}  // namespace sinter::gltf
