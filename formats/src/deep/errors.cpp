#include "errors.hpp"

#include "parallel.hpp"
#include "random.hpp"
#include "surface.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <tuple>

namespace sinter::deep {
namespace {

// A point of a triangle, in any pose.
struct SurfacePoint {
    std::array<std::uint32_t, 3> vertices{};
    float u = 0, v = 0;  // of the second and third
};

Vec place_of(const SurfacePoint& s, std::span<const Float3> positions) {
    const Vec a = vec(positions[s.vertices[0]]);
    return a + (vec(positions[s.vertices[1]]) - a) * static_cast<double>(s.u) +
           (vec(positions[s.vertices[2]]) - a) * static_cast<double>(s.v);
}

// Evenly distributed by area over the triangles.
std::vector<SurfacePoint> random_points(std::span<const Float3> positions,
                                        std::span<const std::uint32_t> corners, std::size_t count,
                                        std::uint64_t seed) {
    std::vector<double> sums;
    double sum = 0;
    for (std::size_t i = 0; i < corners.size(); i += 3) {
        const Vec a = vec(positions[corners[i]]);
        sum += length(cross(vec(positions[corners[i + 1]]) - a, vec(positions[corners[i + 2]]) - a));
        sums.push_back(sum);
    }
    Random random(seed);
    std::vector<SurfacePoint> out(count);
    for (SurfacePoint& s : out) {
        const auto at = std::ranges::upper_bound(sums, random.unit() * sum);
        const auto t = std::min(static_cast<std::size_t>(at - sums.begin()), sums.size() - 1);
        s.vertices = {corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]};
        s.u = static_cast<float>(random.unit());
        s.v = static_cast<float>(random.unit());
        if (s.u + s.v > 1) {
            s.u = 1 - s.u;
            s.v = 1 - s.v;
        }
    }
    return out;
}

// A sample of the source that is farther from what replaces its group than the stored error.
struct Beyond {
    SurfacePoint sample;
    std::size_t pose = 0;
    double squared = 0;
};

struct Measured {
    std::vector<double> deviation;  // true two-sided deviation in each pose, the rest pose first; squared
    std::vector<Beyond> beyond;
    std::uint32_t samples = 0;
};

struct Measure {
    const Context& k;
    std::vector<std::span<const Float3>> poses;            // the rest pose, stored ones, held-out ones
    std::vector<std::uint32_t> source;                     // corners of the full detail
    std::vector<std::unique_ptr<Surface>> source_surface;  // in each pose
    std::vector<std::vector<SurfacePoint>> waiting;        // by group: samples that are on its clusters
    std::vector<std::vector<std::uint32_t>> next_group;    // by group, for each of its samples: where it goes
    std::vector<Measured> measured;                        // by group
    double rounding = 0;
};

// What replaces a group: corners, and the cluster of each triangle.
struct Replacement {
    std::vector<std::uint32_t> corners, cluster;
};

Replacement replacement_of(const Context& k, std::size_t g) {
    Replacement out;
    for (const std::uint32_t c : k.replacing.of(g)) {
        const auto corners = k.corners(c);
        out.corners.insert(out.corners.end(), corners.begin(), corners.end());
        out.cluster.insert(out.cluster.end(), corners.size() / 3, c);
    }
    return out;
}

void place_samples(Measure& m) {
    const auto& clusters = m.k.model.clusters;
    std::vector<std::vector<SurfacePoint>> points(clusters.size());
    parallel_each(clusters.size(), m.k.threads, [&](std::size_t c) {
        if (clusters[c].child_group >= 0) return;
        // A group of few clusters has its share of samples too.
        const std::uint32_t share = 2 * kLeastSamples / m.k.model.groups[clusters[c].group].cluster_count + 1;
        points[c] =
            random_points(m.poses[0], m.k.corners(c), std::max(m.k.options.samples_per_cluster, share), c);
    });
    m.waiting.resize(m.k.model.groups.size());
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        auto& waiting = m.waiting[clusters[c].group];
        waiting.insert(waiting.end(), points[c].begin(), points[c].end());
    }
}

