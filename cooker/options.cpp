#include "cooker/options.hpp"

#include "cooker/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace sinter {
namespace {

// One row: what is known about a key, and the member that it means. Every value fits a double: booleans are
// 0 and 1, choices the number of their enumerator, integers are below 2^53.
struct Row {
    OptionInfo info;
    double (*get)(const CookOptions&) = nullptr;
    void (*set)(CookOptions&, double) = nullptr;
};

template <auto Group, auto Member>
Row row(OptionInfo info) {
    using Value = std::remove_cvref_t<decltype(CookOptions{}.*Group.*Member)>;
    return {std::move(info),
            [](const CookOptions& options) { return static_cast<double>(options.*Group.*Member); },
            [](CookOptions& options, double value) { options.*Group.*Member = static_cast<Value>(value); }};
}

const std::vector<Row>& rows() {
    using enum OptionType;
    using Options = CookOptions;
    static const std::vector<Row> table{
        row<&Options::import, &ImportOptions::unit_m>(
            {"import.unit_m",
             "Metres a unit of the file (glTF: always 1); 0 = as the file says, 1 where it says nothing.",
             Number,
             0,
             1e6,
             {}}),
        row<&Options::import, &ImportOptions::up_axis>(
            {"import.up_axis",
             "The axis that points up in the file (glTF: always y); auto = as the file says, y where it says "
             "nothing.",
             Choice,
             0,
             0,
             {"auto", "y", "z"}}),
        row<&Options::mesh, &MeshOptions::position_grid>(
            {"mesh.position_grid",
             "Grid of the positions: sphere = 16 bits on the mesh's bounding sphere; world = "
             "steps of a power of two around the origin, so that neighbours that are cooked apart line up.",
             Choice,
             0,
             0,
             {"sphere", "world"}}),
        row<&Options::mesh, &MeshOptions::position_tolerance>(
            {"mesh.position_tolerance",
             "Largest error of a position in metres; the grid is made fine enough; 0 = "
             "16 bits on the bounding sphere.",
             Number,
             0,
             1e6,
             {}}),
        row<&Options::mesh, &MeshOptions::hard_edge_angle_deg>(
            {"mesh.hard_edge_angle_deg",
             "Where the file has no normals, the ones that are made split at edges with "
             "a larger angle (degrees).",
             Number,
             0,
             180,
             {}}),
        row<&Options::mesh, &MeshOptions::make_tangents>(
            {"mesh.make_tangents",
             "Make tangents where a UV set and no tangents are there.",
             Boolean,
             0,
             1,
             {}}),
        row<&Options::mesh, &MeshOptions::normal_bits>(
            {"mesh.normal_bits", "Bits of a stored normal.", Integer, 20, 32, {"20", "32"}}),
        row<&Options::mesh, &MeshOptions::uv_tolerance>(
            {"mesh.uv_tolerance",
             "Largest error of a UV coordinate (UV units); a set with a larger one in 16 bits is stored "
             "as floats; 0 = floats where 16 bits are not exact.",
             Number,
             0,
             1,
             {}}),
        row<&Options::cluster, &ClusterOptions::enabled>(
            {"cluster.enabled",
             "Build levels of detail; false = only the full detail, as plain arrays.",
             Boolean,
             0,
             1,
             {}}),
        row<&Options::cluster, &ClusterOptions::max_triangles>(
            {"cluster.max_triangles", "Triangles of a cluster at most.", Integer, 32, 128, {}}),
        row<&Options::cluster, &ClusterOptions::max_vertices>(
            {"cluster.max_vertices", "Vertices of a cluster at most.", Integer, 32, 128, {}}),
        row<&Options::cluster, &ClusterOptions::group_size>(
            {"cluster.group_size", "Clusters that are simplified together, about.", Integer, 4, 24, {}}),
        row<&Options::cluster, &ClusterOptions::ratio>(
            {"cluster.ratio",
             "Share of a group's triangles that its simplification keeps; larger = more levels "
             "that are closer together.",
             Number,
             0.25,
             0.85,
             {}}),
        row<&Options::cluster, &ClusterOptions::measure_error>(
            {"cluster.measure_error",
             "Measure each group's error against the source; false = the simplifier's own "
             "estimates, which are no bounds.",
             Boolean,
             0,
             1,
             {}}),
        row<&Options::cluster, &ClusterOptions::poses>(
            {"cluster.poses",
             "Poses of the asset's clips and blend shapes in which skinned and morphed meshes are "
             "measured too; 0 = the rest pose only.",
             Integer,
             0,
             64,
             {}}),
        row<&Options::skin, &SkinOptions::max_influences>(
            {"skin.max_influences",
             "Bones that may move one vertex; the largest weights are kept.",
             Integer,
             1,
             8,
             {}}),
        row<&Options::skin, &SkinOptions::weight_bits>(
            {"skin.weight_bits", "Bits of a stored weight.", Integer, 8, 16, {"8", "16"}}),
        row<&Options::animation, &AnimationOptions::sample_rate_hz>(
            {"animation.sample_rate_hz",
             "Samples a second of a stored clip; 0 = the lowest whole rate that meets "
             "every key, else 60.",
             Number,
             0,
             240,
             {}}),
        row<&Options::package, &PackageOptions::compression>(
            {"package.compression", "How sections are stored.", Choice, 0, 0, {"raw", "zstd"}}),
        row<&Options::package, &PackageOptions::zstd_level>(
            {"package.zstd_level", "zstd's level; higher is smaller and slower.", Integer, 1, 19, {}}),
    };
    return table;
}

const Row* find_row(std::string_view key) {
    const auto found =
        std::ranges::find(rows(), key, [](const Row& candidate) { return candidate.info.key; });
    return found == rows().end() ? nullptr : &*found;
}

std::string joined(const std::vector<std::string_view>& values) {
    return fmt::format("{}", fmt::join(values, ", "));
}

// "a whole number in [1, 8]": the rule that a message and the help name.
std::string rule_of(const OptionInfo& info) {
    switch (info.type) {
    case OptionType::Boolean: return "true or false";
    case OptionType::Choice: return "one of " + joined(info.values);
    case OptionType::Integer:
        if (!info.values.empty()) return "one of " + joined(info.values);
        return fmt::format("a whole number in [{}, {}]", info.min, info.max);
    case OptionType::Number: return fmt::format("a number in [{}, {}]", info.min, info.max);
    }
    return {};
}

// The number that a text means for a key; false when it is none or breaks the rule.
bool parse_value(const OptionInfo& info, std::string_view text, double& value) {
    if (info.type == OptionType::Boolean) {
        value = text == "true" ? 1 : 0;
        return text == "true" || text == "false";
    }
    if (info.type == OptionType::Choice) {
        const auto found = std::ranges::find(info.values, text);
        value = static_cast<double>(found - info.values.begin());
        return found != info.values.end();
    }
    const char* const end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data(), end, value);
    if (problem != std::errc() || stopped != end || !std::isfinite(value)) return false;
    value += 0.0;  // -0 becomes 0, so that equal options have one text
    if (value < info.min || value > info.max) return false;
    if (info.type == OptionType::Number) return true;
    if (value != std::floor(value)) return false;
    return info.values.empty() ||
           std::ranges::find(info.values, fmt::format("{}", value)) != info.values.end();
}

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string value_json(const Row& entry, const CookOptions& options) {
    const double value = entry.get(options);
    switch (entry.info.type) {
    case OptionType::Boolean: return value != 0 ? "true" : "false";
    case OptionType::Choice: return quoted(entry.info.values[static_cast<std::size_t>(value)]);
    default: return fmt::format("{}", value);
    }
}

