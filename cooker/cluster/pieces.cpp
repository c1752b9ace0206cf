#include "cooker/cluster/pieces.hpp"

#include "cooker/cluster/chunks.hpp"
#include "cooker/cluster/local_index.hpp"
#include "cooker/disjoint_sets.hpp"

#include <algorithm>
#include <limits>

namespace sinter {
namespace {

// The first wedge of each wedge's piece.
std::vector<std::uint32_t> connect(const WedgeMesh& local) {
    DisjointSets pieces(local.size());
    LocalIndex points(local.size());
    std::vector<std::uint32_t> first_wedge;
    for (std::uint32_t w = 0; w < local.size(); ++w) {
        const std::uint32_t number = points.add(local.point[w]);
        if (number == first_wedge.size()) first_wedge.push_back(w);
        pieces.unite(w, first_wedge[number]);
    }
    for (std::size_t i = 0; i < local.indices.size(); i += 3) {
        pieces.unite(local.indices[i], local.indices[i + 1]);
        pieces.unite(local.indices[i], local.indices[i + 2]);
    }
    std::vector<std::uint32_t> first(local.size());
    for (std::uint32_t w = 0; w < local.size(); ++w) first[w] = pieces.find(w);
    return first;
}

// The triangles of each piece, as one list and its starts.
struct ByPiece {
    std::vector<std::uint32_t> indices;
    std::vector<std::size_t> first;
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t piece) const {
        return std::span(indices).subspan(first[piece], first[piece + 1] - first[piece]);
    }
};

ByPiece by_piece(const WedgeMesh& local, const Pieces& pieces) {
    ByPiece sorted;
    sorted.first.push_back(0);
    for (const Piece& piece : pieces.pieces) {
        sorted.first.push_back(sorted.first.back() + std::size_t{piece.triangles} * 3);
    }
    std::vector<std::size_t> next(sorted.first);
    sorted.indices.resize(local.indices.size());
    for (std::size_t i = 0; i < local.indices.size(); i += 3) {
        std::size_t& at = next[pieces.of_wedge[local.indices[i]]];
        for (std::size_t k = 0; k < 3; ++k) sorted.indices[at++] = local.indices[i + k];
    }
    return sorted;
}

// One piece at a time as a mesh of its own.
struct Workshop {
    const WedgeMesh& local;
    std::vector<std::uint32_t> number;  // of each wedge in the piece, kNobody outside
    CollapseInput input;
    std::vector<std::uint32_t> wedges;
};

Collapsed collapse_piece(Workshop& shop, std::span<const std::uint32_t> indices, std::size_t goal) {
    const std::size_t width = shop.local.layout.count();
    shop.wedges.clear();
    shop.input = {};
    shop.input.attribute_count = width;
    for (const std::uint32_t w : indices) {
        if (shop.number[w] == kNobody) {
            shop.number[w] = static_cast<std::uint32_t>(shop.wedges.size());
            shop.wedges.push_back(w);
            shop.input.positions.push_back(shop.local.positions[w]);
            shop.input.locked.push_back(shop.local.locked[w]);
            const auto row = shop.local.attributes.begin() + static_cast<std::ptrdiff_t>(w * width);
            shop.input.attributes.insert(shop.input.attributes.end(), row,
                                         row + static_cast<std::ptrdiff_t>(width));
        }
        shop.input.indices.push_back(shop.number[w]);
    }
    Collapsed collapsed = collapse_edges(shop.input, goal);
    for (std::uint32_t& index : collapsed.indices) index = shop.wedges[index];
    for (const std::uint32_t w : shop.wedges) shop.number[w] = kNobody;
    return collapsed;
}

struct SimplePiece {
    std::vector<std::uint32_t> indices;
    bool kept = true;
    [[nodiscard]] std::size_t triangles() const { return indices.size() / 3; }
};

std::size_t triangle_sum(std::span<const SimplePiece> simple) {
    std::size_t sum = 0;
    for (const SimplePiece& piece : simple) sum += piece.kept ? piece.triangles() : 0;
    return sum;
}

// How far it is from a removed piece to one that stays: looked for among those next to it in the order of cuts.
float way_to_kept(const Pieces& pieces, std::span<const SimplePiece> simple, std::span<const ChunkItem> order,
                  std::size_t at) {
    constexpr std::size_t kWindow = 16;
    float least = std::numeric_limits<float>::infinity();
    const std::size_t first = at > kWindow ? at - kWindow : 0;
    for (std::size_t i = first; i < std::min(order.size(), at + kWindow); ++i) {
        if (simple[order[i].id].kept) least = std::min(least, length(order[i].center - order[at].center));
    }
    const float size = pieces.pieces[order[at].id].size();
    return least < std::numeric_limits<float>::infinity() ? least + size : size;
}

// Leaves out pieces until about `goal` triangles are left. Returns the error.
float thin_out(const Pieces& pieces, std::vector<SimplePiece>& simple, std::size_t goal) {
    std::vector<ChunkItem> order;
    std::size_t movable = 0, fixed = 0;
    for (std::uint32_t p = 0; p < simple.size(); ++p) {
        (pieces.pieces[p].locked ? fixed : movable) += simple[p].triangles();
        if (!pieces.pieces[p].locked) order.push_back({pieces.pieces[p].center(), p});
    }
    if (order.size() < 2) return 0;
    const double share = goal > fixed ? static_cast<double>(goal - fixed) / static_cast<double>(movable) : 0;
    const std::vector<std::uint32_t> pairs =
        sort_into_chunks(order, {.most = 2, .granularity = 1, .share = 0.5});
    const auto larger = [&](const ChunkItem& a, const ChunkItem& b) {
        const float x = pieces.pieces[a.id].size(), y = pieces.pieces[b.id].size();
        return x > y || (x == y && a.id < b.id);
    };
    double budget = 0;  // triangles
    for (std::size_t c = 0; c + 1 < pairs.size(); ++c) {
        const auto pair = std::span(order).subspan(pairs[c], pairs[c + 1] - pairs[c]);
        std::ranges::sort(pair, larger);
        for (const ChunkItem& item : pair) {
            budget += share * static_cast<double>(simple[item.id].triangles());
        }
        for (const ChunkItem& item : pair) {
            const auto triangles = static_cast<double>(simple[item.id].triangles());
            simple[item.id].kept = budget >= triangles / 2;
            if (simple[item.id].kept) budget -= triangles;
        }
    }
    if (triangle_sum(simple) == 0) simple[std::ranges::min_element(order, larger)->id].kept = true;
    float error = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (!simple[order[i].id].kept) error = std::max(error, way_to_kept(pieces, simple, order, i));
    }
    return error;
}

}  // namespace

