#include "cooker/cluster/samples.hpp"

#include "tests/mesh/meshes.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace sinter;
using sinter::test::Random;

namespace {

struct Surface {
    std::vector<Float3> positions;
    std::vector<std::uint32_t> indices;
};

// The unit sphere with nine octaves of waves on it.
Surface noise_sphere(std::uint32_t columns, std::uint32_t rows, float phase) {
    Primitive p = test::lat_long_sphere(columns, rows);
    Surface sphere{p.positions, p.indices};
    for (Float3& v : sphere.positions) {
        float radius = 1, frequency = 2.3F, height = 0.05F;
        for (int octave = 0; octave < 9; ++octave) {
            radius += height * std::sin(frequency * v.x + phase + std::sin(frequency * v.y)) *
                      std::sin(frequency * v.y + 2.1F) * std::cos(frequency * v.z + phase);
            frequency *= 1.93F;
            height *= 0.55F;
        }
        v = v * radius;
    }
    return sphere;
}

std::vector<std::uint32_t> simplify(const Surface& surface, const std::vector<std::uint32_t>& indices,
                                    double ratio) {
    std::vector<std::uint32_t> out(indices.size());
    const auto goal = static_cast<std::size_t>(static_cast<double>(indices.size() / 3) * ratio) * 3;
    out.resize(meshopt_simplify(out.data(), indices.data(), indices.size(), &surface.positions[0].x,
                                surface.positions.size(), sizeof(Float3), goal, 10, 0, nullptr));
    return out;
}

Float3 random_point(Random& random, const Surface& s, const std::vector<std::uint32_t>& indices,
                    std::size_t triangle) {
    float u = random.between(0, 1), v = random.between(0, 1);
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const Float3 a = s.positions[indices[3 * triangle]];
    return a + (s.positions[indices[3 * triangle + 1]] - a) * u +
           (s.positions[indices[3 * triangle + 2]] - a) * v;
}

// The largest distance from random points of one surface to the other; deviation_test.cpp holds the tree to account.
float one_way(Random& random, const Surface& s, const std::vector<std::uint32_t>& from,
              const std::vector<std::uint32_t>& to, int points_a_triangle) {
    TriangleSurface surface;
    surface.build(s.positions, to);
    float farthest = 0;
    std::uint32_t start = 0;
    for (std::size_t t = 0; t < from.size() / 3; ++t) {
        for (int k = 0; k < points_a_triangle; ++k) {
            const Nearest found = surface.nearest(random_point(random, s, from, t), {.start = start});
            start = found.leaf;
            farthest = std::max(farthest, found.distance_squared);
        }
    }
    return std::sqrt(farthest);
}

float two_ways(Random& random, const Surface& s, const std::vector<std::uint32_t>& simplified) {
    return std::max(one_way(random, s, s.indices, simplified, 4),
                    one_way(random, s, simplified, s.indices, 16));
}

SourceSurface source_of(const Surface& s) { return make_source_surface(s.positions, s.indices); }

// Rows of squares in the plane z = 0, `size` units wide.
Surface plane(std::uint32_t columns, float size) {
    const Primitive p = test::grid_plane(columns, columns);
    Surface s{p.positions, p.indices};
    for (Float3& v : s.positions) v = v * size;
    return s;
}

constexpr double kSampleRounding = 1e-6;  // of coordinates up to 4

}  // namespace

TEST_CASE("a flat grid cut to two triangles deviates by rounding only") {
    const Surface s = plane(8, 1);
    const std::vector<std::uint32_t> two{0, 8, 80, 0, 80, 72};
    const MeasuredStep step = measure_step(source_of(s), {s.indices, two, {}});
    CHECK(static_cast<double>(step.rest.to_simplified) < kSampleRounding);
    CHECK(static_cast<double>(step.rest.to_source) < kSampleRounding);
    CHECK(static_cast<double>(step.rest.error()) < 2 * kSampleRounding);
    CHECK(step.rest.error() > 0);
}

