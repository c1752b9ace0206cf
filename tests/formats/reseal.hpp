// Repairs the hashes of a changed package, so that tests and fuzzing get past them.
#pragma once

#include <sinter/formats/records.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace sinter::test {

[[nodiscard]] PackageHeader header_of(std::span<const std::byte> bytes);
void set_header(std::vector<std::byte>& bytes, const PackageHeader& header);

// Entry `index` of a table that lies behind the header. Pre: it is inside.
[[nodiscard]] TocEntry entry_of(std::span<const std::byte> bytes, std::size_t index);
void set_entry(std::vector<std::byte>& bytes, std::size_t index, const TocEntry& entry);
// Index of a section's entry; throws where there is none.
[[nodiscard]] std::size_t find_entry(std::span<const std::byte> bytes, SectionType type, std::uint64_t id);

// Hashes of table and header; nothing else.
void reseal_table(std::vector<std::byte>& bytes);

// Everything that can be repaired: magic and sizes of the header, hashes and digests of the sections that lie
// in the file (decoded ones up to 16 MiB), content root, table, header. Any input will do.
void reseal_all(std::vector<std::byte>& bytes);

}  // namespace sinter::test
