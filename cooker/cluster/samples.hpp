// How far a simplified group is from the source surface, both ways, in the rest pose and in any other.
//
// Samples are vertices of the source mesh. Simplification only collapses onto vertices, so every vertex of every level
// is a source vertex, and a sample is one number that can be posed like any vertex. The vertices that a step removes
// are measured and then carried along, about two a triangle of what is left: the farthest on either side of each
// triangle, then the farthest of the rest; in a small group as many as there is room for (few_samples()). The next step
// measures the carried ones again, and what it removes.
//
// Between the samples: at full detail the middles of all edges are measured, since a triangle may go whose corners all
// stay; in small groups also points of the source triangles of the carried samples. Then the largest distances are climbed from (pattern search, Hooke and Jeeves, "Direct Search Solution
// of Numerical and Statistical Problems", J. ACM 8, 1961), on the source triangle of a sample and on the simplified
// triangle of a point. Backward, points of the simplified surface are measured against the source itself, not against
// the replaced level plus its error: that sum grows with every level. docs/cluster-dag.md tells what was tried.
//
// The result is a maximum over points, from below; kMeasureMargin and a rounding term stand for what lies between them.
#pragma once

#include "cooker/cluster/deviation.hpp"
#include "cooker/math.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sinter {

// What a stored error is above the largest distance that was found. With it, 4 random points a source triangle and 8 a
// simplified one find more than what is stored by over 2 % in 0 to 1 % of the groups of closed and open noise meshes
// (worst 3 %), and in 2.6 % of those of leaf cards (worst 7 %): there whole cards vanish with their samples.
inline constexpr float kMeasureMargin = 1.02F;
// In other poses points of the simplified surface are not climbed from, and samples that were far at rest are carried: a
// group of a curling centipede was 2.2 % beyond an error with the margin of the rest pose. And frames of the same clips that
// are not measured shall be within 1.25 of it: with 1.04 one of the centipede was at 1.26.
inline constexpr float kPosedMargin = 1.06F;
// Rounding of positions and distances, in parts of the largest coordinate: 2^-22.
inline constexpr float kMeasureRounding = 2.384185791015625e-07F;
// Carried samples a simplified triangle, over a group.
inline constexpr std::uint32_t kSamplesPerTriangle = 2;
// So many are carried by any group: at the last levels, where a group is a few clusters and stands for a whole part of
// the mesh, two a triangle lose small features.
inline constexpr std::uint32_t kFewSamples = 2048;

// A level may carry so many over its groups: at the last ones, where few groups stand for large parts of the mesh, that is
// all that has been measured. Levels of over 32 groups carry kFewSamples a group, so this costs a constant time. Over
// the rest pose and all others together, since each measures all samples.
inline constexpr std::uint32_t kLevelSamples = 65536;
// What each group of a level may carry: its share, at least kFewSamples.
[[nodiscard]] std::uint32_t few_samples(std::size_t groups, std::size_t poses);

// The source mesh to measure against, one for a whole build, read by any number of threads. `positions` and `indices`
// must outlive it. 16 bytes a triangle.
struct SourceSurface {
    std::span<const Float3> positions;
    std::span<const std::uint32_t> indices;
    std::vector<std::uint32_t> triangle_of_vertex;  // one that uses it, kNoTriangle if none does
    TriangleSurface surface;
};
[[nodiscard]] SourceSurface make_source_surface(std::span<const Float3> positions,
                                                std::span<const std::uint32_t> indices,
                                                std::uint32_t threads = 1);

// One step of a group; all entries are vertices of the mesh.
struct SimplifyStep {
    std::span<const std::uint32_t> replaced;  // triangles before
    std::span<const std::uint32_t>
        simplified;  // triangles after; in the order of its clusters, so that samples follow
    std::span<const std::uint32_t> carried;   // samples of the replaced clusters; none at full detail
    std::uint32_t few_samples = kFewSamples;  // so many may be carried on, however few triangles are left
};

// Largest distances found between the two surfaces, metres.
struct Deviation {
    float to_simplified = 0;  // from samples of the source
    float to_source = 0;      // from points of the simplified surface; at least to_simplified
    float rounding = 0;       // kMeasureRounding times the largest coordinate
    float margin = kMeasureMargin;
    // The error to store.
    [[nodiscard]] float error() const {
        return (to_simplified > to_source ? to_simplified : to_source) * margin + rounding;
    }
};

// A point of a triangle by its coordinates along the edges to the second and the third corner.
struct Barycentric {
    float v = 0, w = 0;
};
struct SurfacePoint {
    std::uint32_t triangle = 0;
    Barycentric at;
};

struct MeasuredStep {
    Deviation rest;
    // Samples for the next step, by nearest simplified triangle: of triangle t the entries first_sample[t] to
    // first_sample[t + 1]. At most kSamplesPerTriangle times the triangles (two extremes a triangle) or few_samples,
    // whichever is more; no vertex twice.
    std::vector<std::uint32_t> samples;
    std::vector<std::uint32_t> first_sample;

    // For measure_posed(): vertices of the simplified triangles, then those that are measured; the simplified
    // triangles as numbers of these; source triangles near the simplified surface; its points that are farthest at rest.
    std::vector<std::uint32_t> vertices;
    std::uint32_t kept_vertices = 0;
    std::uint32_t own_vertices = 0;  // these, the replaced and the carried; then corners of source triangles
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint32_t> replaced;  // triangles before, in the same numbers; none at full detail
    std::vector<std::uint32_t> source_triangles;  // those measured between their corners, in the same numbers
    std::vector<std::uint32_t> near_source;
    std::vector<SurfacePoint> far_points;
};

// Measures a step in the rest pose and chooses the samples for the next one. Time grows with the step only (about
// 2.1 microseconds an input triangle of the mesh over all its levels), memory too. Pure and deterministic.
// Nothing simplified, nothing measured: an infinite distance where samples are there.
[[nodiscard]] MeasuredStep measure_step(const SourceSurface& source, const SimplifyStep& step);

// Positions of listed vertices in some pose.
using PositionsOf = std::function<void(std::span<const std::uint32_t> vertices, std::span<Float3> positions)>;

// The same step in another pose. Backward, the source is the triangles that were near in the rest pose: a distance
// to a part of the source, so never below the true one.
[[nodiscard]] Deviation measure_posed(const SourceSurface& source, const MeasuredStep& step,
                                      const PositionsOf& pose);

}  // namespace sinter
