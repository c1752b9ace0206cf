// Adds sections to a package and leaves out empty ones: a part without records has no section. Internal.
#pragma once

#include <sinter/formats/manifest.hpp>
#include <sinter/formats/writer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sinter {

class Sections {
public:
    explicit Sections(const WriteOptions& options) : builder_(options) {}

    template <typename Record>
    void add(SectionType type, std::uint64_t id, const std::vector<Record>& records) {
        if (!records.empty()) builder_.add(type, id, std::span<const Record>(records));
    }
    void add_bytes(SectionType type, std::uint64_t id, std::uint32_t stride, std::vector<std::byte> bytes) {
        if (!bytes.empty()) builder_.add({.type = type, .id = id, .record_stride = stride}, std::move(bytes));
    }
    [[nodiscard]] Result<std::vector<std::byte>> finish(const manifest::ManifestT& manifest) && {
        return std::move(builder_).finish(manifest);
    }

private:
    PackageBuilder builder_;
};

}  // namespace sinter