Pieces find_pieces(const WedgeMesh& local) {
    Pieces found;
    found.of_wedge = connect(local);
    std::vector<std::uint32_t> number(local.size());
    for (std::uint32_t w = 0; w < local.size(); ++w) {
        const Float3 p = local.positions[w];
        const std::uint32_t root = found.of_wedge[w];
        if (root == w) {
            number[w] = static_cast<std::uint32_t>(found.pieces.size());
            found.pieces.push_back({0, false, p, p});
        }
        found.of_wedge[w] = number[root];
        Piece& piece = found.pieces[number[root]];
        piece.low = {std::min(piece.low.x, p.x), std::min(piece.low.y, p.y), std::min(piece.low.z, p.z)};
        piece.high = {std::max(piece.high.x, p.x), std::max(piece.high.y, p.y), std::max(piece.high.z, p.z)};
        piece.locked = piece.locked || local.locked[w] != 0;
    }
    for (std::size_t i = 0; i < local.indices.size(); i += 3)
        ++found.pieces[found.of_wedge[local.indices[i]]].triangles;
    return found;
}

bool loses_pieces(const Pieces& pieces, std::span<const std::uint32_t> result) {
    std::vector<bool> there(pieces.pieces.size(), false);
    for (std::size_t i = 0; i < result.size(); i += 3) there[pieces.of_wedge[result[i]]] = true;
    for (std::size_t p = 0; p < there.size(); ++p) {
        if (!there[p] && !pieces.pieces[p].locked) return true;
    }
    return false;
}

Collapsed simplify_pieces(const WedgeMesh& local, const Pieces& pieces, std::size_t goal) {
    const ByPiece sorted = by_piece(local, pieces);
    const std::size_t all = local.indices.size() / 3;
    const double share = static_cast<double>(goal) / static_cast<double>(all);
    Workshop shop{local, std::vector<std::uint32_t>(local.size(), kNobody), {}, {}};
    std::vector<SimplePiece> simple(pieces.pieces.size());
    Collapsed out;
    for (std::size_t p = 0; p < simple.size(); ++p) {
        const std::size_t triangles = pieces.pieces[p].triangles;
        const std::size_t least = triangles > 8 ? 4 : 2;
        const auto wanted = static_cast<std::size_t>(static_cast<double>(triangles) * share);
        const auto indices = sorted.of(p);
        simple[p].indices.assign(indices.begin(), indices.end());
        if (triangles <= std::max(least, wanted)) continue;
        Collapsed collapsed = collapse_piece(shop, indices, std::max(least, wanted));
        if (collapsed.indices.empty()) continue;
        simple[p].indices = std::move(collapsed.indices);
        out.error = std::max(out.error, collapsed.error);
    }
    if (triangle_sum(simple) > goal) out.error = std::max(out.error, thin_out(pieces, simple, goal));
    for (const SimplePiece& piece : simple) {
        if (piece.kept) out.indices.insert(out.indices.end(), piece.indices.begin(), piece.indices.end());
    }
    return out;
}

}  // namespace sinter
