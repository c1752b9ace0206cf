#include "verify_dag.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/mesh_arrays.hpp>

#include <algorithm>
#include <optional>

namespace sinter {
namespace {

class PageCheck {
public:
    PageCheck(VerifyContext& context, DagFacts& facts)
        : context_(context),
          facts_(facts),
          reached_(facts.mesh, context.list, facts.where),
          reference_(context.list, FindingCode::PageReference, facts.where),
          dependency_(context.list, FindingCode::PageDependency, facts.where),
          limits_(context.list, FindingCode::ClusterLimits, facts.where),
          material_(context.list, FindingCode::MaterialReference, facts.where) {}

    bool run() {
        if (!records_follow()) {
            context_.sections.mention_range(SectionType::PageData, page_section_id(facts_.index, 0),
                                            page_section_id(facts_.index, 0xFFFFFFFFU));
            return false;
        }
        bool sound = true;
        for (std::uint32_t p = 0; p < facts_.pages.size(); ++p) sound = check_page(p) && sound;
        if (sound && !reached_.box_is_exact()) {
            context_.list.add(FindingCode::BoundsBox, facts_.where,
                              "the stored box is not the box of the decoded positions");
        }
        return sound;
    }

private:
    void wrong_record(std::size_t p, std::string message) {
        context_.list.add(FindingCode::PageRecord, cat(facts_.in("cluster_pages"), ", record ", p),
                          std::move(message));
    }

    // Each page's vertices, groups and dependencies begin where those of the page before end.
    bool records_follow() {
        std::uint64_t vertex = 0;
        std::uint64_t group = 0;
        std::uint64_t dependency = 0;
        for (std::size_t p = 0; p < facts_.pages.size(); ++p) {
            const ClusterPageRecord& r = facts_.pages[p];
            if (r.first_vertex != vertex || r.first_group != group || r.first_dependency != dependency ||
                r.reserved != 0) {
                wrong_record(p, cat("begins at vertex ", r.first_vertex, ", group ", r.first_group,
                                    ", dependency ", r.first_dependency, ", reserved ", r.reserved,
                                    "; must be ", vertex, ", ", group, ", ", dependency, ", 0"));
                return false;
            }
            vertex += r.vertex_count;
            group += r.group_count;
            dependency += r.dependency_count;
        }
        if (vertex == facts_.mesh.vertex_count && group == facts_.groups.size() &&
            dependency == facts_.dependencies.size()) {
            return true;
        }
        context_.list.add(FindingCode::PageRecord, facts_.in("cluster_pages"),
                          cat("end at vertex ", vertex, ", group ", group, ", dependency ", dependency,
                              "; there are ", facts_.mesh.vertex_count, ", ", facts_.groups.size(), ", ",
                              facts_.dependencies.size()));
        return false;
    }

    bool check_page(std::uint32_t p) {
        const ClusterPageRecord& record = facts_.pages[p];
        const auto bytes = context_.sections.load(SectionType::PageData, page_section_id(facts_.index, p), 1,
                                                  record.byte_count);
        if (!bytes) {
            if (record.byte_count == 0) wrong_record(p, "a page of no bytes");
            return false;
        }
        const auto page = view_page(*bytes);
        if (!page) {
            context_.list.add(FindingCode::Page, cat(facts_.where, ", page ", p), page.error().message);
            return false;
        }
        if (!check_record(p, page->header())) return false;
        add_positions(record, *page);
        used_.clear();
        for (std::uint32_t c = 0; c < page->header().cluster_count; ++c) check_cluster(p, *page, c);
        check_dependencies(p);
        return true;
    }

    bool check_record(std::uint32_t p, const PageHeader& h) {
        const ClusterPageRecord& r = facts_.pages[p];
        if (h.page != p || h.vertex_count != r.vertex_count || h.cluster_count != r.cluster_count ||
            h.reference_count != r.reference_count || h.triangle_count != r.triangle_count) {
            wrong_record(p, cat("the page is number ", h.page, " with ", h.vertex_count, " vertices, ",
                                h.cluster_count, " clusters, ", h.reference_count, " references, ",
                                h.triangle_count, " triangles; the record says ", r.vertex_count, ", ",
                                r.cluster_count, ", ", r.reference_count, ", ", r.triangle_count));
            return false;
        }
        const manifest::MeshT& mesh = facts_.mesh;
        const bool tangents = (h.flags & kPageHasTangents) != 0;
        if (h.position_bits != mesh.grid->bits || h.normal_bits != mesh.normal->bits ||
            tangents != (mesh.tangent->bits != 0)) {
            wrong_record(p, cat("positions of ", h.position_bits, " bits, normals of ", h.normal_bits,
                                tangents ? ", tangents" : ", no tangents", "; the mesh has ", mesh.grid->bits,
                                ", ", mesh.normal->bits,
                                mesh.tangent->bits != 0 ? " and tangents" : " and no tangents"));
            return false;
        }
        if (r.byte_count > kMaxPageBytes && r.group_count != 1) {
            wrong_record(p, cat(r.byte_count, " bytes with ", r.group_count, " groups; at most ",
                                kMaxPageBytes, " but for one group alone"));
        }
        return true;
    }

