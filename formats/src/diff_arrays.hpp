// Comparing arrays: what each kind of section has in common. Internal to formats.
#pragma once

#include "bytes.hpp"
#include "diff_parts.hpp"

#include "text.hpp"
#include <sinter/formats/mesh_arrays.hpp>

#include <sinter/formats/codecs.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

inline constexpr double kDegreesPerRadian = 57.29577951308232;

// Largest and root-mean-square difference of an array's entries.
struct ArrayStatistics {
    double largest = 0;
    double sum_of_squares = 0;
    std::uint64_t differing = 0;
    std::uint64_t total = 0;
    std::uint64_t worst = 0;  // entry with the largest difference

    void note(std::uint64_t entry, double difference) {
        ++total;
        if (difference == 0) return;
        ++differing;
        if (std::isnan(difference)) difference = std::numeric_limits<double>::infinity();
        sum_of_squares += difference * difference;
        if (difference > largest) {
            largest = difference;
            worst = entry;
        }
    }
    [[nodiscard]] double rms() const {
        return total == 0 ? 0 : std::sqrt(sum_of_squares / static_cast<double>(total));
    }
};

template <std::size_t N>
[[nodiscard]] double distance(const std::array<float, N>& a, const std::array<float, N>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += d * d;
    }
    return std::sqrt(sum);
}

template <std::size_t N>
[[nodiscard]] double largest_difference(const std::array<float, N>& a, const std::array<float, N>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const double d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        largest = std::isnan(d) ? d : std::max(largest, d);
    }
    return largest;
}

// Degrees; directions that have none (zero length) differ by 0 or 180.
[[nodiscard]] inline double direction_difference_deg(std::array<float, 3> a, std::array<float, 3> b) {
    if (a == b) return 0;
    constexpr std::array<float, 3> kZero{};
    return a == kZero || b == kZero ? 180 : angle_deg(a, b);
}

template <std::size_t N>
[[nodiscard]] std::string entry_text(std::string_view noun, std::uint64_t entry,
                                     const std::array<float, N>& values) {
    std::string text = cat(noun, ' ', entry, ": (");
    for (std::size_t i = 0; i < N; ++i) text += cat(i > 0 ? ", " : "", values[i]);
    return text + ")";
}

// An object that both packages have, and one section of it, decoded on both sides.
struct ArrayPair {
    const DiffSide& side_a;
    const DiffSide& side_b;
    DifferenceList& list;
    std::string path;         // of the array: "meshes/Head/vertices/position"
    std::size_t index_a = 0;  // of the object in the manifest
    std::size_t index_b = 0;
    const TocEntry& entry_a;
    const TocEntry& entry_b;
    Bytes a;
    Bytes b;

    // Numbers that differ; `at` is the path, or one below it.
    void report(const std::string& at, NumberKind kind, const ArrayStatistics& s, std::string text_a,
                std::string text_b) const;
    // Another number of entries.
    void report_counts(std::size_t count_a, std::size_t count_b) const;
};

// A mesh that both packages have: in pages on both sides, or on one alone.
struct MeshPair {
    const DiffSide& side_a;
    const DiffSide& side_b;
    DifferenceList& list;
    std::string path;  // "meshes/Head"
    std::uint32_t index_a = 0;
    std::uint32_t index_b = 0;
};

// Vertices of both sides that lie at the same place.
struct VertexMatch {
    // More of them than have the same number: the order is another one. Otherwise vertices are compared number by number.
    bool reordered = false;
    std::vector<std::uint32_t> b_of_a;  // kNoVertex: nothing of B lies there
    std::uint64_t count_a = 0, count_b = 0;
    std::uint64_t only_a = 0, only_b = 0;
    std::uint64_t moved = 0;  // have another number

    // Entries of B, `size` of them a vertex, in the order of A. Where nothing of B is at the same place: A's own.
    template <typename Value>
    [[nodiscard]] std::vector<Value> in_order_of_a(std::span<const Value> a, std::span<const Value> b,
                                                   std::size_t size) const {
        std::vector<Value> out(a.begin(), a.end());
        for (std::size_t v = 0; v < b_of_a.size(); ++v) {
            if (b_of_a[v] == kNoVertex) continue;
            const auto from = b.subspan(b_of_a[v] * size, size);
            std::copy(from.begin(), from.end(), out.begin() + static_cast<std::ptrdiff_t>(v * size));
        }
        return out;
    }
};
[[nodiscard]] VertexMatch match_vertices(const MeshPair& pair, const MeshArrays& a, const MeshArrays& b);

// Index of each key.
[[nodiscard]] std::map<std::string, std::size_t> indices_of(const std::vector<std::string>& keys);

// Each compares entry by entry where both sides have as many; the manifest's counts say it where they have not.
void diff_positions(const ArrayPair& pair);
void diff_normals(const ArrayPair& pair);
void diff_tangents(const ArrayPair& pair);
void diff_uvs(const ArrayPair& pair, std::uint64_t set);
void diff_colors(const ArrayPair& pair);
void diff_influences(const ArrayPair& pair);
void diff_triangles(const ArrayPair& pair);
void diff_shapes(const ArrayPair& pair);
void diff_inverse_binds(const ArrayPair& pair);
void diff_clip(const ArrayPair& pair);
// A table of the cluster DAG: lengths and errors against the tolerance for positions, all else exactly.
void diff_cluster_table(const ArrayPair& pair, SectionType type);

// Pages in `differing` (numbers, rising) have other bytes, or are on one side alone. Compares vertices and triangles as those
// of plain arrays; of other levels what clusters are.
// Vertices in another order are matched by position; `match` is the result, for the mesh's other arrays.
[[nodiscard]] Result<Unit> diff_pages(const MeshPair& pair, std::span<const std::uint32_t> differing,
                                      VertexMatch& match);
// One side has pages and the other plain arrays, whose vertices have another order: triangles are compared by their positions
// and materials.
[[nodiscard]] Result<Unit> diff_forms(const MeshPair& pair);

[[nodiscard]] Error on_side(std::string_view side, Error error);

// True if both grids decode equal integers to equal positions.
[[nodiscard]] bool same_grid(const manifest::MeshT& a, const manifest::MeshT& b);

}  // namespace sinter
