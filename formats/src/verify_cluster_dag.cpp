// Checks of a cluster DAG that go over all of it: tables, hierarchy, prefixes, statistics.
#include "verify_dag.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace sinter {
namespace {

// Records of one section; nothing where it is not there as the manifest says.
template <typename Record>
std::optional<std::vector<Record>> load_records(VerifyContext& context, SectionType type, std::uint32_t mesh,
                                                std::uint64_t count) {
    const auto bytes = context.sections.load(type, mesh, sizeof(Record), count);
    if (!bytes && count > 0) return std::nullopt;
    std::vector<Record> out(count);
    if (bytes) std::memcpy(out.data(), bytes->data(), bytes->size());
    return out;
}

bool load_tables(VerifyContext& context, DagFacts& facts) {
    const auto load = [&]<typename Record>(std::vector<Record>& into, SectionType type, std::uint32_t count) {
        auto records = load_records<Record>(context, type, facts.index, count);
        if (!records) return false;
        into = *std::move(records);
        return true;
    };
    const manifest::ClusterDagT& dag = facts.dag;
    bool sound = load(facts.groups, SectionType::ClusterGroups, dag.group_count);
    sound = load(facts.hierarchy, SectionType::ClusterHierarchy, dag.hierarchy_node_count) && sound;
    sound = load(facts.pages, SectionType::ClusterPages, dag.page_count) && sound;
    sound = load(facts.dependencies, SectionType::ClusterPageDependencies, dag.dependency_count) && sound;
    return load(facts.prefixes, SectionType::ClusterPrefixes, dag.prefix_count) && sound;
}

bool check_dag_fields(VerifyContext& context, const DagFacts& facts) {
    const manifest::ClusterDagT& dag = facts.dag;
    if (dag.group_count > 0 && dag.page_count > 0 && dag.hierarchy_node_count > 0 && dag.prefix_count > 0 &&
        !dag.levels.empty()) {
        return true;
    }
    context.list.add(FindingCode::ManifestField, facts.where,
                     cat("a cluster DAG of ", dag.levels.size(), " levels, ", dag.group_count, " groups, ",
                         dag.page_count, " pages, ", dag.hierarchy_node_count, " nodes, ", dag.prefix_count,
                         " prefixes; none may be 0"));
    return false;
}

// The poses in which errors were measured: as many as stated, of things that are there.
void check_poses(VerifyContext& context, const DagFacts& facts) {
    const manifest::ClusterDagT& dag = facts.dag;
    const auto wrong = [&](std::string message) {
        context.list.add(FindingCode::ManifestField, facts.where, std::move(message));
    };
    if (dag.measured_poses.size() != dag.poses)
        wrong(cat(dag.measured_poses.size(), " measured poses, must be ", dag.poses));
    if (!std::isfinite(dag.pose_scale) || (dag.pose_scale > 0) != (dag.poses > 0))
        wrong(cat("poses of scale ", dag.pose_scale, ", must be above 0, and 0 without poses"));
    for (std::size_t p = 0; p < dag.measured_poses.size(); ++p) {
        const manifest::MeasuredPoseT& pose = *dag.measured_poses[p];
        const auto in = [](std::int32_t index, const auto& list) {
            return index >= 0 && static_cast<std::size_t>(index) < list.size();
        };
        const auto& [nodes, clips, shapes] =
            std::tie(context.manifest.nodes, context.manifest.clips, facts.mesh.shapes);
        bool sound = in(pose.node, nodes) && nodes[static_cast<std::size_t>(pose.node)]->mesh ==
                                                 static_cast<std::int32_t>(facts.index);
        sound = sound &&
                (pose.clip == -1 ? pose.frame == 0
                                 : in(pose.clip, clips) &&
                                       pose.frame < clips[static_cast<std::size_t>(pose.clip)]->frame_count);
        sound = sound &&
                (pose.shape == -1
                     ? pose.shape_frame == 0
                     : in(pose.shape, shapes) &&
                           pose.shape_frame < shapes[static_cast<std::size_t>(pose.shape)]->frames.size());
        if (sound) continue;
        wrong(cat("pose ", p, ": node ", pose.node, ", clip ", pose.clip, ", frame ", pose.frame, ", shape ",
                  pose.shape, ", frame ", pose.shape_frame,
                  "; each must be there or -1, the node draw the mesh"));
    }
}

// --- hierarchy ---

class HierarchyCheck {
public:
    HierarchyCheck(VerifyContext& context, const DagFacts& facts)
        : facts_(facts),
          tree_(context.list, FindingCode::HierarchyTree, facts.in("cluster_hierarchy")),
          bounds_(context.list, FindingCode::HierarchyBounds, facts.in("cluster_hierarchy")),
          node_seen_(facts.hierarchy.size()),
          group_seen_(facts.groups.size()) {}

