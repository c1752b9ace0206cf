#include "bytes.hpp"
#include "container.hpp"
#include "diff_parts.hpp"
#include "text.hpp"

#include <sinter/formats/codecs.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <span>

namespace sinter {
namespace {

// Largest and root-mean-square difference of an array's entries.
struct ArrayStatistics {
    double largest = 0;
    double sum_of_squares = 0;
    std::uint64_t differing = 0;
    std::uint64_t total = 0;
    std::uint64_t worst = 0;  // entry with the largest difference

    void note(std::uint64_t entry, double difference) {
        ++total;
        if (difference == 0) return;
        ++differing;
        if (std::isnan(difference)) difference = std::numeric_limits<double>::infinity();
        sum_of_squares += difference * difference;
        if (difference > largest) {
            largest = difference;
            worst = entry;
        }
    }
    [[nodiscard]] double rms() const {
        return total == 0 ? 0 : std::sqrt(sum_of_squares / static_cast<double>(total));
    }
};

template <std::size_t N>
double distance(const std::array<float, N>& a, const std::array<float, N>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += d * d;
    }
    return std::sqrt(sum);
}

template <std::size_t N>
double largest_difference(const std::array<float, N>& a, const std::array<float, N>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const double d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        largest = std::isnan(d) ? d : std::max(largest, d);
    }
    return largest;
}

// Degrees; directions that have none (zero length) differ by 0 or 180.
double direction_difference_deg(std::array<float, 3> a, std::array<float, 3> b) {
    if (a == b) return 0;
    constexpr std::array<float, 3> kZero{};
    return a == kZero || b == kZero ? 180 : angle_deg(a, b);
}

