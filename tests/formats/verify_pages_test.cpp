// A mutant for each check of pages and cluster DAGs, and what else readers of them refuse.
#include "mutants.hpp"
#include "reseal.hpp"
#include "sample_package.hpp"

#include <sinter/formats/mesh_arrays.hpp>
#include <sinter/formats/verify.hpp>

#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <set>
#include <vector>

namespace sinter {
namespace {

using test::check_mutants;
using test::codes_of;
using test::kNan;
using test::SamplePackage;
namespace mf = manifest;

mf::MeshT& field(SamplePackage& s) { return *s.manifest.meshes[2]; }

}  // namespace

TEST_CASE("mutants of pages are found by the check that is made for them") {
    const auto cluster = [](std::uint32_t page, std::size_t index, auto edit) {
        return [=](SamplePackage& s) {
            s.change_in_page<ClusterRecord>(page, &PageHeader::clusters_offset, index, edit);
        };
    };
    const auto page = [](std::size_t index, auto edit) {
        return
            [=](SamplePackage& s) { s.change<ClusterPageRecord>(SectionType::ClusterPages, 2, index, edit); };
    };
    check_mutants({
        {"a cluster without triangles", FindingCode::Page,
         cluster(1, 0, [](auto& c) { c.triangle_count = 0; })},
        {"a triangle of two equal vertices", FindingCode::Page,
         [](auto& s) {
             s.template change_in_page<std::uint8_t>(0, &PageHeader::triangles_offset, 1,
                                                     [](auto& v) { v = 0; });
         }},
        {"a page that is another", FindingCode::PageRecord,
         [](auto& s) {  // of equal size: the second page as the first
             s.parts[{SectionType::PageData, page_section_id(2, 0)}] =
                 s.parts[{SectionType::PageData, page_section_id(2, 1)}];
             s.template change<ClusterPageRecord>(SectionType::ClusterPages, 2, 0, [&](auto& r) {
                 r.byte_count = static_cast<std::uint32_t>(
                     s.parts[{SectionType::PageData, page_section_id(2, 1)}].raw.size());
             });
         }},
        {"another number of clusters", FindingCode::PageRecord,
         page(1, [](auto& r) { r.cluster_count = 1; })},
        {"another number of references", FindingCode::PageRecord,
         page(1, [](auto& r) { ++r.reference_count; })},
        {"another number of triangles", FindingCode::PageRecord,
         page(0, [](auto& r) { ++r.triangle_count; })},
        {"vertices with a gap", FindingCode::PageRecord, page(1, [](auto& r) { r.first_vertex = 7; })},
        {"groups that end early", FindingCode::PageRecord, page(1, [](auto& r) { r.group_count = 1; })},
        {"dependencies that overlap", FindingCode::PageRecord,
         page(0, [](auto& r) { r.dependency_count = 1; })},
        {"reserved bytes of a page record", FindingCode::PageRecord,
         page(0, [](auto& r) { r.reserved = 1; })},
        {"an error that is not the largest", FindingCode::PageRecord,
         page(1, [](auto& r) { r.max_lod_error = 0.125F; })},
        {"another number of bits of normals", FindingCode::PageRecord,
         [](auto& s) { field(s).normal->bits = 32; }},
        {"tangents that the mesh does not have", FindingCode::PageRecord,
         [](auto& s) { field(s).tangent->bits = 0; }},
        {"another size", FindingCode::SectionShape, page(1, [](auto& r) { r.byte_count += 16; })},
        {"a page that is missing", FindingCode::SectionMissing,
         [](auto& s) { s.parts.erase({SectionType::PageData, page_section_id(2, 1)}); }},
        {"a page that nobody mentions", FindingCode::SectionUnexpected,
         [](auto& s) {
             s.parts[{SectionType::PageData, page_section_id(2, 2)}] =
                 s.parts[{SectionType::PageData, page_section_id(2, 1)}];
         }},
        {"plain arrays beside pages", FindingCode::SectionUnexpected,
         [](auto& s) { s.template set<std::uint32_t>(SectionType::MeshIndices, 2, {0, 1, 4}); }},
        {"a table of a mesh without a DAG", FindingCode::SectionUnexpected,
         [](auto& s) { s.template set<std::uint32_t>(SectionType::ClusterPageDependencies, 1, {0}); }},
        {"a vertex that its page does not have", FindingCode::PageReference,
         [](auto& s) {
             s.template change_in_page<std::uint16_t>(1, &PageHeader::references_offset, 3,
                                                      [](auto& r) { r = make_reference(1, 6); });
         }},
        {"a page named that is not used", FindingCode::PageDependency,
         [](auto& s) { s.template set<std::uint32_t>(SectionType::ClusterPageDependencies, 2, {1}); }},
        {"clusters larger than the largest", FindingCode::ClusterLimits,
         [](auto& s) { field(s).cluster_dag->max_triangles = 3; }},
        {"clusters of more vertices than the most", FindingCode::ClusterLimits,
         [](auto& s) { field(s).cluster_dag->max_vertices = 5; }},
        {"a cluster's material that is not there", FindingCode::MaterialReference,
         cluster(0, 1, [](auto& c) { c.material = 2; })},
        {"a box that is too large", FindingCode::BoundsBox,
         [](auto& s) { field(s).bounds->max = std::make_unique<mf::Float3>(4.0F, 1.0F, 0.5F); }},
        {"a sphere that is too small", FindingCode::BoundsSphere,
         [](auto& s) { field(s).bounds->radius = 2; }},
        {"no step", FindingCode::Grid, [](auto& s) { field(s).grid->step = 0; }},
    });
}

TEST_CASE("mutants of cluster DAGs are found by the check that is made for them") {
    const auto group = [](std::size_t index, auto edit) {
        return [=](SamplePackage& s) {
            s.change<ClusterGroupRecord>(SectionType::ClusterGroups, 2, index, edit);
        };
    };
    const auto node = [](std::size_t index, auto edit) {
        return [=](SamplePackage& s) {
            s.change<ClusterHierarchyNode>(SectionType::ClusterHierarchy, 2, index, edit);
        };
    };
    const auto prefix = [](std::size_t index, auto edit) {
        return [=](SamplePackage& s) {
            s.change<ClusterPrefixRecord>(SectionType::ClusterPrefixes, 2, index, edit);
        };
    };
    const auto batch = [](std::size_t index, auto edit) {
        return [=](SamplePackage& s) { s.change<SkinBatchRecord>(SectionType::SkinBatches, 2, index, edit); };
    };
    const auto cluster = [](std::uint32_t page, std::size_t index, auto edit) {
        return [=](SamplePackage& s) {
            s.change_in_page<ClusterRecord>(page, &PageHeader::clusters_offset, index, edit);
        };
    };
    const auto dag = [](auto edit) { return [=](SamplePackage& s) { edit(*field(s).cluster_dag); }; };
    check_mutants({
        {"poses that are not listed", FindingCode::ManifestField, dag([](auto& d) { d.poses = 1; })},
        {"a scale without poses", FindingCode::ManifestField, dag([](auto& d) { d.pose_scale = 1; })},
        {"a pose of no clip", FindingCode::ManifestField, dag([](auto& d) {
             d.poses = 1;
             d.pose_scale = 1;
             d.measured_poses.push_back(std::make_unique<mf::MeasuredPoseT>());
             d.measured_poses[0]->clip = 1000;
             d.measured_poses[0]->shape = -1;
         })},
        {"a DAG without levels", FindingCode::ManifestField, dag([](auto& d) { d.levels.clear(); })},
        {"a table that is missing", FindingCode::SectionMissing,
         [](auto& s) { s.parts.erase({SectionType::ClusterHierarchy, 2}); }},
        {"another number of groups", FindingCode::SectionShape, dag([](auto& d) { d.group_count = 2; })},
        {"a cluster that names another group", FindingCode::ClusterGroup,
         cluster(1, 0, [](auto& c) { c.group = 2; })},
        {"clusters with a gap", FindingCode::ClusterGroup, group(2, [](auto& g) { g.first_cluster = 0; })},
        {"a group of another page", FindingCode::ClusterGroup, group(1, [](auto& g) { g.page = 0; })},
        {"a cluster too few", FindingCode::ClusterGroup, group(0, [](auto& g) { g.cluster_count = 1; })},
        {"a group that replaces itself", FindingCode::GroupLink,
         cluster(0, 0, [](auto& c) { c.child_group = 0; })},
        {"a child group that is not there", FindingCode::GroupLink,
         cluster(0, 0, [](auto& c) { c.child_group = 3; })},
        {"a child group of the same level", FindingCode::GroupLink, group(1, [](auto& g) { g.level = 1; })},
        {"a level that is not there", FindingCode::GroupLink, group(0, [](auto& g) { g.level = 2; })},
        {"a simplified group that nothing replaces", FindingCode::GroupLink,
         cluster(0, 0, [](auto& c) { c.child_group = 2; })},
        {"an end that is none", FindingCode::GroupEnd, group(0, [](auto& g) { g.end = 3; })},
        {"a root with a reason", FindingCode::GroupEnd, group(0, [](auto& g) { g.reason = 1; })},
        {"a stuck group without a reason", FindingCode::GroupEnd, group(0, [](auto& g) { g.end = 2; })},
        {"simplified in no way", FindingCode::GroupEnd, group(1, [](auto& g) { g.path = 3; })},
        {"more locked points than points", FindingCode::GroupEnd,
         group(1, [](auto& g) { g.locked_points = 7; })},
        {"reserved bytes of a group", FindingCode::ReservedBits, group(1, [](auto& g) { g.reserved1 = 1; })},
        {"an error above the lod_error", FindingCode::GroupError,
         group(2, [](auto& g) { g.posed_error = 0.126F; })},
        {"an error below a child's", FindingCode::GroupError,
         group(0, [](auto& g) { g.geometric_error = 0.2F; })},
        {"a negative hint", FindingCode::GroupError, group(1, [](auto& g) { g.attribute_error = -1; })},
        {"an error that is NaN", FindingCode::GroupError, group(0, [](auto& g) { g.posed_error = kNan; })},
        {"a sphere without its child groups", FindingCode::GroupBounds,
         group(0, [](auto& g) { g.lod_radius = 2.2F; })},
        {"a sphere without its clusters", FindingCode::GroupBounds,
         group(1, [](auto& g) { g.lod_radius = 1.12F; })},
        {"a group twice in the hierarchy", FindingCode::HierarchyTree,
         node(1, [](auto& n) { n.child[1] = n.child[0]; })},
        {"a group not in the hierarchy", FindingCode::HierarchyTree,
         node(1,
              [](auto& n) {
                  n.child[1] = kHierarchyNone;
                  n.center_x[1] = n.center_y[1] = n.center_z[1] = n.radius[1] = n.lod_error[1] = 0;
              })},
        {"a node that is its own child", FindingCode::HierarchyTree,
         node(1, [](auto& n) { n.child[1] = 1; })},
        {"a group that is not there", FindingCode::HierarchyTree,
         node(1, [](auto& n) { n.child[1] = kHierarchyGroup | 3U; })},
        {"an unused slot before a used one", FindingCode::HierarchyTree,
         node(0, [](auto& n) { std::swap(n.child[1], n.child[2]); })},
        {"an unused slot that is not zero", FindingCode::HierarchyTree,
         node(0, [](auto& n) { n.lod_error[7] = 1; })},
        {"a child's sphere smaller than below", FindingCode::HierarchyBounds,
         node(0, [](auto& n) { n.radius[1] = 2.2F; })},
        {"a group's sphere smaller than the group's", FindingCode::HierarchyBounds,
         node(1, [](auto& n) { n.radius[0] = 1.19F; })},
        {"a child's error smaller than below", FindingCode::HierarchyBounds,
         node(0, [](auto& n) { n.lod_error[1] = 0.25F; })},
        {"a sphere that is NaN", FindingCode::HierarchyBounds,
         node(0, [](auto& n) { n.center_y[0] = kNan; })},
        {"errors that do not fall", FindingCode::Prefix, prefix(1, [](auto& p) { p.lod_error = 0.25F; })},
        {"a last error above 0", FindingCode::Prefix, prefix(2, [](auto& p) { p.lod_error = 0.01F; })},
        {"too few vertices", FindingCode::Prefix, prefix(1, [](auto& p) { p.vertex_count = 6; })},
        {"more vertices than there are", FindingCode::Prefix,
         prefix(2, [](auto& p) { p.vertex_count = 11; })},
        {"too few pages", FindingCode::Prefix, prefix(1, [](auto& p) { p.page_count = 1; })},
        {"another number of triangles", FindingCode::Prefix,
         prefix(1, [](auto& p) { p.triangle_count = 8; })},
        {"batches with a gap", FindingCode::SkinBatch, batch(1, [](auto& b) { b.first_vertex = 7; })},
        {"a batch over two pages", FindingCode::SkinBatch,
         [=](auto& s) {
             batch(0, [](auto& b) { b.vertex_count = 7; })(s);
             batch(1, [](auto& b) { b = {.first_vertex = 7, .vertex_count = 1, .influences = 1}; })(s);
         }},
        {"a batch of another class", FindingCode::SkinBatch, batch(2, [](auto& b) { b.influences = 8; })},
        {"batches that end early", FindingCode::SkinBatch, batch(2, [](auto& b) { b.vertex_count = 1; })},
        {"no batches", FindingCode::SkinBatch,
         [](auto& s) {
             s.parts.erase({SectionType::SkinBatches, 2});
             field(s).cluster_dag->skin_batch_count = 0;
         }},
        {"another number of clusters", FindingCode::DagStatistics, dag([](auto& d) { d.cluster_count = 5; })},
        {"another number of stored triangles", FindingCode::DagStatistics,
         dag([](auto& d) { d.stored_triangles = 8; })},
        {"another number of references", FindingCode::DagStatistics,
         dag([](auto& d) { d.reference_count = 0; })},
        {"another number of root triangles", FindingCode::DagStatistics,
         dag([](auto& d) { d.root_triangles = 2; })},
        {"another number of bytes", FindingCode::DagStatistics, dag([](auto& d) { d.resident_bytes -= 16; })},
        {"another least error", FindingCode::DagStatistics, dag([](auto& d) { d.levels[0]->min_error = 0; })},
        {"a stuck group that is none", FindingCode::DagStatistics,
         dag([](auto& d) { d.levels[1]->stuck_groups = 1; })},
        {"a level too many", FindingCode::DagStatistics, dag([](auto& d) {
             d.levels.push_back(std::make_unique<mf::ClusterLevelT>());
             d.levels.back()->clusters = 1;
         })},
        {"triangles of another material", FindingCode::FullDetail,
         [](auto& s) {
             field(s).submeshes[0]->index_count = 9;
             field(s).submeshes[1]->first_index = 9;
             field(s).submeshes[1]->index_count = 15;
         }},
    });
}

TEST_CASE("a simplified group's error must be 1.001 times its child group's") {
    // The right half hangs below the left one: group 1 replaces group 2, and nothing is simplified more coarsely.
    const auto findings_at = [](float error) {
        SamplePackage s;
        field(s).cluster_dag->levels.push_back(std::make_unique<mf::ClusterLevelT>());
        const auto clusters = &PageHeader::clusters_offset;
        s.change_in_page<ClusterRecord>(1, clusters, 0, [](auto& c) { c.child_group = 2; });
        s.change_in_page<ClusterRecord>(0, clusters, 1, [](auto& c) { c.child_group = 1; });
        s.change<ClusterGroupRecord>(SectionType::ClusterGroups, 2, 0, [](auto& g) { g.level = 2; });
        s.change<ClusterGroupRecord>(SectionType::ClusterGroups, 2, 1, [&](auto& g) {
            g.level = 1;
            g.lod_error = error;
            g.geometric_error = 0.125F;
        });
        return verify_package(s.bytes()).count_of(FindingCode::GroupError);
    };
    CHECK(findings_at(0.125F) == 1);
    CHECK(findings_at(0.125F * 1.0009F) == 1);
    CHECK(findings_at(0.125F * 1.0011F) == 0);
}

TEST_CASE("codec page in a section that is no page is refused") {
    auto bytes = SamplePackage().bytes();
    const std::size_t index = test::find_entry(bytes, SectionType::MeshColors, 0);
    TocEntry entry = test::entry_of(bytes, index);
    entry.codec = Codec::Page;
    test::set_entry(bytes, index, entry);
    test::reseal_table(bytes);
    CHECK(codes_of(verify_package(bytes)).contains(FindingCode::UnknownCodec));
    CHECK_FALSE(PackageView::open(bytes).ok());
}

TEST_CASE("the tables of a cluster DAG are read as they are, and none where there is no DAG") {
    const SamplePackage s;
    const auto bytes = s.bytes({.codec = Codec::Zstd});
    const auto view = PackageView::open(bytes);
    REQUIRE(view.ok());
    const auto tables = read_cluster_tables(*view, s.manifest, 2);
    REQUIRE(tables.ok());
    CHECK(tables->groups.size() == 3);
    CHECK(tables->groups[2].lod_error == 0.125F);
    CHECK(tables->hierarchy.size() == 2);
    CHECK(tables->pages.size() == 2);
    CHECK(tables->dependencies == std::vector<std::uint32_t>{0});
    CHECK(tables->prefixes.back().vertex_count == 10);
    CHECK(tables->batches.size() == 3);
    const auto none = read_cluster_tables(*view, s.manifest, 0);
    REQUIRE(none.ok());
    CHECK(none->groups.empty());
    // Both forms refuse what does not fit the manifest.
    SamplePackage short_one;
    short_one.manifest.meshes[0]->vertex_count = 3;
    CHECK_FALSE(read_mesh_arrays(*view, short_one.manifest, 0).ok());
    short_one.manifest.meshes[2]->vertex_count = 9;
    CHECK_FALSE(read_mesh_arrays(*view, short_one.manifest, 2).ok());
}

}  // namespace sinter
