#include "cooker/cluster/samples.hpp"

#include "cooker/cluster/local_index.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace sinter {
namespace {

// The largest distances are climbed from at this many places.
constexpr std::size_t kClimbs = 32;
constexpr std::size_t kClimbsOfFew = 64;  // below kFewTriangles
// Distances below this share of the largest one need no exact value: nothing climbs from there to above it.
constexpr float kOfInterest = 0.7F;
// Below so many triangles more points are taken on each.
constexpr std::size_t kFewTriangles = 512;

using TriangleCorners = std::array<Float3, 3>;

Float3 at(const TriangleCorners& c, Barycentric b) {
    return c[0] + (c[1] - c[0]) * b.v + (c[2] - c[0]) * b.w;
}

TriangleCorners corners_of(std::span<const Float3> positions, std::span<const std::uint32_t> indices,
                           std::size_t triangle) {
    return {positions[indices[3 * triangle]], positions[indices[3 * triangle + 1]],
            positions[indices[3 * triangle + 2]]};
}

// Walks over a triangle towards larger distances from a surface, in steps from a quarter to a 32nd of it. Where it ends
// comes back in `from`.
Nearest climb(const TriangleSurface& to, const TriangleCorners& corners, Barycentric& from, Nearest best) {
    constexpr std::array<Barycentric, 6> kDirections{Barycentric{1, 0},  Barycentric{-1, 0},
                                                     Barycentric{0, 1},  Barycentric{0, -1},
                                                     Barycentric{1, -1}, Barycentric{-1, 1}};
    constexpr int kMostQueries = 24;
    int queries = 0;
    for (float step = 0.25F; step >= 1.0F / 32 && queries < kMostQueries;) {
        const Nearest before = best;
        const Barycentric centre = from;
        for (const Barycentric& direction : kDirections) {
            const Barycentric next{centre.v + direction.v * step, centre.w + direction.w * step};
            if (next.v < 0 || next.w < 0 || next.v + next.w > 1) continue;
            const Nearest found = to.nearest(at(corners, next),
                                             {.enough_squared = best.distance_squared, .start = before.leaf});
            ++queries;
            if (found.distance_squared > best.distance_squared) best = found, from = next;
        }
        if (best.distance_squared == before.distance_squared) step *= 0.5F;
    }
    return best;
}

// A measured point and where it lies.
struct Found {
    Nearest nearest;
    std::uint32_t place = 0;  // a triangle, or what the caller says
    Barycentric at;           // on that triangle
};

// The farthest ones first, as many as are climbed from.
void keep_farthest(std::vector<Found>& found, std::size_t triangle_count) {
    const std::size_t count = std::min(triangle_count < kFewTriangles ? kClimbsOfFew : kClimbs, found.size());
    std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(count),
                              [](const Found& a, const Found& b) {
                                  const float x = a.nearest.distance_squared, y = b.nearest.distance_squared;
                                  if (x != y) return x > y;
                                  if (a.place != b.place) return a.place < b.place;
                                  return a.at.v != b.at.v ? a.at.v < b.at.v : a.at.w < b.at.w;
                              });
    found.resize(count);
}

// Points of a triangle that are measured besides its edges.
std::span<const Barycentric> inner_points(std::size_t triangle_count) {
    static constexpr std::array<Barycentric, 4> kPoints{Barycentric{1.0F / 3, 1.0F / 3},
                                                        Barycentric{0.5F, 0.25F}, Barycentric{0.25F, 0.5F},
                                                        Barycentric{0.25F, 0.25F}};
    return std::span(kPoints).first(triangle_count < kFewTriangles ? 4 : 1);
}

// Calls look(triangle, point) for the points of triangles that are measured: those inside each, and once the middle of
// each edge.
template <typename Look>
void for_each_point(std::span<const std::uint32_t> triangles, std::span<const Barycentric> inner,
                    const Look& look) {
    constexpr std::array<Barycentric, 3> kMiddles{Barycentric{0.5F, 0}, Barycentric{0.5F, 0.5F},
                                                  Barycentric{0, 0.5F}};
    const std::size_t count = triangles.size() / 3;
    LocalIndex edges(triangles.size());
    for (std::uint32_t t = 0; t < count; ++t) {
        for (const Barycentric& point : inner) look(t, point);
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint64_t a = triangles[3 * std::size_t{t} + k],
                                b = triangles[3 * std::size_t{t} + (k + 1) % 3];
            const std::uint32_t known = edges.size();
            if (edges.add(std::min(a, b) << 32 | std::max(a, b)) == known) look(t, kMiddles[k]);
        }
    }
}

