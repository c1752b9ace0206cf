#include "reseal.hpp"
#include "sample_package.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/diff.hpp>
#include <sinter/formats/mesh_arrays.hpp>
#include <sinter/formats/verify.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace sinter {
namespace {

using test::SamplePackage;
namespace mf = manifest;

DiffResult diff_bytes(const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                      const DiffOptions& options = {}) {
    const auto view_a = PackageView::open(a);
    const auto view_b = PackageView::open(b);
    REQUIRE((view_a.ok() && view_b.ok()));
    auto result = diff_packages(*view_a, *view_b, options);
    REQUIRE(result.ok());
    return *std::move(result);
}

using Change = std::function<void(SamplePackage&)>;

DiffResult diff_after(const Change& change, const DiffOptions& options = {}) {
    SamplePackage changed;
    change(changed);
    return diff_bytes(SamplePackage().bytes(), changed.bytes(), options);
}

std::vector<std::string> paths(const DiffResult& result) {
    std::vector<std::string> out;
    for (const Difference& d : result.differences) out.push_back(d.path);
    return out;
}

using Paths = std::vector<std::string>;

// Mesh 2 with all of its sections.
void remove_field(SamplePackage& s) {
    s.manifest.meshes.pop_back();
    std::erase_if(s.parts, [](const auto& part) {
        const auto [type, id] = part.first;
        return id == 2 || (type == SectionType::MeshUvs && id >> 8U == 2) ||
               (type == SectionType::PageData && id >> 32U == 2);
    });
}

void swap_materials_of_field(SamplePackage& s) {
    for (auto& submesh : s.manifest.meshes[2]->submeshes) submesh->material = 1 - submesh->material;
    for (std::uint32_t i = 0; i < 4; ++i) {
        s.change_in_page<ClusterRecord>(i / 2, &PageHeader::clusters_offset, i % 2,
                                        [](ClusterRecord& c) { c.material = 1 - c.material; });
    }
}

// Moves a vertex of the field's second page by some grid steps in z; bounds stay, so this is for diffs only.
Change move_field_vertex(std::int16_t steps) {
    return [=](SamplePackage& s) {
        std::vector<std::byte>& page = s.parts.at({SectionType::PageData, page_section_id(2, 1)}).raw;
        ResidentVertex16 v;
        std::memcpy(&v, page.data() + sizeof(PageHeader) + sizeof(v), sizeof(v));
        v.z = static_cast<std::int16_t>(v.z + steps);
        std::memcpy(page.data() + sizeof(PageHeader) + sizeof(v), &v, sizeof(v));
    };
}

// Moves vertex 2 of the head by some grid steps in x; the box and sphere of the sample stay as they are, so
// this is for diffs only.
Change move_vertex(std::int16_t steps) {
    return [=](SamplePackage& s) {
        s.change<GridPosition16>(SectionType::MeshPositions, 0, 2,
                                 [&](GridPosition16& p) { p.x = static_cast<std::int16_t>(p.x + steps); });
    };
}

}  // namespace

TEST_CASE("packages with equal roots are equal, and no section but the manifest is read to find out") {
    const SamplePackage sample;
    const auto raw = sample.bytes({.codec = Codec::Raw});
    auto packed = sample.bytes({.codec = Codec::Zstd});
    const TocEntry entry = test::entry_of(packed, test::find_entry(packed, SectionType::MeshPositions, 0));
    packed[entry.offset + 9] ^= std::byte{0xFF};  // damaged: reading would fail
    const DiffResult result = diff_bytes(raw, packed);
    CHECK(result.roots_equal);
    CHECK(result.equal());
    CHECK(result.sections.empty());
    CHECK(result.differences.empty());
}

