#include "random_pages.hpp"

#include <sinter/formats/page.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace sinter {
namespace {

template <typename Value>
void poke(std::vector<std::byte>& bytes, std::size_t at, Value value) {
    REQUIRE(at + sizeof(Value) <= bytes.size());
    std::memcpy(bytes.data() + at, &value, sizeof(Value));
}

}  // namespace

TEST_CASE("a page reads back as it was packed, its arrays on 16-byte boundaries") {
    const std::vector<ResidentVertex16> vertices{{1, 2, 3, {5}}, {-32767, 32767, 0, {0x8001}}, {7, 8, 9, {}}};
    const std::vector<OctNormal> normals{{0, 0}, {32767, -32767}, {1, 2}};
    const std::vector<std::uint32_t> table{5, 2};
    const std::vector<std::uint16_t> references{make_reference(0, 0), make_reference(0, 1),
                                                make_reference(1, 4095), make_reference(0, 2)};
    const std::vector<std::uint8_t> triangles{0, 1, 2, 2, 1, 3};
    PageCluster cluster;
    cluster.cull_center = {1, -2, 3};
    cluster.cull_radius = 4;
    cluster.cone = {{1, 2, 3}, 4};
    cluster.group = 70000;
    cluster.child_group = 12;
    cluster.material = 3;
    cluster.table = table;
    cluster.references = references;
    cluster.triangles = triangles;
    std::vector<PageCluster> clusters{cluster, cluster};
    clusters[1].triangles = std::span(triangles).first(3);
    clusters[1].child_group = -1;
    PageContent content;
    content.page = 5;
    content.has_tangents = true;
    content.vertices16 = vertices;
    content.normals = normals;
    content.clusters = clusters;
    const auto page = pack_page(content);
    REQUIRE(page.ok());
    const auto view = view_page(*page);
    REQUIRE(view.ok());
    const PageHeader& h = view->header();
    CHECK(h.byte_count == page->size());
    CHECK(h.vertex_count == 3);
    CHECK(h.table_entry_count == 2);  // equal tables are stored once
    CHECK(h.reference_count == 8);
    CHECK(h.triangle_count == 3);
    for (const std::uint32_t offset : {h.byte_count, h.normals_offset, h.clusters_offset, h.tables_offset,
                                       h.references_offset, h.triangles_offset}) {
        CHECK(offset % 16 == 0);
    }
    CHECK(h.byte_count == page_byte_count({3, 2, 2, 8, 8 + 4}, 16, 32));
    for (std::uint32_t i = 0; i < 3; ++i) {
        CHECK(view->vertex16(i) == vertices[i]);
        CHECK(view->normal(i) == normals[i]);
    }
    const ClusterRecord second = view->cluster(1);
    CHECK(second.group == 70000);
    CHECK(second.child_group == -1);
    CHECK(second.material == 3);
    CHECK(second.cone == cluster.cone);
    CHECK(second.cull_radius == 4);
    CHECK(second.first_reference == 4);
    CHECK(second.first_triangle_byte == 8);
    CHECK(view->table_page(second, 1) == 2);
    CHECK(view->reference(second, 2) == make_reference(1, 4095));
    CHECK(view->triangle(view->cluster(0), 1) == std::array<std::uint8_t, 3>{2, 1, 3});
}

TEST_CASE("what breaks a page's rules is refused") {
    std::mt19937 random(1);
    const std::vector<std::byte> good = random_page(random, {.page = 9, .clusters = 3, .vertices = 20});
    REQUIRE(view_page(good).ok());
    PageHeader h;
    std::memcpy(&h, good.data(), sizeof(h));
    const auto refused = [&](std::size_t at, auto value) {
        auto bad = good;
        poke(bad, at, value);
        return !view_page(bad).ok();
    };
    using U8 = std::uint8_t;
    using U16 = std::uint16_t;
    using U32 = std::uint32_t;
    for (const std::size_t field : {4U, 8U, 12U, 16U, 20U, 24U, 28U, 36U, 40U, 44U, 48U, 52U, 56U, 60U}) {
        U32 value = 0;
        std::memcpy(&value, good.data() + field, 4);
        CAPTURE(field);
        CHECK(refused(field, value + 1 + (field == 4 ? 1U : 0U)));  // flag 1 is known
        CHECK(refused(field, U32{0xFFFFFFFF}));
        if (value != 0) CHECK(refused(field, value - 1));
    }
    CHECK(refused(32, U16{8}));
    CHECK(refused(34, U16{10}));
    CHECK(refused(64, std::int16_t{-32768}));
    CHECK(refused(h.normals_offset, std::int16_t{-32768}));
    const std::size_t cluster = h.clusters_offset + 48;  // the second
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        CHECK(refused(cluster, bad));
        CHECK(refused(cluster + 12, bad));
    }
    CHECK(refused(cluster + 12, -1.0F));
    CHECK(refused(cluster + 24, std::int32_t{-2}));
    CHECK(refused(cluster + 28, std::int32_t{-2}));
    CHECK(refused(cluster + 32, U32{0}));
    CHECK(refused(cluster + 36, U32{0}));
    CHECK(refused(cluster + 40, U16{0xFFFF}));
    for (const std::size_t count : {42U, 43U, 44U}) {
        CHECK(refused(cluster + count, U8{0}));
        CHECK(refused(cluster + count, U8{129}));
    }
    CHECK(refused(cluster + 45, U8{2}));
    CHECK(refused(cluster + 46, U16{1}));
    CHECK(refused(h.tables_offset, U32{10}));  // a page after this one
    CHECK(refused(h.references_offset, U16{0xF000}));
    CHECK(refused(h.triangles_offset, U8{128}));
    U8 corner = 0;
    std::memcpy(&corner, good.data() + h.triangles_offset + 1, 1);
    CHECK(refused(h.triangles_offset, corner));
    CHECK_FALSE(view_page(std::span(good).first(good.size() - 16)).ok());
    CHECK_FALSE(view_page(std::span(good).first(63)).ok());
    CHECK_FALSE(view_page({}).ok());
    auto longer = good;
    longer.resize(good.size() + 16);
    CHECK_FALSE(view_page(longer).ok());
}

