#include "sample_pages.hpp"

#include <sinter/formats/page_codec.hpp>

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <tuple>

namespace sinter {
namespace {

using Vec = std::array<float, 3>;
using Indices = std::vector<std::uint32_t>;

// --- meshes ---

float hash01(int x, int y, int z) {
    auto h = static_cast<std::uint32_t>(x) * 0x8da6b343U ^ static_cast<std::uint32_t>(y) * 0xd8163841U ^
             static_cast<std::uint32_t>(z) * 0xcb1ab31fU;
    h = (h ^ (h >> 15U)) * 0x2c1b3c6dU;
    h = (h ^ (h >> 12U)) * 0x297a2d39U;
    return static_cast<float>((h ^ (h >> 15U)) & 0xFFFFFFU) / 16777216.0F;
}

float value_noise(const Vec& p) {
    std::array<int, 3> cell{};
    Vec t{};
    for (std::size_t k = 0; k < 3; ++k) {
        const float f = std::floor(p[k]);
        cell[k] = static_cast<int>(f);
        t[k] = p[k] - f;
        t[k] = t[k] * t[k] * (3 - 2 * t[k]);
    }
    float sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        float w = 1;
        for (std::size_t k = 0; k < 3; ++k) w *= ((corner >> k) & 1) != 0 ? t[k] : 1 - t[k];
        sum += w * hash01(cell[0] + (corner & 1), cell[1] + ((corner >> 1) & 1), cell[2] + (corner >> 2));
    }
    return sum - 0.5F;
}

float fractal_noise(Vec p) {
    float sum = 0;
    float amplitude = 0.5F;
    for (int octave = 0; octave < 7; ++octave) {
        sum += amplitude * value_noise(p);
        for (float& c : p) c = 2 * c + 3.7F;
        amplitude *= 0.45F;
    }
    return sum;
}

void add_quads(SampleMesh& mesh, std::uint32_t n, std::uint32_t first) {
    for (std::uint32_t y = 0; y < n; ++y) {
        for (std::uint32_t x = 0; x < n; ++x) {
            const std::uint32_t a = first + y * (n + 1) + x;
            const std::uint32_t c = a + n + 1;
            mesh.indices.insert(mesh.indices.end(), {a, a + 1, c + 1, a, c + 1, c});
        }
    }
}

void weld(SampleMesh& mesh) {
    std::map<Vec, std::uint32_t> seen;
    Indices remap;
    std::vector<Vec> kept;
    for (const Vec& p : mesh.positions) {
        const auto [it, fresh] = seen.try_emplace(p, static_cast<std::uint32_t>(kept.size()));
        if (fresh) kept.push_back(p);
        remap.push_back(it->second);
    }
    Indices out;
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const std::array<std::uint32_t, 3> t{remap[mesh.indices[i]], remap[mesh.indices[i + 1]],
                                             remap[mesh.indices[i + 2]]};
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) out.insert(out.end(), t.begin(), t.end());
    }
    mesh = {std::move(kept), std::move(out)};
}

void reduce(SampleMesh& mesh, std::uint32_t triangles) {
    Indices out(mesh.indices.size());
    out.resize(meshopt_simplify(out.data(), mesh.indices.data(), mesh.indices.size(),
                                mesh.positions[0].data(), mesh.positions.size(), sizeof(Vec),
                                std::size_t{3} * triangles, 1.0F, 0, nullptr));
    mesh.indices = std::move(out);
}

// --- the DAG ---

struct SampleCluster {
    Indices indices;
    std::uint32_t group = 0;
    std::int32_t child_group = -1;
};

struct SampleGroup {
    std::vector<std::uint32_t> clusters;
    float error = 0;  // of its simplification; the largest float at the end
    Vec center{};
};

struct SampleDag {
    std::vector<SampleCluster> clusters;
    std::vector<SampleGroup> groups;
};

