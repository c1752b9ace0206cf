#include "cooker/cluster/deviation.hpp"

#include "cooker/parallel.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace sinter {
namespace {

// Four floats in one register: a compiler extension that both g++ and clang have, on every machine the same results
// as one float after the other.
using Lanes = float __attribute__((vector_size(16)));

struct Lanes3 {
    Lanes x, y, z;
};

Lanes3 operator-(const Lanes3& a, const Lanes3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Lanes3 operator*(const Lanes3& a, Lanes s) { return {a.x * s, a.y * s, a.z * s}; }
Lanes dot(const Lanes3& a, const Lanes3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Lanes3 cross(const Lanes3& a, const Lanes3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Lanes splat(float value) { return Lanes{value, value, value, value}; }
Lanes3 splat(Float3 p) { return {splat(p.x), splat(p.y), splat(p.z)}; }
// The second one where they cannot be compared (NaN).
#ifdef __SSE__
// What the other branch means in one instruction; g++ 12 takes four for it.
Lanes least(Lanes a, Lanes b) { return _mm_min_ps(a, b); }
Lanes most(Lanes a, Lanes b) { return _mm_max_ps(a, b); }
#else
Lanes least(Lanes a, Lanes b) { return a < b ? a : b; }
Lanes most(Lanes a, Lanes b) { return a > b ? a : b; }
#endif

Lanes load(const float* four) {
    Lanes lanes;
    std::memcpy(&lanes, four, sizeof(lanes));
    return lanes;
}

// Squared distance from d to the segment from 0 along e; along = dot(d, e).
Lanes to_segment(const Lanes3& d, const Lanes3& e, Lanes along) {
    // 0 / 0 of a segment without a length compares false and becomes 0.
    const Lanes t = least(most(along / dot(e, e), splat(0)), splat(1));
    const Lanes3 rest = d - e * t;
    return dot(rest, rest);
}

// Squared distances from d = point - a to four triangles with corners 0, ab, ac.
[[gnu::always_inline]] inline Lanes to_triangles(const Lanes3& d, const Lanes3& ab, const Lanes3& ac) {
    const Lanes3 bc = ac - ab;
    const Lanes3 from_b = d - ab;
    const Lanes edges = least(to_segment(d, ab, dot(d, ab)),
                              least(to_segment(d, ac, dot(d, ac)), to_segment(from_b, bc, dot(from_b, bc))));
    // Barycentric coordinates of x are its dot products with these two: v along ab, w along ac.
    const Lanes3 normal = cross(ab, ac);
    const Lanes inverse = splat(1) / dot(normal, normal);
    const Lanes3 to_v = cross(ac, normal) * inverse, to_w = cross(normal, ab) * inverse;
    const Lanes v = dot(d, to_v), w = dot(d, to_w);
    const Lanes3 rough = d - ab * v - ac * w;
    // In thin triangles these are inexact; once more from the foot, and the rest is rounding.
    const Lanes dv = dot(rough, to_v), dw = dot(rough, to_w);
    const Lanes3 rest = rough - ab * dv - ac * dw;
    const Lanes inside = dot(rest, rest);
    const Lanes exact_v = v + dv, exact_w = w + dw;
    const auto over = (exact_v > splat(0)) & (exact_w > splat(0)) & (exact_v + exact_w < splat(1));
    return over ? least(inside, edges) : edges;  // NaN without an area: not over
}

// Corner k of four triangles.
[[gnu::always_inline]] inline Lanes3 corners(const Float3* positions, const std::uint32_t* indices,
                                             const std::uint32_t* triangles, std::size_t k) {
    const Float3& a = positions[indices[3 * std::size_t{triangles[0]} + k]];
    const Float3& b = positions[indices[3 * std::size_t{triangles[1]} + k]];
    const Float3& c = positions[indices[3 * std::size_t{triangles[2]} + k]];
    const Float3& d = positions[indices[3 * std::size_t{triangles[3]} + k]];
    return {Lanes{a.x, b.x, c.x, d.x}, Lanes{a.y, b.y, c.y, d.y}, Lanes{a.z, b.z, c.z, d.z}};
}

// Squared distances to four triangles. Inlined it costs the search its registers.
[[gnu::noinline]] Lanes to_four(const Lanes3& p, const Float3* positions, const std::uint32_t* indices,
                                const std::uint32_t* triangles) {
    const Lanes3 a = corners(positions, indices, triangles, 0);
    return to_triangles(p - a, corners(positions, indices, triangles, 1) - a,
                        corners(positions, indices, triangles, 2) - a);
}

struct Box {
    Float3 low, high;
};

Box box_of(Float3 a, Float3 b, Float3 c) {
    return {{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
            {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})}};
}

Box join(const Box& a, const Box& b) {
    return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
            {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

// More are not held for a second build, and are worth several threads.
constexpr std::size_t kKeptCentres = 65536;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Box kEmptyBox{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};

// A subtree to be made. `half` is a power of two times four: every subtree but the last is full.
struct Part {
    std::span<TriangleCentre> entries;
    std::size_t half = 0;
};

// Puts the `half` entries that come first along the longest axis of their centres in front of the others. A leaf of at
// most four stays whole, and the second part is empty.
std::array<Part, 2> split_once(Part part) {
    const auto entries = part.entries;
    while (part.half >= 4 && entries.size() <= part.half) part.half /= 2;
    if (part.half < 4) {
        std::ranges::sort(entries, {}, &TriangleCentre::triangle);  // however nth_element left them
        return {Part{entries, 0}, Part{}};
    }
    Box box = kEmptyBox;
    for (const TriangleCentre& entry : entries) box = join(box, {entry.centre, entry.centre});
    const Float3 size = box.high - box.low;
    const auto axis = size.x >= size.y && size.x >= size.z ? &Float3::x
                      : size.y >= size.z                   ? &Float3::y
                                                           : &Float3::z;
    const auto before = [axis](const TriangleCentre& a, const TriangleCentre& b) {
        const float x = a.centre.*axis, y = b.centre.*axis;
        return x < y || (x == y && a.triangle < b.triangle);
    };
    std::ranges::nth_element(entries, entries.begin() + static_cast<std::ptrdiff_t>(part.half), before);
    return {Part{entries.first(part.half), part.half / 2}, Part{entries.subspan(part.half), part.half / 2}};
}

void split(const Part& part) {
    const std::array<Part, 2> halves = split_once(part);
    if (halves[1].entries.empty()) return;
    split(halves[0]);
    split(halves[1]);
}

// The same with several threads on parts of their own.
void split_on_threads(const Part& whole, std::uint32_t threads) {
    std::vector<Part> parts{whole};
    while (threads > 1 && parts.size() < std::size_t{4} * threads) {
        std::vector<Part> halves(parts.size() * 2);
        parallel_for(parts.size(), threads, [&](std::size_t i) {
            const std::array<Part, 2> two = split_once(parts[i]);
            halves[2 * i] = two[0];
            halves[2 * i + 1] = two[1];
        });
        parts = std::move(halves);
    }
    parallel_for(parts.size(), threads, [&](std::size_t i) { split(parts[i]); });
}

// A subtree in 32 bits: its height (0: a leaf) above this, its index among those of its height below.
constexpr std::uint32_t kHeightShift = 28;
constexpr std::uint32_t kIndexMask = (1U << kHeightShift) - 1;

}  // namespace

void TriangleSurface::build(std::span<const Float3> positions, std::span<const std::uint32_t> indices,
                            std::uint32_t threads) {
    positions_ = positions;
    indices_ = indices;
    const std::size_t count = indices.size() / 3;
    centres_.resize(count);
    for (std::size_t t = 0; t < count; ++t) {
        // Three times the centre serves as well.
        centres_[t] = {positions[indices[3 * t]] + positions[indices[3 * t + 1]] +
                           positions[indices[3 * t + 2]],
                       static_cast<std::uint32_t>(t)};
    }
    std::size_t half = 4;
    while (2 * half < count) half *= 2;
    if (threads > 1 && count > kKeptCentres) {
        split_on_threads({centres_, half}, threads);
    } else {
        split({centres_, half});
    }
    order_.resize(count);
    std::ranges::transform(centres_, order_.begin(), &TriangleCentre::triangle);
    while (order_.size() % 4 != 0) order_.push_back(order_.back());
    if (count > kKeptCentres) centres_ = {};
    make_boxes();
}

void TriangleSurface::refit(std::span<const Float3> positions) {
    positions_ = positions;
    make_boxes();
}

void TriangleSurface::make_boxes() {
    first_node_.clear();
    std::uint32_t total = 0;
    for (std::uint32_t children = leaf_count(); children > 1;) {
        children = (children + 3) / 4;
        first_node_.push_back(total);
        total += children;
    }
    nodes_.resize(total);
    const auto leaf_box = [&](std::uint32_t leaf) {
        Box box = kEmptyBox;
        for (std::size_t i = 4 * std::size_t{leaf}; i < 4 * std::size_t{leaf} + 4; ++i) {
            const std::uint32_t* corner = &indices_[3 * std::size_t{order_[i]}];
            box = join(box, box_of(positions_[corner[0]], positions_[corner[1]], positions_[corner[2]]));
        }
        return box;
    };
    const auto node_box = [&](const Node& node) {
        Box box = kEmptyBox;
        for (std::size_t k = 0; k < 4; ++k) {
            box = join(box, {{node.low[0][k], node.low[1][k], node.low[2][k]},
                             {node.high[0][k], node.high[1][k], node.high[2][k]}});
        }
        return box;
    };
    std::uint32_t children = leaf_count();
    for (std::size_t height = 0; height < first_node_.size(); ++height) {
        const std::uint32_t count = (children + 3) / 4;
        for (std::uint32_t i = 0; i < count; ++i) {
            Node& node = nodes_[first_node_[height] + i];
            for (std::uint32_t k = 0; k < 4; ++k) {
                const std::uint32_t child = 4 * i + k;
                const Box box = child >= children ? kEmptyBox
                                : height == 0     ? leaf_box(child)
                                                  : node_box(nodes_[first_node_[height - 1] + child]);
                node.low[0][k] = box.low.x, node.low[1][k] = box.low.y, node.low[2][k] = box.low.z;
                node.high[0][k] = box.high.x, node.high[1][k] = box.high.y, node.high[2][k] = box.high.z;
            }
        }
        children = count;
    }
}

Nearest TriangleSurface::nearest(Float3 point, const NearestQuery& query) const {
    Nearest best;
    best.distance_squared = query.below_squared;
    const Lanes3 p = splat(point);
    const auto look_at_leaf = [&](std::uint32_t leaf) {
        const std::uint32_t* triangles = &order_[4 * std::size_t{leaf}];
        const Lanes four = to_four(p, positions_.data(), indices_.data(), triangles);
        for (std::size_t k = 0; k < 4; ++k) {
            if (four[k] < best.distance_squared) best = {four[k], triangles[k], leaf};
        }
    };
    if (order_.empty()) return {};
    const std::uint32_t start = std::min(query.start, leaf_count() - 1);
    look_at_leaf(start);

    // Subtrees to look at, by falling distance: three siblings a level wait at most, and there are at most 15 levels.
    // Two arrays: a struct would be written in halves and read whole, for which processors wait.
    std::array<float, 64> distances;  // NOLINT(*-member-init): written before they are read, and this is hot
    std::array<std::uint32_t, 64> subtrees;  // NOLINT(*-member-init)
    std::uint32_t pending = 0;
    if (!first_node_.empty()) {
        distances[0] = 0;
        subtrees[0] = static_cast<std::uint32_t>(first_node_.size()) << kHeightShift;
        pending = 1;
    }
    while (pending > 0 && best.distance_squared > query.enough_squared) {
        --pending;
        if (distances[pending] >= best.distance_squared) continue;
        const std::uint32_t subtree = subtrees[pending];
        const std::uint32_t height = subtree >> kHeightShift, index = subtree & kIndexMask;
        if (height == 0) {
            if (index != start) look_at_leaf(index);
            continue;
        }
        const Node& node = nodes_[first_node_[height - 1] + index];
        const auto gap = [](Lanes x, const float* low, const float* high) {
            return most(most(load(low) - x, x - load(high)), splat(0));
        };
        const Lanes x = gap(p.x, node.low[0], node.high[0]);
        const Lanes y = gap(p.y, node.low[1], node.high[1]);
        const Lanes z = gap(p.z, node.low[2], node.high[2]);
        const Lanes squares = x * x + y * y + z * z;
        const std::uint32_t bottom = pending;
        for (std::uint32_t k = 0; k < 4; ++k) {
            const float distance = squares[k];
            if (!(distance < best.distance_squared)) continue;
            std::uint32_t at = pending++;
            for (; at > bottom && distances[at - 1] < distance; --at) {
                distances[at] = distances[at - 1];
                subtrees[at] = subtrees[at - 1];
            }
            distances[at] = distance;
            subtrees[at] = (height - 1) << kHeightShift | (4 * index + k);
        }
    }
    if (best.triangle == kNoTriangle) best.distance_squared = kInfinity;
    return best;
}

float distance_squared(Float3 point, Float3 a, Float3 b, Float3 c) {
    return to_triangles(splat(point - a), splat(b - a), splat(c - a))[0];
}

}  // namespace sinter