TEST_CASE("a page with any one bit changed is refused, or everything in it is still in range") {
    std::mt19937 random(2);
    auto page = random_page(random, {.page = 3, .clusters = 2, .vertices = 12, .normal_bits = 20});
    std::size_t accepted = 0;
    for (std::size_t bit = 0; bit < 8 * page.size(); ++bit) {
        page[bit / 8] ^= std::byte{1} << (bit % 8);
        if (const auto view = view_page(page)) {
            REQUIRE(is_in_range(*view));
            ++accepted;
        }
        page[bit / 8] ^= std::byte{1} << (bit % 8);
    }
    CHECK(accepted > 0);  // coordinates may change
}

TEST_CASE("content that is no page is refused when packed") {
    std::mt19937 random(4);
    const auto refuses = [&](const std::function<void(PageContent&, PageCluster&)>& change) {
        RandomContent content = random_content(random, {.page = 2, .clusters = 1, .vertices = 8});
        PageContent view = content.view();
        REQUIRE(pack_page(view).ok());
        change(view, content.clusters[0]);
        return !pack_page(view).ok();
    };
    std::vector<std::uint8_t> many_triangles;
    for (int i = 0; i < 129; ++i) many_triangles.insert(many_triangles.end(), {0, 1, 2});
    const std::vector<std::uint16_t> many_references(129);
    const std::vector<std::uint32_t> later{3};
    const std::vector<std::uint32_t> many_pages(17, 2);
    const std::vector<ResidentVertex32> other(8);
    CHECK(refuses([&](PageContent&, PageCluster& c) { c.triangles = many_triangles; }));
    CHECK(refuses([&](PageContent&, PageCluster& c) { c.triangles = c.triangles.first(2); }));
    CHECK(refuses([&](PageContent&, PageCluster& c) { c.triangles = {}; }));
    CHECK(refuses([&](PageContent&, PageCluster& c) { c.references = many_references; }));
    CHECK(refuses([&](PageContent&, PageCluster& c) { c.table = later; }));
    CHECK(refuses([&](PageContent&, PageCluster& c) { c.table = many_pages; }));
    CHECK(refuses([&](PageContent&, PageCluster& c) { c.table = {}; }));
    CHECK(refuses([&](PageContent& p, PageCluster&) { p.clusters = {}; }));
    CHECK(refuses([&](PageContent& p, PageCluster&) { p.normals = p.normals.first(1); }));
    CHECK(refuses([&](PageContent& p, PageCluster&) { p.normal_bits = 0; }));
    CHECK(refuses([&](PageContent& p, PageCluster&) { p.vertices32 = other; }));
    CHECK(refuses([&](PageContent& p, PageCluster&) { p.vertices16 = {}; }));
}

TEST_CASE("an encoded cone never hides more than the cone itself") {
    std::mt19937 random(6);
    std::normal_distribution<double> normal(0, 1);
    std::uniform_real_distribution<float> cutoff_of(-1, 1);
    const auto unit = [&] {
        std::array<double, 3> v{normal(random), normal(random), normal(random)};
        const double len = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (double& c : v) c /= len;
        return v;
    };
    int hidden = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto axis = unit();
        const std::array<float, 3> a{static_cast<float>(axis[0]), static_cast<float>(axis[1]),
                                     static_cast<float>(axis[2])};
        const float cutoff = cutoff_of(random);
        const ConeRecord cone = encode_cone(a, cutoff);
        for (int k = 0; k < 200; ++k) {
            const auto d = unit();
            double coded = 0;
            double exact = 0;
            for (std::size_t n = 0; n < 3; ++n) {
                coded += d[n] * cone.axis[n];
                exact += d[n] * static_cast<double>(a[n]);
            }
            if (coded < cone.cutoff) continue;
            ++hidden;
            REQUIRE(exact >= static_cast<double>(cutoff));
        }
    }
    CHECK(hidden > 100000);
    CHECK(encode_cone({0, 0, 0}, 1) == ConeRecord{});
    CHECK(encode_cone({0, 0, 1}, 1) == ConeRecord{});
}

}  // namespace sinter