TEST_CASE("a content root that is not that of table and manifest is an error, equal roots or not") {
    const auto good = SamplePackage().bytes();
    const auto error_of = [&](const std::vector<std::byte>& other) {
        const auto a = PackageView::open(good);
        const auto b = PackageView::open(other);
        REQUIRE((a.ok() && b.ok()));
        const auto result = diff_packages(*a, *b);
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().kind == ErrorKind::Validation);
        CHECK(result.error().code == static_cast<std::uint16_t>(FindingCode::ContentRoot));
        return result.error().where;
    };
    SamplePackage changed;
    move_vertex(100)(changed);
    auto forged = changed.bytes();  // other content under the root of the good one
    PackageHeader header = test::header_of(forged);
    header.content_root = test::header_of(good).content_root;
    test::set_header(forged, header);
    test::reseal_table(forged);
    CHECK(error_of(forged) == "B: header");

    auto lying = good;  // the same content under another root
    header = test::header_of(lying);
    header.content_root[0] ^= 1U;
    test::set_header(lying, header);
    test::reseal_table(lying);
    CHECK(error_of(lying) == "B: header");
}

TEST_CASE("a damaged manifest is found although the roots are equal") {
    const auto good = SamplePackage().bytes();
    auto bad = good;
    bad[test::entry_of(bad, test::find_entry(bad, SectionType::Manifest, 0)).offset + 9] ^= std::byte{1};
    const auto a = PackageView::open(good);
    const auto b = PackageView::open(bad);
    REQUIRE((a.ok() && b.ok()));
    const auto result = diff_packages(*a, *b);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().where == "B: section manifest 0");
}

TEST_CASE("provenance and issues make no difference") {
    CHECK(diff_after([](auto& s) {
              s.manifest.issues.clear();
              s.manifest.provenance->tool_version = "7";
          }).equal());
}

TEST_CASE("a moved vertex is measured and held against the tolerance") {
    // Four steps of 1 / 32768 m.
    constexpr double kMoved = 4.0 / 32768;
    const DiffResult exact = diff_after(move_vertex(4));
    CHECK_FALSE(exact.equal());
    REQUIRE(paths(exact) == Paths{"meshes/Head/vertices/position"});
    const Difference& d = exact.differences[0];
    CHECK(d.difference == kMoved);
    CHECK(d.rms == std::sqrt(kMoved * kMoved / 4));
    CHECK(d.count == 1);
    CHECK(d.a == DiffValue("vertex 2: (0.5, 0.5, 0)"));
    CHECK(d.b == DiffValue("vertex 2: (0.5001221, 0.5, 0)"));
    REQUIRE(exact.sections.size() == 1);
    CHECK(exact.sections[0].type == "mesh_positions");

    const DiffResult within = diff_after(move_vertex(4), {.tolerances = {.position = 1.3e-4}});
    CHECK(within.equal());
    CHECK(within.differences.size() == 1);
    CHECK_FALSE(diff_after(move_vertex(4), {.tolerances = {.position = 1.2e-4}}).equal());
}

TEST_CASE("another grid moves vertices although the stored integers are the same") {
    const DiffResult result = diff_after([](auto& s) { s.manifest.meshes[0]->grid->step = 1.0F / 16384; });
    REQUIRE(paths(result) == Paths{"meshes/Head/vertices/position"});
    CHECK(std::abs(*result.differences[0].difference - std::sqrt(0.5)) < 1e-9);
}

TEST_CASE("normals and rotations are compared in degrees") {
    const auto tilt = [](auto& s) {
        s.template change<OctNormal>(SectionType::MeshNormals, 0, 1,
                                     [](auto& n) { n = oct_encode({0, 0.0174524F, 0.9998477F}); });
    };
    const DiffResult normals = diff_after(tilt);
    REQUIRE(paths(normals) == Paths{"meshes/Head/vertices/normal"});
    CHECK(std::abs(*normals.differences[0].difference - 1) < 0.0025);  // one degree, encoded
    CHECK(diff_after(tilt, {.tolerances = {.normal_deg = 1.01}}).equal());

    const auto turn = [](auto& s) {  // 90 degrees about x
        s.manifest.nodes[1]->rotation = std::make_unique<mf::Float4>(0.70710678F, 0.0F, 0.0F, 0.70710678F);
    };
    const DiffResult rotation = diff_after(turn);
    REQUIRE(paths(rotation) == Paths{"nodes/Jaw/rotation"});
    CHECK(std::abs(*rotation.differences[0].difference - 90) < 1e-4);
    // A quaternion and its negative are one rotation: different content, no angle.
    const DiffResult negated = diff_after([](auto& s) {
        s.manifest.nodes[1]->rotation = std::make_unique<mf::Float4>(0.0F, 0.0F, 0.0F, -1.0F);
    });
    REQUIRE(negated.differences.size() == 1);
    CHECK(negated.differences[0].difference == 0);
    CHECK(negated.equal());
}