Vec center_of(const SampleMesh& mesh, const Indices& indices) {
    Vec sum{};
    for (const std::uint32_t v : indices) {
        for (std::size_t k = 0; k < 3; ++k) sum[k] += mesh.positions[v][k];
    }
    for (float& c : sum) c /= static_cast<float>(indices.size());
    return sum;
}

std::vector<SampleCluster> split_into_clusters(const SampleMesh& mesh, const Indices& indices,
                                               std::int32_t child_group) {
    Indices local(indices);
    Indices vertices(indices);
    std::ranges::sort(vertices);
    vertices.erase(std::ranges::unique(vertices).begin(), vertices.end());
    std::vector<Vec> positions;
    for (const std::uint32_t v : vertices) positions.push_back(mesh.positions[v]);
    for (std::uint32_t& v : local)
        v = static_cast<std::uint32_t>(std::ranges::lower_bound(vertices, v) - vertices.begin());
    std::vector<meshopt_Meshlet> meshlets(meshopt_buildMeshletsBound(local.size(), 128, 128));
    Indices refs(meshlets.size() * 128);
    std::vector<unsigned char> corners(meshlets.size() * 128 * 3);
    meshlets.resize(meshopt_buildMeshlets(meshlets.data(), refs.data(), corners.data(), local.data(),
                                          local.size(), positions[0].data(), positions.size(), sizeof(Vec),
                                          128, 128, 0.25F));
    std::vector<SampleCluster> out;
    for (const meshopt_Meshlet& m : meshlets) {
        SampleCluster c{.indices = {}, .group = 0, .child_group = child_group};
        for (std::size_t i = 0; i < std::size_t{3} * m.triangle_count; ++i)
            c.indices.push_back(vertices[refs[m.vertex_offset + corners[m.triangle_offset + i]]]);
        out.push_back(std::move(c));
    }
    return out;
}

// Halves by the median of the longest axis until at most 20 clusters are left.
void split_into_groups(const std::vector<Vec>& centers, std::vector<std::uint32_t> ids,
                       std::vector<std::vector<std::uint32_t>>& out) {
    if (ids.size() <= 20) {
        out.push_back(std::move(ids));
        return;
    }
    std::size_t axis = 0;
    float widest = -1;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto [low, high] =
            std::ranges::minmax(ids, {}, [&](std::uint32_t id) { return centers[id][k]; });
        if (centers[high][k] - centers[low][k] > widest) {
            widest = centers[high][k] - centers[low][k];
            axis = k;
        }
    }
    std::ranges::sort(ids, {}, [&](std::uint32_t id) { return std::pair{centers[id][axis], id}; });
    const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2);
    split_into_groups(centers, {ids.begin(), middle}, out);
    split_into_groups(centers, {middle, ids.end()}, out);
}

