#include "fbx_text.hpp"
#include "import_text.hpp"
#include "pose_scene.hpp"

#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <bit>
#include <numbers>

using namespace sinter;
using namespace sinter::test;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double kDegree = std::numbers::pi / 180;

Scene read(const FbxText& fbx) { return scene_of(fbx.text(), "fbx"); }

// Floats of about 1, made of a handful of double operations and rounded once.
constexpr double kFbxRounding = 2e-7;

// Model 1 shows geometry 2, in metres.
FbxText one_mesh(std::string_view properties = {}, std::string_view geometry = square()) {
    FbxText fbx;
    fbx.unit = 100;
    fbx.model(1, "Sheet", "Mesh", properties);
    fbx.object("Geometry", 2, "SheetShape", "Mesh", geometry);
    fbx.connect(1, 0);
    fbx.connect(2, 1);
    return fbx;
}

Vec corner(const Scene& scene, std::size_t v) {
    return place(world_of(scene, 0), vec(scene.meshes[0].primitives[0].positions[v]));
}

// One model with curves of a clip.
struct OneClip {
    FbxText fbx;
    OneClip() {
        fbx.unit = 100;
        fbx.model(1, "Mover", "Null", "");
        fbx.connect(1, 0);
        fbx.object("AnimationStack", 10, "Walk", "", "Properties70:  {\n}");
        fbx.object("AnimationLayer", 11, "Base", "", "");
        fbx.connect(11, 10);
    }
};

constexpr std::int64_t kConstantKeys = 0x2, kLinearKeys = 0x4, kCubicUser = 0x408;

std::int64_t bits(float value) { return std::bit_cast<std::int32_t>(value); }

}  // namespace

TEST_CASE(
    "an FBX quad becomes two triangles of one primitive, with names and control points as in the file") {
    const Scene scene = read(one_mesh());
    REQUIRE(scene.nodes.size() == 1);
    CHECK(scene.nodes[0].name == "Sheet");
    CHECK(scene.nodes[0].in_scene);
    REQUIRE(scene.meshes.size() == 1);
    CHECK(scene.meshes[0].name == "SheetShape");
    CHECK(scene.meshes[0].source_triangles == 2);
    CHECK(scene.meshes[0].source_vertices == 4);
    CHECK(scene.source.generator == "Sinter's tests");
    CHECK(scene.clips.empty());
}

TEST_CASE("UnitScaleFactor is centimetres a unit") {
    FbxText fbx = one_mesh();
    fbx.unit = 1;
    check_point(corner(read(fbx), 2), {0.01, 0.01, 0}, 1e-9);
    ImportOptions options;
    options.unit_m = 2;
    Issues issues;
    check_point(corner(scene_of(fbx.text(), "fbx", issues, options), 2), {2, 2, 0}, kFbxRounding);
}

TEST_CASE("a Z-up FBX is turned upright, meshes and nodes alike") {
    FbxText fbx = one_mesh(vector3("Lcl Translation", 0, 0, 5));
    fbx.up = 2;
    fbx.front = 1;
    fbx.front_sign = -1;
    const Scene scene = read(fbx);
    check_point(corner(scene, 2), {1, 5, -1}, kFbxRounding);
    CHECK(scene.nodes[0].local.translation == Float3{0, 5, 0});
}

TEST_CASE("a left-handed FBX is mirrored and keeps its fronts") {
    FbxText fbx = one_mesh();
    fbx.front_sign = -1;
    const Scene scene = read(fbx);
    const Primitive& primitive = scene.meshes[0].primitives[0];
    const Float3 a = primitive.positions[primitive.indices[0]];
    const Float3 b = primitive.positions[primitive.indices[1]];
    const Float3 c = primitive.positions[primitive.indices[2]];
    // The square faced +Z of the file, which is -Z of the scene.
    CHECK(cross(b - a, c - a).z < 0);
}

TEST_CASE("a rotation turns about its pivot, a scale about its own") {
    // Closed forms: p' = T + Rp + R (p - Rp), and p' = Sp + S (p - Sp).
    const Scene turned = read(one_mesh(vector3("Lcl Rotation", 0, 0, 90) + vector3("RotationPivot", 1, 0, 0) +
                                       vector3("Lcl Translation", 0, 0, 3)));
    check_point(corner(turned, 0), {1, -1, 3}, kFbxRounding);
    check_point(corner(turned, 1), {1, 0, 3}, kFbxRounding);
    check_point(corner(turned, 2), {0, 0, 3}, kFbxRounding);
    const Scene scaled = read(one_mesh(vector3("Lcl Scaling", 2, 3, 1) + vector3("ScalingPivot", 1, 1, 0)));
    check_point(corner(scaled, 0), {-1, -2, 0}, kFbxRounding);
    check_point(corner(scaled, 2), {1, 1, 0}, kFbxRounding);
}

