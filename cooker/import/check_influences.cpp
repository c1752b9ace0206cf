#include "cooker/import/check.hpp"
#include "cooker/import/check_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace sinter::check {
namespace {

struct Tallies {
    Tally negative, non_finite, doubled, sum, unweighted;
};

// One vertex: drops what is no weight, adds up repeated joints, divides by the sum. Appends to `out`.
void repair_vertex(std::span<const Influence> source, std::uint32_t root_joint, std::vector<Influence>& out,
                   Tallies& tallies, const auto& where) {
    const std::size_t first = out.size();
    bool negative = false, non_finite = false, doubled = false;
    std::uint32_t home = root_joint;
    std::vector<double> weights;
    for (const Influence& influence : source) {
        if (influence.weight == 0) continue;
        if (!std::isfinite(influence.weight) && !non_finite) home = influence.joint;
        non_finite = non_finite || !std::isfinite(influence.weight);
        negative = negative || influence.weight < 0;
        const double weight =
            std::isfinite(influence.weight) ? std::max(0.0, static_cast<double>(influence.weight)) : 0.0;
        const auto same = std::find_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                                       [&](const Influence& i) { return i.joint == influence.joint; });
        if (same != out.end()) {
            doubled = true;
            weights[static_cast<std::size_t>(same - out.begin()) - first] += weight;
        } else {
            out.push_back({influence.joint, 0});
            weights.push_back(weight);
        }
    }
    double sum = 0;
    for (const double weight : weights) sum += weight;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        out[first + i].weight = sum > 0 ? static_cast<float>(weights[i] / sum) : 0.0F;
    }
    out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                             [](const Influence& i) { return !(i.weight > 0); }),
              out.end());
    if (out.size() == first) {
        out.push_back({home, 1});
        tallies.unweighted.add(where);
    } else if (!non_finite && std::abs(sum - 1) > kWeightSumTolerance) {
        tallies.sum.add(where);
    }
    if (negative) tallies.negative.add(where);
    if (non_finite) tallies.non_finite.add(where);
    if (doubled) tallies.doubled.add(where);
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
        repair_vertex(source, root_joint, out, tallies,
                      [&] { return fmt::format("{}, vertex {}", where, v); });
        offsets.push_back(static_cast<std::uint32_t>(out.size()));
    }
    p.influences = std::move(out);
    p.influence_offsets = std::move(offsets);
}

void tell(const Tallies& t, Issues& issues) {
    t.negative.tell(issues, IssueCode::NegativeWeights,
                    fmt::format("{} vertices have a negative weight; taken as 0", t.negative.count));
    t.non_finite.tell(
        issues, IssueCode::NonFiniteWeights,
        fmt::format("{} vertices have a weight that is not finite; taken as 0, and a vertex without "
                    "another weight follows the joint that it names",
                    t.non_finite.count));
    t.doubled.tell(
        issues, IssueCode::DuplicateInfluences,
        fmt::format("{} vertices name one joint twice; its weights are added up", t.doubled.count));
    t.sum.tell(
        issues, IssueCode::WeightSum,
        fmt::format(
            "{} vertices have weights that do not sum to 1 (off by more than {}); divided by their sum",
            t.sum.count, kWeightSumTolerance));
    t.unweighted.tell(
        issues, IssueCode::UnweightedVertices,
        fmt::format("{} vertices have no weight above 0; bound to a single joint (the one that they "
                    "name, else the skin's root)",
                    t.unweighted.count));
}

} // namespace

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

} // namespace sinter::check
