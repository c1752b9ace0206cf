// Versions of the libraries that decide about stored bytes, for provenance and `sinter version`.
#pragma once

#include <string>
#include <vector>

namespace sinter {

struct LibraryVersion {
    std::string name;
    std::string version;
};

// Those of sinter::formats, as they are linked: flatbuffers, openssl, xxhash, zstd, by name.
[[nodiscard]] std::vector<LibraryVersion> format_libraries();

}  // namespace sinter