TEST_CASE("clip samples are compared track by track") {
    const auto change = [](auto& s) {
        s.template change<float>(SectionType::ClipSamples, 0, 24, [](float& f) { f += 0.125F; });
    };
    const DiffResult result = diff_after(change);
    REQUIRE(paths(result) == Paths{"clips/Nod/tracks/Head.weights/samples"});
    CHECK(result.differences[0].difference == 0.125);
    CHECK(diff_after(change, {.tolerances = {.weight = 0.125}}).equal());
    CHECK_FALSE(diff_after(change, {.tolerances = {.position = 10}}).equal());

    const DiffResult duration = diff_after([](auto& s) { s.manifest.clips[0]->duration_s = 0.13; });
    REQUIRE(paths(duration) == Paths{"clips/Nod/duration_s"});
    CHECK(duration.differences[0].a == DiffValue(0.125));
    CHECK(duration.differences[0].b == DiffValue(0.13));
}

TEST_CASE("blend shapes are compared by name and vertex") {
    const DiffResult moved = diff_after([](auto& s) {
        s.template change<BlendShapeDelta>(SectionType::BlendShapeDeltas, 0, 2,
                                           [](auto& d) { d.position[1] = 0.5F; });
    });
    REQUIRE(paths(moved) == Paths{"meshes/Head/shapes/Smile/frames/1/position_deltas"});
    CHECK(moved.differences[0].difference == 0.25);
    CHECK(moved.differences[0].a == DiffValue("vertex 3"));
    const DiffResult renamed = diff_after([](auto& s) { s.manifest.meshes[0]->shapes[1]->name = "Wink"; });
    CHECK(paths(renamed) == Paths{"meshes/Head/shapes/Blink", "meshes/Head/shapes/Wink"});
    CHECK(renamed.differences[0].a == DiffValue(true));
    CHECK(renamed.differences[0].b == DiffValue());
}

TEST_CASE("influences, bind matrices, colours, UVs, tangents and triangles are compared") {
    using Influence8 = std::array<std::uint16_t, 8>;
    const DiffResult influences = diff_after([](auto& s) {
        s.template change<Influence8>(SectionType::MeshInfluences, 0, 1, [](auto& v) {
            v[4] = 39999;
            v[5] = 25536;
        });
    });
    REQUIRE(paths(influences) == Paths{"meshes/Head/vertices/influences"});
    CHECK(std::abs(*influences.differences[0].difference - 1.0 / 65535) < 1e-12);

    const DiffResult binds = diff_after([](auto& s) {
        s.template change<InverseBindRecord>(SectionType::SkinInverseBinds, 0, 2,
                                             [](auto& r) { r.m[3] = 0.5F; });
    });
    REQUIRE(paths(binds) ==
            Paths{"skins/HeadSkin/inverse_binds/linear", "skins/HeadSkin/inverse_binds/translation"});
    CHECK(binds.differences[0].difference == 0);
    CHECK(binds.differences[1].difference == 0.5);

    CHECK(paths(diff_after([](auto& s) {
              s.template change<ColorRecord>(SectionType::MeshColors, 0, 0, [](auto& c) { c.g = 0; });
          })) == Paths{"meshes/Head/vertices/color"});
    CHECK(paths(diff_after([](auto& s) {
              s.template change<UvRecord>(SectionType::MeshUvs, 0, 0, [](auto& c) { c.u = 2; });
          })) == Paths{"meshes/Head/vertices/uv/0"});
    // Of codes what they mean counts: u = v / 8 in steps of 2^-15.
    const DiffResult moved = diff_after([](auto& s) {
        s.template change<UvCode>(SectionType::MeshUvs, uv_section_id(2, 0), 3, [](auto& c) { c.u += 1024; });
    });
    REQUIRE(paths(moved) == Paths{"meshes/Field/vertices/uv/0"});
    CHECK(moved.differences[0].difference == 1.0 / 32);
    CHECK(moved.differences[0].count == 1);
    const DiffResult stretched =
        diff_after([](auto& s) { s.manifest.meshes[2]->uvs[0]->step_u = 1.0F / 16384; });
    REQUIRE(paths(stretched) == Paths{"meshes/Field/uvs/0/step_u", "meshes/Field/vertices/uv/0"});
    CHECK(stretched.differences[1].difference == 9.0 / 8);
    CHECK(paths(diff_after([](auto& s) {
              std::vector<UvRecord> floats;
              for (int v = 0; v < 10; ++v) floats.push_back({.u = static_cast<float>(v) / 8, .v = 0.5F});
              s.template set<UvRecord>(SectionType::MeshUvs, uv_section_id(2, 0), floats);
              *s.manifest.meshes[2]->uvs[0] = {};
              s.manifest.meshes[2]->uvs[0]->bits = 32;
          })) == Paths{"meshes/Field/uvs/0/bits", "meshes/Field/uvs/0/min_v", "meshes/Field/uvs/0/step_u"});
    const DiffResult flipped = diff_after([](auto& s) {
        s.template change<TangentRecord>(SectionType::MeshTangents, 0, 3, [](auto& t) { t.w = 1; });
    });
    REQUIRE(paths(flipped) == Paths{"meshes/Head/vertices/tangent"});
    CHECK(flipped.differences[0].difference == 180);
    const DiffResult turned = diff_after(
        [](auto& s) { s.template set<std::uint32_t>(SectionType::MeshIndices, 0, {0, 1, 2, 2, 3, 0}); });
    REQUIRE(paths(turned) == Paths{"meshes/Head/triangles"});
    CHECK(turned.differences[0].count == 1);
}

