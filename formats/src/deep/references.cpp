#include "references.hpp"

#include <algorithm>
#include <ranges>

namespace sinter::deep {
namespace {

constexpr std::uint32_t kNoOwner = 0xFFFFFFFF;
constexpr std::uint32_t kPageVertices = 4096, kPageBytes = 128 * 1024, kPagesOfCluster = 16;

// Each vertex with each group that uses it, by vertex.
std::vector<std::pair<std::uint32_t, std::uint32_t>> uses_of_vertices(const Context& k) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;
    std::vector<std::uint32_t> vertices;
    for (std::uint32_t g = 0; g < k.model.groups.size(); ++g) {
        const DagGroup& group = k.model.groups[g];
        vertices.clear();
        for (std::size_t c = group.first_cluster; c < k.last_cluster(group); ++c) {
            const auto corners = k.corners(c);
            vertices.insert(vertices.end(), corners.begin(), corners.end());
        }
        std::ranges::sort(vertices);
        const auto repeated = std::ranges::unique(vertices);
        for (auto v = vertices.begin(); v != repeated.begin(); ++v) uses.emplace_back(*v, g);
    }
    std::ranges::sort(uses);
    return uses;
}

// For a block of possible ancestors, which of them each group has, itself counted. Blocks keep memory at 512 bytes a group.
class Ancestors {
public:
    static constexpr std::uint32_t kBlock = 4096;
    explicit Ancestors(const Context& context)
        : context_(context), bits_(context.model.groups.size() * kWords) {}

