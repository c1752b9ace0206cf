// A mutant for each semantic check: the change is written with right hashes, digests and content root, so
// that only the check that it is made for can see it.
#include "reseal.hpp"
#include "sample_package.hpp"

#include <sinter/formats/mesh_arrays.hpp>
#include <sinter/formats/verify.hpp>

#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <limits>
#include <set>
#include <string>

namespace sinter {
namespace {

using test::SamplePackage;
namespace mf = manifest;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Mutant {
    std::string name;
    FindingCode code{};
    std::function<void(SamplePackage&)> change;
};

std::set<FindingCode> codes_of(const VerifyReport& report) {
    std::set<FindingCode> codes;
    for (const Finding& finding : report.findings) codes.insert(finding.code);
    return codes;
}

void check_mutants(const std::vector<Mutant>& mutants) {
    for (const Mutant& mutant : mutants) {
        SamplePackage sample;
        mutant.change(sample);
        const VerifyReport report = verify_package(sample.bytes());
        std::string found;
        for (const Finding& f : report.findings)
            found += std::string(finding_name(f.code)) + " at " + f.where + ": " + f.message + "\n";
        INFO(mutant.name << "\n" << found);
        CHECK(codes_of(report) == std::set{mutant.code});
    }
}

mf::MeshT& head(SamplePackage& s) { return *s.manifest.meshes[0]; }
mf::MeshT& field(SamplePackage& s) { return *s.manifest.meshes[2]; }
mf::ClipT& nod(SamplePackage& s) { return *s.manifest.clips[0]; }

using Influence8 = std::array<std::uint16_t, 8>;

}  // namespace

TEST_CASE("the sample has no findings") {
    const VerifyReport report = verify_package(SamplePackage().bytes());
    CHECK(report.ok());
    CHECK(report.counts.empty());
}

TEST_CASE("mutants of structure are found by the check that is made for them") {
    check_mutants({
        {"a section is missing", FindingCode::SectionMissing,
         [](auto& s) { s.parts.erase({SectionType::MeshIndices, 1}); }},
        {"a section nobody mentions", FindingCode::SectionUnexpected,
         [](auto& s) { s.template set<UvRecord>(SectionType::MeshUvs, uv_section_id(1, 0), {{0, 0}}); }},
        {"a section of a mesh that is not there", FindingCode::SectionUnexpected,
         [](auto& s) { s.template set<std::uint32_t>(SectionType::MeshIndices, 7, {0, 1, 2}); }},
        {"another number of records", FindingCode::SectionShape,
         [](auto& s) { s.template set<OctNormal>(SectionType::MeshNormals, 0, {{0, 0}}); }},
        {"another record size", FindingCode::SectionShape,
         [](auto& s) { s.parts[{SectionType::MeshColors, 0}].stride = 4; }},
        {"a mesh without a grid", FindingCode::ManifestField,
         [](auto& s) { s.manifest.meshes[1]->grid.reset(); }},
        {"a mesh without a box", FindingCode::ManifestField, [](auto& s) { head(s).bounds->min.reset(); }},
        {"a node without a rotation", FindingCode::ManifestField,
         [](auto& s) { s.manifest.nodes[1]->rotation.reset(); }},
        {"no provenance", FindingCode::ManifestField, [](auto& s) { s.manifest.provenance.reset(); }},
        {"an unknown alpha mode", FindingCode::ManifestField,
         [](auto& s) { s.manifest.materials[0]->alpha_mode = static_cast<mf::AlphaMode>(9); }},
        {"a NaN in the manifest", FindingCode::NonFinite,
         [](auto& s) { s.manifest.materials[1]->roughness = kNan; }},
        {"an infinity in a matrix", FindingCode::NonFinite,
         [](auto& s) { s.manifest.nodes[4]->matrix[3] = std::numeric_limits<float>::infinity(); }},
        {"a name that is not UTF-8", FindingCode::InvalidText,
         [](auto& s) { s.manifest.nodes[2]->name = "Br\xF6w"; }},
        {"an overlong form of UTF-8", FindingCode::InvalidText,
         [](auto& s) { s.manifest.nodes[2]->name = "\xC0\xAF"; }},
        {"a negative error", FindingCode::NegativeError, [](auto& s) { head(s).grid->max_error = -1; }},
        {"a negative error of a clip", FindingCode::NegativeError,
         [](auto& s) { nod(s).max_rotation_error_deg = -1; }},
    });
}

TEST_CASE("mutants of the scene are found by the check that is made for them") {
    check_mutants({
        {"a parent after its child", FindingCode::NodeParent,
         [](auto& s) { s.manifest.nodes[1]->parent = 2; }},
        {"a node that is its own parent", FindingCode::NodeParent,
         [](auto& s) { s.manifest.nodes[1]->parent = 1; }},
        {"a parent below none", FindingCode::NodeParent, [](auto& s) { s.manifest.nodes[1]->parent = -2; }},
        {"a mesh that is not there", FindingCode::NodeReference,
         [](auto& s) { s.manifest.nodes[4]->mesh = 3; }},
        {"a skin that is not there", FindingCode::NodeReference,
         [](auto& s) { s.manifest.nodes[3]->skin = 1; }},
        {"a skin without a mesh", FindingCode::NodeReference, [](auto& s) { s.manifest.nodes[0]->skin = 0; }},
        {"a mesh's skin that is not there", FindingCode::NodeReference, [](auto& s) { head(s).skin = 1; }},
        {"a rotation that is not unit", FindingCode::NodeTransform,
         [](auto& s) {
             s.manifest.nodes[0]->rotation = std::make_unique<mf::Float4>(0.0F, 0.0F, 0.0F, 0.5F);
         }},
        {"a matrix of 16 values", FindingCode::NodeTransform,
         [](auto& s) { s.manifest.nodes[4]->matrix.resize(16); }},
        {"a weight too many", FindingCode::NodeShapeWeights,
         [](auto& s) { s.manifest.nodes[3]->shape_weights.resize(3); }},
        {"weights without shapes", FindingCode::NodeShapeWeights,
         [](auto& s) { s.manifest.nodes[0]->shape_weights.resize(1); }},
        {"a material that is not there", FindingCode::MaterialReference,
         [](auto& s) { head(s).submeshes[1]->material = 2; }},
        {"options that are not those of the digest", FindingCode::Provenance,
         [](auto& s) { s.manifest.provenance->options_json = "{ }"; }},
        {"an input digest that is too short", FindingCode::Provenance,
         [](auto& s) { s.manifest.provenance->inputs[0]->sha256.resize(20); }},
    });
}

TEST_CASE("mutants of meshes are found by the check that is made for them") {
    check_mutants({
        {"an index out of range", FindingCode::IndexRange,
         [](auto& s) {
             s.template change<std::uint32_t>(SectionType::MeshIndices, 0, 4, [](auto& i) { i = 4; });
         }},
        {"a gap between submeshes", FindingCode::SubmeshRange,
         [](auto& s) { head(s).submeshes[1]->first_index = 2; }},
        {"submeshes that end early", FindingCode::SubmeshRange,
         [](auto& s) { head(s).submeshes.pop_back(); }},
        {"half a triangle", FindingCode::SubmeshRange,
         [](auto& s) {
             head(s).submeshes[0]->index_count = 2;
             head(s).submeshes[1]->first_index = 2;
             head(s).submeshes[1]->index_count = 4;
         }},
        {"triangles that do not add up", FindingCode::TriangleCount,
         [](auto& s) { head(s).degenerate_triangles = 2; }},
        {"a box that is too large", FindingCode::BoundsBox,
         [](auto& s) { head(s).bounds->max = std::make_unique<mf::Float3>(0.5F, 0.5F, 0.25F); }},
        {"a box that is too small", FindingCode::BoundsBox,
         [](auto& s) {
             s.manifest.meshes[1]->bounds->max = std::make_unique<mf::Float3>(50000.0F, 49999.5F, 0.0F);
         }},
        {"a sphere that is too small", FindingCode::BoundsSphere,
         [](auto& s) { head(s).bounds->radius = 0.7070F; }},
        {"a sphere elsewhere", FindingCode::BoundsSphere,
         [](auto& s) { head(s).bounds->center = std::make_unique<mf::Float3>(0.1F, 0.0F, 0.0F); }},
        {"no step", FindingCode::Grid, [](auto& s) { s.manifest.meshes[1]->grid->step = 0; }},
        {"a fourth position component", FindingCode::ReservedBits,
         [](auto& s) {
             s.template change<GridPosition16>(SectionType::MeshPositions, 0, 2,
                                               [](auto& p) { p.reserved = 1; });
         }},
        {"a normal code out of range", FindingCode::ReservedBits,
         [](auto& s) {
             s.template change<OctNormal>(SectionType::MeshNormals, 0, 2, [](auto& n) { n.v = -32768; });
         }},
        {"a tangent that is not unit", FindingCode::Tangent,
         [](auto& s) {
             s.template change<TangentRecord>(SectionType::MeshTangents, 0, 1, [](auto& t) { t.x = 1.5F; });
         }},
        {"a tangent that is NaN", FindingCode::Tangent,
         [](auto& s) {
             s.template change<TangentRecord>(SectionType::MeshTangents, 0, 1, [](auto& t) { t.y = kNan; });
         }},
        {"a handedness of 0", FindingCode::Tangent,
         [](auto& s) {
             s.template change<TangentRecord>(SectionType::MeshTangents, 0, 1, [](auto& t) { t.w = 0; });
         }},
        {"more points than vertices", FindingCode::VertexCounts, [](auto& s) { head(s).point_count = 5; }},
        {"normals of 24 bits", FindingCode::AttributeBits, [](auto& s) { head(s).normal->bits = 24; }},
        {"tangents as in pages", FindingCode::AttributeBits, [](auto& s) { head(s).tangent->bits = 16; }},
        {"a normal that no 20-bit code has", FindingCode::ReservedBits,
         [](auto& s) {
             head(s).normal->bits = 20;
             s.template change<OctNormal>(SectionType::MeshNormals, 0, 2, [](auto& n) { n.v = 1; });
         }},
        {"a UV that is not finite", FindingCode::NonFinite,
         [](auto& s) {
             s.template change<UvRecord>(SectionType::MeshUvs, 0, 1, [](auto& uv) { uv.u = kNan; });
         }},
        {"a colour that is not finite", FindingCode::NonFinite,
         [](auto& s) {
             s.template change<ColorRecord>(SectionType::MeshColors, 0, 1, [](auto& c) { c.a = kNan; });
         }},
    });
}

TEST_CASE("mutants of skins and skeletons are found by the check that is made for them") {
    const auto influence = [](std::size_t vertex, std::size_t slot, int change) {
        return [=](SamplePackage& s) {
            s.change<Influence8>(SectionType::MeshInfluences, 0, vertex, [&](Influence8& v) {
                v[slot] = static_cast<std::uint16_t>(v[slot] + change);
            });
        };
    };
    check_mutants({
        {"weights that sum to one too little", FindingCode::InfluenceWeightSum, influence(1, 4, -1)},
        {"a joint that the skin does not have", FindingCode::InfluenceJoint, influence(0, 0, 1)},
        {"weights that rise", FindingCode::InfluenceOrder,
         [](auto& s) {
             s.template change<Influence8>(SectionType::MeshInfluences, 0, 1,
                                           [](auto& v) { std::swap(v[4], v[5]); });
         }},
        {"an unused slot with a joint", FindingCode::InfluenceOrder, influence(0, 2, 1)},
        {"class counts that are not those of the records", FindingCode::InfluenceStatistics,
         [](auto& s) { head(s).influences->class_1 = 3; }},
        {"another largest number", FindingCode::InfluenceStatistics,
         [](auto& s) { head(s).influences->max = 3; }},
        {"a stride of 9", FindingCode::InfluenceStatistics, [](auto& s) { head(s).influences->stride = 9; }},
        {"a skeleton that is not there", FindingCode::SkinReference,
         [](auto& s) { s.manifest.skins[0]->skeleton = 1; }},
        {"a bone that is not there", FindingCode::SkinReference,
         [](auto& s) { s.manifest.skins[0]->bone_of_joint[1] = 3; }},
        {"a bone before its parent", FindingCode::BoneParent,
         [](auto& s) { s.manifest.skeletons[0]->bones[1]->parent = 2; }},
        {"a bone on a node that is not there", FindingCode::BoneNode,
         [](auto& s) { s.manifest.skeletons[0]->bones[1]->node = 5; }},
        {"two bones on a node", FindingCode::BoneNode,
         [](auto& s) { s.manifest.skeletons[0]->bones[1]->node = 2; }},
        {"another number of leaves", FindingCode::SkeletonStatistics,
         [](auto& s) { s.manifest.skeletons[0]->leaf_bones = 3; }},
        {"another depth", FindingCode::SkeletonStatistics,
         [](auto& s) { s.manifest.skeletons[0]->max_depth = 2; }},
        {"a bind matrix that is not finite", FindingCode::NonFinite,
         [](auto& s) {
             s.template change<InverseBindRecord>(SectionType::SkinInverseBinds, 0, 1,
                                                  [](auto& r) { r.m[7] = kNan; });
         }},
    });
}

TEST_CASE("mutants of blend shapes are found by the check that is made for them") {
    const auto delta = [](std::size_t record, auto edit) {
        return [=](SamplePackage& s) {
            s.change<BlendShapeDelta>(SectionType::BlendShapeDeltas, 0, record, edit);
        };
    };
    check_mutants({
        {"frames that overlap", FindingCode::ShapeRange,
         [](auto& s) { head(s).shapes[1]->frames[0]->first_record = 2; }},
        {"a frame beyond 2^64", FindingCode::ShapeRange,
         [](auto& s) {
             head(s).shapes[0]->frames[1]->record_count = std::numeric_limits<std::uint64_t>::max() - 1;
         }},
        {"a vertex that is not there", FindingCode::ShapeVertex, delta(2, [](auto& d) { d.vertex = 4; })},
        {"vertices that fall", FindingCode::ShapeVertex,
         [=](auto& s) {
             delta(1, [](auto& d) { d.vertex = 3; })(s);
             delta(2, [](auto& d) { d.vertex = 1; })(s);
         }},
        {"frame weights that do not rise", FindingCode::ShapeFrames,
         [](auto& s) { head(s).shapes[0]->frames[1]->weight = 0.5F; }},
        {"another number of affected vertices", FindingCode::ShapeStatistics,
         [](auto& s) { head(s).shapes[0]->affected_vertices = 3; }},
        {"another longest delta", FindingCode::ShapeStatistics,
         delta(1, [](auto& d) { d.position[1] = 0.5F; })},
        {"a tangent delta where there are none", FindingCode::ShapeDelta,
         delta(0, [](auto& d) { d.tangent[1] = 1; })},
        {"a delta that is not finite", FindingCode::NonFinite, delta(0, [](auto& d) { d.normal[1] = kNan; })},
    });
    // A vertex that is listed twice is one affected vertex less: both checks see it.
    SamplePackage twice;
    twice.change<BlendShapeDelta>(SectionType::BlendShapeDeltas, 0, 2, [](auto& d) { d.vertex = 1; });
    CHECK(codes_of(verify_package(twice.bytes())).contains(FindingCode::ShapeVertex));
}

TEST_CASE("mutants of clips are found by the check that is made for them") {
    const auto sample_at = [](std::size_t index, float value) {
        return [=](SamplePackage& s) {
            s.change<float>(SectionType::ClipSamples, 0, index, [&](float& f) { f = value; });
        };
    };
    check_mutants({
        {"a frame too many for the duration", FindingCode::ClipTiming,
         [](auto& s) { nod(s).duration_s = 0.09; }},
        {"no rate", FindingCode::ClipTiming, [](auto& s) { nod(s).sample_rate_hz = 0; }},
        {"a negative duration", FindingCode::ClipTiming, [](auto& s) { nod(s).duration_s = -0.125; }},
        {"a node that is not there", FindingCode::ClipTrack, [](auto& s) { nod(s).tracks[1]->node = 5; }},
        {"another number of components", FindingCode::ClipTrack,
         [](auto& s) { nod(s).tracks[2]->components = 3; }},
        {"a gap between tracks", FindingCode::ClipRange, [](auto& s) { nod(s).tracks[2]->first_value = 24; }},
        {"a rotation that is not unit", FindingCode::ClipRotation, sample_at(6, 0.7F)},
        {"a sample that is not finite", FindingCode::NonFinite, sample_at(21, kNan)},
    });
    SamplePackage twice;
    nod(twice).tracks[2]->node = 1;
    nod(twice).tracks[2]->path = mf::TrackPath::Rotation;
    CHECK(codes_of(verify_package(twice.bytes())).contains(FindingCode::ClipTrack));
}

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

TEST_CASE("a wrong content root and a wrong raw digest are found") {
    auto bytes = SamplePackage().bytes();
    PackageHeader header = test::header_of(bytes);
    header.content_root[5] ^= 1;
    test::set_header(bytes, header);
    test::reseal_table(bytes);
    CHECK(codes_of(verify_package(bytes)) == std::set{FindingCode::ContentRoot});

    bytes = SamplePackage().bytes();
    const std::size_t index = test::find_entry(bytes, SectionType::MeshColors, 0);
    TocEntry entry = test::entry_of(bytes, index);
    entry.raw_digest[0] ^= 1;
    test::set_entry(bytes, index, entry);
    test::reseal_table(bytes);
    CHECK(codes_of(verify_package(bytes)) == std::set{FindingCode::RawDigest, FindingCode::ContentRoot});
}

TEST_CASE("a package without a manifest and one with garbage for a manifest are found") {
    auto bytes = SamplePackage().bytes();
    TocEntry entry = test::entry_of(bytes, 0);
    REQUIRE(entry.type == SectionType::Manifest);
    for (std::size_t i = 0; i < entry.stored_size; ++i) bytes[entry.offset + i] = std::byte{0x5A};
    test::reseal_all(bytes);
    CHECK(codes_of(verify_package(bytes)) == std::set{FindingCode::ManifestStructure});

    bytes = SamplePackage().bytes();
    entry = test::entry_of(bytes, 0);
    entry.id = 1;
    test::set_entry(bytes, 0, entry);
    test::reseal_table(bytes);
    CHECK(codes_of(verify_package(bytes)) == std::set{FindingCode::ManifestMissing});
}

TEST_CASE("findings of one code are listed up to the cap and counted beyond it") {
    SamplePackage sample;
    for (int i = 0; i < 40; ++i) {
        sample.manifest.nodes.push_back(std::make_unique<mf::NodeT>(*sample.manifest.nodes[0]));
        sample.manifest.nodes.back()->parent = 1000;
    }
    const VerifyReport report = verify_package(sample.bytes(), {.max_listed_per_code = 5});
    CHECK(report.findings.size() == 5);
    CHECK(report.count_of(FindingCode::NodeParent) == 40);
    // Records of one section: the first is shown, all are counted.
    SamplePackage indices;
    indices.set<std::uint32_t>(SectionType::MeshIndices, 0, {9, 9, 9, 0, 2, 3});
    const VerifyReport ranged = verify_package(indices.bytes());
    REQUIRE(ranged.findings.size() == 1);
    CHECK(ranged.findings[0].where == "mesh 0 'Head', mesh_indices, record 0");
    CHECK(ranged.findings[0].message == "vertex 9 of 4");
    CHECK(ranged.count_of(FindingCode::IndexRange) == 3);
}

TEST_CASE("every finding code has a name of its own") {
    std::set<std::string_view> names;
    std::size_t count = 0;
    for (std::uint16_t code = 6000; code < 6800; ++code) {
        const auto name = finding_name(static_cast<FindingCode>(code));
        if (name == "unknown") continue;
        names.insert(name);
        ++count;
    }
    CHECK(count == 77);
    CHECK(names.size() == count);
}

}  // namespace sinter
