// Reads a package that lies in memory (a read or mapped file). Nothing in it is trusted: every size is
// checked in 64 bits before it is used, and no part of the file is believed about another.
#pragma once

#include <sinter/formats/hash.hpp>
#include <sinter/formats/manifest.hpp>
#include <sinter/formats/records.hpp>
#include <sinter/formats/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sinter {

// Upper bounds for what a reader is willing to make out of a file.
struct ReadLimits {
    std::uint64_t max_sections = 1U << 20U;
    std::uint64_t max_section_raw_bytes = std::uint64_t{4} << 30U;  // one decoded section
    std::uint64_t max_total_raw_bytes = std::uint64_t{64} << 30U;   // all sections together
    std::uint64_t max_manifest_bytes = std::uint64_t{256} << 20U;   // the decoded manifest
};

// A compressed section may not be larger than this many times its stored bytes plus kRatioSlack; a writer
// pads the stored bytes (Codec::Zstd) where it would be.
inline constexpr std::uint64_t kMaxRatio = 1024;
inline constexpr std::uint64_t kRatioSlack = std::uint64_t{1} << 20U;

// A package whose header and table of contents are sound. It refers to the bytes it was opened on, which
// must outlive it. Copying is cheap next to reading; const members are safe from many threads.
class PackageView {
public:
    // Checks the magic, the header's hash, the versions, the file size, the table's hash, and each entry:
    // order, reserved bytes, codec, alignment, sizes, ratio, limits, and that sections follow each other
    // without overlap or gap. Section bytes are not read. The first failure is the error:
    //   Validation (code = FindingCode)  it is not a sound package
    //   Unsupported  a newer minimum reader, or a required section of unknown type or codec; versions named
    //   Limit        more than `limits` allow
    [[nodiscard]] static Result<PackageView> open(std::span<const std::byte> bytes,
                                                  const ReadLimits& limits = {});

    [[nodiscard]] const PackageHeader& header() const { return header_; }
    [[nodiscard]] const Digest& content_root() const { return header_.content_root; }
    [[nodiscard]] std::uint64_t size_bytes() const { return bytes_.size(); }

    // Sorted by (type, id). Unknown optional sections are among them.
    [[nodiscard]] std::span<const TocEntry> sections() const { return sections_; }

    // The section, or null.
    [[nodiscard]] const TocEntry* find(SectionType type, std::uint64_t id) const;

    // The bytes as they are in the file. Pre: `entry` is one of sections().
    [[nodiscard]] std::span<const std::byte> stored(const TocEntry& entry) const;

    // True if the stored bytes match their hash: reads all of them, about 10 GB/s. Pre: as above.
    [[nodiscard]] bool is_intact(const TocEntry& entry) const;

    // The decoded bytes, exactly entry.raw_size of them. Checks the hash of the stored bytes first, and
    // the digest of the raw ones after. Errors: Validation (damaged), Unsupported (codec).
    [[nodiscard]] Result<std::vector<std::byte>> decode(const TocEntry& entry) const;

    // decode(find(type, id)); Validation when there is no such section.
    [[nodiscard]] Result<std::vector<std::byte>> decode(SectionType type, std::uint64_t id) const;

    // Decodes and unpacks the manifest. See decode_manifest for what is not checked.
    [[nodiscard]] Result<std::unique_ptr<manifest::ManifestT>> read_manifest() const;

private:
    PackageView() = default;
    std::span<const std::byte> bytes_;
    PackageHeader header_;
    std::vector<TocEntry> sections_;
};

}  // namespace sinter
