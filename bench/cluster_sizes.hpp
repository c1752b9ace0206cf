// Bytes of a mesh in a package, stream by stream: as a GPU holds them, and on disk.
#pragma once

#include <sinter/formats/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinter::bench {

struct StreamSize {
    std::string name;
    std::uint64_t resident = 0;
    std::uint64_t disk = 0;
};

// Of mesh 0 of a package, in the order in which they are printed; the manifest, skins and clips are left out. Pages are
// taken apart on disk by encoding them again, so `zstd_level` must be the package's.
// Errors: those of the reader and of pages.
[[nodiscard]] Result<std::vector<StreamSize>> stream_sizes_of(std::span<const std::byte> package,
                                                              int zstd_level);

// Prints one row a stream and the sums, in bytes a triangle of the source. Returns the sums.
StreamSize print_streams(const std::vector<StreamSize>& streams, double triangles);

}  // namespace sinter::bench
