// CookOptions: everything that changes the bytes of a package. They are versioned, hashed and stored
// with it. What must never change bytes (threads, verbosity, paths, limits) is in cli/run_options.hpp.
// cooker/options.cpp holds the one table of keys, types, ranges and help that JSON reading, --set,
// --print-config and the JSON schema are made from.
#pragma once

#include <cstdint>
#include <string>

namespace sinter {

enum class UpAxis : std::uint8_t { Auto, Y, Z };
enum class GridKind : std::uint8_t { Sphere, World };
enum class SectionCompression : std::uint8_t { Raw, Zstd };

struct ImportOptions {
    double unit_m = 0;             // metres a file unit; 0 = as the file says, 1 where it says nothing
    UpAxis up_axis = UpAxis::Auto; // Auto = as the file says, +Y where it says nothing
};

struct MeshOptions {
    GridKind position_grid = GridKind::Sphere;  // World: power-of-two steps, shared by all meshes
    double position_tolerance = 0;   // metres; 0 = 16 bits on the bounding sphere; else the grid is made fine enough
    double hard_edge_angle_deg = 180;  // normals made by us split at edges with a larger angle; [0, 180]
    bool make_tangents = true;       // where a UV set and no tangents are there
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
    SkinOptions skin;
    AnimationOptions animation;
    PackageOptions package;
};

}  // namespace sinter