SampleDag build_dag(const SampleMesh& mesh) {
    SampleDag dag;
    std::vector<std::uint32_t> pending;
    const auto add = [&](std::vector<SampleCluster> clusters) {
        for (SampleCluster& c : clusters) {
            pending.push_back(static_cast<std::uint32_t>(dag.clusters.size()));
            dag.clusters.push_back(std::move(c));
        }
    };
    add(split_into_clusters(mesh, mesh.indices, -1));
    std::vector<unsigned char> frozen(mesh.positions.size());
    while (!pending.empty()) {
        std::vector<Vec> centers(dag.clusters.size());
        for (const std::uint32_t c : pending) centers[c] = center_of(mesh, dag.clusters[c].indices);
        std::vector<std::vector<std::uint32_t>> groups;
        split_into_groups(centers, std::exchange(pending, {}), groups);
        std::vector<std::int32_t> user(mesh.positions.size(), -1);
        std::vector<unsigned char> lock(frozen);
        for (std::size_t g = 0; g < groups.size(); ++g) {
            for (const std::uint32_t c : groups[g]) {
                for (const std::uint32_t v : dag.clusters[c].indices) {
                    if (user[v] >= 0 && user[v] != static_cast<std::int32_t>(g)) lock[v] = 1;
                    user[v] = static_cast<std::int32_t>(g);
                }
            }
        }
        for (const auto& members : groups) {
            const auto id = static_cast<std::int32_t>(dag.groups.size());
            Indices merged;
            float error = 0;
            for (const std::uint32_t c : members) {
                SampleCluster& cluster = dag.clusters[c];
                cluster.group = static_cast<std::uint32_t>(id);
                merged.insert(merged.end(), cluster.indices.begin(), cluster.indices.end());
                if (cluster.child_group >= 0)
                    error = std::max(error, dag.groups[static_cast<std::size_t>(cluster.child_group)].error);
            }
            Indices out(merged.size());
            float step = 0;
            out.resize(meshopt_simplifyWithAttributes(
                out.data(), merged.data(), merged.size(), mesh.positions[0].data(), mesh.positions.size(),
                sizeof(Vec), nullptr, 0, nullptr, 0, lock.data(), merged.size() / 6 * 3, 1.0F,
                meshopt_SimplifySparse | meshopt_SimplifyErrorAbsolute, &step));
            SampleGroup group{
                .clusters = members, .error = std::max(error * 1.001F, step), .center = centers[members[0]]};
            if (members.size() < 2 || out.size() * 10 > merged.size() * 8) {
                group.error = std::numeric_limits<float>::max();
                for (const std::uint32_t v : merged) frozen[v] = 1;
            } else {
                add(split_into_clusters(mesh, out, id));
            }
            dag.groups.push_back(std::move(group));
        }
    }
    return dag;
}

// --- the layout ---

std::uint32_t spread_bits(std::uint32_t x) {
    x = (x | (x << 16U)) & 0x030000FFU;
    x = (x | (x << 8U)) & 0x0300F00FU;
    x = (x | (x << 4U)) & 0x030C30C3U;
    return (x | (x << 2U)) & 0x09249249U;
}

std::uint32_t morton(const Vec& p) {
    std::uint32_t code = 0;
    for (std::size_t k = 0; k < 3; ++k)
        code |= spread_bits(static_cast<std::uint32_t>(std::clamp((p[k] + 1) * 511.5F, 0.0F, 1023.0F))) << k;
    return code;
}