TEST_CASE("pre- and post-rotation stand around the animated rotation") {
    // Rpre * R * Rpost^-1 of quarter turns about Z, X and Z again: (x, y, z) -> post^-1 (y, -x, z) -> R (y, -z, -x)
    // -> pre (z, y, -x).
    const Scene scene = read(one_mesh(vector3("PreRotation", 0, 0, 90) + vector3("Lcl Rotation", 90, 0, 0) +
                                      vector3("PostRotation", 0, 0, 90)));
    check_point(corner(scene, 1), {0, 0, -1}, kFbxRounding);
    check_point(corner(scene, 3), {0, 1, 0}, kFbxRounding);
}

TEST_CASE("Euler orders apply their first axis first") {
    // (1, 0, 0) under quarter turns about X, Y, Z: "XYZ" turns about X first and ends at -Z; "ZYX" ends at +Y.
    const std::string turns = vector3("Lcl Rotation", 90, 90, 90);
    const auto order = [](int number) {
        return fmt::format("P: \"RotationOrder\", \"enum\", \"\", \"\",{}\n", number);
    };
    check_point(corner(read(one_mesh(turns + order(0))), 1), {0, 0, -1}, kFbxRounding);
    check_point(corner(read(one_mesh(turns + order(5))), 1), {0, 0, 1}, kFbxRounding);
}

TEST_CASE("a geometric transform moves the mesh and not the children, and a mirrored one keeps fronts") {
    FbxText fbx = one_mesh(vector3("GeometricTranslation", 10, 0, 0) + vector3("GeometricScaling", -1, 1, 1));
    fbx.model(3, "Child", "Null");
    fbx.connect(3, 1);
    const Scene scene = read(fbx);
    check_point(corner(scene, 1), {9, 0, 0}, kFbxRounding);
    check_point(place(world_of(scene, 1), {}), {0, 0, 0}, kFbxRounding);
    const Primitive& primitive = scene.meshes[0].primitives[0];
    const Float3 a = primitive.positions[primitive.indices[0]];
    const Float3 b = primitive.positions[primitive.indices[1]];
    const Float3 c = primitive.positions[primitive.indices[2]];
    CHECK(cross(b - a, c - a).z > 0);
}

TEST_CASE("two instances with geometric transforms of their own share one mesh") {
    FbxText fbx = one_mesh(vector3("GeometricTranslation", 10, 0, 0));
    fbx.model(3, "Other", "Mesh", vector3("Lcl Translation", 0, 1, 0));
    fbx.connect(3, 0);
    fbx.connect(2, 3);
    const Scene scene = read(fbx);
    CHECK(scene.meshes.size() == 1);
    Box box = world_bounds(scene);
    check_point(box.low, {0, 0, 0}, kFbxRounding);
    check_point(box.high, {11, 2, 0}, kFbxRounding);
}

TEST_CASE("InheritType 2 leaves the parent's own scale out, but not its effect on the translation") {
    FbxText fbx;
    fbx.unit = 100;
    fbx.model(1, "Parent", "Null", vector3("Lcl Scaling", 4, 4, 4));
    fbx.model(2, "Child", "Null",
              vector3("Lcl Translation", 1, 0, 0) + vector3("Lcl Scaling", 3, 3, 3) +
                  "P: \"InheritType\", \"enum\", \"\", \"\",2\n");
    fbx.connect(1, 0);
    fbx.connect(2, 1);
    const Matrix world = world_of(read(fbx), 1);
    check_point({world[0][0], world[1][1], world[2][2]}, {3, 3, 3}, kFbxRounding);
    check_point(place(world, {}), {4, 0, 0}, kFbxRounding);
}

