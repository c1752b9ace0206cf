#include "tests/cluster/laid_out.hpp"

#include "cooker/cluster/dag.hpp"
#include "cooker/mesh/prepare.hpp"

#include <sinter/formats/page.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

namespace sinter::test {
namespace {

class LayoutChecker {
public:
    explicit LayoutChecker(const LaidOut& laid)
        : mesh_(laid.mesh), dag_(laid.dag), paged_(laid.paged), built_(laid.built) {}

    LayoutCheck run(std::uint32_t cuts) {
        check_structure();
        if (!report_.faults.empty()) return report_;  // what follows would read out of range
        for (std::uint32_t c = 0; c < paged_.clusters.size(); ++c) check_cluster(c);
        check_pages();
        check_owners();
        check_order();
        check_batches();
        check_prefixes(cuts);
        return report_;
    }

private:
    void expect(bool holds, const std::string& what) {
        if (!holds && report_.faults.size() < 20) report_.faults.push_back(what);
    }
    void expect(bool holds, const std::string& what, std::size_t number) {
        if (!holds) expect(false, what + " " + std::to_string(number));
    }

    [[nodiscard]] const ClusterGroup& source_of(std::uint32_t group) const {
        return dag_.groups[paged_.groups[group].source];
    }
    [[nodiscard]] std::uint32_t page_of_vertex(std::uint32_t v) const {
        const auto after = std::ranges::upper_bound(paged_.pages, v, {}, &Page::first_vertex);
        return static_cast<std::uint32_t>(after - paged_.pages.begin()) - 1;
    }

    // Ranges of pages, groups and clusters follow each other; every cluster of the DAG is there once.
    void check_structure() {
        std::uint32_t vertex = 0, group = 0, cluster = 0;
        for (std::uint32_t p = 0; p < paged_.pages.size(); ++p) {
            const Page& page = paged_.pages[p];
            expect(page.first_vertex == vertex && page.first_group == group && page.first_cluster == cluster,
                   "page does not follow", p);
            expect(page.group_count > 0 && page.vertex_count > 0, "page without groups or vertices", p);
            expect(page.vertex_count <= 4096, "page with too many vertices", p);
            expect(page.byte_count <= 131072 || page.group_count == 1, "page with too many bytes", p);
            for (std::uint32_t g = group; g < group + page.group_count; ++g) {
                expect(paged_.groups[g].page == p, "page of group", g);
                expect(paged_.groups[g].first_cluster == cluster, "group does not follow", g);
                expect(source_of(g).lod_error == paged_.groups[g].lod_error, "error of group", g);
                cluster += paged_.groups[g].cluster_count;
            }
            vertex += page.vertex_count;
            group += page.group_count;
        }
        expect(vertex == paged_.source_vertex.size() && group == paged_.groups.size() &&
                   cluster == paged_.clusters.size(),
               "pages do not hold everything");
        std::vector<int> seen(dag_.clusters.size(), 0);
        for (const PagedCluster& c : paged_.clusters) ++seen[c.source];
        expect(std::ranges::all_of(seen, [](int n) { return n == 1; }), "clusters are not there once each");
    }

    static std::array<std::uint32_t, 3> turned(std::array<std::uint32_t, 3> t) {
        std::ranges::rotate(t, std::ranges::min_element(t));
        return t;
    }

    void check_cluster(std::uint32_t c) {
        const PagedCluster& cluster = paged_.clusters[c];
        const Cluster& source = dag_.clusters[cluster.source];
        const PagedGroup& group = paged_.groups[cluster.group];
        expect(c >= group.first_cluster && c < group.first_cluster + group.cluster_count, "group of cluster",
               c);
        expect(group.source == source.group, "source group of cluster", c);
        const bool same_child =
            source.child_group == kNone
                ? cluster.child_group == kNone
                : cluster.child_group != kNone &&
                      paged_.groups[static_cast<std::size_t>(cluster.child_group)].source ==
                          static_cast<std::uint32_t>(source.child_group);
        expect(same_child, "child group of cluster", c);
        expect(cluster.triangle_count == source.triangle_count && cluster.vertex_count == source.vertex_count,
               "size of cluster", c);
        std::multiset<std::array<std::uint32_t, 3>> before, after;
        for (std::uint32_t t = 0; t < source.triangle_count; ++t) {
            std::array<std::uint32_t, 3> old{}, now{};
            for (std::uint32_t k = 0; k < 3; ++k) {
                old[k] = dag_.indices[source.first_index + t * 3 + k];
                const std::uint8_t local = paged_.triangles[(cluster.first_triangle + t) * 3 + k];
                expect(local < cluster.vertex_count, "local vertex of cluster", c);
                now[k] = paged_.source_vertex[paged_.vertex_of(cluster, local)];
            }
            before.insert(turned(old));
            after.insert(turned(now));
        }
        expect(before == after, "triangles of cluster", c);
    }

