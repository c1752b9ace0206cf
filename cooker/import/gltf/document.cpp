#include "cooker/import/gltf/document.hpp"

#include "cooker/import/gltf/extensions.hpp"
#include "cooker/import/gltf/meshopt.hpp"
#include "cooker/import/gltf/uri.hpp"

#include <fmt/format.h>

#include <cstring>

namespace sinter::gltf {
namespace {

constexpr std::uint32_t kGlbMagic = 0x46546C67;  // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;
constexpr std::uint32_t kBinChunk = 0x004E4942;
constexpr std::size_t kGlbHeaderBytes = 12;
constexpr std::size_t kChunkHeaderBytes = 8;

constexpr std::string_view kCutOff = "the file was probably cut off: copy or export it again";

std::uint32_t u32_at(std::span<const std::byte> bytes, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value |= std::to_integer<std::uint32_t>(bytes[offset + i]) << (8 * i);
    }
    return value;
}

// Takes one chunk off the front of `rest`; `offset` is the chunk's place in the file.
struct Chunk {
    std::uint32_t type = 0;
    std::span<const std::byte> bytes;
};

Result<Chunk> take_chunk(std::span<const std::byte>& rest, std::size_t& offset) {
    const std::string where = fmt::format("byte {}", offset);
    if (rest.size() < kChunkHeaderBytes) {
        return invalid(where, fmt::format("{} bytes are left where a chunk header of 8 must be", rest.size()),
                       std::string(kCutOff));
    }
    const std::uint32_t length = u32_at(rest, 0);
    const std::uint32_t type = u32_at(rest, 4);
    if (length > rest.size() - kChunkHeaderBytes) {
        return invalid(where,
                       fmt::format("a chunk of {} bytes is announced, but {} are left", length,
                                   rest.size() - kChunkHeaderBytes),
                       std::string(kCutOff));
    }
    Chunk chunk{type, rest.subspan(kChunkHeaderBytes, length)};
    rest = rest.subspan(kChunkHeaderBytes + length);
    offset += kChunkHeaderBytes + length;
    return chunk;
}

Result<std::span<const std::byte>> check_glb_header(Document& document) {
    const std::span<const std::byte> bytes = document.bytes;
    if (bytes.size() < kGlbHeaderBytes) {
        return invalid("byte 0", fmt::format("{} bytes are too few for a GLB header of 12", bytes.size()),
                       std::string(kCutOff));
    }
    if (const std::uint32_t version = u32_at(bytes, 4); version != 2) {
        return unsupported("byte 4",
                           fmt::format("GLB container version {}, but only version 2 is read", version),
                           "export the asset as glTF 2.0");
    }
    const std::uint32_t length = u32_at(bytes, 8);
    if (length < kGlbHeaderBytes) {
        return invalid("byte 8",
                       fmt::format("a total length of {} is less than the header's 12 bytes", length));
    }
    if (length > bytes.size()) {
        return invalid("byte 8",
                       fmt::format("{} bytes are announced, but the file has {}", length, bytes.size()),
                       std::string(kCutOff));
    }
    if (length < bytes.size()) {
        document.issues->add(IssueCode::RepairedSource, "GLB container",
                             "bytes behind the announced end of the GLB were left out",
                             bytes.size() - length);
    }
    return bytes.subspan(kGlbHeaderBytes, length - kGlbHeaderBytes);
}

Result<std::span<const std::byte>> read_container(Document& document) {
    const std::span<const std::byte> bytes = document.bytes;
    document.is_glb = bytes.size() >= 4 && u32_at(bytes, 0) == kGlbMagic;
    if (!document.is_glb) return bytes;
    SINTER_TRY_ASSIGN(std::span<const std::byte> rest, check_glb_header(document));
    std::size_t offset = kGlbHeaderBytes;
    SINTER_TRY_ASSIGN(const Chunk json, take_chunk(rest, offset));
    if (json.type != kJsonChunk) {
        return invalid("byte 16",
                       fmt::format("the first chunk has type 0x{:08X}, but must be JSON", json.type));
    }
    if (!rest.empty()) {
        SINTER_TRY_ASSIGN(const Chunk second, take_chunk(rest, offset));
        if (second.type == kBinChunk) document.bin = second.bytes;  // chunks of other types are skipped
    }
    while (!rest.empty()) {
        SINTER_TRY(take_chunk(rest, offset));
    }
    return json.bytes;
}

// Finds where the parser stopped; only run on text that it has refused.
struct ErrorFinder : nlohmann::json_sax<Json> {
    std::size_t position = 0;
    std::string message;
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception& error) override {
        position = at;
        message = error.what();
        return false;
    }
};