TEST_CASE(
    "layers: normals by polygon, UVs by index with V from the top, colours by point, materials by polygon") {
    const std::string geometry =
        reals("Vertices", {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0}) +
        integers("PolygonVertexIndex", {0, 1, 2, -4, 1, 4, -3}) +
        "LayerElementNormal: 0 {\nMappingInformationType: \"ByPolygon\"\nReferenceInformationType: "
        "\"Direct\"\n" +
        reals("Normals", {0, 0, 2, 0, 3, 0}) + "}\n" +
        "LayerElementUV: 0 {\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: "
        "\"IndexToDirect\"\n" +
        reals("UV", {0, 0, 0.5, 0.25}) + integers("UVIndex", {0, 1, 0, 1, 1, -1, 1}) + "}\n" +
        "LayerElementColor: 0 {\nMappingInformationType: \"ByVertice\"\nReferenceInformationType: "
        "\"Direct\"\n" +
        reals("Colors", {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0.5}) + "}\n" +
        "LayerElementMaterial: 0 {\nMappingInformationType: \"ByPolygon\"\nReferenceInformationType: "
        "\"IndexToDirect\"\n" +
        integers("Materials", {1, 0}) + "}\n";
    FbxText fbx = one_mesh("", geometry);
    fbx.object("Material", 20, "Red", "", "Properties70:  {\n" + vector3("DiffuseColor", 1, 0, 0) + "}");
    fbx.object("Material", 21, "Blue", "", "Properties70:  {\n" + vector3("DiffuseColor", 0, 0, 1) + "}");
    fbx.connect(20, 1);
    fbx.connect(21, 1);
    const Scene scene = read(fbx);
    REQUIRE(scene.meshes[0].primitives.size() == 2);
    const Primitive& triangle = scene.meshes[0].primitives[0];
    const Primitive& quad = scene.meshes[0].primitives[1];
    CHECK(scene.materials[static_cast<std::size_t>(triangle.material)].name == "Red");
    CHECK(scene.materials[static_cast<std::size_t>(quad.material)].base_color == Float4{0, 0, 1, 1});
    CHECK(quad.normals[3] == Float3{0, 0, 1});
    CHECK(triangle.normals[0] == Float3{0, 1, 0});
    CHECK(quad.uv_sets[0][1] == Float2{0.5F, 0.75F});
    CHECK(triangle.uv_sets[0][1] == Float2{0, 1});  // nothing mapped: (0, 0) of the file
    CHECK(triangle.colors[1] == Float4{0, 1, 1, 0.5F});
    CHECK(scene.meshes[0].source_triangles == 3);
}

namespace {

// Two bones in a chain along +X, one unit long, and a square bound to them; bone 31 has no weights.
FbxText skinned(std::string_view transform_of_second) {
    FbxText fbx = one_mesh();
    fbx.model(30, "Root", "LimbNode");
    fbx.model(31, "Tip", "LimbNode", vector3("Lcl Translation", 1, 0, 0));
    fbx.connect(30, 0);
    fbx.connect(31, 30);
    fbx.object("Deformer", 40, "", "Skin", "Version: 101");
    const std::string identity = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
    fbx.object("Deformer", 41, "", "Cluster",
               integers("Indexes", {0, 1, 2, 3}) + reals("Weights", {1, 0.5, 0.25, 1}) +
                   "Transform: *16 {\na: " + identity + "\n}\nTransformLink: *16 {\na: " + identity +
                   "\n}\n");
    fbx.object("Deformer", 42, "", "Cluster",
               "Transform: *16 {\na: " + std::string(transform_of_second) +
                   "\n}\nTransformLink: *16 {\na: 1,0,0,0,0,1,0,0,0,0,1,0,1,0,0,1\n}\n");
    fbx.connect(40, 2);
    fbx.connect(41, 40);
    fbx.connect(42, 40);
    fbx.connect(30, 41);
    fbx.connect(31, 42);
    return fbx;
}

}  // namespace

