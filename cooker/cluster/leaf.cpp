#include "cooker/cluster/leaf.hpp"

#include "cooker/cluster/bounds.hpp"
#include "cooker/cluster/chunks.hpp"
#include "cooker/cluster/local_index.hpp"
#include "cooker/cluster/pack.hpp"
#include "cooker/disjoint_sets.hpp"
#include "cooker/parallel.hpp"

#include <meshoptimizer.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace sinter {
namespace {

// Triangles a chunk at most: a few hundred clusters, so that what a chunk's border costs in fill is below 0.3 %.
constexpr std::uint32_t kChunkTriangles = 1U << 16;

// The triangles of a chunk with vertices 0, 1, 2: meshoptimizer takes time for every vertex below the largest index.
struct LocalTriangles {
    std::vector<std::uint32_t> indices;
    std::vector<std::uint32_t> vertices;  // of the mesh
    std::vector<Float3> positions;
};

LocalTriangles compacted(const PreparedMesh& mesh, std::span<const std::uint32_t> indices) {
    LocalTriangles local;
    LocalIndex numbers(indices.size());
    local.indices.reserve(indices.size());
    for (const std::uint32_t v : indices) local.indices.push_back(numbers.add(v));
    local.vertices.reserve(numbers.size());
    local.positions.reserve(numbers.size());
    for (const std::uint64_t v : numbers.keys()) {
        local.vertices.push_back(static_cast<std::uint32_t>(v));
        local.positions.push_back(mesh.positions[v]);
    }
    return local;
}

struct Meshlets {
    std::vector<meshopt_Meshlet> meshlets;
    std::vector<unsigned> vertices;
    std::vector<unsigned char> triangles;
};

// meshoptimizer takes multiples of four only.
constexpr std::uint32_t kTriangleStep = 4;

Meshlets build_meshlets(const LocalTriangles& local, const ClusterOptions& options) {
    const std::uint32_t triangles = options.max_triangles / kTriangleStep * kTriangleStep;
    const std::size_t most =
        meshopt_buildMeshletsBound(local.indices.size(), options.max_vertices, triangles);
    Meshlets built;
    built.meshlets.resize(most);
    built.vertices.resize(most * options.max_vertices);
    built.triangles.resize(most * triangles * 3);
    built.meshlets.resize(
        meshopt_buildMeshlets(built.meshlets.data(), built.vertices.data(), built.triangles.data(),
                              local.indices.data(), local.indices.size(), &local.positions[0].x,
                              local.positions.size(), sizeof(Float3), options.max_vertices, triangles, 0.0F));
    return built;
}

void append_meshlet(const LocalTriangles& local, const Meshlets& built, const meshopt_Meshlet& meshlet,
                    std::int32_t material, ClusterSet& out) {
    Cluster cluster;
    cluster.first_index = static_cast<std::uint32_t>(out.indices.size());
    cluster.triangle_count = meshlet.triangle_count;
    cluster.vertex_count = meshlet.vertex_count;
    cluster.material = material;
    const auto vertices = std::span(built.vertices).subspan(meshlet.vertex_offset, meshlet.vertex_count);
    const auto corners =
        std::span(built.triangles).subspan(meshlet.triangle_offset, std::size_t{meshlet.triangle_count} * 3);
    out.first_vertex.push_back(static_cast<std::uint32_t>(out.vertices.size()));
    for (const unsigned v : vertices) out.vertices.push_back(local.vertices[v]);
    for (const unsigned char i : corners) out.indices.push_back(local.vertices[vertices[i]]);
    out.clusters.push_back(cluster);
}

void append_grown(const LocalTriangles& local, std::int32_t material, const ClusterOptions& options,
                  ClusterSet& out) {
    const Meshlets built = build_meshlets(local, options);
    for (const meshopt_Meshlet& meshlet : built.meshlets)
        append_meshlet(local, built, meshlet, material, out);
}

// One cluster of these triangles.
void append_cluster(const PreparedMesh& mesh, std::span<const std::uint32_t> indices, std::int32_t material,
                    ClusterSet& out) {
    const LocalTriangles local = compacted(mesh, indices);
    Cluster cluster;
    cluster.first_index = static_cast<std::uint32_t>(out.indices.size());
    cluster.triangle_count = static_cast<std::uint32_t>(indices.size() / 3);
    cluster.vertex_count = static_cast<std::uint32_t>(local.vertices.size());
    cluster.material = material;
    out.clusters.push_back(cluster);
    out.first_vertex.push_back(static_cast<std::uint32_t>(out.vertices.size()));
    out.vertices.insert(out.vertices.end(), local.vertices.begin(), local.vertices.end());
    out.indices.insert(out.indices.end(), indices.begin(), indices.end());
}

std::vector<std::uint32_t> gathered(std::span<const std::uint32_t> indices,
                                    std::span<const std::uint32_t> triangles) {
    std::vector<std::uint32_t> out;
    out.reserve(triangles.size() * 3);
    for (const std::uint32_t t : triangles) {
        const auto corners = indices.subspan(std::size_t{t} * 3, 3);
        out.insert(out.end(), corners.begin(), corners.end());
    }
    return out;
}

// Triangles of one material.
struct Chunk {
    const Submesh* submesh = nullptr;
    std::vector<std::uint32_t> triangles;  // of the submesh, rising
};

using TriangleLists = std::vector<std::vector<std::uint32_t>>;

// Cuts that go through a card or a leaf make two loose pieces of it, and clusters of equal pieces no longer come out
// even: a piece that fits into a cluster goes to the first chunk that has a triangle of it. `corners`: three a triangle.
void keep_pieces_whole(const PreparedMesh& mesh, std::span<const std::uint32_t> corners,
                       std::uint32_t most_triangles, TriangleLists& chunks) {
    DisjointSets pieces(mesh.vertex_count());
    for (std::size_t i = 0; i < corners.size(); i += 3) {
        pieces.unite(corners[i], corners[i + 1]);
        pieces.unite(corners[i], corners[i + 2]);
    }
    std::vector<std::uint32_t> triangles(mesh.vertex_count(), 0);  // by root
    for (std::size_t i = 0; i < corners.size(); i += 3) ++triangles[pieces.find(corners[i])];
    constexpr std::uint32_t kNoChunk = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> home(mesh.vertex_count(), kNoChunk);
    for (std::uint32_t c = 0; c < chunks.size(); ++c) {
        const std::vector<std::uint32_t> before = std::move(chunks[c]);
        chunks[c].clear();
        for (const std::uint32_t t : before) {
            const std::uint32_t root = pieces.find(corners[std::size_t{t} * 3]);
            if (triangles[root] > most_triangles) {
                chunks[c].push_back(t);
                continue;
            }
            if (home[root] == kNoChunk) home[root] = c;
            chunks[home[root]].push_back(t);
        }
    }
    std::erase_if(chunks, [](const std::vector<std::uint32_t>& chunk) { return chunk.empty(); });
    for (std::vector<std::uint32_t>& chunk : chunks) {
        if (!std::ranges::is_sorted(chunk)) std::ranges::sort(chunk);
    }
}

// Triangles of one material (numbers in `corners`) by chunk, rising in each.
TriangleLists chunks_of(const PreparedMesh& mesh, std::span<const std::uint32_t> corners,
                        std::uint32_t granularity) {
    std::vector<ChunkItem> items(corners.size() / 3);
    for (std::uint32_t t = 0; t < items.size(); ++t) {
        const auto corner = corners.subspan(std::size_t{t} * 3, 3);
        const Float3 sum = mesh.positions[corner[0]] + mesh.positions[corner[1]] + mesh.positions[corner[2]];
        items[t] = {sum, t};
    }
    const std::vector<std::uint32_t> starts =
        sort_into_chunks(items, {.most = kChunkTriangles, .granularity = granularity, .share = 0.5});
    TriangleLists chunks;
    for (std::size_t c = 0; c + 1 < starts.size(); ++c) {
        std::vector<std::uint32_t>& chunk = chunks.emplace_back();
        chunk.reserve(starts[c + 1] - starts[c]);
        for (std::uint32_t i = starts[c]; i < starts[c + 1]; ++i) chunk.push_back(items[i].id);
    }
    if (chunks.size() > 1) keep_pieces_whole(mesh, corners, granularity, chunks);
    return chunks;
}

}  // namespace

