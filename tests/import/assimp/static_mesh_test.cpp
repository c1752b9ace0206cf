#include "import_text.hpp"

#include "cooker/import/assimp/library.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

using namespace sinter;
using namespace sinter::test;

namespace {

constexpr std::string_view kQuad =
    "v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nvt 0 0\nvt 1 0\nvt 1 0.75\nvt 0 0.75\n";

// Area of all triangles of a primitive: order and diagonals do not matter to it.
double area_of(const Primitive& primitive) {
    double sum = 0;
    for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3) {
        const Float3 a = primitive.positions[primitive.indices[i]];
        const Float3 b = primitive.positions[primitive.indices[i + 1]];
        const Float3 c = primitive.positions[primitive.indices[i + 2]];
        sum += static_cast<double>(length(cross(b - a, c - a))) / 2;
    }
    return sum;
}

}  // namespace

TEST_CASE("an OBJ quad becomes two triangles that cover it, V counted from the top") {
    const Scene scene = scene_of(std::string(kQuad) + "o Sheet\nf 1/1 2/2 3/3 4/4\n", "obj");
    REQUIRE(scene.meshes.size() == 1);
    CHECK(scene.meshes[0].name == "Sheet");
    CHECK(scene.meshes[0].source_triangles == 2);
    CHECK(scene.meshes[0].source_vertices == 4);
    REQUIRE(scene.meshes[0].primitives.size() == 1);
    const Primitive& primitive = scene.meshes[0].primitives[0];
    CHECK(area_of(primitive) == 6.0);
    CHECK(primitive.material == kNone);
    REQUIRE(primitive.uv_sets.size() == 1);
    for (std::size_t v = 0; v < primitive.vertex_count(); ++v) {
        CHECK(primitive.uv_sets[0][v].x == primitive.positions[v].x / 2);
        CHECK(primitive.uv_sets[0][v].y == 1 - primitive.positions[v].y / 4);
    }
    REQUIRE(scene.nodes.size() == 1);
    CHECK(scene.nodes[0].name == "Sheet");
    CHECK(scene.nodes[0].mesh == 0);
}

TEST_CASE("OBJ objects are meshes, their materials primitives, and the .mtl is recorded as read") {
    const TemporaryFolder folder("sinter_obj");
    (void)folder.write("my paint.mtl",
                       "newmtl red\nKd 1 0 0\nmap_Kd red.png\nnewmtl blue\nKd 0 0 1\nd 0.5\n");
    const std::string text =
        "mtllib my paint.mtl\no First\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nusemtl red\nf 1 2 3\n"
        "usemtl blue\nf 2 4 3\no Second\nv 5 0 0\nv 6 0 0\nv 5 1 0\nusemtl red\nf -3 -2 -1\n";
    SourceFiles files(folder.write("two.obj", text));
    Issues issues;
    const Result<Scene> scene = import_assimp(files, bytes_of(text), "obj", {}, issues);
    REQUIRE(scene.ok());
    REQUIRE(scene->meshes.size() == 2);
    CHECK(scene->meshes[0].name == "First");
    CHECK(scene->meshes[0].primitives.size() == 2);
    CHECK(scene->meshes[0].source_vertices == 4);
    CHECK(scene->meshes[1].name == "Second");
    CHECK(scene->meshes[1].source_vertices == 3);
    CHECK(scene->meshes[1].primitives.at(0).positions[0] == Float3{5, 0, 0});
    const auto material = [&](std::size_t mesh, std::size_t primitive) {
        return scene->materials[static_cast<std::size_t>(scene->meshes[mesh].primitives[primitive].material)];
    };
    CHECK(material(0, 0).name == "red");
    CHECK(material(0, 0).base_color == Float4{1, 0, 0, 1});
    REQUIRE(material(0, 0).textures.size() == 1);
    CHECK(material(0, 0).textures[0].slot == "base_color");
    CHECK(material(0, 0).textures[0].uri == "red.png");
    CHECK(material(0, 1).name == "blue");
    CHECK(material(0, 1).base_color == Float4{0, 0, 1, 0.5F});
    CHECK(material(0, 1).alpha_mode == AlphaMode::Blend);
    CHECK(issues.count_of(IssueCode::MissingTexture) == 1);
    const auto read = std::ranges::count(files.read_files(), "my paint.mtl", &InputFile::name);
    CHECK(read == 1);
}

