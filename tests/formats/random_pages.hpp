// Valid pages of random content, which no mesh would give: every code path of page codecs, at all extremes.
#pragma once

#include <sinter/formats/page.hpp>

#include <random>
#include <vector>

namespace sinter {

struct RandomPageOptions {
    std::uint32_t page = 0;
    std::uint32_t clusters = 1;
    std::uint32_t vertices = 0;
    std::uint16_t position_bits = 16;
    std::uint16_t normal_bits = 32;
    bool tangents = false;
};

// Owns what a PageContent refers to.
struct RandomContent {
    RandomPageOptions options;
    std::vector<ResidentVertex16> vertices16;
    std::vector<ResidentVertex32> vertices32;
    std::vector<OctNormal> normals;
    std::vector<std::vector<std::uint32_t>> tables;
    std::vector<std::vector<std::uint16_t>> references;
    std::vector<std::vector<std::uint8_t>> triangles;
    std::vector<PageCluster> clusters;

    [[nodiscard]] PageContent view() const;
};

[[nodiscard]] RandomContent random_content(std::mt19937& random, const RandomPageOptions& options);
[[nodiscard]] std::vector<std::byte> random_page(std::mt19937& random, const RandomPageOptions& options);

// Touches everything and says whether all references and triangles are where they should be.
[[nodiscard]] bool is_in_range(const PageView& view);

}  // namespace sinter
