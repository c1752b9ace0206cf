#include "section_codec.hpp"

#include "text.hpp"

#include <sinter/formats/page_codec.hpp>
#include <sinter/formats/reader.hpp>
#include <sinter/formats/verify.hpp>

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace sinter {
namespace {

// RFC 8878, sections 3.1.1 and 3.1.2: a skippable frame is a magic number, the size of its content, the
// content.
constexpr std::uint32_t kFrameMagic = 0xFD2FB528;
constexpr std::uint32_t kSkippableMagic = 0x184D2A50;
constexpr std::uint64_t kSkippableHeader = 8;

Error decode_error(std::string message) {
    return {.kind = ErrorKind::Validation,
            .where = {},
            .message = std::move(message),
            .remedy = "cook the package again",
            .code = static_cast<std::uint16_t>(FindingCode::Decode)};
}

// What follows the frame: nothing, or one skippable frame of zeros that reaches the end.
bool is_ratio_padding(std::span<const std::byte> rest) {
    if (rest.empty()) return true;
    if (rest.size() < kSkippableHeader) return false;
    std::uint32_t magic = 0;
    std::uint32_t size = 0;
    std::memcpy(&magic, rest.data(), 4);
    std::memcpy(&size, rest.data() + 4, 4);
    const auto content = rest.subspan(kSkippableHeader);
    return magic == kSkippableMagic && size == content.size() &&
           std::ranges::all_of(content, [](std::byte b) { return b == std::byte{0}; });
}

Result<std::vector<std::byte>> decode_zstd(std::span<const std::byte> stored, std::uint64_t raw_size) {
    if (stored.size() < sizeof(kFrameMagic) ||
        std::memcmp(stored.data(), &kFrameMagic, sizeof(kFrameMagic)) != 0) {
        return decode_error(
            "does not begin with a zstd frame");  // libzstd would read frames of old versions too
    }
    const unsigned long long announced = ZSTD_getFrameContentSize(stored.data(), stored.size());
    if (announced != raw_size)
        return decode_error(cat("the zstd frame does not announce ", raw_size, " bytes"));
    const std::size_t frame = ZSTD_findFrameCompressedSize(stored.data(), stored.size());
    if (ZSTD_isError(frame) != 0U)
        return decode_error(cat("zstd: ", std::string_view(ZSTD_getErrorName(frame))));
    if (!is_ratio_padding(stored.subspan(frame))) return decode_error("bytes after the zstd frame");
    std::vector<std::byte> raw(raw_size);
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    const std::size_t written =
        ZSTD_decompressDCtx(context.get(), raw.data(), raw.size(), stored.data(), frame);
    if (ZSTD_isError(written) != 0U)
        return decode_error(cat("zstd: ", std::string_view(ZSTD_getErrorName(written))));
    if (written != raw_size) return decode_error(cat("zstd gives ", written, " bytes instead of ", raw_size));
    return raw;
}

Result<std::vector<std::byte>> decode_page_section(std::span<const std::byte> stored,
                                                   std::uint64_t raw_size) {
    Result<std::vector<std::byte>> page = decode_page(stored);
    if (!page) return decode_error(cat("page: ", page.error().message));
    if (page->size() != raw_size) {
        return decode_error(cat("the page has ", page->size(), " bytes instead of ", raw_size));
    }
    return page;
}

void pad_to_ratio(std::vector<std::byte>& stored, std::uint64_t raw_size) {
    const std::uint64_t wanted = min_stored_size(raw_size);
    if (stored.size() >= wanted) return;
    const std::uint64_t missing = std::max(wanted - stored.size(), kSkippableHeader);
    const auto content = static_cast<std::uint32_t>(missing - kSkippableHeader);
    const std::size_t at = stored.size();
    stored.resize(at + missing);
    std::memcpy(stored.data() + at, &kSkippableMagic, 4);
    std::memcpy(stored.data() + at + 4, &content, 4);
}

}  // namespace

std::uint64_t min_stored_size(std::uint64_t raw_size) {
    return raw_size <= kRatioSlack ? 0 : (raw_size - kRatioSlack + kMaxRatio - 1) / kMaxRatio;
}

Result<std::vector<std::byte>> decode_stored(Codec codec, std::span<const std::byte> stored,
                                             std::uint64_t raw_size) {
    if (codec == Codec::Zstd) return decode_zstd(stored, raw_size);
    if (codec == Codec::Page) return decode_page_section(stored, raw_size);
    if (codec == Codec::Raw) {
        if (stored.size() != raw_size)
            return decode_error(cat(stored.size(), " stored bytes instead of ", raw_size));
        return std::vector<std::byte>(stored.begin(), stored.end());
    }
    return Error{.kind = ErrorKind::Unsupported,
                 .where = {},
                 .message = cat("codec ", static_cast<unsigned>(codec), " is not known to this version"),
                 .remedy = "use a newer sinter",
                 .code = static_cast<std::uint16_t>(FindingCode::UnknownCodec)};
}

Result<StoredSection> encode_stored(const WriteOptions& options, SectionType type,
                                    std::span<const std::byte> raw) {
    StoredSection section;
    if (options.codec == Codec::Raw || raw.empty()) return section;
    if (type == SectionType::PageData) {
        SINTER_TRY_ASSIGN(EncodedPage page, encode_page(raw, options.zstd_level));
        section.codec = Codec::Page;
        section.bytes = std::move(page.bytes);
        return section;
    }
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    // No workers: one worker and none give different bytes (measured with 1.5.4).
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, options.zstd_level);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, 1);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 0);
    section.bytes.resize(ZSTD_compressBound(raw.size()));
    const std::size_t size =
        ZSTD_compress2(context.get(), section.bytes.data(), section.bytes.size(), raw.data(), raw.size());
    if (ZSTD_isError(size) != 0U) {
        return Error{.kind = ErrorKind::Internal,
                     .message = cat("zstd: ", std::string_view(ZSTD_getErrorName(size)))};
    }
    section.bytes.resize(size);
    pad_to_ratio(section.bytes, raw.size());
    if (section.bytes.size() < raw.size()) {
        section.codec = Codec::Zstd;
        section.bytes.shrink_to_fit();
    } else {
        section.bytes.clear();
    }
    return section;
}

}  // namespace sinter
