#include "reseal.hpp"
#include "sample_package.hpp"

#include "formats/src/manifest_access.hpp"
#include "formats/src/manifest_fields.hpp"

#include <sinter/formats/content_root.hpp>
#include <sinter/formats/manifest.hpp>
#include <sinter/formats/reader.hpp>
#include <sinter/formats/verify.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {
namespace {

using test::SamplePackage;
namespace mf = manifest;

// Names of the fields that visit_fields() visits, in order. An empty table is enough: only names are looked
// at.
template <typename Table>
std::vector<std::string> visited() {
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(flatbuffers::Offset<Table>(builder.EndTable(builder.StartTable())));
    std::vector<std::string> names;
    mf::visit_fields(*flatbuffers::GetRoot<Table>(builder.GetBufferPointer()),
                     [&](std::string_view name, const auto&) { names.emplace_back(name); });
    return names;
}

std::vector<std::string> declared(const flatbuffers::TypeTable* table) {
    return {table->names, table->names + table->num_elems};
}

Digest root_of(const std::vector<std::byte>& bytes) {
    const auto view = PackageView::open(bytes);
    REQUIRE(view.ok());
    return view->content_root();
}

}  // namespace

TEST_CASE("the field list is that of the schema") {
    CHECK(visited<mf::Source>() == declared(mf::SourceTypeTable()));
    CHECK(visited<mf::Library>() == declared(mf::LibraryTypeTable()));
    CHECK(visited<mf::Input>() == declared(mf::InputTypeTable()));
    CHECK(visited<mf::Provenance>() == declared(mf::ProvenanceTypeTable()));
    CHECK(visited<mf::Issue>() == declared(mf::IssueTypeTable()));
    CHECK(visited<mf::Texture>() == declared(mf::TextureTypeTable()));
    CHECK(visited<mf::Material>() == declared(mf::MaterialTypeTable()));
    CHECK(visited<mf::Node>() == declared(mf::NodeTypeTable()));
    CHECK(visited<mf::Grid>() == declared(mf::GridTypeTable()));
    CHECK(visited<mf::Bounds>() == declared(mf::BoundsTypeTable()));
    CHECK(visited<mf::Submesh>() == declared(mf::SubmeshTypeTable()));
    CHECK(visited<mf::NormalInfo>() == declared(mf::NormalInfoTypeTable()));
    CHECK(visited<mf::TangentInfo>() == declared(mf::TangentInfoTypeTable()));
    CHECK(visited<mf::Influences>() == declared(mf::InfluencesTypeTable()));
    CHECK(visited<mf::ShapeFrame>() == declared(mf::ShapeFrameTypeTable()));
    CHECK(visited<mf::Shape>() == declared(mf::ShapeTypeTable()));
    CHECK(visited<mf::ClusterLevel>() == declared(mf::ClusterLevelTypeTable()));
    CHECK(visited<mf::MeasuredPose>() == declared(mf::MeasuredPoseTypeTable()));
    CHECK(visited<mf::ClusterDag>() == declared(mf::ClusterDagTypeTable()));
    CHECK(visited<mf::Mesh>() == declared(mf::MeshTypeTable()));
    CHECK(visited<mf::Skin>() == declared(mf::SkinTypeTable()));
    CHECK(visited<mf::Bone>() == declared(mf::BoneTypeTable()));
    CHECK(visited<mf::Skeleton>() == declared(mf::SkeletonTypeTable()));
    CHECK(visited<mf::Track>() == declared(mf::TrackTypeTable()));
    CHECK(visited<mf::Clip>() == declared(mf::ClipTypeTable()));
    CHECK(visited<mf::Manifest>() == declared(mf::ManifestTypeTable()));
}

TEST_CASE("a manifest comes back as it was, whatever its address") {
    const SamplePackage sample;
    const auto bytes = encode_manifest(sample.manifest);
    for (std::size_t shift = 0; shift < 8; ++shift) {
        std::vector<std::byte> moved(shift);
        moved.insert(moved.end(), bytes.begin(), bytes.end());
        const auto decoded = decode_manifest(std::span(moved).subspan(shift));
        REQUIRE(decoded.ok());
        CHECK(encode_manifest(**decoded) == bytes);
    }
}

TEST_CASE("no truncation or byte change of a manifest makes the decoder read outside or throw") {
    const SamplePackage sample;
    auto bytes = encode_manifest(sample.manifest);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        static_cast<void>(decode_manifest(cut));
    }
    std::size_t accepted = 0;
    for (std::byte& byte : bytes) {
        for (const auto mask : {std::byte{1}, std::byte{0x80}, std::byte{0xFF}}) {
            byte ^= mask;
            if (decode_manifest(bytes)) ++accepted;
            byte ^= mask;
        }
    }
    CHECK(accepted > 0);  // values may change: it is the digest that finds them
    CHECK(decode_manifest(bytes).ok());
}