// Groups by falling error band, two bands an octave, then along the curve.
std::vector<std::uint32_t> page_order(const SampleDag& dag) {
    std::vector<std::uint32_t> order(dag.groups.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto key = [&](std::uint32_t g) {
        int exponent = 0;
        const float mantissa = std::frexp(dag.groups[g].error, &exponent);
        return std::tuple{-(2 * exponent + (mantissa > 0.7071F ? 1 : 0)), morton(dag.groups[g].center), g};
    };
    std::ranges::sort(order, {}, key);
    return order;
}

struct LocalCluster {
    std::uint32_t cluster = 0;
    Indices vertices;                     // of the mesh
    std::vector<std::uint8_t> triangles;  // positions in `vertices`
};

LocalCluster localise(const SampleDag& dag, std::uint32_t cluster, bool ordered) {
    LocalCluster out{.cluster = cluster, .vertices = dag.clusters[cluster].indices, .triangles = {}};
    std::ranges::sort(out.vertices);
    out.vertices.erase(std::ranges::unique(out.vertices).begin(), out.vertices.end());
    for (const std::uint32_t v : dag.clusters[cluster].indices)
        out.triangles.push_back(
            static_cast<std::uint8_t>(std::ranges::lower_bound(out.vertices, v) - out.vertices.begin()));
    if (ordered) {
        std::vector<std::uint8_t> order(out.vertices.size());
        order_cluster(out.triangles, order);
        Indices vertices;
        for (const std::uint8_t old : order) vertices.push_back(out.vertices[old]);
        out.vertices = std::move(vertices);
    }
    return out;
}

struct Place {
    std::uint32_t page = 0, vertex = 0;
};

// Makes the pages one after the other: owners have errors not below their users', so their places are known in time.
class Layout {
public:
    Layout(const SampleMesh& mesh, const SampleOptions& options)
        : mesh_(mesh),
          options_(options),
          dag_(build_dag(mesh)),
          owner_(mesh.positions.size()),
          place_(mesh.positions.size(), Place{kNowhere, 0}),
          normals_(mesh.positions.size()) {
        for (std::uint32_t g = 0; g < dag_.groups.size(); ++g) {
            for (const std::uint32_t c : dag_.groups[g].clusters) {
                for (const std::uint32_t v : dag_.clusters[c].indices) owner_[v] = g;
            }
        }
        make_normals();
    }

    SamplePages run() {
        std::vector<std::uint32_t> page;
        std::uint64_t bytes = 0;
        std::uint64_t vertices = 0;
        for (const std::uint32_t g : page_order(dag_)) {
            const auto [own, size] = measure(g);
            if (!page.empty() &&
                (vertices + own > kMaxPageVertices - 256 || bytes + size > kMaxPageBytes - 1024)) {
                write_page(std::exchange(page, {}));
                bytes = vertices = 0;
            }
            page.push_back(g);
            bytes += size;
            vertices += own;
        }
        write_page(page);
        out_.source_triangles = mesh_.indices.size() / 3;
        return std::move(out_);
    }

private:
    static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

    void make_normals() {
        std::vector<Vec> sums(mesh_.positions.size());
        for (std::size_t i = 0; i < mesh_.indices.size(); i += 3) {
            const Vec& a = mesh_.positions[mesh_.indices[i]];
            const Vec& b = mesh_.positions[mesh_.indices[i + 1]];
            const Vec& c = mesh_.positions[mesh_.indices[i + 2]];
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t l = (k + 1) % 3;
                const std::size_t m = (k + 2) % 3;
                const float n = (b[l] - a[l]) * (c[m] - a[m]) - (b[m] - a[m]) * (c[l] - a[l]);
                for (std::size_t corner = 0; corner < 3; ++corner) sums[mesh_.indices[i + corner]][k] += n;
            }
        }
        for (std::size_t v = 0; v < sums.size(); ++v) {
            if (sums[v] == Vec{}) sums[v] = {0, 0, 1};
            normals_[v] =
                options_.normal_bits == 20 ? oct20_expand(oct20_encode(sums[v])) : oct_encode(sums[v]);
        }
    }

    // Vertices that the group owns, and bytes that it takes, tables aside.
    std::pair<std::uint64_t, std::uint64_t> measure(std::uint32_t g) const {
        std::set<std::uint32_t> own;
        std::uint64_t bytes = 64;
        for (const std::uint32_t c : dag_.groups[g].clusters) {
            std::set<std::uint32_t> used(dag_.clusters[c].indices.begin(), dag_.clusters[c].indices.end());
            for (const std::uint32_t v : used) {
                if (owner_[v] == g) own.insert(v);
            }
            bytes += 48 + 2 * used.size() + dag_.clusters[c].indices.size() + 3;
        }
        return {own.size(), bytes + own.size() * (options_.position_bits == 32 ? 20 : 12)};
    }

    void write_page(const std::vector<std::uint32_t>& groups) {
        const auto page = static_cast<std::uint32_t>(out_.pages.size());
        std::vector<LocalCluster> clusters;
        for (const std::uint32_t g : groups) {
            for (const std::uint32_t c : dag_.groups[g].clusters)
                clusters.push_back(localise(dag_, c, options_.order_for_codec));
        }
        Indices own;
        std::map<std::uint32_t, std::uint32_t> clones;
        for (const LocalCluster& c : clusters) {
            for (const std::uint32_t v : c.vertices) {
                if (place_[v].page != kNowhere || clones.contains(v)) continue;
                const auto at = static_cast<std::uint32_t>(own.size());
                if (std::ranges::find(groups, owner_[v]) == groups.end()) {
                    clones[v] = at;  // its owner comes later: not an ancestor
                } else {
                    place_[v] = {page, at};
                }
                own.push_back(v);
            }
        }
        if (!options_.order_for_codec) sort_own(own, clones, page);
        out_.clones += clones.size();
        pack(page, clusters, own, clones);
    }

    // By position in the mesh: an order that knows nothing of clusters.
    void sort_own(Indices& own, std::map<std::uint32_t, std::uint32_t>& clones, std::uint32_t page) {
        std::ranges::sort(own);
        for (std::uint32_t i = 0; i < own.size(); ++i) {
            if (clones.contains(own[i])) {
                clones[own[i]] = i;
            } else {
                place_[own[i]] = {page, i};
            }
        }
    }

    void pack(std::uint32_t page, const std::vector<LocalCluster>& clusters, const Indices& own,
              const std::map<std::uint32_t, std::uint32_t>& clones) {
        const auto place = [&](std::uint32_t v) {
            const auto clone = clones.find(v);
            return clone == clones.end() ? place_[v] : Place{page, clone->second};
        };
        const std::vector<Indices> tables = make_tables(page, clusters, place);
        std::vector<std::vector<std::uint16_t>> references(clusters.size());
        std::vector<PageCluster> packed;
        for (std::size_t i = 0; i < clusters.size(); ++i) {
            for (const std::uint32_t v : clusters[i].vertices) {
                const Place p = place(v);
                const auto entry = std::ranges::find(tables[i], p.page) - tables[i].begin();
                references[i].push_back(make_reference(static_cast<std::uint32_t>(entry), p.vertex));
            }
            const SampleCluster& source = dag_.clusters[clusters[i].cluster];
            PageCluster c{.group = source.group,
                          .child_group = source.child_group,
                          .material = 0,
                          .table = tables[i],
                          .references = references[i],
                          .triangles = clusters[i].triangles};
            c.cull_center = center_of(mesh_, source.indices);
            for (const std::uint32_t v : source.indices) {
                float squared = 0;
                for (std::size_t k = 0; k < 3; ++k) {
                    const float d = mesh_.positions[v][k] - c.cull_center[k];
                    squared += d * d;
                }
                c.cull_radius = std::max(c.cull_radius, std::sqrt(squared));
            }
            const Vec axis = oct_decode(normals_[source.indices[0]]);
            c.cone = encode_cone(axis, 0.3F + 0.5F * hash01(static_cast<int>(source.indices[0]), 1, 2));
            packed.push_back(c);
            out_.stored_triangles += source.indices.size() / 3;
            out_.references += clusters[i].vertices.size();
        }
        finish(page, packed, own);
    }

    void finish(std::uint32_t page, const std::vector<PageCluster>& clusters, const Indices& own) {
        PageContent content;
        content.page = page;
        content.has_tangents = options_.tangents;
        content.normal_bits = options_.normal_bits;
        content.clusters = clusters;
        std::vector<ResidentVertex16> narrow;
        std::vector<ResidentVertex32> wide;
        std::vector<OctNormal> normals;
        for (const std::uint32_t v : own) {
            std::array<std::int32_t, 3> p{};
            const float scale = options_.position_bits == 32 ? 8388608.0F : 32767.0F;
            for (std::size_t k = 0; k < 3; ++k)
                p[k] = static_cast<std::int32_t>(std::floor(mesh_.positions[v][k] * scale + 0.5F));
            TangentCode tangent{};
            if (options_.tangents)
                tangent = tangent_encode(normals_[v], {1, 0.25F, 0}, mesh_.positions[v][0] < 0);
            if (options_.position_bits == 32) {
                wide.push_back({p[0], p[1], p[2], tangent, 0});
            } else {
                narrow.push_back({static_cast<std::int16_t>(p[0]), static_cast<std::int16_t>(p[1]),
                                  static_cast<std::int16_t>(p[2]), tangent});
            }
            if (options_.normal_bits != 0) normals.push_back(normals_[v]);
        }
        content.vertices16 = narrow;
        content.vertices32 = wide;
        content.normals = normals;
        auto bytes = pack_page(content);
        if (!bytes) throw std::runtime_error(bytes.error().message);
        out_.vertices += own.size();
        out_.pages.push_back(std::move(*bytes));
    }

    // One table for as many clusters in a row as 16 pages allow; this page first, then by falling use.
    template <typename PlaceOf>
    std::vector<Indices> make_tables(std::uint32_t page, const std::vector<LocalCluster>& clusters,
                                     const PlaceOf& place) {
        std::vector<Indices> out(clusters.size());
        std::map<std::uint32_t, std::uint64_t> uses;
        std::size_t first = 0;
        const auto flush = [&](std::size_t end) {
            Indices table;
            for (const auto& [p, n] : uses) table.push_back(p);
            std::ranges::sort(table, std::ranges::greater{}, [&](std::uint32_t p) {
                return std::pair{p == page ? std::numeric_limits<std::uint64_t>::max() : uses[p], p};
            });
            for (; first < end; ++first) out[first] = table;
            uses.clear();
        };
        for (std::size_t i = 0; i < clusters.size(); ++i) {
            std::map<std::uint32_t, std::uint64_t> mine{{page, 1}};
            for (const std::uint32_t v : clusters[i].vertices) ++mine[place(v).page];
            out_.most_pages_of_a_cluster = std::max<std::uint64_t>(out_.most_pages_of_a_cluster, mine.size());
            if (mine.size() > kMaxPageTable) throw std::runtime_error("a cluster of more than 16 pages");
            auto both = uses;
            for (const auto& [p, n] : mine) both[p] += n;
            if (both.size() > kMaxPageTable) {
                flush(i);
                both = mine;
            }
            uses = std::move(both);
        }
        flush(clusters.size());
        return out;
    }

    const SampleMesh& mesh_;
    SampleOptions options_;
    SampleDag dag_;
    std::vector<std::uint32_t> owner_;
    std::vector<Place> place_;
    std::vector<OctNormal> normals_;
    SamplePages out_;
};

}  // namespace