    // Tables, references and dependencies, and the page's bytes by the code that writes them.
    void check_pages() {
        for (std::uint32_t p = 0; p < paged_.pages.size(); ++p) {
            const Page& page = paged_.pages[p];
            std::set<std::uint32_t> used;
            for (std::uint32_t c = page.first_cluster; c < page.first_cluster + page.cluster_count; ++c) {
                const PagedCluster& cluster = paged_.clusters[c];
                expect(cluster.table_size >= 1 && cluster.table_size <= 16, "table of cluster", c);
                std::set<std::uint32_t> own;
                for (std::uint32_t i = 0; i < cluster.vertex_count; ++i) {
                    const std::uint16_t r = paged_.references[cluster.first_reference + i];
                    expect((r >> 12U) < cluster.table_size, "reference beyond the table of cluster", c);
                    const std::uint32_t to = paged_.tables[cluster.first_table_entry + (r >> 12U)];
                    expect(to <= p, "reference to a later page of cluster", c);
                    expect((r & 0xFFFU) < paged_.pages[to].vertex_count, "reference beyond a page of cluster",
                           c);
                    own.insert(to);
                }
                report_.most_pages = std::max(report_.most_pages, static_cast<std::uint32_t>(own.size()));
                used.merge(own);
            }
            used.erase(p);
            const auto first = paged_.dependencies.begin() + page.first_dependency;
            expect(std::vector<std::uint32_t>(used.begin(), used.end()) ==
                       std::vector<std::uint32_t>(first, first + page.dependency_count),
                   "dependencies of page", p);
            check_bytes(p);
        }
    }

    void check_bytes(std::uint32_t p) {
        const Page& page = paged_.pages[p];
        const std::vector<ResidentVertex16> vertices(page.vertex_count);
        const std::vector<OctNormal> normals(mesh_.normals.empty() ? 0 : page.vertex_count);
        std::vector<PageCluster> clusters;
        for (std::uint32_t c = page.first_cluster; c < page.first_cluster + page.cluster_count; ++c) {
            const PagedCluster& cluster = paged_.clusters[c];
            PageCluster& out = clusters.emplace_back();
            out.group = cluster.group;
            out.table = std::span(paged_.tables).subspan(cluster.first_table_entry, cluster.table_size);
            out.references =
                std::span(paged_.references).subspan(cluster.first_reference, cluster.vertex_count);
            out.triangles = std::span(paged_.triangles)
                                .subspan(cluster.first_triangle * std::size_t{3},
                                         cluster.triangle_count * std::size_t{3});
        }
        PageContent content;
        content.page = p;
        content.normal_bits = normals.empty() ? 0 : 32;
        content.vertices16 = vertices;
        content.normals = normals;
        content.clusters = clusters;
        const auto bytes = pack_page(content);
        expect(bytes.ok(), bytes ? "" : "page cannot be packed: " + bytes.error().line());
        if (!bytes) return;
        expect(bytes->size() <= page.byte_count && page.byte_count < bytes->size() + 64, "bytes of page", p);
    }

    // The groups that replace a group, and so on.
    [[nodiscard]] std::vector<std::set<std::uint32_t>> parents() const {
        std::vector<std::set<std::uint32_t>> out(paged_.groups.size());
        for (const PagedCluster& c : paged_.clusters) {
            if (c.child_group != kNone) out[static_cast<std::size_t>(c.child_group)].insert(c.group);
        }
        return out;
    }

    // Of all groups that use a vertex, one is the vertex's page's and the others are below it.
    void check_owners() {
        std::vector<std::vector<std::uint32_t>> users(paged_.source_vertex.size());
        for (const PagedCluster& c : paged_.clusters) {
            for (std::uint32_t i = 0; i < c.vertex_count; ++i) {
                auto& list = users[paged_.vertex_of(c, i)];
                if (list.empty() || list.back() != c.group) list.push_back(c.group);
                ++report_.references;
            }
        }
        owner_.assign(users.size(), 0);
        for (std::uint32_t v = 0; v < users.size(); ++v) {
            expect(!users[v].empty(), "nobody uses vertex", v);
            for (const std::uint32_t g : users[v]) {
                const bool larger = paged_.groups[g].lod_error > paged_.groups[owner_[v]].lod_error;
                if (g == users[v].front() || larger) owner_[v] = g;
            }
            expect(paged_.groups[owner_[v]].page == page_of_vertex(v), "owner's page of vertex", v);
        }
        check_users(users);
    }

