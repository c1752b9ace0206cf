// KHR_draco_mesh_compression: the triangles and attributes of one primitive, decoded by libdraco.
#pragma once

#include "cooker/import/gltf/accessor.hpp"

namespace sinter::gltf {

struct DracoAttribute {
    std::string name;  // semantic, "POSITION"
    ComponentType component = ComponentType::F32;
    std::uint32_t rows = 1;
    std::vector<std::byte> data;  // tightly packed, one element a vertex
};

struct DracoMesh {
    std::uint64_t vertex_count = 0;
    std::vector<std::uint32_t> indices;
    std::vector<DracoAttribute> attributes;
    [[nodiscard]] const DracoAttribute* find(std::string_view name) const;
};

// Decodes the extension object of a primitive. Everything is booked before it is allocated here; what
// libdraco allocates inside is not ours to limit, which is one reason for the worker process.
[[nodiscard]] Result<DracoMesh> decode_draco(Document& document, const JsonAt& compressed);

}  // namespace sinter::gltf