void ClusterSet::append(const ClusterSet& other, std::size_t cluster) {
    Cluster copy = other.clusters[cluster];
    copy.first_index = static_cast<std::uint32_t>(indices.size());
    clusters.push_back(copy);
    first_vertex.push_back(static_cast<std::uint32_t>(vertices.size()));
    const auto corners = other.indices_of(cluster);
    indices.insert(indices.end(), corners.begin(), corners.end());
    const auto used = other.vertices_of(cluster);
    vertices.insert(vertices.end(), used.begin(), used.end());
    if (!other.samples.empty()) {
        samples.resize(clusters.size());
        samples.back() = other.samples[cluster];
    }
}

void ClusterSet::append(const ClusterSet& other) {
    for (std::size_t c = 0; c < other.clusters.size(); ++c) append(other, c);
}

void cut_into_clusters(const PreparedMesh& mesh, std::span<const std::uint32_t> indices,
                       std::int32_t material, const ClusterOptions& options, ClusterSet& out) {
    if (indices.empty()) return;
    const LocalTriangles local = compacted(mesh, indices);
    const Packing packing = pack_pieces(local.indices, local.positions, options);
    if (packing.clusters.empty()) return append_grown(local, material, options, out);
    for (const std::vector<std::uint32_t>& triangles : packing.clusters) {
        append_cluster(mesh, gathered(indices, triangles), material, out);
    }
    if (packing.rest.empty()) return;
    append_grown(compacted(mesh, gathered(indices, packing.rest)), material, options, out);
}

