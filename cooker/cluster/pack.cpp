#include "cooker/cluster/pack.hpp"

#include "cooker/cluster/chunks.hpp"
#include "cooker/disjoint_sets.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sinter {
namespace {

constexpr double kSmallPiece = 0.125;  // of a cluster
constexpr double kFewClusters = 4;
constexpr double kRounding = 1e-9;  // of sums of weights

struct SmallPiece {
    Float3 center;
    std::uint32_t id = 0;
    double weight = 0;  // clusters
};

struct PieceList {
    std::vector<std::uint32_t> of_triangle;
    std::vector<std::uint32_t> triangles, vertices;  // counts
    std::vector<Float3> sum;                         // of the positions of vertices
};

PieceList list_pieces(std::span<const std::uint32_t> indices, std::span<const Float3> positions) {
    DisjointSets pieces(positions.size());
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        pieces.unite(indices[i], indices[i + 1]);
        pieces.unite(indices[i], indices[i + 2]);
    }
    PieceList list;
    std::vector<std::uint32_t> number(positions.size());
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        const std::uint32_t root = pieces.find(v);
        if (root == v) {
            number[v] = static_cast<std::uint32_t>(list.vertices.size());
            list.vertices.push_back(0);
            list.sum.emplace_back();
        }
        number[v] = number[root];
        ++list.vertices[number[v]];
        list.sum[number[v]] = list.sum[number[v]] + positions[v];
    }
    list.triangles.resize(list.vertices.size(), 0);
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        list.of_triangle.push_back(number[indices[i]]);
        ++list.triangles[list.of_triangle.back()];
    }
    return list;
}

struct Packer {
    const PieceList& list;
    const ClusterOptions& options;
    std::vector<std::vector<std::uint32_t>> clusters;  // pieces
};

bool fits(const Packer& packer, std::span<const SmallPiece> pieces) {
    std::uint64_t triangles = 0, vertices = 0;
    for (const SmallPiece& piece : pieces) {
        triangles += packer.list.triangles[piece.id];
        vertices += packer.list.vertices[piece.id];
    }
    return triangles <= packer.options.max_triangles && vertices <= packer.options.max_vertices;
}

// Pieces before the cut: those that fill about half of the clusters that all need. `pieces` are in order.
std::size_t cut_of(std::span<const SmallPiece> pieces) {
    double total = 0, largest = 0;
    for (const SmallPiece& piece : pieces) {
        total += piece.weight;
        largest = std::max(largest, piece.weight);
    }
    // What pieces fill of a cluster: equal ones leave the same gap in each, of others half of one is missing.
    const double mean = total / static_cast<double>(pieces.size());
    const double full = mean > 0.9 * largest ? mean * std::floor(1 / largest + kRounding) : 1 - largest / 2;
    const double before = full * std::max(1.0, std::floor(std::ceil(total / full - kRounding) / 2));
    std::size_t cut = 0;
    for (double sum = 0; cut < pieces.size() && sum + pieces[cut].weight / 2 <= before; ++cut) {
        sum += pieces[cut].weight;
    }
    return std::clamp<std::size_t>(cut, 1, pieces.size() - 1);
}

void pack(Packer& packer, std::span<SmallPiece> pieces) {
    if (fits(packer, pieces)) {
        std::vector<std::uint32_t>& cluster = packer.clusters.emplace_back();
        for (const SmallPiece& piece : pieces) cluster.push_back(piece.id);
        return;
    }
    const Coordinate side = longest_side(box_of_centers<SmallPiece>(pieces));
    std::ranges::sort(pieces, [side](const SmallPiece& a, const SmallPiece& b) {
        return a.center.*side < b.center.*side || (a.center.*side == b.center.*side && a.id < b.id);
    });
    const std::size_t cut = cut_of(pieces);
    pack(packer, pieces.first(cut));
    pack(packer, pieces.subspan(cut));
}

}  // namespace

Packing pack_pieces(std::span<const std::uint32_t> indices, std::span<const Float3> positions,
                    const ClusterOptions& options) {
    const PieceList list = list_pieces(indices, positions);
    std::vector<SmallPiece> small;
    double total = 0;
    for (std::uint32_t p = 0; p < list.vertices.size(); ++p) {
        const double weight = std::max(static_cast<double>(list.triangles[p]) / options.max_triangles,
                                       static_cast<double>(list.vertices[p]) / options.max_vertices);
        if (weight > kSmallPiece) continue;
        small.push_back({list.sum[p] * (1 / static_cast<float>(list.vertices[p])), p, weight});
        total += weight;
    }
    Packing packing;
    Packer packer{list, options, {}};
    if (total >= kFewClusters) pack(packer, small);
    constexpr std::uint32_t kInRest = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> cluster_of_piece(list.vertices.size(), kInRest);
    for (std::uint32_t c = 0; c < packer.clusters.size(); ++c) {
        for (const std::uint32_t p : packer.clusters[c]) cluster_of_piece[p] = c;
    }
    packing.clusters.resize(packer.clusters.size());
    for (std::uint32_t t = 0; t < list.of_triangle.size(); ++t) {
        const std::uint32_t c = cluster_of_piece[list.of_triangle[t]];
        (c == kInRest ? packing.rest : packing.clusters[c]).push_back(t);
    }
    return packing;
}

}  // namespace sinter