// "[json.exception.parse_error.101] parse error at line 1, column 2: ..." -> "line 1, column 2: ..."
std::string tidy(std::string message) {
    if (const std::size_t at = message.find("] "); at != std::string::npos) message.erase(0, at + 2);
    constexpr std::string_view kLead = "parse error at ";
    if (message.rfind(kLead, 0) == 0) message.erase(0, kLead.size());
    return message;
}

Result<Json> parse_json(std::span<const std::byte> bytes) {
    // Some exporters pad the JSON chunk with zeros instead of spaces.
    while (!bytes.empty() && bytes.back() == std::byte{0}) bytes = bytes.first(bytes.size() - 1);
    const char* const first = reinterpret_cast<const char*>(bytes.data());
    const char* const last = first + bytes.size();
    Json json = Json::parse(first, last, nullptr, false);
    if (json.is_discarded()) {
        ErrorFinder finder;
        static_cast<void>(Json::sax_parse(first, last, &finder));
        return invalid(fmt::format("JSON byte {}", finder.position),
                       "is not valid JSON: " + tidy(finder.message));
    }
    if (!json.is_object()) return invalid("/", "the JSON is " + shown(json) + ", but must be an object");
    return json;
}

Result<Unit> check_version(const JsonAt& root) {
    SINTER_TRY_ASSIGN(const JsonAt asset, object_member(root, "asset"));
    if (!asset) return invalid("/asset", "is missing, but a glTF file must say its version there");
    SINTER_TRY_ASSIGN(const std::string version, string_member(asset, "version"));
    SINTER_TRY_ASSIGN(const std::string minimum, string_member(asset, "minVersion"));
    if (version.rfind("2.", 0) != 0) {
        return unsupported("/asset/version",
                           fmt::format("glTF version \"{}\", but only 2.x is read", version),
                           "export the asset as glTF 2.0");
    }
    if (!minimum.empty() && minimum != "2.0") {
        return unsupported(
            "/asset/minVersion",
            fmt::format("the file asks for a reader of glTF \"{}\", but this is one of 2.0", minimum),
            "export the asset as glTF 2.0");
    }
    return Unit{};
}

Result<std::vector<std::byte>> load_uri(Document& document, const JsonAt& uri_at, const std::string& uri) {
    if (is_data_uri(uri)) {
        auto bytes = data_uri_bytes(uri);
        if (!bytes) return invalid(uri_at.pointer, "is a data URI that is not valid base64");
        return std::move(*bytes);
    }
    auto bytes = document.files->read_sibling(percent_decoded(uri));
    if (!bytes) {
        Error error = std::move(bytes).error();
        error.message = fmt::format("the buffer's file \"{}\" {}", percent_decoded(uri), error.message);
        error.where = uri_at.pointer;
        return error;
    }
    return bytes;
}

Error too_short(const std::string& pointer, std::uint64_t wanted, std::uint64_t available) {
    return invalid(pointer + "/byteLength",
                   fmt::format("is {}, but the buffer's data has {} bytes", wanted, available),
                   std::string(kCutOff));
}

}  // namespace

Result<Document> open_document(SourceFiles& files, std::vector<std::byte> bytes, Issues& issues) {
    Document document;
    document.files = &files;
    document.issues = &issues;
    document.bytes = std::move(bytes);
    document.bytes_read = document.bytes.size();
    SINTER_TRY_ASSIGN(const auto json_bytes, read_container(document));
    SINTER_TRY_ASSIGN(document.json, parse_json(json_bytes));
    SINTER_TRY(check_version(document.root()));
    SINTER_TRY(check_extensions(document.root(), issues));
    document.buffers.resize(top_count(document, "buffers"));
    document.decoded_views.resize(top_count(document, "bufferViews"));
    return document;
}