// From samples of the source to the simplified surface.
struct Forward {
    float farthest_squared = 0;
    std::vector<Nearest> nearest;  // of each measured vertex; kNoTriangle outside of the group
};

// Corners of the places to climb from, three each: of step.source_triangles, or of the source triangle of a vertex, the
// vertex first.
std::vector<Float3> corners_to_climb(const SourceSurface& source, const MeasuredStep& step,
                                     std::span<const Found> far, const PositionsOf& pose) {
    const std::size_t vertex_count = step.vertices.size();
    std::vector<std::uint32_t> corners;
    for (const Found& found : far) {
        std::array<std::uint32_t, 3> corner{};
        if (found.place < vertex_count) {
            const std::uint32_t vertex = step.vertices[found.place];
            const std::size_t triangle = source.triangle_of_vertex[vertex];
            std::copy_n(source.indices.begin() + static_cast<std::ptrdiff_t>(3 * triangle), 3,
                        corner.begin());
            while (corner[0] != vertex) std::ranges::rotate(corner, corner.begin() + 1);
        } else {
            const std::size_t first = 3 * (found.place - vertex_count);
            for (std::size_t k = 0; k < 3; ++k) corner[k] = step.vertices[step.source_triangles[first + k]];
        }
        corners.insert(corners.end(), corner.begin(), corner.end());
    }
    std::vector<Float3> posed(corners.size());
    pose(corners, posed);
    return posed;
}

// Above full detail the source triangle of a sample may reach out of the group, into what other groups stand for: a long
// triangle next to fine detail. A point that is farther from what is replaced than any sample is from what replaces it
// lies there; if not, the error of the level before tells of it.
class OutsideTest {
public:
    OutsideTest(const MeasuredStep& step, std::span<const Float3> positions, float farthest_squared)
        : step_(step), positions_(positions), farthest_squared_(farthest_squared) {}
    bool operator()(Float3 point) {
        if (step_.replaced.empty()) return false;
        if (replaced_.triangle_count() == 0) replaced_.build(positions_, step_.replaced);
        return replaced_.nearest(point).distance_squared > farthest_squared_;
    }

private:
    const MeasuredStep& step_;
    std::span<const Float3> positions_;
    float farthest_squared_ = 0;
    TriangleSurface replaced_;
};

// positions: as MeasuredStep::vertices.
Forward measure_forward(const SourceSurface& source, const MeasuredStep& step,
                        std::span<const Float3> positions, const TriangleSurface& simplified,
                        const PositionsOf& pose) {
    Forward forward;
    forward.nearest.resize(step.vertices.size() - step.kept_vertices);
    std::vector<Found> far;
    far.reserve(forward.nearest.size());
    std::uint32_t start = 0;
    const auto look = [&](std::size_t vertex) {
        const Nearest found = simplified.nearest(positions[vertex], {.start = start});
        start = found.leaf;
        forward.farthest_squared = std::max(forward.farthest_squared, found.distance_squared);
        forward.nearest[vertex - step.kept_vertices] = found;
        far.push_back({found, static_cast<std::uint32_t>(vertex), {}});
    };
    for (std::size_t vertex = step.kept_vertices; vertex < step.own_vertices; ++vertex) look(vertex);
    OutsideTest outside(step, positions, forward.farthest_squared);
    for (std::size_t vertex = step.own_vertices; vertex < step.vertices.size(); ++vertex) {
        if (!outside(positions[vertex])) look(vertex);
    }
    const auto vertex_count = static_cast<std::uint32_t>(step.vertices.size());
    // Between vertices, where all may stay and the triangle not. Of many triangles only the edges: inside of small ones
    // little lies beyond those.
    const std::size_t triangle_count = step.triangles.size() / 3;
    const auto inner =
        triangle_count < kFewTriangles ? inner_points(triangle_count) : std::span<const Barycentric>{};
    for_each_point(step.source_triangles, inner, [&](std::uint32_t triangle, Barycentric point) {
        const float enough = forward.farthest_squared * (kOfInterest * kOfInterest);
        const Float3 place = at(corners_of(positions, step.source_triangles, triangle), point);
        const Nearest found = simplified.nearest(place, {.enough_squared = enough, .start = start});
        start = found.leaf;
        if (found.distance_squared > forward.farthest_squared && outside(place)) return;
        forward.farthest_squared = std::max(forward.farthest_squared, found.distance_squared);
        if (found.distance_squared > enough) far.push_back({found, vertex_count + triangle, point});
    });
    keep_farthest(far, triangle_count);
    const std::vector<Float3> corners = corners_to_climb(source, step, far, pose);
    for (std::size_t i = 0; i < far.size(); ++i) {
        const TriangleCorners triangle{corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]};
        const Nearest top = climb(simplified, triangle, far[i].at, far[i].nearest);
        if (top.distance_squared <= forward.farthest_squared || outside(at(triangle, far[i].at))) continue;
        forward.farthest_squared = top.distance_squared;
    }
    return forward;
}

