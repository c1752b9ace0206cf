#include "cli/config.hpp"

#include "cli/glob.hpp"
#include "cooker/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

namespace sinter {
namespace {

Error usage_at(std::string_view name, std::size_t line, std::string message, std::string remedy = {}) {
    return {ErrorKind::Usage, fmt::format("{}:{}", name, line), std::move(message), std::move(remedy)};
}

// The kind of JSON value that a key's type takes.
JsonKind kind_of(const OptionInfo& info) {
    switch (info.type) {
    case OptionType::Boolean: return JsonKind::Boolean;
    case OptionType::Choice: return JsonKind::String;
    default: return JsonKind::Number;
    }
}

Result<Setting> read_setting(const JsonMember& member, std::string_view group, std::string_view name) {
    const JsonValue& value = member.value.front();
    Setting setting{fmt::format("{}.{}", group, member.key), value.text,
                    fmt::format("{}:{}", name, member.line)};
    const OptionInfo* const info = find_option(setting.key);
    if (info && value.kind != kind_of(*info)) {
        return usage_at(name, member.line, fmt::format("'{}' is {}", setting.key, name_of(value.kind)),
                        fmt::format("it takes {}", name_of(kind_of(*info))));
    }
    CookOptions scratch;
    if (Result<Unit> checked = set_option(scratch, setting.key, setting.value); !checked) {
        Error error = std::move(checked).error();
        error.where = setting.where;
        return error;
    }
    return setting;
}

// A key where a group should stand: "mesh.make_tangents" and plain names of keys are the usual mistakes.
Error unknown_group(const JsonMember& member, std::string_view name) {
    std::vector<std::string_view> names;
    for (const OptionInfo& info : option_table()) {
        names.push_back(info.key.substr(0, info.key.find('.')));
        names.push_back(info.key);
    }
    const std::string_view near = nearest(member.key, names);
    if (find_option(member.key)) {
        const std::string_view key = member.key;
        const std::size_t dot = key.find('.');
        return usage_at(name, member.line, fmt::format("unknown group '{}'", key),
                        fmt::format(R"(write "{}": {{"{}": ...}})", key.substr(0, dot), key.substr(dot + 1)));
    }
    return usage_at(name, member.line, fmt::format("unknown group '{}'", member.key),
                    near.empty() ? "`sinter cook --print-config` lists all groups and keys"
                                 : fmt::format("the nearest known one is '{}'", near));
}

bool is_group(std::string_view word) {
    return std::ranges::any_of(option_table(), [&](const OptionInfo& info) {
        return info.key.substr(0, info.key.find('.')) == word;
    });
}

Result<Unit> expect_kind(const JsonValue& value, JsonKind kind, std::string_view what,
                         std::string_view name) {
    if (value.kind == kind) return Unit{};
    return usage_at(name, value.line, fmt::format("{} is {}", what, name_of(value.kind)),
                    fmt::format("it must be {}", name_of(kind)));
}

// As it is where the current folder is gone.
std::filesystem::path absolute_path(const std::filesystem::path& path) {
    std::error_code gone;
    const std::filesystem::path whole = std::filesystem::absolute(path, gone);
    return (gone ? path : whole).lexically_normal();
}

Result<ConfigRule> read_rule(const JsonValue& value, std::string_view name) {
    SINTER_TRY(expect_kind(value, JsonKind::Object, "a rule", name));
    SINTER_TRY(check_keys(value, name, {"match", "options"}));
    const JsonValue* const match = value.find("match");
    const JsonValue* const options = value.find("options");
    if (!match || !options) return usage_at(name, value.line, "a rule needs 'match' and 'options'");
    SINTER_TRY(expect_kind(*match, JsonKind::String, "'match'", name));
    if (match->text.empty())
        return usage_at(name, match->line, "'match' is empty", "give a glob, such as \"*.fbx\"");
    SINTER_TRY_ASSIGN(std::vector<Setting> settings, read_settings(*options, name));
    return ConfigRule{match->text, std::move(settings)};
}

}  // namespace

Result<std::string> read_text_file(const std::filesystem::path& path) {
    constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
    const auto failed = [&](std::string_view cause) {
        return Error{ErrorKind::Io, path.string(), fmt::format("cannot be read: {}", cause), {}};
    };
    std::error_code problem;
    if (std::filesystem::is_directory(path, problem)) return failed("it is a folder");
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
    if (!file) return failed(std::strerror(errno));
    std::string text;
    char buffer[65536];
    for (std::size_t got = 1; got > 0 && text.size() <= kMaxBytes;) {
        got = std::fread(buffer, 1, sizeof(buffer), file.get());
        text.append(buffer, got);
    }
    if (std::ferror(file.get()) != 0) return failed(std::strerror(errno));
    if (text.size() > kMaxBytes) return failed("it is larger than 16 MiB");
    return text;
}

Result<Unit> check_schema(const JsonValue& root, std::string_view name, std::string_view expected) {
    SINTER_TRY(expect_kind(root, JsonKind::Object, "the file", name));
    const JsonValue* const schema = root.find("schema");
    if (!schema) {
        return usage_at(name, root.line, "the key 'schema' is missing",
                        fmt::format(R"(add "schema": "{}")", expected));
    }
    if (schema->text == expected) return Unit{};
    return usage_at(name, schema->line, fmt::format("the schema is '{}'", schema->text),
                    fmt::format("this version reads '{}'", expected));
}

Result<Unit> check_keys(const JsonValue& object, std::string_view name,
                        const std::vector<std::string_view>& known) {
    for (const JsonMember& member : object.members) {
        if (std::ranges::find(known, member.key) != known.end()) continue;
        const std::string_view near = nearest(member.key, known);
        return usage_at(name, member.line, fmt::format("unknown key '{}'", member.key),
                        near.empty() ? fmt::format("known here: {}", fmt::join(known, ", "))
                                     : fmt::format("the nearest known key is '{}'", near));
    }
    return Unit{};
}

Result<std::vector<Setting>> read_settings(const JsonValue& object, std::string_view name) {
    SINTER_TRY(expect_kind(object, JsonKind::Object, "'options'", name));
    std::vector<Setting> settings;
    for (const JsonMember& group : object.members) {
        if (!is_group(group.key)) return unknown_group(group, name);
        const JsonValue& keys = group.value.front();
        SINTER_TRY(expect_kind(keys, JsonKind::Object, fmt::format("'{}'", group.key), name));
        for (const JsonMember& member : keys.members) {
            SINTER_TRY_ASSIGN(Setting setting, read_setting(member, group.key, name));
            settings.push_back(std::move(setting));
        }
    }
    return settings;
}

Result<Config> read_config(const std::filesystem::path& path) {
    SINTER_TRY_ASSIGN(const std::string text, read_text_file(path));
    const std::string name = path.string();
    SINTER_TRY_ASSIGN(const JsonValue root, parse_json(text, name));
    SINTER_TRY(check_schema(root, name, "sinter-config/1"));
    SINTER_TRY(check_keys(root, name, {"schema", "options", "rules"}));
    Config config;
    config.folder = absolute_path(path).parent_path();
    if (const JsonValue* const options = root.find("options")) {
        SINTER_TRY_ASSIGN(config.settings, read_settings(*options, name));
    }
    if (const JsonValue* const rules = root.find("rules")) {
        SINTER_TRY(expect_kind(*rules, JsonKind::Array, "'rules'", name));
        for (const JsonValue& value : rules->items) {
            SINTER_TRY_ASSIGN(ConfigRule rule, read_rule(value, name));
            config.rules.push_back(std::move(rule));
        }
    }
    return config;
}

Result<Setting> parse_set(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return Error{ErrorKind::Usage, "--set", fmt::format("'{}' is not key=value", text),
                     "for example --set mesh.make_tangents=false"};
    }
    Setting setting{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)), "--set"};
    CookOptions scratch;
    if (Result<Unit> checked = set_option(scratch, setting.key, setting.value); !checked) {
        Error error = std::move(checked).error();
        error.where = "--set";
        return error;
    }
    return setting;
}

