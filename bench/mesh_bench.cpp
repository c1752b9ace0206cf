// Speed of mesh preparation on generated meshes: a bumpy sphere by longitude and latitude, as an exporter would
// write it (welded, with normals, tangents and UVs), with frames to be made, and as a soup of single triangles.
//   Mtri/s: source triangles; MB/s: bytes of the source arrays; peak_MiB: VmHWM (see peak_memory.hpp).
#include "cooker/mesh/prepare.hpp"
#include "cooker/mesh/quantise.hpp"
#include "cooker/mesh/weld.hpp"
#include "peak_memory.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

namespace sinter::bench {
namespace {

enum class Kind { Complete, FramesToMake, Soup, SoupWithNormals };

constexpr double kPi = 3.14159265358979323846;

// Columns x rows quads on a sphere with bumps; 2 * columns * rows triangles, the ones at the poles degenerate.
Primitive bumpy_sphere(std::uint32_t columns, std::uint32_t rows) {
    Primitive p;
    p.uv_sets.resize(1);
    for (std::uint32_t y = 0; y <= rows; ++y) {
        for (std::uint32_t x = 0; x <= columns; ++x) {
            const double u = static_cast<double>(x) / columns, v = static_cast<double>(y) / rows;
            const double east = 2 * kPi * (x == columns ? 0 : u), south = kPi * v;
            const double bump = 1 + 0.05 * std::sin(40 * south) * std::cos(30 * east);
            const double ring = y == 0 || y == rows ? 0 : std::sin(south);
            const Float3 normal{static_cast<float>(ring * std::sin(east)),
                                static_cast<float>(std::cos(south)),
                                static_cast<float>(ring * std::cos(east))};
            p.positions.push_back(normal * static_cast<float>(bump));
            p.normals.push_back(normal);
            p.tangents.push_back(
                {static_cast<float>(std::cos(east)), 0, static_cast<float>(-std::sin(east)), 1});
            p.uv_sets[0].push_back({static_cast<float>(u), static_cast<float>(v)});
        }
    }
    for (std::uint32_t y = 0; y < rows; ++y) {
        for (std::uint32_t x = 0; x < columns; ++x) {
            const std::uint32_t a = y * (columns + 1) + x, b = a + 1, c = a + columns + 1, d = c + 1;
            p.indices.insert(p.indices.end(), {a, c, d, a, d, b});
        }
    }
    return p;
}

Primitive soup_of(const Primitive& p, bool with_normals) {
    Primitive soup;
    for (const std::uint32_t v : p.indices) {
        soup.indices.push_back(static_cast<std::uint32_t>(soup.positions.size()));
        soup.positions.push_back(p.positions[v]);
        if (with_normals) soup.normals.push_back(p.normals[v]);
    }
    return soup;
}

Mesh make_mesh(Kind kind, std::int64_t triangles) {
    const auto rows = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / 4));
    Primitive p = bumpy_sphere(2 * rows, rows);
    if (kind == Kind::FramesToMake) {
        p.normals.clear();
        p.tangents.clear();
    }
    if (kind == Kind::Soup || kind == Kind::SoupWithNormals) p = soup_of(p, kind == Kind::SoupWithNormals);
    Mesh mesh;
    mesh.source_triangles = p.indices.size() / 3;
    mesh.source_vertices = p.vertex_count();
    mesh.primitives.push_back(std::move(p));
    return mesh;
}

void report(benchmark::State& state, const Mesh& mesh) {
    const Primitive& p = mesh.primitives[0];
    const std::size_t bytes = p.indices.size() * 4 + p.positions.size() * 12 + p.normals.size() * 12 +
                              p.tangents.size() * 16 + (p.uv_sets.empty() ? 0 : p.uv_sets[0].size() * 8);
    const double runs = static_cast<double>(state.iterations());
    state.counters["Mtri/s"] = benchmark::Counter(runs * static_cast<double>(mesh.source_triangles) / 1e6,
                                                  benchmark::Counter::kIsRate);
    state.counters["MB/s"] =
        benchmark::Counter(runs * static_cast<double>(bytes) / 1e6, benchmark::Counter::kIsRate);
    state.counters["peak_MiB"] = peak_memory_mib();
}

void prepare(benchmark::State& state, Kind kind) {
    const Mesh mesh = make_mesh(kind, state.range(0));
    for (auto step : state) {
        Issues issues;
        auto prepared = prepare_mesh(mesh, {}, {}, issues);
        if (!prepared) state.SkipWithError(prepared.error().line().c_str());
        benchmark::DoNotOptimize(prepared);
    }
    report(state, mesh);
}

void weld_soup(benchmark::State& state) {
    const Mesh mesh = make_mesh(Kind::SoupWithNormals, state.range(0));
    const Primitive& p = mesh.primitives[0];
    const KeyStream key[] = {key_stream(std::span<const Float3>(p.positions)),
                             key_stream(std::span<const Float3>(p.normals))};
    for (auto step : state) {
        auto map = weld(key, p.vertex_count());
        benchmark::DoNotOptimize(map);
    }
    report(state, mesh);
}

BENCHMARK_CAPTURE(prepare, complete, Kind::Complete)
    ->Arg(100000)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(prepare, frames_to_make, Kind::FramesToMake)
    ->Arg(100000)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(prepare, soup, Kind::Soup)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMillisecond);
BENCHMARK(weld_soup)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sinter::bench
