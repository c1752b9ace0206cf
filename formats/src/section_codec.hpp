// Bytes of one section to and from their stored form, without the container's hashes. Internal to formats.
#pragma once

#include <sinter/formats/records.hpp>
#include <sinter/formats/result.hpp>
#include <sinter/formats/writer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter {

// Pre: raw_size is within the ratio and the reader's limits. Errors: Validation (Decode), Unsupported.
[[nodiscard]] Result<std::vector<std::byte>> decode_stored(Codec codec, std::span<const std::byte> stored,
                                                           std::uint64_t raw_size);

struct StoredSection {
    Codec codec = Codec::Raw;
    std::vector<std::byte> bytes;  // empty for Raw: the raw bytes are the stored ones
};

// Zstd where it makes the section smaller, padded so that the ratio stays within kMaxRatio; else Raw.
// Errors: Internal.
[[nodiscard]] Result<StoredSection> encode_stored(const WriteOptions& options, SectionType type,
                                                  std::span<const std::byte> raw);

// The smallest stored size that may decode to raw_size bytes.
[[nodiscard]] std::uint64_t min_stored_size(std::uint64_t raw_size);

}  // namespace sinter
