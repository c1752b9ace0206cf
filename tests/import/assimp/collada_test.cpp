#include "dae_text.hpp"
#include "import_text.hpp"
#include "pose_scene.hpp"

#include "cooker/import/check.hpp"

#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace sinter;
using namespace sinter::test;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double kColladaRounding = 1e-6;  // floats of about 1 through Assimp's float matrices

std::string clip(std::string_view name, std::string_view range) {
    return fmt::format("<animation_clip id=\"{0}\" name=\"{0}\" {1}><instance_animation url=\"#bend\"/>"
                       "</animation_clip>",
                       name, range);
}

}  // namespace

TEST_CASE("COLLADA names, joints and counts come from the file, weights or not") {
    const Scene scene = scene_of(DaeText{}.text(), "dae");
    CHECK(scene.source.generator == "Sinter's tests");
    REQUIRE(scene.meshes.size() == 1);
    CHECK(scene.meshes[0].name == "Strip");
    CHECK(scene.meshes[0].source_vertices == 6);
    CHECK(scene.meshes[0].source_triangles == 4);
    REQUIRE(scene.skins.size() == 1);
    CHECK(scene.skins[0].name == "StripSkin");
    REQUIRE(scene.skins[0].joints.size() == 3);
    // The decoy has the same sid, but lies outside of the skeleton; two nodes are called Knee.
    const auto joint = [&](std::size_t j) {
        return scene.nodes[static_cast<std::size_t>(scene.skins[0].joints[j])];
    };
    CHECK(joint(0).name == "Hip bone");
    CHECK(joint(1).name == "Knee");
    CHECK(joint(2).name == "Knee");
    CHECK(joint(2).parent == scene.skins[0].joints[1]);
    CHECK(scene.skins[0].bone_from_mesh[2].at(1, 3) == -2.0F);
    CHECK(scene.nodes[static_cast<std::size_t>(node_named(scene, "Body"))].skin == 0);
}

TEST_CASE("COLLADA influences keep the file's pairs") {
    const Scene scene = scene_of(DaeText{}.text(), "dae");
    const Primitive& primitive = scene.meshes[0].primitives[0];
    for (std::size_t v = 0; v < primitive.vertex_count(); ++v) {
        const float y = primitive.positions[v].y;
        const std::uint32_t first = primitive.influence_offsets[v];
        const std::uint32_t count = primitive.influence_offsets[v + 1] - first;
        if (y == 1) {
            REQUIRE(count == 2);
            CHECK(primitive.influences[first] == Influence{0, 0.25F});
            CHECK(primitive.influences[first + 1] == Influence{1, 0.75F});
        } else {
            REQUIRE(count == 1);
            CHECK(primitive.influences[first] == Influence{y == 0 ? 0U : 1U, 1});
        }
    }
}

TEST_CASE("a COLLADA rotation by angle bends the strip as it should") {
    const Scene scene = scene_of(DaeText{}.text(), "dae");
    REQUIRE(scene.clips.size() == 1);
    CHECK_THAT(scene.clips[0].start_s, WithinAbs(0.5, 1e-6));
    CHECK_THAT(scene.clips[0].end_s, WithinAbs(2.5, 1e-6));
    const Scene bent = posed(scene, scene.clips[0], 1.0);
    const Box box = world_bounds(bent);
    // The upper edge, one above the knee, is turned by 90 degrees about it: (x, 2) -> (-1, 1 + x).
    check_point(box.low, {-1, 0, 0}, kColladaRounding);
    CHECK_THAT(box.high.y, WithinAbs(2, kColladaRounding));
}

TEST_CASE("the bind shape matrix comes before the bind matrices") {
    DaeText dae;
    dae.bind_shape = "1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1";
    const Box box = world_bounds(scene_of(dae.text(), "dae"));
    check_point(box.low, {5, 0, 0}, kColladaRounding);
    check_point(box.high, {6, 2, 0}, kColladaRounding);
}

TEST_CASE("a COLLADA control point with wrong weights counts once, however many corners it has") {
    DaeText dae;
    dae.vcount = "1 1 1 2 1 1";  // the third point, which both quads share, has 0.25 and nothing else
    dae.v = "0 0 0 0 0 1 0 1 1 2 1 0 1 0";
    Issues issues;
    const Result<Scene> scene = check_scene(scene_of(dae.text(), "dae"), issues);
    REQUIRE(scene.ok());
    CHECK(scene->meshes[0].primitives[0].source_vertex == std::vector<std::uint32_t>{0, 1, 2, 3, 3, 2, 4, 5});
    CHECK(issues.count_of(IssueCode::WeightSum) == 1);
}

