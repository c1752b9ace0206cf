// The manifest as plain structs: sinter::manifest::ManifestT and its parts, made by flatc's object API
// from schemas/package.fbs (which documents every field). Pointers to tables and structs (grid, bounds,
// Float3 ...) may be null in a package that was not verified.
#pragma once

#include <sinter/formats/package_generated.h>
#include <sinter/formats/result.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinter {

// The bytes of the manifest section. Deterministic for one FlatBuffers version.
[[nodiscard]] std::vector<std::byte> encode_manifest(const manifest::ManifestT& manifest);

// Checks the structure (FlatBuffers verifier, no object referred to twice, so that the result is not
// larger than a small multiple of the bytes), then unpacks. The content is not checked: verify.hpp does.
// Errors: Validation.
[[nodiscard]] Result<std::unique_ptr<manifest::ManifestT>> decode_manifest(std::span<const std::byte> bytes);

// The canonical dump of everything but provenance and issues: the same for the same field values, whatever
// FlatBuffers version or builder made the bytes. docs/package-format.md, section "Content root".
// Pre: decode_manifest accepts the bytes.
[[nodiscard]] std::vector<std::byte> canonical_manifest(std::span<const std::byte> bytes);

}  // namespace sinter
