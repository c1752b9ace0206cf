// What all deep checks share: the model, who replaces whom, and the report.
#pragma once

#include "../text.hpp"
#include "vector.hpp"

#include <sinter/formats/deep.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter::deep {

// Lists of numbers, one list an item.
struct Lists {
    std::vector<std::uint32_t> first{0};  // one more than there are lists
    std::vector<std::uint32_t> items;
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t i) const {
        return std::span(items).subspan(first[i], first[i + 1] - first[i]);
    }
};

struct Context {
    const DagModel& model;
    const DeepOptions& options;
    std::uint32_t threads = 1;
    // Only after the structure was found to be sound.
    Lists replacing;                   // of each group: the clusters that replace it
    std::vector<std::uint32_t> order;  // groups by level, then by index: children before parents

    [[nodiscard]] std::span<const std::uint32_t> corners(std::size_t cluster) const {
        const DagCluster& c = model.clusters[cluster];
        return std::span(model.corners).subspan(c.first_corner, std::size_t{c.triangle_count} * 3);
    }
    [[nodiscard]] std::size_t last_cluster(const DagGroup& g) const {
        return std::size_t{g.first_cluster} + g.cluster_count;
    }
};

// Counts and lists failures of one check.
class Findings {
public:
    Findings(const Context& context, std::string_view name, std::string_view subject)
        : most_(context.options.max_findings) {
        check_.name = name;
        check_.subject = subject;
    }
    void count(std::uint64_t checked) { check_.checked += checked; }
    template <typename Where, typename Message>
    void expect(bool holds, const Where& where, const Message& message) {
        if (holds) return;
        ++check_.failed;
        if (check_.findings.size() < most_) check_.findings.push_back({where(), message()});
    }
    void add(std::string where, std::string message) {
        ++check_.failed;
        if (check_.findings.size() < most_) check_.findings.push_back({std::move(where), std::move(message)});
    }
    // Failures found by a thread, in the order of the subjects.
    void take(std::vector<DeepFinding>& found) {
        for (DeepFinding& f : found) add(std::move(f.where), std::move(f.message));
        found.clear();
    }
    void figure(std::string_view name, double value) { check_.figures.push_back({name, value}); }
    [[nodiscard]] bool clean() const { return check_.failed == 0; }
    [[nodiscard]] DeepCheck done() { return std::move(check_); }

private:
    std::size_t most_;
    DeepCheck check_;
};

[[nodiscard]] inline bool never_fine(float lod_error) {
    return lod_error >= std::numeric_limits<float>::max();
}

// The cut rule in the arithmetic in which a shader runs it: float, additions and multiplications only.
[[nodiscard]] inline bool too_coarse(const DagSphere& bounds, float lod_error, const Float3& eye,
                                     float scale) {
    const float dx = bounds.center[0] - eye[0], dy = bounds.center[1] - eye[1],
                dz = bounds.center[2] - eye[2];
    const float reach = bounds.radius + lod_error * scale;
    return never_fine(lod_error) || dx * dx + dy * dy + dz * dz < reach * reach;
}

}  // namespace sinter::deep