TEST_CASE("an OBJ without its .mtl keeps material names and says so") {
    Issues issues;
    const Scene scene =
        scene_of("mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n", "obj", issues);
    CHECK(issues.count_of(IssueCode::RepairedSource) == 1);
    REQUIRE(scene.materials.size() == 1);
    CHECK(scene.materials[0].name == "red");
    CHECK(scene.meshes.at(0).name == "asset");
}

TEST_CASE("OBJ polygons make corners - 2 triangles that cover them, also where they are concave") {
    // An L of area 3, given as one hexagon.
    const Scene scene =
        scene_of("v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\n", "obj");
    CHECK(scene.meshes.at(0).source_triangles == 4);
    CHECK(area_of(scene.meshes[0].primitives.at(0)) == 3.0);
}

TEST_CASE("degenerate OBJ faces are triangles like others; points and lines are an issue") {
    Issues issues;
    const Scene scene =
        scene_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 2\nf 1 2 3 3\nl 1 2 3\np 1\n", "obj", issues);
    CHECK(scene.meshes.at(0).source_triangles == 4);
    CHECK(issues.count_of(IssueCode::PointsOrLines) > 0);
    CHECK(issues.count_of(IssueCode::IgnoredContent) == 0);
}

TEST_CASE("OBJ indices outside of the file are refused with their line") {
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (const std::string_view face :
         {"f 1 2 4", "f 1 2 -4", "f 1 2 0", "f 1/1 2/1 3/1", "f 1//1 2//1 3//1", "f a b c",
          "f 1 2 99999999999999999999", "f 1 2 9223372036854775807", "f 1 2 -9223372036854775808"}) {
        CAPTURE(face);
        const Error error = error_of(points + std::string(face) + "\n", "obj");
        CHECK(error.kind == ErrorKind::InvalidInput);
        CHECK(error.where == "asset.obj: line 4");
    }
    CHECK(error_of("v 0 0\n", "obj").where == "asset.obj: line 1");
}

TEST_CASE("units and axes of formats that name none come from the options") {
    ImportOptions options;
    options.unit_m = 0.01;
    options.up_axis = UpAxis::Z;
    Issues issues;
    const Scene scene = scene_of("v 0 0 100\nv 100 0 0\nv 0 100 0\nf 1 2 3\n", "obj", issues, options);
    const std::vector<Float3>& positions = scene.meshes.at(0).primitives.at(0).positions;
    CHECK(positions == std::vector<Float3>{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}});
}

namespace {

// The PLY header of a coloured square with normals and UVs; both bodies below follow it.
std::string ply_header(std::string_view format) {
    return "ply\nformat " + std::string(format) +
           " 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\n"
           "property float ny\nproperty float nz\nproperty float s\nproperty float t\nproperty uchar red\n"
           "property uchar green\nproperty uchar blue\nelement face 1\nproperty list uchar int "
           "vertex_indices\nend_header\n";
}

constexpr std::array<std::array<float, 8>, 4> kPlyVertices{{{0, 0, 0, 0, 0, 1, 0, 0},
                                                            {1, 0, 0, 0, 0, 1, 1, 0},
                                                            {1, 1, 0, 0, 0, 1, 1, 0.25F},
                                                            {0, 1, 0, 0, 0, 1, 0, 0.25F}}};

void check_ply(const Scene& scene) {
    REQUIRE(scene.meshes.size() == 1);
    CHECK(scene.meshes[0].name == "asset");
    CHECK(scene.materials.empty());
    CHECK(scene.meshes[0].source_triangles == 2);
    const Primitive& primitive = scene.meshes[0].primitives.at(0);
    CHECK(area_of(primitive) == 1.0);
    REQUIRE(primitive.normals.size() == primitive.vertex_count());
    REQUIRE(primitive.colors.size() == primitive.vertex_count());
    REQUIRE(primitive.uv_sets.size() == 1);
    for (std::size_t v = 0; v < primitive.vertex_count(); ++v) {
        CHECK(primitive.normals[v] == Float3{0, 0, 1});
        CHECK(primitive.colors[v].x == 1);
        CHECK(primitive.colors[v].y == 0);
        CHECK(primitive.uv_sets[0][v].x == primitive.positions[v].x);
        CHECK(primitive.uv_sets[0][v].y == 1 - primitive.positions[v].y / 4);
    }
}

}  // namespace

