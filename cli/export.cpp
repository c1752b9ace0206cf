#include "cli/arguments.hpp"
#include "cli/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/counted.hpp"
#include "cli/json_writer.hpp"
#include "cli/package_file.hpp"
#include "cli/terminal.hpp"
#include "exporter/gltf.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>

namespace sinter {
namespace {

struct ExportRequest {
    std::vector<std::string> packages;
    std::optional<std::string> out_dir;
    std::vector<std::string> levels, lod_errors;
    bool all_levels = false, gltf = false, vat = false, blend_shapes = false;
};

std::optional<Error> check_request(const ExportRequest& request) {
    if (request.packages.size() != 1) {
        return Error{ErrorKind::Usage,
                     {},
                     fmt::format("{} packages given, export takes one", request.packages.size()),
                     "`sinter export --help` has examples"};
    }
    if (request.vat || request.blend_shapes) {
        return Error{ErrorKind::Unsupported, request.vat ? "--vat" : "--blend-shapes",
                     "not built yet: this version exports glTF only", "use --gltf"};
    }
    if (!request.gltf) {
        return Error{ErrorKind::Usage,
                     {},
                     "it was not said what to export",
                     "--gltf writes meshes, skins, clips and levels of detail as one .glb"};
    }
    return std::nullopt;
}

template <typename Number>
Result<std::vector<Number>> read_numbers(const std::vector<std::string>& words, std::string_view option,
                                         std::string_view rule) {
    std::vector<Number> out;
    for (const std::string& word : words) {
        Number value{};
        const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
        bool good = problem == std::errc() && end == word.data() + word.size();
        if constexpr (std::is_floating_point_v<Number>) good = good && std::isfinite(value) && value >= 0;
        if (!good)
            return Error{ErrorKind::Usage, std::string(option), fmt::format("'{}' is no {}", word, rule), {}};
        out.push_back(value);
    }
    return out;
}

Result<GltfOptions> gltf_options(const ExportRequest& request) {
    GltfOptions out;
    out.all_levels = request.all_levels;
    SINTER_TRY_ASSIGN(out.levels,
                      read_numbers<std::uint32_t>(request.levels, "--level", "level (0, 1, 2 ...)"));
    SINTER_TRY_ASSIGN(out.lod_errors,
                      read_numbers<float>(request.lod_errors, "--lod-error", "length in metres (0 or more)"));
    return out;
}

struct Exported {
    GltfFile file;
    std::string path;
};

Result<Exported> export_file(const ExportRequest& request, const GltfOptions& options) {
    const std::string& path = request.packages.front();
    // A package that is not correct is not exported: what would come out is nobody's mesh.
    SINTER_TRY_ASSIGN(const OpenPackage package, open_sound_package(path));
    Result<GltfFile> file = export_gltf(package.view, *package.manifest, options);
    if (!file) return at_path(std::move(file).error(), path);
    const std::filesystem::path folder = request.out_dir.value_or(".");
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) {
        return Error{ErrorKind::Io,
                     folder.string(),
                     fmt::format("the folder cannot be made: {}", problem.message()),
                     {}};
    }
    std::filesystem::path target = folder / std::filesystem::path(path).stem();
    target += ".glb";
    if (!request.out_dir) target = target.filename();
    const auto& glb = file->glb;
    SINTER_TRY(write_whole_file(target, {reinterpret_cast<const char*>(glb.data()), glb.size()}));
    return Exported{*std::move(file), target.string()};
}

std::string text_of(const Exported& exported, const std::string& package) {
    std::string out = printable_line(fmt::format("{} -> {}", package, exported.path)) +
                      fmt::format(", {}\n", counted(exported.file.glb.size(), "byte"));
    for (const GltfCopy& copy : exported.file.copies)
        out += fmt::format("  {:<14}{}\n", copy.name, counted(copy.triangles, "triangle"));
    return out;
}

std::string json_of(const Exported& exported, const std::string& package) {
    JsonWriter json;
    json.begin_object();
    json.member("schema", "sinter-export/1");
    json.member("package", package);
    json.key("files");
    json.begin_array();
    json.begin_object();
    json.member("path", exported.path);
    json.member("format", "glb");
    json.member("bytes", std::uint64_t{exported.file.glb.size()});
    json.key("copies");
    json.begin_array();
    for (const GltfCopy& copy : exported.file.copies) {
        json.begin_object();
        json.member("name", copy.name);
        json.member("triangles", copy.triangles);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    json.end_array();
    json.key("notes");
    json.begin_array();
    for (const std::string& note : exported.file.notes) json.string(note);
    json.end_array();
    json.end_object();
    return json.text();
}

}  // namespace

ExitCode run_export(Arguments arguments) {
    ExportRequest request;
    CommonOptions common;
    ArgumentParser parser(
        "export", "what is in a package, as files for other programs",
        "  sinter export hero.sinter --gltf --out-dir out            full detail: out/hero.glb\n"
        "  sinter export hero.sinter --gltf --out-dir out --levels   and every level of detail beside it\n"
        "  sinter export hero.sinter --gltf --level 3 --lod-error 0.01\n");
    parser.positionals("PKG", request.packages, "the package");
    parser.option("--out-dir", request.out_dir, "DIR",
                  "folder of the files, made if it is missing; default: the current folder");
    parser.flag("--gltf", request.gltf, "meshes, skins, clips, blend shapes and materials as NAME.glb");
    parser.repeated("--level", request.levels, "N", "with --gltf: also level N; may be given again");
    parser.repeated("--lod-error", request.lod_errors, "METRES",
                    "with --gltf: also what is drawn where this error is allowed; may be given again");
    parser.flag("--levels", request.all_levels, "with --gltf: also every level");
    parser.flag("--vat", request.vat, "vertex animation textures (not built yet)");
    parser.flag("--blend-shapes", request.blend_shapes, "blend-shape data (not built yet)");
    if (const auto code = parser.parse(arguments, common)) return *code;
    const auto fail = [&](const Error& error) {
        print_error(error, common);
        return exit_code_of(error.kind);
    };
    if (const auto error = check_request(request)) return fail(*error);
    const Result<GltfOptions> options = gltf_options(request);
    if (!options) return fail(options.error());
    const Result<Exported> exported = export_file(request, *options);
    if (!exported) return fail(exported.error());
    for (const std::string& note : exported->file.notes)
        print_warning(request.packages.front() + ": " + note, common);
    const std::string& package = request.packages.front();
    if (common.format == OutputFormat::Json)
        return write_stdout(json_of(*exported, package)) ? ExitCode::Ok : ExitCode::Io;
    if (common.quiet) return ExitCode::Ok;
    return write_stdout(text_of(*exported, package)) ? ExitCode::Ok : ExitCode::Io;
}

}  // namespace sinter