template <std::size_t N>
std::string entry_text(std::string_view noun, std::uint64_t entry, const std::array<float, N>& values) {
    std::string text = cat(noun, ' ', entry, ": (");
    for (std::size_t i = 0; i < N; ++i) text += cat(i > 0 ? ", " : "", values[i]);
    return text + ")";
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

// An object that both packages have, and its section in each of them.
struct Pair {
    std::string path;  // of the object
    std::size_t index_a = 0;
    std::size_t index_b = 0;
    std::uint64_t uv_set = 0;
    const TocEntry* entry_a = nullptr;
    const TocEntry* entry_b = nullptr;
};

class ArrayDiff {
public:
    ArrayDiff(const DiffSide& a, const DiffSide& b, DifferenceList& list) : a_(a), b_(b), list_(list) {}

    Result<Unit> run() {
        pair_side(a_, b_, true);
        pair_side(b_, a_, false);
        for (const auto& [key, pair] : pairs_) SINTER_TRY(compare(key.first, pair));
        return Unit{};
    }

private:
    static const std::vector<std::string>* keys_for(const ManifestKeys& keys, SectionType type) {
        switch (type) {
        case SectionType::MeshPositions:
        case SectionType::MeshNormals:
        case SectionType::MeshTangents:
        case SectionType::MeshUvs:
        case SectionType::MeshColors:
        case SectionType::MeshIndices:
        case SectionType::MeshInfluences:
        case SectionType::BlendShapeDeltas: return &keys.meshes;
        case SectionType::SkinInverseBinds: return &keys.skins;
        case SectionType::ClipSamples: return &keys.clips;
        case SectionType::Manifest: break;
        }
        return nullptr;
    }

    static std::map<std::string, std::size_t> indices_of(const std::vector<std::string>& keys) {
        std::map<std::string, std::size_t> out;
        for (std::size_t i = 0; i < keys.size(); ++i) out[keys[i]] = i;
        return out;
    }

    static std::string_view list_name(SectionType type) {
        if (type == SectionType::SkinInverseBinds) return "skins";
        return type == SectionType::ClipSamples ? "clips" : "meshes";
    }

    // Puts each section of one side to its object; those of objects that the other side does not have are
    // explained by that.
    void pair_side(const DiffSide& mine, const DiffSide& other, bool is_a) {
        const std::map<std::string_view, std::map<std::string, std::size_t>> indices{
            {"meshes", indices_of(other.keys.meshes)},
            {"skins", indices_of(other.keys.skins)},
            {"clips", indices_of(other.keys.clips)}};
        for (const TocEntry& entry : mine.view.sections()) {
            if (entry.type == SectionType::Manifest) continue;
            const bool is_uv = entry.type == SectionType::MeshUvs;
            const std::uint64_t index = is_uv ? entry.id >> 8U : entry.id;
            const auto* keys = keys_for(mine.keys, entry.type);
            if (keys == nullptr || index >= keys->size()) {
                unowned(entry, other.view, is_a);
                continue;
            }
            const std::string& key = (*keys)[index];
            const auto& other_index_of = indices.at(list_name(entry.type));
            const auto found = other_index_of.find(key);
            if (found == other_index_of.end()) continue;
            const std::size_t other_index = found->second;
            const std::uint64_t set = is_uv ? entry.id & 0xFFU : 0;
            Pair& pair = pairs_[{entry.type, cat(key, '/', set)}];
            pair.path = cat(list_name(entry.type), '/', key);
            pair.uv_set = set;
            (is_a ? pair.entry_a : pair.entry_b) = &entry;
            pair.index_a = is_a ? index : other_index;
            pair.index_b = is_a ? other_index : index;
        }
    }

    void unowned(const TocEntry& entry, const PackageView& other, bool is_a) {
        const TocEntry* match = other.find(entry.type, entry.id);
        if (match != nullptr && (!is_a || match->raw_digest == entry.raw_digest)) return;
        const auto name = section_type_name(entry.type);
        Difference difference{
            .path = cat("sections/", name ? std::string(*name) : cat(static_cast<std::uint32_t>(entry.type)),
                        '/', entry.id)};
        (is_a ? difference.a : difference.b) = to_hex(entry.raw_digest);
        if (match != nullptr) difference.b = to_hex(match->raw_digest);
        list_.add(std::move(difference));
    }

    Result<Unit> compare(SectionType type, const Pair& pair) {
        if (pair.entry_a == nullptr || pair.entry_b == nullptr) {
            const bool in_a = pair.entry_a != nullptr;
            list_.add({.path = path_of(type, pair),
                       .a = in_a ? DiffValue(true) : DiffValue(),
                       .b = in_a ? DiffValue() : DiffValue(true)});
            return Unit{};
        }
        const bool same_bytes = pair.entry_a->raw_digest == pair.entry_b->raw_digest;
        if (same_bytes && !(type == SectionType::MeshPositions && !same_grid(pair)) &&
            !layout_may_differ(type)) {
            return Unit{};
        }
        auto bytes_a = a_.view.decode(*pair.entry_a);
        if (!bytes_a) return on_side("A", std::move(bytes_a).error());
        auto bytes_b = b_.view.decode(*pair.entry_b);
        if (!bytes_b) return on_side("B", std::move(bytes_b).error());
        compare_bytes(type, pair, *bytes_a, *bytes_b);
        return Unit{};
    }

    static Error on_side(std::string_view side, Error error) {
        error.where = cat(side, ": ", error.where);
        return error;
    }

    // The manifest says which records belong to which shape or track: equal bytes may mean different things.
    static bool layout_may_differ(SectionType type) {
        return type == SectionType::BlendShapeDeltas || type == SectionType::ClipSamples ||
               type == SectionType::MeshInfluences;
    }

    static std::string path_of(SectionType type, const Pair& pair) {
        switch (type) {
        case SectionType::MeshPositions: return pair.path + "/vertices/position";
        case SectionType::MeshNormals: return pair.path + "/vertices/normal";
        case SectionType::MeshTangents: return pair.path + "/vertices/tangent";
        case SectionType::MeshUvs: return cat(pair.path, "/vertices/uv/", pair.uv_set);
        case SectionType::MeshColors: return pair.path + "/vertices/color";
        case SectionType::MeshInfluences: return pair.path + "/vertices/influences";
        case SectionType::MeshIndices: return pair.path + "/triangles";
        case SectionType::BlendShapeDeltas: return pair.path + "/shapes";
        case SectionType::SkinInverseBinds: return pair.path + "/inverse_binds";
        case SectionType::ClipSamples: return pair.path + "/tracks";
        case SectionType::Manifest: break;
        }
        return pair.path;
    }

    void compare_bytes(SectionType type, const Pair& pair, Bytes a, Bytes b) {
        switch (type) {
        case SectionType::MeshPositions: positions(pair, a, b); break;
        case SectionType::MeshNormals:
            records<OctNormal>(path_of(type, pair), NumberKind::Angle, a, b, oct_decode,
                               direction_difference_deg);
            break;
        case SectionType::MeshTangents: tangents(pair, a, b); break;
        case SectionType::MeshUvs: floats<2>(path_of(type, pair), NumberKind::Uv, a, b); break;
        case SectionType::MeshColors: floats<4>(path_of(type, pair), NumberKind::Color, a, b); break;
        case SectionType::MeshInfluences: influences(pair, a, b); break;
        case SectionType::MeshIndices: triangles(pair, a, b); break;
        case SectionType::BlendShapeDeltas: shapes(pair, a, b); break;
        case SectionType::SkinInverseBinds: inverse_binds(pair, a, b); break;
        case SectionType::ClipSamples: clip(pair, a, b); break;
        case SectionType::Manifest: break;
        }
    }

    void report(const std::string& path, NumberKind kind, const ArrayStatistics& s, std::string text_a,
                std::string text_b) {
        list_.add_numbers({.path = path,
                           .a = std::move(text_a),
                           .b = std::move(text_b),
                           .rms = s.rms(),
                           .count = s.differing},
                          kind, s.largest);
    }

    void count_difference(const std::string& path, std::size_t a, std::size_t b) {
        list_.add({.path = path,
                   .a = static_cast<std::int64_t>(a),
                   .b = static_cast<std::int64_t>(b),
                   .difference = std::abs(static_cast<double>(a) - static_cast<double>(b))});
    }

    // Entry by entry, where both sides have the same number of them; otherwise the vertex count says it.
    template <typename Record, typename Decode, typename Measure>
    void records(const std::string& path, NumberKind kind, Bytes a, Bytes b, Decode decode, Measure measure) {
        if (a.size() != b.size()) return;
        ArrayStatistics s;
        for (std::size_t i = 0; i < a.size() / sizeof(Record); ++i) {
            s.note(i, measure(decode(record_at<Record>(a, i)), decode(record_at<Record>(b, i))));
        }
        if (s.total == 0) return;
        report(path, kind, s, entry_text("vertex", s.worst, decode(record_at<Record>(a, s.worst))),
               entry_text("vertex", s.worst, decode(record_at<Record>(b, s.worst))));
    }
    template <std::size_t N>
    void floats(const std::string& path, NumberKind kind, Bytes a, Bytes b) {
        using Values = std::array<float, N>;
        records<Values>(path, kind, a, b, [](const Values& v) { return v; }, largest_difference<N>);
    }

    [[nodiscard]] bool same_grid(const Pair& pair) const {
        const auto& a = a_.manifest.meshes[pair.index_a]->grid;
        const auto& b = b_.manifest.meshes[pair.index_b]->grid;
        if (!a || !b || !a->center || !b->center) return true;
        return a->bits == b->bits && a->step == b->step && a->center->x() == b->center->x() &&
               a->center->y() == b->center->y() && a->center->z() == b->center->z();
    }

    static std::array<float, 3> position_at(const manifest::GridT& grid, Bytes bytes, std::size_t vertex) {
        const std::array<float, 3> center{grid.center->x(), grid.center->y(), grid.center->z()};
        if (grid.bits == 16) {
            const auto p = record_at<GridPosition16>(bytes, vertex);
            return grid_decode(center, grid.step, {p.x, p.y, p.z});
        }
        const auto p = record_at<GridPosition32>(bytes, vertex);
        return grid_decode(center, grid.step, {p.x, p.y, p.z});
    }

    void positions(const Pair& pair, Bytes a, Bytes b) {
        const auto& grid_a = a_.manifest.meshes[pair.index_a]->grid;
        const auto& grid_b = b_.manifest.meshes[pair.index_b]->grid;
        const std::string path = path_of(SectionType::MeshPositions, pair);
        const auto size_of = [](const manifest::GridT& g) {
            return g.bits == 16 ? sizeof(GridPosition16) : sizeof(GridPosition32);
        };
        if (!grid_a || !grid_b || !grid_a->center || !grid_b->center) {
            list_.add({.path = path});
            return;
        }
        const std::size_t count_a = a.size() / size_of(*grid_a);
        const std::size_t count_b = b.size() / size_of(*grid_b);
        if (count_a != count_b) {
            count_difference(path, count_a, count_b);
            return;
        }
        ArrayStatistics s;
        for (std::size_t v = 0; v < count_a; ++v)
            s.note(v, distance(position_at(*grid_a, a, v), position_at(*grid_b, b, v)));
        if (s.total == 0) return;
        report(path, NumberKind::Position, s, entry_text("vertex", s.worst, position_at(*grid_a, a, s.worst)),
               entry_text("vertex", s.worst, position_at(*grid_b, b, s.worst)));
    }

    void tangents(const Pair& pair, Bytes a, Bytes b) {
        const auto values = [](const TangentRecord& t) { return std::array<float, 4>{t.x, t.y, t.z, t.w}; };
        const auto measure = [](const std::array<float, 4>& l, const std::array<float, 4>& r) {
            return l[3] == r[3] ? direction_difference_deg({l[0], l[1], l[2]}, {r[0], r[1], r[2]}) : 180.0;
        };
        records<TangentRecord>(path_of(SectionType::MeshTangents, pair), NumberKind::Angle, a, b, values,
                               measure);
    }

    void triangles(const Pair& pair, Bytes a, Bytes b) {
        using Triangle = std::array<std::uint32_t, 3>;
        const std::string path = path_of(SectionType::MeshIndices, pair);
        if (a.size() != b.size()) {
            count_difference(path, a.size() / sizeof(Triangle), b.size() / sizeof(Triangle));
            return;
        }
        std::uint64_t differing = 0;
        for (std::size_t t = 0; t < a.size() / sizeof(Triangle); ++t) {
            if (record_at<Triangle>(a, t) != record_at<Triangle>(b, t)) ++differing;
        }
        list_.add({.path = path,
                   .a = to_hex(pair.entry_a->raw_digest),
                   .b = to_hex(pair.entry_b->raw_digest),
                   .count = differing});
    }

    void influences(const Pair& pair, Bytes a, Bytes b) {
        const auto& info_a = a_.manifest.meshes[pair.index_a]->influences;
        const auto& info_b = b_.manifest.meshes[pair.index_b]->influences;
        const std::string path = path_of(SectionType::MeshInfluences, pair);
        const auto count_of = [](const std::unique_ptr<manifest::InfluencesT>& info,
                                 Bytes bytes) -> std::size_t {
            const bool known = info && info->stride >= 1 && info->stride <= 8 &&
                               (info->weight_bits == 8 || info->weight_bits == 16);
            return known ? bytes.size() / influence_record_size(info->stride, info->weight_bits) : 0;
        };
        const std::size_t count = count_of(info_a, a);
        if (count == 0 || count != count_of(info_b, b)) return;
        ArrayStatistics s;
        for (std::size_t v = 0; v < count; ++v) {
            s.note(v, influence_difference(influences_at(a, v, *info_a), influences_at(b, v, *info_b)));
        }
        if (s.differing == 0 && pair.entry_a->raw_digest == pair.entry_b->raw_digest) return;
        const auto text = [&](Bytes bytes, const manifest::InfluencesT& info) {
            std::string out = cat("vertex ", s.worst, ":");
            for (const auto& [joint, weight] : influences_at(bytes, s.worst, info))
                out += cat(" joint ", joint, " x ", weight);
            return out;
        };
        report(path, NumberKind::Weight, s, text(a, *info_a), text(b, *info_b));
    }

    void shapes(const Pair& pair, Bytes a, Bytes b) {
        const manifest::MeshT& mesh_a = *a_.manifest.meshes[pair.index_a];
        const manifest::MeshT& mesh_b = *b_.manifest.meshes[pair.index_b];
        if (mesh_a.vertex_count != mesh_b.vertex_count) return;
        const auto in_b = indices_of(b_.keys.shapes[pair.index_b]);
        for (std::size_t i = 0; i < mesh_a.shapes.size(); ++i) {
            const std::string& key = a_.keys.shapes[pair.index_a][i];
            const auto found = in_b.find(key);
            if (found == in_b.end()) continue;
            const auto& frames_a = mesh_a.shapes[i]->frames;
            const auto& frames_b = mesh_b.shapes[found->second]->frames;
            for (std::size_t f = 0; f < std::min(frames_a.size(), frames_b.size()); ++f) {
                shape_frame(cat(pair.path, "/shapes/", key, "/frames/", f), a, *frames_a[f], b, *frames_b[f]);
            }
        }
    }

    static bool fits(const manifest::ShapeFrameT& frame, Bytes bytes) {
        const std::uint64_t count = bytes.size() / sizeof(BlendShapeDelta);
        return frame.first_record <= count && frame.record_count <= count - frame.first_record;
    }

    void shape_frame(const std::string& path, Bytes a, const manifest::ShapeFrameT& frame_a, Bytes b,
                     const manifest::ShapeFrameT& frame_b) {
        if (!fits(frame_a, a) || !fits(frame_b, b)) {
            list_.add({.path = path});
            return;
        }
        ArrayStatistics position;
        ArrayStatistics direction;
        std::uint64_t i = frame_a.first_record;
        std::uint64_t j = frame_b.first_record;
        const std::uint64_t end_a = i + frame_a.record_count;
        const std::uint64_t end_b = j + frame_b.record_count;
        while (i < end_a ||
               j < end_b) {  // merged by vertex; one that a side does not list does not move there
            BlendShapeDelta left = i < end_a ? record_at<BlendShapeDelta>(a, i) : BlendShapeDelta{};
            BlendShapeDelta right = j < end_b ? record_at<BlendShapeDelta>(b, j) : BlendShapeDelta{};
            const bool take_left = i < end_a && (j >= end_b || left.vertex <= right.vertex);
            const bool take_right = j < end_b && (i >= end_a || right.vertex <= left.vertex);
            const std::uint32_t vertex = take_left ? left.vertex : right.vertex;
            if (!take_left) left = {};
            if (!take_right) right = {};
            i += take_left ? 1 : 0;
            j += take_right ? 1 : 0;
            position.note(vertex, distance(left.position, right.position));
            direction.note(
                vertex, std::max(distance(left.normal, right.normal), distance(left.tangent, right.tangent)));
        }
        constexpr double kDegreesPerRadian =
            57.29577951308232;  // small changes of unit vectors, taken as angles
        direction.largest *= kDegreesPerRadian;
        direction.sum_of_squares *= kDegreesPerRadian * kDegreesPerRadian;
        if (position.differing > 0) {
            report(path + "/position_deltas", NumberKind::Position, position, cat("vertex ", position.worst),
                   cat("vertex ", position.worst));
        }
        if (direction.differing > 0) {
            report(path + "/direction_deltas", NumberKind::Angle, direction, cat("vertex ", direction.worst),
                   cat("vertex ", direction.worst));
        }
    }

    void inverse_binds(const Pair& pair, Bytes a, Bytes b) {
        const std::string path = path_of(SectionType::SkinInverseBinds, pair);
        if (a.size() != b.size()) {
            count_difference(path, a.size() / sizeof(InverseBindRecord),
                             b.size() / sizeof(InverseBindRecord));
            return;
        }
        ArrayStatistics linear;
        ArrayStatistics translation;
        for (std::size_t joint = 0; joint < a.size() / sizeof(InverseBindRecord); ++joint) {
            const auto& l = record_at<InverseBindRecord>(a, joint).m;
            const auto& r = record_at<InverseBindRecord>(b, joint).m;
            linear.note(joint,
                        largest_difference<9>({l[0], l[1], l[2], l[4], l[5], l[6], l[8], l[9], l[10]},
                                              {r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10]}));
            translation.note(joint, distance<3>({l[3], l[7], l[11]}, {r[3], r[7], r[11]}));
        }
        const auto text = [](const ArrayStatistics& s) { return cat("joint ", s.worst); };
        report(path + "/linear", NumberKind::Scale, linear, text(linear), text(linear));
        report(path + "/translation", NumberKind::Position, translation, text(translation),
               text(translation));
    }

    void clip(const Pair& pair, Bytes a, Bytes b) {
        const manifest::ClipT& clip_a = *a_.manifest.clips[pair.index_a];
        const manifest::ClipT& clip_b = *b_.manifest.clips[pair.index_b];
        if (clip_a.frame_count != clip_b.frame_count) return;
        const auto in_b = indices_of(b_.keys.tracks[pair.index_b]);
        for (std::size_t i = 0; i < clip_a.tracks.size(); ++i) {
            const std::string& key = a_.keys.tracks[pair.index_a][i];
            const auto found = in_b.find(key);
            if (found == in_b.end()) continue;
            track(cat(pair.path, "/tracks/", key, "/samples"), clip_a.frame_count, a, *clip_a.tracks[i], b,
                  *clip_b.tracks[found->second]);
        }
    }

    static bool fits(const manifest::TrackT& track, std::uint32_t frames, Bytes bytes) {
        const std::uint64_t count = bytes.size() / sizeof(float);
        const std::uint64_t needed = std::uint64_t{track.components} * (track.constant ? 1 : frames);
        return track.first_value <= count && needed <= count - track.first_value;
    }

    static std::vector<float> sample(Bytes bytes, const manifest::TrackT& track, std::uint32_t frame) {
        std::vector<float> out(track.components);
        const std::uint64_t first =
            track.first_value + (track.constant ? 0 : std::uint64_t{frame} * track.components);
        std::memcpy(out.data(), bytes.data() + first * sizeof(float), out.size() * sizeof(float));
        return out;
    }

    static NumberKind kind_of(manifest::TrackPath path) {
        switch (path) {
        case manifest::TrackPath::Translation: return NumberKind::Position;
        case manifest::TrackPath::Rotation: return NumberKind::Angle;
        case manifest::TrackPath::Scale: return NumberKind::Scale;
        case manifest::TrackPath::Weights: return NumberKind::Weight;
        }
        return NumberKind::Exact;
    }

    // Chord between unit quaternions of nearest sign, as an angle of rotation in degrees; else the largest
    // difference of a component, or the distance for translations.
    static double sample_difference(manifest::TrackPath path, const std::vector<float>& a,
                                    const std::vector<float>& b) {
        double apart = 0;
        double together = 0;
        double largest = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
            const double s = static_cast<double>(a[i]) + static_cast<double>(b[i]);
            apart += d * d;
            together += s * s;
            largest = std::max(largest, std::abs(d));
        }
        if (path == manifest::TrackPath::Translation) return std::sqrt(apart);
        if (path != manifest::TrackPath::Rotation) return largest;
        constexpr double kDegreesPerRadian = 57.29577951308232;
        const double smaller = std::sqrt(std::min(apart, together));
        const double larger = std::sqrt(std::max(apart, together));
        return 4 * std::atan2(smaller, larger) * kDegreesPerRadian;
    }

    void track(const std::string& path, std::uint32_t frames, Bytes a, const manifest::TrackT& track_a,
               Bytes b, const manifest::TrackT& track_b) {
        if (track_a.components != track_b.components || track_a.path != track_b.path)
            return;  // the manifest says it
        if (!fits(track_a, frames, a) || !fits(track_b, frames, b)) {
            list_.add({.path = path});
            return;
        }
        ArrayStatistics s;
        const std::uint32_t count = track_a.constant && track_b.constant ? 1 : frames;
        for (std::uint32_t f = 0; f < count; ++f) {
            s.note(f, sample_difference(track_a.path, sample(a, track_a, f), sample(b, track_b, f)));
        }
        if (s.differing > 0)
            report(path, kind_of(track_a.path), s, cat("frame ", s.worst), cat("frame ", s.worst));
    }

    const DiffSide& a_;
    const DiffSide& b_;
    DifferenceList& list_;
    std::map<std::pair<SectionType, std::string>, Pair> pairs_;
};

}  // namespace

Result<Unit> diff_arrays(const DiffSide& a, const DiffSide& b, DifferenceList& list) {
    return ArrayDiff(a, b, list).run();
}

}  // namespace sinter
