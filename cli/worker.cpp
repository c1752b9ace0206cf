#include "cli/worker.hpp"

#include "cli/asset_result.hpp"
#include "cli/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/config.hpp"
#include "cli/terminal.hpp"
#include "cooker/cook.hpp"
#include "cooker/package/assemble.hpp"

#include <sinter/formats/reader.hpp>

#include <fmt/format.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <exception>
#include <new>

namespace sinter {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitMemory = false;  // sanitizers reserve terabytes for their shadow
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool kLimitMemory = false;
#else
constexpr bool kLimitMemory = true;
#endif
#else
constexpr bool kLimitMemory = true;
#endif

// Handlers have no other way to reach these: the file to remove when the supervisor dies, and whether an
// allocation failed (libraries turn bad_alloc into errors of their own).
char temporary_to_remove[4096];
std::atomic<bool> out_of_memory{false};

extern "C" void remove_temporary_and_exit(int) {
    if (temporary_to_remove[0] != '\0') ::unlink(temporary_to_remove);
    ::_exit(static_cast<int>(ExitCode::Internal));
}

void note_out_of_memory() {
    out_of_memory = true;
    throw std::bad_alloc();
}

void send(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(kEventsFd, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return;  // the supervisor is gone, and this process will be too
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void set_limit(int resource, std::uint64_t bytes) {
    const rlimit limit{bytes, bytes};
    static_cast<void>(::setrlimit(static_cast<__rlimit_resource>(resource), &limit));
}

void confine(const WorkerRequest& request) {
    // A temporary is removed even when the supervisor is killed; a device (temporary == output) never is.
    const std::string temporary = request.temporary.string();
    if (temporary.size() < sizeof(temporary_to_remove) && request.temporary != request.output &&
        std::filesystem::is_regular_file(request.temporary)) {
        std::copy(temporary.begin(), temporary.end(), temporary_to_remove);
    }
    std::signal(SIGHUP, remove_temporary_and_exit);
    ::prctl(PR_SET_PDEATHSIG, SIGHUP);
    if (::getppid() != request.supervisor) remove_temporary_and_exit(0);
    std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is a failed write, not a death
    set_limit(RLIMIT_CORE, 0);      // hostile inputs must not fill the disk with core files
    if (kLimitMemory) set_limit(RLIMIT_DATA, request.max_memory);
    std::set_new_handler(note_out_of_memory);
}

std::string hex(std::span<const std::uint8_t> bytes) { return fmt::format("{:02x}", fmt::join(bytes, "")); }

Error warning_as_error(const std::vector<Issue>& issues, const std::string& file) {
    const auto first = std::ranges::find(issues, Severity::Warning, &Issue::severity);
    const auto warnings = std::ranges::count(issues, Severity::Warning, &Issue::severity);
    return {ErrorKind::InvalidInput,
            fmt::format("{}: {}", file, first->where),
            fmt::format("{} [warning {}, an error by -Werror{}]", first->message,
                        static_cast<unsigned>(first->code),
                        warnings > 1 ? fmt::format("; {} more", warnings - 1) : ""),
            {},
            static_cast<std::uint16_t>(first->code)};
}

Result<Unit> cook_and_write(const WorkerRequest& request, SourceFiles& files, Issues& issues,
                            AssetFacts& facts) {
    const auto observe = [](std::string_view stage) { send(fmt::format("stage {}\n", stage)); };
    SINTER_TRY_ASSIGN(const CookedAsset asset,
                      cook_asset(files, request.options, issues, observe, request.threads));
    if (request.warnings_are_errors && issues.has_warnings()) {
        return warning_as_error(issues.list(), request.input.filename().string());
    }
    observe("package");
    SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes, assemble_package(asset));
    SINTER_TRY_ASSIGN(const PackageView view, PackageView::open(bytes));
    SINTER_TRY_ASSIGN(const auto manifest, view.read_manifest());
    facts = facts_of(*manifest);
    facts.package_bytes = bytes.size();
    facts.content_root = hex(view.content_root());
    observe("write");
    return write_file(request.temporary, bytes, request.output);
}

Error limit_error(const WorkerRequest& request) {
    return {ErrorKind::Limit, request.input.filename().string(),
            fmt::format("needs more memory than {} MiB", request.max_memory >> 20), "raise --max-memory"};
}

AssetResult cook_one(const WorkerRequest& request) {
    AssetResult result;
    SourceFiles files(request.input);
    Issues issues;
    try {
        if (Result<Unit> done = cook_and_write(request, files, issues, result.facts); !done) {
            result.error = std::move(done).error();
        }
    } catch (const std::bad_alloc&) {
        result.error = limit_error(request);
    } catch (const std::exception& problem) {
        result.error = Error{ErrorKind::Internal, request.input.filename().string(),
                             fmt::format("unexpected exception: {}", problem.what()), "please report this"};
    }
    if (result.error && out_of_memory) result.error = limit_error(request);
    result.issues = issues.list();
    for (const InputFile& file : files.read_files()) {
        result.facts.source_bytes += file.bytes;
        result.files.push_back({file.path, file.name, file.bytes, hex(file.sha256)});
    }
    return result;
}

}  // namespace

std::vector<std::string> arguments_of(const WorkerRequest& request) {
    return {"cook-worker",
            request.input.string(),
            request.temporary.string(),
            request.output.string(),
            options_json(request.options),
            std::to_string(request.max_memory),
            request.warnings_are_errors ? "error" : "warn",
            std::to_string(request.threads),
            std::to_string(request.supervisor)};
}

Result<WorkerRequest> parse_request(std::span<const std::string> arguments) {
    if (arguments.size() != 8) {
        return Error{ErrorKind::Usage, {}, "cook-worker is started by sinter cook only", "use sinter cook"};
    }
    WorkerRequest request;
    request.input = arguments[0];
    request.temporary = arguments[1];
    request.output = arguments[2];
    SINTER_TRY_ASSIGN(const JsonValue options, parse_json(arguments[3], "options"));
    SINTER_TRY_ASSIGN(const std::vector<Setting> settings, read_settings(options, "options"));
    SINTER_TRY(apply_settings(request.options, settings));
    std::from_chars(arguments[4].data(), arguments[4].data() + arguments[4].size(), request.max_memory);
    request.warnings_are_errors = arguments[5] == "error";
    std::from_chars(arguments[6].data(), arguments[6].data() + arguments[6].size(), request.threads);
    std::from_chars(arguments[7].data(), arguments[7].data() + arguments[7].size(), request.supervisor);
    return request;
}

ExitCode run_cook_worker(Arguments arguments) {
    const Result<WorkerRequest> request = parse_request(arguments);
    if (!request) {
        print_error(request.error(), {});
        return ExitCode::Usage;
    }
    confine(*request);
    const AssetResult result = cook_one(*request);
    send("result\n" + encode_result(result));
    // Leaving without destructors: a library that broke its heap must not turn a told result into a crash.
    ::_exit(static_cast<int>(result.error ? exit_code_of(result.error->kind) : ExitCode::Ok));
}

}  // namespace sinter
