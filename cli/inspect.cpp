#include "cli/inspect.hpp"

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/counted.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter {
namespace {

ExitCode check_sections(const std::string& path, const PackageView& view, const CommonOptions& common) {
    const auto damaged = static_cast<std::uint64_t>(std::ranges::count_if(
        view.sections(), [&](const TocEntry& entry) { return !view.is_intact(entry); }));
    if (damaged == 0) return ExitCode::Ok;
    print_error({ErrorKind::Validation, path,
                 fmt::format("{} of {} damaged: stored bytes that do not match their hash", damaged,
                             counted(view.sections().size(), "section")),
                 "`sinter validate` lists all that is wrong; copy or cook the package again"},
                common);
    return ExitCode::ValidationFailed;
}

}  // namespace

ExitCode run_inspect(Arguments arguments) {
    std::vector<std::string> packages;
    InspectOptions options;
    CommonOptions common;
    ArgumentParser parser(
        "inspect", "what is inside a package, with sizes and stored errors",
        "  sinter inspect hero.sinter                  meshes, skeletons, clips and their errors\n"
        "  sinter inspect hero.sinter --sections       every section with its size and digest, damaged ones "
        "marked\n"
        "  sinter inspect hero.sinter --format json    the same for programs\n"
        "  git config diff.sinter.textconv './sinter inspect --stable'   readable git diffs\n");
    parser.positionals("PKG", packages, "the package");
    parser.flag("--sections", options.sections, "list every section; damaged ones are marked, exit code 8");
    parser.flag("--stable", options.stable, "text that depends on the content only, for textual diffs");
    if (const auto code = parser.parse(arguments, common)) return *code;
    if (packages.size() != 1) {
        print_error({ErrorKind::Usage,
                     {},
                     packages.empty() ? "no package given" : "more than one package given",
                     "`sinter inspect PKG` shows one; `sinter inspect --help` has examples"},
                    common);
        return ExitCode::Usage;
    }
    const bool json = common.format == OutputFormat::Json;
    if (json && options.stable) {
        print_error({ErrorKind::Usage, "--stable", "it is about text, not --format json",
                     "`sinter diff --format json` compares two packages by content"},
                    common);
        return ExitCode::Usage;
    }
    const Result<OpenPackage> package = open_package(packages.front());
    if (!package) {
        print_error(package.error(), common);
        return exit_code_of(package.error().kind);
    }
    if (!write_stdout(json ? inspect_json(*package, options) : inspect_text(*package, options)))
        return ExitCode::Io;
    return options.sections ? check_sections(packages.front(), package->view, common) : ExitCode::Ok;
}

}  // namespace sinter
