#include "tests/cluster/meshes.hpp"

#include "tests/mesh/meshes.hpp"

#include <array>
#include <cmath>
#include <functional>

namespace sinter::test {
namespace {

double wide(float value) { return static_cast<double>(value); }

// Noise in [-1, 1] on the integer lattice, smoothly between (Perlin's fade curve on value noise).
float lattice(std::int32_t x, std::int32_t y, std::int32_t z) {
    std::uint32_t h = static_cast<std::uint32_t>(x) * 73856093U ^ static_cast<std::uint32_t>(y) * 19349663U ^
                      static_cast<std::uint32_t>(z) * 83492791U;
    h = (h ^ (h >> 15U)) * 0x2C1B3C6DU;
    h = (h ^ (h >> 12U)) * 0x297A2D39U;
    return static_cast<float>(h >> 8U) / 8388608.0F - 1.0F;
}

float value_noise(Float3 p) {
    const std::array<float, 3> c = {p.x, p.y, p.z};
    std::array<std::int32_t, 3> cell{};
    std::array<float, 3> t{};
    for (std::size_t k = 0; k < 3; ++k) {
        cell[k] = static_cast<std::int32_t>(std::floor(c[k]));
        const float f = c[k] - std::floor(c[k]);
        t[k] = f * f * (3 - 2 * f);
    }
    float sum = 0;
    for (std::int32_t i = 0; i < 8; ++i) {
        const std::int32_t dx = i & 1, dy = (i >> 1) & 1, dz = i >> 2;
        const float weight =
            (dx != 0 ? t[0] : 1 - t[0]) * (dy != 0 ? t[1] : 1 - t[1]) * (dz != 0 ? t[2] : 1 - t[2]);
        sum += weight * lattice(cell[0] + dx, cell[1] + dy, cell[2] + dz);
    }
    return sum;
}

float fractal(Float3 p) {
    float sum = 0, size = 0.12F;
    for (int octave = 0; octave < 8; ++octave) {
        sum += size * value_noise(p);
        p = p * 2.03F;
        size *= 0.5F;
    }
    return sum;
}

struct Axes {
    Float3 origin, right, up;
};
constexpr std::array<Axes, 6> kFaces = {{{{1, -1, 1}, {0, 0, -2}, {0, 2, 0}},
                                         {{-1, -1, -1}, {0, 0, 2}, {0, 2, 0}},
                                         {{-1, 1, 1}, {2, 0, 0}, {0, 0, -2}},
                                         {{-1, -1, -1}, {2, 0, 0}, {0, 0, 2}},
                                         {{-1, -1, 1}, {2, 0, 0}, {0, 2, 0}},
                                         {{1, -1, -1}, {-2, 0, 0}, {0, 2, 0}}}};

Float3 on_sphere(Float3 p) { return p * (1 / length(p)); }

// A grid of `side` x `side` quads, `place` makes the point of (u, v) in [0, 1]; `skip` leaves out quads.
void add_grid(Primitive& p, std::uint32_t side, const std::function<Float3(float, float)>& place,
              const std::function<Float2(float, float)>& uv = {}) {
    const auto first = static_cast<std::uint32_t>(p.positions.size());
    for (std::uint32_t y = 0; y <= side; ++y) {
        for (std::uint32_t x = 0; x <= side; ++x) {
            const float u = static_cast<float>(x) / static_cast<float>(side);
            const float v = static_cast<float>(y) / static_cast<float>(side);
            p.positions.push_back(place(u, v));
            if (uv) p.uv_sets[0].push_back(uv(u, v));
        }
    }
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t a = first + y * (side + 1) + x, b = a + 1, c = a + side + 1, d = c + 1;
            p.indices.insert(p.indices.end(), {a, b, d, a, d, c});
        }
    }
}

std::uint32_t side_for(std::uint32_t triangles, std::uint32_t grids) {
    return std::max(1U, static_cast<std::uint32_t>(std::sqrt(triangles / 2.0 / grids)));
}

Primitive blown_up_cube(std::uint32_t side, float radius, Float3 center, float noise) {
    Primitive p;
    for (const Axes& face : kFaces) {
        add_grid(p, side, [&](float u, float v) {
            // Tangents make the quads of a face about equally large; opposite signs keep both faces' edges equal.
            // In double, rounded to float: C libraries differ in the last bit, and with it the meshes would.
            const auto bend = [](float t) {
                return static_cast<float>(std::tan((2.0 * wide(t) - 1) * 0.78539816339744831) / 2 + 0.5);
            };
            const Float3 d = on_sphere(face.origin + face.right * bend(u) + face.up * bend(v));
            // Rounded so that neighbouring faces meet bit by bit.
            const auto coarse = [](float t) { return std::round(t * 4194304.0F) / 4194304.0F; };
            const Float3 r = {coarse(d.x), coarse(d.y), coarse(d.z)};
            return center + r * (radius * (1 + noise * fractal(r * 3)));
        });
    }
    return p;
}