Result<JsonAt> top_array(const Document& document, std::string_view name) {
    return array_member(document.root(), name);
}

std::size_t top_count(const Document& document, std::string_view name) {
    const JsonAt array = member(document.root(), name);
    return array && array.value->is_array() ? array.size() : 0;
}

Result<std::span<const std::byte>> buffer_bytes(Document& document, std::size_t index) {
    SINTER_TRY_ASSIGN(const JsonAt buffers, top_array(document, "buffers"));
    SINTER_TRY_ASSIGN(const JsonAt buffer, object_element(buffers, index));
    SINTER_TRY_ASSIGN(const std::uint64_t length, required_uint(buffer, "byteLength"));
    const JsonAt uri_at = member(buffer, "uri");
    std::span<const std::byte> available;
    if (uri_at) {
        auto& loaded = document.buffers[index];
        if (!loaded) {
            SINTER_TRY_ASSIGN(const std::string uri, string_member(buffer, "uri"));
            SINTER_TRY_ASSIGN(loaded, load_uri(document, uri_at, uri));
            document.bytes_read += loaded->size();
        }
        available = *loaded;
    } else if (index == 0 && document.bin) {
        available = *document.bin;
    } else {
        return invalid(buffer.pointer,
                       "has neither a \"uri\" nor the GLB's binary chunk, but its bytes are needed");
    }
    if (length > available.size()) return too_short(buffer.pointer, length, available.size());
    return available.first(static_cast<std::size_t>(length));
}

Result<BufferView> buffer_view(Document& document, std::size_t index) {
    SINTER_TRY_ASSIGN(const JsonAt views, top_array(document, "bufferViews"));
    SINTER_TRY_ASSIGN(const JsonAt view, object_element(views, index));
    BufferView out;
    out.pointer = view.pointer;
    SINTER_TRY_ASSIGN(out.stride, uint_member(view, "byteStride", 0));
    SINTER_TRY_ASSIGN(const auto compressed, meshopt_extension(view));
    if (compressed) {
        auto& decoded = document.decoded_views[index];
        if (!decoded) {
            SINTER_TRY_ASSIGN(decoded, decode_meshopt(document, *compressed));
        }
        out.bytes = *decoded;
        return out;
    }
    SINTER_TRY_ASSIGN(out.bytes, view_range(document, view));
    return out;
}

Result<std::span<const std::byte>> view_range(Document& document, const JsonAt& view) {
    SINTER_TRY_ASSIGN(const std::uint32_t buffer,
                      required_index(view, "buffer", top_count(document, "buffers"), "buffer"));
    SINTER_TRY_ASSIGN(const std::uint64_t offset, uint_member(view, "byteOffset", 0));
    SINTER_TRY_ASSIGN(const std::uint64_t length, required_uint(view, "byteLength"));
    SINTER_TRY_ASSIGN(const auto bytes, buffer_bytes(document, buffer));
    if (offset > bytes.size() || length > bytes.size() - offset) {
        return invalid(view.pointer,
                       fmt::format("{} bytes from offset {} on are not within buffer {}, which has {}",
                                   length, offset, buffer, bytes.size()));
    }
    return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

Result<Unit> book(Document& document, const std::string& pointer, std::uint64_t count,
                  std::uint64_t element_bytes) {
    const std::uint64_t limit = kExpansionBaseBytes + kExpansionFactor * document.bytes_read;
    const std::uint64_t left = limit - document.bytes_decoded;
    if (element_bytes != 0 && count > left / element_bytes) {
        return Error{
            ErrorKind::Limit, pointer,
            fmt::format("{} elements of {} bytes, after {} bytes decoded before, are more than the {} bytes "
                        "that a file of {} bytes may unfold to",
                        count, element_bytes, document.bytes_decoded, limit, document.bytes_read),
            "check the counts, or split the asset"};
    }
    document.bytes_decoded += count * element_bytes;
    return Unit{};
}

bool fits(std::uint64_t offset, std::uint64_t count, std::uint64_t stride, std::uint64_t size,
          std::uint64_t available) {
    if (count == 0) return offset <= available;
    if (size > available || offset > available - size) return false;
    return count - 1 <= (available - size - offset) / stride;
}

}  // namespace sinter::gltf
