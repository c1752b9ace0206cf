#include "reseal.hpp"

#include "formats/src/manifest_access.hpp"
#include "formats/src/section_codec.hpp"

#include <sinter/formats/content_root.hpp>
#include <sinter/formats/hash.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace sinter::test {
namespace {

constexpr std::size_t kHeaderSize = sizeof(PackageHeader);
constexpr std::size_t kEntrySize = sizeof(TocEntry);

}  // namespace

PackageHeader header_of(std::span<const std::byte> bytes) {
    PackageHeader header;
    std::memcpy(&header, bytes.data(), kHeaderSize);
    return header;
}

void set_header(std::vector<std::byte>& bytes, const PackageHeader& header) {
    std::memcpy(bytes.data(), &header, kHeaderSize);
}

TocEntry entry_of(std::span<const std::byte> bytes, std::size_t index) {
    TocEntry entry;
    std::memcpy(&entry, bytes.data() + kHeaderSize + index * kEntrySize, kEntrySize);
    return entry;
}

void set_entry(std::vector<std::byte>& bytes, std::size_t index, const TocEntry& entry) {
    std::memcpy(bytes.data() + kHeaderSize + index * kEntrySize, &entry, kEntrySize);
}

std::size_t find_entry(std::span<const std::byte> bytes, SectionType type, std::uint64_t id) {
    for (std::size_t i = 0; i < header_of(bytes).toc_count; ++i) {
        const TocEntry entry = entry_of(bytes, i);
        if (entry.type == type && entry.id == id) return i;
    }
    throw std::runtime_error("no such section");
}

void reseal_table(std::vector<std::byte>& bytes) {
    PackageHeader header = header_of(bytes);
    const std::span<const std::byte> all(bytes);
    header.toc_hash =
        xxh3_128(all.subspan(kHeaderSize, std::size_t{header.toc_count} * header.toc_entry_size));
    const auto hashed = std::as_bytes(std::span(&header, 1)).first(offsetof(PackageHeader, header_hash));
    header.header_hash = xxh3_128(hashed);
    set_header(bytes, header);
}

void reseal_all(std::vector<std::byte>& bytes) {
    if (bytes.size() < kHeaderSize) bytes.resize(kHeaderSize);
    PackageHeader header = header_of(bytes);
    header.magic = kMagic;
    header.format = kFormatVersion;
    header.minimum_reader = kMinimumReader;
    header.header_size = kHeaderSize;
    header.toc_offset = kHeaderSize;
    header.toc_entry_size = kEntrySize;
    header.reserved0 = 0;
    header.reserved1 = {};
    header.file_size = bytes.size();
    const std::size_t room = (bytes.size() - kHeaderSize) / kEntrySize;
    header.toc_count = static_cast<std::uint32_t>(std::min<std::size_t>(header.toc_count, room));
    std::vector<TocEntry> entries;
    std::vector<std::byte> manifest;
    for (std::size_t i = 0; i < header.toc_count; ++i) {
        TocEntry entry = entry_of(bytes, i);
        if (entry.offset <= bytes.size() && entry.stored_size <= bytes.size() - entry.offset) {
            const auto stored = std::span<const std::byte>(bytes).subspan(entry.offset, entry.stored_size);
            entry.stored_hash = xxh3_128(stored);
            constexpr std::uint64_t kMaxRaw = std::uint64_t{16} << 20U;
            if (entry.raw_size <= kMaxRaw) {
                if (const auto raw = decode_stored(entry.codec, stored, entry.raw_size)) {
                    entry.raw_digest = sha256(*raw);
                    if (entry.type == SectionType::Manifest && entry.id == 0) manifest = *raw;
                }
            }
        }
        set_entry(bytes, i, entry);
        entries.push_back(entry);
    }
    if (AlignedManifest(manifest).check()) header.content_root = content_root(entries, manifest);
    set_header(bytes, header);
    reseal_table(bytes);
}

}  // namespace sinter::test
