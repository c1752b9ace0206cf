// Which vertex of a mesh in pages is which, where cooking put them in another order.
#include "diff_arrays.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sinter {
namespace {

using Place = std::array<float, 3>;

// What a vertex is, position first. Vertices that are equal in all of it are as good as each other, but for UVs and more:
// those come last and only order what is equal otherwise.
struct VertexKeys {
    std::vector<Place> positions;
    const MeshArrays& arrays;
    std::vector<std::vector<UvRecord>> uvs;

    [[nodiscard]] bool less(std::uint32_t l, std::uint32_t r) const {
        if (positions[l] != positions[r]) return positions[l] < positions[r];
        if (!arrays.normals.empty() && arrays.normals[l] != arrays.normals[r]) {
            const auto of = [&](std::uint32_t v) {
                return std::tuple(arrays.normals[v].u, arrays.normals[v].v);
            };
            return of(l) < of(r);
        }
        for (const auto& set : uvs) {
            const auto of = [&](std::uint32_t v) { return std::tuple(set[v].u, set[v].v); };
            if (of(l) != of(r)) return of(l) < of(r);
        }
        if (!arrays.tangents.empty()) {
            const auto of = [&](std::uint32_t v) {
                const TangentRecord& t = arrays.tangents[v];
                return std::tuple(t.w, t.x, t.y, t.z);
            };
            if (of(l) != of(r)) return of(l) < of(r);
        }
        return l < r;
    }
    [[nodiscard]] std::vector<std::uint32_t> sorted() const {
        std::vector<std::uint32_t> out(positions.size());
        std::iota(out.begin(), out.end(), 0U);
        std::ranges::sort(out, [this](std::uint32_t l, std::uint32_t r) { return less(l, r); });
        return out;
    }
};

VertexKeys keys_of(const DiffSide& side, std::uint32_t mesh, const MeshArrays& arrays) {
    const manifest::MeshT& info = *side.manifest.meshes[mesh];
    VertexKeys out{.positions = positions_of(info, arrays), .arrays = arrays, .uvs = {}};
    for (std::uint32_t set = 0; set < info.uvs.size(); ++set) {
        auto uvs = read_uvs(side.view, side.manifest, mesh, set);
        if (uvs && uvs->size() == out.positions.size()) out.uvs.push_back(std::move(*uvs));
    }
    return out;
}

}  // namespace

VertexMatch match_vertices(const MeshPair& pair, const MeshArrays& a, const MeshArrays& b) {
    const VertexKeys keys_a = keys_of(pair.side_a, pair.index_a, a);
    const VertexKeys keys_b = keys_of(pair.side_b, pair.index_b, b);
    const auto& at_a = keys_a.positions;
    const auto& at_b = keys_b.positions;
    VertexMatch out;
    out.count_a = at_a.size();
    out.count_b = at_b.size();
    std::uint64_t in_place = 0;
    for (std::size_t v = 0; v < std::min(at_a.size(), at_b.size()); ++v)
        in_place += at_a[v] == at_b[v] ? 1U : 0U;
    if (in_place == at_a.size() && in_place == at_b.size()) return out;
    const auto sorted_a = keys_a.sorted();
    const auto sorted_b = keys_b.sorted();
    out.b_of_a.assign(at_a.size(), kNoVertex);
    std::uint64_t common = 0;
    for (std::size_t i = 0, j = 0; i < sorted_a.size() && j < sorted_b.size();) {
        const Place& p = at_a[sorted_a[i]];
        const Place& q = at_b[sorted_b[j]];
        if (p == q) {
            out.moved += sorted_a[i] == sorted_b[j] ? 0U : 1U;
            out.b_of_a[sorted_a[i++]] = sorted_b[j++];
            ++common;
        } else if (p < q) {
            ++i;
        } else {
            ++j;
        }
    }
    out.only_a = at_a.size() - common;
    out.only_b = at_b.size() - common;
    out.reordered = common > in_place;
    return out;
}

}  // namespace sinter
