#include <sinter/formats/content_root.hpp>

#include <sinter/formats/manifest.hpp>

#include <cstring>

namespace sinter {

Digest content_root(std::span<const TocEntry> sections, std::span<const std::byte> manifest) {
    Sha256 hash;
    for (const TocEntry& entry : sections) {
        if (entry.type == SectionType::Manifest) continue;
        std::array<std::byte, 4 + 8 + 32> record{};
        std::memcpy(record.data(), &entry.type, 4);
        std::memcpy(record.data() + 4, &entry.id, 8);
        std::memcpy(record.data() + 12, entry.raw_digest.data(), entry.raw_digest.size());
        hash.update(record);
    }
    const Digest dump = sha256(canonical_manifest(manifest));
    hash.update(std::as_bytes(std::span(dump)));
    return hash.finish();
}

}  // namespace sinter
