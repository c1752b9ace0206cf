// Speed of package writing alone, and of a whole cook from a GLB to the bytes of a package, on one thread.
// MB/s counts the bytes of the package for `write_package`, the bytes of the GLB for `cook`.
#include "bench/cook_report.hpp"
#include "cooker/package/assemble.hpp"

namespace sinter::bench {
namespace {

void write_package(benchmark::State& state, SectionCompression compression) {
    const GeneratedFile& file = file_of(state);
    SourceFiles files(file.path());
    Issues issues;
    CookOptions options;
    options.package.compression = compression;
    const Result<CookedAsset> asset = cook_asset(files, options, issues);
    if (!asset) {
        state.SkipWithError(asset.error().line().c_str());
        return;
    }
    std::size_t bytes = 0;
    for (auto _ : state) {
        const Result<std::vector<std::byte>> package = assemble_package(*asset);
        bytes = package ? package->size() : 0;
    }
    report_rates(state, file.triangles(), bytes);
    state.counters["bytes"] = static_cast<double>(bytes);
}

void cook(benchmark::State& state) {
    const GeneratedFile& file = file_of(state);
    for (auto _ : state) {
        SourceFiles files(file.path());
        Issues issues;
        const Result<CookedAsset> asset = cook_asset(files, {}, issues);
        const bool made = asset && assemble_package(*asset);
        if (!made) {
            state.SkipWithError("the generated asset does not cook");
            return;
        }
    }
    report_rates(state, file.triangles(), file.bytes());
}

BENCHMARK_CAPTURE(write_package, zstd, SectionCompression::Zstd)->Apply(sizes);
BENCHMARK_CAPTURE(write_package, raw, SectionCompression::Raw)->Apply(sizes);
BENCHMARK(cook)->Apply(sizes);

}  // namespace
}  // namespace sinter::bench