TEST_CASE("PLY in text and in binary gives the same square") {
    std::string text = ply_header("ascii");
    std::string binary = ply_header("binary_little_endian");
    for (const auto& vertex : kPlyVertices) {
        for (const float value : vertex) {
            text += std::to_string(value) + " ";
            binary.append(reinterpret_cast<const char*>(&value), 4);
        }
        text += "255 0 0\n";
        binary += std::string("\xff\0\0", 3);
    }
    text += "4 0 1 2 3\n";
    binary += '\x04';
    for (const std::int32_t index : {0, 1, 2, 3}) binary.append(reinterpret_cast<const char*>(&index), 4);
    check_ply(scene_of(text, "ply"));
    check_ply(scene_of(binary, "ply"));
}

TEST_CASE("PLY that is cut off or whose indices are out of range is refused with the element") {
    const std::string header =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
        "float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
    CHECK(error_of(header + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "ply").where == "asset.ply: face 0");
    CHECK(error_of(header + "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "ply").where == "asset.ply: face 0");
    CHECK(error_of(header + "0 0 0\n1 0\n0 1 0\n3 0 1 2\n", "ply").where == "asset.ply: vertex 1");
    CHECK(error_of(header + "0 0 0\n1 0 0\n", "ply").where == "asset.ply: vertex 2");
    CHECK(error_of("ply\nformat ascii 2.0\nend_header\n", "ply").where == "asset.ply: line 2");
}

TEST_CASE("STL in text and in binary, solids by name") {
    const Scene text =
        scene_of("solid corner\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0\nvertex 0 3 "
                 "0\nendloop\nendfacet\nendsolid corner\n",
                 "stl");
    CHECK(text.meshes.at(0).name == "corner");
    CHECK(area_of(text.meshes[0].primitives.at(0)) == 3.0);
    CHECK(text.meshes[0].source_vertices == 3);
    std::string binary(80, ' ');
    const std::uint32_t count = 1;
    binary.append(reinterpret_cast<const char*>(&count), 4);
    for (const float value : {0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 2.0F, 0.0F, 0.0F, 0.0F, 3.0F, 0.0F}) {
        binary.append(reinterpret_cast<const char*>(&value), 4);
    }
    binary.append(2, '\0');
    const Scene scene = scene_of(binary, "stl");
    CHECK(scene.meshes.at(0).name == "asset");
    CHECK(area_of(scene.meshes[0].primitives.at(0)) == 3.0);
    CHECK(scene.materials.empty());
}

TEST_CASE("other formats are refused by name") {
    const Error error = error_of("xof 0303txt 0032", "x");
    CHECK(error.kind == ErrorKind::Unsupported);
    CHECK(error.message.find("'x'") != std::string::npos);
}

TEST_CASE("content of another format does not reach another reader") {
    // Assimp would look into the text and read it as an OBJ.
    (void)error_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "ply");
    (void)error_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "stl");
}

TEST_CASE("each .mtl that cannot be read is told by its own name and with its reason") {
    const TemporaryFolder folder("sinter_mtl");
    std::filesystem::create_directory(folder.path() / "folder.mtl");
    const std::string text =
        "mtllib gone.mtl\nmtllib folder.mtl\nmtllib /away/paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    SourceFiles files(folder.write("three.obj", text));
    Issues issues;
    REQUIRE(import_assimp(files, bytes_of(text), "obj", {}, issues).ok());
    const std::vector<Issue> list = issues.list();
    REQUIRE(list.size() == 3);
    for (const Issue& issue : list) CHECK(issue.code == IssueCode::RepairedSource);
    CHECK(list[0].message.starts_with("'gone.mtl' cannot be opened"));
    CHECK(list[1].message.starts_with("'folder.mtl' is not a regular file"));
    CHECK(list[2].message.starts_with("'/away/paint.mtl' is not relative to the asset's folder"));
}