// A position is known to half a float step, and so is everything that was computed from it.
double rounding_of(const DagModel& model) {
    float largest = 0;
    for (const Float3& p : model.positions) {
        for (const float x : p) largest = std::max(largest, std::abs(x));
    }
    for (const auto& pose : model.poses) {
        for (const Float3& p : pose) {
            for (const float x : p) largest = std::max(largest, std::abs(x));
        }
    }
    return static_cast<double>(largest) * 0x1p-23;
}

// Samples of the source against what replaces the group.
void measure_forward(Measure& m, std::size_t g, const Replacement& now) {
    const auto& samples = m.waiting[g];
    m.next_group[g].resize(samples.size());
    std::uint32_t near = 0;
    for (std::size_t pose = 0; pose < m.poses.size(); ++pose) {
        const Surface surface(m.poses[pose], now.corners);
        const DagGroup& group = m.k.model.groups[g];
        const double stored =
            static_cast<double>(pose == 0 ? group.geometric_error : group.posed_error) + m.rounding;
        const std::size_t step =
            pose == 0
                ? 1
                : samples.size() / (pose <= m.k.model.poses.size() ? kPosedSamples : kHeldOutSamples) + 1;
        for (std::size_t i = 0; i < samples.size(); i += step) {
            const NearestTriangle found = surface.nearest(place_of(samples[i], m.poses[pose]), near);
            near = found.triangle;
            if (found.squared > stored * stored) {
                m.measured[g].beyond.push_back({samples[i], pose, found.squared});
            } else {
                m.measured[g].deviation[pose] = std::max(m.measured[g].deviation[pose], found.squared);
            }
            if (pose == 0) m.next_group[g][i] = m.k.model.clusters[now.cluster[found.triangle]].group;
        }
    }
    m.measured[g].samples = static_cast<std::uint32_t>(samples.size());
}

// Points of what replaces the group against the source.
void measure_backward(Measure& m, std::size_t g, const Replacement& now) {
    const std::size_t count = std::max<std::size_t>(
        kLeastSamples, std::size_t{m.k.options.samples_per_cluster} * m.k.replacing.of(g).size());
    const auto points = random_points(m.poses[0], now.corners, count, 0x100000000ULL + g);
    std::uint32_t near = 0;
    for (std::size_t pose = 0; pose < m.poses.size(); ++pose) {
        for (const SurfacePoint& p : points) {
            const NearestTriangle found = m.source_surface[pose]->nearest(place_of(p, m.poses[pose]), near);
            near = found.triangle;
            m.measured[g].deviation[pose] = std::max(m.measured[g].deviation[pose], found.squared);
        }
    }
}

void measure_group(Measure& m, std::size_t g) {
    if (m.k.replacing.of(g).empty()) return;
    m.measured[g].deviation.assign(m.poses.size(), 0);
    const Replacement now = replacement_of(m.k, g);
    if (now.corners.empty()) return;
    measure_forward(m, g, now);
    measure_backward(m, g, now);
}

// Level by level: the samples of a level have arrived when the levels below are done.
void measure_all(Measure& m) {
    m.measured.resize(m.k.model.groups.size());
    m.next_group.resize(m.k.model.groups.size());
    const auto& order = m.k.order;
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
        while (end < order.size() &&
               m.k.model.groups[order[end]].level == m.k.model.groups[order[first]].level)
            ++end;
        parallel_each(end - first, m.k.threads, [&](std::size_t i) { measure_group(m, order[first + i]); });
        for (std::size_t i = first; i < end; ++i) {
            const std::uint32_t g = order[i];
            for (std::size_t s = 0; s < m.next_group[g].size(); ++s) {
                m.waiting[m.next_group[g][s]].push_back(m.waiting[g][s]);
            }
            m.waiting[g] = {};
            m.next_group[g] = {};
        }
    }
}

