// Configuration: defaults, then the file's options, then the file's rules that match the asset, then the
// manifest's options of the asset, then --set. docs/configuration.md is the user's page.
#pragma once

#include "cli/json_reader.hpp"
#include "cooker/options.hpp"

#include <sinter/formats/result.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

// One value that a file gives to a key, and where it stands, for messages.
struct Setting {
    std::string key;
    std::string value;
    std::string where;  // "sinter.json:12"; empty for --set
};

struct ConfigRule {
    std::string match;
    std::vector<Setting> settings;
};

struct Config {
    std::filesystem::path folder;  // absolute; patterns are relative to it
    std::vector<Setting> settings;
    std::vector<ConfigRule> rules;
};

// Reads nested groups of options ({"mesh": {"make_tangents": false}}) and checks every key and value.
// Errors (Usage): where = "name:line", the key, the nearest known key.
[[nodiscard]] Result<std::vector<Setting>> read_settings(const JsonValue& object, std::string_view name);

// Reads a whole file. Errors: Io (missing, unreadable, larger than 16 MiB), Usage (content).
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& path);

// Reads and checks a configuration file.
[[nodiscard]] Result<Config> read_config(const std::filesystem::path& path);

// Fails when a file is no object with "schema": `expected`.
[[nodiscard]] Result<Unit> check_schema(const JsonValue& root, std::string_view name,
                                        std::string_view expected);

// Fails when an object has a key that is none of `known`: names line, key and the nearest known one.
[[nodiscard]] Result<Unit> check_keys(const JsonValue& object, std::string_view name,
                                      const std::vector<std::string_view>& known);

// Splits "key=value" and checks it. Errors: Usage.
[[nodiscard]] Result<Setting> parse_set(std::string_view text);

// Applies settings in order. They were checked when they were read, so an error here is one of the key table.
[[nodiscard]] Result<Unit> apply_settings(CookOptions& options, const std::vector<Setting>& settings);

// Whether a rule means an asset: a pattern with a slash matches the asset's path from the configuration's
// folder ("../x" where it lies outside), one without matches the file name in any folder.
[[nodiscard]] bool rule_matches(const ConfigRule& rule, const std::filesystem::path& folder,
                                const std::filesystem::path& asset);

// The options of an asset: defaults, `config`, its matching rules in order, `more`, `sets`.
[[nodiscard]] Result<CookOptions> options_of_asset(const Config& config, const std::filesystem::path& asset,
                                                   const std::vector<Setting>& more,
                                                   const std::vector<Setting>& sets);

// A configuration file with these options, all keys spelled out; reads back equal.
[[nodiscard]] std::string config_text(const CookOptions& options);

}  // namespace sinter