TEST_CASE("an object that one package alone has is one difference, and references do not move") {
    const DiffResult inserted = diff_after([](auto& s) {
        // A node before all others: every index moves, nothing else changes.
        auto& nodes = s.manifest.nodes;
        nodes.insert(nodes.begin(), std::make_unique<mf::NodeT>(*nodes[0]));
        nodes[0]->name = "World";
        for (std::size_t i = 1; i < nodes.size(); ++i) nodes[i]->parent += nodes[i]->parent >= 0 ? 1 : 0;
        for (auto& bone : s.manifest.skeletons[0]->bones) ++bone->node;
        for (auto& track : s.manifest.clips[0]->tracks) ++track->node;
    });
    CHECK(paths(inserted) == Paths{"nodes/World"});

    SamplePackage with;
    remove_field(with);
    SamplePackage without;
    remove_field(without);
    without.manifest.meshes.pop_back();
    without.manifest.nodes[4]->mesh = -1;
    without.parts.erase({SectionType::MeshPositions, 1});
    without.parts.erase({SectionType::MeshIndices, 1});
    const DiffResult removed = diff_bytes(with.bytes(), without.bytes());
    CHECK(paths(removed) == Paths{"meshes/Prop", "nodes/Prop/mesh"});
    CHECK(removed.differences[1].a == DiffValue("Prop"));
    CHECK(removed.differences[1].b == DiffValue("none"));
    REQUIRE(removed.sections.size() == 3);
    CHECK_FALSE(removed.sections[1].b.has_value());
}

TEST_CASE("another order of the same objects is a difference") {
    const DiffResult result = diff_after([](auto& s) {
        std::swap(s.manifest.materials[0], s.manifest.materials[1]);
        s.manifest.meshes[0]->submeshes[0]->material = 1;
        s.manifest.meshes[0]->submeshes[1]->material = 0;
        swap_materials_of_field(s);
    });
    CHECK(paths(result) == Paths{"materials#order"});
    CHECK_FALSE(result.equal());
}

TEST_CASE("objects with one name, without a name, or with a slash have keys of their own") {
    const auto names = [](SamplePackage& s) {
        s.manifest.nodes[0]->name = "a/b~c";
        s.manifest.nodes[1]->name = "";
        s.manifest.nodes[2]->name = "";
        s.manifest.nodes[4]->name = "Head";
    };
    SamplePackage a;
    names(a);
    SamplePackage b;
    names(b);
    for (auto& node : b.manifest.nodes) node->in_scene = false;
    CHECK(paths(diff_bytes(a.bytes(), b.bytes())) == Paths{"nodes/#0/in_scene", "nodes/#1/in_scene",
                                                           "nodes/Head#1/in_scene", "nodes/Head/in_scene",
                                                           "nodes/a~1b~0c/in_scene"});
}

