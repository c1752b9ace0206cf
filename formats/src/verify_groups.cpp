#include "verify_dag.hpp"

#include <algorithm>
#include <cmath>

namespace sinter {
namespace {

enum class End : std::uint8_t { Simplified, Root, Stuck };
constexpr std::uint8_t kNotSimplified = 3;  // path
constexpr std::uint8_t kLastReason = 2;

End end_of(const ClusterGroupRecord& g) { return static_cast<End>(g.end); }

bool is_length(float value) { return std::isfinite(value) && value >= 0; }

// Calls visit(cluster, group) for each cluster, groups in their order. Pre: verify_group_ranges.
template <typename Visit>
void for_each_cluster(const DagFacts& facts, Visit&& visit) {
    for (const ClusterFact& cluster : facts.clusters) visit(cluster, facts.groups[cluster.group]);
}

bool check_links(VerifyContext& context, const DagFacts& facts) {
    RecordProblem link(context.list, FindingCode::GroupLink, facts.in("cluster_groups"));
    bool sound = true;
    const auto wrong = [&](std::size_t group, auto&& message) {
        sound = false;
        link.at(group, message);
    };
    std::vector<bool> replaced(facts.groups.size());
    for_each_cluster(facts, [&](const ClusterFact& cluster, const ClusterGroupRecord& group) {
        if (cluster.child_group < 0) return;
        const auto child = static_cast<std::size_t>(cluster.child_group);
        if (child >= facts.groups.size() || child <= cluster.group ||
            facts.groups[child].level >= group.level) {
            wrong(cluster.group, [&] {
                return cat("of level ", group.level, " replaces group ", child, " of ", facts.groups.size(),
                           child < facts.groups.size() ? cat(", of level ", facts.groups[child].level) : "",
                           "; must come after it and be of a lower level");
            });
            return;
        }
        replaced[child] = true;
    });
    for (std::size_t g = 0; g < facts.groups.size(); ++g) {
        const ClusterGroupRecord& group = facts.groups[g];
        if (group.level >= facts.dag.levels.size()) {
            wrong(g, [&] { return cat("is of level ", group.level, " of ", facts.dag.levels.size()); });
        }
        if (replaced[g] != (end_of(group) == End::Simplified)) {
            wrong(g, [&] {
                return replaced[g] ? "is replaced, although it was not simplified"
                                   : "was simplified, but no cluster replaces it";
            });
        }
    }
    return sound;
}

bool check_ends(VerifyContext& context, const DagFacts& facts) {
    RecordProblem end(context.list, FindingCode::GroupEnd, facts.in("cluster_groups"));
    RecordProblem reserved(context.list, FindingCode::ReservedBits, facts.in("cluster_groups"));
    bool sound = true;
    for (std::size_t g = 0; g < facts.groups.size(); ++g) {
        const ClusterGroupRecord& r = facts.groups[g];
        const bool known = r.end <= static_cast<std::uint8_t>(End::Stuck) && r.path <= kNotSimplified &&
                           r.reason <= kLastReason;
        if (!known || (end_of(r) == End::Simplified) != (r.path != kNotSimplified) ||
            (end_of(r) == End::Stuck) != (r.reason != 0) || r.locked_points > r.points) {
            sound = false;
            end.at(g, [&] {
                return cat(
                    "end ", static_cast<unsigned>(r.end), ", path ", static_cast<unsigned>(r.path),
                    ", reason ", static_cast<unsigned>(r.reason), ", ", r.locked_points, " of ", r.points,
                    " points locked: only simplified groups (0) have a path (0 to 2), only stuck ones (2) a "
                    "reason (1, 2)");
            });
        }
        if (r.reserved0 != 0 || r.reserved1 != 0)
            reserved.at(g, [] { return "reserved bytes are not zero"; });
    }
    return sound;
}

// Of a group by itself.
bool has_sound_errors(const ClusterGroupRecord& r) {
    if (!is_length(r.geometric_error) || !is_length(r.posed_error) || !is_length(r.attribute_error) ||
        !is_length(r.lod_error)) {
        return false;
    }
    if (end_of(r) != End::Simplified) return r.lod_error == kNoReplacementError;
    return r.lod_error < kNoReplacementError && r.lod_error >= std::max(r.geometric_error, r.posed_error);
}

void check_errors(VerifyContext& context, const DagFacts& facts) {
    RecordProblem error(context.list, FindingCode::GroupError, facts.in("cluster_groups"));
    for (std::size_t g = 0; g < facts.groups.size(); ++g) {
        const ClusterGroupRecord& r = facts.groups[g];
        if (has_sound_errors(r)) continue;
        error.at(g, [&] {
            return cat(
                "lod_error ", r.lod_error, ", geometric ", r.geometric_error, ", posed ", r.posed_error,
                ", attribute ", r.attribute_error,
                ": 0 or more, the first at least the next two, and the largest float only where nothing "
                "replaces the group");
        });
    }
    constexpr double kStep = 1.001;
    for_each_cluster(facts, [&](const ClusterFact& cluster, const ClusterGroupRecord& r) {
        if (cluster.child_group < 0) return;
        const ClusterGroupRecord& child = facts.groups[static_cast<std::size_t>(cluster.child_group)];
        const double least = kStep * static_cast<double>(child.lod_error);
        if (static_cast<double>(r.lod_error) >= least && r.geometric_error >= child.geometric_error &&
            r.posed_error >= child.posed_error) {
            return;
        }
        error.at(cluster.group, [&] {
            return cat("lod_error ", r.lod_error, ", geometric ", r.geometric_error, ", posed ",
                       r.posed_error, ": at least 1.001, 1 and 1 times those of group ", cluster.child_group,
                       ", ", child.lod_error, ", ", child.geometric_error, ", ", child.posed_error);
        });
    });
}

void check_spheres(VerifyContext& context, const DagFacts& facts) {
    RecordProblem sphere(context.list, FindingCode::GroupBounds, facts.in("cluster_groups"));
    std::vector<bool> sound(facts.groups.size());
    for (std::size_t g = 0; g < facts.groups.size(); ++g) {
        const ClusterGroupRecord& r = facts.groups[g];
        sound[g] = std::ranges::all_of(r.lod_center, [](float c) { return std::isfinite(c); }) &&
                   is_length(r.lod_radius);
        if (!sound[g]) sphere.at(g, [] { return "its sphere is not finite, or has a radius below 0"; });
    }
    for_each_cluster(facts, [&](const ClusterFact& cluster, const ClusterGroupRecord& r) {
        if (!sound[cluster.group]) return;
        if (!contains_sphere(r.lod_center, r.lod_radius, cluster.cull_center, cluster.cull_radius)) {
            sphere.at(cluster.group,
                      [] { return "its sphere does not contain that of one of its clusters"; });
        }
        if (cluster.child_group < 0) return;
        const auto child = static_cast<std::size_t>(cluster.child_group);
        if (sound[child] && !contains_sphere(r.lod_center, r.lod_radius, facts.groups[child].lod_center,
                                             facts.groups[child].lod_radius)) {
            sphere.at(cluster.group,
                      [&] { return cat("its sphere does not contain that of group ", child); });
        }
    });
}

// One page: its groups' clusters follow each other and are all of the page's. `first` is the page's first cluster.
bool check_page_groups(VerifyContext& context, const DagFacts& facts, std::uint32_t p, std::size_t first,
                       RecordProblem& problem) {
    const ClusterPageRecord& page = facts.pages[p];
    std::uint64_t next = 0;
    for (std::uint32_t g = page.first_group; g < page.first_group + page.group_count; ++g) {
        const ClusterGroupRecord& r = facts.groups[g];
        const std::uint64_t end = next + r.cluster_count;
        bool sound =
            r.page == p && r.first_cluster == next && r.cluster_count > 0 && end <= page.cluster_count;
        for (std::uint64_t c = next; sound && c < end; ++c) sound = facts.clusters[first + c].group == g;
        if (!sound) {
            problem.at(g, [&] {
                return cat("has clusters ", r.first_cluster, " + ", r.cluster_count, " of page ", r.page,
                           "; those of page ", p, " go on at ", next, " of ", page.cluster_count,
                           ", and each cluster names its group");
            });
            return false;
        }
        next = end;
    }
    if (next == page.cluster_count) return true;
    context.list.add(FindingCode::ClusterGroup, cat(facts.where, ", page ", p),
                     cat(page.cluster_count, " clusters, of which ", next, " are in its groups"));
    return false;
}

}  // namespace

bool verify_group_ranges(VerifyContext& context, const DagFacts& facts) {
    RecordProblem problem(context.list, FindingCode::ClusterGroup, facts.in("cluster_groups"));
    std::size_t first = 0;
    bool sound = true;
    for (std::uint32_t p = 0; p < facts.pages.size(); ++p) {
        sound = check_page_groups(context, facts, p, first, problem) && sound;
        first += facts.pages[p].cluster_count;
    }
    return sound;
}

bool verify_groups(VerifyContext& context, const DagFacts& facts) {
    if (!check_ends(context, facts) || !check_links(context, facts)) return false;
    check_errors(context, facts);
    check_spheres(context, facts);
    RecordProblem page(context.list, FindingCode::PageRecord, facts.in("cluster_pages"));
    for (std::size_t p = 0; p < facts.pages.size(); ++p) {
        const ClusterPageRecord& r = facts.pages[p];
        float largest = 0;
        for (std::uint32_t g = r.first_group; g < r.first_group + r.group_count; ++g)
            largest = std::max(largest, facts.groups[g].lod_error);
        if (!(r.max_lod_error == largest)) {
            page.at(p, [&] { return cat("max_lod_error ", r.max_lod_error, ", its groups' is ", largest); });
        }
    }
    return true;
}

}  // namespace sinter
