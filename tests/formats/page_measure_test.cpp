// Sizes and speed of pages. Hidden: `sinter_tests_pages "[.measure]"` prints them.
#include "sample_pages.hpp"

#include <sinter/formats/hash.hpp>
#include <sinter/formats/page_codec.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace sinter {
namespace {

double number(std::uint64_t n) { return static_cast<double>(n); }

// Of raw page a second of CPU time, all pages in turn into memory that is there; the middle of some runs.
struct Speeds {
    double decode = 0;    // the check of the stored bytes' hash, and decoding
    double and_view = 0;  // the same and view_page
};

double middle(std::array<double, 9> seconds, double bytes) {
    std::ranges::sort(seconds);
    return bytes / 1e9 / seconds[4];
}

Speeds speeds_of(const std::vector<std::vector<std::byte>>& encoded,
                 const std::vector<std::vector<std::byte>>& pages, double resident) {
    std::vector<Hash128> hashes;
    for (const auto& page : encoded) hashes.push_back(xxh3_128(page));
    std::vector<std::byte> memory(kPageByteLimit);
    PageDecoder decoder;
    const auto seconds = [&](bool view) {
        std::array<double, 9> out{};
        for (double& s : out) {
            const std::clock_t start = std::clock();
            std::size_t failures = 0;
            for (std::size_t i = 0; i < encoded.size(); ++i) {
                const auto page = std::span(memory).first(pages[i].size());
                const bool good = xxh3_128(encoded[i]) == hashes[i] &&
                                  decoder.decode_to(encoded[i], page).ok() && (!view || view_page(page).ok());
                failures += good ? 0U : 1U;
            }
            REQUIRE(failures == 0);
            s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        }
        return out;
    };
    return {middle(seconds(false), resident), middle(seconds(true), resident)};
}

void measure(const char* name, const SampleMesh& mesh, const SampleOptions& options) {
    const SamplePages pages = sample_pages(mesh, options);
    const double triangles = number(pages.source_triangles);
    std::array<double, kPagePartCount> parts{};
    double resident = 0;
    double disk = 0;
    double largest = 0;
    std::vector<std::vector<std::byte>> encoded;
    for (const auto& page : pages.pages) {
        resident += number(page.size());
        largest = std::max(largest, number(page.size()));
        auto e = encode_page(page, 9);
        REQUIRE(e.ok());
        for (std::size_t i = 0; i < kPagePartCount; ++i) parts[i] += number(e->part_bytes[i]);
        disk += number(e->bytes.size());
        encoded.push_back(std::move(e->bytes));
    }
    std::printf(
        "%s, %.0f triangles: a triangle has %.3f stored, %.3f vertices, %.3f references; %.0f pages, the "
        "largest %.0f bytes; %.0f clones; most pages of a cluster %.0f\n",
        name, triangles, number(pages.stored_triangles) / triangles, number(pages.vertices) / triangles,
        number(pages.references) / triangles, number(pages.pages.size()), largest, number(pages.clones),
        number(pages.most_pages_of_a_cluster));
    std::printf("    resident %.2f B/triangle, disk %.2f:", resident / triangles, disk / triangles);
    for (std::size_t i = 0; i < kPagePartCount; ++i)
        std::printf(" %s %.3f", page_part_name(static_cast<PagePart>(i)).data(), parts[i] / triangles);
    const Speeds speeds = speeds_of(encoded, pages.pages, resident);
    std::printf("; decode %.2f GB/s, with view_page %.2f (CPU time)\n", speeds.decode, speeds.and_view);
}

}  // namespace

TEST_CASE("sizes and decode speed of pages, printed", "[.measure]") {
    const char* most = std::getenv("SINTER_MEASURE_TRIANGLES");
    const std::uint32_t limit =
        most == nullptr ? 100000 : static_cast<std::uint32_t>(std::strtoul(most, nullptr, 10));
    for (const std::uint32_t triangles : {100000U, 1000000U}) {
        if (triangles > limit) continue;
        measure("sphere", noisy_sphere(triangles), {});
        measure("terrain", noisy_terrain(triangles), {});
    }
    measure("sphere, careless order", noisy_sphere(100000), {.order_for_codec = false});
    measure("sphere, 32-bit normals", noisy_sphere(100000), {.normal_bits = 32});
    measure("sphere, tangents", noisy_sphere(100000), {.tangents = true});
    measure("sphere, 32-bit grid", noisy_sphere(100000), {.position_bits = 32});
}

}  // namespace sinter
