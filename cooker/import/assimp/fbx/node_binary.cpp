#include "cooker/import/assimp/fbx/node.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <cstring>

namespace sinter::fbx {
namespace {

static_assert(std::endian::native == std::endian::little, "FBX files are little-endian");

constexpr std::size_t kHeaderBytes = 27;
constexpr std::int64_t kWideVersion = 7500;  // 64-bit offsets from here on
// The most that deflate can grow: 258 bytes from 2 bits (RFC 1951), with room for the zlib frame.
constexpr std::uint64_t kMaxInflateRatio = 1032;

class BinaryReader {
public:
    BinaryReader(std::span<const std::byte> bytes, std::string_view file_name)
        : bytes_(bytes), file_name_(file_name) {}

    Result<Document> read() {
        if (bytes_.size() < kHeaderBytes) return refuse("the header is cut off");
        Document document;
        document.version = load<std::uint32_t>(kHeaderBytes - 4);
        // Before the body: an unknown version may lay its nodes out in another way.
        SINTER_TRY(check_version(document.version, file_name_));
        wide_ = document.version >= kWideVersion;
        position_ = kHeaderBytes;
        while (true) {
            SINTER_TRY_ASSIGN(const bool more, read_node(document.root, bytes_.size(), 0));
            if (!more && document.root.children.empty()) return refuse("there is no node in the file");
            if (!more) return document;
        }
    }

private:
    template <typename T>
    T load(std::size_t at) const {
        T value{};
        std::memcpy(&value, bytes_.data() + at, sizeof(T));
        return value;
    }

    Error refuse(std::string message, ErrorKind kind = ErrorKind::InvalidInput) const {
        return {kind, fmt::format("{}: byte {}", file_name_, position_), std::move(message),
                "the file is damaged or cut off: export it again"};
    }

    [[nodiscard]] std::size_t left(std::size_t end) const { return end - position_; }

    // Reads one node that lies before `end` into parent.children; false at the null record that ends a list.
    Result<bool> read_node(Node& parent, std::size_t end, int depth) {
        const std::size_t header = wide_ ? 25 : 13;
        if (depth > kMaxDepth) return refuse(fmt::format("nodes are nested deeper than {}", kMaxDepth));
        if (left(end) < header) return refuse("a node's header is cut off");
        const std::uint64_t node_end =
            wide_ ? load<std::uint64_t>(position_) : load<std::uint32_t>(position_);
        const std::uint64_t count =
            wide_ ? load<std::uint64_t>(position_ + 8) : load<std::uint32_t>(position_ + 4);
        const std::uint64_t list =
            wide_ ? load<std::uint64_t>(position_ + 16) : load<std::uint32_t>(position_ + 8);
        const auto name_length = load<std::uint8_t>(position_ + header - 1);
        if (node_end == 0) {
            position_ += header;
            return false;
        }
        const std::size_t body = position_ + header + name_length;
        if (node_end > end || node_end < body || list > node_end - body || count > list) {
            return refuse(
                fmt::format("a node ends at {}, outside of {} to {}, or has properties past its end",
                            node_end, body, end));
        }
        if (++nodes_ > kMaxNodes)
            return refuse(fmt::format("more than {} nodes", kMaxNodes), ErrorKind::Limit);
        Node& node = parent.children.emplace_back();
        node.name.assign(reinterpret_cast<const char*>(bytes_.data()) + position_ + header, name_length);
        position_ = body;
        const std::size_t list_end = body + static_cast<std::size_t>(list);
        node.values.reserve(static_cast<std::size_t>(count));
        for (std::uint64_t i = 0; i < count; ++i) SINTER_TRY(read_value(node, list_end));
        position_ = list_end;
        while (position_ < node_end) {
            SINTER_TRY_ASSIGN(const bool more,
                              read_node(node, static_cast<std::size_t>(node_end), depth + 1));
            if (!more) break;
        }
        position_ = static_cast<std::size_t>(node_end);
        return true;
    }

    template <typename T, typename Out>
    Result<Unit> read_scalar(Node& node, std::size_t end) {
        if (left(end) < sizeof(T)) return refuse("a property is cut off");
        node.values.emplace_back(static_cast<Out>(load<T>(position_)));
        position_ += sizeof(T);
        return Unit{};
    }

