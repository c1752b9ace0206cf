#include <sinter/formats/utf8.hpp>

#include <cstddef>
#include <cstdint>

namespace sinter {
namespace {

struct Lead {
    std::size_t length = 0;  // bytes of the sequence; 0 = no lead byte
    std::uint8_t second_min = 0x80;
    std::uint8_t second_max = 0xBF;
};

// RFC 3629, section 4: the table of well-formed byte sequences.
Lead lead_of(std::uint8_t byte) {
    if (byte < 0x80) return {.length = 1};
    if (byte < 0xC2) return {};
    if (byte < 0xE0) return {.length = 2};
    if (byte == 0xE0) return {.length = 3, .second_min = 0xA0};
    if (byte == 0xED) return {.length = 3, .second_max = 0x9F};
    if (byte < 0xF0) return {.length = 3};
    if (byte == 0xF0) return {.length = 4, .second_min = 0x90};
    if (byte < 0xF4) return {.length = 4};
    if (byte == 0xF4) return {.length = 4, .second_max = 0x8F};
    return {};
}

}  // namespace

bool is_utf8(std::string_view text) {
    const auto byte_at = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    for (std::size_t i = 0; i < text.size();) {
        const Lead lead = lead_of(byte_at(i));
        if (lead.length == 0 || lead.length > text.size() - i) return false;
        for (std::size_t k = 1; k < lead.length; ++k) {
            const std::uint8_t low = k == 1 ? lead.second_min : 0x80;
            const std::uint8_t high = k == 1 ? lead.second_max : 0xBF;
            if (byte_at(i + k) < low || byte_at(i + k) > high) return false;
        }
        i += lead.length;
    }
    return true;
}

}  // namespace sinter
