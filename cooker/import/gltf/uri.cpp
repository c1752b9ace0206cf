#include "cooker/import/gltf/uri.hpp"

#include <array>
#include <cstdint>

namespace sinter::gltf {
namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

constexpr std::int8_t kNoDigit = -1;

constexpr std::array<std::int8_t, 256> base64_table() {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<std::int8_t, 256> table{};
    table.fill(kNoDigit);
    for (std::size_t i = 0; i < alphabet.size(); ++i) {
        table[static_cast<std::uint8_t>(alphabet[i])] = static_cast<std::int8_t>(i);
    }
    return table;
}

std::optional<std::vector<std::byte>> base64_decoded(std::string_view text) {
    static constexpr std::array<std::int8_t, 256> kTable = base64_table();
    const bool padded = text.size() % 4 == 0;
    for (int i = 0; i < 2 && padded && !text.empty() && text.back() == '='; ++i) text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t pending = 0;
    int pending_bits = 0;
    for (const char c : text) {
        const std::int8_t digit = kTable[static_cast<std::uint8_t>(c)];
        if (digit == kNoDigit) return std::nullopt;
        pending = (pending << 6) | static_cast<std::uint32_t>(digit);
        pending_bits += 6;
        if (pending_bits < 8) continue;
        pending_bits -= 8;
        bytes.push_back(static_cast<std::byte>(pending >> pending_bits));
        pending &= (1U << pending_bits) - 1;
    }
    return bytes;
}

}  // namespace

bool is_data_uri(std::string_view uri) {
    constexpr std::string_view kScheme = "data:";
    if (uri.size() < kScheme.size()) return false;
    for (std::size_t i = 0; i < kScheme.size(); ++i) {
        const char lower = uri[i] >= 'A' && uri[i] <= 'Z' ? static_cast<char>(uri[i] - 'A' + 'a') : uri[i];
        if (lower != kScheme[i]) return false;
    }
    return true;
}

std::string percent_decoded(std::string_view uri) {
    std::string out;
    out.reserve(uri.size());
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const int high = uri[i] == '%' && i + 2 < uri.size() ? hex_digit(uri[i + 1]) : -1;
        const int low = high >= 0 ? hex_digit(uri[i + 2]) : -1;
        if (low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += uri[i];
        }
    }
    return out;
}

std::optional<std::vector<std::byte>> data_uri_bytes(std::string_view uri) {
    constexpr std::string_view kMarker = ";base64";
    const std::size_t comma = uri.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const std::string_view head = uri.substr(0, comma);
    if (head.size() < kMarker.size() || head.substr(head.size() - kMarker.size()) != kMarker)
        return std::nullopt;
    return base64_decoded(uri.substr(comma + 1));
}

}  // namespace sinter::gltf