Primitive sphere_of(std::uint32_t triangles) { return blown_up_cube(side_for(triangles, 6), 1, {}, 1); }

// Three vertices for each triangle that `flat` says yes to, with the triangle's normal; all others get none.
Primitive flat_where(const Primitive& p, const std::function<bool(Float3)>& flat) {
    Primitive out;
    out.positions = p.positions;
    for (const Float3 v : p.positions) out.normals.push_back(on_sphere(v));
    for (std::size_t i = 0; i < p.indices.size(); i += 3) {
        const Float3 a = p.positions[p.indices[i]], b = p.positions[p.indices[i + 1]];
        const Float3 c = p.positions[p.indices[i + 2]];
        const Float3 n = cross(b - a, c - a);
        const bool split = flat(a) && length(n) > 0;
        for (std::size_t k = 0; k < 3; ++k) {
            if (!split) {
                out.indices.push_back(p.indices[i + k]);
                continue;
            }
            out.indices.push_back(static_cast<std::uint32_t>(out.positions.size()));
            out.positions.push_back(p.positions[p.indices[i + k]]);
            out.normals.push_back(n * (1 / length(n)));
        }
    }
    return out;
}

void add_card(Primitive& p, Random& random) {
    const Float3 at = random.point(1);
    const Float3 right = on_sphere(random.point(1)) * 0.02F;
    const Float3 up = on_sphere(cross(right, random.point(1))) * 0.05F;
    const Float3 out = on_sphere(cross(right, up)) * random.between(-0.01F, 0.01F);
    const auto first = static_cast<std::uint32_t>(p.positions.size());
    for (std::uint32_t y = 0; y < 5; ++y) {
        const float v = static_cast<float>(y) / 4;
        for (std::uint32_t x = 0; x < 2; ++x) {
            p.positions.push_back(at + right * static_cast<float>(x) + up * v + out * (4 * v * (1 - v)));
            p.uv_sets[0].push_back({static_cast<float>(x), v});
        }
    }
    for (std::uint32_t y = 0; y < 4; ++y) {
        const std::uint32_t a = first + 2 * y;
        p.indices.insert(p.indices.end(), {a, a + 1, a + 3, a, a + 3, a + 2});
    }
}

}  // namespace

Mesh noise_sphere(std::uint32_t triangles) { return mesh_of(sphere_of(triangles)); }

Mesh seam_sphere(std::uint32_t triangles) {
    constexpr std::uint32_t kCharts = 6;  // along each side of a face
    Primitive p;
    p.uv_sets.resize(1);
    const std::uint32_t side = side_for(triangles, 6 * kCharts * kCharts);
    float chart = 0;
    for (const Axes& face : kFaces) {
        for (std::uint32_t i = 0; i < kCharts * kCharts; ++i, chart += 1) {
            const auto x = static_cast<float>(i % kCharts), y = static_cast<float>(i / kCharts);
            const float count = kCharts;
            const auto place = [&](float u, float v) {
                const Float3 d =
                    on_sphere(face.origin + face.right * ((x + u) / count) + face.up * ((y + v) / count));
                const auto coarse = [](float t) { return std::round(t * 4194304.0F) / 4194304.0F; };
                const Float3 r = {coarse(d.x), coarse(d.y), coarse(d.z)};
                return r * (1 + fractal(r * 3));
            };
            add_grid(p, side, place, [&](float u, float v) { return Float2{u + 2 * chart, v}; });
        }
    }
    return mesh_of(std::move(p));
}

Mesh height_field(std::uint32_t triangles) {
    Primitive p;
    p.uv_sets.resize(1);
    add_grid(
        p, side_for(triangles, 1),
        [](float u, float v) { return Float3{2 * u - 1, 2 * v - 1, fractal({u * 6, v * 6, 0.5F})}; },
        [](float u, float v) { return Float2{u, v}; });
    return mesh_of(std::move(p));
}

Mesh cards(std::uint32_t triangles) {
    Random random(5);
    Primitive p;
    p.uv_sets.resize(1);
    for (std::uint32_t i = 0; i < triangles / 8; ++i) add_card(p, random);
    return mesh_of(std::move(p));
}

Mesh loose_triangles(std::uint32_t triangles) {
    Random random(6);
    Primitive p;
    for (std::uint32_t i = 0; i < triangles; ++i) {
        const Float3 at = random.point(1);
        for (std::uint32_t k = 0; k < 3; ++k) {
            p.indices.push_back(static_cast<std::uint32_t>(p.positions.size()));
            p.positions.push_back(at + random.point(0.02F));
        }
    }
    return mesh_of(std::move(p));
}