TEST_CASE("a spike that is removed counts with its height") {
    Surface s = plane(8, 4);
    s.positions[40].z = 3;  // the middle vertex
    const std::vector<std::uint32_t> two{0, 8, 80, 0, 80, 72};
    const MeasuredStep step = measure_step(source_of(s), {s.indices, two, {}});
    CHECK(step.rest.to_simplified == 3);
    CHECK(std::ranges::find(step.samples, 40U) != step.samples.end());
    // Another step that keeps the spike's foot but not its tip still knows it.
    const std::vector<std::uint32_t> fan{0, 8, 72};
    CHECK(measure_step(source_of(s), {two, fan, step.samples}).rest.to_simplified >= 3);
    CHECK(measure_step(source_of(s), {two, fan, {}}).rest.to_simplified < 3);
}

TEST_CASE("a hole that is covered counts with the way to its rim") {
    Surface s = plane(8, 4);
    // Without the triangles whose three corners all lie within 1 of the middle: a hole of side 2.
    std::vector<std::uint32_t> ring;
    for (std::size_t t = 0; t < s.indices.size(); t += 3) {
        const bool inside = std::ranges::all_of(std::span(s.indices).subspan(t, 3), [&](std::uint32_t v) {
            return std::abs(s.positions[v].x - 2) <= 1 && std::abs(s.positions[v].y - 2) <= 1;
        });
        if (!inside)
            ring.insert(ring.end(), s.indices.begin() + static_cast<std::ptrdiff_t>(t),
                        s.indices.begin() + static_cast<std::ptrdiff_t>(t + 3));
    }
    s.indices = ring;
    const std::vector<std::uint32_t> two{0, 8, 80, 0, 80, 72};
    const Deviation rest = measure_step(source_of(s), {s.indices, two, {}}).rest;
    CHECK(static_cast<double>(rest.to_simplified) < kSampleRounding);
    CHECK(static_cast<double>(rest.to_source) == Catch::Approx(1).margin(kSampleRounding));
}

TEST_CASE("a hole between vertices that all stay counts with the way to its rim") {
    const Surface s = plane(8, 4);
    // Without the two triangles of one square of side 0.5 in the middle: its corners stay, its centre is 0.25 away.
    std::vector<std::uint32_t> ring;
    for (std::size_t t = 0; t < s.indices.size(); t += 3) {
        const bool inside = std::ranges::all_of(std::span(s.indices).subspan(t, 3), [](std::uint32_t v) {
            return v == 40 || v == 41 || v == 49 || v == 50;
        });
        if (!inside)
            ring.insert(ring.end(), s.indices.begin() + static_cast<std::ptrdiff_t>(t),
                        s.indices.begin() + static_cast<std::ptrdiff_t>(t + 3));
    }
    REQUIRE(ring.size() + 6 == s.indices.size());
    const SourceSurface source = source_of(s);
    const MeasuredStep step = measure_step(source, {s.indices, ring, {}});
    CHECK(static_cast<double>(step.rest.to_simplified) == Catch::Approx(0.25).margin(kSampleRounding));
    const Deviation posed = measure_posed(source, step, [&](auto vertices, auto out) {
        for (std::size_t i = 0; i < vertices.size(); ++i) out[i] = s.positions[vertices[i]] * 2.0F;
    });
    CHECK(static_cast<double>(posed.to_simplified) == Catch::Approx(0.5).margin(2 * kSampleRounding));
}

TEST_CASE("a source triangle that reaches out of the group says nothing of it") {
    Surface s = plane(2, 4);
    s.positions.push_back({14, 2, 0});
    const std::vector<std::uint32_t> grid = s.indices, two{0, 2, 8, 0, 8, 6};
    s.indices.insert(s.indices.end(), {5, 9, 8});  // of another group; the last triangle of vertex 5
    const MeasuredStep step = measure_step(source_of(s), {grid, two, std::vector<std::uint32_t>{5}});
    CHECK(static_cast<double>(step.rest.to_simplified) < kSampleRounding);
}

TEST_CASE("a small group carries a vertex that others surpass now and that is the farthest later") {
    Surface s = plane(8, 4);
    for (const std::size_t v : {28U, 38U, 48U, 58U}) s.positions[v].z = 2.5F;  // 0.5^0.5 from the diagonal
    s.positions[54].z = 2.2F;                                                  // 4.5^0.5 from it
    const std::vector<std::uint32_t> two{0, 8, 80, 0, 80, 72}, one{0, 8, 80};
    const SourceSurface source = source_of(s);
    const MeasuredStep first = measure_step(source, {s.indices, two, {}});
    CHECK(first.rest.to_simplified == 2.5F);
    const MeasuredStep second = measure_step(source, {two, one, first.samples});
    const double right = std::sqrt(4.5 + 2.2 * 2.2);  // vertex 72, which no height adds to, is 8^0.5 away
    CHECK(static_cast<double>(second.rest.to_simplified) == Catch::Approx(right).margin(kSampleRounding));
}