TEST_CASE("clusters become joints whether they have weights or not, in the file's order") {
    const Scene scene = read(skinned("1,0,0,0,0,1,0,0,0,0,1,0,-1,0,0,1"));
    REQUIRE(scene.skins.size() == 1);
    CHECK(scene.skins[0].joints == std::vector<std::int32_t>{1, 2});
    CHECK(scene.nodes[0].skin == 0);
    CHECK(scene.skins[0].bone_from_mesh[1].at(0, 3) == -1.0F);
    const Primitive& primitive = scene.meshes[0].primitives[0];
    REQUIRE(primitive.influence_offsets == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    CHECK(primitive.influences[2] == Influence{0, 0.25F});
}

TEST_CASE("bind matrices that disagree are made anew, and skinning the bind pose gives the rest vertices") {
    // Some writers put the mesh's own matrix into Transform: wrong for the second bone.
    Issues issues;
    const Scene scene = scene_of(skinned("1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1").text(), "fbx", issues);
    CHECK(issues.count_of(IssueCode::RepairedSource) == 1);
    const std::vector<Matrix> palette = palette_of(scene, scene.skins[0]);
    for (const Float3& p : scene.meshes[0].primitives[0].positions) {
        for (const Matrix& m : palette) check_point(place(m, vec(p)), vec(p), kFbxRounding);
    }
}

TEST_CASE("targets of a channel are frames of one shape, sorted by their full weights") {
    FbxText fbx = one_mesh();
    fbx.object("Deformer", 50, "Blend", "BlendShape", "Version: 100");
    fbx.object("Deformer", 51, "Open", "BlendShapeChannel",
               "Properties70:  {\nP: \"DeformPercent\", \"Number\", \"\", \"A\",25\n}\n" +
                   reals("FullWeights", {100, 40}));
    fbx.object("Geometry", 52, "Full", "Shape", integers("Indexes", {2}) + reals("Vertices", {0, 0, 3}));
    fbx.object("Geometry", 53, "Half", "Shape",
               integers("Indexes", {1, 2}) + reals("Vertices", {0, 0, 1, 0, 0, 2}));
    fbx.connect(50, 2);
    fbx.connect(51, 50);
    fbx.connect(52, 51);
    fbx.connect(53, 51);
    const Scene scene = read(fbx);
    CHECK(scene.meshes.size() == 1);
    REQUIRE(scene.meshes[0].shapes.size() == 1);
    CHECK(scene.meshes[0].shapes[0].name == "Open");
    CHECK(scene.meshes[0].shapes[0].default_weight == 0.25F);
    CHECK(scene.meshes[0].shapes[0].frame_weights == std::vector<float>{0.4F, 1});
    const std::vector<ShapeDeltas>& frames = scene.meshes[0].primitives[0].shape_frames;
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].positions == std::vector<Float3>{{}, {0, 0, 1}, {0, 0, 2}, {}});
    CHECK(frames[1].positions == std::vector<Float3>{{}, {}, {0, 0, 3}, {}});
    CHECK(frames[0].normals.empty());
}

TEST_CASE("a linear translation keeps its keys and its start") {
    OneClip clip;
    clip.fbx.curve(20, 11, 1, "Lcl Translation", "d|Y", keys({0.5, 1.5, 2}, {0, 4, 4}, kLinearKeys));
    const Scene scene = read(clip.fbx);
    REQUIRE(scene.clips.size() == 1);
    CHECK(scene.clips[0].name == "Walk");
    CHECK(scene.clips[0].source_rate_hz == 24);
    CHECK_THAT(scene.clips[0].start_s, WithinAbs(0.5, 1e-7));
    CHECK_THAT(scene.clips[0].end_s, WithinAbs(2, 1e-7));
    REQUIRE(scene.clips[0].channels.size() == 1);
    CHECK(scene.clips[0].channels[0].times.size() == 3);
    CHECK_THAT(sample(scene.clips[0].channels[0], 1.0)[1], WithinAbs(2, 1e-6));
}

TEST_CASE("an Euler rotation of 300 degrees goes the long way, with keys on frames") {
    OneClip clip;
    clip.fbx.curve(20, 11, 1, "Lcl Rotation", "d|Z", keys({0, 1}, {0, 300}, kLinearKeys));
    const Scene scene = read(clip.fbx);
    const Channel& channel = scene.clips.at(0).channels.at(0);
    CHECK(channel.path == TrackPath::Rotation);
    CHECK(channel.times.size() == 25);
    for (int i = 0; i <= 50; ++i) {
        const double time = i / 50.0;
        const Scene at = posed(scene, scene.clips[0], time);
        const double angle = 300 * time * kDegree;
        // Normalised linear interpolation over one frame of 12.5 degrees is good to 1e-4.
        check_point(place(world_of(at, 0), {1, 0, 0}), {std::cos(angle), std::sin(angle), 0}, 1e-4);
    }
    for (std::size_t i = 4; i < channel.values.size(); i += 4) {
        double cosine = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            cosine +=
                static_cast<double>(channel.values[i + c]) * static_cast<double>(channel.values[i + c - 4]);
        }
        CHECK(cosine > 0);
    }
}

TEST_CASE("a cubic segment follows the Hermite form of its slopes") {
    OneClip clip;
    clip.fbx.curve(20, 11, 1, "Lcl Translation", "d|X",
                   keys({0, 2}, {1, 5}, kCubicUser, {bits(3), bits(-2), 0, 0}));
    const Scene scene = read(clip.fbx);
    const Channel& channel = scene.clips.at(0).channels.at(0);
    for (const float time : channel.times) {
        const double x = static_cast<double>(time) / 2;
        const double expected = (2 * x * x * x - 3 * x * x + 1) * 1 + (x * x * x - 2 * x * x + x) * 2 * 3 +
                                (-2 * x * x * x + 3 * x * x) * 5 + (x * x * x - x * x) * 2 * -2;
        CHECK_THAT(sample(channel, static_cast<double>(time))[0], WithinAbs(expected, 2e-6));
    }
    CHECK(channel.times.size() > 40);
}

