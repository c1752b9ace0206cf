#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/config.hpp"
#include "cli/counted.hpp"
#include "cli/json_reader.hpp"
#include "cli/json_writer.hpp"
#include "cli/package_file.hpp"
#include "cli/terminal.hpp"
#include "cli/validate_deep.hpp"
#include "cli/validate_gpu.hpp"
#include "cooker/cook.hpp"
#include "cooker/package/assemble.hpp"

#include <sinter/formats/verify.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace sinter {
namespace {

struct Validated {
    std::string path;
    std::optional<Error> error;  // the file could not be read
    VerifyReport report;
    std::uint64_t bytes = 0;
    std::size_t sections = 0;
    std::optional<std::vector<MeshDeepReport>> deep;  // where it was asked for and the package is sound
    std::optional<GpuValidation> gpu;                 // likewise
};

struct ValidateRequest {
    std::vector<std::string> packages;
    std::optional<std::string> source, device;
    bool deep = false, gpu = false;
};

Result<Unit> validate_more(const ValidateRequest& request, std::span<const std::byte> bytes, Validated& out) {
    if (request.deep) {
        SINTER_TRY_ASSIGN(out.deep, validate_dags(bytes));
    }
    if (request.gpu) {
        SINTER_TRY_ASSIGN(out.gpu, validate_on_gpu(out.path, request.device.value_or("")));
    }
    return Unit{};
}

Validated validate_file(const std::string& path, const ValidateRequest& request) {
    Validated out;
    out.path = path;
    const Result<MappedFile> file = MappedFile::open(path);
    if (!file) {
        out.error = file.error();
        return out;
    }
    out.bytes = file->bytes().size();
    out.report = verify_package(file->bytes());
    if (const auto view = PackageView::open(file->bytes())) out.sections = view->sections().size();
    if (!out.report.ok()) return out;
    if (auto more = validate_more(request, file->bytes(), out); !more) out.error = std::move(more).error();
    return out;
}

bool proofs_hold(const Validated& validated) {
    return (!validated.deep || all_ok(*validated.deep)) && (!validated.gpu || validated.gpu->ok());
}

// A package that needs a newer reader is not wrong: this program is too old for it.
ExitCode exit_code_of(const Validated& validated) {
    if (validated.error) return exit_code_of(validated.error->kind);
    if (!proofs_hold(validated)) return ExitCode::ValidationFailed;
    if (validated.report.ok()) return ExitCode::Ok;
    return validated.report.count_of(FindingCode::NewerFormat) > 0 ? ExitCode::Unsupported
                                                                   : ExitCode::ValidationFailed;
}

std::string text_of(const Validated& validated, bool quiet) {
    const std::string path = printable(validated.path);
    if (validated.report.ok()) {
        std::string proofs = validated.deep ? deep_text(validated.path, *validated.deep, quiet) : "";
        if (validated.gpu) proofs += gpu_text(validated.path, *validated.gpu, quiet);
        if (quiet) return proofs;
        return fmt::format("{}: {}, {}, {}\n{}", path, proofs_hold(validated) ? "ok" : "NOT ok",
                           counted(validated.sections, "section"), counted(validated.bytes, "byte"), proofs);
    }
    std::string out;
    for (const Finding& finding : validated.report.findings) {
        out += fmt::format("{}: {} {}: {}: {}\n", path, static_cast<unsigned>(finding.code),
                           finding_name(finding.code), printable(finding.where), printable(finding.message));
    }
    for (const FindingCount& count : validated.report.counts) {
        const auto listed = static_cast<std::uint64_t>(
            std::ranges::count(validated.report.findings, count.code, &Finding::code));
        if (listed < count.count) {
            out += fmt::format("{}: {} {}: {} more\n", path, static_cast<unsigned>(count.code),
                               finding_name(count.code), count.count - listed);
        }
    }
    return out;
}

void write_json(JsonWriter& json, const Validated& validated) {
    json.begin_object();
    json.member("path", validated.path);
    json.member("ok", exit_code_of(validated) == ExitCode::Ok);
    json.member("bytes", validated.bytes);
    if (validated.error) json.member("error", validated.error->line());
    json.key("findings");
    json.begin_array();
    for (const Finding& finding : validated.report.findings) {
        json.begin_object();
        json.member("code", static_cast<std::uint32_t>(finding.code));
        json.member("name", finding_name(finding.code));
        json.member("where", finding.where);
        json.member("message", finding.message);
        json.end_object();
    }
    json.end_array();
    json.key("counts");
    json.begin_array();
    for (const FindingCount& count : validated.report.counts) {
        json.begin_object();
        json.member("code", static_cast<std::uint32_t>(count.code));
        json.member("count", count.count);
        json.end_object();
    }
    json.end_array();
    if (validated.deep) write_deep_json(json, *validated.deep);
    if (validated.gpu) write_gpu_json(json, *validated.gpu);
    json.end_object();
}

// Cooks a source as the file that it was when the package was made: in some formats a mesh is named after it.
Result<CookedAsset> cook_again(const std::string& source, const std::string& old_name,
                               const CookOptions& options) {
    const std::filesystem::path name = std::filesystem::path(old_name).filename();
    const bool usable = !name.empty() && name != "." && name != "..";
    SourceFiles files = usable ? SourceFiles(source, name) : SourceFiles(source);
    Issues issues;
    Result<CookedAsset> asset = cook_asset(files, options, issues);
    if (!asset) {
        std::string& where = asset.error().where;  // begins with the old name
        const std::string shown = files.asset().filename().string();
        if (where.starts_with(shown)) where.replace(0, shown.size(), source);
    }
    return asset;
}

// Cooks `source` again with the options that the package was made with: the content roots must be equal. The
// error is of kind Validation when they are not, and of another when there was nothing to compare.
Result<Unit> check_against_source(const std::string& path, const std::string& source) {
    SINTER_TRY_ASSIGN(const OpenPackage package, open_package(path));
    const auto& provenance = package.manifest->provenance;
    SINTER_TRY_ASSIGN(const JsonValue json, parse_json(provenance ? provenance->options_json : "", path));
    SINTER_TRY_ASSIGN(const std::vector<Setting> settings, read_settings(json, path));
    CookOptions options;
    SINTER_TRY(apply_settings(options, settings));
    const std::string old_name = provenance && provenance->source ? provenance->source->name : std::string();
    SINTER_TRY_ASSIGN(const CookedAsset asset, cook_again(source, old_name, options));
    SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes, assemble_package(asset));
    SINTER_TRY_ASSIGN(const PackageView fresh, PackageView::open(bytes));
    if (fresh.content_root() == package.view.content_root()) return Unit{};
    return Error{
        ErrorKind::Validation, path,
        fmt::format(
            "cooking {} again with the stored options gives content root {:.16}, the package has {:.16}",
            source, to_hex(fresh.content_root()), to_hex(package.view.content_root())),
        "the source or the version of sinter changed: cook it again, then `sinter diff` shows what differs"};
}