    void run() {
        std::vector<std::uint32_t> open{0};
        node_seen_[0] = true;
        while (!open.empty() && sound_) {
            const std::uint32_t n = open.back();
            open.pop_back();
            check_node(n, open);
        }
        if (!sound_) return;
        missing(node_seen_, "node");
        missing(group_seen_, "group");
        if (sound_) check_bounds();
    }

private:
    void wrong(std::size_t node, std::string message) {
        sound_ = false;
        tree_.at(node, [&] { return std::move(message); });
    }

    void check_node(std::uint32_t n, std::vector<std::uint32_t>& open) {
        const ClusterHierarchyNode& node = facts_.hierarchy[n];
        std::size_t used = 0;
        while (used < kHierarchyWidth && node.child[used] != kHierarchyNone) ++used;
        if (used == 0) wrong(n, "has no children");
        for (std::size_t i = used; i < kHierarchyWidth; ++i) {
            if (node.child[i] != kHierarchyNone || node.center_x[i] != 0 || node.center_y[i] != 0 ||
                node.center_z[i] != 0 || node.radius[i] != 0 || node.lod_error[i] != 0) {
                return wrong(n, cat("slot ", i, " is used after an unused one, or not zero"));
            }
        }
        for (std::size_t i = 0; i < used; ++i) {
            const bool is_group = (node.child[i] & kHierarchyGroup) != 0;
            const std::uint32_t child = node.child[i] & ~kHierarchyGroup;
            std::vector<bool>& seen = is_group ? group_seen_ : node_seen_;
            if (child >= seen.size() || seen[child]) {
                return wrong(n, cat(is_group ? "group " : "node ", child, " of ", seen.size(),
                                    child < seen.size() ? " is in the tree twice" : " is not there"));
            }
            seen[child] = true;
            if (!is_group) open.push_back(child);
        }
    }

    void missing(const std::vector<bool>& seen, std::string_view noun) {
        const auto absent = std::ranges::find(seen, false);
        if (absent == seen.end()) return;
        wrong(0, cat(noun, ' ', absent - seen.begin(), " of ", seen.size(), " is not in the tree"));
    }

    // A child's sphere and error against those of what is below it.
    void check_bounds() {
        for (std::size_t n = 0; n < facts_.hierarchy.size(); ++n) {
            const ClusterHierarchyNode& node = facts_.hierarchy[n];
            for (std::size_t i = 0; i < kHierarchyWidth && node.child[i] != kHierarchyNone; ++i) {
                const Point center{node.center_x[i], node.center_y[i], node.center_z[i]};
                bool sound = std::isfinite(node.lod_error[i]);
                const auto hold = [&](const Point& inner, float radius, float error) {
                    sound = sound && node.lod_error[i] >= error &&
                            contains_sphere(center, node.radius[i], inner, radius);
                };
                const std::uint32_t child = node.child[i] & ~kHierarchyGroup;
                if ((node.child[i] & kHierarchyGroup) != 0) {
                    const ClusterGroupRecord& g = facts_.groups[child];
                    hold(g.lod_center, g.lod_radius, g.lod_error);
                } else {
                    const ClusterHierarchyNode& below = facts_.hierarchy[child];
                    for (std::size_t k = 0; k < kHierarchyWidth && below.child[k] != kHierarchyNone; ++k)
                        hold({below.center_x[k], below.center_y[k], below.center_z[k]}, below.radius[k],
                             below.lod_error[k]);
                }
                if (!sound) {
                    bounds_.at(n, [&] {
                        return cat("child ", i, ": its sphere or its error is smaller than one below it");
                    });
                }
            }
        }
    }