    void check_users(const std::vector<std::vector<std::uint32_t>>& users) {
        std::vector<std::vector<std::uint32_t>> owners_of_group(paged_.groups.size());
        for (std::uint32_t v = 0; v < users.size(); ++v) {
            for (const std::uint32_t g : users[v]) owners_of_group[g].push_back(owner_[v]);
        }
        const auto up = parents();
        for (std::uint32_t g = 0; g < up.size(); ++g) {
            std::set<std::uint32_t> ancestors{g};
            std::vector<std::uint32_t> open{g};
            while (!open.empty()) {
                const std::uint32_t at = open.back();
                open.pop_back();
                for (const std::uint32_t parent : up[at]) {
                    if (ancestors.insert(parent).second) open.push_back(parent);
                }
            }
            for (const std::uint32_t owner : owners_of_group[g]) {
                expect(ancestors.contains(owner), "a vertex's owner is no ancestor of group", g);
                report_.foreign += owner != g ? 1U : 0U;
            }
        }
    }

    [[nodiscard]] std::uint32_t class_of(std::uint32_t v) const {
        const EncodedInfluences& in = mesh_.influences;
        std::uint32_t used = 0;
        for (std::uint32_t i = 0; i < in.stride; ++i) {
            used += in.weights[paged_.source_vertex[v] * std::size_t{in.stride} + i] > 0 ? 1U : 0U;
        }
        return used < 2 ? used : (used < 5 ? 4 : 8);
    }

    // Bands follow each other; inside a page vertices stand by band, then class, then first use.
    void check_order() {
        std::vector<float> most, least;
        for (std::uint32_t g = 0; g < paged_.groups.size(); ++g) {
            const PagedGroup& group = paged_.groups[g];
            expect(g == 0 ? group.band == 0 : group.band - paged_.groups[g - 1].band <= 1, "band of group",
                   g);
            if (group.band >= most.size()) {
                most.resize(group.band + 1, group.lod_error);
                least.resize(group.band + 1, group.lod_error);
            }
            most[group.band] = std::max(most[group.band], group.lod_error);
            least[group.band] = std::min(least[group.band], group.lod_error);
        }
        for (std::size_t b = 1; b < most.size(); ++b) expect(most[b] < least[b - 1], "errors of band", b);
        std::vector<std::uint32_t> first_use(paged_.source_vertex.size(), 0xFFFFFFFFU);
        std::uint32_t clock = 0;
        for (const PagedCluster& c : paged_.clusters) {
            for (std::uint32_t i = 0; i < c.vertex_count; ++i, ++clock) {
                const std::uint32_t v = paged_.vertex_of(c, i);
                if (page_of_vertex(v) == paged_.groups[c.group].page)
                    first_use[v] = std::min(first_use[v], clock);
            }
        }
        const auto place = [&](std::uint32_t v) {
            return std::array<std::uint32_t, 4>{page_of_vertex(v), paged_.groups[owner_[v]].band, class_of(v),
                                                first_use[v]};
        };
        for (std::uint32_t v = 1; v < paged_.source_vertex.size(); ++v) {
            expect(place(v - 1) < place(v), "order of vertex", v);
        }
    }

    void check_batches() {
        if (mesh_.influences.stride == 0 && mesh_.shapes.empty()) {
            expect(paged_.batches.empty(), "batches of a mesh that does not move");
            return;
        }
        std::uint32_t next = 0;
        for (std::size_t b = 0; b < paged_.batches.size(); ++b) {
            const SkinBatch& batch = paged_.batches[b];
            expect(batch.first == next && batch.count >= 1 && batch.count <= 128, "batch", b);
            for (std::uint32_t v = batch.first; v < std::uint32_t{batch.first} + batch.count; ++v) {
                expect(class_of(v) == batch.influences, "class of vertex", v);
                expect(page_of_vertex(v) == page_of_vertex(batch.first), "page of batch", b);
                expect(paged_.groups[owner_[v]].band == paged_.groups[owner_[batch.first]].band,
                       "band of batch", b);
            }
            next += batch.count;
        }
        expect(next == paged_.source_vertex.size(), "batches do not hold all vertices");
    }