TEST_CASE("a manifest whose objects are shared is refused before it is unpacked") {
    // 1000 references to one node with a name of 100 kB: 100 MB when unpacked, 104 kB here.
    flatbuffers::FlatBufferBuilder builder;
    const auto name = builder.CreateString(std::string(100000, 'x'));
    mf::NodeBuilder node(builder);
    node.add_name(name);
    const auto shared = node.Finish();
    const auto nodes = builder.CreateVector(std::vector<flatbuffers::Offset<mf::Node>>(1000, shared));
    mf::ManifestBuilder manifest(builder);
    manifest.add_nodes(nodes);
    mf::FinishManifestBuffer(builder, manifest.Finish());
    const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    const auto decoded = decode_manifest(bytes);
    REQUIRE_FALSE(decoded.ok());
    CHECK(decoded.error().message == "an object is referred to more than once");
    CHECK(decoded.error().code == static_cast<std::uint16_t>(FindingCode::ManifestStructure));
}

TEST_CASE("the canonical dump does not depend on how FlatBuffers lays fields out") {
    const SamplePackage sample;
    const auto packed = encode_manifest(sample.manifest);
    flatbuffers::FlatBufferBuilder builder;
    builder.ForceDefaults(true);  // stores fields that equal their default
    mf::FinishManifestBuffer(builder, mf::Manifest::Pack(builder, &sample.manifest));
    const auto forced = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    REQUIRE(forced.size() > packed.size());
    CHECK(canonical_manifest(packed) == canonical_manifest(forced));
}

TEST_CASE("the canonical dump has the bytes that docs/package-format.md says") {
    mf::ManifestT manifest;
    manifest.issues.push_back(std::make_unique<mf::IssueT>());  // not part of it
    manifest.skins.push_back(std::make_unique<mf::SkinT>());
    manifest.skins[0]->name = "S";
    manifest.skins[0]->bone_of_joint = {7};
    manifest.clips.push_back(std::make_unique<mf::ClipT>());
    manifest.clips[0]->start_s = 1;
    const std::vector<std::uint8_t> expected{
        5,    0,    1,    0, 0, 0,       // field 5, skins: one
        0,    0,    1,    0, 0, 0, 'S',  // field 0, name
        2,    0,    1,    0, 0, 0, 7,
        0,    0,    0,              // field 2, bone_of_joint; field 1, skeleton, is 0 and left out
        0xFF, 0xFF,                 // end of the skin
        7,    0,    1,    0, 0, 0,  // field 7, clips: one
        1,    0,    0,    0, 0, 0, 0,
        0,    0xF0, 0x3F,  // field 1, start_s, a double
        0xFF, 0xFF,        // end of the clip
        0xFF, 0xFF};       // end of the manifest
    const auto dump = canonical_manifest(encode_manifest(manifest));
    CHECK(std::ranges::equal(std::as_bytes(std::span(expected)), dump));
}

TEST_CASE("the content root does not depend on codec, level, provenance or issues") {
    SamplePackage sample;
    const Digest root = root_of(sample.bytes({.codec = Codec::Raw}));
    CHECK(root_of(sample.bytes({.codec = Codec::Zstd, .zstd_level = 1})) == root);
    CHECK(root_of(sample.bytes({.codec = Codec::Zstd, .zstd_level = 19})) == root);
    sample.manifest.provenance->tool_version = "9.9.9";
    sample.manifest.provenance->source->name = "other.glb";
    sample.manifest.issues.clear();
    CHECK(root_of(sample.bytes()) == root);
}

TEST_CASE("the content root changes with any name, number and array") {
    const Digest root = root_of(SamplePackage().bytes());
    const auto changed = [&](auto&& change) {
        SamplePackage sample;
        change(sample);
        return root_of(sample.bytes()) != root;
    };
    CHECK(changed([](auto& s) { s.manifest.nodes[2]->name = "Brov"; }));
    CHECK(changed([](auto& s) { s.manifest.nodes[2]->in_scene = false; }));
    CHECK(changed([](auto& s) { s.manifest.materials[0]->textures[0]->uri = "other.png"; }));
    CHECK(changed([](auto& s) { s.manifest.clips[0]->max_step_error_s = 0.5F; }));
    CHECK(changed([](auto& s) { s.manifest.meshes[0]->influences->max_posed_error = 0.5F; }));
    CHECK(changed([](auto& s) {
        s.template change<UvRecord>(SectionType::MeshUvs, 0, 0, [](auto& uv) { uv.v = 0.5F; });
    }));
    CHECK(changed([](auto& s) {
        s.parts[{static_cast<SectionType>(0x7001), 0}] = {
            .stride = 1, .raw = std::vector<std::byte>(1), .required = false};
    }));
    // Moving a byte between two neighbouring texts is a change too: lengths are part of the dump.
    CHECK(changed([](auto& s) {
        s.manifest.materials[0]->textures[0]->slot = "base_colors";
        s.manifest.materials[0]->textures[0]->uri = "kin.png";
    }));
}

}  // namespace sinter