// The squared distance to the triangles that a uniform cut at this error draws.
double squared_to_cut(const Context& k, std::span<const Float3> positions, float error, Vec point,
                      double best) {
    const auto coarse = [&](std::size_t g) {
        const float e = k.model.groups[g].lod_error;
        return never_fine(e) || e > error;
    };
    const bool rest = positions.data() == k.model.positions.data();
    for (std::size_t c = 0; c < k.model.clusters.size(); ++c) {
        const DagCluster& cluster = k.model.clusters[c];
        if (!coarse(cluster.group)) continue;
        if (cluster.child_group >= 0 && coarse(static_cast<std::size_t>(cluster.child_group))) continue;
        const double reach = std::sqrt(best) + static_cast<double>(cluster.cull_bounds.radius);
        const Vec away = point - vec(cluster.cull_bounds.center);
        if (rest && dot(away, away) > reach * reach) continue;
        const auto corners = k.corners(c);
        for (std::size_t i = 0; i < corners.size(); i += 3) {
            best = std::min(best, squared_to_triangle(point, vec(positions[corners[i]]),
                                                      vec(positions[corners[i + 1]]),
                                                      vec(positions[corners[i + 2]])));
        }
    }
    return best;
}

// A piece that is near the sample may have come into another group: what counts is the cut at the group's own error. Of each
// group the farthest samples are measured again; the others are nearer than these were.
void measure_beyond(Measure& m, std::size_t g) {
    constexpr std::size_t kMost = 64;
    std::vector<Beyond>& beyond = m.measured[g].beyond;
    // Held-out poses may be beyond, and such a search takes long: the distance to what replaces the group stands there.
    std::erase_if(beyond, [&](const Beyond& b) {
        if (b.pose <= m.k.model.poses.size()) return false;
        double& deviation = m.measured[g].deviation[b.pose];
        deviation = std::max(deviation, b.squared);
        return true;
    });
    std::ranges::sort(beyond, {}, [](const Beyond& b) {
        return std::tuple(-b.squared, b.pose, b.sample.vertices, b.sample.u, b.sample.v);
    });
    for (std::size_t i = 0; i < std::min(beyond.size(), kMost); ++i) {
        const auto positions = m.poses[beyond[i].pose];
        double& deviation = m.measured[g].deviation[beyond[i].pose];
        deviation =
            std::max(deviation, squared_to_cut(m.k, positions, m.k.model.groups[g].lod_error,
                                               place_of(beyond[i].sample, positions), beyond[i].squared));
    }
}

struct Compared {
    std::uint32_t group = 0;
    double stored = 0, truth = 0;
    [[nodiscard]] double ratio() const {
        return stored > 0 ? truth / stored : std::numeric_limits<double>::max();
    }
};

DeepCheck compare_errors(const Context& k, std::string_view name, std::span<const Compared> all) {
    Findings found(k, name, "simplified groups");
    found.count(all.size());
    const double rounding = rounding_of(k.model);
    double worst = 0;
    std::uint64_t exceeding = 0, zero = 0;
    std::vector<double> looseness;
    for (const Compared& c : all) {
        zero += c.stored > 0 ? 0U : 1U;
        if (c.truth > rounding) looseness.push_back(c.stored / c.truth);
        if (c.truth <= c.stored + rounding) {
            if (c.stored > rounding) worst = std::max(worst, c.ratio());
            continue;
        }
        ++exceeding;
        worst = std::max(worst, c.ratio());
        found.expect(
            c.ratio() <= kMostRatio || !k.model.measured_error, [&] { return cat("group ", c.group); },
            [&] { return cat("its deviation is ", c.truth, " at a sample, the stored error ", c.stored); });
    }
    const auto most = static_cast<std::uint64_t>(std::ceil(kMostExceeding * static_cast<double>(all.size())));
    found.expect(
        exceeding <= most || !k.model.measured_error, [] { return std::string("groups"); },
        [&] {
            return cat(exceeding, " of ", all.size(), " have a sample farther away than their stored error; ",
                       most, " may, one percent rounded up");
        });
    std::ranges::sort(looseness);
    found.figure("exceeding", static_cast<double>(exceeding));
    found.figure("worst_true_over_stored", worst);
    found.figure("median_stored_over_true", looseness.empty() ? 0 : looseness[looseness.size() / 2]);
    found.figure("stored_zero", static_cast<double>(zero));
    return found.done();
}

