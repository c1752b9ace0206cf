#include "cuts.hpp"

#include "parallel.hpp"
#include "random.hpp"

#include <algorithm>
#include <cmath>

namespace sinter::deep {
namespace {

using Decisions = std::vector<std::uint8_t>;  // by group: too coarse, must not be replaced

Decisions uniform_decisions(const Context& k, float error) {
    Decisions out(k.model.groups.size());
    for (std::size_t g = 0; g < out.size(); ++g) {
        const float e = k.model.groups[g].lod_error;
        out[g] = never_fine(e) || e > error ? 1 : 0;
    }
    return out;
}

Decisions perspective_decisions(const Context& k, const Float3& eye, float scale) {
    Decisions out(k.model.groups.size());
    for (std::size_t g = 0; g < out.size(); ++g) {
        out[g] = too_coarse(k.model.groups[g].lod_bounds, k.model.groups[g].lod_error, eye, scale) ? 1 : 0;
    }
    return out;
}

// Finite errors above 0, rising.
std::vector<float> errors_of(const Context& k) {
    std::vector<float> out;
    for (const DagGroup& g : k.model.groups) {
        if (!never_fine(g.lod_error) && g.lod_error > 0) out.push_back(g.lod_error);
    }
    std::ranges::sort(out);
    return out;
}

// Errors at even steps through those of the groups, the first 0, the last beyond all.
std::vector<Decisions> uniform_cuts(const Context& k, std::uint32_t count) {
    const std::vector<float> errors = errors_of(k);
    std::vector<Decisions> out;
    for (std::uint32_t i = 0; i < count; ++i) {
        float error = 0;
        if (i > 0 && !errors.empty()) {
            error = i + 1 == count ? errors.back() : errors[(errors.size() - 1) * i / count];
        }
        out.push_back(uniform_decisions(k, error));
    }
    return out;
}

// Eyes in and around the mesh, scales such that a sampled group is just fine enough at some distance from its sphere.
std::vector<Decisions> perspective_cuts(const Context& k, std::uint32_t count) {
    const std::vector<float> errors = errors_of(k);
    std::vector<Decisions> out;
    Random random(7);
    for (std::uint32_t i = 0; i < count; ++i) {
        const DagSphere& around = k.model.groups[k.order.back()].lod_bounds;
        const double radius = static_cast<double>(around.radius);
        const Vec eye = vec(around.center) + random.direction() * (radius * random.unit() * 3);
        const double error = errors.empty() ? 1 : static_cast<double>(errors[random.below(errors.size())]);
        const double distance = radius * std::pow(10.0, random.unit() * 2 - 1.5);
        const double scale = std::min(distance / error, 1e15);
        out.push_back(perspective_decisions(k, to_float(eye), static_cast<float>(scale)));
    }
    return out;
}

struct CutResult {
    std::uint64_t triangles = 0, open_edges = 0;
    std::vector<DeepFinding> faults;
};

CutResult check_cut(const Context& k, const Borders& b, const Decisions& coarse, std::size_t number) {
    CutResult out;
    const std::string where = cat("cut ", number);
    Chain boundary, expected;
    std::uint64_t torn = 0;
    for (std::size_t c = 0; c < k.model.clusters.size(); ++c) {
        const DagCluster& cluster = k.model.clusters[c];
        const bool child_coarse =
            cluster.child_group >= 0 && coarse[static_cast<std::size_t>(cluster.child_group)] != 0;
        if (child_coarse && coarse[cluster.group] == 0) ++torn;
        if (child_coarse || coarse[cluster.group] == 0) continue;
        out.triangles += cluster.triangle_count;
        append_chain(boundary, b.boundary[c], 1);
        append_chain(expected, b.open[c], 1);
    }
    if (torn != 0) {
        out.faults.push_back(
            {where, cat("replaces a group but not all groups below it, by ", torn, " clusters")});
    }
    reduce(boundary);
    out.open_edges = boundary.size();
    const auto is_loose = [&](const ChainEdge& e) { return b.loose[e.low()] != 0 || b.loose[e.high()] != 0; };
    const auto torn_edge = [&](const ChainEdge& e) {
        return !is_loose(e) && (b.on_border[e.low()] == 0 || b.on_border[e.high()] == 0);
    };
    const auto report = [&](std::uint64_t edges, const ChainEdge& first) {
        out.faults.push_back(
            {where, cat(edges, " edges are open that are no open border, the first from point ", first.low(),
                        " to ", first.high())});
    };
    // By points alone, which needs nothing that the border check found out; then edge by edge.
    if (const auto found = std::ranges::find_if(boundary, torn_edge); found != boundary.end()) {
        report(static_cast<std::uint64_t>(std::ranges::count_if(boundary, torn_edge)), *found);
        return out;
    }
    append_chain(boundary, expected, -1);
    reduce(boundary);
    std::erase_if(boundary, is_loose);
    if (!boundary.empty()) report(boundary.size(), boundary[0]);
    return out;
}

}  // namespace

DeepCheck check_cuts(const Context& context, const Borders& borders) {
    Findings found(context, "cuts", "cuts");
    if (context.model.groups.empty()) return found.done();
    std::vector<Decisions> cuts = uniform_cuts(context, context.options.uniform_cuts);
    for (Decisions& d : perspective_cuts(context, context.options.perspective_cuts))
        cuts.push_back(std::move(d));
    std::vector<CutResult> results(cuts.size());
    parallel_each(cuts.size(), context.threads,
                  [&](std::size_t i) { results[i] = check_cut(context, borders, cuts[i], i); });
    std::uint64_t triangles = 0, open_edges = 0;
    found.count(cuts.size());
    for (CutResult& r : results) {
        triangles += r.triangles;
        open_edges += r.open_edges;
        found.take(r.faults);
    }
    found.figure("triangles", static_cast<double>(triangles));
    found.figure("open_edges", static_cast<double>(open_edges));
    return found.done();
}

}  // namespace sinter::deep
