// A mutant for each semantic check of scenes, meshes, skins and clips; verify_pages_test.cpp has those of pages.
#include "mutants.hpp"
#include "reseal.hpp"
#include "sample_package.hpp"

#include <sinter/formats/verify.hpp>

#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <limits>
#include <set>
#include <string>

namespace sinter {
namespace {

using test::check_mutants;
using test::codes_of;
using test::kNan;
using test::SamplePackage;
namespace mf = manifest;

mf::MeshT& head(SamplePackage& s) { return *s.manifest.meshes[0]; }
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
        {"UVs of 12 bits", FindingCode::AttributeBits, [](auto& s) { head(s).uvs[0]->bits = 12; }},
        {"a UV set that is not described", FindingCode::AttributeBits, [](auto& s) { head(s).uvs.clear(); }},
        {"one described too many", FindingCode::AttributeBits,
         [](auto& s) { head(s).uvs.push_back(std::make_unique<mf::UvInfoT>(*head(s).uvs[0])); }},
        {"UV floats with a step", FindingCode::AttributeBits, [](auto& s) { head(s).uvs[0]->step_u = 0.5F; }},
        {"UV floats with an error", FindingCode::AttributeBits,
         [](auto& s) { head(s).uvs[0]->max_error = 0.5F; }},
        {"UV codes with a step below 0", FindingCode::AttributeBits,
         [](auto& s) { s.manifest.meshes[2]->uvs[0]->step_v = -1; }},
        {"UV codes that reach beyond floats", FindingCode::AttributeBits,
         [](auto& s) { s.manifest.meshes[2]->uvs[0]->step_v = 1e38F; }},
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