TEST_CASE("OBJ with zero bytes, or without a line of the format, is refused with its place") {
    CHECK(error_of(std::string(100, '\0'), "obj").where == "asset.obj: byte 0");
    CHECK(error_of(std::string("v 0 0 0\n\0", 9), "obj").where == "asset.obj: byte 8");
    for (const std::string_view text : {"hello\nworld\n", "# nothing\n", "solid a\nendsolid a\n"}) {
        CAPTURE(text);
        const Error error = error_of(text, "obj");
        CHECK(error.kind == ErrorKind::InvalidInput);
        CHECK(error.where == "asset.obj: line 1");
    }
}

TEST_CASE("OBJ numbers that are none are refused with their line and word") {
    for (const std::string_view line : {"v 0,5 0 0", "v 0 0 x", "vn 0 0 1.#QNAN", "vt 0,25 1"}) {
        CAPTURE(line);
        const Error error = error_of("v 0 0 0\n" + std::string(line) + "\n", "obj");
        CHECK(error.kind == ErrorKind::InvalidInput);
        CHECK(error.where == "asset.obj: line 2");
    }
    CHECK(error_of("v 0,5 0 0\n", "obj").message.find("'0,5'") != std::string::npos);
    CHECK(scene_of("v +1 0. 0.5\nv 1e0 -0 0\nv 0 1 0\nf 1 2 3\n", "obj").meshes.size() == 1);
}

TEST_CASE("OBJ lines end with LF, CR or both") {
    const std::string lf = "o Sheet\nv 0 0 0\nv 2 0 0\nv 0 3 0\nf 1 2 3\n";
    std::string cr = lf;
    std::ranges::replace(cr, '\n', '\r');
    std::string both;
    for (const char c : lf) both += c == '\n' ? std::string("\r\n") : std::string(1, c);
    for (const std::string& text : {lf, cr, both}) {
        Issues issues;
        const Scene scene = scene_of(text, "obj", issues);
        CHECK(issues.list().empty());
        REQUIRE(scene.meshes.size() == 1);
        CHECK(scene.meshes[0].name == "Sheet");
        CHECK(area_of(scene.meshes[0].primitives.at(0)) == 3.0);
    }
    std::string wrong = cr + "f 1 2 9\r";
    CHECK(error_of(wrong, "obj").where == "asset.obj: line 6");
}

TEST_CASE("files without a triangle are scenes without one") {
    CHECK(scene_of("o A\nv 0 0 0\nv 1 0 0\n", "obj").meshes.empty());
    CHECK(scene_of(std::string(84, '\0'), "stl").meshes.empty());
    CHECK(scene_of("solid a\nendsolid a\n", "stl").meshes.empty());
    CHECK(scene_of(
              "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float "
              "z\nend_header\n",
              "ply")
              .meshes.empty());
}

TEST_CASE("PLY vertices without x, y or z are refused by the property's name") {
    const std::string head = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n";
    const Error error = error_of(head + "property float depth\nend_header\n0 0 0\n", "ply");
    CHECK(error.where == "asset.ply: element 'vertex'");
    CHECK(error.message == "has no property 'z'");
    CHECK(error_of(head + "property list uchar float z\nend_header\n0 0 0\n", "ply").message ==
          "has no property 'z'");
    CHECK(error_of("ply\nformat ascii 1.0\nend_header\n", "ply").message == "has no element 'vertex'");
}

namespace {

// One triangle of area 3, with any count in the header and any number of bytes after it.
std::string binary_stl(std::uint32_t count, std::size_t bytes_after) {
    std::string text(80, ' ');
    text.append(reinterpret_cast<const char*>(&count), 4);
    for (const float value : {0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 2.0F, 0.0F, 0.0F, 0.0F, 3.0F, 0.0F}) {
        text.append(reinterpret_cast<const char*>(&value), 4);
    }
    return text + std::string(2 + bytes_after, '\0');
}

}  // namespace

