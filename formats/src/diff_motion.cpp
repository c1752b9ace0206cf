// Arrays that move a mesh: blend shapes, bind matrices, clips.
#include "diff_arrays.hpp"

#include <algorithm>
#include <cstring>

namespace sinter {
namespace {

bool fits(const manifest::ShapeFrameT& frame, Bytes bytes) {
    const std::uint64_t count = bytes.size() / sizeof(BlendShapeDelta);
    return frame.first_record <= count && frame.record_count <= count - frame.first_record;
}

void diff_shape_frame(const ArrayPair& pair, const std::string& path, const manifest::ShapeFrameT& frame_a,
                      const manifest::ShapeFrameT& frame_b) {
    if (!fits(frame_a, pair.a) || !fits(frame_b, pair.b)) {
        pair.list.add({.path = path});
        return;
    }
    ArrayStatistics position;
    ArrayStatistics direction;
    std::uint64_t i = frame_a.first_record;
    std::uint64_t j = frame_b.first_record;
    const std::uint64_t end_a = i + frame_a.record_count;
    const std::uint64_t end_b = j + frame_b.record_count;
    while (i < end_a || j < end_b) {  // merged by vertex; one that a side does not list does not move there
        BlendShapeDelta left = i < end_a ? record_at<BlendShapeDelta>(pair.a, i) : BlendShapeDelta{};
        BlendShapeDelta right = j < end_b ? record_at<BlendShapeDelta>(pair.b, j) : BlendShapeDelta{};
        const bool take_left = i < end_a && (j >= end_b || left.vertex <= right.vertex);
        const bool take_right = j < end_b && (i >= end_a || right.vertex <= left.vertex);
        const std::uint32_t vertex = take_left ? left.vertex : right.vertex;
        if (!take_left) left = {};
        if (!take_right) right = {};
        i += take_left ? 1 : 0;
        j += take_right ? 1 : 0;
        position.note(vertex, distance(left.position, right.position));
        direction.note(vertex,
                       std::max(distance(left.normal, right.normal), distance(left.tangent, right.tangent)));
    }
    // small changes of unit vectors, taken as angles
    direction.largest *= kDegreesPerRadian;
    direction.sum_of_squares *= kDegreesPerRadian * kDegreesPerRadian;
    if (position.differing > 0) {
        pair.report(path + "/position_deltas", NumberKind::Position, position, cat("vertex ", position.worst),
                    cat("vertex ", position.worst));
    }
    if (direction.differing > 0) {
        pair.report(path + "/direction_deltas", NumberKind::Angle, direction, cat("vertex ", direction.worst),
                    cat("vertex ", direction.worst));
    }
}

bool fits(const manifest::TrackT& track, std::uint32_t frames, Bytes bytes) {
    const std::uint64_t count = bytes.size() / sizeof(float);
    const std::uint64_t needed = std::uint64_t{track.components} * (track.constant ? 1 : frames);
    return track.first_value <= count && needed <= count - track.first_value;
}

std::vector<float> sample(Bytes bytes, const manifest::TrackT& track, std::uint32_t frame) {
    std::vector<float> out(track.components);
    const std::uint64_t first =
        track.first_value + (track.constant ? 0 : std::uint64_t{frame} * track.components);
    std::memcpy(out.data(), bytes.data() + first * sizeof(float), out.size() * sizeof(float));
    return out;
}

NumberKind kind_of(manifest::TrackPath path) {
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
double sample_difference(manifest::TrackPath path, const std::vector<float>& a, const std::vector<float>& b) {
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
    const double smaller = std::sqrt(std::min(apart, together));
    const double larger = std::sqrt(std::max(apart, together));
    return 4 * std::atan2(smaller, larger) * kDegreesPerRadian;
}

void diff_track(const ArrayPair& pair, const std::string& path, std::uint32_t frames,
                const manifest::TrackT& track_a, const manifest::TrackT& track_b) {
    if (track_a.components != track_b.components || track_a.path != track_b.path)
        return;  // the manifest says it
    if (!fits(track_a, frames, pair.a) || !fits(track_b, frames, pair.b)) {
        pair.list.add({.path = path});
        return;
    }
    ArrayStatistics s;
    const std::uint32_t count = track_a.constant && track_b.constant ? 1 : frames;
    for (std::uint32_t f = 0; f < count; ++f) {
        s.note(f, sample_difference(track_a.path, sample(pair.a, track_a, f), sample(pair.b, track_b, f)));
    }
    if (s.differing > 0)
        pair.report(path, kind_of(track_a.path), s, cat("frame ", s.worst), cat("frame ", s.worst));
}

}  // namespace

void diff_shapes(const ArrayPair& pair) {
    const manifest::MeshT& mesh_a = *pair.side_a.manifest.meshes[pair.index_a];
    const manifest::MeshT& mesh_b = *pair.side_b.manifest.meshes[pair.index_b];
    if (mesh_a.vertex_count != mesh_b.vertex_count) return;
    const auto in_b = indices_of(pair.side_b.keys.shapes[pair.index_b]);
    for (std::size_t i = 0; i < mesh_a.shapes.size(); ++i) {
        const std::string& key = pair.side_a.keys.shapes[pair.index_a][i];
        const auto found = in_b.find(key);
        if (found == in_b.end()) continue;
        const auto& frames_a = mesh_a.shapes[i]->frames;
        const auto& frames_b = mesh_b.shapes[found->second]->frames;
        for (std::size_t f = 0; f < std::min(frames_a.size(), frames_b.size()); ++f) {
            diff_shape_frame(pair, cat(pair.path, '/', key, "/frames/", f), *frames_a[f], *frames_b[f]);
        }
    }
}

void diff_inverse_binds(const ArrayPair& pair) {
    if (pair.a.size() != pair.b.size()) {
        pair.report_counts(pair.a.size() / sizeof(InverseBindRecord),
                           pair.b.size() / sizeof(InverseBindRecord));
        return;
    }
    ArrayStatistics linear;
    ArrayStatistics translation;
    for (std::size_t joint = 0; joint < pair.a.size() / sizeof(InverseBindRecord); ++joint) {
        const auto& l = record_at<InverseBindRecord>(pair.a, joint).m;
        const auto& r = record_at<InverseBindRecord>(pair.b, joint).m;
        linear.note(joint, largest_difference<9>({l[0], l[1], l[2], l[4], l[5], l[6], l[8], l[9], l[10]},
                                                 {r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10]}));
        translation.note(joint, distance<3>({l[3], l[7], l[11]}, {r[3], r[7], r[11]}));
    }
    const auto text = [](const ArrayStatistics& s) { return cat("joint ", s.worst); };
    pair.report(pair.path + "/linear", NumberKind::Scale, linear, text(linear), text(linear));
    pair.report(pair.path + "/translation", NumberKind::Position, translation, text(translation),
                text(translation));
}

void diff_clip(const ArrayPair& pair) {
    const manifest::ClipT& clip_a = *pair.side_a.manifest.clips[pair.index_a];
    const manifest::ClipT& clip_b = *pair.side_b.manifest.clips[pair.index_b];
    if (clip_a.frame_count != clip_b.frame_count) return;
    const auto in_b = indices_of(pair.side_b.keys.tracks[pair.index_b]);
    for (std::size_t i = 0; i < clip_a.tracks.size(); ++i) {
        const std::string& key = pair.side_a.keys.tracks[pair.index_a][i];
        const auto found = in_b.find(key);
        if (found == in_b.end()) continue;
        diff_track(pair, cat(pair.path, '/', key, "/samples"), clip_a.frame_count, *clip_a.tracks[i],
                   *clip_b.tracks[found->second]);
    }
}

}  // namespace sinter