    const DagFacts& facts_;
    RecordProblem tree_;
    RecordProblem bounds_;
    std::vector<bool> node_seen_;
    std::vector<bool> group_seen_;
    bool sound_ = true;
};

// --- prefixes ---

// What the cuts at the prefixes' errors draw, each prefix's after those before it.
struct CutUse {
    std::vector<std::int64_t> triangles;  // changes from prefix to prefix
    std::vector<std::uint64_t> vertices;  // needed from this prefix on
    std::vector<std::uint64_t> pages;
};

// A cluster is drawn at the prefixes from the first whose error is below its group's to the last before the first whose
// error is below its child group's.
CutUse use_of_cuts(const DagFacts& facts) {
    const auto first_below = [&](float error) {
        const auto at = std::ranges::partition_point(
            facts.prefixes, [&](const ClusterPrefixRecord& p) { return p.lod_error >= error; });
        return static_cast<std::size_t>(at - facts.prefixes.begin());
    };
    CutUse use;
    use.triangles.resize(facts.prefixes.size() + 1);
    use.vertices.resize(facts.prefixes.size() + 1);
    use.pages.resize(facts.prefixes.size() + 1);
    for (const ClusterFact& c : facts.clusters) {
        const std::size_t begin = first_below(facts.groups[c.group].lod_error);
        const std::size_t end =
            c.child_group < 0 ? facts.prefixes.size()
                              : first_below(facts.groups[static_cast<std::size_t>(c.child_group)].lod_error);
        if (begin >= end) continue;
        use.triangles[begin] += c.triangles;
        use.triangles[end] -= c.triangles;
        use.vertices[begin] = std::max(use.vertices[begin], std::uint64_t{c.last_vertex} + 1);
        use.pages[begin] = std::max(use.pages[begin], std::uint64_t{c.page} + 1);
    }
    return use;
}

bool prefixes_follow(const DagFacts& facts, RecordProblem& problem) {
    bool sound = true;
    for (std::size_t i = 0; i < facts.prefixes.size(); ++i) {
        const ClusterPrefixRecord& r = facts.prefixes[i];
        const ClusterPrefixRecord before =
            i == 0 ? ClusterPrefixRecord{.lod_error = kNoReplacementError} : facts.prefixes[i - 1];
        const bool last = i + 1 == facts.prefixes.size();
        if (!(r.lod_error < before.lod_error) || !(r.lod_error >= 0) || (last && r.lod_error != 0) ||
            r.vertex_count < before.vertex_count || r.page_count < before.page_count ||
            r.vertex_count > facts.mesh.vertex_count || r.page_count > facts.pages.size()) {
            sound = false;
            problem.at(i, [&] {
                return cat("error ", r.lod_error, ", ", r.vertex_count, " of ", facts.mesh.vertex_count,
                           " vertices, ", r.page_count, " of ", facts.pages.size(),
                           " pages: errors fall to 0, counts do not");
            });
        }
    }
    return sound;
}

// --- statistics ---

bool same_level(const manifest::ClusterLevelT& a, const manifest::ClusterLevelT& b) {
    return a.clusters == b.clusters && a.groups == b.groups && a.triangles == b.triangles &&
           a.stuck_groups == b.stuck_groups && a.min_error == b.min_error && a.max_error == b.max_error;
}

std::string level_text(const manifest::ClusterLevelT& l) {
    return cat(l.clusters, " clusters, ", l.groups, " groups, ", l.triangles, " triangles, ", l.stuck_groups,
               " stuck, errors ", l.min_error, " to ", l.max_error);
}

// The level table and the sums of the manifest, counted anew.
manifest::ClusterDagT counted(const DagFacts& facts) {
    manifest::ClusterDagT out;
    for (std::size_t i = 0; i < facts.dag.levels.size(); ++i)
        out.levels.push_back(std::make_unique<manifest::ClusterLevelT>());
    std::vector<std::uint32_t> simplified(facts.dag.levels.size());
    for (const ClusterGroupRecord& g : facts.groups) {
        manifest::ClusterLevelT& level = *out.levels[g.level];
        ++level.groups;
        constexpr std::uint8_t kStuck = 2;
        level.stuck_groups += g.end == kStuck ? 1 : 0;
        if (g.end != 0) continue;
        level.min_error = simplified[g.level]++ == 0 ? g.lod_error : std::min(level.min_error, g.lod_error);
        level.max_error = std::max(level.max_error, g.lod_error);
    }
    for (const ClusterFact& c : facts.clusters) {
        const ClusterGroupRecord& g = facts.groups[c.group];
        ++out.levels[g.level]->clusters;
        out.levels[g.level]->triangles += c.triangles;
        out.stored_triangles += c.triangles;
        out.reference_count += c.vertices;
        ++out.cluster_count;
        out.root_triangles += g.end != 0 ? c.triangles : 0;
        out.root_clusters += g.end != 0 ? 1 : 0;
    }
    for (const ClusterPageRecord& page : facts.pages) out.resident_bytes += page.byte_count;
    return out;
}

void check_full_detail(VerifyContext& context, const DagFacts& facts) {
    std::map<std::int32_t, std::int64_t> missing;  // triangles, by material
    for (const auto& submesh : facts.mesh.submeshes) missing[submesh->material] += submesh->index_count / 3;
    for (const ClusterFact& c : facts.clusters) {
        if (c.child_group < 0) missing[c.material] -= c.triangles;
    }
    for (const auto& [material, count] : missing) {
        if (count == 0) continue;
        context.list.add(FindingCode::FullDetail, facts.where,
                         cat("clusters of full detail with material ", material, " have ",
                             count < 0 ? -count : count, count < 0 ? " triangles more" : " triangles fewer",
                             " than the submeshes"));
        return;
    }
}

}  // namespace

