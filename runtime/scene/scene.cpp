#include "runtime/scene/scene.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/mesh_arrays.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace sinter {
namespace {

constexpr std::uint64_t kHeapUnit = 16;  // of gpu::Page::offset16

// Appends the package's meshes to a scene one by one.
class SceneReader {
public:
    SceneReader(const PackageView& package, const manifest::ManifestT& manifest)
        : package_(package), manifest_(manifest) {}

    Result<PackageScene> read() && {
        for (std::uint32_t i = 0; i < manifest_.meshes.size(); ++i) SINTER_TRY(read_mesh(i));
        read_materials();
        read_instances();
        return std::move(out_);
    }

private:
    Result<Unit> read_mesh(std::uint32_t index) {
        const manifest::MeshT& mesh = *manifest_.meshes[index];
        SceneMesh entry{.pages = {count(out_.pages), 0},
                        .groups = {count(out_.groups), 0},
                        .clusters = {count(out_.clusters), 0},
                        .nodes = {count(out_.nodes), 0},
                        .prefixes = {count(out_.prefixes), 0},
                        .vertex_count = mesh.vertex_count,
                        .level_count = 0,
                        .center = {},
                        .radius = 0};
        gpu::Mesh record{};
        record.first_page = entry.pages.first;
        record.first_group = entry.groups.first;
        record.position_bits = 16;
        if (mesh.index_count != 0 && !mesh.cluster_dag) {
            return Error{ErrorKind::Unsupported, fmt::format("mesh {} '{}'", index, mesh.name),
                         "it has no levels of detail, which are what the runtime draws",
                         "cook it with cluster.enabled=true"};
        }
        if (mesh.cluster_dag) SINTER_TRY(read_dag(index, entry, record));
        if (mesh.bounds && mesh.bounds->center) {
            const manifest::Float3& c = *mesh.bounds->center;
            entry.center = {static_cast<double>(c.x()), static_cast<double>(c.y()),
                            static_cast<double>(c.z())};
            entry.radius = static_cast<double>(mesh.bounds->radius);
        }
        out_.meshes.push_back(entry);
        out_.gpu_meshes.push_back(record);
        return Unit{};
    }

    Result<Unit> read_dag(std::uint32_t index, SceneMesh& entry, gpu::Mesh& record) {
        const manifest::MeshT& mesh = *manifest_.meshes[index];
        SINTER_TRY_ASSIGN(const ClusterTables tables, read_cluster_tables(package_, manifest_, index));
        for (std::uint32_t page = 0; page < tables.pages.size(); ++page)
            SINTER_TRY(read_page(index, page, tables.pages[page], record));
        std::ranges::copy(tables.groups, std::back_inserter(out_.groups));
        std::ranges::copy(tables.hierarchy, std::back_inserter(out_.nodes));
        std::ranges::copy(tables.prefixes, std::back_inserter(out_.prefixes));
        entry.pages.count = count(out_.pages) - entry.pages.first;
        entry.groups.count = count(out_.groups) - entry.groups.first;
        entry.clusters.count = count(out_.clusters) - entry.clusters.first;
        entry.nodes.count = count(out_.nodes) - entry.nodes.first;
        entry.prefixes.count = count(out_.prefixes) - entry.prefixes.first;
        entry.level_count = static_cast<std::uint32_t>(mesh.cluster_dag->levels.size());
        record.position_bits = mesh.grid->bits;
        record.step = mesh.grid->step;
        record.center = {mesh.grid->center->x(), mesh.grid->center->y(), mesh.grid->center->z()};
        add_max_levels(entry);
        return Unit{};
    }

    Result<Unit> read_page(std::uint32_t mesh, std::uint32_t page, const ClusterPageRecord& entry,
                           gpu::Mesh& record) {
        SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes,
                          package_.decode(SectionType::PageData, page_section_id(mesh, page)));
        SINTER_TRY_ASSIGN(const PageView view, view_page(bytes));
        const std::uint64_t offset = out_.heap.size();
        if (offset / kHeapUnit > std::numeric_limits<std::uint32_t>::max() ||
            out_.clusters.size() + view.header().cluster_count > std::numeric_limits<std::uint32_t>::max()) {
            return Error{ErrorKind::Limit, fmt::format("mesh {}, page {}", mesh, page),
                         "the package has more than 64 GiB of pages or 2^32 clusters", "cook it in parts"};
        }
        record.has_normals = view.header().normal_bits != 0 ? 1 : 0;
        out_.pages.push_back({.offset16 = static_cast<std::uint32_t>(offset / kHeapUnit),
                              .mesh = mesh,
                              .first_cluster = count(out_.clusters),
                              .first_vertex = entry.first_vertex});
        for (std::uint32_t c = 0; c < view.header().cluster_count; ++c) {
            out_.clusters.push_back(view.cluster(c));
            out_.page_of_cluster.push_back(count(out_.pages) - 1);
        }
        out_.heap.insert(out_.heap.end(), bytes.begin(), bytes.end());
        out_.heap.resize((out_.heap.size() + kHeapUnit - 1) / kHeapUnit * kHeapUnit);
        return Unit{};
    }