TEST_CASE("a binary STL whose size does not hold its count is refused; bytes behind it are an issue") {
    const Error error = error_of(binary_stl(4'294'967'295, 0), "stl");
    CHECK(error.where == "asset.stl: byte 80");
    CHECK(error.message == "4294967295 triangles are announced, the file has room for 1");
    CHECK(error_of(binary_stl(0, 0), "stl").where == "asset.stl: byte 80");
    CHECK(error_of("so", "stl").where == "asset.stl: byte 2");
    Issues issues;
    const Scene scene = scene_of(binary_stl(1, 3), "stl", issues);
    CHECK(area_of(scene.meshes.at(0).primitives.at(0)) == 3.0);
    REQUIRE(issues.list().size() == 1);
    CHECK(issues.list()[0].code == IssueCode::RepairedSource);
    CHECK(issues.list()[0].where == "byte 134");
    CHECK(issues.list()[0].message.starts_with("3 bytes"));
}

TEST_CASE("messages of Assimp call the asset by its own name") {
    CHECK(with_asset_name("cannot tell what /sinter_asset.stl is", "a.stl") == "cannot tell what a.stl is");
    CHECK(with_asset_name("sinter_asset.dae: x, sinter_asset.", "b.dae") == "b.dae: x, b.dae");
    CHECK(with_asset_name("/sinter_asset.obj", "/sinter_asset.obj") == "/sinter_asset.obj");
    CHECK(with_asset_name("no name", "a.stl") == "no name");
}

TEST_CASE("an OBJ of many objects gives each its name, triangle and positions") {
    std::string text;
    constexpr std::size_t kObjects =
        50'000;  // 1.25e9 pairs: a quadratic reader shows in the time of this test
    for (std::size_t i = 0; i < kObjects; ++i) {
        text += "o part" + std::to_string(i) + " x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n";
    }
    const Scene scene = scene_of(text, "obj");
    REQUIRE(scene.meshes.size() == kObjects);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < kObjects; ++i) {
        const Mesh& mesh = scene.meshes[i];
        const bool right = mesh.name == "part" + std::to_string(i) && mesh.source_triangles == 1 &&
                           mesh.source_vertices == 3 && mesh.primitives.size() == 1;
        wrong += right ? 0U : 1U;
    }
    CHECK(wrong == 0);
}

TEST_CASE("an OBJ with more names than Assimp can look up in time is refused by their number") {
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    std::string materials = points;
    std::string objects = points;
    for (int i = 0; i < 40'000; ++i) {
        materials += "usemtl m" + std::to_string(i) + "\nf 1 2 3\n";
        objects += "o p" + std::to_string(i) + "\nf 1 2 3\n";
    }
    const Error error = error_of(materials, "obj");
    CHECK(error.kind == ErrorKind::Limit);
    CHECK(error.message.find("40000 'usemtl' lines with 40000 names") != std::string::npos);
    // Objects can be groups for Assimp only where no line is joined to the next.
    CHECK(error_of(objects + "f 1 \\\n2 3\n", "obj").kind == ErrorKind::Limit);
}

TEST_CASE("faces of an OBJ object that is named again do not go to the object before") {
    const Scene scene = scene_of(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\no A\nf 1 2 3\no B\nf 1 2 3\nf 1 2 3\no A\nf 1 2 3\nf 1 2 3\nf 1 2 3\n",
        "obj");
    std::uint64_t of_a = 0;
    std::uint64_t of_b = 0;
    for (const Mesh& mesh : scene.meshes) (mesh.name == "A" ? of_a : of_b) += mesh.source_triangles;
    CHECK(of_a == 4);
    CHECK(of_b == 2);
}

TEST_CASE("OBJ numbers without a leading digit, with comments or in unusual number keep their vertex") {
    const std::vector<Float3> right{{0.5F, 0, 0}, {1, 0, 0}, {0, 0.25F, -0.5F}};
    for (const std::string_view third : {"v 0 .25 -.5", "v 0 +.25 -0.5 # note", "v 0 0.25 -0.5 1 1 1 1",
                                         "v 0 0.25 -0.5 9 9", "  v 0 0.25 -0.5"}) {
        CAPTURE(third);
        // The fourth vertex is there so that a lost one shifts the corners instead of leaving them out of range.
        const Scene scene =
            scene_of("v .5 0 0\nv 1 0 0\n" + std::string(third) + "\nv 7 7 7\nvt .5\nf 1/1 2/1 3/1\n", "obj");
        CHECK(scene.meshes.at(0).primitives.at(0).positions == right);
        CHECK(scene.meshes[0].primitives[0].uv_sets.at(0)[0] == Float2{0.5F, 1});
    }
}