TEST_CASE("ignored paths are left out and counted, with what lies below them") {
    const Change change = [](SamplePackage& s) {
        move_vertex(100)(s);
        s.manifest.nodes[1]->in_scene = false;
        s.manifest.nodes[2]->in_scene = false;
    };
    CHECK(paths(diff_after(change, {.ignore = {"nodes"}})) == Paths{"meshes/Head/vertices/position"});
    CHECK(paths(diff_after(change, {.ignore = {"nodes/*/in_scene"}})) ==
          Paths{"meshes/Head/vertices/position"});
    CHECK(paths(diff_after(change, {.ignore = {"nodes/J*", "meshes/*/vertices"}})) ==
          Paths{"nodes/Brow/in_scene"});
    const DiffResult all = diff_after(change, {.ignore = {"nodes", "meshes"}});
    CHECK(all.equal());
    CHECK(all.ignored == 3);
    CHECK(diff_after(change, {.ignore = {"node", "nodes/Jaw/in", ""}}).differences.size() == 3);
}

TEST_CASE("patterns that match no path are told, whether or not something differs there") {
    const DiffOptions options{.ignore = {"clips", "clip", "meshes/*/vertices", "meshes/Head/vertices/colour",
                                         "nodes/Jaw/in_scene", "skins/*/inverse_binds/linear",
                                         "meshes/*/shapes/*/frames/0/position_deltas", "nodes/Nose",
                                         "clips#order", "meshes/Prop/vertices/influences"}};
    const DiffResult result = diff_after(move_vertex(1), options);
    CHECK(result.unmatched_ignore ==
          Paths{"clip", "meshes/Head/vertices/colour", "nodes/Nose", "meshes/Prop/vertices/influences"});
    // Nothing is compared under equal roots, so nothing can be said.
    CHECK(diff_after([](auto&) {}, {.ignore = {"clip"}}).unmatched_ignore.empty());
}

TEST_CASE("no change of content passes as equal, in either direction") {
    const std::vector<std::pair<std::string, Change>> changes{
        {"name", [](auto& s) { s.manifest.skeletons[0]->bones[1]->name = "J"; }},
        {"skeleton statistics", [](auto& s) { s.manifest.skeletons[0]->leaf_bones = 7; }},
        {"bone of joint",
         [](auto& s) {
             std::swap(s.manifest.skins[0]->bone_of_joint[0], s.manifest.skins[0]->bone_of_joint[1]);
         }},
        {"texture", [](auto& s) { s.manifest.materials[1]->textures.clear(); }},
        {"track flag", [](auto& s) { s.manifest.clips[0]->tracks[0]->step = true; }},
        {"frame weight", [](auto& s) { s.manifest.meshes[0]->shapes[0]->frames[0]->weight = 0.25F; }},
        {"frame flag", [](auto& s) { s.manifest.meshes[0]->shapes[0]->frames[0]->has_tangents = true; }},
        {"matrix", [](auto& s) { s.manifest.nodes[4]->matrix.clear(); }},
        {"weights", [](auto& s) { s.manifest.nodes[3]->shape_weights[0] = 1; }},
        {"influences", [](auto& s) { s.manifest.meshes[0]->influences.reset(); }},
        {"count", [](auto& s) { s.manifest.meshes[1]->source_vertices = 99; }},
        {"grid kind", [](auto& s) { s.manifest.meshes[1]->grid->kind = mf::GridKind::Sphere; }},
        {"grid centre",
         [](auto& s) {
             s.manifest.meshes[1]->grid->center = std::make_unique<mf::Float3>(1.0F, 0.0F, 0.0F);
         }},
        {"normal error", [](auto& s) { s.manifest.meshes[0]->normal->max_error_deg = 0.002F; }},
        {"clip rate", [](auto& s) { s.manifest.clips[0]->sample_rate_hz = 31; }},
        {"a vertex more",
         [](auto& s) {
             s.template set<UvRecord>(SectionType::MeshUvs, 0, {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}});
         }},
        {"a triangle more",
         [](auto& s) { s.template set<std::uint32_t>(SectionType::MeshIndices, 1, {0, 1, 2, 2, 1, 0}); }},
        {"an optional section",
         [](auto& s) {
             s.parts[{static_cast<SectionType>(0x7001), 2}] = {
                 .stride = 1, .raw = std::vector<std::byte>(3), .required = false};
         }},
        {"a section of no mesh",
         [](auto& s) { s.template set<std::uint32_t>(SectionType::MeshIndices, 9, {0, 1, 2}); }},
    };
    for (const auto& [name, change] : changes) {
        INFO(name);
        SamplePackage changed;
        change(changed);
        const auto a = SamplePackage().bytes();
        const auto b = changed.bytes();
        CHECK_FALSE(diff_bytes(a, b).equal());
        CHECK_FALSE(diff_bytes(b, a).equal());
    }
}

