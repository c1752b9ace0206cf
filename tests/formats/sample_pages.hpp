// Plausible pages for tests: a small cluster DAG over a generated mesh, laid out as the cooker lays out its own, but with none
// of its code and none of its care (errors are the simplifier's, groups come from median splits).
#pragma once

#include <sinter/formats/page.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinter {

struct SampleMesh {
    std::vector<std::array<float, 3>> positions;  // within the unit sphere
    std::vector<std::uint32_t> indices;
};

// A height field or a sphere of about this many triangles, both with noise; irregular, as they come out of a simplifier.
[[nodiscard]] SampleMesh noisy_terrain(std::uint32_t triangles);
[[nodiscard]] SampleMesh noisy_sphere(std::uint32_t triangles);

struct SampleOptions {
    std::uint32_t position_bits = 16;
    std::uint16_t normal_bits = 20;
    bool tangents = false;
    bool order_for_codec = true;  // otherwise clusters and vertices keep a careless order
};

struct SamplePages {
    std::vector<std::vector<std::byte>> pages;
    std::uint64_t source_triangles = 0;
    std::uint64_t stored_triangles = 0;
    std::uint64_t vertices = 0;
    std::uint64_t references = 0;
    std::uint64_t clones = 0;
    std::uint64_t most_pages_of_a_cluster = 0;
};

[[nodiscard]] SamplePages sample_pages(const SampleMesh& mesh, const SampleOptions& options);

}  // namespace sinter