// From points of the simplified surface to the source: the farthest distance, squared, at least `farthest`. What lies
// below kOfInterest of it is not told apart. Fills near_source and far_points.
float measure_backward(MeasuredStep& step, std::span<const Float3> positions, const TriangleSurface& source,
                       float farthest) {
    std::vector<Found> far;
    std::uint32_t start = 0;
    for_each_point(step.triangles, inner_points(step.triangles.size() / 3),
                   [&](std::uint32_t triangle, Barycentric point) {
                       const float enough = farthest * (kOfInterest * kOfInterest);
                       const Nearest found =
                           source.nearest(at(corners_of(positions, step.triangles, triangle), point),
                                          {.enough_squared = enough, .start = start});
                       start = found.leaf;
                       farthest = std::max(farthest, found.distance_squared);
                       if (found.distance_squared > enough) far.push_back({found, triangle, point});
                       step.near_source.push_back(found.triangle);
                   });
    keep_farthest(far, step.triangles.size() / 3);
    for (Found& point : far) {
        const Nearest top =
            climb(source, corners_of(positions, step.triangles, point.place), point.at, point.nearest);
        farthest = std::max(farthest, top.distance_squared);
        step.near_source.push_back(top.triangle);
        step.far_points.push_back({point.place, point.at});
    }
    std::ranges::sort(step.near_source);
    const auto repeated = std::ranges::unique(step.near_source);
    step.near_source.erase(repeated.begin(), repeated.end());
    return farthest;
}

// The same in a pose, against the source triangles that were near at rest. Nothing climbs: away from the points of
// the rest pose there may be no such triangle near by.
float measure_posed_backward(const MeasuredStep& step, std::span<const Float3> positions,
                             const TriangleSurface& near_source, float farthest) {
    std::uint32_t start = 0;
    const auto look = [&](std::uint32_t triangle, Barycentric point) {
        const Nearest found = near_source.nearest(at(corners_of(positions, step.triangles, triangle), point),
                                                  {.enough_squared = farthest, .start = start});
        start = found.leaf;
        farthest = std::max(farthest, found.distance_squared);
    };
    for_each_point(step.triangles, inner_points(step.triangles.size() / 3), look);
    for (const SurfacePoint& point : step.far_points) look(point.triangle, point.at);
    return farthest;
}

float rounding_of(std::span<const Float3> positions) {
    float largest = 0;
    for (const Float3& p : positions)
        largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    return largest * kMeasureRounding;
}

// A measured vertex that may be carried.
struct SampleCandidate {
    std::uint32_t triangle = 0;
    std::uint32_t vertex = 0;
    float distance_squared = 0;
    bool chosen = false;
};

bool farther(const SampleCandidate& a, const SampleCandidate& b) {
    return a.distance_squared != b.distance_squared ? a.distance_squared > b.distance_squared
                                                    : a.vertex < b.vertex;
}

