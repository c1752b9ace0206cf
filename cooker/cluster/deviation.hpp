// Distances between triangle surfaces: a search structure over triangles, and the exact nearest distance from points
// to it. The error of a group is measured with it, in the rest pose and in each posed state.
//
// Point to triangle: the closest of four points of the triangle, one on each edge and, where the foot of the
// perpendicular lies inside, that foot (Ericson, "Real-Time Collision Detection", 2005, section 5.1.5, without its case
// distinction, so that four triangles go through one instruction stream). Whatever rounding does, each candidate is a
// point of the triangle, so a distance is never below the true one by more than the rounding of that point; it is above
// it by rounding too, or, in triangles more than a thousand times longer than high, by 2e-5 of their length at most. A
// triangle without an area is its longest edge, or a point.
#pragma once

#include "cooker/math.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sinter {

inline constexpr std::uint32_t kNoTriangle = 0xFFFFFFFF;

struct Nearest {
    float distance_squared = std::numeric_limits<float>::infinity();
    std::uint32_t triangle = kNoTriangle;  // index of the nearest triangle: indices[3 * triangle]
    std::uint32_t leaf = 0;  // where the search found it; a good NearestQuery::start for a point near by
};

// What may be left out of a search. The default is the exact nearest distance.
struct NearestQuery {
    // Nothing that is at least this far is found: the result is then an infinite distance and kNoTriangle.
    float below_squared = std::numeric_limits<float>::infinity();
    // A triangle at most this far ends the search: the distance is then an upper bound of the true one. Where only a
    // maximum over many points is asked for, the maximum so far.
    float enough_squared = 0;
    std::uint32_t start =
        0;  // Nearest::leaf of an earlier result, looked at first; changes time, not the distance
};

struct TriangleCentre {
    Float3 centre;
    std::uint32_t triangle = 0;
};

// Triangles in a tree of boxes, four children a node and four triangles a leaf, split at the median
// of their centres along the longest axis.
// Positions and indices are referred to, not copied, and must outlive their use: memory is 4 bytes a triangle and
// about 8 for the boxes, so that one can be held over a whole source mesh. A built one is read by any number of threads.
// Pre: finite positions, |coordinate| < 1e9. The results are a function of positions, indices and query alone.
class TriangleSurface {
public:
    // `indices`: three a triangle, into `positions`. Memory of an earlier build is used again. The number of threads
    // changes nothing in the result.
    void build(std::span<const Float3> positions, std::span<const std::uint32_t> indices,
               std::uint32_t threads = 1);

    // The same triangles at other positions (a pose): boxes are made anew, the order of the triangles stays, so
    // distances are exact but searches slow down when the shape differs much. Pre: as many positions as indices need.
    void refit(std::span<const Float3> positions);

    // The nearest triangle to a point. A surface without triangles has none.
    [[nodiscard]] Nearest nearest(Float3 point, const NearestQuery& query = {}) const;

    [[nodiscard]] std::uint32_t triangle_count() const {
        return static_cast<std::uint32_t>(indices_.size() / 3);
    }

private:
    // Boxes of four children, one a lane.
    struct alignas(16) Node {
        float low[3][4];
        float high[3][4];
    };

    void make_boxes();
    [[nodiscard]] std::uint32_t leaf_count() const { return static_cast<std::uint32_t>(order_.size() / 4); }

    std::span<const Float3> positions_;
    std::span<const std::uint32_t> indices_;
    std::vector<std::uint32_t> order_;  // triangles, four a leaf, the last one repeated to fill the last leaf
    std::vector<Node> nodes_;           // by height, those above the leaves first
    std::vector<std::uint32_t> first_node_;  // of each height; the root alone has the last one
    std::vector<TriangleCentre> centres_;    // of build() only
};

// Triangle by triangle, for tests and for few triangles: the squared distance from a point to a triangle.
[[nodiscard]] float distance_squared(Float3 point, Float3 a, Float3 b, Float3 c);

}  // namespace sinter
