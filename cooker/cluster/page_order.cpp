#include "cooker/cluster/page_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinter {
namespace {

// Writes the band of each part; returns how many bands there are.
std::uint32_t cut_into_bands(const Ownership& ownership, std::vector<std::uint32_t>& band) {
    const std::vector<DagPart>& parts = ownership.parts;
    band.assign(parts.size(), 0);
    if (parts.empty()) return 0;
    std::vector<std::uint32_t> order(parts.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return parts[a].lod_error != parts[b].lod_error ? parts[a].lod_error > parts[b].lod_error : a < b;
    });
    std::uint32_t current = 0;
    double vertices = 0, enough = 0;
    float error = parts[order[0]].lod_error;
    for (const std::uint32_t p : order) {
        const float next = parts[p].lod_error;
        if (next < error && (std::isinf(error) || next == 0 || vertices >= enough)) {
            ++current;
            enough = std::max(vertices * kBandGrowth, vertices + kLeastBandVertices);
        }
        error = next;
        band[p] = current;
        vertices += ownership.owned[p];
    }
    return current + 1;
}

// 21 bits, two zeros before each.
std::uint64_t spread_bits(std::uint64_t v) {
    v = (v | (v << 32U)) & 0x001F00000000FFFFU;
    v = (v | (v << 16U)) & 0x001F0000FF0000FFU;
    v = (v | (v << 8U)) & 0x100F00F00F00F00FU;
    v = (v | (v << 4U)) & 0x10C30C30C30C30C3U;
    return (v | (v << 2U)) & 0x1249249249249249U;
}

// G. M. Morton, "A Computer Oriented Geodetic Data Base", 1966. Points outside the box count as on its side.
std::uint64_t morton_code(Float3 p, const Bounds& box) {
    const Float3 size = box.max - box.min;
    const auto side = static_cast<double>(std::max({size.x, size.y, size.z}));
    constexpr double kCells = 2097152;
    const auto cell = [&](float value, float low) -> std::uint64_t {
        if (!(side > 0)) return 0;
        const double offset = static_cast<double>(value) - static_cast<double>(low);
        return static_cast<std::uint64_t>(std::clamp(offset / side * kCells, 0.0, kCells - 1));
    };
    return spread_bits(cell(p.x, box.min.x)) | spread_bits(cell(p.y, box.min.y)) << 1U |
           spread_bits(cell(p.z, box.min.z)) << 2U;
}

// Appends a part after those of its ancestors that are in its band. As deep as the DAG has levels at most.
void append_after_ancestors(std::uint32_t part, const Ownership& ownership, std::vector<bool>& placed,
                            PageOrder& out) {
    placed[part] = true;
    for (const std::uint32_t parent : ownership.parents.of(part)) {
        if (!placed[parent]) append_after_ancestors(parent, ownership, placed, out);
    }
    out.parts.push_back(part);
}

}  // namespace

PageOrder order_parts(const ClusterDag& dag, const Ownership& ownership, const Bounds& bounds) {
    PageOrder out;
    out.band_count = cut_into_bands(ownership, out.band);
    struct Place {
        std::uint32_t band = 0;
        std::uint64_t code = 0;
        std::uint32_t part = 0;
        auto operator<=>(const Place&) const = default;
    };
    std::vector<Place> places;
    for (std::uint32_t p = 0; p < ownership.parts.size(); ++p) {
        const Float3 center = dag.groups[ownership.parts[p].group].lod_bounds.center;
        places.push_back({out.band[p], morton_code(center, bounds), p});
    }
    std::ranges::sort(places);
    std::vector<bool> placed(places.size());
    // Ancestors have larger errors: those in bands before are all there already.
    for (const Place& place : places) {
        if (!placed[place.part]) append_after_ancestors(place.part, ownership, placed, out);
    }
    return out;
}

}  // namespace sinter
