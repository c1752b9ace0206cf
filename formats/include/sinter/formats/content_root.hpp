// The content root: one digest that names what a package holds.
#pragma once

#include <sinter/formats/hash.hpp>
#include <sinter/formats/records.hpp>

#include <cstddef>
#include <span>

namespace sinter {

// SHA-256 over (type as u32, id as u64, raw digest) of every section but the manifest, in table order,
// followed by the SHA-256 of the manifest's canonical dump (manifest.hpp). Packages with equal roots hold
// equal content, whatever codec, compression level, library version, file name or issue list they have.
// Pre: `sections` is sorted by (type, id); decode_manifest accepts `manifest`.
[[nodiscard]] Digest content_root(std::span<const TocEntry> sections, std::span<const std::byte> manifest);

}  // namespace sinter
