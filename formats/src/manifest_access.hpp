// The manifest in place, without unpacking. Internal to formats.
#pragma once

#include <sinter/formats/package_generated.h>
#include <sinter/formats/result.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace sinter {

// Manifest bytes at an address that FlatBuffers may read from; copies them only where it must.
// Refers to `bytes`, which must outlive it.
class AlignedManifest {
public:
    explicit AlignedManifest(std::span<const std::byte> bytes);
    AlignedManifest(const AlignedManifest&) = delete;
    AlignedManifest& operator=(const AlignedManifest&) = delete;

    // See decode_manifest. Errors: Validation, ManifestStructure.
    [[nodiscard]] Result<Unit> check() const;

    // Pre for both: check() was ok.
    [[nodiscard]] const manifest::Manifest& root() const;
    [[nodiscard]] std::vector<std::byte> canonical() const;

private:
    std::vector<std::byte> copy_;
    std::span<const std::byte> bytes_;
};

}  // namespace sinter
