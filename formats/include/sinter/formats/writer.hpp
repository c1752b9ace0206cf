// Writes a package: add sections in any order, then finish with the manifest.
#pragma once

#include <sinter/formats/manifest.hpp>
#include <sinter/formats/records.hpp>
#include <sinter/formats/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace sinter {

struct WriteOptions {
    Codec codec = Codec::Zstd;    // Raw or Zstd; a section that zstd does not make smaller is stored raw
    std::int32_t zstd_level = 9;  // [1, 19]
};

// What a section is. `record_stride` is the size of one record in bytes.
struct SectionDesc {
    SectionType type{};
    std::uint64_t id = 0;
    std::uint32_t record_stride = 1;
    bool required = true;
};

// Same sections, manifest and options give the same bytes (for one zstd and one FlatBuffers version; the
// content root does not depend on either).
class PackageBuilder {
public:
    explicit PackageBuilder(const WriteOptions& options) : options_(options) {}

    // Pre: raw.size() is a multiple of record_stride > 0, and (type, id) is new; finish() checks it.
    void add(const SectionDesc& desc, std::vector<std::byte> raw);

    template <typename Record>
    void add(SectionType type, std::uint64_t id, std::span<const Record> records) {
        static_assert(std::is_trivially_copyable_v<Record>);
        const auto bytes = std::as_bytes(records);
        add({.type = type, .id = id, .record_stride = sizeof(Record)}, {bytes.begin(), bytes.end()});
    }

    // Encodes everything. Errors: Internal (a broken precondition), Limit (more than a reader accepts).
    [[nodiscard]] Result<std::vector<std::byte>> finish(const manifest::ManifestT& manifest) &&;

private:
    struct Section {
        SectionDesc desc;
        std::vector<std::byte> raw;
    };
    WriteOptions options_;
    std::vector<Section> sections_;
};

}  // namespace sinter
