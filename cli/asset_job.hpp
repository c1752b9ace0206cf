// What is to be cooked: one job an asset, from the command line and the manifest.
#pragma once

#include "cli/config.hpp"
#include "cooker/options.hpp"

#include <sinter/formats/result.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sinter {

struct AssetJob {
    std::filesystem::path input;  // as given; a manifest's inputs begin with the manifest's folder
    std::filesystem::path output;
    bool make_folder = false;  // make the output's folder if it is missing
    CookOptions options;
    std::optional<Error> error;  // the asset failed before it could be started (a glob without a match)
};

// One entry of a manifest, its globs expanded.
struct ManifestAsset {
    std::filesystem::path input;
    std::optional<std::filesystem::path> output;  // below the output folder
    std::vector<Setting> settings;
    bool no_match = false;  // `input` is a glob that matches no file
};

struct Manifest {
    std::optional<std::filesystem::path> out_dir;
    std::vector<ManifestAsset> assets;  // entries in file order, the files of a glob sorted by bytes
};

// Reads {"schema": "sinter-manifest/1", "out_dir": "cooked", "assets": [{"input": "heroes/**/*.glb",
// "output": "hero.sinter", "options": {...}}]}. Paths are relative to the manifest's folder.
// Errors: Io (missing, unreadable), Usage (content, with the line).
[[nodiscard]] Result<Manifest> read_manifest(const std::filesystem::path& path);

struct JobRequest {
    std::vector<std::filesystem::path> inputs;
    std::optional<std::filesystem::path> output;   // -o
    std::optional<std::filesystem::path> out_dir;  // --out-dir
    Manifest manifest;
    Config config;
    std::vector<Setting> sets;
    std::vector<std::filesystem::path>
        other_outputs;  // report and depfile: must not be an output or an input
};

// Inputs first, then the manifest's. Errors (Usage), before anything is cooked: -o with several inputs, two
// assets with one output (both are named), an output that is an input.
[[nodiscard]] Result<std::vector<AssetJob>> make_jobs(const JobRequest& request);

}  // namespace sinter
