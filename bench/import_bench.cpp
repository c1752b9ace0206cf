// Speed of import: file to checked scene, on generated GLBs. MB/s counts the bytes of the file.
#include "bench/cook_report.hpp"
#include "cooker/import/import.hpp"

namespace sinter::bench {
namespace {

void import_glb(benchmark::State& state) {
    const GeneratedFile& file = file_of(state);
    for (auto _ : state) {
        SourceFiles files(file.path());
        Issues issues;
        Result<Scene> scene = import_scene(files, {}, issues);
        if (!scene) {
            state.SkipWithError(scene.error().line().c_str());
            return;
        }
        benchmark::DoNotOptimize(*scene);
    }
    report_rates(state, file.triangles(), file.bytes());
}

BENCHMARK(import_glb)->Apply(sizes);

}  // namespace
}  // namespace sinter::bench
