// Compares two packages: content roots first, then sections by digest, then objects by name.
#pragma once

#include <sinter/formats/hash.hpp>
#include <sinter/formats/reader.hpp>
#include <sinter/formats/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinter {

// The largest absolute difference that still counts as equal, by kind of value; 0 = exact.
struct DiffTolerances {
    double position = 0;    // metres: positions, translations, bounds, position deltas, errors in metres
    double normal_deg = 0;  // degrees: normals, tangents, rotations
    double uv = 0;
    double color = 0;   // colours and material factors
    double weight = 0;  // influences and blend-shape weights
    double scale = 0;   // scales, matrices, inverse bind matrices
    double time_s = 0;  // seconds: clip starts and durations
};

struct DiffOptions {
    DiffTolerances tolerances{};
    // Paths that are not compared. A pattern matches a path and everything below it; '*' in it stands for
    // any text without '/'. "nodes", "meshes/*/bounds", "clips/Idle".
    std::vector<std::string> ignore{};
};

// absent, flag, integer, number, text (names, digests)
using DiffValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

// One thing that is not equal. `path` names it: "meshes/Head/vertices", "clips/Run/duration_s",
// "nodes/Arm/translation". Objects stand under their name, '/' in names written as "~1" and '~' as "~0"; an
// object whose name is empty or was used before gets "#" and its index among equals: "meshes/Head#1".
// References are shown by the key of what they refer to, so an inserted object moves nothing else. An object
// that one side alone has is one difference (true against absent) with nothing below it; a list whose common
// objects stand in another order is one under "meshes#order". Of arrays, a and b show the entry that differs
// most. Meshes in pages: "meshes/Head/pages" says which pages differ, within tolerance if their clusters differ in vertices and
// spheres alone, which are measured apart ("vertices/position", "clusters/spheres"); tables of the DAG are "clusters/groups"
// and so on, with "lengths" below for errors and spheres. Where cooking put vertices in another order, "vertices#order" says so
// and how many lie at places of one side only; normals, tangents, UVs, colours, influences and blend shapes of the others are
// compared with those of the vertex at the same position (same normal and UVs first), triangles by positions. Of a mesh that is in pages on one side alone, "triangles" compares
// positions and materials, and no other array is compared: vertices have another order.
struct Difference {
    std::string path{};
    DiffValue a{};
    DiffValue b{};
    std::optional<double> difference{};    // largest absolute one, in the tolerance's unit
    std::optional<double> rms{};           // of arrays
    std::optional<std::uint64_t> count{};  // entries of an array that differ
    bool within_tolerance = false;
};

// A section whose raw digest differs, or that only one package has.
struct SectionDifference {
    std::string type;  // name, or number of an unknown type
    std::uint64_t id = 0;
    std::optional<Digest> a{};
    std::optional<Digest> b{};
};

struct DiffResult {
    Digest root_a{};
    Digest root_b{};
    bool roots_equal = false;                   // then nothing else was compared
    std::vector<SectionDifference> sections{};  // by (type, id)
    std::vector<Difference> differences{};      // by path, ignored ones left out
    std::uint64_t ignored = 0;                  // differences that `ignore` left out
    // Patterns of `ignore` that match no path that either package has: most likely misspelt.
    std::vector<std::string> unmatched_ignore{};
    // True if there is no difference outside the tolerances.
    [[nodiscard]] bool equal() const;
};

// Roots are those of the headers, and proven to be those of the tables of contents and the manifests. When they
// are equal nothing but the manifests is decoded: bytes of other sections that do not match their entry in the
// table are not noticed (verify_package does). Otherwise every difference of the content shows up in
// `differences`, within tolerance or not: two packages are never equal() by accident. Arrays are compared where
// both sides have as many entries. Provenance and issues are not compared. Errors: those of PackageView::decode,
// and Validation (FindingCode::ContentRoot) for a wrong root; where names "A" or "B".
[[nodiscard]] Result<DiffResult> diff_packages(const PackageView& a, const PackageView& b,
                                               const DiffOptions& options = {});

}  // namespace sinter
