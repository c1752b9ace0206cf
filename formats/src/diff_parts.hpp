// The parts of the comparison. Internal to formats.
#pragma once

#include "manifest_access.hpp"

#include <sinter/formats/diff.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter {

// Which tolerance a number is held against; Exact has none.
enum class NumberKind { Exact, Position, Angle, Uv, Color, Weight, Scale, Time };

[[nodiscard]] double tolerance_of(const DiffTolerances& tolerances, NumberKind kind);

// Keys of named objects: the escaped name, with "#" and an index where it is empty or was used before.
[[nodiscard]] std::vector<std::string> unique_keys(const std::vector<std::string_view>& names);

struct ManifestKeys {
    std::vector<std::string> nodes, materials, meshes, skins, skeletons, clips;
    std::vector<std::vector<std::string>> bones;   // of each skeleton
    std::vector<std::vector<std::string>> shapes;  // of each mesh
    std::vector<std::vector<std::string>> tracks;  // of each clip: "Arm.rotation"
};
[[nodiscard]] ManifestKeys keys_of(const manifest::Manifest& manifest);

struct FlatValue {
    DiffValue shown;
    std::vector<double> numbers;  // of what is compared with a tolerance
    NumberKind kind = NumberKind::Exact;
};

// Every content field under its path, every object under its own path with a flag. Left out: what the other
// fields and the arrays decide (first records of ranges, centre and step of grids).
struct FlatManifest {
    std::map<std::string, FlatValue> values;
    std::vector<std::string> objects;                                     // sorted
    std::vector<std::pair<std::string, std::vector<std::string>>> lists;  // path and keys in file order
};
[[nodiscard]] FlatManifest flatten(const manifest::Manifest& manifest, const ManifestKeys& keys);

// Where differences go; applies tolerances and the ignore list.
class DifferenceList {
public:
    DifferenceList(const DiffOptions& options, DiffResult& result);
    // Something is compared at this path: patterns that match it are good for something.
    void see(std::string_view path);
    // An array is: paths below it may follow, one for each of its parts that differs.
    void see_array(std::string_view path);
    void add(Difference difference);
    // Numbers that differ by `largest` at most; within tolerance if that is not above the kind's.
    void add_numbers(Difference difference, NumberKind kind, double largest);

private:
    const DiffOptions& options_;
    DiffResult& result_;
};

// True if a path below `path` could match the pattern.
[[nodiscard]] bool may_match_below(std::string_view path, std::string_view pattern);

[[nodiscard]] bool matches_ignore(std::string_view path, std::string_view pattern);

struct DiffSide {
    const PackageView& view;
    const manifest::ManifestT& manifest;
    const ManifestKeys& keys;
};

// Compares the arrays of objects that both packages have. Sections without such an object that differ, or
// that only one side has, are differences of their own.
[[nodiscard]] Result<Unit> diff_arrays(const DiffSide& a, const DiffSide& b, DifferenceList& list);

}  // namespace sinter