TEST_CASE("no sample that was measured is farther than the deviation") {
    Random random(2);
    for (int round = 0; round < 20; ++round) {
        Surface s;
        for (int i = 0; i < 60; ++i) s.positions.push_back(random.point(1));
        const auto soup = [&](int triangles) {
            std::vector<std::uint32_t> indices;
            for (int i = 0; i < 3 * triangles; ++i) indices.push_back(random.below(60));
            return indices;
        };
        s.indices = soup(80);
        for (std::uint32_t v = 0; v < 60; ++v)
            s.indices.insert(s.indices.end(), {v, v, v});  // every vertex is used
        const std::vector<std::uint32_t> replaced = soup(30), simplified = soup(10), carried = soup(5);
        const MeasuredStep step = measure_step(source_of(s), {replaced, simplified, carried});
        float farthest = 0;
        for (const auto& list : {replaced, carried}) {
            for (const std::uint32_t v : list) {
                float nearest = INFINITY;
                for (std::size_t t = 0; t < simplified.size(); t += 3) {
                    nearest = std::min(nearest, distance_squared(s.positions[v], s.positions[simplified[t]],
                                                                 s.positions[simplified[t + 1]],
                                                                 s.positions[simplified[t + 2]]));
                }
                farthest = std::max(farthest, nearest);
            }
        }
        CHECK(step.rest.to_simplified >= std::sqrt(farthest));
        CHECK(step.rest.error() > step.rest.to_simplified);
    }
}

TEST_CASE("samples are at most two a triangle or 2048, no vertex twice, the farthest vertex among them") {
    const Surface s = noise_sphere(60, 30, 0);
    const SourceSurface source = source_of(s);
    std::vector<std::uint32_t> replaced = s.indices, carried;
    for (int level = 0; level < 5; ++level) {
        const std::vector<std::uint32_t> simplified = simplify(s, replaced, 0.5);
        const MeasuredStep step = measure_step(source, {replaced, simplified, carried});
        const std::size_t triangles = simplified.size() / 3;
        REQUIRE(step.first_sample.size() == triangles + 1);
        CHECK(step.first_sample.front() == 0);
        CHECK(step.first_sample.back() == step.samples.size());
        CHECK(std::ranges::is_sorted(step.first_sample));
        CHECK(step.samples.size() <= std::max<std::size_t>(kSamplesPerTriangle * triangles, kFewSamples));
        CHECK(step.samples.size() > triangles / 2);
        std::vector<std::uint32_t> sorted = step.samples;
        std::ranges::sort(sorted);
        CHECK(std::ranges::adjacent_find(sorted) == sorted.end());
        // No kept vertex is carried, and every carried one is nearest to its triangle.
        TriangleSurface surface;
        surface.build(s.positions, simplified);
        float carried_most = 0, all_most = 0;
        for (std::size_t t = 0; t < triangles; ++t) {
            for (std::uint32_t i = step.first_sample[t]; i < step.first_sample[t + 1]; ++i) {
                const Float3 p = s.positions[step.samples[i]];
                const float to_own =
                    distance_squared(p, s.positions[simplified[3 * t]], s.positions[simplified[3 * t + 1]],
                                     s.positions[simplified[3 * t + 2]]);
                REQUIRE(to_own == surface.nearest(p).distance_squared);
                carried_most = std::max(carried_most, to_own);
            }
        }
        for (std::size_t i = step.kept_vertices; i < step.vertices.size(); ++i) {
            all_most = std::max(all_most, surface.nearest(s.positions[step.vertices[i]]).distance_squared);
        }
        CHECK(carried_most == all_most);
        carried = step.samples;
        replaced = simplified;
    }
}