    void find(std::uint32_t first) {
        first_ = first;
        std::ranges::fill(bits_, 0);
        for (const std::uint32_t g : std::ranges::reverse_view(context_.order)) {
            if (g >= first && g - first < kBlock) bits_[g * kWords + (g - first) / 64] |= bit(g);
            std::uint32_t last = kNoOwner;
            for (const std::uint32_t c : context_.replacing.of(g)) {
                const std::uint32_t parent = context_.model.clusters[c].group;
                if (parent == last) continue;
                last = parent;
                for (std::size_t w = 0; w < kWords; ++w) bits_[g * kWords + w] |= bits_[parent * kWords + w];
            }
        }
    }
    [[nodiscard]] bool has(std::uint32_t group, std::uint32_t ancestor) const {
        return (bits_[group * kWords + (ancestor - first_) / 64] & bit(ancestor)) != 0;
    }

private:
    static constexpr std::size_t kWords = kBlock / 64;
    [[nodiscard]] std::uint64_t bit(std::uint32_t g) const { return std::uint64_t{1} << ((g - first_) % 64); }
    const Context& context_;
    std::uint32_t first_ = 0;
    std::vector<std::uint64_t> bits_;
};

// The page of each vertex or group, by ranges; kNoOwner where there is none.
std::vector<std::uint32_t> page_of(const DagModel& m, std::size_t count, std::uint32_t DagPage::* first,
                                   std::uint32_t DagPage::* size) {
    std::vector<std::uint32_t> out(count, kNoOwner);
    for (std::uint32_t p = 0; p < m.pages.size(); ++p) {
        const std::uint64_t end =
            std::min<std::uint64_t>(count, std::uint64_t{m.pages[p].*first} + m.pages[p].*size);
        for (std::uint64_t i = m.pages[p].*first; i < end; ++i) out[i] = p;
    }
    return out;
}

void check_page_record(const Context& k, std::uint32_t p, Findings& found) {
    const DagModel& m = k.model;
    const DagPage& page = m.pages[p];
    const auto where = [&] { return cat("page ", p); };
    const std::uint64_t vertex =
        p == 0 ? 0 : std::uint64_t{m.pages[p - 1].first_vertex} + m.pages[p - 1].vertex_count;
    const std::uint64_t group =
        p == 0 ? 0 : std::uint64_t{m.pages[p - 1].first_group} + m.pages[p - 1].group_count;
    found.expect(page.first_vertex == vertex && page.first_group == group, where, [&] {
        return cat("begins at vertex ", page.first_vertex, " and group ", page.first_group, ", not at ",
                   vertex, " and ", group);
    });
    found.expect(page.vertex_count <= kPageVertices, where,
                 [&] { return cat(page.vertex_count, " vertices; at most ", kPageVertices); });
    found.expect(page.byte_count <= kPageBytes || page.group_count == 1, where, [&] {
        return cat(page.byte_count, " bytes with ", page.group_count, " groups; at most ", kPageBytes);
    });
}

void check_page_cluster(const Context& k, std::size_t c, std::uint32_t own,
                        const std::vector<std::uint32_t>& page_of_vertex, Findings& found) {
    std::vector<std::uint32_t> pages;
    for (const std::uint32_t v : k.corners(c)) pages.push_back(page_of_vertex[v]);
    std::ranges::sort(pages);
    pages.erase(std::ranges::unique(pages).begin(), pages.end());
    const auto where = [&] { return cat("cluster ", c); };
    found.expect(pages.size() <= kPagesOfCluster, where,
                 [&] { return cat("uses vertices of ", pages.size(), " pages; at most ", kPagesOfCluster); });
    if (own == kNoOwner) return;
    const auto& named = k.model.pages[own].dependencies;
    for (const std::uint32_t p : pages) {
        found.expect(p == own || (p < own && std::ranges::find(named, p) != named.end()), where, [&] {
            return cat("of page ", own, " uses a vertex of page ", p, ", which that does not name");
        });
    }
}

struct CutUse {
    std::vector<std::uint8_t> used;  // by vertex
    std::uint64_t triangles = 0;
    std::uint32_t last_group = 0;
};

CutUse use_of_cut(const Context& k, float error) {
    const auto coarse = [&](std::size_t g) {
        const float e = k.model.groups[g].lod_error;
        return never_fine(e) || e > error;
    };
    CutUse out;
    out.used.assign(k.model.positions.size(), 0);
    for (std::size_t c = 0; c < k.model.clusters.size(); ++c) {
        const DagCluster& cluster = k.model.clusters[c];
        if (!coarse(cluster.group)) continue;
        if (cluster.child_group >= 0 && coarse(static_cast<std::size_t>(cluster.child_group))) continue;
        for (const std::uint32_t v : k.corners(c)) out.used[v] = 1;
        out.triangles += cluster.triangle_count;
        out.last_group = std::max(out.last_group, cluster.group);
    }
    return out;
}

void check_prefix(const Context& k, std::size_t p, std::uint64_t& twins, Findings& found) {
    const DagPrefix& prefix = k.model.prefixes[p];
    const auto where = [&] { return cat("prefix ", p, ", error ", prefix.lod_error); };
    const CutUse cut = use_of_cut(k, prefix.lod_error);
    std::vector<std::uint8_t> point_used(cut.used.size(), 0);
    for (std::size_t v = 0; v < cut.used.size(); ++v) {
        if (cut.used[v] != 0) point_used[k.model.point_of_vertex[v]] = 1;
    }
    std::uint64_t unused = 0, beyond = 0;
    for (std::size_t v = 0; v < cut.used.size(); ++v) {
        if (v >= prefix.vertex_count && cut.used[v] != 0) ++beyond;
        if (v >= prefix.vertex_count || cut.used[v] != 0) continue;
        if (point_used[k.model.point_of_vertex[v]] != 0) {
            ++twins;  // a clone of it is used, or another vertex of its seam
        } else {
            ++unused;
        }
    }
    found.expect(beyond == 0, where, [&] {
        return cat("the cut uses ", beyond, " vertices beyond the first ", prefix.vertex_count);
    });
    found.expect(unused == 0 && prefix.vertex_count <= cut.used.size(), where, [&] {
        return cat("the cut leaves out ", unused, " of the first ", prefix.vertex_count, " vertices");
    });
    found.expect(cut.triangles == prefix.triangle_count, where, [&] {
        return cat("the cut has ", cut.triangles, " triangles, ", prefix.triangle_count, " are stored");
    });
    if (k.model.pages.empty()) return;
    const auto page_of_group =
        page_of(k.model, k.model.groups.size(), &DagPage::first_group, &DagPage::group_count);
    found.expect(k.model.clusters.empty() || page_of_group[cut.last_group] < prefix.page_count, where, [&] {
        return cat("the cut needs page ", page_of_group[cut.last_group], ", which is not among the first ",
                   prefix.page_count);
    });
}

}  // namespace

