// Arrays of a mesh at rest: vertices and triangles.
#include "diff_arrays.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/mesh_arrays.hpp>

#include <algorithm>
#include <cstring>

namespace sinter {
namespace {

template <typename Record, typename Decode, typename Measure>
void diff_records(const ArrayPair& pair, NumberKind kind, Decode decode, Measure measure) {
    if (pair.a.size() != pair.b.size()) return;
    ArrayStatistics s;
    for (std::size_t i = 0; i < pair.a.size() / sizeof(Record); ++i) {
        s.note(i, measure(decode(record_at<Record>(pair.a, i)), decode(record_at<Record>(pair.b, i))));
    }
    if (s.total == 0) return;
    pair.report(pair.path, kind, s, entry_text("vertex", s.worst, decode(record_at<Record>(pair.a, s.worst))),
                entry_text("vertex", s.worst, decode(record_at<Record>(pair.b, s.worst))));
}

template <std::size_t N>
void diff_floats(const ArrayPair& pair, NumberKind kind) {
    using Values = std::array<float, N>;
    diff_records<Values>(pair, kind, [](const Values& v) { return v; }, largest_difference<N>);
}

std::array<float, 3> position_at(const manifest::GridT& grid, Bytes bytes, std::size_t vertex) {
    const std::array<float, 3> center{grid.center->x(), grid.center->y(), grid.center->z()};
    if (grid.bits == 16) {
        const auto p = record_at<GridPosition16>(bytes, vertex);
        return grid_decode(center, grid.step, {p.x, p.y, p.z});
    }
    const auto p = record_at<GridPosition32>(bytes, vertex);
    return grid_decode(center, grid.step, {p.x, p.y, p.z});
}

// Influences of a vertex as (joint, weight in [0, 1]); unused slots are left out.
std::map<std::uint32_t, double> influences_at(Bytes bytes, std::size_t vertex,
                                              const manifest::InfluencesT& info) {
    std::map<std::uint32_t, double> out;
    const std::size_t weight_size = info.weight_bits / 8;
    const std::byte* record = bytes.data() + vertex * influence_record_size(info.stride, info.weight_bits);
    const double full_scale = static_cast<double>((std::uint32_t{1} << info.weight_bits) - 1);
    for (std::size_t slot = 0; slot < info.stride; ++slot) {
        std::uint16_t joint = 0;
        std::uint16_t weight = 0;
        std::memcpy(&joint, record + slot * sizeof(joint), sizeof(joint));
        std::memcpy(&weight, record + info.stride * sizeof(joint) + slot * weight_size, weight_size);
        if (weight > 0) out[joint] += weight / full_scale;
    }
    return out;
}

double influence_difference(const std::map<std::uint32_t, double>& a,
                            const std::map<std::uint32_t, double>& b) {
    double largest = 0;
    const auto weight_in = [](const auto& map, std::uint32_t joint) {
        const auto found = map.find(joint);
        return found == map.end() ? 0.0 : found->second;
    };
    for (const auto& [joint, weight] : a) largest = std::max(largest, std::abs(weight - weight_in(b, joint)));
    for (const auto& [joint, weight] : b) largest = std::max(largest, std::abs(weight - weight_in(a, joint)));
    return largest;
}

}  // namespace

bool same_grid(const manifest::MeshT& mesh_a, const manifest::MeshT& mesh_b) {
    const auto& a = mesh_a.grid;
    const auto& b = mesh_b.grid;
    if (!a || !b || !a->center || !b->center) return true;
    return a->bits == b->bits && a->step == b->step && a->center->x() == b->center->x() &&
           a->center->y() == b->center->y() && a->center->z() == b->center->z();
}

void diff_positions(const ArrayPair& pair) {
    const auto& grid_a = pair.side_a.manifest.meshes[pair.index_a]->grid;
    const auto& grid_b = pair.side_b.manifest.meshes[pair.index_b]->grid;
    const auto size_of = [](const manifest::GridT& g) {
        return g.bits == 16 ? sizeof(GridPosition16) : sizeof(GridPosition32);
    };
    if (!grid_a || !grid_b || !grid_a->center || !grid_b->center) {
        pair.list.add({.path = pair.path});
        return;
    }
    const std::size_t count_a = pair.a.size() / size_of(*grid_a);
    const std::size_t count_b = pair.b.size() / size_of(*grid_b);
    if (count_a != count_b) {
        pair.report_counts(count_a, count_b);
        return;
    }
    ArrayStatistics s;
    for (std::size_t v = 0; v < count_a; ++v)
        s.note(v, distance(position_at(*grid_a, pair.a, v), position_at(*grid_b, pair.b, v)));
    if (s.total == 0) return;
    pair.report(pair.path, NumberKind::Position, s,
                entry_text("vertex", s.worst, position_at(*grid_a, pair.a, s.worst)),
                entry_text("vertex", s.worst, position_at(*grid_b, pair.b, s.worst)));
}

void diff_normals(const ArrayPair& pair) {
    diff_records<OctNormal>(pair, NumberKind::Angle, oct_decode, direction_difference_deg);
}

void diff_tangents(const ArrayPair& pair) {
    const auto values = [](const TangentRecord& t) { return std::array<float, 4>{t.x, t.y, t.z, t.w}; };
    const auto measure = [](const std::array<float, 4>& l, const std::array<float, 4>& r) {
        return l[3] == r[3] ? direction_difference_deg({l[0], l[1], l[2]}, {r[0], r[1], r[2]}) : 180.0;
    };
    diff_records<TangentRecord>(pair, NumberKind::Angle, values, measure);
}

void diff_uvs(const ArrayPair& pair, std::uint64_t set) {
    const auto info_of = [&](const DiffSide& side, std::size_t index) {
        const auto& uvs = side.manifest.meshes[index]->uvs;
        return set < uvs.size() ? *uvs[set] : manifest::UvInfoT{};
    };
    const manifest::UvInfoT info_a = info_of(pair.side_a, pair.index_a);
    const manifest::UvInfoT info_b = info_of(pair.side_b, pair.index_b);
    const auto count_of = [](const manifest::UvInfoT& info, Bytes bytes) {
        return bytes.size() / (info.bits == 16 ? sizeof(UvCode) : sizeof(UvRecord));
    };
    const auto uv_at = [](const manifest::UvInfoT& info, Bytes bytes, std::size_t vertex) {
        const UvRecord uv = info.bits == 16 ? uv_decode(uv_grid_of(info), record_at<UvCode>(bytes, vertex))
                                            : record_at<UvRecord>(bytes, vertex);
        return std::array<float, 2>{uv.u, uv.v};
    };
    const std::size_t count = count_of(info_a, pair.a);
    if (count != count_of(info_b, pair.b)) return;
    ArrayStatistics s;
    for (std::size_t v = 0; v < count; ++v)
        s.note(v, largest_difference<2>(uv_at(info_a, pair.a, v), uv_at(info_b, pair.b, v)));
    if (s.differing == 0) return;  // what differs is how they are stored: the manifest has it
    pair.report(pair.path, NumberKind::Uv, s, entry_text("vertex", s.worst, uv_at(info_a, pair.a, s.worst)),
                entry_text("vertex", s.worst, uv_at(info_b, pair.b, s.worst)));
}

void diff_colors(const ArrayPair& pair) { diff_floats<4>(pair, NumberKind::Color); }

void diff_triangles(const ArrayPair& pair) {
    using Triangle = std::array<std::uint32_t, 3>;
    if (pair.a.size() != pair.b.size()) {
        pair.report_counts(pair.a.size() / sizeof(Triangle), pair.b.size() / sizeof(Triangle));
        return;
    }
    std::uint64_t differing = 0;
    for (std::size_t t = 0; t < pair.a.size() / sizeof(Triangle); ++t) {
        if (record_at<Triangle>(pair.a, t) != record_at<Triangle>(pair.b, t)) ++differing;
    }
    pair.list.add({.path = pair.path,
                   .a = to_hex(pair.entry_a.raw_digest),
                   .b = to_hex(pair.entry_b.raw_digest),
                   .count = differing});
}

void diff_influences(const ArrayPair& pair) {
    const auto& info_a = pair.side_a.manifest.meshes[pair.index_a]->influences;
    const auto& info_b = pair.side_b.manifest.meshes[pair.index_b]->influences;
    const auto count_of = [](const std::unique_ptr<manifest::InfluencesT>& info, Bytes bytes) -> std::size_t {
        const bool known = info && info->stride >= 1 && info->stride <= 8 &&
                           (info->weight_bits == 8 || info->weight_bits == 16);
        return known ? bytes.size() / influence_record_size(info->stride, info->weight_bits) : 0;
    };
    const std::size_t count = count_of(info_a, pair.a);
    if (count == 0 || count != count_of(info_b, pair.b)) return;
    ArrayStatistics s;
    for (std::size_t v = 0; v < count; ++v) {
        s.note(v, influence_difference(influences_at(pair.a, v, *info_a), influences_at(pair.b, v, *info_b)));
    }
    if (s.differing == 0 && std::ranges::equal(pair.a, pair.b)) return;
    const auto text = [&](Bytes bytes, const manifest::InfluencesT& info) {
        std::string out = cat("vertex ", s.worst, ":");
        for (const auto& [joint, weight] : influences_at(bytes, s.worst, info))
            out += cat(out.back() == ':' ? " " : ", ", "joint ", joint, " x ", weight);
        return out;
    };
    pair.report(pair.path, NumberKind::Weight, s, text(pair.a, *info_a), text(pair.b, *info_b));
}

}  // namespace sinter