TEST_CASE("a moved vertex of a page is measured like one of a plain array") {
    constexpr double kMoved = 2.0 / 8192;
    const DiffResult exact = diff_after(move_field_vertex(2));
    CHECK_FALSE(exact.equal());
    REQUIRE(paths(exact) == Paths{"meshes/Field/pages", "meshes/Field/vertices/position"});
    CHECK(exact.differences[0].a == DiffValue("2 pages"));
    CHECK(exact.differences[0].b == DiffValue("2 pages; different: 1"));
    CHECK(exact.differences[0].count == 1);
    CHECK(exact.differences[0].within_tolerance);  // the vertices say by how much
    CHECK(exact.differences[1].difference == kMoved);
    CHECK(exact.differences[1].count == 1);
    CHECK(exact.differences[1].a == DiffValue("vertex 7: (1, 1, 0.25)"));
    REQUIRE(exact.sections.size() == 1);
    CHECK(exact.sections[0].type == "page_data");
    CHECK(diff_after(move_field_vertex(2), {.tolerances = {.position = kMoved}}).equal());
    CHECK_FALSE(diff_after(move_field_vertex(2), {.tolerances = {.position = kMoved / 2}}).equal());
}

TEST_CASE("differences of a cluster DAG are lengths, held against the tolerance, and all else, exactly") {
    const auto cluster = [](auto edit) {
        return [=](SamplePackage& s) {
            s.change_in_page<ClusterRecord>(1, &PageHeader::clusters_offset, 1, edit);
        };
    };
    const DiffOptions loose{.tolerances = {.position = 0.01}};
    const DiffResult sphere = diff_after(cluster([](auto& c) { c.cull_radius += 0.0078125F; }), loose);
    CHECK(paths(sphere) == Paths{"meshes/Field/clusters/spheres", "meshes/Field/pages"});
    CHECK(sphere.differences[0].count == 1);
    CHECK(sphere.equal());
    CHECK_FALSE(diff_after(cluster([](auto& c) { c.cull_radius += 0.0078125F; })).equal());
    const DiffResult cone = diff_after(cluster([](auto& c) { c.cone.cutoff = 5; }), loose);
    CHECK(paths(cone) == Paths{"meshes/Field/pages"});
    CHECK_FALSE(cone.equal());

    const auto group = [](auto edit) {
        return
            [=](SamplePackage& s) { s.change<ClusterGroupRecord>(SectionType::ClusterGroups, 2, 1, edit); };
    };
    const DiffResult error = diff_after(group([](auto& g) { g.posed_error = 0.005F; }), loose);
    REQUIRE(paths(error) == Paths{"meshes/Field/clusters/groups/lengths"});
    CHECK(error.equal());
    CHECK(error.differences[0].a == DiffValue("record 1"));
    const DiffResult points = diff_after(group([](auto& g) { g.points = 9; }), loose);
    REQUIRE(paths(points) == Paths{"meshes/Field/clusters/groups"});
    CHECK(points.differences[0].count == 1);
    CHECK_FALSE(points.equal());
    const DiffResult levels =
        diff_after([](auto& s) { s.manifest.meshes[2]->cluster_dag->levels[0]->max_error = 0.255F; }, loose);
    CHECK(paths(levels) == Paths{"meshes/Field/cluster_dag/levels/0/max_error"});
    CHECK(levels.equal());
}

