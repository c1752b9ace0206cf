#include "cooker/import/check.hpp"
#include "cooker/import/check_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

namespace sinter::check {
namespace {

// Counts what the file has: corners of one control point are one vertex.
struct VertexTally {
    Tally tally;
    std::set<std::uint32_t> seen;
    void add(const Primitive& p, std::size_t v, const auto& where) {
        if (p.source_vertex.empty() || seen.insert(p.source_vertex[v]).second) tally.add(where);
    }
};

struct Tallies {
    VertexTally negative, non_finite, doubled, sum, unweighted;
};

// What was wrong with the weights of one vertex.
struct Faults {
    bool negative = false, non_finite = false, doubled = false, sum = false, unweighted = false;
};

// One vertex: drops what is no weight, adds up repeated joints, divides by the sum. Appends to `out`.
Faults repair_vertex(std::span<const Influence> source, std::uint32_t root_joint,
                     std::vector<Influence>& out) {
    const std::size_t first = out.size();
    Faults faults;
    std::uint32_t home = root_joint;
    std::vector<double> weights;
    double sum = 0;
    for (const Influence& influence : source) {
        if (influence.weight == 0) continue;
        const bool finite = std::isfinite(influence.weight);
        if (!finite && !faults.non_finite) home = influence.joint;
        faults.non_finite = faults.non_finite || !finite;
        faults.negative = faults.negative || influence.weight < 0;
        const double weight = finite ? std::max(0.0, static_cast<double>(influence.weight)) : 0.0;
        sum += weight;
        const auto same = std::find_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                                       [&](const Influence& i) { return i.joint == influence.joint; });
        if (same != out.end()) {
            faults.doubled = true;
            weights[static_cast<std::size_t>(same - out.begin()) - first] += weight;
        } else {
            out.push_back({influence.joint, 0});
            weights.push_back(weight);
        }
    }
    // Weights that sum to 1 within the rounding of floats stay as they are.
    const double rounding = static_cast<double>(weights.size()) / (1 << 24);
    if (std::abs(sum - 1) <= rounding) sum = 1;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        out[first + i].weight = sum > 0 ? static_cast<float>(weights[i] / sum) : 0.0F;
    }
    const auto vanished = std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                                         [](const Influence& i) { return !(i.weight > 0); });
    out.erase(vanished, out.end());
    faults.unweighted = out.size() == first;
    if (faults.unweighted) out.push_back({home, 1});
    faults.sum = !faults.unweighted && !faults.non_finite && std::abs(sum - 1) > kWeightSumTolerance;
    return faults;
}

Result<Unit> check_primitive(const Scene& scene, const Primitive& p, const std::string& where,
                             std::size_t limit) {
    bool shape = p.influence_offsets.size() == p.vertex_count() + 1 && p.influence_offsets.front() == 0 &&
                 p.influence_offsets.back() == p.influences.size();
    shape = shape && std::ranges::is_sorted(p.influence_offsets);
    if (!shape) {
        return refusal(scene, IssueCode::IndexOutOfRange, where,
                       "the influences do not fit the number of vertices", "export the file again");
    }
    const auto bad = std::ranges::find_if(p.influences, [&](const Influence& i) { return i.joint >= limit; });
    if (bad == p.influences.end()) return Unit{};
    const auto at = static_cast<std::uint32_t>(bad - p.influences.begin());
    const auto next = std::ranges::upper_bound(p.influence_offsets, at);
    return refusal(scene, IssueCode::JointOutOfRange,
                   fmt::format("{}, vertex {}", where, next - p.influence_offsets.begin() - 1),
                   fmt::format("joint {} is out of range, the skin has {} joints", bad->joint, limit),
                   "bind the mesh to its skeleton again");
}

void repair_primitive(Primitive& p, std::uint32_t root_joint, const std::string& where, Tallies& tallies) {
    std::vector<Influence> out;
    out.reserve(p.influences.size());
    std::vector<std::uint32_t> offsets{0};
    offsets.reserve(p.vertex_count() + 1);
    for (std::size_t v = 0; v < p.vertex_count(); ++v) {
        std::span<const Influence> source;
        if (!p.influence_offsets.empty()) {
            source =
                std::span(p.influences)
                    .subspan(p.influence_offsets[v], p.influence_offsets[v + 1] - p.influence_offsets[v]);
        }
        const Faults faults = repair_vertex(source, root_joint, out);
        const auto at = [&] { return fmt::format("{}, vertex {}", where, v); };
        if (faults.negative) tallies.negative.add(p, v, at);
        if (faults.non_finite) tallies.non_finite.add(p, v, at);
        if (faults.doubled) tallies.doubled.add(p, v, at);
        if (faults.sum) tallies.sum.add(p, v, at);
        if (faults.unweighted) tallies.unweighted.add(p, v, at);
        offsets.push_back(static_cast<std::uint32_t>(out.size()));
    }
    p.influences = std::move(out);
    p.influence_offsets = std::move(offsets);
}

void tell(const Tallies& t, Issues& issues) {
    t.negative.tally.tell(issues, IssueCode::NegativeWeights,
                          "{n} vertices have a negative weight; taken as 0");
    t.non_finite.tally.tell(issues, IssueCode::NonFiniteWeights,
                            "{n} vertices have a weight that is not finite; taken as 0, and a vertex without "
                            "another weight follows the joint that it names");
    t.doubled.tally.tell(issues, IssueCode::DuplicateInfluences,
                         "{n} vertices name one joint twice; its weights are added up");
    t.sum.tally.tell(
        issues, IssueCode::WeightSum,
        fmt::format(
            "{{n}} vertices have weights that do not sum to 1 (off by more than {}); divided by their sum",
            kWeightSumTolerance));
    t.unweighted.tally.tell(issues, IssueCode::UnweightedVertices,
                            "{n} vertices have no weight above 0; bound to a single joint (the one that they "
                            "name, else the skin's root)");
}

}  // namespace

Result<Unit> check_influences(Scene& scene, std::size_t index, const MeshUse& use, Issues& issues) {
    Mesh& mesh = scene.meshes[index];
    const auto where = [&](std::size_t i) {
        return fmt::format("{}, primitive {}", place("mesh", index, mesh.name), i);
    };
    const bool any =
        std::ranges::any_of(mesh.primitives, [](const Primitive& p) { return !p.influence_offsets.empty(); });
    if ((use.drawn && !use.skinned) || use.joint_limit == 0) {
        if (!any) return Unit{};
        for (Primitive& p : mesh.primitives) {
            p.influences.clear();
            p.influence_offsets.clear();
        }
        issues.add(IssueCode::IgnoredContent, place("mesh", index, mesh.name),
                   "the mesh has influences, but no node draws it with a skin; left out");
        return Unit{};
    }
    if (!any && !use.skinned) return Unit{};
    Tallies tallies;
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
        Primitive& p = mesh.primitives[i];
        if (!p.influence_offsets.empty()) SINTER_TRY(check_primitive(scene, p, where(i), use.joint_limit));
        repair_primitive(p, use.root_joint, where(i), tallies);
    }
    tell(tallies, issues);
    return Unit{};
}

}  // namespace sinter::check
