// Distances from points to a surface of triangles, in double: the search of the deep checks, which shares nothing with the
// builder's.
#pragma once

#include "vector.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sinter::deep {

struct NearestTriangle {
    double squared = std::numeric_limits<double>::infinity();
    std::uint32_t triangle = 0;  // indices[3 * triangle]
};

// The squared distance from a point to a triangle, which may be a line or a point.
[[nodiscard]] double squared_to_triangle(Vec p, Vec a, Vec b, Vec c);

// A binary tree of boxes, halved at the median of the box centres along its longest side. Refers to positions and indices.
class Surface {
public:
    // Three indices a triangle, at least one triangle.
    Surface(std::span<const Float3> positions, std::span<const std::uint32_t> indices);
    // `start` is looked at first: a triangle that may be near.
    [[nodiscard]] NearestTriangle nearest(Vec point, std::uint32_t start = 0) const;

private:
    struct Node {
        Float3 low{}, high{};
        std::uint32_t first =
            0;  // a leaf: its triangles in order_; else the right child, the left one follows
        std::uint32_t count = 0;  // of a leaf's triangles; 0: an inner node
    };
    void split(std::uint32_t first, std::uint32_t count, std::span<const Float3> centers);
    [[nodiscard]] double squared_to(Vec p, std::uint32_t triangle) const;
    std::span<const Float3> positions_;
    std::span<const std::uint32_t> indices_;
    std::vector<std::uint32_t> order_;
    std::vector<Node> nodes_;
};

}  // namespace sinter::deep
