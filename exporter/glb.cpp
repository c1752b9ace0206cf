#include "exporter/glb.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>

namespace sinter::gltf_out {
namespace {

// Writes at `at`, and moves it on.
void put(std::span<std::byte> out, std::size_t& at, std::span<const std::byte> bytes) {
    if (!bytes.empty()) std::memcpy(out.data() + at, bytes.data(), bytes.size());
    at += bytes.size();
}
void put_u32(std::span<std::byte> out, std::size_t& at, std::uint64_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    std::array<std::byte, 4> bytes{};
    for (std::uint32_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::byte>((word >> (8 * i)) & 0xFFU);
    put(out, at, bytes);
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

constexpr std::uint64_t padded(std::uint64_t size) { return (size + 3) / 4 * 4; }

}  // namespace

Json GlbBuilder::accessor_of(const AccessorShape& shape, std::size_t count) {
    Json out;
    out["componentType"] = static_cast<std::uint32_t>(shape.component);
    if (shape.normalized) out["normalized"] = true;
    out["count"] = count;
    out["type"] = std::string(shape.type);
    return out;
}

void GlbBuilder::add_range(Json& accessor, std::uint32_t width, std::span<const float> values,
                           bool with_zero) {
    const float start = with_zero ? 0.0F : std::numeric_limits<float>::max();
    std::vector<float> low(width, start);
    std::vector<float> high(width, with_zero ? 0.0F : std::numeric_limits<float>::lowest());
    for (std::size_t i = 0; i < values.size(); ++i) {
        low[i % width] = std::min(low[i % width], values[i]);
        high[i % width] = std::max(high[i % width], values[i]);
    }
    accessor["min"] = low;
    accessor["max"] = high;
}

std::uint32_t GlbBuilder::add_view(std::span<const std::byte> bytes, Target target) {
    Json view;
    view["buffer"] = 0;
    view["byteOffset"] = bytes_.size();
    view["byteLength"] = bytes.size();
    if (target != Target::None) view["target"] = static_cast<std::uint32_t>(target);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    bytes_.resize(padded(bytes_.size()));
    views_.push_back(std::move(view));
    return static_cast<std::uint32_t>(views_.size() - 1);
}

std::uint32_t GlbBuilder::append(Json accessor) {
    accessors_.push_back(std::move(accessor));
    return static_cast<std::uint32_t>(accessors_.size() - 1);
}

std::uint32_t GlbBuilder::add_sparse(std::size_t count, std::span<const std::uint32_t> indices,
                                     std::span<const float> values, bool range) {
    Json accessor = accessor_of({.type = "VEC3"}, count);
    if (range) add_range(accessor, 3, values, indices.size() < count);
    if (!indices.empty()) {
        Json& sparse = accessor["sparse"];
        sparse["count"] = indices.size();
        sparse["indices"]["bufferView"] = add_view(std::as_bytes(indices), Target::None);
        sparse["indices"]["componentType"] = static_cast<std::uint32_t>(Component::U32);
        sparse["values"]["bufferView"] = add_view(std::as_bytes(values), Target::None);
    }
    return append(std::move(accessor));
}

Result<std::vector<std::byte>> GlbBuilder::finish(Json root) && {
    if (!bytes_.empty()) {
        root["accessors"] = std::move(accessors_);
        root["bufferViews"] = std::move(views_);
        root["buffers"] = Json::array({Json{{"byteLength", bytes_.size()}}});
    }
    std::string text = root.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize(padded(text.size()), ' ');
    const std::uint64_t chunks = bytes_.empty() ? 0 : 8 + bytes_.size();
    const std::uint64_t total = 12 + 8 + text.size() + chunks;
    if (total > std::numeric_limits<std::uint32_t>::max()) {
        return Error{
            ErrorKind::Limit, {}, "it takes more than the 4 GiB that a .glb can hold", "export fewer levels"};
    }
    std::vector<std::byte> out(total);
    std::size_t at = 0;
    constexpr std::uint32_t kGltf = 0x46546C67, kVersion = 2, kJson = 0x4E4F534A, kBin = 0x004E4942;
    for (const std::uint64_t word : {std::uint64_t{kGltf}, std::uint64_t{kVersion}, total,
                                     std::uint64_t{text.size()}, std::uint64_t{kJson}}) {
        put_u32(out, at, word);
    }
    put(out, at, bytes_of(text));
    if (!bytes_.empty()) {
        put_u32(out, at, bytes_.size());
        put_u32(out, at, kBin);
        put(out, at, bytes_);
    }
    return out;
}

}  // namespace sinter::gltf_out
