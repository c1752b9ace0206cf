#include "cooker/cluster/fallback.hpp"

#include "cooker/cluster/local_index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace sinter {
namespace {

// What a wedge may do. Fixed: locked, or at a point of several materials.
enum class Freedom : std::uint8_t { Inside, Border, Fixed };

struct GridMesh {
    const WedgeMesh& local;
    std::vector<Freedom> freedom;            // of each wedge
    std::vector<std::uint8_t> takes_border;  // of each wedge: points of the open border may go there
    std::vector<std::uint32_t> piece;        // of each wedge: the first wedge of its piece
    std::vector<float> piece_size;           // by piece; infinite with a locked point
    float extent = 0;
};

struct Merge {
    std::vector<std::uint32_t> indices;  // wedges
    float error = 0;
    [[nodiscard]] std::size_t count() const { return indices.size() / 3; }
};

void mark_fixed(GridMesh& grid) {
    const WedgeMesh& local = grid.local;
    LocalIndex points(local.size());
    std::vector<std::uint32_t> wedges;
    for (const std::uint32_t p : local.point) {
        const std::uint32_t number = points.add(p);
        wedges.resize(points.size(), 0);
        ++wedges[number];
    }
    grid.freedom.assign(local.size(), Freedom::Inside);
    for (std::uint32_t w = 0; w < local.size(); ++w) {
        const bool several = wedges[points.add(local.point[w])] > 1;
        if (local.locked[w] != 0 || several) grid.freedom[w] = Freedom::Fixed;
    }
}

// An edge of the group's boundary with a free end is one of the mesh's open border: other groups have no free point.
void mark_border(GridMesh& grid) {
    const WedgeMesh& local = grid.local;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> chain;
    for (std::size_t i = 0; i < local.indices.size(); i += 3) {
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint32_t a = local.indices[i + e], b = local.indices[i + (e + 1) % 3];
            const bool up = local.point[a] < local.point[b];
            chain[{local.point[up ? a : b], local.point[up ? b : a]}] += up ? 1 : -1;
        }
    }
    grid.takes_border.assign(local.size(), 0);
    std::vector<Freedom> freedom = grid.freedom;
    for (std::size_t i = 0; i < local.indices.size(); i += 3) {
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint32_t a = local.indices[i + e], b = local.indices[i + (e + 1) % 3];
            if (chain[std::minmax({local.point[a], local.point[b]})] == 0) continue;
            if (grid.freedom[a] == Freedom::Fixed && grid.freedom[b] == Freedom::Fixed) continue;
            for (const std::uint32_t w : {a, b}) {
                grid.takes_border[w] = 1;
                if (freedom[w] == Freedom::Inside) freedom[w] = Freedom::Border;
            }
        }
    }
    grid.freedom = std::move(freedom);
}

std::uint32_t find_root(std::vector<std::uint32_t>& parent, std::uint32_t w) {
    while (parent[w] != w) {
        parent[w] = parent[parent[w]];
        w = parent[w];
    }
    return w;
}

