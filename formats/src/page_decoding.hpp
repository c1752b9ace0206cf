// One page on its way back from disk: what the parts of the decoder share. Internal to formats.
#pragma once

#include "bytes.hpp"
#include "page_streams.hpp"

#include <sinter/formats/page_codec.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace sinter {

struct Decoding {
    EncodedPageHeader header;
    std::array<std::uint64_t, kStreamCount> sizes{};
    std::array<const std::uint8_t*, kStreamCount> streams{};
    PageLayout layout;
    std::span<const ClusterRecord> records;
    std::span<const std::uint32_t> tables;  // pages
    std::span<std::byte> page;              // of layout.end bytes

    [[nodiscard]] const std::uint8_t* stream(Stream s) const { return streams[static_cast<std::size_t>(s)]; }
};

// Bytes behind the streams that may be read, so that no loop checks for the end of its stream: what it reads there does not
// matter, as it is found out afterwards.
[[nodiscard]] constexpr std::uint64_t stream_slack(const EncodedPageHeader& h) {
    return 3 * std::uint64_t{h.triangle_count} + 2 * (std::uint64_t{h.reference_count} + h.vertex_count);
}

// Each fills its array of the page. False: the streams end where they should not, or lead nowhere.
[[nodiscard]] bool decode_triangles(const Decoding& d);
[[nodiscard]] bool decode_references(const Decoding& d);
void decode_normals(const Decoding& d);
[[nodiscard]] bool decode_positions(const Decoding& d);  // after the normals, from which they are predicted
void decode_tangents(const Decoding& d);                 // after the positions

}  // namespace sinter
