// What comes out of damaged files is an error or a scene, never a crash; run under the sanitizers too.
#include "dae_text.hpp"
#include "fbx_binary.hpp"
#include "fbx_text.hpp"
#include "import_text.hpp"

#include <random>

using namespace sinter;
using namespace sinter::test;

namespace {

// A text FBX with a skin, a shape, a clip and a material.
std::string rich_fbx() {
    FbxText fbx;
    fbx.unit = 100;
    fbx.model(1, "Sheet", "Mesh", vector3("RotationPivot", 1, 0, 0));
    fbx.model(30, "Bone", "LimbNode");
    fbx.object("Geometry", 2, "SheetShape", "Mesh",
               square() +
                   "LayerElementUV: 0 {\nMappingInformationType: \"ByVertice\"\nReferenceInformationType: "
                   "\"Direct\"\n" +
                   reals("UV", {0, 0, 1, 0, 1, 1, 0, 1}) + "}\n");
    fbx.object("Deformer", 40, "", "Skin", "");
    fbx.object("Deformer", 41, "", "Cluster",
               integers("Indexes", {0, 1, 2, 3}) + reals("Weights", {1, 1, 1, 1}) +
                   "Transform: *16 {\na: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n}\n");
    fbx.object("Deformer", 50, "Blend", "BlendShape", "");
    fbx.object("Deformer", 51, "Open", "BlendShapeChannel", reals("FullWeights", {100}));
    fbx.object("Geometry", 52, "Full", "Shape", integers("Indexes", {2}) + reals("Vertices", {0, 0, 3}));
    fbx.object("Material", 60, "Red", "", "Properties70:  {\n" + vector3("DiffuseColor", 1, 0, 0) + "}");
    fbx.object("AnimationStack", 10, "Walk", "", "");
    fbx.object("AnimationLayer", 11, "Base", "", "");
    fbx.connect(1, 0);
    fbx.connect(30, 0);
    fbx.connect(2, 1);
    fbx.connect(40, 2);
    fbx.connect(41, 40);
    fbx.connect(30, 41);
    fbx.connect(50, 2);
    fbx.connect(51, 50);
    fbx.connect(52, 51);
    fbx.connect(60, 1);
    fbx.connect(11, 10);
    fbx.curve(20, 11, 30, "Lcl Rotation", "d|Z", keys({0, 1}, {0, 90}, 0x4));
    fbx.curve(24, 11, 51, "DeformPercent", "d|DeformPercent", keys({0, 1}, {0, 100}, 0x108));
    return fbx.text();
}

std::string binary_of(std::string_view text, std::uint32_t version, bool packed) {
    const Result<fbx::Document> document = fbx::read_text(text, "text");
    REQUIRE(document.ok());
    return FbxBinary(version, packed).write(document->root);
}

// Whether two scenes are the same where it matters here.
void check_same(const Scene& a, const Scene& b) {
    REQUIRE(a.meshes.size() == b.meshes.size());
    for (std::size_t m = 0; m < a.meshes.size(); ++m) {
        CHECK(a.meshes[m].name == b.meshes[m].name);
        for (std::size_t p = 0; p < a.meshes[m].primitives.size(); ++p) {
            CHECK(a.meshes[m].primitives[p].positions == b.meshes[m].primitives[p].positions);
            CHECK(a.meshes[m].primitives[p].indices == b.meshes[m].primitives[p].indices);
            CHECK(a.meshes[m].primitives[p].influences == b.meshes[m].primitives[p].influences);
        }
    }
    REQUIRE(a.nodes.size() == b.nodes.size());
    for (std::size_t n = 0; n < a.nodes.size(); ++n) {
        CHECK(a.nodes[n].name == b.nodes[n].name);
        CHECK(a.nodes[n].local == b.nodes[n].local);
    }
    REQUIRE(a.clips.size() == b.clips.size());
    for (std::size_t c = 0; c < a.clips.size(); ++c) {
        REQUIRE(a.clips[c].channels.size() == b.clips[c].channels.size());
        for (std::size_t k = 0; k < a.clips[c].channels.size(); ++k) {
            CHECK(a.clips[c].channels[k].times == b.clips[c].channels[k].times);
            CHECK(a.clips[c].channels[k].values == b.clips[c].channels[k].values);
        }
    }
}

// Counts the cuts of a file that are refused; every cut must come back.
std::size_t refused_cuts(const std::string& text, std::string_view format, std::size_t step) {
    std::size_t refused = 0;
    for (std::size_t size = 0; size < text.size(); size += step) {
        Issues issues;
        const Result<Scene> scene = import_text(std::string_view(text).substr(0, size), format, issues);
        if (!scene) {
            ++refused;
            CHECK(scene.error().where.starts_with("asset."));
            CHECK_FALSE(scene.error().message.empty());
        }
    }
    return refused;
}

// Changes a few bytes at random places, many times with a fixed seed.
void mutate(const std::string& text, std::string_view format, int rounds) {
    std::mt19937 random(20240607);
    for (int round = 0; round < rounds; ++round) {
        std::string changed = text;
        const unsigned count = 1 + random() % 4;
        for (unsigned i = 0; i < count; ++i) {
            changed[random() % changed.size()] = static_cast<char>(random() % 256);
        }
        Issues issues;
        const Result<Scene> scene = import_text(changed, format, issues);
        if (!scene) CHECK_FALSE(scene.error().line().empty());
    }
}

}  // namespace