// Chooses the farthest on either side of each triangle: those that the next step most likely makes the worst.
std::size_t choose_extremes(std::vector<SampleCandidate>& candidates, const std::vector<std::uint8_t>& behind,
                            std::size_t triangles) {
    constexpr std::uint32_t kNobodyYet = 0xFFFFFFFF;
    std::vector<std::array<std::uint32_t, 2>> extremes(triangles, {kNobodyYet, kNobodyYet});
    for (std::uint32_t i = 0; i < candidates.size(); ++i) {
        std::uint32_t& extreme = extremes[candidates[i].triangle][behind[i]];
        if (extreme == kNobodyYet || farther(candidates[i], candidates[extreme])) extreme = i;
    }
    std::size_t chosen = 0;
    for (const auto& pair : extremes) {
        for (const std::uint32_t i : pair) {
            if (i == kNobodyYet) continue;
            candidates[i].chosen = true;
            ++chosen;
        }
    }
    return chosen;
}

void choose_samples(MeasuredStep& step, std::span<const Float3> positions,
                    const std::vector<Nearest>& nearest, std::uint32_t few) {
    const std::size_t triangles = step.triangles.size() / 3;
    std::vector<SampleCandidate> candidates;
    std::vector<std::uint8_t> behind;
    for (std::size_t i = 0; i < nearest.size(); ++i) {
        if (nearest[i].triangle == kNoTriangle) continue;  // outside of the group
        const Float3 p = positions[step.kept_vertices + i];
        const TriangleCorners c = corners_of(positions, step.triangles, nearest[i].triangle);
        if (p == c[0] || p == c[1] || p == c[2]) continue;  // that corner says as much
        candidates.push_back(
            {nearest[i].triangle, step.vertices[step.kept_vertices + i], nearest[i].distance_squared});
        behind.push_back(dot(p - c[0], cross(c[1] - c[0], c[2] - c[0])) < 0 ? 1 : 0);
    }
    const std::size_t chosen = choose_extremes(candidates, behind, triangles);
    const auto rest = std::ranges::partition(candidates, &SampleCandidate::chosen);
    const std::size_t most = std::max<std::size_t>(kSamplesPerTriangle * triangles, few);
    const std::size_t free = std::min(most - chosen, rest.size());
    std::ranges::nth_element(rest, rest.begin() + static_cast<std::ptrdiff_t>(free), farther);
    candidates.resize(chosen + free);
    std::ranges::sort(candidates, [](const SampleCandidate& a, const SampleCandidate& b) {
        return a.triangle != b.triangle ? a.triangle < b.triangle : farther(a, b);
    });
    step.first_sample.assign(triangles + 1, 0);
    for (const SampleCandidate& candidate : candidates) {
        step.samples.push_back(candidate.vertex);
        ++step.first_sample[candidate.triangle + 1];
    }
    for (std::size_t t = 0; t < triangles; ++t) step.first_sample[t + 1] += step.first_sample[t];
}

// Triangles of the source between whose vertices is measured: at full detail all, later those of the carried samples
// as far as the group is small.
std::vector<std::uint32_t> known_source_triangles(const SourceSurface& source, const SimplifyStep& step) {
    if (step.carried.empty()) return {step.replaced.begin(), step.replaced.end()};
    std::vector<std::uint32_t> triangles, corners;
    if (step.simplified.size() >= 3 * kFewTriangles) return corners;
    for (const std::uint32_t v : step.carried) triangles.push_back(source.triangle_of_vertex[v]);
    std::ranges::sort(triangles);
    const auto repeated = std::ranges::unique(triangles);
    triangles.erase(repeated.begin(), repeated.end());
    for (const std::size_t t : triangles) {
        for (std::size_t k = 0; k < 3; ++k) corners.push_back(source.indices[3 * t + k]);
    }
    return corners;
}