void verify_hierarchy(VerifyContext& context, const DagFacts& facts) { HierarchyCheck(context, facts).run(); }

void verify_prefixes(VerifyContext& context, const DagFacts& facts) {
    RecordProblem problem(context.list, FindingCode::Prefix, facts.in("cluster_prefixes"));
    if (!prefixes_follow(facts, problem)) return;
    const CutUse use = use_of_cuts(facts);
    std::int64_t triangles = 0;
    for (std::size_t i = 0; i < facts.prefixes.size(); ++i) {
        const ClusterPrefixRecord& r = facts.prefixes[i];
        triangles += use.triangles[i];
        if (triangles == r.triangle_count && use.vertices[i] <= r.vertex_count &&
            use.pages[i] <= r.page_count)
            continue;
        problem.at(i, [&] {
            return cat("the first ", r.vertex_count, " vertices and ", r.page_count, " pages for ",
                       r.triangle_count, " triangles; the cut at ", r.lod_error, " has ", triangles,
                       " triangles, and what it draws that ", "the one before does not needs ",
                       use.vertices[i], " vertices and ", use.pages[i], " pages");
        });
    }
}

void verify_dag_statistics(VerifyContext& context, const DagFacts& facts) {
    const manifest::ClusterDagT now = counted(facts);
    const manifest::ClusterDagT& dag = facts.dag;
    for (std::size_t i = 0; i < dag.levels.size(); ++i) {
        if (same_level(*dag.levels[i], *now.levels[i])) continue;
        context.list.add(
            FindingCode::DagStatistics, cat(facts.where, ", level ", i),
            cat(level_text(*dag.levels[i]), " stored; ", level_text(*now.levels[i]), " counted"));
    }
    if (dag.cluster_count != now.cluster_count || dag.stored_triangles != now.stored_triangles ||
        dag.reference_count != now.reference_count || dag.root_triangles != now.root_triangles ||
        dag.root_clusters != now.root_clusters || dag.resident_bytes != now.resident_bytes ||
        dag.clones > facts.mesh.vertex_count) {
        const auto text = [](const manifest::ClusterDagT& d) {
            return cat(d.cluster_count, " clusters, ", d.stored_triangles, " triangles, ", d.reference_count,
                       " references, ", d.root_triangles, " triangles in ", d.root_clusters,
                       " root clusters, ", d.resident_bytes, " bytes");
        };
        context.list.add(FindingCode::DagStatistics, facts.where,
                         cat(text(dag), " stored, ", text(now), " counted; ", dag.clones, " clones of ",
                             facts.mesh.vertex_count, " vertices"));
    }
    check_full_detail(context, facts);
}

MeshFacts verify_cluster_dag(VerifyContext& context, std::uint32_t index) {
    const manifest::MeshT& mesh = *context.manifest.meshes[index];
    DagFacts facts{.mesh = mesh,
                   .dag = *mesh.cluster_dag,
                   .index = index,
                   .where = place("mesh", index, mesh.name),
                   .groups = {},
                   .hierarchy = {},
                   .pages = {},
                   .dependencies = {},
                   .prefixes = {},
                   .clusters = {}};
    MeshFacts out;
    check_poses(context, facts);
    if (!check_dag_fields(context, facts) || !load_tables(context, facts)) {
        mention_cluster_dag(context, index);
        return out;
    }
    if (!verify_pages(context, facts)) return out;
    out.pages_known = true;
    for (const ClusterPageRecord& page : facts.pages) out.batch_breaks.push_back(page.first_vertex);
    for (const ClusterPrefixRecord& prefix : facts.prefixes) out.batch_breaks.push_back(prefix.vertex_count);
    std::ranges::sort(out.batch_breaks);
    if (!verify_group_ranges(context, facts) || !verify_groups(context, facts)) return out;
    verify_hierarchy(context, facts);
    verify_prefixes(context, facts);
    verify_dag_statistics(context, facts);
    return out;
}

void mention_cluster_dag(VerifyContext& context, std::uint32_t index) {
    for (const SectionType type :
         {SectionType::ClusterGroups, SectionType::ClusterHierarchy, SectionType::ClusterPages,
          SectionType::ClusterPageDependencies, SectionType::ClusterPrefixes, SectionType::SkinBatches}) {
        context.sections.mention(type, index);
    }
    context.sections.mention_range(SectionType::PageData, page_section_id(index, 0),
                                   page_section_id(index, 0xFFFFFFFFU));
}

}  // namespace sinter