void set_bounds(const PreparedMesh& mesh, ClusterSet& set, std::uint32_t threads) {
    constexpr std::size_t kClustersAJob = 256;
    const std::size_t count = set.clusters.size();
    parallel_for((count + kClustersAJob - 1) / kClustersAJob, threads, [&](std::size_t job) {
        std::vector<Float3> positions;
        for (std::size_t c = job * kClustersAJob; c < std::min(count, (job + 1) * kClustersAJob); ++c) {
            positions.clear();
            for (const std::uint32_t v : set.vertices_of(c)) positions.push_back(mesh.positions[v]);
            set.clusters[c].cull_bounds = sphere_around_points(positions);
            set.clusters[c].cone = cone_of_triangles(mesh.positions, set.indices_of(c));
        }
    });
}

ClusterSet leaf_clusters(const PreparedMesh& mesh, const ClusterOptions& options, std::uint32_t threads) {
    const auto corners_of = [&](const Submesh& submesh) {
        return std::span(mesh.indices).subspan(submesh.first_index, submesh.index_count);
    };
    std::vector<Chunk> chunks;
    for (const Submesh& submesh : mesh.submeshes) {
        for (std::vector<std::uint32_t>& triangles :
             chunks_of(mesh, corners_of(submesh), options.max_triangles)) {
            chunks.push_back({&submesh, std::move(triangles)});
        }
    }
    std::vector<ClusterSet> parts(chunks.size());
    parallel_for(chunks.size(), threads, [&](std::size_t c) {
        const Submesh& submesh = *chunks[c].submesh;
        const std::vector<std::uint32_t> indices = gathered(corners_of(submesh), chunks[c].triangles);
        chunks[c].triangles = {};
        cut_into_clusters(mesh, indices, submesh.material, options, parts[c]);
    });
    ClusterSet all;
    for (ClusterSet& part : parts) {
        all.append(part);
        part = {};
    }
    return all;
}

}  // namespace sinter