// Numbers the vertices of a step: those that stay, then those that are measured.
void number_vertices(const SourceSurface& source, const SimplifyStep& step, MeasuredStep& measured) {
    // A carried sample brings itself and the corners of its source triangle.
    LocalIndex index(step.simplified.size() + step.replaced.size() + 4 * step.carried.size());
    measured.triangles.reserve(step.simplified.size());
    for (const std::uint32_t v : step.simplified) measured.triangles.push_back(index.add(v));
    measured.kept_vertices = index.size();
    for (const std::uint32_t v : step.replaced) {
        const std::uint32_t number = index.add(v);
        if (!step.carried.empty()) measured.replaced.push_back(number);
    }
    for (const std::uint32_t v : step.carried) index.add(v);
    measured.own_vertices = index.size();
    for (const std::uint32_t v : known_source_triangles(source, step)) {
        measured.source_triangles.push_back(index.add(v));
    }
    measured.vertices.reserve(index.size());
    for (const std::uint64_t v : index.keys()) measured.vertices.push_back(static_cast<std::uint32_t>(v));
}

}  // namespace

std::uint32_t few_samples(std::size_t groups, std::size_t poses) {
    const std::size_t share = kLevelSamples / (std::max<std::size_t>(groups, 1) * (1 + poses));
    return static_cast<std::uint32_t>(std::max<std::size_t>(kFewSamples, share));
}

SourceSurface make_source_surface(std::span<const Float3> positions, std::span<const std::uint32_t> indices,
                                  std::uint32_t threads) {
    SourceSurface source{positions, indices, std::vector<std::uint32_t>(positions.size(), kNoTriangle), {}};
    for (std::size_t i = 0; i < indices.size(); ++i) {
        source.triangle_of_vertex[indices[i]] = static_cast<std::uint32_t>(i / 3);
    }
    source.surface.build(positions, indices, threads);
    return source;
}

MeasuredStep measure_step(const SourceSurface& source, const SimplifyStep& step) {
    MeasuredStep measured;
    number_vertices(source, step, measured);
    const PositionsOf rest = [&](std::span<const std::uint32_t> vertices, std::span<Float3> out) {
        for (std::size_t i = 0; i < vertices.size(); ++i) out[i] = source.positions[vertices[i]];
    };
    std::vector<Float3> positions(measured.vertices.size());
    rest(measured.vertices, positions);
    measured.rest.rounding = rounding_of(positions);
    measured.first_sample.assign(1, 0);
    if (measured.triangles.empty()) {
        if (!positions.empty()) measured.rest.to_simplified = std::numeric_limits<float>::infinity();
        return measured;
    }
    TriangleSurface simplified;
    simplified.build(positions, measured.triangles);
    const Forward forward = measure_forward(source, measured, positions, simplified, rest);
    const float either = measure_backward(measured, positions, source.surface, forward.farthest_squared);
    measured.rest.to_simplified = std::sqrt(forward.farthest_squared);
    measured.rest.to_source = std::sqrt(either);
    choose_samples(measured, positions, forward.nearest, step.few_samples);
    return measured;
}

Deviation measure_posed(const SourceSurface& source, const MeasuredStep& step, const PositionsOf& pose) {
    Deviation deviation;
    if (step.triangles.empty()) return step.rest;
    std::vector<Float3> positions(step.vertices.size());
    pose(step.vertices, positions);
    deviation.margin = kPosedMargin;
    deviation.rounding = rounding_of(positions);
    TriangleSurface simplified;
    simplified.build(positions, step.triangles);
    const Forward forward = measure_forward(source, step, positions, simplified, pose);

    LocalIndex index(3 * step.near_source.size());
    std::vector<std::uint32_t> near;
    for (const std::uint32_t t : step.near_source) {
        for (std::size_t k = 0; k < 3; ++k) near.push_back(index.add(source.indices[3 * std::size_t{t} + k]));
    }
    const std::vector<std::uint32_t> vertices(index.keys().begin(), index.keys().end());
    std::vector<Float3> near_positions(vertices.size());
    pose(vertices, near_positions);
    TriangleSurface near_surface;
    near_surface.build(near_positions, near);
    const float either = measure_posed_backward(step, positions, near_surface, forward.farthest_squared);
    deviation.to_simplified = std::sqrt(forward.farthest_squared);
    deviation.to_source = std::sqrt(either);
    return deviation;
}

}  // namespace sinter
