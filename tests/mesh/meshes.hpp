// Generated meshes for the tests of the mesh stage, and slow second ways to look at them.
#pragma once

#include "cooker/cooked_asset.hpp"
#include "cooker/scene.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace sinter::test {

// The same numbers with every standard library (std::uniform_*_distribution differs between them).
class Random {
public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}
    [[nodiscard]] std::uint32_t below(std::uint32_t count) {
        return static_cast<std::uint32_t>(engine_()) % count;
    }
    [[nodiscard]] float between(float low, float high) {
        return low + (high - low) * static_cast<float>(static_cast<double>(engine_()) / 4294967296.0);
    }
    [[nodiscard]] Float3 point(float extent) {
        const float x = between(-extent, extent), y = between(-extent, extent), z = between(-extent, extent);
        return {x, y, z};
    }

private:
    std::mt19937 engine_;
};

inline Mesh mesh_of(Primitive primitive) {
    Mesh mesh;
    mesh.name = std::string("m");
    mesh.source_triangles = primitive.indices.size() / 3;
    mesh.source_vertices = primitive.vertex_count();
    mesh.primitives.push_back(std::move(primitive));
    return mesh;
}

// A grid of (columns + 1) x (rows + 1) vertices in the plane z = 0, facing +Z, u along +X, v along -Y.
inline Primitive grid_plane(std::uint32_t columns, std::uint32_t rows) {
    Primitive p;
    p.uv_sets.resize(1);
    for (std::uint32_t y = 0; y <= rows; ++y) {
        for (std::uint32_t x = 0; x <= columns; ++x) {
            const float u = static_cast<float>(x) / static_cast<float>(columns);
            const float v = static_cast<float>(y) / static_cast<float>(rows);
            p.positions.push_back({u, v, 0});
            p.uv_sets[0].push_back({u, 1 - v});
        }
    }
    for (std::uint32_t y = 0; y < rows; ++y) {
        for (std::uint32_t x = 0; x < columns; ++x) {
            const std::uint32_t a = y * (columns + 1) + x, b = a + 1, c = a + columns + 1, d = c + 1;
            p.indices.insert(p.indices.end(), {a, b, d, a, d, c});
        }
    }
    return p;
}

// The unit sphere by longitude and latitude, poles are rows of vertices, with a seam at longitude 0.
// u along growing longitude (eastwards), v from the north pole (+Y) down.
inline Primitive lat_long_sphere(std::uint32_t columns, std::uint32_t rows) {
    Primitive p = grid_plane(columns, rows);
    for (std::size_t i = 0; i < p.positions.size(); ++i) {
        const double longitude = static_cast<double>(p.uv_sets[0][i].x) * 2 * 3.14159265358979;
        const double latitude = (0.5 - static_cast<double>(p.uv_sets[0][i].y)) * 3.14159265358979;
        const std::uint32_t column = static_cast<std::uint32_t>(i) % (columns + 1);
        const double wrapped =
            column == columns ? 0 : longitude;  // the seam's positions are equal bit by bit
        p.positions[i] = {static_cast<float>(std::cos(latitude) * std::sin(wrapped)),
                          static_cast<float>(std::sin(latitude)),
                          static_cast<float>(std::cos(latitude) * std::cos(wrapped))};
    }
    return p;
}

// A box [-1, 1]^3 of 8 vertices and 12 triangles facing outwards.
inline Primitive shared_cube() {
    Primitive p;
    for (int i = 0; i < 8; ++i) {
        p.positions.push_back(
            {(i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F, (i & 4) != 0 ? 1.0F : -1.0F});
    }
    p.indices = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    return p;
}

// Every triangle gets its own three vertices.
inline Primitive soup_of(const Primitive& p) {
    Primitive soup;
    soup.material = p.material;
    soup.uv_sets.resize(p.uv_sets.size());
    for (const std::uint32_t v : p.indices) {
        soup.indices.push_back(static_cast<std::uint32_t>(soup.positions.size()));
        soup.positions.push_back(p.positions[v]);
        if (!p.normals.empty()) soup.normals.push_back(p.normals[v]);
        if (!p.tangents.empty()) soup.tangents.push_back(p.tangents[v]);
        for (std::size_t s = 0; s < p.uv_sets.size(); ++s) soup.uv_sets[s].push_back(p.uv_sets[s][v]);
    }
    return soup;
}

}  // namespace sinter::test