TEST_CASE("COLLADA units and axes are applied once to meshes, nodes and bind matrices") {
    DaeText dae;
    dae.up = "Z_UP";
    dae.meter = "0.1";
    const Scene scene = scene_of(dae.text(), "dae");
    Box mesh;
    for (const Float3& p : scene.meshes[0].primitives[0].positions) mesh.add(vec(p));
    check_point(mesh.low, {0, 0, -0.2}, kColladaRounding);
    check_point(mesh.high, {0.1, 0, 0}, kColladaRounding);
    const Box box = world_bounds(scene);
    check_point(box.low, {0, 0, -0.2}, kColladaRounding);
    check_point(box.high, {0.1, 0, 0}, kColladaRounding);
    check_point(place(world_of(scene, scene.skins[0].joints[1]), {}), {0, 0, -0.1}, kColladaRounding);
    dae.up = "X_UP";
    dae.meter = "1";
    const Box x_up = world_bounds(scene_of(dae.text(), "dae"));
    check_point(x_up.low, {-2, 0, 0}, kColladaRounding);
    check_point(x_up.high, {0, 1, 0}, kColladaRounding);
}

TEST_CASE("declared clips have their names, and are cut only where keys reach far past them") {
    DaeText dae;
    dae.clips = "<library_animation_clips>" + clip("all", "start=\"0.5\" end=\"2.4\"") +
                clip("short", "start=\"0.75\" end=\"1.25\"") + "</library_animation_clips>";
    const Scene scene = scene_of(dae.text(), "dae");
    REQUIRE(scene.clips.size() == 2);
    CHECK(scene.clips[0].name == "all");
    CHECK_THAT(scene.clips[0].end_s, WithinAbs(2.5, 1e-6));
    CHECK(scene.clips[1].name == "short");
    CHECK_THAT(scene.clips[1].start_s, WithinAbs(0.75, 1e-6));
    CHECK_THAT(scene.clips[1].end_s, WithinAbs(1.25, 1e-6));
}

TEST_CASE("a geometry that no node shows is kept without a node") {
    DaeText dae;
    dae.extra_geometries =
        "<geometry id=\"alone\" name=\"Alone\"><mesh><source id=\"p2\"><float_array id=\"p2-a\" "
        "count=\"9\">0 0 0 1 "
        "0 0 0 1 0</float_array><technique_common><accessor source=\"#p2-a\" count=\"3\" stride=\"3\"><param "
        "name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "
        "type=\"float\"/></accessor>"
        "</technique_common></source><vertices id=\"v2\"><input semantic=\"POSITION\" "
        "source=\"#p2\"/></vertices>"
        "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v2\" offset=\"0\"/><p>0 1 "
        "2</p></triangles>"
        "</mesh></geometry>";
    const Scene unseen = scene_of(dae.text(), "dae");
    REQUIRE(unseen.meshes.size() == 2);
    CHECK(node_named(unseen, "Alone") == -1);
    CHECK(unseen.nodes.size() == 6);
    dae.extra_nodes = "<node id=\"a1\" name=\"A1\"><instance_geometry url=\"#alone\"/></node>"
                      "<node id=\"a2\" name=\"A2\"><instance_geometry url=\"#alone\"/></node>";
    const Scene seen = scene_of(dae.text(), "dae");
    CHECK(seen.meshes.size() == 2);
    CHECK(seen.nodes[static_cast<std::size_t>(node_named(seen, "A1"))].mesh ==
          seen.nodes[static_cast<std::size_t>(node_named(seen, "A2"))].mesh);
}

TEST_CASE("COLLADA that cannot be right is refused with its element") {
    DaeText dae;
    SECTION("a joint past the list") {
        dae.v = "0 0 0 0 0 1 1 2 0 1 3 2 1 0 1 0";
        CHECK(error_of(dae.text(), "dae").code == static_cast<std::uint16_t>(IssueCode::JointOutOfRange));
    }
    SECTION("fewer pairs than vcount says") {
        dae.v = "0 0 0 0";
        CHECK(error_of(dae.text(), "dae").where.find("StripSkin") != std::string::npos);
    }
    SECTION("weights for another number of vertices") {
        dae.vcount = "1 1 2 2 1";
        dae.v = "0 0 0 0 0 1 1 2 0 1 1 2 1 0";
        CHECK(error_of(dae.text(), "dae").message.find("6 positions") != std::string::npos);
    }
    SECTION("a joint that no node is") {
        dae.joints = "hip knee nobody";
        CHECK(error_of(dae.text(), "dae").message.find("'nobody'") != std::string::npos);
    }
    SECTION("no XML") {
        CHECK(error_of("<COLLADA><a></COLLADA>", "dae").message.find("XML") != std::string::npos);
    }
    SECTION("nesting without end") {
        std::string deep = "<COLLADA>";
        for (int i = 0; i < 100'000; ++i) deep += "<node>";
        for (int i = 0; i < 100'000; ++i) deep += "</node>";
        CHECK(error_of(deep + "</COLLADA>", "dae").message.find("nested deeper") != std::string::npos);
    }
}

TEST_CASE("COLLADA that shows nothing is refused with what is not there") {
    const Error none = error_of("<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\"></COLLADA>", "dae");
    CHECK(none.where == "asset.dae: <scene>");
    CHECK(none.message.find("instance_visual_scene") != std::string::npos);
    const Error other = error_of("<svg/>", "dae");
    CHECK(other.where == "asset.dae: root element");
    CHECK(other.message.find("<svg>") != std::string::npos);
}