    Result<Unit> read_value(Node& node, std::size_t end) {
        if (left(end) < 1) return refuse("a property is cut off");
        const char type = static_cast<char>(bytes_[position_++]);
        switch (type) {
        case 'B':
        case 'C': return read_scalar<std::uint8_t, std::int64_t>(node, end);
        case 'Y': return read_scalar<std::int16_t, std::int64_t>(node, end);
        case 'I': return read_scalar<std::int32_t, std::int64_t>(node, end);
        case 'L': return read_scalar<std::int64_t, std::int64_t>(node, end);
        case 'F': return read_scalar<float, double>(node, end);
        case 'D': return read_scalar<double, double>(node, end);
        case 'R':
        case 'S': return read_string(node, end);
        case 'b':
        case 'c': return read_array<std::uint8_t, std::int64_t>(node, end);
        case 'i': return read_array<std::int32_t, std::int64_t>(node, end);
        case 'l': return read_array<std::int64_t, std::int64_t>(node, end);
        case 'f': return read_array<float, double>(node, end);
        case 'd': return read_array<double, double>(node, end);
        default: break;
        }
        return refuse(fmt::format("node '{}' has a property of unknown type 0x{:02x}", node.name,
                                  static_cast<unsigned char>(type)));
    }

    Result<Unit> read_string(Node& node, std::size_t end) {
        if (left(end) < 4) return refuse("a text is cut off");
        const auto length = load<std::uint32_t>(position_);
        position_ += 4;
        if (length > left(end)) return refuse(fmt::format("a text of {} bytes is cut off", length));
        node.values.emplace_back(
            std::string(reinterpret_cast<const char*>(bytes_.data()) + position_, length));
        position_ += length;
        return Unit{};
    }

    template <typename T, typename Out>
    Result<Unit> read_array(Node& node, std::size_t end) {
        if (left(end) < 12) return refuse("an array's header is cut off");
        const auto count = load<std::uint32_t>(position_);
        const auto encoding = load<std::uint32_t>(position_ + 4);
        const auto stored = load<std::uint32_t>(position_ + 8);
        position_ += 12;
        const std::uint64_t size = std::uint64_t{count} * sizeof(T);
        if (encoding > 1 || (encoding == 0 && size > left(end)) || (encoding == 1 && stored > left(end))) {
            return refuse(fmt::format("an array of {} values (encoding {}) does not fit into node '{}'",
                                      count, encoding, node.name));
        }
        array_bytes_ += std::uint64_t{count} * sizeof(Out);
        if (array_bytes_ > kMaxArrayBytes) {
            return refuse(fmt::format("more than {} bytes of arrays", kMaxArrayBytes), ErrorKind::Limit);
        }
        const std::byte* source = bytes_.data() + position_;
        std::vector<std::byte> unpacked;
        if (encoding == 1) {
            SINTER_TRY_ASSIGN(unpacked, inflate_array(stored, size));
            source = unpacked.data();
        }
        position_ += encoding == 1 ? stored : static_cast<std::size_t>(size);
        std::vector<Out> out(count);
        for (std::size_t i = 0; i < count; ++i) {
            T value{};
            std::memcpy(&value, source + i * sizeof(T), sizeof(T));
            out[i] = static_cast<Out>(value);
        }
        node.values.emplace_back(std::move(out));
        return Unit{};
    }

    Result<std::vector<std::byte>> inflate_array(std::size_t stored, std::uint64_t size) const {
        if (size > std::uint64_t{stored} * kMaxInflateRatio) {
            return refuse(fmt::format("{} packed bytes cannot hold {}", stored, size));
        }
        std::vector<std::byte> out(static_cast<std::size_t>(size));
        auto got = static_cast<uLongf>(size);
        // An empty destination must not be null for zlib.
        std::byte none{};
        const int status =
            uncompress(reinterpret_cast<Bytef*>(out.empty() ? &none : out.data()), &got,
                       reinterpret_cast<const Bytef*>(bytes_.data() + position_), static_cast<uLong>(stored));
        if (status != Z_OK || got != size) {
            return refuse(fmt::format("a packed array unpacks to {} bytes instead of {} (zlib says {})", got,
                                      size, status));
        }
        return out;
    }

    std::span<const std::byte> bytes_;
    std::string_view file_name_;
    std::size_t position_ = 0;
    std::size_t nodes_ = 0;
    std::uint64_t array_bytes_ = 0;
    bool wide_ = false;
};

}  // namespace

Result<Document> read_binary(std::span<const std::byte> bytes, std::string_view file_name) {
    return BinaryReader(bytes, file_name).read();
}

}  // namespace sinter::fbx
