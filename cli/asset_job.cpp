#include "cli/asset_job.hpp"

#include "cli/glob.hpp"

#include <sinter/formats/records.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <system_error>

namespace sinter {
namespace {

Error usage(std::string message, std::string remedy) {
    return {ErrorKind::Usage, {}, std::move(message), std::move(remedy)};
}

// One spelling a file: absolute, links of the existing part resolved.
std::string identity(const std::filesystem::path& path) {
    std::error_code problem;
    const std::filesystem::path whole = std::filesystem::absolute(path, problem);
    if (problem) return path.lexically_normal().string();  // the current folder is gone
    const std::filesystem::path resolved = std::filesystem::weakly_canonical(whole, problem);
    return (problem ? whole.lexically_normal() : resolved).string();
}

std::filesystem::path default_name(const std::filesystem::path& input) {
    std::filesystem::path name = input.stem();
    name += ".sinter";
    return name;
}

bool is_package(const std::filesystem::path& path) {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem)) return false;
    std::array<char, kMagic.size()> start{};
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), start.size());
    return file.gcount() == start.size() && std::memcmp(start.data(), kMagic.data(), kMagic.size()) == 0;
}

Result<Unit> check_writes(const std::vector<AssetJob>& jobs, const JobRequest& request) {
    std::map<std::string, std::filesystem::path> inputs;
    for (const AssetJob& job : jobs) inputs.emplace(identity(job.input), job.input);
    std::map<std::string, std::string> writers, sources;
    for (const std::filesystem::path& path : request.other_outputs) {
        if (!writers.emplace(identity(path), "--report or --depfile").second) {
            return usage(fmt::format("--report and --depfile both name '{}'", path.string()),
                         "give them two names");
        }
    }
    for (const AssetJob& job : jobs) {
        if (job.error) continue;  // it will write nothing
        const auto [writer, is_new] =
            writers.emplace(identity(job.output), fmt::format("'{}'", job.input.string()));
        const bool twice = !is_new && sources[writer->first] == identity(job.input);
        if (twice) return usage(fmt::format("'{}' is given twice", job.input.string()), "name it once");
        sources.emplace(writer->first, identity(job.input));
        if (!is_new) {
            return usage(fmt::format("{} and '{}' would both write '{}'", writer->second, job.input.string(),
                                     job.output.string()),
                         "name the outputs in a --manifest, or cook them into two folders");
        }
    }
    for (const auto& [file, writer] : writers) {
        if (const auto found = inputs.find(file); found != inputs.end()) {
            return usage(fmt::format("{} would overwrite the input '{}'", writer, found->second.string()),
                         "give another output");
        }
    }
    return Unit{};
}

Result<AssetJob> make_job(const JobRequest& request, const ManifestAsset& asset) {
    AssetJob job;
    job.input = asset.input;
    const std::optional<std::filesystem::path>& folder =
        request.out_dir ? request.out_dir : request.manifest.out_dir;
    if (request.output) {
        job.output = *request.output;
    } else {
        job.output = folder.value_or("") / asset.output.value_or(default_name(asset.input));
        job.make_folder = folder || asset.output;
    }
    if (is_package(asset.input)) {
        job.error = Error{ErrorKind::Unsupported, asset.input.string(), "this is a package already",
                          "`sinter inspect` shows it"};
    }
    if (asset.no_match) {
        job.error =
            Error{ErrorKind::Io, asset.input.string(), "no file matches this pattern of the manifest", {}};
    }
    SINTER_TRY_ASSIGN(job.options,
                      options_of_asset(request.config, asset.input, asset.settings, request.sets));
    return job;
}

}  // namespace

Result<std::vector<AssetJob>> make_jobs(const JobRequest& request) {
    std::vector<ManifestAsset> assets;
    for (const std::filesystem::path& input : request.inputs) assets.push_back({input, {}, {}, false});
    assets.insert(assets.end(), request.manifest.assets.begin(), request.manifest.assets.end());
    if (request.output && assets.size() > 1) {
        return usage(fmt::format("-o names one file, and there are {} inputs", assets.size()),
                     "use --out-dir for several");
    }
    if (request.output && request.out_dir)
        return usage("-o and --out-dir exclude each other", "give one of them");
    std::vector<AssetJob> jobs;
    for (const ManifestAsset& asset : assets) {
        SINTER_TRY_ASSIGN(AssetJob job, make_job(request, asset));
        jobs.push_back(std::move(job));
    }
    SINTER_TRY(check_writes(jobs, request));
    return jobs;
}

}  // namespace sinter