DeepCheck check_references(const Context& context, std::vector<std::uint32_t>& owner_of_vertex) {
    Findings found(context, "references", "uses of a vertex by a group");
    const auto uses = uses_of_vertices(context);
    found.count(uses.size());
    std::vector<std::uint32_t> rank(context.order.size());
    for (std::uint32_t i = 0; i < context.order.size(); ++i) rank[context.order[i]] = i;
    owner_of_vertex.assign(context.model.positions.size(), kNoOwner);
    for (const auto& [v, g] : uses) {
        std::uint32_t& owner = owner_of_vertex[v];
        if (owner == kNoOwner || rank[g] > rank[owner]) owner = g;
    }
    Ancestors ancestors(context);
    std::vector<std::uint32_t> shared(context.model.groups.size());  // uses of an owner's vertices by others
    for (const auto& [v, g] : uses) shared[owner_of_vertex[v]] += g == owner_of_vertex[v] ? 0U : 1U;
    std::uint64_t foreign = 0;
    for (std::uint32_t first = 0; first < shared.size(); first += Ancestors::kBlock) {
        ancestors.find(first);
        for (const auto& [v, g] : uses) {
            const std::uint32_t owner = owner_of_vertex[v];
            if (owner < first || owner - first >= Ancestors::kBlock || owner == g) continue;
            ++foreign;
            found.expect(
                ancestors.has(g, owner), [&] { return cat("vertex ", v); },
                [&] {
                    return cat("belongs to group ", owner,
                               ", where it is used last, which is no ancestor of group ", g,
                               ", which uses it too");
                });
        }
    }
    found.figure("of_ancestors", static_cast<double>(foreign));
    return found.done();
}

DeepCheck check_pages(const Context& context, const std::vector<std::uint32_t>& owner_of_vertex) {
    Findings found(context, "pages", "pages");
    const DagModel& m = context.model;
    if (m.pages.empty()) return found.done();
    found.count(m.pages.size());
    for (std::uint32_t p = 0; p < m.pages.size(); ++p) check_page_record(context, p, found);
    const DagPage& last = m.pages.back();
    found.expect(
        std::uint64_t{last.first_vertex} + last.vertex_count == m.positions.size() &&
            std::uint64_t{last.first_group} + last.group_count == m.groups.size(),
        [] { return std::string("pages"); },
        [&] {
            return cat("do not end with the last of ", m.positions.size(), " vertices and ", m.groups.size(),
                       " groups");
        });
    const auto of_vertex = page_of(m, m.positions.size(), &DagPage::first_vertex, &DagPage::vertex_count);
    const auto of_group = page_of(m, m.groups.size(), &DagPage::first_group, &DagPage::group_count);
    for (std::size_t v = 0; v < m.positions.size(); ++v) {
        if (owner_of_vertex[v] == kNoOwner) continue;
        found.expect(
            of_vertex[v] == of_group[owner_of_vertex[v]], [&] { return cat("vertex ", v); },
            [&] {
                return cat("is in page ", of_vertex[v], ", but group ", owner_of_vertex[v],
                           ", which owns it, in page ", of_group[owner_of_vertex[v]]);
            });
    }
    for (std::size_t c = 0; c < m.clusters.size(); ++c) {
        check_page_cluster(context, c, of_group[m.clusters[c].group], of_vertex, found);
    }
    return found.done();
}

DeepCheck check_prefixes(const Context& context) {
    Findings found(context, "prefixes", "prefixes");
    const auto& prefixes = context.model.prefixes;
    if (prefixes.empty()) return found.done();
    found.count(prefixes.size());
    std::uint64_t twins = 0;
    for (std::size_t p = 0; p < prefixes.size(); ++p) {
        check_prefix(context, p, twins, found);
        found.expect(
            p == 0 || (prefixes[p].lod_error < prefixes[p - 1].lod_error &&
                       prefixes[p].vertex_count >= prefixes[p - 1].vertex_count),
            [&] { return cat("prefix ", p); },
            [&] { return std::string("its error does not fall, or its prefix is shorter"); });
    }
    found.expect(
        !(prefixes.back().lod_error > 0), [] { return std::string("prefixes"); },
        [&] { return cat("the last one's error is ", prefixes.back().lod_error, " instead of 0"); });
    found.figure("twins_unused", static_cast<double>(twins));
    return found.done();
}

}  // namespace sinter::deep
