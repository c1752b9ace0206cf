// EXT_meshopt_compression: buffer views whose bytes were compressed by meshoptimizer's codecs.
#pragma once

#include "cooker/import/gltf/document.hpp"

namespace sinter::gltf {

// The view's EXT_meshopt_compression (or KHR_meshopt_compression) object, or nothing.
[[nodiscard]] Result<std::optional<JsonAt>> meshopt_extension(const JsonAt& view);

// Decodes it: modes ATTRIBUTES, TRIANGLES and INDICES; filters NONE, OCTAHEDRAL, QUATERNION and
// EXPONENTIAL. The result has byteStride * count bytes, which are booked before they are allocated.
[[nodiscard]] Result<std::vector<std::byte>> decode_meshopt(Document& document, const JsonAt& compressed);

}  // namespace sinter::gltf
