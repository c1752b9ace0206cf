#include "cooker/cluster/layout.hpp"

#include <sinter/formats/page.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace sinter {
namespace {

constexpr std::uint32_t kNoNumber = std::numeric_limits<std::uint32_t>::max();

// A page of the mesh and how many references go there.
struct PageUse {
    std::uint32_t page = 0;
    std::uint32_t count = 0;
};

void add_use(std::vector<PageUse>& uses, std::uint32_t page, std::uint32_t count) {
    for (PageUse& use : uses) {
        if (use.page == page) {
            use.count += count;
            return;
        }
    }
    uses.push_back({page, count});
}

// A page that still takes parts.
struct OpenPage {
    std::uint32_t number = 0;
    PageCounts counts;
    std::vector<std::uint32_t> parts;
    std::vector<std::vector<PageUse>> tables;     // each of at most kMaxPageTable pages
    std::vector<std::uint32_t> table_of_cluster;  // in the order of the parts' clusters
};

// A part tried in a page. `cloned`: places in Ownership::uses whose vertices have to be cloned into the part.
struct Trial {
    OpenPage page;
    std::vector<std::uint32_t> cloned;
};

struct Layout {
    const PreparedMesh& mesh;
    const ClusterDag& dag;
    Ownership own;
    PageOrder order;
    std::vector<std::uint32_t> page_of_part;
    std::vector<std::uint32_t> final_vertex;  // by owned vertex
    std::vector<std::uint32_t> group_of_part;
    PagedMesh out;
};

// --- filling pages ---

// Leaves the pages that go into a cluster's table: the page itself and those with most references, earlier ones first.
void keep_largest(std::vector<PageUse>& uses, std::uint32_t page) {
    add_use(uses, page, 0);
    std::ranges::sort(uses, [page](const PageUse& a, const PageUse& b) {
        if ((a.page == page) != (b.page == page)) return a.page == page;
        return a.count != b.count ? a.count > b.count : a.page < b.page;
    });
    uses.resize(kMaxPageTable);
}

// Adds a cluster's pages to the last table, or begins a new one where that one would be too large.
void add_to_tables(const std::vector<PageUse>& uses, OpenPage& page) {
    if (page.tables.empty()) page.tables.emplace_back();
    std::vector<PageUse> joined = page.tables.back();
    for (const PageUse& use : uses) add_use(joined, use.page, use.count);
    page.counts.table_entries -= page.tables.back().size();
    if (joined.size() <= kMaxPageTable) {
        page.tables.back() = std::move(joined);
    } else {
        page.counts.table_entries += page.tables.back().size();
        page.tables.push_back(uses);
    }
    page.counts.table_entries += page.tables.back().size();
    page.table_of_cluster.push_back(static_cast<std::uint32_t>(page.tables.size() - 1));
}

void try_cluster(const Layout& layout, std::uint32_t cluster, std::uint32_t part, Trial& trial) {
    const std::uint32_t first = layout.own.uses.first[cluster];
    const std::span<const std::uint32_t> uses = layout.own.uses.of(cluster);
    const auto page_of = [&](std::uint32_t use) {
        const std::uint32_t owner = layout.own.vertices[use].owner;
        return owner == part ? trial.page.number : layout.page_of_part[owner];
    };
    std::vector<PageUse> pages;
    for (const std::uint32_t use : uses) add_use(pages, page_of(use), 1);
    if (pages.size() > kMaxPageTable) {
        keep_largest(pages, trial.page.number);
        for (std::uint32_t i = 0; i < uses.size(); ++i) {
            const std::uint32_t page = page_of(uses[i]);
            if (std::ranges::find(pages, page, &PageUse::page) == pages.end())
                trial.cloned.push_back(first + i);
        }
    }
    add_to_tables(pages, trial.page);
    PageCounts& counts = trial.page.counts;
    counts.references += uses.size();
    counts.triangle_bytes += (std::uint64_t{layout.dag.clusters[cluster].triangle_count} * 3 + 3) / 4 * 4;
    ++counts.clusters;
}

std::uint64_t byte_count(const Layout& layout, const PageCounts& counts) {
    return page_byte_count(counts, layout.mesh.grid.bits, layout.mesh.normals.empty() ? 0 : 32);
}

std::uint64_t distinct_sources(const Ownership& own, std::span<const std::uint32_t> places) {
    std::vector<std::uint32_t> sources;
    for (const std::uint32_t place : places) sources.push_back(own.vertices[own.uses.items[place]].source);
    std::ranges::sort(sources);
    return static_cast<std::uint64_t>(std::ranges::unique(sources).begin() - sources.begin());
}

// The page with the part in it, or nothing where the limits do not allow it.
std::optional<Trial> try_part(const Layout& layout, const OpenPage& page, std::uint32_t part) {
    Trial trial{page, {}};
    trial.page.parts.push_back(part);
    const DagPart& p = layout.own.parts[part];
    for (std::uint32_t c = 0; c < p.cluster_count; ++c) try_cluster(layout, p.first_cluster + c, part, trial);
    trial.page.counts.vertices += layout.own.owned[part] + distinct_sources(layout.own, trial.cloned);
    if (trial.page.counts.vertices > kMaxPageVertices) return std::nullopt;
    const std::uint64_t most = page.parts.empty() ? kPageByteLimit : kMaxPageBytes;
    if (byte_count(layout, trial.page.counts) > most) return std::nullopt;
    return trial;
}

void accept(Layout& layout, std::uint32_t part, Trial trial, OpenPage& page) {
    page = std::move(trial.page);
    layout.page_of_part[part] = page.number;
    Ownership& own = layout.own;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> clones;  // source, owned vertex
    for (const std::uint32_t place : trial.cloned) {
        const std::uint32_t source = own.vertices[own.uses.items[place]].source;
        const auto same = std::ranges::find(clones, source, &std::pair<std::uint32_t, std::uint32_t>::first);
        if (same != clones.end()) {
            own.uses.items[place] = same->second;
            continue;
        }
        own.uses.items[place] = static_cast<std::uint32_t>(own.vertices.size());
        clones.emplace_back(source, own.uses.items[place]);
        own.vertices.push_back({source, part});
        layout.final_vertex.push_back(kNoNumber);
        ++own.owned[part];
        ++layout.out.table_clones;
    }
}

// --- writing pages ---

// 0, 1, 4 or 8: the smallest class that holds the vertex's influences.
std::uint32_t influence_class(const EncodedInfluences& influences, std::uint32_t vertex) {
    std::uint32_t used = 0;
    for (std::size_t i = 0; i < influences.stride; ++i) {
        used += influences.weights[std::size_t{vertex} * influences.stride + i] != 0 ? 1U : 0U;
    }
    if (used <= 1) return used;
    return used <= 4 ? 4 : 8;
}

// A vertex of the page that is written.
struct NewVertex {
    std::uint32_t band = 0;
    std::uint32_t influences = 0;
    std::uint32_t place = 0;  // among the uses of the page's clusters
    std::uint32_t owned = 0;
    auto operator<=>(const NewVertex&) const = default;
};

// The uses of vertices that the page's parts own, in the order of its clusters.
std::vector<NewVertex> vertices_of(const Layout& layout, const OpenPage& page) {
    std::vector<NewVertex> vertices;
    for (const std::uint32_t part : page.parts) {
        const DagPart& p = layout.own.parts[part];
        const std::uint32_t first = layout.own.uses.first[p.first_cluster];
        const std::uint32_t end = layout.own.uses.first[p.first_cluster + p.cluster_count];
        for (std::uint32_t i = first; i < end; ++i) {
            const std::uint32_t use = layout.own.uses.items[i];
            const OwnedVertex& v = layout.own.vertices[use];
            if (layout.page_of_part[v.owner] != page.number) continue;
            vertices.push_back({layout.order.band[v.owner], influence_class(layout.mesh.influences, v.source),
                                static_cast<std::uint32_t>(vertices.size()), use});
        }
    }
    return vertices;
}

// Gives each vertex of the page its number, and makes batches of them.
void number_vertices(Layout& layout, const OpenPage& page) {
    const bool moves = layout.mesh.influences.stride != 0 || !layout.mesh.shapes.empty();
    const auto first = static_cast<std::uint32_t>(layout.out.source_vertex.size());
    std::vector<NewVertex> vertices = vertices_of(layout, page);
    std::ranges::sort(vertices);
    const NewVertex* last = nullptr;
    for (const NewVertex& v : vertices) {
        std::uint32_t& number = layout.final_vertex[v.owned];
        if (number != kNoNumber) continue;
        number = static_cast<std::uint32_t>(layout.out.source_vertex.size());
        layout.out.source_vertex.push_back(layout.own.vertices[v.owned].source);
        if (moves) {
            std::vector<SkinBatch>& batches = layout.out.batches;
            if (last == nullptr || last->band != v.band || last->influences != v.influences ||
                batches.back().count == kMostBatchVertices) {
                batches.push_back({number, 0, static_cast<std::uint16_t>(v.influences)});
            }
            ++batches.back().count;
        }
        last = &v;
    }
    Page& record = layout.out.pages.back();
    record.first_vertex = first;
    record.vertex_count = static_cast<std::uint32_t>(layout.out.source_vertex.size()) - first;
}

// Entries in one order in all tables of a page: the page itself, then by falling references. Returns each table's start.
std::vector<std::uint32_t> write_tables(Layout& layout, OpenPage& page) {
    std::vector<PageUse> all;
    for (const auto& table : page.tables) {
        for (const PageUse& use : table) add_use(all, use.page, use.count);
    }
    std::ranges::sort(all, [&](const PageUse& a, const PageUse& b) {
        if ((a.page == page.number) != (b.page == page.number)) return a.page == page.number;
        return a.count != b.count ? a.count > b.count : a.page < b.page;
    });
    std::vector<std::uint32_t> first;
    for (auto& table : page.tables) {
        first.push_back(static_cast<std::uint32_t>(layout.out.tables.size()));
        for (const PageUse& use : all) {
            if (std::ranges::find(table, use.page, &PageUse::page) != table.end())
                layout.out.tables.push_back(use.page);
        }
    }
    Page& record = layout.out.pages.back();
    std::vector<std::uint32_t> dependencies;
    for (const PageUse& use : all) {
        if (use.page != page.number) dependencies.push_back(use.page);
    }
    std::ranges::sort(dependencies);
    record.first_dependency = static_cast<std::uint32_t>(layout.out.dependencies.size());
    record.dependency_count = static_cast<std::uint32_t>(dependencies.size());
    layout.out.dependencies.insert(layout.out.dependencies.end(), dependencies.begin(), dependencies.end());
    return first;
}

void write_cluster(Layout& layout, std::uint32_t cluster, std::uint32_t group,
                   std::span<const std::uint32_t> table, std::uint32_t first_table_entry) {
    const Cluster& source = layout.dag.clusters[cluster];
    PagedMesh& out = layout.out;
    PagedCluster record;
    record.source = cluster;
    record.group = group;
    record.first_reference = static_cast<std::uint32_t>(out.references.size());
    record.first_triangle = static_cast<std::uint32_t>(out.triangles.size() / 3);
    record.first_table_entry = first_table_entry;
    record.table_size = static_cast<std::uint8_t>(table.size());
    const std::span<const std::uint32_t> uses = layout.own.uses.of(cluster);
    record.vertex_count = static_cast<std::uint8_t>(uses.size());
    record.triangle_count = static_cast<std::uint8_t>(source.triangle_count);
    for (const std::uint32_t use : uses) {
        const std::uint32_t page = layout.page_of_part[layout.own.vertices[use].owner];
        const auto entry = static_cast<std::uint32_t>(std::ranges::find(table, page) - table.begin());
        out.references.push_back(
            make_reference(entry, layout.final_vertex[use] - out.pages[page].first_vertex));
    }
    const auto triangles =
        std::span(layout.own.triangles).subspan(source.first_index, std::size_t{source.triangle_count} * 3);
    out.triangles.insert(out.triangles.end(), triangles.begin(), triangles.end());
    out.clusters.push_back(record);
}

void write_page(Layout& layout, OpenPage& page) {
    PagedMesh& out = layout.out;
    Page& record = out.pages.emplace_back();
    number_vertices(layout, page);
    const std::vector<std::uint32_t> first_entry = write_tables(layout, page);
    record.first_group = static_cast<std::uint32_t>(out.groups.size());
    record.group_count = static_cast<std::uint32_t>(page.parts.size());
    record.first_cluster = static_cast<std::uint32_t>(out.clusters.size());
    record.byte_count = static_cast<std::uint32_t>(byte_count(layout, page.counts));
    std::size_t in_page = 0;
    for (const std::uint32_t part : page.parts) {
        const DagPart& p = layout.own.parts[part];
        const auto group = static_cast<std::uint32_t>(out.groups.size());
        layout.group_of_part[part] = group;
        out.groups.push_back({p.group, page.number, static_cast<std::uint32_t>(out.clusters.size()),
                              p.cluster_count, layout.order.band[part], p.lod_error});
        for (std::uint32_t c = 0; c < p.cluster_count; ++c) {
            const std::uint32_t table = page.table_of_cluster[in_page++];
            const std::vector<std::uint32_t> pages(
                out.tables.begin() + first_entry[table],
                out.tables.begin() + first_entry[table] +
                    static_cast<std::ptrdiff_t>(page.tables[table].size()));
            write_cluster(layout, p.first_cluster + c, group, pages, first_entry[table]);
        }
    }
    record.cluster_count = static_cast<std::uint32_t>(out.clusters.size()) - record.first_cluster;
    const std::uint32_t next = page.number + 1;
    page = {};
    page.number = next;
}

// --- what needs all pages ---

void link_child_groups(Layout& layout) {
    std::vector<std::uint32_t> group_of(layout.dag.groups.size());
    for (std::size_t p = 0; p < layout.own.parts.size(); ++p) {
        group_of[layout.own.parts[p].group] = layout.group_of_part[p];
    }
    for (PagedCluster& cluster : layout.out.clusters) {
        const std::int32_t child = layout.dag.clusters[cluster.source].child_group;
        if (child != kNone) {
            cluster.child_group = static_cast<std::int32_t>(group_of[static_cast<std::size_t>(child)]);
        }
    }
}

// One prefix for each band but the last one of lod_error 0.
void add_prefixes(Layout& layout) {
    PagedMesh& out = layout.out;
    std::vector<VertexPrefix> bands(layout.order.band_count);
    std::vector<std::uint32_t> band_vertices(layout.order.band_count, 0);
    for (std::size_t p = 0; p < layout.own.parts.size(); ++p) {
        band_vertices[layout.order.band[p]] += layout.own.owned[p];
    }
    for (const PagedGroup& group : out.groups) {
        bands[group.band].pages = group.page + 1;
        if (group.band > 0) {
            float& error = bands[group.band - 1].lod_error;
            error = std::max(error, group.lod_error);
        }
    }
    std::uint32_t vertices = 0, batch = 0;
    for (std::size_t b = 0; b < bands.size(); ++b) {
        vertices += band_vertices[b];
        while (batch < out.batches.size() && out.batches[batch].first < vertices) ++batch;
        bands[b].vertices = vertices;
        bands[b].batches = batch;
        out.prefixes.push_back(bands[b]);
        if (bands[b].lod_error == 0) break;
    }
}

// A cluster is drawn at errors from its child group's up to, but without, its own group's.
void count_triangles(const ClusterDag& dag, PagedMesh& out) {
    const auto first_below = [&](float error) {  // prefixes whose errors are below this one are from here on
        return std::ranges::partition_point(out.prefixes,
                                            [&](const VertexPrefix& p) { return p.lod_error >= error; }) -
               out.prefixes.begin();
    };
    std::vector<std::int64_t> change(out.prefixes.size() + 1, 0);
    for (const PagedCluster& cluster : out.clusters) {
        const std::int32_t child = dag.clusters[cluster.source].child_group;
        change[static_cast<std::size_t>(first_below(out.groups[cluster.group].lod_error))] +=
            cluster.triangle_count;
        if (child != kNone) {
            const float error = dag.groups[static_cast<std::size_t>(child)].lod_error;
            change[static_cast<std::size_t>(first_below(error))] -= cluster.triangle_count;
        }
    }
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < out.prefixes.size(); ++i) {
        sum += change[i];
        out.prefixes[i].triangles = static_cast<std::uint32_t>(sum);
    }
}

