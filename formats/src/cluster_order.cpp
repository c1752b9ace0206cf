#include <sinter/formats/page_codec.hpp>

#include "page_streams.hpp"

#include <algorithm>
#include <cassert>

namespace sinter {
namespace {

using Triangle = std::array<std::uint8_t, 3>;

// Which triangle has a directed edge, and where the edge begins in it.
struct EdgeUse {
    std::int16_t triangle = -1;
    std::uint8_t corner = 0;
};

// Directed edges by their first vertex: of the few that begin there, the first not yet written one counts, so that meshes
// with three triangles at an edge come out too.
struct EdgeTable {
    std::array<std::vector<std::pair<std::uint8_t, EdgeUse>>, 256> from;

    explicit EdgeTable(std::span<const Triangle> triangles) {
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            for (std::uint8_t k = 0; k < 3; ++k) {
                from[triangles[i][k]].push_back(
                    {triangles[i][(k + 1U) % 3], {static_cast<std::int16_t>(i), k}});
            }
        }
    }
    [[nodiscard]] EdgeUse find(std::uint8_t a, std::uint8_t b, const std::vector<bool>& written) const {
        for (const auto& [to, use] : from[a]) {
            if (to == b && !written[static_cast<std::size_t>(use.triangle)]) return use;
        }
        return {};
    }
};

Triangle rotated(const Triangle& t, std::uint8_t corner) {
    return {t[corner], t[(corner + 1U) % 3], t[(corner + 2U) % 3]};
}

// The first triangle behind an edge of the chain, beginning with that edge; edges that have none are passed over. Nothing,
// if the chain has none or is too long to name it.
EdgeUse seek_triangle(Chain& chain, const EdgeTable& edges, const std::vector<bool>& written) {
    for (std::uint32_t skips = 0; skips < kNoEdge; ++skips) {
        const EdgeUse use = edges.find(chain.v0, chain.v1, written);
        if (use.triangle >= 0 || (chain.at_end() && chain.depth == 0)) return use;
        chain.skip();
    }
    return {};
}

// Grows the cluster as the codec does.
std::vector<Triangle> walk(std::span<const Triangle> triangles) {
    const EdgeTable edges(triangles);
    std::vector<bool> written(triangles.size());
    std::array<bool, 256> used{};
    std::vector<Triangle> out;
    Chain chain;
    std::size_t next_lone = 0;
    while (out.size() < triangles.size()) {
        EdgeUse use;
        if (!out.empty()) use = seek_triangle(chain, edges, written);
        const bool lone = use.triangle < 0;
        if (lone) {
            while (written[next_lone]) ++next_lone;
            use = {static_cast<std::int16_t>(next_lone), 0};
        }
        const auto index = static_cast<std::size_t>(use.triangle);
        const Triangle t = rotated(triangles[index], use.corner);
        if (lone) {
            chain.begin(t);
        } else {
            add_triangle(chain, third_vertex(chain, t[2], used[t[2]]), t[2]);
        }
        for (const std::uint8_t v : t) used[v] = true;
        written[index] = true;
        out.push_back(t);
    }
    return out;
}

}  // namespace

void order_cluster(std::span<std::uint8_t> triangles, std::span<std::uint8_t> order) {
    assert(triangles.size() % 3 == 0 && order.size() <= 256);
    std::vector<Triangle> in;
    for (std::size_t i = 0; i + 2 < triangles.size(); i += 3)
        in.push_back({triangles[i], triangles[i + 1], triangles[i + 2]});
    const std::vector<Triangle> out = walk(in);
    std::array<std::int16_t, 256> new_of_old{};
    new_of_old.fill(-1);
    std::uint32_t next = 0;
    const auto rename = [&](std::uint8_t old) {
        if (new_of_old[old] < 0) {
            new_of_old[old] = static_cast<std::int16_t>(next);
            order[next++] = old;
        }
        return static_cast<std::uint8_t>(new_of_old[old]);
    };
    for (std::size_t i = 0; i < out.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) triangles[3 * i + k] = rename(out[i][k]);
    }
    for (std::size_t old = 0; old < order.size(); ++old) rename(static_cast<std::uint8_t>(old));
}

}  // namespace sinter