Result<Unit> apply_settings(CookOptions& options, const std::vector<Setting>& settings) {
    for (const Setting& setting : settings) SINTER_TRY(set_option(options, setting.key, setting.value));
    return Unit{};
}

bool rule_matches(const ConfigRule& rule, const std::filesystem::path& folder,
                  const std::filesystem::path& asset) {
    if (rule.match.find('/') == std::string::npos) return glob_matches(rule.match, asset.filename().string());
    const std::filesystem::path full = absolute_path(asset);
    if (rule.match.starts_with('/')) return glob_matches(rule.match, full.generic_string());
    return glob_matches(rule.match, full.lexically_relative(folder).generic_string());
}

Result<CookOptions> options_of_asset(const Config& config, const std::filesystem::path& asset,
                                     const std::vector<Setting>& more, const std::vector<Setting>& sets) {
    CookOptions options;
    SINTER_TRY(apply_settings(options, config.settings));
    for (const ConfigRule& rule : config.rules) {
        if (!asset.empty() && rule_matches(rule, config.folder, asset)) {
            SINTER_TRY(apply_settings(options, rule.settings));
        }
    }
    SINTER_TRY(apply_settings(options, more));
    SINTER_TRY(apply_settings(options, sets));
    return options;
}

std::string config_text(const CookOptions& options) {
    std::string text = "{\n  \"schema\": \"sinter-config/1\",\n  \"options\": {";
    std::string_view group;
    for (const OptionInfo& info : option_table()) {
        const std::size_t dot = info.key.find('.');
        if (info.key.substr(0, dot) == group) {
            text += ",";
        } else {
            if (!group.empty()) text += "\n    },";
            group = info.key.substr(0, dot);
            text += fmt::format("\n    \"{}\": {{", group);
        }
        text += fmt::format("\n      \"{}\": {}", info.key.substr(dot + 1), option_json(options, info.key));
    }
    return text + "\n    }\n  }\n}\n";
}

}  // namespace sinter
