// read_manifest of asset_job.hpp.
#include "cli/asset_job.hpp"
#include "cli/glob.hpp"

#include <fmt/format.h>

namespace sinter {
namespace {

Error at(std::string_view name, std::size_t line, std::string message, std::string remedy = {}) {
    return {ErrorKind::Usage, fmt::format("{}:{}", name, line), std::move(message), std::move(remedy)};
}

Result<std::optional<std::string>> text_of(const JsonValue& object, std::string_view key,
                                           std::string_view name) {
    const JsonValue* const value = object.find(key);
    if (!value) return std::optional<std::string>();
    if (value->kind != JsonKind::String || value->text.empty()) {
        return at(name, value->line, fmt::format("'{}' must be a string that is not empty", key));
    }
    return std::optional<std::string>(value->text);
}

// A manifest may come from elsewhere: what it writes stays below the output folder.
Result<Unit> check_output(const JsonValue& entry, std::string_view name) {
    const JsonValue* const output = entry.find("output");
    if (!output) return Unit{};
    const std::filesystem::path path = std::filesystem::path(output->text).lexically_normal();
    if (path.is_absolute() || *path.begin() == "..") {
        return at(name, output->line,
                  fmt::format("'output' is '{}', which is outside of the output folder", output->text),
                  "give a path below it; 'out_dir' and --out-dir say where it is");
    }
    if (!path.has_filename() || path == ".") {
        return at(name, output->line, fmt::format("'output' is '{}', which names a folder", output->text),
                  "give the package's name too");
    }
    return Unit{};
}

Result<Unit> add_assets(const JsonValue& entry, const std::filesystem::path& folder, std::string_view name,
                        std::vector<ManifestAsset>& assets) {
    if (entry.kind != JsonKind::Object)
        return at(name, entry.line, "an asset must be an object with 'input'");
    SINTER_TRY(check_keys(entry, name, {"input", "output", "options"}));
    SINTER_TRY_ASSIGN(const std::optional<std::string> input, text_of(entry, "input", name));
    SINTER_TRY_ASSIGN(const std::optional<std::string> output, text_of(entry, "output", name));
    SINTER_TRY(check_output(entry, name));
    if (!input)
        return at(name, entry.line, "an asset needs 'input'", R"(for example {"input": "heroes/*.glb"})");
    ManifestAsset asset;
    if (output) asset.output = *output;
    if (const JsonValue* const options = entry.find("options")) {
        SINTER_TRY_ASSIGN(asset.settings, read_settings(*options, name));
    }
    std::error_code ignored;
    asset.input = folder / *input;
    if (!has_glob(*input) ||
        std::filesystem::exists(asset.input, ignored)) {  // a file may be named "a[1].glb"
        assets.push_back(std::move(asset));
        return Unit{};
    }
    SINTER_TRY_ASSIGN(const std::vector<std::filesystem::path> files, expand_glob(folder, *input));
    if (output && files.size() > 1) {
        return at(name, entry.line,
                  fmt::format("'{}' matches {} files, and 'output' names one", *input, files.size()),
                  "leave 'output' out");
    }
    asset.no_match = files.empty();
    if (files.empty()) assets.push_back(asset);
    for (const std::filesystem::path& file : files) {
        asset.input = file;
        assets.push_back(asset);
    }
    return Unit{};
}

}  // namespace

Result<Manifest> read_manifest(const std::filesystem::path& path) {
    SINTER_TRY_ASSIGN(const std::string text, read_text_file(path));
    const std::string name = path.string();
    SINTER_TRY_ASSIGN(const JsonValue root, parse_json(text, name));
    SINTER_TRY(check_schema(root, name, "sinter-manifest/1"));
    SINTER_TRY(check_keys(root, name, {"schema", "out_dir", "assets"}));
    const std::filesystem::path folder = path.parent_path();
    Manifest manifest;
    SINTER_TRY_ASSIGN(const std::optional<std::string> out_dir, text_of(root, "out_dir", name));
    if (out_dir) manifest.out_dir = folder / *out_dir;
    const JsonValue* const assets = root.find("assets");
    if (!assets || assets->kind != JsonKind::Array) return at(name, root.line, "'assets' must be an array");
    for (const JsonValue& entry : assets->items) SINTER_TRY(add_assets(entry, folder, name, manifest.assets));
    return manifest;
}

}  // namespace sinter
