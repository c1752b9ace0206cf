// Assets of any size for the benchmarks: one closed, skinned mesh with normals and UVs, written as a GLB by the
// fixtures' writer. Deterministic.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace sinter::bench {

struct GeneratedAsset {
    std::string glb;
    std::uint64_t triangles = 0;
    std::uint64_t vertices = 0;
};

// A wavy torus of about `triangles` triangles (4 n^2 for a whole n), one seam each way, no degenerate triangles.
// Skinned: 32 joints on a ring, two influences a vertex, and a clip of 2 s that turns each of them.
[[nodiscard]] GeneratedAsset generate_torus(std::uint64_t triangles, bool skinned);

// The same as a file in the system's folder for temporary files; written once a process, removed at its end.
class GeneratedFile {
public:
    GeneratedFile(std::uint64_t triangles, bool skinned);
    ~GeneratedFile();
    GeneratedFile(const GeneratedFile&) = delete;
    GeneratedFile& operator=(const GeneratedFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::uint64_t triangles() const { return triangles_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    std::filesystem::path path_;
    std::uint64_t triangles_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace sinter::bench
