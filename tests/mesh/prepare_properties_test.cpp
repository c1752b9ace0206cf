#include "cooker/mesh/prepare.hpp"

#include "cooker/mesh/quantise.hpp"
#include "prepared.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace sinter;
using namespace sinter::test;

TEST_CASE("the numbering of the source's vertices does not matter") {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
        EncodedInfluences influences;
        const Mesh mesh = random_mesh(seed, influences);
        Mesh shuffled = mesh;
        EncodedInfluences shuffled_influences = influences;
        Random random(seed + 100);
        for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
            const Primitive& from = mesh.primitives[i];
            Primitive& to = shuffled.primitives[i];
            std::vector<std::uint32_t> place(from.vertex_count());
            std::iota(place.begin(), place.end(), 0U);
            for (std::uint32_t v = 119; v > 0; --v) std::swap(place[v], place[random.below(v + 1)]);
            for (std::uint32_t v = 0; v < 120; ++v) {
                to.positions[place[v]] = from.positions[v];
                to.uv_sets[0][place[v]] = from.uv_sets[0][v];
                to.colors[place[v]] = from.colors[v];
                for (std::size_t f = 0; f < 2; ++f) {
                    to.shape_frames[f].positions[place[v]] = from.shape_frames[f].positions[v];
                }
                shuffled_influences.joints[120 * i + place[v]] = influences.joints[120 * i + v];
            }
            for (std::uint32_t& index : to.indices) index = place[index];
        }
        const PreparedMesh a = prepared_of(mesh, {}, influences);
        const PreparedMesh b = prepared_of(shuffled, {}, shuffled_influences);
        CHECK(a.indices == b.indices);
        CHECK(a.grid_positions == b.grid_positions);
        CHECK(a.normals == b.normals);
        CHECK(a.tangents == b.tangents);
        CHECK(a.point_of_vertex == b.point_of_vertex);
        CHECK(a.influences.joints == b.influences.joints);
        CHECK(a.shapes[0].frames[0].vertices == b.shapes[0].frames[0].vertices);
        CHECK(triangle_set(a) == triangle_set(b));
        check_invariants(a);
    }
}

TEST_CASE("nothing is left to weld, and points are exactly equal position, influences and deltas") {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
        EncodedInfluences influences;
        const Mesh mesh = random_mesh(seed, influences);
        const PreparedMesh m = prepared_of(mesh, {}, influences);
        using PointKey = std::tuple<GridPosition, std::uint16_t, std::vector<float>>;
        std::vector<std::vector<float>> deltas(m.vertex_count(), std::vector<float>(2, 0.0F));
        for (std::size_t f = 0; f < 2; ++f) {
            const SparseShapeFrame& frame = m.shapes[0].frames[f];
            for (std::size_t i = 0; i < frame.vertices.size(); ++i)
                deltas[frame.vertices[i]][f] = frame.positions[i].x;
        }
        std::map<PointKey, std::uint32_t> point_of;
        std::set<std::pair<Corner, std::vector<float>>> vertices;
        for (std::uint32_t v = 0; v < m.vertex_count(); ++v) {
            const PointKey key{m.grid_positions[v], m.influences.joints[v], deltas[v]};
            const auto [at, added] = point_of.insert({key, m.point_of_vertex[v]});
            CHECK(at->second == m.point_of_vertex[v]);
            CHECK(vertices.insert({corner_of(m, v), deltas[v]}).second);
        }
        CHECK(point_of.size() == m.point_count);
    }
}

namespace {

// A prepared mesh as a source again.
Mesh as_source(const PreparedMesh& m) {
    Mesh mesh;
    mesh.name = m.name;
    for (const Submesh& submesh : m.submeshes) {
        Primitive p;
        p.material = submesh.material;
        p.positions = m.positions;
        p.normals = m.normals;
        p.tangents = m.tangents;
        p.uv_sets = m.uv_sets;
        p.colors = m.colors;
        const auto first = m.indices.begin() + submesh.first_index;
        p.indices.assign(first, first + submesh.index_count);
        mesh.primitives.push_back(std::move(p));
    }
    return mesh;
}

}  // namespace

TEST_CASE("preparing the decoded result again changes nothing") {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
        EncodedInfluences ignored;
        Mesh mesh = random_mesh(seed, ignored);
        mesh.shapes.clear();
        Random random(seed);
        for (Primitive& p : mesh.primitives) {
            p.shape_frames.clear();
            for (Float3& at : p.positions) at = at + Float3{0.3F, 0.7F, random.between(0, 0.1F)};
        }
        MeshOptions options;
        options.position_grid = GridKind::World;  // a sphere's centre moves with the rounding of its extremes
        options.position_tolerance = 1e-3;
        const PreparedMesh once = prepared_of(mesh, options);
        const PreparedMesh twice = prepared_of(as_source(once), options);
        CHECK(twice.max_position_error == 0);
        CHECK(twice.degenerate_triangles == 0);
        CHECK(twice.duplicate_triangles == 0);
        CHECK(!twice.made_normals);
        CHECK(!twice.made_tangents);
        CHECK(twice.vertex_count() == once.vertex_count());
        CHECK(twice.point_count == once.point_count);
        CHECK(triangle_set(twice) == triangle_set(once));
    }
}