Error too_many_vertices(const Layout& layout, std::uint32_t part) {
    const DagPart& p = layout.own.parts[part];
    return {.kind = ErrorKind::Internal,
            .where = "mesh '" + layout.mesh.name + "', group " + std::to_string(p.group),
            .message = std::to_string(p.cluster_count) + " clusters own " +
                       std::to_string(layout.own.owned[part]) + " vertices; a page takes at most " +
                       std::to_string(kMaxPageVertices),
            .remedy = "set cluster.group_size lower"};
}

Result<Unit> fill_pages(Layout& layout) {
    OpenPage page;
    for (const std::uint32_t part : layout.order.parts) {
        std::optional<Trial> trial = try_part(layout, page, part);
        if (!trial && !page.parts.empty()) {
            write_page(layout, page);
            trial = try_part(layout, page, part);
        }
        if (!trial) return too_many_vertices(layout, part);
        accept(layout, part, std::move(*trial), page);
    }
    if (!page.parts.empty()) write_page(layout, page);
    return Unit{};
}

}  // namespace

std::uint32_t PagedMesh::vertex_of(const PagedCluster& cluster, std::uint32_t local) const {
    const std::uint16_t reference = references[cluster.first_reference + local];
    return pages[tables[cluster.first_table_entry + reference_entry(reference)]].first_vertex +
           reference_vertex(reference);
}

Result<PagedMesh> lay_out_pages(const PreparedMesh& mesh, const ClusterDag& dag, std::uint32_t threads) {
    SINTER_TRY_ASSIGN(Ownership own, own_vertices(dag, mesh.vertex_count(), threads));
    PageOrder order = order_parts(dag, own, mesh.bounds);
    const std::size_t parts = own.parts.size(), vertices = own.vertices.size();
    Layout layout{mesh,
                  dag,
                  std::move(own),
                  std::move(order),
                  std::vector<std::uint32_t>(parts, kNoNumber),
                  std::vector<std::uint32_t>(vertices, kNoNumber),
                  std::vector<std::uint32_t>(parts, 0),
                  {}};
    layout.out.owner_clones = layout.own.clones;
    SINTER_TRY(fill_pages(layout));
    link_child_groups(layout);
    add_prefixes(layout);
    count_triangles(dag, layout.out);
    return std::move(layout.out);
}

}  // namespace sinter
