// CookOptions: everything that changes the bytes of a package. They are versioned, hashed and stored
// with it. What must never change bytes (threads, verbosity, paths, limits) is in cli/run_options.hpp.
// cooker/options.cpp holds the one table of keys, types, ranges and help that JSON reading, --set,
// --print-config and the JSON schema are made from.
#pragma once

#include <sinter/formats/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

enum class UpAxis : std::uint8_t { Auto, Y, Z };
enum class GridKind : std::uint8_t { Sphere, World };
enum class SectionCompression : std::uint8_t { Raw, Zstd };

struct ImportOptions {
    double unit_m = 0;              // metres a file unit; 0 = as the file says, 1 where it says nothing
    UpAxis up_axis = UpAxis::Auto;  // Auto = as the file says, +Y where it says nothing
};

struct MeshOptions {
    GridKind position_grid = GridKind::Sphere;  // World: power-of-two steps, shared by all meshes
    double position_tolerance =
        0;  // metres; 0 = 16 bits on the bounding sphere; else the grid is made fine enough
    double hard_edge_angle_deg = 180;  // normals made by us split at edges with a larger angle; [0, 180]
    bool make_tangents = true;         // where a UV set and no tangents are there
    std::uint32_t normal_bits = 32;    // of a stored normal, both octahedral components together: 20 or 32
    // UV units; a UV set that 16 bits a coordinate would move farther is stored as floats. A sixteenth of a texel of a
    // texture of 4,096: less than the sixteen-bit codes of [0, 2] make wrong, far less than a filter can show.
    double uv_tolerance = 1.0 / 65536;
};

struct ClusterOptions {
    bool enabled = true;                // false: full-detail arrays only
    std::uint32_t max_triangles = 128;  // a cluster, [32, 128]
    std::uint32_t max_vertices = 128;   // a cluster, [32, 128]
    std::uint32_t group_size = 16;      // clusters that are simplified together, [4, 24]
    double ratio = 0.5;                 // of a group's triangles that its simplification keeps, [0.25, 0.85]
    bool measure_error = true;  // against the source; false: the simplifier's own estimates, no bounds
    std::uint32_t poses = 8;    // in which skinned or morphed meshes are measured, [0, 64]
};

struct SkinOptions {
    std::uint32_t max_influences = 8;  // [1, 8]
    std::uint32_t weight_bits = 16;    // 8 or 16
};

struct AnimationOptions {
    double sample_rate_hz = 0;  // 0 = the lowest whole rate that meets every key, else 60; at most 240
};

struct PackageOptions {
    SectionCompression compression = SectionCompression::Zstd;
    std::int32_t zstd_level = 9;  // [1, 19]
};

struct CookOptions {
    ImportOptions import;
    MeshOptions mesh;
    ClusterOptions cluster;
    SkinOptions skin;
    AnimationOptions animation;
    PackageOptions package;
};

enum class OptionType : std::uint8_t { Boolean, Integer, Number, Choice };

// What the table of keys says about one of them.
struct OptionInfo {
    std::string_view key;   // "mesh.position_tolerance": the group is the stage
    std::string_view help;  // one sentence, with the unit and what 0 means
    OptionType type = OptionType::Boolean;
    double min = 0;  // Integer and Number: the range, both ends included
    double max = 0;
    std::vector<std::string_view>
        values;  // Choice and Integers that take few values: all of them; else empty
};

// Every key, in the order in which options_json and the schema write them. The groups are contiguous.
[[nodiscard]] const std::vector<OptionInfo>& option_table();

// The entry of a key, or nullptr.
[[nodiscard]] const OptionInfo* find_option(std::string_view key);

// Sets one key from text: true or false, a decimal number, or the name of a choice; independent of the locale.
// Errors (Usage): an unknown key, with the nearest known one in the message; a value that is no such value or
// out of range, with the rule. `options` is unchanged then.
[[nodiscard]] Result<Unit> set_option(CookOptions& options, std::string_view key, std::string_view value);

// The value of one key as JSON (true, 0.0001, "sphere"). The key must be in the table.
[[nodiscard]] std::string option_json(const CookOptions& options, std::string_view key);

// All options as canonical JSON: one line, no spaces, every key, table order, shortest numbers that read back
// equal. Equal options give equal text, so its digest names them.
[[nodiscard]] std::string options_json(const CookOptions& options);

// The JSON schema (draft 2020-12) of a configuration file; schemas/config.schema.json is this text.
[[nodiscard]] std::string config_schema_json();

}  // namespace sinter