    void add_positions(const ClusterPageRecord& record, const PageView& page) {
        const manifest::GridT& grid = *facts_.mesh.grid;
        for (std::uint32_t v = 0; v < page.header().vertex_count; ++v) {
            reached_.add(std::size_t{record.first_vertex} + v,
                         grid_decode(point_of(*grid.center), grid.step, page.grid_position(v)));
        }
    }

    void check_cluster(std::uint32_t p, const PageView& page, std::uint32_t c) {
        const ClusterRecord cluster = page.cluster(c);
        const std::size_t number = facts_.clusters.size();
        ClusterFact& fact = facts_.clusters.emplace_back(ClusterFact{.cull_center = cluster.cull_center,
                                                                     .cull_radius = cluster.cull_radius,
                                                                     .page = p,
                                                                     .group = cluster.group,
                                                                     .child_group = cluster.child_group,
                                                                     .material = cluster.material,
                                                                     .triangles = cluster.triangle_count,
                                                                     .vertices = cluster.vertex_count});
        for (std::uint32_t i = 0; i < cluster.vertex_count; ++i) {
            const std::uint32_t entry = reference_entry(page.reference(cluster, i));
            used_.push_back(page.table_page(cluster, entry));
            const std::uint32_t vertex = vertex_of(facts_.pages, page, cluster, i);
            if (vertex == kNoVertex) {
                reference_.at(number, [&] {
                    return cat("cluster of page ", p, " refers to vertex ",
                               reference_vertex(page.reference(cluster, i)), " of page ", used_.back(),
                               ", which has fewer");
                });
                continue;
            }
            fact.last_vertex = std::max(fact.last_vertex, vertex);
        }
        std::ranges::sort(used_);
        used_.erase(std::ranges::unique(used_).begin(), used_.end());
        if (fact.triangles > facts_.dag.max_triangles || fact.vertices > facts_.dag.max_vertices) {
            limits_.at(number, [&] {
                return cat("cluster of page ", p, " with ", fact.triangles, " triangles and ", fact.vertices,
                           " vertices; at most ", facts_.dag.max_triangles, " and ", facts_.dag.max_vertices);
            });
        }
        if (fact.material >= static_cast<std::int64_t>(context_.manifest.materials.size())) {
            material_.at(number, [&] {
                return cat("cluster of page ", p, " has material ", fact.material, " of ",
                           context_.manifest.materials.size());
            });
        }
    }

    // The list must name the pages in used_ but the page itself, rising.
    void check_dependencies(std::uint32_t p) {
        std::erase(used_, p);
        const ClusterPageRecord& record = facts_.pages[p];
        const auto named =
            std::span(facts_.dependencies).subspan(record.first_dependency, record.dependency_count);
        if (std::ranges::equal(used_, named)) return;
        const auto text = [](std::span<const std::uint32_t> pages) {
            constexpr std::size_t kShown = 8;
            std::string out;
            for (const std::uint32_t page : pages.first(std::min(pages.size(), kShown)))
                out += cat(' ', page);
            return pages.size() > kShown ? out + " .." : pages.empty() ? " none" : out;
        };
        dependency_.at(p, [&] {
            return cat("page ", p, " names the pages", text(named), " and uses vertices of", text(used_),
                       "; it names those that it uses, rising");
        });
    }

    VerifyContext& context_;
    DagFacts& facts_;
    BoxAndSphere reached_;
    RecordProblem reference_;
    RecordProblem dependency_;
    RecordProblem limits_;
    RecordProblem material_;
    std::vector<std::uint32_t> used_;  // pages that the clusters of this one refer to
};

}  // namespace

bool verify_pages(VerifyContext& context, DagFacts& facts) { return PageCheck(context, facts).run(); }

}  // namespace sinter