std::string_view group_of(std::string_view key) { return key.substr(0, key.find('.')); }
std::string_view name_in_group(std::string_view key) { return key.substr(key.find('.') + 1); }

std::string property_schema(const OptionInfo& info, const std::string& default_json) {
    std::string rule;
    switch (info.type) {
    case OptionType::Boolean: rule = R"("type": "boolean")"; break;
    case OptionType::Choice:
        rule = fmt::format(R"("enum": ["{}"])", fmt::join(info.values, R"(", ")"));
        break;
    case OptionType::Integer:
        rule = info.values.empty()
                   ? fmt::format(R"("type": "integer", "minimum": {}, "maximum": {})", info.min, info.max)
                   : fmt::format(R"("enum": [{}])", joined(info.values));
        break;
    case OptionType::Number:
        rule = fmt::format(R"("type": "number", "minimum": {}, "maximum": {})", info.min, info.max);
        break;
    }
    return fmt::format("            \"{}\": {{\n              {},\n              \"default\": {},\n"
                       "              \"description\": \"{}\"\n            }}",
                       name_in_group(info.key), rule, default_json, info.help);
}

// "groups": every group of options with its keys.
std::string group_schemas() {
    std::string text;
    std::string_view group;
    for (const Row& entry : rows()) {
        if (group_of(entry.info.key) != group) {
            if (!group.empty()) text += "\n          }\n        },\n";
            group = group_of(entry.info.key);
            text += fmt::format("        \"{}\": {{\n          \"type\": \"object\",\n"
                                "          \"additionalProperties\": false,\n          \"properties\": {{\n",
                                group);
        } else {
            text += ",\n";
        }
        text += property_schema(entry.info, value_json(entry, {}));
    }
    return text + "\n          }\n        }\n";
}

}  // namespace

