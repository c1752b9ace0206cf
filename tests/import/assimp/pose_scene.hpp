// A second, simple evaluator for the tests: worlds of nodes, linear keys, skinned bounds. Double precision, no code
// of the library but its structs.
#pragma once

#include "cooker/scene.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace sinter::test {

struct Vec {
    double x = 0, y = 0, z = 0;
};
using Matrix = std::array<std::array<double, 4>, 3>;

struct Box {
    Vec low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    void add(Vec p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
};

inline Matrix multiply(const Matrix& a, const Matrix& b) {
    Matrix out{};
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 4; ++c) {
            out[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c] + (c == 3 ? a[r][3] : 0);
        }
    }
    return out;
}

inline Vec place(const Matrix& m, Vec p) {
    return {m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z + m[0][3],
            m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z + m[1][3],
            m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z + m[2][3]};
}

inline double distance(Vec a, Vec b) {
    return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

inline Vec vec(Float3 v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

inline void check_point(Vec got, Vec expected, double tolerance) {
    CHECK_THAT(got.x, Catch::Matchers::WithinAbs(expected.x, tolerance));
    CHECK_THAT(got.y, Catch::Matchers::WithinAbs(expected.y, tolerance));
    CHECK_THAT(got.z, Catch::Matchers::WithinAbs(expected.z, tolerance));
}

inline Matrix matrix_from(const Mat3x4& m) {
    Matrix out{};
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 4; ++c) out[r][c] = static_cast<double>(m.m[r * 4 + c]);
    }
    return out;
}

inline Matrix matrix_from(const Trs& t) {
    const double x = static_cast<double>(t.rotation.x), y = static_cast<double>(t.rotation.y);
    const double z = static_cast<double>(t.rotation.z), w = static_cast<double>(t.rotation.w);
    const Vec s = vec(t.scale);
    const Vec p = vec(t.translation);
    return {{{(1 - 2 * (y * y + z * z)) * s.x, 2 * (x * y - z * w) * s.y, 2 * (x * z + y * w) * s.z, p.x},
             {2 * (x * y + z * w) * s.x, (1 - 2 * (x * x + z * z)) * s.y, 2 * (y * z - x * w) * s.z, p.y},
             {2 * (x * z - y * w) * s.x, 2 * (y * z + x * w) * s.y, (1 - 2 * (x * x + y * y)) * s.z, p.z}}};
}

// A channel's value between its keys: straight, rotations the short way and normalised.
inline std::array<double, 4> sample(const Channel& channel, double time) {
    std::size_t k = 0;
    while (k + 1 < channel.times.size() && static_cast<double>(channel.times[k + 1]) <= time) ++k;
    const std::size_t next = std::min(k + 1, channel.times.size() - 1);
    const auto t0 = static_cast<double>(channel.times[k]);
    const auto t1 = static_cast<double>(channel.times[next]);
    double x = t1 > t0 && time > t0 ? std::min((time - t0) / (t1 - t0), 1.0) : 0.0;
    if (channel.interpolation == Interpolation::Step) x = 0;
    std::array<double, 4> out{};
    double cosine = 0;
    for (std::size_t c = 0; c < channel.components && c < 4; ++c) {
        cosine += static_cast<double>(channel.values[k * channel.components + c]) *
                  static_cast<double>(channel.values[next * channel.components + c]);
    }
    const double sign = channel.path == TrackPath::Rotation && cosine < 0 ? -1 : 1;
    double norm = 0;
    for (std::size_t c = 0; c < channel.components && c < 4; ++c) {
        out[c] = static_cast<double>(channel.values[k * channel.components + c]) * (1 - x) +
                 sign * static_cast<double>(channel.values[next * channel.components + c]) * x;
        norm += out[c] * out[c];
    }
    if (channel.path == TrackPath::Rotation) {
        for (double& v : out) v /= std::sqrt(norm);
    }
    return out;
}

// The scene with the local transforms of a clip at a time.
inline Scene posed(Scene scene, const Clip& clip, double time) {
    for (const Channel& channel : clip.channels) {
        Trs& local = scene.nodes[static_cast<std::size_t>(channel.node)].local;
        if (channel.path == TrackPath::Weights) continue;
        const std::array<double, 4> v = sample(channel, time);
        const Float3 three{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
        if (channel.path == TrackPath::Translation) local.translation = three;
        if (channel.path == TrackPath::Scale) local.scale = three;
        if (channel.path == TrackPath::Rotation) {
            local.rotation = {three.x, three.y, three.z, static_cast<float>(v[3])};
        }
    }
    return scene;
}

inline Matrix world_of(const Scene& scene, std::int32_t index) {
    Matrix world{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (; index >= 0; index = scene.nodes[static_cast<std::size_t>(index)].parent) {
        const Node& node = scene.nodes[static_cast<std::size_t>(index)];
        world =
            multiply(node.local_matrix ? matrix_from(*node.local_matrix) : matrix_from(node.local), world);
    }
    return world;
}

inline std::int32_t node_named(const Scene& scene, std::string_view name) {
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].name == name) return static_cast<std::int32_t>(i);
    }
    return -1;
}

// World position of a vertex of a node's mesh; skinned meshes by their joints alone.
inline Vec world_vertex(const Scene& scene, const Node& node, const Matrix& world,
                        const std::vector<Matrix>& palette, const Primitive& primitive, std::size_t v) {
    const Vec p = vec(primitive.positions[v]);
    if (node.skin < 0) return place(world, p);
    Vec sum;
    double weights = 0;
    for (std::uint32_t i = primitive.influence_offsets[v]; i < primitive.influence_offsets[v + 1]; ++i) {
        const auto w = static_cast<double>(primitive.influences[i].weight);
        const Vec q = place(palette[primitive.influences[i].joint], p);
        sum = {sum.x + q.x * w, sum.y + q.y * w, sum.z + q.z * w};
        weights += w;
    }
    (void)scene;
    if (weights == 0) return place(world, p);
    return {sum.x / weights, sum.y / weights, sum.z / weights};
}

inline std::vector<Matrix> palette_of(const Scene& scene, const Skin& skin) {
    std::vector<Matrix> out;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        out.push_back(multiply(world_of(scene, skin.joints[j]), matrix_from(skin.bone_from_mesh[j])));
    }
    return out;
}

inline Box world_bounds(const Scene& scene) {
    Box box;
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const Node& node = scene.nodes[n];
        if (node.mesh < 0) continue;
        const Matrix world = world_of(scene, static_cast<std::int32_t>(n));
        const std::vector<Matrix> palette =
            node.skin < 0 ? std::vector<Matrix>{}
                          : palette_of(scene, scene.skins[static_cast<std::size_t>(node.skin)]);
        for (const Primitive& primitive : scene.meshes[static_cast<std::size_t>(node.mesh)].primitives) {
            for (std::size_t v = 0; v < primitive.vertex_count(); ++v) {
                box.add(world_vertex(scene, node, world, palette, primitive, v));
            }
        }
    }
    return box;
}

}  // namespace sinter::test