TEST_CASE("a constant segment holds until the next key") {
    OneClip clip;
    clip.fbx.curve(20, 11, 1, "Lcl Scaling", "d|X", keys({0, 1, 2}, {1, 2, 3}, kConstantKeys));
    const Scene steps = read(clip.fbx);
    CHECK(steps.clips.at(0).channels.at(0).interpolation == Interpolation::Step);
    // Beside a linear component the channel is linear, and holds by a key just before the jump.
    clip.fbx.object("AnimationCurve", 30, "", "", keys({0, 2}, {1, 5}, kLinearKeys));
    clip.fbx.connect(30, 20, "d|Y");
    const Scene mixed = read(clip.fbx);
    const Channel& channel = mixed.clips.at(0).channels.at(0);
    CHECK(channel.interpolation == Interpolation::Linear);
    CHECK_THAT(sample(channel, 0.999)[0], WithinAbs(1, 1e-6));
    CHECK_THAT(sample(channel, 1.0)[0], WithinAbs(2, 1e-6));
    CHECK_THAT(sample(channel, 1.5)[1], WithinAbs(4, 1e-6));
}

TEST_CASE("a rotation about a pivot moves the translation with it") {
    FbxText fbx;
    fbx.unit = 100;
    fbx.model(1, "Door", "Null", vector3("RotationPivot", 2, 0, 0));
    fbx.connect(1, 0);
    fbx.object("AnimationStack", 10, "Open", "", "");
    fbx.object("AnimationLayer", 11, "Base", "", "");
    fbx.connect(11, 10);
    fbx.curve(20, 11, 1, "Lcl Rotation", "d|Z", keys({0, 1}, {0, 90}, kLinearKeys));
    const Scene scene = read(fbx);
    for (const double time : {0.0, 0.25, 0.5, 1.0}) {
        const double angle = 90 * time * kDegree;
        // The point at the origin runs on a circle of radius 2 about the pivot.
        check_point(place(world_of(posed(scene, scene.clips.at(0), time), 0), {}),
                    {2 - 2 * std::cos(angle), -2 * std::sin(angle), 0}, 2e-4);
    }
}

TEST_CASE("a stack without curves is no clip") {
    OneClip clip;
    CHECK(read(clip.fbx).clips.empty());
}

TEST_CASE("FBX that cannot be right is refused with its object") {
    SECTION("two objects with one id") {
        FbxText fbx = one_mesh();
        fbx.model(2, "Twin", "Null");
        const Error error = error_of(fbx.text(), "fbx");
        CHECK(error.kind == ErrorKind::InvalidInput);
        CHECK(error.message.find("the same id") != std::string::npos);
    }
    SECTION("a model below itself") {
        FbxText fbx = one_mesh();
        fbx.model(5, "A", "Null");
        fbx.model(6, "B", "Null");
        fbx.connect(5, 6);
        fbx.connect(6, 5);
        CHECK(error_of(fbx.text(), "fbx").code == static_cast<std::uint16_t>(IssueCode::NodeCycle));
    }
    SECTION("a corner past the points") {
        const Error error = error_of(
            one_mesh("", reals("Vertices", {0, 0, 0}) + integers("PolygonVertexIndex", {0, 1, -3})).text(),
            "fbx");
        CHECK(error.where.find("SheetShape") != std::string::npos);
        CHECK(error.code == static_cast<std::uint16_t>(IssueCode::IndexOutOfRange));
    }
    SECTION("a polygon without an end") {
        (void)error_of(
            one_mesh("", reals("Vertices", {0, 0, 0}) + integers("PolygonVertexIndex", {0, 0, 0})).text(),
            "fbx");
    }
    SECTION("a weight on a point that is not there") {
        FbxText fbx = skinned("1,0,0,0,0,1,0,0,0,0,1,0,-1,0,0,1");
        fbx.object("Deformer", 43, "", "Cluster", integers("Indexes", {4}) + reals("Weights", {1}));
        fbx.connect(43, 40);
        fbx.connect(31, 43);
        CHECK(error_of(fbx.text(), "fbx").code == static_cast<std::uint16_t>(IssueCode::IndexOutOfRange));
    }
    SECTION("an array that is shorter than it says") {
        std::string text = one_mesh().text();
        text.replace(text.find("*12"), 3, "*13");
        CHECK(error_of(text, "fbx").message.find("announces 13") != std::string::npos);
    }
    SECTION("an old version") {
        std::string text = one_mesh().text();
        text.replace(text.find("7400"), 4, "6100");
        CHECK(error_of(text, "fbx").kind == ErrorKind::Unsupported);
    }
}
