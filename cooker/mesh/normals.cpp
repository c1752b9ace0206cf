#include "cooker/mesh/normals.hpp"

#include "cooker/disjoint_sets.hpp"
#include "cooker/mesh/angle.hpp"
#include "cooker/mesh/half_edges.hpp"

namespace sinter {
namespace {

// A sum shorter than this part of its weights points nowhere: float positions do not carry more digits.
constexpr double kCancelled = 1e-6;

struct WeightedSum {
    Double3 normal;
    double weight = 0;
    Double3 first;  // the first triangle normal that is not zero
};

// Unit normals of the triangles, zero for those without an area.
std::vector<Double3> face_normals(const NormalInput& input) {
    std::vector<Double3> normals(input.indices.size() / 3);
    for (std::size_t t = 0; t < normals.size(); ++t) {
        const Double3 a = to_double(input.positions[input.indices[3 * t]]);
        const Double3 b = to_double(input.positions[input.indices[3 * t + 1]]);
        const Double3 c = to_double(input.positions[input.indices[3 * t + 2]]);
        normals[t] = normalized_or_zero(cross(b - a, c - a));
    }
    return normals;
}

// Groups of corners that share a normal; returns how many.
std::size_t smooth_groups(const NormalInput& input, std::span<const Double3> faces,
                          std::vector<std::uint32_t>& group_of_corner) {
    std::vector<std::uint32_t> points(input.indices.size());
    for (std::size_t c = 0; c < points.size(); ++c) points[c] = input.points[input.indices[c]];
    if (input.hard_edge_angle_deg >= 180) {
        group_of_corner = std::move(points);
        return input.point_count;
    }
    const double limit = (input.hard_edge_angle_deg + kHardEdgeSlackDeg) * (kPi / 180);
    const std::vector<std::uint32_t> mates = mate_half_edges(points, input.point_count);
    DisjointSets sets(points.size());
    for (std::uint32_t h = 0; h < mates.size(); ++h) {
        const std::uint32_t mate = mates[h];
        if (mate == kNoHalfEdge || mate < h || angle_between(faces[h / 3], faces[mate / 3]) > limit) continue;
        sets.unite(h, next_corner(mate));
        sets.unite(next_corner(h), mate);
    }
    return sets.number_sets(group_of_corner);
}

std::vector<WeightedSum> sum_groups(const NormalInput& input, std::span<const Double3> faces,
                                    std::span<const std::uint32_t> group_of_corner, std::size_t group_count) {
    std::vector<WeightedSum> sums(group_count);
    for (std::uint32_t c = 0; c < group_of_corner.size(); ++c) {
        const Double3 face = faces[c / 3];
        if (face == Double3{}) continue;
        const Double3 here = to_double(input.positions[input.indices[c]]);
        const Double3 next = to_double(input.positions[input.indices[next_corner(c)]]) - here;
        const Double3 previous = to_double(input.positions[input.indices[previous_corner(c)]]) - here;
        const double angle = angle_between(next, previous);
        WeightedSum& sum = sums[group_of_corner[c]];
        sum.normal = sum.normal + face * angle;
        sum.weight += angle;
        if (sum.first == Double3{}) sum.first = face;
    }
    return sums;
}

}  // namespace

std::vector<Float3> make_corner_normals(const NormalInput& input) {
    const std::vector<Double3> faces = face_normals(input);
    std::vector<std::uint32_t> group_of_corner;
    const std::size_t group_count = smooth_groups(input, faces, group_of_corner);
    const std::vector<WeightedSum> sums = sum_groups(input, faces, group_of_corner, group_count);

    std::vector<Float3> normals(group_of_corner.size());
    for (std::size_t c = 0; c < normals.size(); ++c) {
        const WeightedSum& sum = sums[group_of_corner[c]];
        Double3 normal{0, 1, 0};
        if (length(sum.normal) > kCancelled * sum.weight) {
            normal = normalized_or_zero(sum.normal);
        } else if (faces[c / 3] != Double3{}) {
            normal = faces[c / 3];
        } else if (sum.first != Double3{}) {
            normal = sum.first;
        }
        normals[c] = to_float(normal);
    }
    return normals;
}

}  // namespace sinter