// How far groups are from the source in poses that nobody measured, over what is stored.
void report_held_out(std::vector<Compared> all, DeepCheck& check) {
    std::erase_if(all, [](const Compared& c) { return !(c.stored > 0); });
    std::ranges::sort(all, {}, &Compared::ratio);
    const bool none = all.empty();
    check.figures.push_back({"held_out_median_true_over_stored", none ? 0 : all[all.size() / 2].ratio()});
    check.figures.push_back({"held_out_worst_true_over_stored", none ? 0 : all.back().ratio()});
}

void check_pose_scale(const DagModel& model, DeepCheck& check) {
    check.figures.push_back({"pose_scale", static_cast<double>(model.pose_scale)});
    if (!(model.expected_pose_scale > 0)) return;
    const double ratio =
        static_cast<double>(model.pose_scale) / static_cast<double>(model.expected_pose_scale);
    if (ratio <= kMostScaleRatio && ratio * kMostScaleRatio >= 1) return;
    ++check.failed;
    check.findings.push_back({"poses", cat("lengths at rest are ", model.expected_pose_scale,
                                           " times the mesh's own, the stored scale is ", model.pose_scale)});
}

}  // namespace

std::vector<DeepCheck> check_stored_errors(const Context& context) {
    Measure m{context, {context.model.positions}, {}, {}, {}, {}, {}, rounding_of(context.model)};
    for (const auto& pose : context.model.poses) m.poses.emplace_back(pose);
    for (const auto& pose : context.model.held_out_poses) m.poses.emplace_back(pose);
    for (std::size_t c = 0; c < context.model.clusters.size(); ++c) {
        if (context.model.clusters[c].child_group >= 0) continue;
        const auto corners = context.corners(c);
        m.source.insert(m.source.end(), corners.begin(), corners.end());
    }
    if (!m.source.empty()) {
        m.source_surface.resize(m.poses.size());
        parallel_each(m.poses.size(), context.threads, [&](std::size_t p) {
            m.source_surface[p] = std::make_unique<Surface>(m.poses[p], m.source);
        });
        place_samples(m);
        measure_all(m);
        parallel_each(m.measured.size(), context.threads, [&](std::size_t g) { measure_beyond(m, g); });
    }
    std::vector<Compared> rest, posed, held_out;
    std::uint64_t samples = 0, few = 0, beyond = 0;
    for (std::uint32_t g = 0; g < m.measured.size(); ++g) {
        const auto& deviation = m.measured[g].deviation;
        if (deviation.empty()) continue;
        samples += m.measured[g].samples;
        beyond += m.measured[g].beyond.size();
        few += m.measured[g].samples < kLeastSamples ? 1U : 0U;
        rest.push_back(
            {g, static_cast<double>(context.model.groups[g].geometric_error), std::sqrt(deviation[0])});
        const auto held_out_begin =
            deviation.begin() + 1 + static_cast<std::ptrdiff_t>(context.model.poses.size());
        const double stored = static_cast<double>(context.model.groups[g].posed_error);
        if (!context.model.poses.empty())
            posed.push_back({g, stored, std::sqrt(*std::max_element(deviation.begin() + 1, held_out_begin))});
        if (held_out_begin != deviation.end())
            held_out.push_back({g, stored, std::sqrt(*std::max_element(held_out_begin, deviation.end()))});
    }
    std::vector<DeepCheck> out;
    out.push_back(compare_errors(context, "stored_errors", rest));
    out.back().figures.push_back({"source_samples", static_cast<double>(samples)});
    out.back().figures.push_back({"samples_measured_on_the_cut", static_cast<double>(beyond)});
    out.back().figures.push_back({"groups_with_few_samples", static_cast<double>(few)});
    out.push_back(compare_errors(context, "posed_errors", posed));
    if (context.model.poses.empty()) return out;
    out.back().figures.push_back({"poses", static_cast<double>(context.model.poses.size())});
    out.back().figures.push_back(
        {"held_out_poses", static_cast<double>(context.model.held_out_poses.size())});
    report_held_out(std::move(held_out), out.back());
    check_pose_scale(context.model, out.back());
    return out;
}

}  // namespace sinter::deep
