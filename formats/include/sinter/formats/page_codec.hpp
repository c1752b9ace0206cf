// How pages are stored on disk: a lossless transform that knows what is in a page, then zstd. Every valid page comes back
// byte for byte; the transform is fast and small for pages whose content is ordered for it:
// - triangles and local vertices of each cluster as order_cluster() leaves them;
// - vertices of a page, inside each run of one error band and influence class, in the order in which the clusters of the
//   page, in their order, first refer to them;
// - clusters of a group next to each other, groups along a space-filling curve, each table's entries in one order throughout
//   the page, neighbours sharing a table.
// Any other order costs bytes, never correctness. docs/pages.md says how the streams are made.
#pragma once

#include <sinter/formats/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sinter {

// Reorders and rotates the triangles of one cluster so that each shares an edge with one just before it where it can, then
// renumbers its vertices by first use; vertices that no triangle uses come last. Windings stay. `triangles` holds three
// local indices a triangle; order[new vertex] becomes the old one. The result depends on the arguments only.
// Pre: every index is below order.size(), which is at most 256.
void order_cluster(std::span<std::uint8_t> triangles, std::span<std::uint8_t> order);

// Bytes that each part of a page takes after compression; headers are counted under `header`.
enum class PagePart : std::uint8_t { Header, Triangles, References, Positions, Normals, Tangents, Clusters };
inline constexpr std::size_t kPagePartCount = 7;
[[nodiscard]] std::string_view page_part_name(PagePart part);

struct EncodedPage {
    std::vector<std::byte> bytes;
    std::array<std::uint64_t, kPagePartCount> part_bytes{};  // by PagePart; the sum is bytes.size()
};

// Pre: zstd_level in [1, 22]. The same bytes for the same page, level and zstd version.
// Errors: Validation where view_page(page) has one; Internal from zstd.
[[nodiscard]] Result<EncodedPage> encode_page(std::span<const std::byte> page, int zstd_level);

// The raw page. Takes memory in proportion to kPageByteLimit at most, whatever the bytes say. Errors: Validation. What comes
// out of bytes that encode_page did not make may be no valid page: use view_page.
[[nodiscard]] Result<std::vector<std::byte>> decode_page(std::span<const std::byte> encoded);

// The same for many pages in turn, with memory that is taken once. Not for several threads at a time.
class PageDecoder {
public:
    PageDecoder();
    PageDecoder(PageDecoder&&) noexcept;
    PageDecoder& operator=(PageDecoder&&) noexcept;
    ~PageDecoder();
    [[nodiscard]] Result<std::vector<std::byte>> decode(std::span<const std::byte> encoded);
    // Into memory of the caller, of exactly the page's size (the section's raw size): every byte of it is written, in no
    // order and some twice; after an error they are anything.
    [[nodiscard]] Result<Unit> decode_to(std::span<const std::byte> encoded, std::span<std::byte> page);

    struct Memory;  // page_decode.cpp

private:
    std::unique_ptr<Memory> memory_;
};

}  // namespace sinter