TEST_CASE("clusters in another order show that the triangles are the same") {
    const DiffResult turned = diff_after([](auto& s) {  // the last triangle begins with another corner
        s.template change_in_page<std::array<std::uint8_t, 3>>(1, &PageHeader::triangles_offset, 7,
                                                               [](auto& t) { t = {5, 2, 1}; });
    });
    REQUIRE(paths(turned) == Paths{"meshes/Field/pages", "meshes/Field/triangles"});
    CHECK_FALSE(turned.differences[0].within_tolerance);
    CHECK(turned.differences[1].a == DiffValue("8 triangles, 0 of them only here"));
    CHECK(turned.differences[1].count == 1);
    CHECK_FALSE(turned.equal());
}

TEST_CASE("a mesh in pages and the same mesh as plain arrays differ in their form alone") {
    SamplePackage plain;
    const auto bytes = plain.bytes();
    const auto view = PackageView::open(bytes);
    REQUIRE(view.ok());
    const auto arrays = read_mesh_arrays(*view, plain.manifest, 2);
    REQUIRE(arrays.ok());
    CHECK(arrays->grid_positions.size() == 10);
    CHECK(arrays->normals == std::vector<OctNormal>(10));
    CHECK(arrays->tangents.size() == 10);
    CHECK(arrays->tangents[3].x > 0.99999F);  // (1, 0, 0) up to the 0.007 degrees of the code
    CHECK(arrays->tangents[3].w == -1);
    CHECK(arrays->materials == std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1});
    CHECK(arrays->indices ==
          std::vector<std::uint32_t>{0, 6, 7, 0, 7, 3, 6, 1, 4, 6, 4, 7, 1, 8, 9, 1, 9, 4, 8, 2, 5, 8, 5, 9});
    CHECK(positions_of(*plain.manifest.meshes[2], *arrays)[9] == std::array<float, 3>{3, 1, 0.125F});

    std::erase_if(plain.parts,
                  [](const auto& part) { return part.first.first >= SectionType::ClusterGroups; });
    mf::MeshT& field = *plain.manifest.meshes[2];
    field.cluster_dag.reset();
    field.tangent->bits = 128;
    std::vector<GridPosition16> positions;
    for (const auto& [x, y, z] : arrays->grid_positions) {
        positions.push_back(
            {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y), static_cast<std::int16_t>(z)});
    }
    plain.set(SectionType::MeshPositions, 2, positions);
    plain.set(SectionType::MeshNormals, 2, arrays->normals);
    plain.set(SectionType::MeshTangents, 2, arrays->tangents);
    plain.set(SectionType::MeshIndices, 2, arrays->indices);
    const auto plain_bytes = plain.bytes();
    CHECK(verify_package(plain_bytes).ok());
    const DiffResult same = diff_bytes(bytes, plain_bytes);
    CHECK(paths(same) == Paths{"meshes/Field/cluster_dag", "meshes/Field/tangent/bits"});
    CHECK_FALSE(same.equal());

    SamplePackage moved;
    move_field_vertex(1)(moved);
    const DiffResult other = diff_bytes(plain_bytes, moved.bytes());
    REQUIRE(paths(other) ==
            Paths{"meshes/Field/cluster_dag", "meshes/Field/tangent/bits", "meshes/Field/triangles"});
    CHECK(other.differences[2].a == DiffValue("8 triangles, 3 of them only here"));
    CHECK(other.differences[2].count == 3);
}

TEST_CASE("a section that cannot be decoded is an error that names the side") {
    const auto a = SamplePackage().bytes();
    SamplePackage changed;
    move_vertex(1)(changed);
    auto b = changed.bytes();
    const TocEntry entry = test::entry_of(b, test::find_entry(b, SectionType::MeshPositions, 0));
    b[entry.offset] ^= std::byte{1};
    const auto view_a = PackageView::open(a);
    const auto view_b = PackageView::open(b);
    REQUIRE((view_a.ok() && view_b.ok()));
    const auto result = diff_packages(*view_a, *view_b);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().where == "B: section mesh_positions 0");
}

}  // namespace sinter
