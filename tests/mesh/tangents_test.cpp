#include "cooker/mesh/tangents.hpp"

#include "cooker/mesh/angle.hpp"
#include "cooker/mesh/half_edges.hpp"
#include "cooker/mesh/weld.hpp"
#include "meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

using namespace sinter;
using namespace sinter::test;

namespace {

// Tangents of a primitive with normals and UVs; positions are told apart by their bits.
std::vector<Float4> corner_tangents(const Primitive& p) {
    const std::span<const Float3> positions(p.positions);
    const KeyStream key[] = {key_stream(positions)};
    std::vector<GridPosition> grid;
    for (const std::uint32_t id : weld(key, positions.size()).unique_of_vertex) {
        grid.push_back({static_cast<std::int32_t>(id), 0, 0});
    }
    return make_corner_tangents({p.indices, p.positions, grid, p.normals, p.uv_sets[0]});
}

Float3 direction(Float4 t) { return {t.x, t.y, t.z}; }
double angle_deg(Float4 a, Float3 b) {
    return angle_between(to_double(direction(a)), to_double(b)) * 180 / kPi;
}

}  // namespace

TEST_CASE("on a plane the tangent runs along u, and the bitangent up the picture") {
    Primitive plane = grid_plane(3, 3);
    plane.normals.assign(plane.vertex_count(), {0, 0, 1});
    for (const Float4 t : corner_tangents(plane)) {
        CHECK(t == Float4{1, 0, 0, 1});  // cross((0,0,1), (1,0,0)) = +Y, where v falls
    }
    for (Float2& uv : plane.uv_sets[0]) uv.y = 1 - uv.y;  // the picture upside down
    for (const Float4 t : corner_tangents(plane)) CHECK(t == Float4{1, 0, 0, -1});
    for (Float2& uv : plane.uv_sets[0]) uv = {1 - uv.x, 1 - uv.y};  // and seen from behind, right way up
    for (const Float4 t : corner_tangents(plane)) CHECK(t == Float4{-1, 0, 0, -1});
}

TEST_CASE("on a sphere mapped by longitude and latitude the tangent points east") {
    Primitive sphere = lat_long_sphere(96, 48);
    sphere.normals = sphere.positions;
    const std::vector<Float4> tangents = corner_tangents(sphere);
    for (std::size_t c = 0; c < tangents.size(); ++c) {
        const std::uint32_t v = sphere.indices[c], row = v / 97, column = v % 97;
        if (row == 0 || row == 48) continue;  // no east at the poles
        const double longitude = 2 * kPi * (column % 96) / 96;
        const Float3 east{static_cast<float>(std::cos(longitude)), 0,
                          static_cast<float>(-std::sin(longitude))};
        CHECK(tangents[c].w == 1);
        // Inside, the two sides of a vertex balance; along the seam only one side counts, so that the sum
        // is off by up to the angle of half a column, 360 / 96 / 2.
        CHECK(angle_deg(tangents[c], east) < (column % 96 == 0 ? 1.9 : 0.25));
        CHECK(std::abs(dot(direction(tangents[c]), sphere.normals[v])) < 1e-6F);
        CHECK(std::abs(length(direction(tangents[c])) - 1) < 1e-6F);
    }
}

TEST_CASE("mirrored UVs split the tangents at the line of symmetry, with opposite signs") {
    Primitive plane = grid_plane(4, 2);  // u = |2x - 1|: the left half is mirrored
    plane.normals.assign(plane.vertex_count(), {0, 0, 1});
    for (Float2& uv : plane.uv_sets[0]) uv.x = std::abs(2 * uv.x - 1);
    const std::vector<Float4> tangents = corner_tangents(plane);
    for (std::size_t c = 0; c < tangents.size(); ++c) {
        float middle = 0;
        for (std::size_t k = 0; k < 3; ++k) middle += plane.positions[plane.indices[c / 3 * 3 + k]].x / 3;
        CHECK(tangents[c] == (middle < 0.5F ? Float4{-1, 0, 0, -1} : Float4{1, 0, 0, 1}));
    }
}

TEST_CASE("triangles without a UV area take part in their neighbours' groups") {
    Primitive p;
    p.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    p.normals.assign(4, {0, 0, 1});
    p.uv_sets = {{{0, 1}, {1, 1}, {1, 0}, {0.5F, 0.5F}}};  // vertex 3 lies on the diagonal in UV space
    p.indices = {0, 1, 2, 0, 2, 3};
    const std::vector<Float4> tangents = corner_tangents(p);
    CHECK(tangents[0] == Float4{1, 0, 0, 1});
    CHECK(tangents[3] == tangents[0]);
    CHECK(tangents[4] == tangents[2]);
    CHECK(std::abs(dot(direction(tangents[5]), p.normals[3])) == 0);  // nothing known: any perpendicular
    CHECK(tangents[5].w == 1);
}

TEST_CASE("triangles without an area take the tangent of another corner at the vertex") {
    Primitive p = grid_plane(1, 1);
    p.normals.assign(4, {0, 0, 1});
    for (Float2& uv : p.uv_sets[0]) uv = {uv.y, uv.x};  // u runs down, mirrored
    p.positions.push_back(p.positions[0]);
    p.normals.push_back({0, 0, 1});
    p.uv_sets[0].push_back({7, 7});
    p.indices.insert(p.indices.begin(), {0, 4, 1});
    const std::vector<Float4> tangents = corner_tangents(p);
    CHECK(tangents[0] == Float4{0, -1, 0, -1});
    CHECK(tangents[2] == Float4{0, -1, 0, -1});
    CHECK(tangents[1].w == 1);  // no other triangle has this UV
}

