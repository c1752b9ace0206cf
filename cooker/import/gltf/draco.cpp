#include "cooker/import/gltf/draco.hpp"

#include <draco/compression/decode.h>
#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <memory>

namespace sinter::gltf {
namespace {

constexpr std::string_view kCompressAgain = "compress the asset again";

// libdraco reports most failures by status; damaged streams also made it throw (length_error, bad_alloc).
Result<std::unique_ptr<draco::Mesh>> run_decoder(const std::string& pointer,
                                                 std::span<const std::byte> bytes) {
    try {
        draco::DecoderBuffer buffer;
        buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        draco::Decoder decoder;
        auto mesh = decoder.DecodeMeshFromBuffer(&buffer);
        if (!mesh.ok()) {
            return invalid(pointer, "libdraco cannot decode it: " + mesh.status().error_msg_string(),
                           std::string(kCompressAgain));
        }
        return std::move(mesh).value();
    } catch (const std::exception& failure) {
        return invalid(pointer, fmt::format("libdraco cannot decode it ({})", failure.what()),
                       std::string(kCompressAgain));
    }
}

Result<ComponentType> component_of(const std::string& pointer, draco::DataType type) {
    switch (type) {
    case draco::DT_INT8: return ComponentType::I8;
    case draco::DT_UINT8: return ComponentType::U8;
    case draco::DT_INT16: return ComponentType::I16;
    case draco::DT_UINT16: return ComponentType::U16;
    case draco::DT_UINT32: return ComponentType::U32;
    case draco::DT_FLOAT32: return ComponentType::F32;
    default:
        return invalid(pointer,
                       fmt::format("refers to a Draco attribute of data type {}, which glTF does not have",
                                   static_cast<int>(type)));
    }
}

Result<DracoAttribute> copy_attribute(Document& document, const draco::Mesh& mesh, const JsonAt& id_at,
                                      std::string name) {
    SINTER_TRY_ASSIGN(const std::uint64_t id, uint_of(id_at));
    const draco::PointAttribute* const source =
        id > 0xFFFFFFFFU ? nullptr : mesh.GetAttributeByUniqueId(static_cast<std::uint32_t>(id));
    if (source == nullptr) {
        return invalid(id_at.pointer,
                       fmt::format("is {}, but the Draco data has no attribute with that id", id));
    }
    DracoAttribute out;
    out.name = std::move(name);
    SINTER_TRY_ASSIGN(out.component, component_of(id_at.pointer, source->data_type()));
    out.rows = static_cast<std::uint32_t>(source->num_components());
    if (out.rows < 1 || out.rows > 4) {
        return invalid(id_at.pointer, fmt::format("refers to a Draco attribute of {} components", out.rows));
    }
    const std::size_t element_bytes = std::size_t{bytes_of(out.component)} * out.rows;
    const auto available =
        static_cast<std::uint64_t>(source->buffer() == nullptr ? 0 : source->buffer()->data_size());
    if (source->byte_stride() < static_cast<std::int64_t>(element_bytes) || source->byte_offset() < 0 ||
        !fits(static_cast<std::uint64_t>(source->byte_offset()), source->size(),
              static_cast<std::uint64_t>(source->byte_stride()), element_bytes, available)) {
        return invalid(id_at.pointer, "refers to a Draco attribute that is larger than its data");
    }
    SINTER_TRY(book(document, id_at.pointer, mesh.num_points(), element_bytes));
    out.data.resize(mesh.num_points() * element_bytes);
    for (std::uint32_t point = 0; point < mesh.num_points(); ++point) {
        const draco::AttributeValueIndex value = source->mapped_index(draco::PointIndex(point));
        if (value.value() >= source->size()) {
            return invalid(id_at.pointer, fmt::format("vertex {} has no value in the Draco data", point));
        }
        std::memcpy(out.data.data() + point * element_bytes, source->GetAddress(value), element_bytes);
    }
    return out;
}

Result<Unit> copy_faces(Document& document, const draco::Mesh& mesh, const std::string& pointer,
                        DracoMesh& out) {
    SINTER_TRY(book(document, pointer, mesh.num_faces(), 3 * sizeof(std::uint32_t)));
    out.indices.reserve(std::size_t{mesh.num_faces()} * 3);
    for (std::uint32_t face = 0; face < mesh.num_faces(); ++face) {
        for (const draco::PointIndex& corner : mesh.face(draco::FaceIndex(face))) {
            if (corner.value() >= mesh.num_points()) {
                return invalid(pointer,
                               fmt::format("triangle {} refers to vertex {} of {}", face, corner.value(),
                                           mesh.num_points()),
                               std::string(kCompressAgain));
            }
            out.indices.push_back(corner.value());
        }
    }
    return Unit{};
}

}  // namespace

const DracoAttribute* DracoMesh::find(std::string_view name) const {
    for (const DracoAttribute& attribute : attributes) {
        if (attribute.name == name) return &attribute;
    }
    return nullptr;
}

Result<DracoMesh> decode_draco(Document& document, const JsonAt& compressed) {
    SINTER_TRY_ASSIGN(
        const std::uint32_t view_index,
        required_index(compressed, "bufferView", top_count(document, "bufferViews"), "buffer view"));
    SINTER_TRY_ASSIGN(const BufferView view, buffer_view(document, view_index));
    SINTER_TRY_ASSIGN(const auto mesh, run_decoder(compressed.pointer, view.bytes));
    DracoMesh out;
    out.vertex_count = mesh->num_points();
    SINTER_TRY(copy_faces(document, *mesh, compressed.pointer, out));
    SINTER_TRY_ASSIGN(const JsonAt attributes, object_member(compressed, "attributes"));
    if (!attributes) return invalid(compressed.pointer, "has no \"attributes\", which are required");
    for (const auto& [name, id] : attributes.value->items()) {
        SINTER_TRY_ASSIGN(DracoAttribute attribute,
                          copy_attribute(document, *mesh, {&id, joined(attributes.pointer, name)}, name));
        out.attributes.push_back(std::move(attribute));
    }
    return out;
}

}  // namespace sinter::gltf