std::optional<Error> check_request(const ValidateRequest& request) {
    if (request.packages.empty())
        return Error{ErrorKind::Usage, {}, "no package given", "`sinter validate --help` has examples"};
    if (request.source && request.packages.size() != 1) {
        return Error{ErrorKind::Usage, "--source", "it goes with exactly one package", {}};
    }
    if (request.device && !request.gpu)
        return Error{ErrorKind::Usage, "--device", "it chooses where --gpu runs", "add --gpu"};
    return std::nullopt;
}

}  // namespace

ExitCode run_validate(Arguments arguments) {
    ValidateRequest request;
    CommonOptions common;
    ArgumentParser parser(
        "validate", "proves that packages are whole and consistent; exit code 8 = one is not",
        "  sinter validate hero.sinter\n"
        "  sinter validate cooked/*.sinter --format json\n"
        "  sinter validate hero.sinter --deep               proves every level of detail\n"
        "  sinter validate hero.sinter --gpu --device cpu   draws it, in rest and motion\n"
        "  sinter validate hero.sinter --source hero.glb    cooks it again and compares the content\n");
    parser.positionals("PKG...", request.packages, "the packages");
    parser.flag("--deep", request.deep,
                "also proves the levels of detail: borders, errors, bounds, cuts; takes longer");
    parser.flag("--gpu", request.gpu,
                "also draws and animates it on a GPU, or where there is none on the CPU, and compares");
    parser.option("--device", request.device, "cpu|gpu|NAME",
                  "where --gpu runs; default: a GPU, or else the CPU");
    parser.option("--source", request.source, "FILE", "the asset that the package was cooked from");
    if (const auto code = parser.parse(arguments, common)) return *code;
    if (const auto error = check_request(request)) {
        print_error(*error, common);
        return exit_code_of(error->kind);
    }
    ExitCode worst = ExitCode::Ok;
    std::string text;
    JsonWriter json;
    json.begin_object();
    json.member("schema", "sinter-validate/1");
    json.key("packages");
    json.begin_array();
    for (const std::string& path : request.packages) {
        const Validated validated = validate_file(path, request);
        worst = worse(worst, exit_code_of(validated));
        if (validated.error) print_error(*validated.error, common);
        else text += text_of(validated, common.quiet);
        write_json(json, validated);
    }
    json.end_array();
    if (request.source && worst == ExitCode::Ok) {
        const Result<Unit> same = check_against_source(request.packages.front(), *request.source);
        if (!same) {
            print_error(same.error(), common);
            worst = exit_code_of(same.error().kind);
        } else if (!common.quiet) {
            text += printable(fmt::format("{}: {} cooks to the same content", request.packages.front(),
                                          *request.source)) +
                    "\n";
        }
        const bool compared = same.ok() || same.error().kind == ErrorKind::Validation;
        if (compared) json.member("source_matches", same.ok());
    }
    json.end_object();
    return write_stdout(common.format == OutputFormat::Json ? json.text() : text) ? worst : ExitCode::Io;
}

}  // namespace sinter
