// Speed of package writing alone, of a whole cook from a GLB to the bytes of a package, and of reading its pages, on one
// thread. MB/s counts the bytes of the package for `write_package`, the bytes of the GLB for `cook`.
//
// read_pages: for each page the hash of its stored bytes is checked and it is decoded into memory that is there; GB/s counts
// decoded bytes. With `checked` view_page looks at what came out as well. It reads the file that SINTER_BENCH_ASSET names, any
// that can be cooked, with 20-bit normals, else a generated one.
#include "bench/cook_report.hpp"
#include "cooker/package/assemble.hpp"

#include <sinter/formats/page.hpp>
#include <sinter/formats/page_codec.hpp>
#include <sinter/formats/reader.hpp>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

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

Result<std::vector<std::byte>> package_of(const std::filesystem::path& path) {
    SourceFiles files(path);
    Issues issues;
    CookOptions options;
    options.mesh.normal_bits = 20;
    SINTER_TRY_ASSIGN(const CookedAsset asset, cook_asset(files, options, issues));
    return assemble_package(asset);
}

double triangles_of(const PackageView& view) {
    double triangles = 0;
    if (const auto manifest = view.read_manifest()) {
        for (const auto& mesh : (*manifest)->meshes) triangles += static_cast<double>(mesh->index_count / 3);
    }
    return triangles;
}

void read_pages(benchmark::State& state, bool checked) {
    const char* path = std::getenv("SINTER_BENCH_ASSET");
    const std::optional<GeneratedFile> generated =
        path == nullptr ? std::optional<GeneratedFile>(std::in_place, 1'000'000, false) : std::nullopt;
    const auto package = package_of(generated ? generated->path() : std::filesystem::path(path));
    const auto view = package ? PackageView::open(*package) : Result<PackageView>(package.error());
    if (!view) {
        state.SkipWithError("the asset does not cook");
        return;
    }
    PageDecoder decoder;
    std::vector<std::byte> memory(kPageByteLimit);
    std::uint64_t raw = 0;
    std::uint64_t stored = 0;
    for (auto _ : state) {
        raw = stored = 0;
        for (const TocEntry& entry : view->sections()) {
            if (entry.type != SectionType::PageData) continue;
            const auto page = std::span(memory).first(entry.raw_size);
            const bool good = view->is_intact(entry) && decoder.decode_to(view->stored(entry), page).ok() &&
                              (!checked || view_page(page).ok());
            if (!good) {
                state.SkipWithError("a page that is none");
                return;
            }
            raw += entry.raw_size;
            stored += entry.stored_size;
        }
    }
    const double triangles = triangles_of(*view);
    state.counters["GB/s"] =
        benchmark::Counter(static_cast<double>(state.iterations() * static_cast<std::int64_t>(raw)) / 1e9,
                           benchmark::Counter::kIsRate);
    state.counters["B/tri"] = static_cast<double>(raw) / triangles;
    state.counters["B/tri_stored"] = static_cast<double>(stored) / triangles;
}

BENCHMARK_CAPTURE(read_pages, decoded, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_pages, checked, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_package, zstd, SectionCompression::Zstd)->Apply(sizes);
BENCHMARK_CAPTURE(write_package, raw, SectionCompression::Raw)->Apply(sizes);
BENCHMARK(cook)->Apply(sizes);

}  // namespace
}  // namespace sinter::bench
