#include "cooker/skin/influences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>

namespace sinter {
namespace {

// A total order: larger weights first, equal ones by joint.
bool stronger(const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
}

struct Slot {
    std::uint16_t joint = 0;
    std::uint16_t weight = 0;
};

// What is over `most` influences is cut; the weight that it had.
double cut(std::vector<Influence>& influences, std::size_t most) {
    std::ranges::sort(influences, stronger);
    double dropped = 0;
    for (std::size_t i = most; i < influences.size(); ++i)
        dropped += static_cast<double>(influences[i].weight);
    influences.resize(std::min(influences.size(), most));
    return dropped;
}

std::vector<Slot> quantize(const std::vector<Influence>& influences, std::uint32_t full_scale) {
    std::vector<double> weights;
    weights.reserve(influences.size());
    for (const Influence& i : influences) weights.push_back(static_cast<double>(i.weight));
    const std::vector<std::uint32_t> integers = quantize_weights(weights, full_scale);
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < integers.size(); ++i) {
        if (integers[i] == 0) continue;
        slots.push_back(
            {static_cast<std::uint16_t>(influences[i].joint), static_cast<std::uint16_t>(integers[i])});
    }
    // Remainders may have lifted an equal weight of a later joint above an earlier one.
    std::ranges::sort(
        slots, [](Slot a, Slot b) { return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint; });
    return slots;
}

std::size_t class_of(std::size_t count) { return count == 0 ? 0 : count == 1 ? 1 : count <= 4 ? 2 : 3; }

}  // namespace

std::vector<std::uint32_t> quantize_weights(std::span<const double> weights, std::uint32_t full_scale) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    std::vector<std::uint32_t> integers(weights.size());
    std::vector<double> remainders(weights.size());
    std::uint64_t given = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double exact = weights[i] / sum * static_cast<double>(full_scale);
        const double whole = std::min(std::floor(exact), static_cast<double>(full_scale));
        integers[i] = static_cast<std::uint32_t>(whole);
        remainders[i] = exact - whole;
        given += integers[i];
    }
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return remainders[a] != remainders[b] ? remainders[a] > remainders[b] : a < b;
    });
    // The floors miss the sum by less than one for each weight, so one round is enough.
    for (std::size_t k = 0; given < full_scale && k < order.size(); ++k, ++given) ++integers[order[k]];
    return integers;
}

namespace {

struct Losses {
    std::string first;
    double most = 0;
    std::set<std::uint32_t> seen;  // control points, where the file has them: each counts once
};

// The influences of one vertex in falling order, at most `most` of them.
std::vector<Influence> strongest(const Mesh& mesh, std::size_t primitive, std::size_t v, std::size_t most,
                                 EncodedInfluences& out, Losses& losses) {
    const Primitive& p = mesh.primitives[primitive];
    std::vector<Influence> influences(p.influences.begin() + p.influence_offsets[v],
                                      p.influences.begin() + p.influence_offsets[v + 1]);
    out.max_source = std::max(out.max_source, static_cast<std::uint32_t>(influences.size()));
    if (influences.size() > most &&
        (p.source_vertex.empty() || losses.seen.insert(p.source_vertex[v]).second)) {
        if (out.dropped_vertices++ == 0) losses.first = fmt::format("primitive {}, vertex {}", primitive, v);
    }
    losses.most = std::max(losses.most, cut(influences, most));
    return influences;
}

// Slots of all vertices, `per_vertex` each, packed into the smallest class that holds the largest vertex.
void pack(const std::vector<Slot>& slots, std::size_t per_vertex, EncodedInfluences& out) {
    constexpr std::array<std::uint32_t, 4> kStrides{0, 1, 4, 8};
    out.stride = kStrides[class_of(out.max)];
    const std::size_t vertices = slots.size() / per_vertex;
    out.joints.reserve(vertices * out.stride);
    out.weights.reserve(vertices * out.stride);
    for (std::size_t v = 0; v < vertices; ++v) {
        for (std::size_t s = 0; s < out.stride; ++s) {
            const Slot slot = s < per_vertex ? slots[v * per_vertex + s] : Slot{};
            out.joints.push_back(slot.joint);
            out.weights.push_back(slot.weight);
        }
    }
}

}  // namespace

EncodedInfluences encode_influences(const Mesh& mesh, const SkinOptions& options, Issues& issues) {
    EncodedInfluences out;
    out.weight_bits = options.weight_bits;
    const std::uint32_t full_scale = (1U << options.weight_bits) - 1;
    const std::size_t per_vertex = options.max_influences;
    const auto bare = [](const Primitive& p) { return p.influence_offsets.empty(); };
    if (std::ranges::all_of(mesh.primitives, bare)) {
        for (const Primitive& p : mesh.primitives) out.class_counts[0] += p.vertex_count();
        return out;
    }
    std::vector<Slot> slots;
    Losses losses;
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
        for (std::size_t v = 0; v < mesh.primitives[p].vertex_count(); ++v) {
            std::vector<Slot> vertex;
            if (!mesh.primitives[p].influence_offsets.empty()) {
                vertex = quantize(strongest(mesh, p, v, per_vertex, out, losses), full_scale);
            }
            out.max = std::max(out.max, static_cast<std::uint32_t>(vertex.size()));
            ++out.class_counts[class_of(vertex.size())];
            vertex.resize(per_vertex);
            slots.insert(slots.end(), vertex.begin(), vertex.end());
        }
    }
    out.max_dropped_weight = static_cast<float>(losses.most);
    pack(slots, per_vertex, out);
    if (out.dropped_vertices > 0) {
        issues.add(
            IssueCode::TooManyInfluences, fmt::format("mesh '{}', {}", mesh.name, losses.first),
            fmt::format("{} vertices have more than {} influences, {} at most; the largest are kept and "
                        "divided by their sum, a vertex lost at most {:.4g} of its weight",
                        out.dropped_vertices, options.max_influences, out.max_source, losses.most),
            out.dropped_vertices);
    }
    return out;
}

}  // namespace sinter