TEST_CASE("over many levels the stored error covers dense random samples and is not loose") {
    std::vector<float> stored_over_true;
    for (int seed = 0; seed < 4; ++seed) {
        Random random(static_cast<std::uint32_t>(seed));
        const Surface s = noise_sphere(70, 35, static_cast<float>(seed));
        const SourceSurface source = source_of(s);
        std::vector<std::uint32_t> replaced = s.indices, carried;
        for (int level = 0; level < 6; ++level) {
            const std::vector<std::uint32_t> simplified = simplify(s, replaced, 0.5);
            const MeasuredStep step = measure_step(source, {replaced, simplified, carried});
            stored_over_true.push_back(step.rest.error() / two_ways(random, s, simplified));
            carried = step.samples;
            replaced = simplified;
        }
    }
    std::ranges::sort(stored_over_true);
    // What the design asks for: never short by more than 2 %, the median at most 1.5 times.
    CHECK(stored_over_true.front() >= 1 / 1.02F);
    CHECK(stored_over_true[stored_over_true.size() / 2] <= 1.5F);
}

TEST_CASE("leaves that are removed whole count with the way to those that stay") {
    Random random(9);
    Surface s;
    std::vector<std::vector<std::uint32_t>> cards;
    for (int card = 0; card < 400; ++card) {  // two triangles, bent along the middle
        const Float3 o = random.point(1), x = random.point(0.05F), y = random.point(0.05F),
                     up = random.point(0.02F);
        const auto v = static_cast<std::uint32_t>(s.positions.size());
        s.positions.insert(s.positions.end(), {o - x, o + y + up, o - y + up, o + x});
        cards.push_back({v, v + 1, v + 2, v + 2, v + 1, v + 3});
        s.indices.insert(s.indices.end(), cards.back().begin(), cards.back().end());
    }
    const SourceSurface source = source_of(s);
    std::vector<std::uint32_t> replaced = s.indices, carried;
    float before = 0;
    for (std::size_t keep = 2; keep <= 64; keep *= 2) {
        std::vector<std::uint32_t> simplified;
        for (std::size_t i = 0; i < cards.size(); i += keep) {
            simplified.insert(simplified.end(), cards[i].begin(), cards[i].end());
        }
        const MeasuredStep step = measure_step(source, {replaced, simplified, carried});
        const float right = two_ways(random, s, simplified);
        // Carried samples are two a triangle of what is left: 64 cards' worth of samples on one card lose some.
        CHECK(step.rest.error() >= right * 0.9F);
        CHECK(step.rest.error() <= right * 1.1F);
        CHECK(step.rest.error() >= before);
        before = step.rest.error();
        carried = step.samples;
        replaced = simplified;
    }
}

TEST_CASE("posed as at rest, turned or scaled, a step deviates as much, or in scale") {
    const Surface s = noise_sphere(60, 30, 1);
    const SourceSurface source = source_of(s);
    const std::vector<std::uint32_t> simplified = simplify(s, s.indices, 0.4);
    const MeasuredStep step = measure_step(source, {s.indices, simplified, {}});
    for (const float scale : {1.0F, 2.0F, 0.25F}) {
        const PositionsOf pose = [&](std::span<const std::uint32_t> vertices, std::span<Float3> out) {
            for (std::size_t i = 0; i < vertices.size(); ++i) {
                const Float3 p = s.positions[vertices[i]];
                out[i] = Float3{p.y, -p.x, p.z} * scale;
            }
        };
        const Deviation posed = measure_posed(source, step, pose);
        CHECK(static_cast<double>(posed.to_simplified) ==
              Catch::Approx(static_cast<double>(step.rest.to_simplified * scale)).epsilon(1e-4));
        // Backward against a part of the source: never nearer, and not much farther.
        CHECK(posed.to_source >= step.rest.to_source * scale * 0.9999F);
        CHECK(posed.to_source <= step.rest.to_source * scale * 1.1F);
    }
}

TEST_CASE("a group that vanishes is infinitely far, one without triangles is nowhere") {
    const Surface s = plane(2, 1);
    const SourceSurface source = source_of(s);
    CHECK(measure_step(source, {s.indices, {}, {}}).rest.error() == INFINITY);
    const MeasuredStep nothing = measure_step(source, {{}, {}, {}});
    CHECK(nothing.rest.error() == 0);
    CHECK(nothing.samples.empty());
    CHECK(nothing.first_sample.size() == 1);
}
