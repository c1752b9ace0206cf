// Header and table of contents: one check for the reader, which stops at the first problem, and the
// verifier, which lists them. Internal to formats.
#pragma once

#include <sinter/formats/reader.hpp>
#include <sinter/formats/verify.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sinter {

struct ContainerProblem {
    FindingCode code{};
    ErrorKind kind = ErrorKind::Validation;
    std::string where;
    std::string message;
};

struct Container {
    PackageHeader header;
    std::vector<TocEntry> sections;
    bool readable = false;   // header and table are there and carry their hashes; sections may have problems
    bool ranges_ok = false;  // every section lies in the file, in order, without overlap or gap
    // True if a later minor version wrote it: it may have fields and bits that this version does not know.
    [[nodiscard]] bool is_newer() const { return header.format > kFormatVersion; }
};

using ProblemSink = std::function<void(ContainerProblem)>;

// Reads nothing outside header and table. A wrong magic, hash, version or truncation ends the check: what
// comes after could not be believed.
[[nodiscard]] Container parse_container(std::span<const std::byte> bytes, const ReadLimits& limits,
                                        const ProblemSink& report);

// "section mesh_indices 3"
[[nodiscard]] std::string section_place(const TocEntry& entry);

[[nodiscard]] bool is_supported(Codec codec);

}  // namespace sinter