SampleMesh noisy_terrain(std::uint32_t triangles) {
    const auto n = static_cast<std::uint32_t>(std::sqrt(static_cast<float>(triangles) * 1.5F));
    SampleMesh mesh;
    for (std::uint32_t y = 0; y <= n; ++y) {
        for (std::uint32_t x = 0; x <= n; ++x) {
            const float u = static_cast<float>(x) / static_cast<float>(n) - 0.5F;
            const float v = static_cast<float>(y) / static_cast<float>(n) - 0.5F;
            mesh.positions.push_back({1.3F * u, 0.4F * fractal_noise({6 * u, 6 * v, 0}), 1.3F * v});
        }
    }
    add_quads(mesh, n, 0);
    reduce(mesh, triangles);
    return mesh;
}

SampleMesh noisy_sphere(std::uint32_t triangles) {
    const auto n = static_cast<std::uint32_t>(std::sqrt(static_cast<float>(triangles) * 1.5F / 6));
    SampleMesh mesh;
    for (int face = 0; face < 6; ++face) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        const auto axis = static_cast<std::size_t>(face / 2);
        const float side = face % 2 == 0 ? 1.0F : -1.0F;
        for (std::uint32_t y = 0; y <= n; ++y) {
            for (std::uint32_t x = 0; x <= n; ++x) {
                Vec p{};
                p[axis] = side;
                p[(axis + 1) % 3] =
                    side * (2 * static_cast<float>(x) - static_cast<float>(n)) / static_cast<float>(n);
                p[(axis + 2) % 3] =
                    (2 * static_cast<float>(y) - static_cast<float>(n)) / static_cast<float>(n);
                const float len = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
                for (float& c : p) c /= len;
                const float radius = 0.8F + 0.25F * fractal_noise({2 * p[0], 2 * p[1], 2 * p[2]});
                for (float& c : p) c = std::round(c * radius * 1048576.0F) / 1048576.0F;
                mesh.positions.push_back(p);
            }
        }
        add_quads(mesh, n, first);
    }
    weld(mesh);
    reduce(mesh, triangles);
    return mesh;
}

SamplePages sample_pages(const SampleMesh& mesh, const SampleOptions& options) {
    return Layout(mesh, options).run();
}

}  // namespace sinter
