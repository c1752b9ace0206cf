#include "surface.hpp"

#include <algorithm>
#include <numeric>

namespace sinter::deep {
namespace {

constexpr std::uint32_t kLeafTriangles = 4;

double squared_to_segment(Vec p, Vec a, Vec b) {
    const Vec ab = b - a, ap = p - a;
    const double size = dot(ab, ab);
    const double t = size > 0 ? std::clamp(dot(ap, ab) / size, 0.0, 1.0) : 0;
    const Vec d = ap - ab * t;
    return dot(d, d);
}

double squared_to_box(Vec p, const Float3& low, const Float3& high) {
    const Vec l = vec(low), h = vec(high);
    const Vec d{std::max({l.x - p.x, 0.0, p.x - h.x}), std::max({l.y - p.y, 0.0, p.y - h.y}),
                std::max({l.z - p.z, 0.0, p.z - h.z})};
    return dot(d, d);
}

}  // namespace

double squared_to_triangle(Vec p, Vec a, Vec b, Vec c) {
    const Vec ab = b - a, bc = c - b, ca = a - c, n = cross(ab, c - a);
    const double area = dot(n, n);
    // The foot of the perpendicular is inside where the point is on the inner side of all three edges.
    if (area > 0 && dot(cross(ab, p - a), n) >= 0 && dot(cross(bc, p - b), n) >= 0 &&
        dot(cross(ca, p - c), n) >= 0) {
        const double height = dot(p - a, n);
        return height * height / area;
    }
    return std::min({squared_to_segment(p, a, b), squared_to_segment(p, b, c), squared_to_segment(p, c, a)});
}

Surface::Surface(std::span<const Float3> positions, std::span<const std::uint32_t> indices)
    : positions_(positions), indices_(indices), order_(indices.size() / 3) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::vector<Float3> centers(order_.size());
    for (std::size_t t = 0; t < centers.size(); ++t) {
        const Vec sum = vec(positions[indices[3 * t]]) + vec(positions[indices[3 * t + 1]]) +
                        vec(positions[indices[3 * t + 2]]);
        centers[t] = to_float(sum);  // three times the centre: only compared
    }
    nodes_.reserve(order_.size());
    if (!order_.empty()) split(0, static_cast<std::uint32_t>(order_.size()), centers);
}

void Surface::split(std::uint32_t first, std::uint32_t count, std::span<const Float3> centers) {
    constexpr float kFar = std::numeric_limits<float>::infinity();
    const std::size_t own = nodes_.size();
    Node node{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}, first, count};
    Float3 least = node.low, most = node.high;
    for (std::uint32_t i = first; i < first + count; ++i) {
        const std::uint32_t t = order_[i];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (const std::uint32_t v : indices_.subspan(std::size_t{3} * t, 3)) {
                const float x = positions_[v][axis];
                node.low[axis] = std::min(node.low[axis], x);
                node.high[axis] = std::max(node.high[axis], x);
            }
            least[axis] = std::min(least[axis], centers[t][axis]);
            most[axis] = std::max(most[axis], centers[t][axis]);
        }
    }
    nodes_.push_back(node);
    if (count <= kLeafTriangles) return;
    std::size_t axis = 0;
    for (std::size_t a = 1; a < 3; ++a) {
        if (most[a] - least[a] > most[axis] - least[axis]) axis = a;
    }
    const auto begin = order_.begin() + first;
    const std::uint32_t half = count / 2;
    std::nth_element(begin, begin + half, begin + count,
                     [&](std::uint32_t a, std::uint32_t b) { return centers[a][axis] < centers[b][axis]; });
    split(first, half, centers);
    nodes_[own].first = static_cast<std::uint32_t>(nodes_.size());
    nodes_[own].count = 0;
    split(first + half, count - half, centers);
}

double Surface::squared_to(Vec p, std::uint32_t triangle) const {
    const auto v = indices_.subspan(std::size_t{3} * triangle, 3);
    return squared_to_triangle(p, vec(positions_[v[0]]), vec(positions_[v[1]]), vec(positions_[v[2]]));
}

NearestTriangle Surface::nearest(Vec point, std::uint32_t start) const {
    NearestTriangle best{squared_to(point, start), start};
    struct Entry {
        std::uint32_t node = 0;
        double squared = 0;
    };
    std::array<Entry, 64> stack;  // halves: no deeper than 32
    std::size_t depth = 0;
    stack[depth++] = {0, squared_to_box(point, nodes_[0].low, nodes_[0].high)};
    while (depth > 0) {
        const Entry entry = stack[--depth];
        if (entry.squared >= best.squared) continue;
        const Node& node = nodes_[entry.node];
        if (node.count == 0) {
            Entry left{entry.node + 1, 0}, right{node.first, 0};
            left.squared = squared_to_box(point, nodes_[left.node].low, nodes_[left.node].high);
            right.squared = squared_to_box(point, nodes_[right.node].low, nodes_[right.node].high);
            const bool left_first = left.squared <= right.squared;
            stack[depth++] = left_first ? right : left;
            stack[depth++] = left_first ? left : right;
            continue;
        }
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const double squared = squared_to(point, order_[i]);
            if (squared < best.squared) best = {squared, order_[i]};
        }
    }
    return best;
}

}  // namespace sinter::deep
