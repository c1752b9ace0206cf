#include "cooker/cluster/fallback.hpp"

#include "cooker/cluster/local_index.hpp"
#include "cooker/cluster/pieces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace sinter {
namespace {

// What a wedge may do. Fixed: locked, or at a point of several materials.
enum class Freedom : std::uint8_t { Inside, Border, Fixed };

struct GridMesh {
    const WedgeMesh& local;
    std::vector<Freedom> freedom;            // of each wedge
    std::vector<std::uint8_t> takes_border;  // of each wedge: points of the open border may go there
    Pieces pieces;
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

void measure(GridMesh& grid) {
    Float3 low = grid.local.positions[0], high = low;
    for (const Float3 p : grid.local.positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    grid.extent = length(high - low);
    grid.pieces = find_pieces(grid.local);
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
        const Piece& piece = grid.pieces.pieces[grid.pieces.of_wedge[local.indices[i]]];
        if (!piece.locked && piece.size() <= size) {
            merged.error = std::max(merged.error, piece.size());
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

Collapsed merge_by_grid(const WedgeMesh& local, std::size_t goal) {
    GridMesh grid{local, {}, {}, {}, 0};
    mark_fixed(grid);
    mark_border(grid);
    measure(grid);
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
    return {std::move(best.indices), best.error};
}

}  // namespace sinter