void find_pieces(GridMesh& grid) {
    const WedgeMesh& local = grid.local;
    std::vector<std::uint32_t>& parent = grid.piece;
    parent.resize(local.size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto unite = [&](std::uint32_t a, std::uint32_t b) {
        a = find_root(parent, a);
        b = find_root(parent, b);
        parent[std::max(a, b)] = std::min(a, b);
    };
    LocalIndex points(local.size());
    std::vector<std::uint32_t> first_wedge;
    for (std::uint32_t w = 0; w < local.size(); ++w) {
        const std::uint32_t number = points.add(local.point[w]);
        if (number == first_wedge.size()) first_wedge.push_back(w);
        unite(w, first_wedge[number]);
    }
    for (std::size_t i = 0; i < local.indices.size(); i += 3) {
        unite(local.indices[i], local.indices[i + 1]);
        unite(local.indices[i], local.indices[i + 2]);
    }
    for (std::uint32_t w = 0; w < local.size(); ++w) parent[w] = find_root(parent, w);
}

float diagonal(Float3 low, Float3 high) { return length(high - low); }

Float3 smaller(Float3 a, Float3 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Float3 larger(Float3 a, Float3 b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

void measure_pieces(GridMesh& grid) {
    const std::vector<Float3>& positions = grid.local.positions;
    std::vector<Float3> low(positions), high(positions);
    Float3 all_low = positions[0], all_high = positions[0];
    std::vector<std::uint8_t> locked(positions.size(), 0);
    for (std::uint32_t w = 0; w < positions.size(); ++w) {
        const std::uint32_t p = grid.piece[w];
        low[p] = smaller(low[p], positions[w]);
        high[p] = larger(high[p], positions[w]);
        all_low = smaller(all_low, positions[w]);
        all_high = larger(all_high, positions[w]);
        if (grid.local.locked[w] != 0) locked[p] = 1;
    }
    grid.extent = diagonal(all_low, all_high);
    grid.piece_size.resize(positions.size());
    for (std::size_t p = 0; p < positions.size(); ++p) {
        grid.piece_size[p] =
            locked[p] != 0 ? std::numeric_limits<float>::infinity() : diagonal(low[p], high[p]);
    }
}

// Wedges of a cell by what they may take in: the first of a kind that comes stands for it.
struct Cell {
    std::uint32_t border = kNobody;  // takes points of the open border, and all others
    std::uint32_t inside = kNobody;  // takes points of the inside only
};

using CellKey = std::array<std::int64_t, 4>;  // three coordinates and the material

CellKey cell_of(const WedgeMesh& local, std::uint32_t w, float size) {
    const Float3 p = local.positions[w];
    const auto number = [size](float x) {
        return static_cast<std::int64_t>(std::floor(static_cast<double>(x) / static_cast<double>(size)));
    };
    return {number(p.x), number(p.y), number(p.z), local.material[w]};
}

// Where each wedge goes on a grid of cells of this size. Fixed wedges stand for their cell before free ones do.
std::vector<std::uint32_t> targets(const GridMesh& grid, float size) {
    const WedgeMesh& local = grid.local;
    std::map<CellKey, Cell> cells;
    std::vector<const Cell*> cell_of_wedge(local.size());
    for (const bool fixed : {true, false}) {
        for (std::uint32_t w = 0; w < local.size(); ++w) {
            if ((grid.freedom[w] == Freedom::Fixed) != fixed) continue;
            Cell& cell = cells[cell_of(local, w, size)];
            cell_of_wedge[w] = &cell;
            if (grid.takes_border[w] != 0 && cell.border == kNobody) cell.border = w;
            if (grid.takes_border[w] == 0 && cell.inside == kNobody) cell.inside = w;
        }
    }
    std::vector<std::uint32_t> target(local.size());
    for (std::uint32_t w = 0; w < local.size(); ++w) {
        const Cell& cell = *cell_of_wedge[w];
        target[w] = w;
        if (grid.freedom[w] == Freedom::Border) target[w] = cell.border;
        if (grid.freedom[w] == Freedom::Inside)
            target[w] = cell.border != kNobody ? cell.border : cell.inside;
    }
    return target;
}

Merge merge(const GridMesh& grid, float size) {
    const WedgeMesh& local = grid.local;
    const std::vector<std::uint32_t> target = targets(grid, size);
    Merge merged;
    for (std::size_t i = 0; i < local.indices.size(); i += 3) {
        if (const float piece = grid.piece_size[grid.piece[local.indices[i]]]; piece <= size) {
            merged.error = std::max(merged.error, piece);
            continue;
        }
        std::array<std::uint32_t, 3> corner{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t w = local.indices[i + k];
            corner[k] = target[w];
            merged.error = std::max(merged.error, length(local.positions[w] - local.positions[target[w]]));
        }
        const std::uint32_t a = local.point[corner[0]], b = local.point[corner[1]],
                            c = local.point[corner[2]];
        if (a == b || b == c || c == a) continue;
        merged.indices.insert(merged.indices.end(), corner.begin(), corner.end());
    }
    return merged;
}

}  // namespace

Collapsed merge_by_grid(const PreparedMesh& mesh, const WedgeMesh& local, std::size_t goal) {
    GridMesh grid{local, {}, {}, {}, {}, 0};
    mark_fixed(grid);
    mark_border(grid);
    find_pieces(grid);
    measure_pieces(grid);
    if (!(grid.extent > 0)) return {};
    // The count falls with the size of cells, not quite steadily: halving finds a size near the finest that will do.
    float fine = 0, coarse = grid.extent;
    Merge best;
    constexpr int kSteps = 14;
    for (int step = 0; step < kSteps; ++step) {
        const float size = fine + (coarse - fine) / (step == 0 ? 4.0F : 2.0F);
        Merge tried = merge(grid, size);
        const bool few = tried.count() <= goal;
        (few ? coarse : fine) = size;
        if (tried.count() == 0) continue;
        const bool better = best.count() == 0 || (few ? best.count() > goal || tried.error < best.error
                                                      : best.count() > goal && tried.count() < best.count());
        if (better) best = std::move(tried);
    }
    Collapsed out;
    out.error = best.error;
    out.triangles = with_vertices(mesh, local, best.indices);
    return out;
}

}  // namespace sinter
