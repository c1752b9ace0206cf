#include <sinter/formats/writer.hpp>

#include "bytes.hpp"
#include "container.hpp"
#include "section_codec.hpp"
#include "text.hpp"

#include <sinter/formats/content_root.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>

namespace sinter {
namespace {

struct EncodedSection {
    TocEntry entry;
    std::span<const std::byte> bytes;  // stored ones
    StoredSection stored;              // owns them unless the codec is Raw
};

Result<EncodedSection> encode_section(const WriteOptions& options, const SectionDesc& desc,
                                      std::span<const std::byte> raw) {
    SINTER_TRY_ASSIGN(StoredSection stored, encode_stored(options, desc.type, raw));
    EncodedSection out;
    out.stored = std::move(stored);
    out.bytes = out.stored.codec == Codec::Raw ? raw : std::span<const std::byte>(out.stored.bytes);
    const bool mapped =
        out.stored.codec == Codec::Raw && desc.type != SectionType::Manifest && raw.size() >= kPageAlignment;
    out.entry = {.type = desc.type,
                 .codec = out.stored.codec,
                 .flags = desc.required ? kSectionRequired : std::uint16_t{0},
                 .id = desc.id,
                 .stored_size = out.bytes.size(),
                 .raw_size = raw.size(),
                 .alignment = mapped ? kPageAlignment : kSectionAlignment,
                 .record_stride = desc.record_stride,
                 .record_count = raw.size() / desc.record_stride,
                 .stored_hash = xxh3_128(out.bytes),
                 .raw_digest = sha256(raw)};
    return out;
}

std::vector<std::byte> lay_out(std::vector<EncodedSection>& sections, std::span<const std::byte> manifest) {
    std::uint64_t end = sizeof(PackageHeader) + sections.size() * sizeof(TocEntry);
    std::vector<TocEntry> toc;
    for (EncodedSection& section : sections) {
        section.entry.offset = align_up(end, section.entry.alignment);
        end = section.entry.offset + section.entry.stored_size;
        toc.push_back(section.entry);
    }
    const auto toc_bytes = std::as_bytes(std::span(toc));
    PackageHeader header;
    header.toc_count = static_cast<std::uint32_t>(toc.size());
    header.file_size = end;
    header.toc_hash = xxh3_128(toc_bytes);
    header.content_root = content_root(toc, manifest);
    const auto hashed = std::as_bytes(std::span(&header, 1)).first(offsetof(PackageHeader, header_hash));
    header.header_hash = xxh3_128(hashed);

    std::vector<std::byte> bytes(end);
    std::memcpy(bytes.data(), &header, sizeof(header));
    std::memcpy(bytes.data() + header.toc_offset, toc_bytes.data(), toc_bytes.size());
    for (const EncodedSection& section : sections) {
        if (!section.bytes.empty()) {
            std::memcpy(bytes.data() + section.entry.offset, section.bytes.data(), section.bytes.size());
        }
    }
    return bytes;
}

}  // namespace

void PackageBuilder::add(const SectionDesc& desc, std::vector<std::byte> raw) {
    sections_.push_back({.desc = desc, .raw = std::move(raw)});
}

Result<std::vector<std::byte>> PackageBuilder::finish(const manifest::ManifestT& manifest) && {
    add({.type = SectionType::Manifest}, encode_manifest(manifest));
    const std::span<const std::byte> manifest_bytes = sections_.back().raw;
    const ReadLimits limits;
    if (manifest_bytes.size() > limits.max_manifest_bytes || sections_.size() > limits.max_sections) {
        return Error{.kind = ErrorKind::Limit,
                     .message = cat("a manifest of ", manifest_bytes.size(), " bytes and ", sections_.size(),
                                    " sections; readers accept ", limits.max_manifest_bytes, " and ",
                                    limits.max_sections)};
    }
    const auto key = [](const Section& s) { return std::tuple(s.desc.type, s.desc.id); };
    std::vector<const Section*> order;
    for (const Section& section : sections_) order.push_back(&section);
    std::ranges::sort(order, {}, [&](const Section* s) { return key(*s); });

    std::vector<EncodedSection> encoded;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Section& section = *order[i];
        if (section.desc.record_stride == 0 || section.raw.size() % section.desc.record_stride != 0 ||
            (i > 0 && key(*order[i - 1]) == key(section))) {
            return Error{.kind = ErrorKind::Internal,
                         .where = section_place({.type = section.desc.type, .id = section.desc.id}),
                         .message = "added twice, or not a whole number of records"};
        }
        if (section.raw.size() > limits.max_section_raw_bytes) {
            return Error{
                .kind = ErrorKind::Limit,
                .where = section_place({.type = section.desc.type, .id = section.desc.id}),
                .message = cat(section.raw.size(), " bytes; readers accept ", limits.max_section_raw_bytes)};
        }
        SINTER_TRY_ASSIGN(EncodedSection done, encode_section(options_, section.desc, section.raw));
        encoded.push_back(std::move(done));
    }
    return lay_out(encoded, manifest_bytes);
}

}  // namespace sinter