    struct Cut {
        std::uint32_t end = 0, distinct = 0, pages = 0, triangles = 0;
    };

    // By the rule alone, over clusters of the DAG's errors.
    [[nodiscard]] Cut cut_at(float error) const {
        Cut cut;
        std::vector<bool> used(paged_.source_vertex.size());
        for (const PagedCluster& c : paged_.clusters) {
            const bool too_fine = c.child_group != kNone &&
                                  source_of(static_cast<std::uint32_t>(c.child_group)).lod_error > error;
            if (too_fine || !(source_of(c.group).lod_error > error)) continue;
            cut.triangles += c.triangle_count;
            cut.pages = std::max(cut.pages, paged_.groups[c.group].page + 1);
            for (std::uint32_t i = 0; i < c.vertex_count; ++i) {
                const std::uint32_t v = paged_.vertex_of(c, i);
                cut.distinct += used[v] ? 0U : 1U;
                used[v] = true;
                cut.end = std::max(cut.end, v + 1);
            }
        }
        return cut;
    }

    void check_prefixes(std::uint32_t cuts) {
        const auto& prefixes = paged_.prefixes;
        expect(!prefixes.empty() && prefixes.back().lod_error == 0, "the last prefix is not for error 0");
        const std::uint64_t clones = paged_.owner_clones + paged_.table_clones;
        for (std::size_t i = 0; i < prefixes.size(); ++i) {
            if (i > 0)
                expect(prefixes[i].lod_error < prefixes[i - 1].lod_error, "errors do not fall at prefix", i);
            const Cut cut = cut_at(prefixes[i].lod_error);
            expect(cut.end <= prefixes[i].vertices && cut.pages <= prefixes[i].pages, "beyond prefix", i);
            expect(!built_ || cut.distinct + clones >= prefixes[i].vertices, "not all is used of prefix", i);
            expect(cut.triangles == prefixes[i].triangles, "triangles at prefix", i);
            std::uint32_t batches = 0;
            for (const SkinBatch& batch : paged_.batches)
                batches += batch.first < prefixes[i].vertices ? 1U : 0U;
            expect(batches == prefixes[i].batches, "batches of prefix", i);
            ++report_.exact_cuts;
        }
        std::mt19937 random(11);
        for (std::uint32_t k = 0; k < cuts && prefixes.size() > 1; ++k) {
            // Errors of groups, where cuts change, and others between them.
            const float some = paged_.groups[random() % paged_.groups.size()].lod_error;
            const float other = prefixes[random() % prefixes.size()].lod_error;
            const float error = k % 2 == 0 ? std::min(some, 1e30F) : (std::min(some, 1e30F) + other) / 2;
            const auto first =
                std::ranges::find_if(prefixes, [&](const VertexPrefix& p) { return p.lod_error <= error; });
            const Cut cut = cut_at(error);
            expect(cut.end <= first->vertices && cut.pages <= first->pages, "beyond prefix of cut", k);
            // No shorter prefix would do.
            if (first != prefixes.begin() && clones == 0 && built_) {
                expect(cut.end > std::prev(first)->vertices, "a shorter prefix holds cut", k);
            }
            ++report_.exact_cuts;
        }
    }

    const PreparedMesh& mesh_;
    const ClusterDag& dag_;
    const PagedMesh& paged_;
    bool built_;
    std::vector<std::uint32_t> owner_;
    LayoutCheck report_;
};

}  // namespace

LaidOut laid_out(const Mesh& mesh, const EncodedInfluences& influences, const ClusterOptions& options) {
    Issues issues;
    auto prepared = prepare_mesh(mesh, influences, {}, issues);
    REQUIRE(prepared);
    ClusterOptions own = options;
    own.measure_error = false;  // order and ownership hang on no exact error, and it takes time
    auto dag = build_cluster_dag(*prepared, own, 2, issues);
    REQUIRE(dag);
    auto paged = lay_out_pages(*prepared, *dag, 2);
    REQUIRE(paged);
    return {std::move(*prepared), std::move(*dag), std::move(*paged), true};
}

LayoutCheck check_layout(const LaidOut& laid, std::uint32_t cuts) { return LayoutChecker(laid).run(cuts); }

}  // namespace sinter::test