    // The clusters that replace a group are in groups of higher levels: these are done first.
    void add_max_levels(const SceneMesh& mesh) {
        std::vector<std::uint32_t> levels(mesh.groups.count);
        for (std::uint32_t g = 0; g < mesh.groups.count; ++g)
            levels[g] = out_.groups[mesh.groups.first + g].level;
        std::vector<std::uint32_t> by_level(mesh.clusters.count);
        for (std::uint32_t c = 0; c < mesh.clusters.count; ++c) by_level[c] = mesh.clusters.first + c;
        std::ranges::sort(by_level, [&](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t level_a = out_.groups[mesh.groups.first + out_.clusters[a].group].level;
            const std::uint32_t level_b = out_.groups[mesh.groups.first + out_.clusters[b].group].level;
            return level_a != level_b ? level_a > level_b : a < b;
        });
        for (const std::uint32_t c : by_level) {
            const ClusterRecord& cluster = out_.clusters[c];
            if (cluster.child_group < 0) continue;
            std::uint32_t& child = levels[static_cast<std::uint32_t>(cluster.child_group)];
            child = std::max(child, levels[cluster.group]);
        }
        std::ranges::copy(levels, std::back_inserter(out_.max_levels));
    }

    void read_materials() {
        gpu::Material none{};
        none.base_color = {0.8F, 0.8F, 0.8F, 1};
        none.double_sided = 1;
        out_.materials.push_back(none);
        for (const auto& material : manifest_.materials) {
            gpu::Material record = none;
            if (const auto& c = material->base_color) record.base_color = {c->x(), c->y(), c->z(), c->w()};
            record.double_sided = material->double_sided ? 1 : 0;
            if (const auto& e = material->emissive) record.emissive = {e->x(), e->y(), e->z()};
            out_.materials.push_back(record);
        }
    }

    void read_instances() {
        for (std::uint32_t n = 0; n < manifest_.nodes.size(); ++n) {
            const manifest::NodeT& node = *manifest_.nodes[n];
            if (node.mesh >= 0 && node.in_scene)
                out_.instances.push_back({static_cast<std::uint32_t>(node.mesh), n, node.skin});
        }
        if (!out_.instances.empty()) return;
        for (std::uint32_t m = 0; m < manifest_.meshes.size(); ++m)
            out_.instances.push_back({.mesh = m, .node = kNoNode, .skin = -1});
    }

    template <typename Record>
    static std::uint32_t count(const std::vector<Record>& records) {
        return static_cast<std::uint32_t>(records.size());
    }

    const PackageView& package_;
    const manifest::ManifestT& manifest_;
    PackageScene out_;
};

}  // namespace

std::span<const std::byte> page_bytes(const PackageScene& scene, std::uint32_t page) {
    const auto heap = std::span(scene.heap).subspan(std::size_t{scene.pages[page].offset16} * kHeapUnit);
    PageHeader header;
    std::memcpy(&header, heap.data(), sizeof header);
    return heap.first(header.byte_count);
}

std::vector<std::array<float, 3>> mesh_positions(const PackageScene& scene, std::uint32_t mesh_index,
                                                 std::uint32_t count) {
    const SceneMesh& mesh = scene.meshes[mesh_index];
    const gpu::Mesh& grid = scene.gpu_meshes[mesh_index];
    std::vector<std::array<float, 3>> out;
    for (std::uint32_t p = mesh.pages.first; p < mesh.pages.end() && out.size() < count; ++p) {
        const auto page = view_page(page_bytes(scene, p));
        for (std::uint32_t v = 0; page && v < page->header().vertex_count && out.size() < count; ++v) {
            out.push_back(grid_decode({grid.center.x, grid.center.y, grid.center.z}, grid.step,
                                      page->grid_position(v)));
        }
    }
    return out;
}

std::vector<std::uint32_t> cluster_vertices(const PackageScene& scene, std::uint32_t cluster) {
    const ClusterRecord& record = scene.clusters[cluster];
    const std::uint32_t number = scene.page_of_cluster[cluster];
    const std::uint32_t first_page = scene.meshes[scene.pages[number].mesh].pages.first;
    std::vector<std::uint32_t> out;
    const auto page = view_page(page_bytes(scene, number));
    for (std::uint32_t i = 0; page && i < record.vertex_count; ++i) {
        const std::uint16_t reference = page->reference(record, i);
        const std::uint32_t owner = first_page + page->table_page(record, reference_entry(reference));
        out.push_back(scene.pages[owner].first_vertex + reference_vertex(reference));
    }
    return out;
}

std::vector<std::array<std::uint8_t, 3>> cluster_triangles(const PackageScene& scene, std::uint32_t cluster) {
    const ClusterRecord& record = scene.clusters[cluster];
    std::vector<std::array<std::uint8_t, 3>> out;
    const auto page = view_page(page_bytes(scene, scene.page_of_cluster[cluster]));
    for (std::uint32_t t = 0; page && t < record.triangle_count; ++t)
        out.push_back(page->triangle(record, t));
    return out;
}

Result<PackageScene> load_scene(const PackageView& package, const manifest::ManifestT& manifest) {
    return SceneReader(package, manifest).read();
}

}  // namespace sinter