TEST_CASE("binary FBX, packed or not, of both widths, gives the scene of its text") {
    const std::string text = rich_fbx();
    const Scene expected = scene_of(text, "fbx");
    REQUIRE(expected.meshes.size() == 1);
    REQUIRE(expected.clips.size() == 1);
    CHECK(expected.clips[0].channels.size() == 2);
    for (const std::uint32_t version : {7400U, 7700U}) {
        for (const bool packed : {false, true}) {
            // The test's text has all words of KeyAttrDataFloat 0, whose bits are the float 0 as well.
            check_same(expected, scene_of(binary_of(text, version, packed), "fbx"));
        }
    }
}

TEST_CASE("cut and changed FBX files are refused or read, never more") {
    const std::string text = rich_fbx();
    // A text may lose nothing but trailing connections and still parse; most cuts end inside of a node.
    CHECK(refused_cuts(text, "fbx", 7) > text.size() / 7 / 2);
    const std::string packed = binary_of(text, 7400, true);
    // A binary file has a null record at its end, so that every cut shows.
    CHECK(refused_cuts(packed, "fbx", 3) == (packed.size() + 2) / 3);
    mutate(text, "fbx", 1500);
    mutate(packed, "fbx", 1500);
    mutate(binary_of(text, 7700, false), "fbx", 1500);
}

TEST_CASE("binary FBX with sizes that cannot be is refused before memory is taken") {
    std::string text = binary_of(
        "FBXHeaderExtension: {\nFBXVersion: 7400\n}\nObjects: {\nA: *4 {\na: 1,2,3,4\n}\n}\n", 7400, true);
    const std::size_t array = text.rfind('l');
    REQUIRE(array != std::string::npos);
    const std::uint32_t huge = 0xffffffffU;
    std::memcpy(text.data() + array + 1, &huge, sizeof huge);
    const Error error = error_of(text, "fbx");
    CHECK(error.kind != ErrorKind::Internal);
    // 100 million numbers from 20 packed bytes: under the limit, but deflate cannot do that.
    const std::uint32_t large = 100'000'000;
    std::memcpy(text.data() + array + 1, &large, sizeof large);
    CHECK(error_of(text, "fbx").message.find("cannot hold") != std::string::npos);
}

TEST_CASE("deep nesting of FBX nodes is refused") {
    std::string text = "FBXHeaderExtension: {\nFBXVersion: 7400\n}\n";
    for (int i = 0; i < 100'000; ++i) text += "A: {\n";
    CHECK(error_of(text, "fbx").message.find("nested deeper") != std::string::npos);
}

TEST_CASE("cut and changed COLLADA files are refused or read, never more") {
    const std::string text = DaeText{}.text();
    CHECK(refused_cuts(text, "dae", 13) > text.size() / 13 * 9 / 10);
    mutate(text, "dae", 400);
}

TEST_CASE("cut and changed OBJ, PLY and STL files are refused or read, never more") {
    const std::string obj =
        "mtllib a.mtl\no A\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nusemtl m\n"
        "f 1/1/1 2/1/1 3/1/1 4/1/1\nf -1 -2 -3\n";
    const std::string ply =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
        "z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 "
        "0\n3 0 1 2\n";
    const std::string stl =
        "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0\nvertex 0 3 0\n"
        "endloop\nendfacet\nendsolid a\n";
    std::string binary_stl(84, '\0');
    binary_stl[80] = 2;
    binary_stl.append(100, '\x3f');
    for (const auto& [text, format] : {std::pair{obj, "obj"}, std::pair{ply, "ply"}, std::pair{stl, "stl"},
                                       std::pair{binary_stl, "stl"}}) {
        (void)refused_cuts(text, format, 1);
        mutate(text, format, 400);
    }
}

TEST_CASE("binary FBX of an unknown version is refused by it, one without a node by its place") {
    std::string text("Kaydara FBX Binary  \0\x1a\0", 23);
    const auto with_version = [&](std::uint32_t version) {
        std::string file = text;
        file.append(reinterpret_cast<const char*>(&version), 4);
        return file + std::string(200, '\0');
    };
    for (const std::uint32_t version : {0U, 6100U, 7800U, 99999U, 4'294'967'295U}) {
        const Error error = error_of(with_version(version), "fbx");
        CHECK(error.kind == ErrorKind::Unsupported);
        CHECK(error.message.find(std::to_string(version)) != std::string::npos);
        CHECK(error.message.find("7000") != std::string::npos);
        CHECK(error.message.find("7700") != std::string::npos);
    }
    CHECK(error_of(with_version(7400), "fbx").kind == ErrorKind::InvalidInput);
    CHECK(error_of("FBXHeaderExtension: {\nFBXVersion: 99999\n}\n", "fbx").kind == ErrorKind::Unsupported);
}