Mesh flat_sphere(std::uint32_t triangles) {
    return mesh_of(flat_where(sphere_of(triangles), [](Float3) { return true; }));
}

Mesh half_flat_sphere(std::uint32_t triangles) {
    return mesh_of(flat_where(sphere_of(triangles), [](Float3 p) { return p.x + 0.3F * p.y > 0; }));
}

Mesh two_materials(std::uint32_t triangles) {
    const Primitive whole = sphere_of(triangles);
    Mesh mesh = mesh_of(whole);
    mesh.primitives.assign(2, whole);
    for (std::int32_t m = 0; m < 2; ++m) {
        Primitive& p = mesh.primitives[static_cast<std::size_t>(m)];
        p.material = m;
        p.indices.clear();
        for (std::size_t i = 0; i < whole.indices.size(); i += 3) {
            const Float3 at = whole.positions[whole.indices[i]];
            if ((wide(at.y) > 0.2 * std::sin(5 * wide(at.x))) == (m == 0)) {
                p.indices.insert(p.indices.end(), whole.indices.begin() + static_cast<std::ptrdiff_t>(i),
                                 whole.indices.begin() + static_cast<std::ptrdiff_t>(i + 3));
            }
        }
    }
    return mesh;
}

Mesh shells(std::uint32_t count, std::uint32_t triangles_each) {
    Random random(7);
    Primitive all;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Float3 at = random.point(1);
        const Primitive one = blown_up_cube(side_for(triangles_each, 6), random.between(0.01F, 0.04F), at, 1);
        const auto first = static_cast<std::uint32_t>(all.positions.size());
        all.positions.insert(all.positions.end(), one.positions.begin(), one.positions.end());
        for (const std::uint32_t v : one.indices) all.indices.push_back(first + v);
    }
    return mesh_of(std::move(all));
}

Mesh fins(std::uint32_t triangles) {
    Random random(8);
    Primitive p = sphere_of(triangles);
    const std::size_t count = p.indices.size() / 3;
    for (std::size_t i = 0; i < count / 20; ++i) {
        const std::size_t t = random.below(static_cast<std::uint32_t>(count)) * std::size_t{3};
        const std::uint32_t a = p.indices[t], b = p.indices[t + 1], c = p.indices[t + 2];
        if (i % 3 == 0) {  // the other side of the triangle
            p.indices.insert(p.indices.end(), {b, a, c});
            continue;
        }
        p.positions.push_back(p.positions[a] * 1.05F);
        const auto top = static_cast<std::uint32_t>(p.positions.size() - 1);
        p.indices.insert(p.indices.end(), {a, b, top});
        if (i % 3 == 1) p.indices.insert(p.indices.end(), {b, c, top});
    }
    return mesh_of(std::move(p));
}

Mesh skinned_sphere(std::uint32_t triangles, EncodedInfluences& influences) {
    Mesh mesh = mesh_of(sphere_of(triangles));
    influences = {};
    influences.stride = 4;
    for (const Float3 p : mesh.primitives[0].positions) {
        // Joint 0 below, 2 above, 1 in the middle: two influences a vertex.
        const float place = std::min(std::max(p.y + 1, 0.0F), 1.999F);
        const auto first = static_cast<std::uint16_t>(place);
        const auto second = static_cast<std::uint16_t>(65535.0F * (place - static_cast<float>(first)));
        const auto rest = static_cast<std::uint16_t>(65535 - second);
        const auto next = static_cast<std::uint16_t>(first + 1);
        const bool swap = second > rest;
        influences.joints.insert(influences.joints.end(), {swap ? next : first, swap ? first : next, 0, 0});
        influences.weights.insert(influences.weights.end(),
                                  {swap ? second : rest, swap ? rest : second, 0, 0});
    }
    return mesh;
}

Mesh mesh_by_name(std::string_view name, std::uint32_t triangles) {
    if (name == "seams") return seam_sphere(triangles);
    if (name == "terrain") return height_field(triangles);
    if (name == "cards") return cards(triangles);
    if (name == "loose") return loose_triangles(triangles);
    if (name == "flat") return flat_sphere(triangles);
    if (name == "half_flat") return half_flat_sphere(triangles);
    if (name == "materials") return two_materials(triangles);
    if (name == "shells") return shells(std::max(1U, triangles / 200), 200);
    if (name == "fins") return fins(triangles);
    return noise_sphere(triangles);
}

std::vector<NamedMesh> all_meshes(std::uint32_t triangles) {
    std::vector<NamedMesh> meshes;
    for (const std::string_view name : {"sphere", "seams", "terrain", "cards", "loose", "flat", "half_flat",
                                        "materials", "shells", "fins"}) {
        meshes.push_back({name, mesh_by_name(name, triangles)});
    }
    return meshes;
}

}  // namespace sinter::test
