#include "random_pages.hpp"
#include "sample_pages.hpp"

#include <sinter/formats/page_codec.hpp>

#include <catch2/catch_test_macros.hpp>
#include <zstd.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

namespace sinter {
namespace {

constexpr int kLevel = 9;
constexpr std::size_t kHeaderBytes = 48;  // of an encoded page

std::vector<std::byte> encoded(std::span<const std::byte> page) {
    auto out = encode_page(page, kLevel);
    REQUIRE(out.ok());
    std::uint64_t sum = 0;
    for (const std::uint64_t part : out->part_bytes) sum += part;
    CHECK(sum == out->bytes.size());
    return std::move(out->bytes);
}

bool comes_back(std::span<const std::byte> page) {
    const auto back = decode_page(encoded(page));
    return back.ok() && std::ranges::equal(*back, page);
}

// Whatever the bytes are: an error, or a page whose size is in bounds and which view_page can judge.
bool is_harmless(std::span<const std::byte> bytes) {
    const auto page = decode_page(bytes);
    if (!page) return !page.error().message.empty();
    if (page->size() > kPageByteLimit) return false;
    const auto view = view_page(*page);
    return !view.ok() || is_in_range(*view);
}

// The streams of an encoded page, and the page of changed ones.
std::vector<std::byte> inflate(std::span<const std::byte> bytes) {
    const auto frame = bytes.subspan(kHeaderBytes);
    std::vector<std::byte> out(ZSTD_getFrameContentSize(frame.data(), frame.size()));
    REQUIRE(ZSTD_decompress(out.data(), out.size(), frame.data(), frame.size()) == out.size());
    return out;
}
std::vector<std::byte> deflate(std::span<const std::byte> header, std::span<const std::byte> streams) {
    std::vector<std::byte> out(kHeaderBytes + ZSTD_compressBound(streams.size()));
    std::ranges::copy(header.first(kHeaderBytes), out.begin());
    out.resize(kHeaderBytes + ZSTD_compress(out.data() + kHeaderBytes, out.size() - kHeaderBytes,
                                            streams.data(), streams.size(), 1));
    return out;
}

using Triangle = std::array<std::uint8_t, 3>;

// Beginning with the smallest vertex: equal for equal triangles of equal winding.
Triangle rotated(Triangle t) {
    std::ranges::rotate(t, std::ranges::min_element(t));
    return t;
}

std::map<Triangle, int> count_triangles(std::span<const std::uint8_t> triangles,
                                        std::span<const std::uint8_t> names) {
    std::map<Triangle, int> out;
    for (std::size_t i = 0; i < triangles.size(); i += 3)
        ++out[rotated({names[triangles[i]], names[triangles[i + 1]], names[triangles[i + 2]]})];
    return out;
}

}  // namespace

TEST_CASE("pages of a mesh come back byte for byte, and take what docs/pages.md says") {
    const SampleMesh mesh = noisy_sphere(20000);
    for (const SampleOptions& options : {SampleOptions{}, SampleOptions{.normal_bits = 32, .tangents = true},
                                         SampleOptions{.position_bits = 32}, SampleOptions{.normal_bits = 0},
                                         SampleOptions{.order_for_codec = false}}) {
        const SamplePages pages = sample_pages(mesh, options);
        double resident = 0;
        double disk = 0;
        for (const auto& page : pages.pages) {
            CHECK(page.size() <= kMaxPageBytes);
            REQUIRE(comes_back(page));
            resident += static_cast<double>(page.size());
            disk += static_cast<double>(encoded(page).size());
        }
        if (options.order_for_codec && options.normal_bits == 20 && options.position_bits == 16) {
            const auto triangles = static_cast<double>(pages.source_triangles);
            CAPTURE(resident / triangles, disk / triangles);
            CHECK(resident / triangles <= 16.5);  // the targets for position and normal
            CHECK(disk / triangles <= 7.0);
        }
    }
}

TEST_CASE("pages of random content come back byte for byte") {
    std::mt19937 random(8);
    for (std::uint32_t i = 0; i < 200; ++i) {
        constexpr std::array<std::uint16_t, 3> kNormalBits{0, 20, 32};
        const RandomPageOptions options{.page = i % 7 * 1000 + 1,
                                        .clusters = 1 + i % 13,
                                        .vertices =
                                            i % 5 == 0 ? i % 3 : static_cast<std::uint32_t>(random() % 4097),
                                        .position_bits = static_cast<std::uint16_t>(i % 2 == 0 ? 16 : 32),
                                        .normal_bits = kNormalBits[i % 3],
                                        .tangents = i % 4 == 1};
        CAPTURE(i);
        REQUIRE(comes_back(random_page(random, options)));
    }
}

TEST_CASE("an encoded page depends on the page only, and what is no page is not encoded") {
    std::mt19937 random(9);
    const auto page = random_page(random, {.page = 4, .clusters = 5, .vertices = 300, .normal_bits = 20});
    CHECK(encoded(page) == encoded(page));
    CHECK_FALSE(encode_page(std::span(page).first(page.size() - 1), kLevel).ok());
    CHECK_FALSE(encode_page({}, kLevel).ok());
}

TEST_CASE("ordering a cluster keeps its triangles and windings, and numbers vertices by first use") {
    std::mt19937 random(10);
    for (int round = 0; round < 200; ++round) {
        const std::uint32_t vertices = 3 + static_cast<std::uint32_t>(random() % 126);
        std::vector<std::uint8_t> triangles;
        const std::uint32_t count = 1 + static_cast<std::uint32_t>(random() % 128);
        while (triangles.size() < std::size_t{3} * count) {
            // A strip with random jumps: neighbours, and edges of more than two triangles.
            const auto at = static_cast<std::uint8_t>(random() % vertices);
            const auto next = [&](std::uint32_t by) {
                return static_cast<std::uint8_t>((at + by) % vertices);
            };
            triangles.insert(triangles.end(), {at, next(1), next(2)});
        }
        const std::vector<std::uint8_t> before = triangles;
        std::vector<std::uint8_t> order(vertices);
        std::vector<std::uint8_t> names(vertices);
        std::iota(names.begin(), names.end(), std::uint8_t{0});
        order_cluster(triangles, order);
        REQUIRE(std::ranges::is_permutation(order, names));
        REQUIRE(count_triangles(before, names) == count_triangles(triangles, order));
        std::uint32_t next = 0;
        for (const std::uint8_t v : triangles) {
            REQUIRE(v <= next);
            next = std::max(next, v + 1U);
        }
    }
    order_cluster({}, {});
}

TEST_CASE("damaged encoded pages give errors or pages in bounds, never a crash") {
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        const auto page = round % 50;
        std::mt19937 seeded(static_cast<std::uint32_t>(page));
        static std::map<int, std::vector<std::byte>> kept;
        if (!kept.contains(page)) {
            kept[page] = encoded(
                random_page(seeded, {.page = 20,
                                     .clusters = 1 + static_cast<std::uint32_t>(page) % 4,
                                     .vertices = 100,
                                     .position_bits = static_cast<std::uint16_t>(page % 2 == 0 ? 16 : 32),
                                     .normal_bits = static_cast<std::uint16_t>(page % 3 == 0 ? 20 : 32),
                                     .tangents = page % 5 == 0}));
        }
        const std::vector<std::byte>& good = kept[page];
        std::vector<std::byte> bad = good;
        if (round % 3 == 0) {  // as it lies on disk
            for (std::uint32_t k = 1 + static_cast<std::uint32_t>(random() % 4); k > 0; --k)
                bad[random() % bad.size()] = static_cast<std::byte>(random() % 256);
            if (random() % 4 == 0) bad.resize(random() % bad.size());
        } else {  // behind the compression, where damage gets further
            auto streams = inflate(good);
            for (std::uint32_t k = 1 + static_cast<std::uint32_t>(random() % 8); k > 0; --k)
                streams[random() % streams.size()] = static_cast<std::byte>(random() % 256);
            if (round % 7 == 0) bad[random() % kHeaderBytes] ^= std::byte{1} << (random() % 8);
            bad = deflate(bad, streams);
        }
        REQUIRE(is_harmless(bad));
    }
    CHECK_FALSE(decode_page({}).ok());
}

TEST_CASE("an encoded page that claims to be huge is refused before memory is taken for it") {
    std::mt19937 random(12);
    const auto good = encoded(random_page(random, {.page = 2, .clusters = 2, .vertices = 50}));
    for (std::size_t field = 12; field < kHeaderBytes; field += 4) {
        for (const std::uint32_t value : {0xFFFFFFFFU, 0x7FFFFFFFU, 0x00100000U, 0x000FFFFFU}) {
            auto bad = good;
            std::memcpy(bad.data() + field, &value, 4);
            CAPTURE(field, value);
            CHECK_FALSE(decode_page(bad).ok());
        }
    }
}

}  // namespace sinter
