#include "prepared.hpp"

#include "cooker/mesh/angle.hpp"
#include "cooker/mesh/quantise.hpp"
#include "meshes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>

namespace sinter::test {

PreparedMesh prepared_of(const Mesh& mesh, const MeshOptions& options, const EncodedInfluences& influences) {
    Issues issues;
    auto prepared = prepare_mesh(mesh, influences, options, issues);
    REQUIRE(prepared.ok());
    return *std::move(prepared);
}

EncodedInfluences rigid(const std::vector<std::uint16_t>& joints) {
    EncodedInfluences influences;
    influences.stride = 1;
    influences.joints = joints;
    influences.weights.assign(joints.size(), 65535);
    return influences;
}

Corner corner_of(const PreparedMesh& m, std::uint32_t v) {
    Corner corner;
    const auto add3 = [&](Float3 f) { corner.insert(corner.end(), {f.x, f.y, f.z}); };
    add3(m.positions[v]);
    if (!m.normals.empty()) add3(m.normals[v]);
    if (!m.tangents.empty()) {
        add3({m.tangents[v].x, m.tangents[v].y, m.tangents[v].z});
        corner.push_back(m.tangents[v].w);
    }
    for (const auto& uvs : m.uv_sets) corner.insert(corner.end(), {uvs[v].x, uvs[v].y});
    if (!m.colors.empty())
        corner.insert(corner.end(), {m.colors[v].x, m.colors[v].y, m.colors[v].z, m.colors[v].w});
    for (std::uint32_t i = 0; i < m.influences.stride; ++i) {
        corner.push_back(m.influences.joints[v * m.influences.stride + i]);
        corner.push_back(m.influences.weights[v * m.influences.stride + i]);
    }
    return corner;
}

std::multiset<std::pair<std::int32_t, Triangle>> triangle_set(const PreparedMesh& m) {
    std::multiset<std::pair<std::int32_t, Triangle>> set;
    for (const Submesh& submesh : m.submeshes) {
        for (std::uint32_t i = submesh.first_index; i < submesh.first_index + submesh.index_count; i += 3) {
            Triangle t{corner_of(m, m.indices[i]), corner_of(m, m.indices[i + 1]),
                       corner_of(m, m.indices[i + 2])};
            std::rotate(t.begin(), std::ranges::min_element(t), t.end());
            set.insert({submesh.material, t});
        }
    }
    return set;
}

void check_invariants(const PreparedMesh& m) {
    const std::size_t count = m.vertex_count();
    CHECK(m.positions.size() == count);
    CHECK(m.point_of_vertex.size() == count);
    CHECK((m.normals.size() == count && (m.tangents.empty() || m.tangents.size() == count)));
    CHECK(m.influences.joints.size() == count * m.influences.stride);
    std::vector<bool> used(count, false);
    std::uint32_t next = 0;
    for (const std::uint32_t v : m.indices) {
        REQUIRE(v < count);
        CHECK(v <= next);  // first use in ascending order
        next = std::max(next, v + 1);
        used[v] = true;
    }
    CHECK(std::ranges::all_of(used, [](bool b) { return b; }));
    std::set<std::uint32_t> points(m.point_of_vertex.begin(), m.point_of_vertex.end());
    CHECK(points.size() == m.point_count);
    CHECK((points.empty() || *points.rbegin() + 1 == m.point_count));
    std::uint32_t covered = 0;
    for (const Submesh& submesh : m.submeshes) {
        CHECK(submesh.first_index == covered);
        CHECK(submesh.index_count > 0);
        covered += submesh.index_count;
    }
    CHECK(covered == m.indices.size());
    for (std::size_t v = 0; v < count; ++v) {
        CHECK(m.positions[v] == from_grid(m.grid, m.grid_positions[v]));
        CHECK(std::abs(length(to_double(m.normals[v])) - 1) < 1e-6);
        CHECK(length(to_double(m.positions[v]) - to_double(m.bounds.center)) <= to_double(m.bounds.radius));
    }
}

Mesh random_mesh(std::uint32_t seed, EncodedInfluences& influences) {
    Random random(seed);
    Mesh mesh;
    mesh.name = std::string("random");
    mesh.shapes.push_back({"a", 0, {0.5F, 1.0F}});
    std::vector<std::uint16_t> joints;
    for (std::int32_t material : {2, kNone, 0}) {
        Primitive p;
        p.material = material;
        p.uv_sets.resize(1);
        p.shape_frames.resize(2);
        for (int i = 0; i < 120; ++i) {
            const auto whole = [&](std::uint32_t n) { return static_cast<float>(random.below(n)); };
            const float x = whole(3), y = whole(3), z = whole(3), u = whole(2);
            p.positions.push_back({x - 1, y - 1, z - 1});
            p.uv_sets[0].push_back({u, x});
            p.colors.push_back({1, 1, 1, whole(2)});
            joints.push_back(static_cast<std::uint16_t>(random.below(2)));
            for (ShapeDeltas& frame : p.shape_frames) {
                const float moved = random.below(8) == 0 ? 1.0F : 0.0F;
                frame.positions.push_back({moved, 0, 0});
            }
        }
        for (int i = 0; i < 3 * 300; ++i) p.indices.push_back(random.below(120));
        mesh.primitives.push_back(std::move(p));
    }
    influences = rigid(joints);
    return mesh;
}

}  // namespace sinter::test
