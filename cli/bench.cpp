#include "runtime/bench.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/counted.hpp"
#include "cli/json_writer.hpp"
#include "cli/package_file.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <charconv>

namespace sinter {
namespace {

struct BenchWords {
    std::vector<std::string> packages;
    std::optional<std::string> device, instances;
};

Result<std::uint32_t> read_instances(const BenchWords& words) {
    if (!words.instances) return std::uint32_t{1};
    constexpr std::uint32_t kMost = 1'000'000;
    std::uint32_t value = 0;
    const auto [end, problem] =
        std::from_chars(words.instances->data(), words.instances->data() + words.instances->size(), value);
    if (problem != std::errc() || end != words.instances->data() + words.instances->size() || value < 1 ||
        value > kMost) {
        return Error{ErrorKind::Usage,
                     "--instances",
                     fmt::format("'{}' is no number from 1 to {}", *words.instances, kMost),
                     {}};
    }
    return value;
}

Result<BenchReport> run_passes(const BenchWords& words) {
    if (words.packages.size() != 1) {
        return Error{ErrorKind::Usage,
                     {},
                     fmt::format("{} packages given, bench takes one", words.packages.size()),
                     "`sinter bench --help` has examples"};
    }
    SINTER_TRY_ASSIGN(const std::uint32_t copies, read_instances(words));
    const std::string& path = words.packages.front();
    SINTER_TRY_ASSIGN(const OpenPackage package, open_sound_package(path));
    SINTER_TRY_ASSIGN(std::unique_ptr<Device> device, open_device({words.device.value_or(""), false}));
    const Result<Stage> stage = create_stage(std::move(device), package.view, *package.manifest, copies);
    if (!stage) return at_path(stage.error(), path);
    return bench_package(*stage);
}

// Of the copy's speed.
double fraction_of(const BenchReport& report, const PassTime& pass) {
    return pass.median_ms > 0 ? static_cast<double>(pass.bytes) / pass.median_ms / report.copy_bytes_per_ms
                              : 0;
}

std::string text_of(const BenchReport& report) {
    std::string out = fmt::format("{}\n{}, {}, {} drawn; medians of {} runs, 1920 x 1080, 1 px\n",
                                  printable(report.device), counted(report.instances, "instance"),
                                  counted(report.skinned_vertices, "skinned vertex", "skinned vertices"),
                                  counted(report.drawn_triangles, "triangle"), report.runs);
    out += fmt::format("  {:<10}{:>12.1f} GB/s\n", "copy", report.copy_bytes_per_ms * 1e-6);
    for (const PassTime& pass : report.passes) {
        out += fmt::format("  {:<10}{:>12.4f} ms", pass.name, pass.median_ms);
        if (pass.bytes != 0) {
            out += fmt::format("  {:>14} bytes  {:>6.3f} of the copy's speed", pass.bytes,
                               fraction_of(report, pass));
        }
        out += "\n";
    }
    return out;
}

std::string json_of(const std::string& package, const BenchReport& report) {
    JsonWriter json;
    json.begin_object();
    json.member("schema", "sinter-bench/1");
    json.member("package", package);
    json.member("device", report.device);
    json.member("instances", report.instances);
    json.member("runs", report.runs);
    json.member("skinned_vertices", report.skinned_vertices);
    json.member("drawn_triangles", report.drawn_triangles);
    json.member("copy_gb_per_s", report.copy_bytes_per_ms * 1e-6);
    json.key("passes");
    json.begin_array();
    for (const PassTime& pass : report.passes) {
        json.begin_object();
        json.member("name", pass.name);
        json.member("median_ms", pass.median_ms);
        json.member("bytes", pass.bytes);
        json.member("fraction_of_copy", fraction_of(report, pass));
        json.end_object();
    }
    json.end_array();
    json.end_object();
    return json.text();
}

}  // namespace

ExitCode run_bench(Arguments arguments) {
    BenchWords words;
    CommonOptions common;
    ArgumentParser parser("bench", "how long each pass of the runtime takes on a GPU",
                          "  sinter bench hero.sinter\n"
                          "  sinter bench hero.sinter --device gpu --instances 1000 --format json\n");
    parser.positionals("PKG", words.packages, "the package");
    parser.option("--device", words.device, "cpu|gpu|NAME", "default: a GPU, or else the CPU");
    parser.option("--instances", words.instances, "N", "copies of each instance; default 1");
    if (const auto code = parser.parse(arguments, common)) return *code;
    const Result<BenchReport> report = run_passes(words);
    if (!report) {
        print_error(report.error(), common);
        return exit_code_of(report.error().kind);
    }
    const bool json = common.format == OutputFormat::Json;
    return write_stdout(json ? json_of(words.packages.front(), *report) : text_of(*report)) ? ExitCode::Ok
                                                                                            : ExitCode::Io;
}

}  // namespace sinter