const std::vector<OptionInfo>& option_table() {
    static const std::vector<OptionInfo> table = [] {
        std::vector<OptionInfo> infos;
        for (const Row& entry : rows()) infos.push_back(entry.info);
        return infos;
    }();
    return table;
}

const OptionInfo* find_option(std::string_view key) {
    const Row* const found = find_row(key);
    return found ? &found->info : nullptr;
}

Result<Unit> set_option(CookOptions& options, std::string_view key, std::string_view value) {
    const Row* const found = find_row(key);
    if (!found) {
        std::vector<std::string_view> keys;
        for (const Row& entry : rows()) keys.push_back(entry.info.key);
        const std::string_view near = nearest(key, keys);
        return Error{ErrorKind::Usage,
                     {},
                     fmt::format("unknown key '{}'", key),
                     near.empty() ? "`sinter cook --print-config` lists all keys"
                                  : fmt::format("the nearest known key is '{}'", near)};
    }
    double number = 0;
    if (!parse_value(found->info, value, number)) {
        return Error{ErrorKind::Usage,
                     {},
                     fmt::format("'{}' is no value for '{}'", value, key),
                     "it takes " + rule_of(found->info)};
    }
    found->set(options, number);
    return Unit{};
}

std::string option_json(const CookOptions& options, std::string_view key) {
    return value_json(*find_row(key), options);
}

std::string options_json(const CookOptions& options) {
    std::string text = "{";
    std::string_view group;
    for (const Row& entry : rows()) {
        if (group_of(entry.info.key) == group) {
            text += ",";
        } else {
            if (!group.empty()) text += "},";
            group = group_of(entry.info.key);
            text += quoted(group) + ":{";
        }
        text += quoted(name_in_group(entry.info.key)) + ":" + value_json(entry, options);
    }
    return text + "}}";
}

std::string config_schema_json() {
    return R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:sinter:schema:config:1",
  "title": "Configuration of sinter cook",
  "type": "object",
  "required": ["schema"],
  "additionalProperties": false,
  "properties": {
    "schema": {"const": "sinter-config/1"},
    "options": {"$ref": "#/$defs/options"},
    "rules": {
      "type": "array",
      "description": "Options for the assets whose path matches; later rules win.",
      "items": {
        "type": "object",
        "required": ["match", "options"],
        "additionalProperties": false,
        "properties": {
          "match": {
            "type": "string",
            "minLength": 1,
            "description": "A glob on the path from this file's folder; without a slash, on the file name."
          },
          "options": {"$ref": "#/$defs/options"}
        }
      }
    }
  },
  "$defs": {
    "options": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
)" + group_schemas() +
           R"(      }
    }
  }
}
)";
}

}  // namespace sinter
