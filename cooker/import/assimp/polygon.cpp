#include "cooker/import/assimp/polygon.hpp"

namespace sinter {
namespace {

struct Flat {
    double x = 0, y = 0;
};

double turn(Flat a, Flat b, Flat c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// Drops the axis along which the area vector is longest, keeping the sense of rotation.
std::vector<Flat> flatten(std::span<const Double3> polygon) {
    Double3 area;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        area = area + cross(polygon[i] - polygon[0], polygon[(i + 1) % polygon.size()] - polygon[0]);
    }
    const double x = std::abs(area.x);
    const double y = std::abs(area.y);
    const double z = std::abs(area.z);
    std::vector<Flat> out;
    out.reserve(polygon.size());
    for (const Double3& p : polygon) {
        Flat flat{p.x, p.y};
        double sign = area.z;
        if (x >= y && x >= z) {
            flat = {p.y, p.z};
            sign = area.x;
        } else if (y >= z) {
            flat = {p.z, p.x};
            sign = area.y;
        }
        if (sign < 0) flat.x = -flat.x;
        out.push_back(flat);
    }
    return out;
}

bool is_ear(const std::vector<Flat>& points, const std::vector<std::uint32_t>& ring, std::size_t at) {
    const std::size_t n = ring.size();
    const Flat a = points[ring[(at + n - 1) % n]];
    const Flat b = points[ring[at]];
    const Flat c = points[ring[(at + 1) % n]];
    if (!(turn(a, b, c) > 0)) return false;
    for (std::size_t i = 0; i + 3 < n; ++i) {
        const Flat p = points[ring[(at + 2 + i) % n]];
        const auto same = [&](Flat corner) { return p.x == corner.x && p.y == corner.y; };
        if (same(a) || same(b) || same(c)) continue;  // where a polygon touches itself
        if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    }
    return true;
}

// Cuts ears off until three corners or no ear are left; what remains becomes a fan.
void cut_ears(std::span<const Double3> polygon, std::vector<std::array<std::uint32_t, 3>>& out) {
    std::vector<std::uint32_t> ring(polygon.size());
    for (std::uint32_t i = 0; i < ring.size(); ++i) ring[i] = i;
    if (polygon.size() <= kMaxEarCorners) {
        const std::vector<Flat> points = flatten(polygon);
        std::size_t at = 1;
        std::size_t tried = 0;
        while (ring.size() > 3 && tried < ring.size()) {
            at %= ring.size();
            if (!is_ear(points, ring, at)) {
                ++at;
                ++tried;
                continue;
            }
            const std::size_t n = ring.size();
            out.push_back({ring[(at + n - 1) % n], ring[at], ring[(at + 1) % n]});
            ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(at));
            tried = 0;
        }
    }
    for (std::size_t i = 2; i < ring.size(); ++i) out.push_back({ring[0], ring[i - 1], ring[i]});
}

}  // namespace

void triangulate(std::span<const Double3> polygon, std::vector<std::array<std::uint32_t, 3>>& out) {
    if (polygon.size() < 3) return;
    if (polygon.size() == 3) {
        out.push_back({0, 1, 2});
        return;
    }
    if (polygon.size() != 4) return cut_ears(polygon, out);
    const std::vector<Flat> p = flatten(polygon);
    const bool first_turns = turn(p[0], p[1], p[2]) > 0 && turn(p[0], p[2], p[3]) > 0;
    const bool second_turns = turn(p[0], p[1], p[3]) > 0 && turn(p[1], p[2], p[3]) > 0;
    if (first_turns || !second_turns) {
        out.push_back({0, 1, 2});
        out.push_back({0, 2, 3});
    } else {
        out.push_back({0, 1, 3});
        out.push_back({1, 2, 3});
    }
}

}  // namespace sinter
