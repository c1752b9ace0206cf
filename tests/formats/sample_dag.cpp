// The mesh with a cluster DAG of the sample package, by hand. Seen from above, with the vertices' numbers:
//
//     3---7---4---9---5     y = 1      full detail: groups 1 (left) and 2 (right), 4 triangles each
//     |  /|  /|  /|  /|                level 1, group 0: two triangles a half, without the vertices 6 to 9
//     0---6---1---8---2     y = 0
//     x=0  1   2   3   4               z: 0.25 at 6 and 7, 0.125 at 8 and 9, else 0
#include "sample_package.hpp"

#include <sinter/formats/cluster_records.hpp>
#include <sinter/formats/page.hpp>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>

namespace sinter::test {
namespace {

namespace mf = manifest;

constexpr std::uint32_t kMesh = 2;
constexpr float kStep = 1.0F / 8192;
constexpr float kLeftError = 0.25F;
constexpr float kRightError = 0.125F;

ResidentVertex16 vertex(float x, float y, float z) {
    const auto code = [](float value) { return static_cast<std::int16_t>(value / kStep); };
    return {code(x - 2), code(y - 0.5F), code(z), tangent_encode({0, 0}, {1, 0, 0}, true)};
}

// Adds a page and returns its bytes' number.
std::uint32_t add_page(SamplePackage& package, std::uint32_t page,
                       const std::vector<ResidentVertex16>& vertices,
                       const std::vector<PageCluster>& clusters) {
    const std::vector<OctNormal> normals(vertices.size());
    auto bytes = pack_page({.page = page,
                            .has_tangents = true,
                            .normal_bits = 20,
                            .vertices16 = vertices,
                            .vertices32 = {},
                            .normals = normals,
                            .clusters = clusters});
    if (!bytes) throw std::runtime_error(bytes.error().line());
    package.set(SectionType::PageData, page_section_id(kMesh, page), *bytes);
    return static_cast<std::uint32_t>(bytes->size());
}

std::uint32_t add_coarse_page(SamplePackage& package) {
    static constexpr std::array<std::uint32_t, 1> kTable{0};
    static constexpr std::array<std::uint8_t, 6> kTriangles{0, 1, 2, 0, 2, 3};
    static constexpr std::array<std::uint16_t, 4> kLeft{0, 1, 4, 3};
    static constexpr std::array<std::uint16_t, 4> kRight{1, 2, 5, 4};
    PageCluster left{.cull_center = {1, 0.5F, 0},
                     .cull_radius = 1.126F,
                     .cone = encode_cone({0, 0, 1}, 0.01F),
                     .group = 0,
                     .child_group = 1,
                     .material = 0,
                     .table = kTable,
                     .references = kLeft,
                     .triangles = kTriangles};
    PageCluster right = left;
    right.cull_center[0] = 3;
    right.child_group = 2;
    right.material = 1;
    right.references = kRight;
    return add_page(package, 0,
                    {vertex(0, 0, 0), vertex(2, 0, 0), vertex(4, 0, 0), vertex(0, 1, 0), vertex(2, 1, 0),
                     vertex(4, 1, 0)},
                    {left, right});
}

std::uint32_t add_fine_page(SamplePackage& package) {
    static constexpr std::array<std::uint32_t, 2> kTable{1, 0};
    static constexpr std::array<std::uint8_t, 12> kTriangles{0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
    static constexpr std::array<std::uint16_t, 6> kLeft{make_reference(1, 0), make_reference(0, 0),
                                                        make_reference(0, 1), make_reference(1, 3),
                                                        make_reference(1, 1), make_reference(1, 4)};
    static constexpr std::array<std::uint16_t, 6> kRight{make_reference(1, 1), make_reference(0, 2),
                                                         make_reference(0, 3), make_reference(1, 4),
                                                         make_reference(1, 2), make_reference(1, 5)};
    PageCluster left{.cull_center = {1, 0.5F, 0.125F},
                     .cull_radius = 1.126F,
                     .group = 1,
                     .material = 0,
                     .table = kTable,
                     .references = kLeft,
                     .triangles = kTriangles};
    PageCluster right = left;
    right.cull_center = {3, 0.5F, 0.0625F};
    right.group = 2;
    right.material = 1;
    right.references = kRight;
    return add_page(package, 1,
                    {vertex(1, 0, kLeftError), vertex(1, 1, kLeftError), vertex(3, 0, kRightError),
                     vertex(3, 1, kRightError)},
                    {left, right});
}

ClusterGroupRecord group(std::array<float, 3> center, float radius, float error,
                         std::uint32_t first_cluster) {
    ClusterGroupRecord out;
    out.lod_center = center;
    out.lod_radius = radius;
    out.lod_error = error;
    out.geometric_error = error;
    out.page = 1;
    out.first_cluster = first_cluster;
    out.cluster_count = 1;
    out.locked_points = 4;
    out.points = 6;
    return out;
}

void set_child(ClusterHierarchyNode& node, std::size_t slot, std::array<float, 3> center, float radius,
               float error, std::uint32_t child) {
    node.center_x[slot] = center[0];
    node.center_y[slot] = center[1];
    node.center_z[slot] = center[2];
    node.radius[slot] = radius;
    node.lod_error[slot] = error;
    node.child[slot] = child;
}

void add_groups(SamplePackage& package) {
    ClusterGroupRecord root = group({2, 0.5F, 0}, 2.3F, kNoReplacementError, 0);
    root.geometric_error = kLeftError;
    root.page = 0;
    root.cluster_count = 2;
    root.level = 1;
    root.end = 1;
    root.path = 3;
    root.locked_points = root.points = 0;
    package.set<ClusterGroupRecord>(SectionType::ClusterGroups, kMesh,
                                    {root, group({1, 0.5F, 0.125F}, 1.2F, kLeftError, 0),
                                     group({3, 0.5F, 0.0625F}, 1.2F, kRightError, 1)});
    std::vector<ClusterHierarchyNode> nodes(2);
    set_child(nodes[0], 0, {2, 0.5F, 0}, 2.31F, kNoReplacementError, kHierarchyGroup);
    set_child(nodes[0], 1, {2, 0.5F, 0.0625F}, 2.3F, 0.252F, 1);
    set_child(nodes[1], 0, {1, 0.5F, 0.125F}, 1.21F, 0.251F, kHierarchyGroup | 1U);
    set_child(nodes[1], 1, {3, 0.5F, 0.0625F}, 1.21F, 0.126F, kHierarchyGroup | 2U);
    package.set<ClusterHierarchyNode>(SectionType::ClusterHierarchy, kMesh, nodes);
}

void add_tables(SamplePackage& package, std::uint32_t coarse_bytes, std::uint32_t fine_bytes) {
    package.set<ClusterPageRecord>(SectionType::ClusterPages, kMesh,
                                   {{.first_vertex = 0,
                                     .vertex_count = 6,
                                     .cluster_count = 2,
                                     .reference_count = 8,
                                     .triangle_count = 4,
                                     .byte_count = coarse_bytes,
                                     .first_group = 0,
                                     .group_count = 1,
                                     .first_dependency = 0,
                                     .dependency_count = 0,
                                     .max_lod_error = kNoReplacementError},
                                    {.first_vertex = 6,
                                     .vertex_count = 4,
                                     .cluster_count = 2,
                                     .reference_count = 12,
                                     .triangle_count = 8,
                                     .byte_count = fine_bytes,
                                     .first_group = 1,
                                     .group_count = 2,
                                     .first_dependency = 0,
                                     .dependency_count = 1,
                                     .max_lod_error = kLeftError}});
    package.set<std::uint32_t>(SectionType::ClusterPageDependencies, kMesh, {0});
    package.set<ClusterPrefixRecord>(
        SectionType::ClusterPrefixes, kMesh,
        {{.lod_error = kLeftError, .vertex_count = 6, .page_count = 1, .triangle_count = 4},
         {.lod_error = kRightError, .vertex_count = 8, .page_count = 2, .triangle_count = 6},
         {.lod_error = 0, .vertex_count = 10, .page_count = 2, .triangle_count = 8}});
    package.set<SkinBatchRecord>(SectionType::SkinBatches, kMesh,
                                 {{.first_vertex = 0, .vertex_count = 6, .influences = 1},
                                  {.first_vertex = 6, .vertex_count = 2, .influences = 1},
                                  {.first_vertex = 8, .vertex_count = 2, .influences = 4}});
}

std::unique_ptr<mf::ClusterLevelT> level(std::uint32_t clusters, std::uint32_t groups,
                                         std::uint64_t triangles, float min_error, float max_error) {
    auto out = std::make_unique<mf::ClusterLevelT>();
    out->clusters = clusters;
    out->groups = groups;
    out->triangles = triangles;
    out->min_error = min_error;
    out->max_error = max_error;
    return out;
}

std::unique_ptr<mf::ClusterDagT> manifest_dag(std::uint64_t resident_bytes) {
    auto dag = std::make_unique<mf::ClusterDagT>();
    dag->levels.push_back(level(2, 2, 8, kRightError, kLeftError));
    dag->levels.push_back(level(2, 1, 4, 0, 0));
    dag->group_count = 3;
    dag->cluster_count = 4;
    dag->page_count = 2;
    dag->hierarchy_node_count = 2;
    dag->dependency_count = 1;
    dag->prefix_count = 3;
    dag->skin_batch_count = 3;
    dag->max_triangles = 4;
    dag->max_vertices = 6;
    dag->stored_triangles = 12;
    dag->reference_count = 20;
    dag->root_triangles = 4;
    dag->root_clusters = 2;
    dag->resident_bytes = resident_bytes;
    dag->measured_error = true;
    return dag;
}

// Ten vertices: the first eight follow one joint, the last two half and half.
void add_vertex_sections(SamplePackage& package, mf::MeshT& mesh) {
    std::vector<UvCode> uvs;                     // u = v / 8, v = 0.5, exactly
    using Record = std::array<std::uint8_t, 6>;  // two u16 joints, two u8 weights
    std::vector<Record> influences;
    for (std::uint8_t v = 0; v < 10; ++v) {
        uvs.push_back({.u = static_cast<std::uint16_t>(v * 4096), .v = 0});
        influences.push_back(v < 8 ? Record{1, 0, 0, 0, 255, 0} : Record{1, 0, 2, 0, 128, 127});
    }
    package.set<UvCode>(SectionType::MeshUvs, uv_section_id(kMesh, 0), uvs);
    package.set<Record>(SectionType::MeshInfluences, kMesh, influences);
    mesh.uv_sets = 1;
    mesh.uvs.push_back(std::make_unique<mf::UvInfoT>());
    mesh.uvs[0]->bits = 16;
    mesh.uvs[0]->min_v = 0.5F;
    mesh.uvs[0]->step_u = 1.0F / 32768;
    mesh.skin = 0;
    mesh.influences = std::make_unique<mf::InfluencesT>();
    mesh.influences->stride = 2;
    mesh.influences->weight_bits = 8;
    mesh.influences->max_source = 2;
    mesh.influences->max = 2;
    mesh.influences->class_1 = 8;
    mesh.influences->class_4 = 2;
}

}  // namespace

void add_field(SamplePackage& package) {
    auto field = std::make_unique<mf::MeshT>();
    field->name = "Field";
    field->vertex_count = field->point_count = 10;
    field->source_vertices = 10;
    field->index_count = 24;
    field->source_triangles = 8;
    field->grid = std::make_unique<mf::GridT>();
    field->grid->bits = 16;
    field->grid->step = kStep;
    field->grid->center = std::make_unique<mf::Float3>(2.0F, 0.5F, 0.0F);
    field->bounds = std::make_unique<mf::BoundsT>();
    field->bounds->min = std::make_unique<mf::Float3>(0.0F, 0.0F, 0.0F);
    field->bounds->max = std::make_unique<mf::Float3>(4.0F, 1.0F, 0.25F);
    field->bounds->center = std::make_unique<mf::Float3>(2.0F, 0.5F, 0.0F);
    field->bounds->radius = 2.0616F;
    field->normal = std::make_unique<mf::NormalInfoT>();
    field->normal->bits = 20;
    field->tangent = std::make_unique<mf::TangentInfoT>();
    field->tangent->bits = 16;
    for (std::int32_t i = 0; i < 2; ++i) {
        auto submesh = std::make_unique<mf::SubmeshT>();
        submesh->material = i;
        submesh->first_index = static_cast<std::uint32_t>(12 * i);
        submesh->index_count = 12;
        field->submeshes.push_back(std::move(submesh));
    }
    add_vertex_sections(package, *field);
    const std::uint32_t coarse = add_coarse_page(package);
    const std::uint32_t fine = add_fine_page(package);
    add_groups(package);
    add_tables(package, coarse, fine);
    field->cluster_dag = manifest_dag(std::uint64_t{coarse} + fine);
    package.manifest.meshes.push_back(std::move(field));
}

}  // namespace sinter::test
