#include "cooker/mesh/weld.hpp"

#include "cooker/mesh/half_edges.hpp"
#include "meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <limits>

using namespace sinter;
using namespace sinter::test;

namespace {

struct Key {
    std::vector<Float3> position;
    std::vector<std::uint32_t> label;
    std::vector<Float2> uv;
    [[nodiscard]] std::vector<KeyStream> streams() const {
        return {key_stream(std::span<const Float3>(position)),
                key_stream(std::span<const std::uint32_t>(label)), key_stream(std::span<const Float2>(uv))};
    }
};

// Quadratic: each vertex is compared with every earlier first one, with the == of floats.
std::vector<std::uint32_t> weld_slowly(const Key& key) {
    std::vector<std::uint32_t> ids, firsts;
    for (std::uint32_t v = 0; v < key.position.size(); ++v) {
        std::uint32_t id = 0;
        while (id < firsts.size()) {
            const std::uint32_t f = firsts[id];
            if (key.position[f] == key.position[v] && key.label[f] == key.label[v] && key.uv[f] == key.uv[v])
                break;
            ++id;
        }
        if (id == firsts.size()) firsts.push_back(v);
        ids.push_back(id);
    }
    return ids;
}

}  // namespace

TEST_CASE("weld equals comparing all pairs, on keys with many repeats, signed zeros and NaN") {
    const float values[] = {0.0F,
                            -0.0F,
                            1.0F,
                            -1.0F,
                            std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::denorm_min(),
                            std::numeric_limits<float>::infinity()};
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const auto pick = [&] { return values[random.below(seed < 10 ? 4 : 7)]; };
        Key key;
        for (int v = 0; v < 600; ++v) {
            const float x = pick(), y = pick(), z = pick(), u = pick();
            key.position.push_back({x, y, z});
            key.label.push_back(random.below(3));
            key.uv.push_back({u, 0});
        }
        const WeldMap map = weld(key.streams(), key.position.size());
        CHECK(map.unique_of_vertex == weld_slowly(key));
        for (std::uint32_t id = 0; id < map.unique_count(); ++id) {
            CHECK(map.unique_of_vertex[map.first_vertex[id]] == id);
            if (id > 0) CHECK(map.first_vertex[id - 1] < map.first_vertex[id]);
        }
    }
}

TEST_CASE("weld tells integers apart that are one as floats") {
    const std::vector<std::uint32_t> zeros{0U, 0x80000000U, 0U};
    const KeyStream key[] = {key_stream(std::span<const std::uint32_t>(zeros))};
    CHECK(weld(key, 3).unique_of_vertex == std::vector<std::uint32_t>{0, 1, 0});
}

TEST_CASE("weld of nothing is nothing, and without a key all are one") {
    CHECK(weld({}, 0).unique_of_vertex.empty());
    CHECK(weld({}, 3).unique_of_vertex == std::vector<std::uint32_t>{0, 0, 0});
}

TEST_CASE("a NaN equals nothing, itself included") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Float2> uvs{{nan, 0}, {nan, 0}, {1, nan}, {1, nan}};
    const KeyStream key[] = {key_stream(std::span<const Float2>(uvs))};
    CHECK(weld(key, 4).unique_count() == 4);
}

namespace {

// Quadratic: the i-th half edge a -> b mates with the i-th b -> a.
std::vector<std::uint32_t> mate_slowly(const std::vector<std::uint32_t>& ids) {
    std::vector<std::uint32_t> mates(ids.size(), kNoHalfEdge);
    for (std::uint32_t h = 0; h < ids.size(); ++h) {
        const std::uint32_t a = ids[h], b = ids[next_corner(h)];
        for (std::uint32_t other = 0; other < ids.size() && a != b; ++other) {
            if (mates[other] != kNoHalfEdge || ids[other] != b || ids[next_corner(other)] != a) continue;
            mates[h] = mates[h] == kNoHalfEdge ? other : mates[h];
            mates[mates[h]] = h;
            break;
        }
    }
    return mates;
}

}  // namespace

TEST_CASE("half edges find their mates, on closed, open and non-manifold surfaces") {
    const Primitive cube = shared_cube();
    const std::vector<std::uint32_t> cube_mates = mate_half_edges(cube.indices, 8);
    for (std::uint32_t h = 0; h < cube_mates.size(); ++h) {
        REQUIRE(cube_mates[h] != kNoHalfEdge);
        CHECK(cube_mates[cube_mates[h]] == h);
        CHECK(cube.indices[h] == cube.indices[next_corner(cube_mates[h])]);
    }
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        Random random(seed);
        std::vector<std::uint32_t> ids;
        for (int i = 0; i < 3 * 60; ++i) ids.push_back(random.below(9));
        CHECK(mate_half_edges(ids, 9) == mate_slowly(ids));
    }
}