TEST_CASE("zero UVs give unit perpendicular tangents") {
    Primitive sphere = lat_long_sphere(8, 4);
    sphere.normals = sphere.positions;
    sphere.uv_sets[0].assign(sphere.vertex_count(), {});
    const std::vector<Float4> tangents = corner_tangents(sphere);
    for (std::size_t c = 0; c < tangents.size(); ++c) {
        CHECK(std::abs(dot(direction(tangents[c]), sphere.normals[sphere.indices[c]])) < 1e-6F);
        CHECK(std::abs(length(direction(tangents[c])) - 1) < 1e-6F);
    }
}

namespace {

// A second way, corner by corner: walk the fan of triangles around the corner's vertex across edges that have
// exactly two triangles and keep the orientation, and add up what they bring, in float as the paper's author does.
struct Walker {
    const Primitive& p;

    [[nodiscard]] bool same(std::uint32_t a, std::uint32_t b) const {
        return p.positions[a] == p.positions[b] && p.normals[a] == p.normals[b] &&
               p.uv_sets[0][a] == p.uv_sets[0][b];
    }
    [[nodiscard]] float uv_area(std::uint32_t t) const {
        const std::size_t first = std::size_t{3} * t;
        const Float2 a = p.uv_sets[0][p.indices[first]], b = p.uv_sets[0][p.indices[first + 1]],
                     c = p.uv_sets[0][p.indices[first + 2]];
        return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    }
    [[nodiscard]] std::vector<std::uint32_t> neighbours(std::uint32_t t, std::uint32_t vertex) const {
        std::vector<std::uint32_t> found;
        for (std::uint32_t h = 3 * t; h < 3 * t + 3; ++h) {
            const std::uint32_t a = p.indices[h], b = p.indices[next_corner(h)];
            if (!same(a, vertex) && !same(b, vertex)) continue;
            for (std::uint32_t o = 0; o < p.indices.size(); ++o) {
                if (same(p.indices[o], b) && same(p.indices[next_corner(o)], a)) found.push_back(o / 3);
            }
        }
        return found;
    }
    [[nodiscard]] Float3 in_plane(Float3 v, Float3 n) const {
        const Float3 flat = v - n * dot(n, v);
        return flat * (1 / length(flat));
    }
    [[nodiscard]] Float3 tangent(std::uint32_t corner) const {
        const std::uint32_t vertex = p.indices[corner];
        const Float3 n = p.normals[vertex];
        std::vector<std::uint32_t> fan{corner / 3};
        Float3 sum;
        for (std::size_t i = 0; i < fan.size(); ++i) {
            for (const std::uint32_t t : neighbours(fan[i], vertex)) {
                const bool turns = (uv_area(t) > 0) != (uv_area(fan[0]) > 0);
                if (!turns && std::ranges::find(fan, t) == fan.end()) fan.push_back(t);
            }
            std::uint32_t k = 3 * fan[i];
            while (!same(p.indices[k], vertex)) ++k;
            const std::uint32_t b = p.indices[next_corner(k)], c = p.indices[previous_corner(k)];
            const Float3 e1 = p.positions[b] - p.positions[vertex], e2 = p.positions[c] - p.positions[vertex];
            const float v1 = p.uv_sets[0][b].y - p.uv_sets[0][vertex].y,
                        v2 = p.uv_sets[0][c].y - p.uv_sets[0][vertex].y;
            const Float3 along_u = (e1 * v2 - e2 * v1) * (uv_area(fan[i]) > 0 ? 1.0F : -1.0F);
            const float cosine = dot(in_plane(e1, n), in_plane(e2, n));
            sum = sum + in_plane(along_u, n) * std::acos(std::clamp(cosine, -1.0F, 1.0F));
        }
        return sum * (1 / length(sum));
    }
};

}  // namespace

TEST_CASE("tangents equal a corner-by-corner walk in float, on bumpy surfaces with torn and mirrored UVs") {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        Random random(seed);
        Primitive p = grid_plane(6, 6);
        for (Float3& at : p.positions) at.z = random.between(-0.1F, 0.1F);
        for (std::size_t v = 0; v < p.vertex_count(); ++v) {
            Float2& uv = p.uv_sets[0][v];
            uv = {uv.x + random.between(-0.03F, 0.03F), uv.y + random.between(-0.03F, 0.03F)};
            if (seed % 2 == 1) uv.x = std::abs(uv.x - 0.52F);  // mirrored, not along the edges
            const Float3 n{random.between(-0.3F, 0.3F), random.between(-0.3F, 0.3F), 1};
            p.normals.push_back(n * (1 / length(n)));
        }
        const Primitive soup = soup_of(p);
        const std::vector<Float4> tangents = corner_tangents(p);
        const std::vector<Float4> from_soup = corner_tangents(soup);
        const Walker walker{p};
        for (std::uint32_t c = 0; c < tangents.size(); ++c) {
            CHECK(tangents[c].w == (walker.uv_area(c / 3) < 0 ? 1.0F : -1.0F));
            // The walk is in float and acos loses half of its digits near a flat angle.
            CHECK(angle_deg(tangents[c], walker.tangent(c)) < 0.05);
            CHECK(tangents[c] == from_soup[c]);  // how vertices are shared in the source does not matter
        }
    }
}
