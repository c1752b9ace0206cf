// Container, hierarchy, primitive modes, materials, morph targets, URIs: what a scene must look like.
#include "tests/import/gltf/import_ok.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>

namespace sinter::test {
namespace {

// A folder of its own for one test, removed at the end.
class Folder {
public:
    Folder()
        : path_(std::filesystem::temp_directory_path() /
                ("sinter_gltf_" + std::to_string(::getpid()) + "_" + std::to_string(counter()++))) {
        std::filesystem::create_directories(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }
    std::filesystem::path write(const std::string& name, const Bytes& bytes) const {
        const std::filesystem::path path = path_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return path;
    }

private:
    static int& counter() {
        static int next = 0;
        return next;
    }
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("The same content is read from GLB and from glTF with a data URI", "[gltf]") {
    GltfBuilder builder;
    builder.triangle();
    builder.root["asset"]["generator"] = "a test";
    const Scene glb = import_ok(builder);
    auto gltf = import_bytes(bytes_of_text(builder.gltf()));
    REQUIRE(gltf.ok());
    CHECK(glb.source.format == "glb");
    CHECK(gltf->source.format == "gltf");
    CHECK(gltf->source.generator == "a test");
    CHECK(gltf->source.name == "test.glb");
    CHECK(glb.meshes.at(0).primitives.at(0).positions == gltf->meshes.at(0).primitives.at(0).positions);
    CHECK(gltf->meshes[0].primitives[0].positions == std::vector<Float3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
}

TEST_CASE("Unpadded, zero-padded and longer chunks, unknown chunks and trailing bytes are read", "[gltf]") {
    GltfBuilder builder;
    builder.triangle();
    Json json = builder.root;
    json["buffers"] = Json::array({{{"byteLength", builder.bin.size()}}});
    Bytes longer = builder.bin;
    longer.resize(longer.size() + 7);
    CHECK(import_bytes(GltfBuilder::glb_of(json.dump(), longer)).ok());
    std::string padded = json.dump();
    while (padded.size() % 4 != 0) padded += '\0';
    padded += std::string(4, '\0');
    CHECK(import_bytes(GltfBuilder::glb_of(padded, builder.bin)).ok());
    Bytes trailing = builder.glb();
    trailing.resize(trailing.size() + 5);
    Issues issues;
    CHECK(import_bytes(trailing, issues).ok());
    CHECK(issues.count_of(IssueCode::RepairedSource) == 5);
    Bytes extra = builder.glb();
    append_u32(extra, 0);
    append_u32(extra, 0x12345678);
    const std::uint32_t total = static_cast<std::uint32_t>(extra.size());
    std::memcpy(extra.data() + 8, &total, 4);
    CHECK(import_bytes(extra).ok());
}

TEST_CASE("Strips and fans become triangles with the standard's winding", "[gltf]") {
    GltfBuilder builder;
    Json& primitive = builder.triangle();
    builder.attributes()["POSITION"] =
        builder.accessor(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0}, "VEC3");
    primitive["mode"] = 5;
    CHECK(import_ok(builder).meshes[0].primitives[0].indices ==
          std::vector<std::uint32_t>{0, 1, 2, 1, 3, 2, 2, 3, 4});
    primitive["mode"] = 6;
    CHECK(import_ok(builder).meshes[0].primitives[0].indices ==
          std::vector<std::uint32_t>{1, 2, 0, 2, 3, 0, 3, 4, 0});
    primitive["mode"] = 5;
    primitive["indices"] = builder.accessor(std::vector<std::uint16_t>{4, 4, 4, 0}, "SCALAR");
    const Scene degenerate = import_ok(builder);
    CHECK(degenerate.meshes[0].source_triangles == 2);  // degenerate ones count
    CHECK(degenerate.meshes[0].source_vertices == 5);
    primitive["mode"] = 4;
    Issues issues;
    CHECK(import_ok(builder, issues).meshes[0].source_triangles == 1);
    CHECK(issues.count_of(IssueCode::RepairedSource) == 1);
}

TEST_CASE("Points and lines are counted and left out", "[gltf]") {
    GltfBuilder builder;
    const Json primitive = builder.triangle();
    Json& list = builder.root["meshes"][0]["primitives"];
    for (const int mode : {0, 1, 2, 3}) {
        list.push_back(primitive);
        list.back()["mode"] = mode;
    }
    Issues issues;
    const Scene scene = import_ok(builder, issues);
    CHECK(scene.meshes[0].primitives.size() == 1);
    CHECK(issues.count_of(IssueCode::PointsOrLines) == 4);
}

TEST_CASE("Nodes keep hierarchy, transforms, instances, and which scene they are shown in", "[gltf]") {
    GltfBuilder builder;
    builder.triangle();
    builder.root["nodes"] = Json::array({{{"name", "root"}, {"children", {1, 2}}, {"translation", {1, 2, 3}}},
                                         {{"name", "a"}, {"mesh", 0}, {"rotation", {0, 0, 1, 0}}},
                                         {{"name", "a"}, {"mesh", 0}, {"scale", {-1, 2, 3}}},
                                         {{"name", "elsewhere"}}});
    const Scene all = import_ok(builder);
    REQUIRE(all.nodes.size() == 4);
    for (const Node& node : all.nodes) CHECK(node.in_scene);
    CHECK(all.nodes[0].parent == kNone);
    CHECK(all.nodes[1].parent == 0);
    CHECK(all.nodes[2].parent == 0);
    CHECK(all.nodes[0].local.translation == Float3{1, 2, 3});
    CHECK(all.nodes[1].local.rotation == Quat{0, 0, 1, 0});
    CHECK(all.nodes[2].local.scale == Float3{-1, 2, 3});
    CHECK(all.nodes[2].mesh == 0);
    builder.root["scenes"] = Json::array({{{"nodes", {0}}}, {{"nodes", {3}}}});
    const Scene first = import_ok(builder);
    CHECK(first.nodes[2].in_scene);
    CHECK_FALSE(first.nodes[3].in_scene);
    builder.root["scene"] = 1;
    const Scene second = import_ok(builder);
    CHECK_FALSE(second.nodes[2].in_scene);
    CHECK(second.nodes[3].in_scene);
}

TEST_CASE("A chain of 100000 nodes is read without recursion", "[gltf]") {
    GltfBuilder builder;
    constexpr int kDepth = 100000;
    Json nodes = Json::array();
    for (int i = 0; i < kDepth; ++i) {
        nodes.push_back(i + 1 < kDepth ? Json{{"children", {i + 1}}} : Json::object());
    }
    builder.root["nodes"] = std::move(nodes);
    const Scene scene = import_ok(builder);
    CHECK(scene.nodes.back().parent == kDepth - 2);
    CHECK(scene.nodes.back().in_scene);
}

TEST_CASE("Matrices of translation, rotation and scale come back as such, mirrored or not", "[gltf]") {
    std::mt19937 random(5);
    const auto unit = [&] { return static_cast<double>(random()) / 2147483648.0 - 1.0; };
    for (int round = 0; round < 200; ++round) {
        std::array<double, 4> q{unit(), unit(), unit(), unit()};
        const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (double& c : q) c /= norm;
        const auto [x, y, z, w] = q;
        const double s[3] = {0.1 + std::abs(unit()), 2 + unit(), (round % 2 == 0 ? 1 : -1) * (1.5 + unit())};
        const double m[16] = {s[0] * (1 - 2 * (y * y + z * z)),
                              s[0] * 2 * (x * y + z * w),
                              s[0] * 2 * (x * z - y * w),
                              0,
                              s[1] * 2 * (x * y - z * w),
                              s[1] * (1 - 2 * (x * x + z * z)),
                              s[1] * 2 * (y * z + x * w),
                              0,
                              s[2] * 2 * (x * z + y * w),
                              s[2] * 2 * (y * z - x * w),
                              s[2] * (1 - 2 * (x * x + y * y)),
                              0,
                              unit(),
                              unit(),
                              unit(),
                              1};
        GltfBuilder builder;
        builder.add("nodes", {{"matrix", m}});
        const Node node = import_ok(builder).nodes.at(0);
        REQUIRE_FALSE(node.local_matrix.has_value());
        const Mat3x4 back = matrix_of(node.local);
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 4; ++column) {
                // three roundings to float of numbers up to 3
                REQUIRE_THAT(static_cast<double>(back.at(row, column)),
                             Catch::Matchers::WithinAbs(m[column * 4 + row], 2e-6));
            }
        }
        REQUIRE(node.local.scale.x * node.local.scale.y * node.local.scale.z *
                    (round % 2 == 0 ? 1.0F : -1.0F) >
                0);
    }
}

TEST_CASE("A sheared matrix, and one with a zero axis, stay matrices", "[gltf]") {
    GltfBuilder builder;
    builder.add("nodes", {{"matrix", {1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1}}});
    builder.add("nodes", {{"matrix", {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1}}});
    builder.add("nodes", {{"matrix", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}});
    Issues issues;
    const Scene scene = import_ok(builder, issues);
    REQUIRE(scene.nodes[0].local_matrix.has_value());
    CHECK(*scene.nodes[0].local_matrix == Mat3x4{{1, 0.5F, 0, 7, 0, 1, 0, 8, 0, 0, 1, 9}});
    CHECK(issues.count_of(IssueCode::ShearedNode) >= 1);
    for (const Node& node : scene.nodes) {
        const Mat3x4 shown = node.local_matrix.value_or(matrix_of(node.local));
        CHECK(std::isfinite(node.local.rotation.w));
        CHECK(is_finite(transform_point(shown, {1, 1, 1})));
    }
    // a zero axis needs no matrix: a scale of 0 says the same
    CHECK(transform_point(matrix_of(scene.nodes[1].local), {3, 5, 7}) == Float3{3, 0, 14});
    CHECK(transform_point(matrix_of(scene.nodes[2].local), {3, 5, 7}) == Float3{0, 0, 0});
}

TEST_CASE("Morph targets keep names, default weights and what nodes override", "[gltf]") {
    GltfBuilder builder;
    Json& primitive = builder.triangle();
    const std::size_t delta = builder.accessor(std::vector<float>{1, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC3");
    primitive["targets"] = Json::array({{{"POSITION", delta}}, {{"POSITION", delta}, {"TEXCOORD_0", delta}}});
    Json& mesh = builder.root["meshes"][0];
    mesh["extras"]["targetNames"] = Json::array({"smile", 7});
    mesh["weights"] = {0.25, -1};
    builder.root["nodes"][0]["weights"] = {0.5, 2};
    Issues issues;
    const Scene scene = import_ok(builder, issues);
    REQUIRE(scene.meshes[0].shapes.size() == 2);
    CHECK(scene.meshes[0].shapes[0].name == "smile");
    CHECK(scene.meshes[0].shapes[1].name.empty());
    CHECK(scene.meshes[0].shapes[0].default_weight == 0.25F);
    CHECK(scene.meshes[0].shapes[1].default_weight == -1.0F);
    CHECK(scene.meshes[0].shapes[0].frame_weights == std::vector<float>{1.0F});
    CHECK(scene.nodes[0].shape_weights == std::vector<float>{0.5F, 2.0F});
    CHECK(scene.meshes[0].primitives[0].shape_frames.size() == 2);
    CHECK(issues.count_of(IssueCode::IgnoredContent) == 1);
}

TEST_CASE("Materials keep factors, alpha mode, double-sidedness and texture references", "[gltf]") {
    GltfBuilder builder;
    builder.triangle()["material"] = 1;
    const std::size_t picture = builder.view(bytes_of_text("not a picture"));
    builder.root["images"] = Json::array({{{"uri", "na%C3%AFve%20map.png"}},
                                          {{"bufferView", picture}, {"mimeType", "image/png"}},
                                          {{"uri", "data:image/png;base64,AAAA"}}});
    builder.root["textures"] = Json::array({{{"source", 0}},
                                            {{"source", 1}},
                                            {{"source", 2}},
                                            {{"extensions", {{"KHR_texture_basisu", {{"source", 1}}}}}}});
    builder.root["extensionsUsed"] = {"KHR_texture_basisu", "KHR_materials_clearcoat",
                                      "KHR_texture_transform"};
    builder.root["extensionsRequired"] = {"KHR_texture_basisu"};
    builder.root["materials"] =
        Json::array({Json::object(),
                     {{"name", "skin"},
                      {"pbrMetallicRoughness",
                       {{"baseColorFactor", {0.1, 0.2, 0.3, 0.4}},
                        {"metallicFactor", 0.5},
                        {"roughnessFactor", 0.25},
                        {"baseColorTexture", {{"index", 0}, {"texCoord", 1}}},
                        {"metallicRoughnessTexture", {{"index", 1}}}}},
                      {"normalTexture", {{"index", 2}}},
                      {"occlusionTexture",
                       {{"index", 3}, {"extensions", {{"KHR_texture_transform", {{"texCoord", 2}}}}}}},
                      {"emissiveFactor", {1, 0.5, 0}},
                      {"alphaMode", "MASK"},
                      {"alphaCutoff", 0.75},
                      {"doubleSided", true}}});
    Issues issues;
    const Scene scene = import_ok(builder, issues);
    const Material& material = scene.materials.at(1);
    CHECK(scene.meshes[0].primitives[0].material == 1);
    CHECK(material.name == "skin");
    CHECK(material.base_color == Float4{0.1F, 0.2F, 0.3F, 0.4F});
    CHECK(material.metallic == 0.5F);
    CHECK(material.roughness == 0.25F);
    CHECK(material.emissive == Float3{1, 0.5F, 0});
    CHECK(material.alpha_mode == AlphaMode::Mask);
    CHECK(material.alpha_cutoff == 0.75F);
    CHECK(material.double_sided);
    REQUIRE(material.textures.size() == 4);
    CHECK(material.textures[0].slot == "base_color");
    CHECK(material.textures[0].uri == "na\xC3\xAFve map.png");
    CHECK(material.textures[0].uv_set == 1);
    CHECK(material.textures[1].uri == "buffer_view:" + std::to_string(picture));
    CHECK(material.textures[2].uri == "data_uri:2");
    CHECK(material.textures[3].slot == "occlusion");
    CHECK(material.textures[3].uv_set == 2);
    CHECK(issues.count_of(IssueCode::MissingTexture) == 1);
    CHECK(issues.count_of(IssueCode::UnknownOptionalExtension) == 2);
    CHECK_FALSE(issues.has_warnings());
    CHECK(scene.materials[0].base_color == Float4{1, 1, 1, 1});
    CHECK(scene.materials[0].metallic == 1.0F);
}

TEST_CASE("Channels that move no node are left out with an issue, the others are kept", "[gltf]") {
    GltfBuilder builder;
    builder.triangle();
    const std::size_t times = builder.accessor(std::vector<float>{0, 1}, "SCALAR");
    const std::size_t values = builder.accessor(std::vector<float>{0, 0, 0, 1, 0, 0}, "VEC3");
    Json& clip = builder.animation("translation", "LINEAR", times, values);
    clip["channels"].push_back({{"sampler", 0}, {"target", {{"path", "pointer"}}}});
    clip["channels"].push_back({{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}});
    clip["channels"].push_back({{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}});
    Issues issues;
    const Scene scene = import_ok(builder, issues);
    CHECK(scene.clips[0].channels.size() == 1);
    CHECK(issues.count_of(IssueCode::UnboundChannel) == 2);
    CHECK(issues.count_of(IssueCode::RepairedSource) == 1);
}

TEST_CASE("A buffer is found by its percent-encoded, non-ASCII path, and read once", "[gltf]") {
    GltfBuilder builder;
    builder.triangle();
    const Folder folder;
    folder.write("d\xC3\xA4ten/\xE2\x9D\xA4 100%.bin", builder.bin);
    builder.root["buffers"] =
        Json::array({{{"byteLength", builder.bin.size()}, {"uri", "d%C3%A4ten/\xE2\x9D\xA4%20100%.bin"}}});
    SourceFiles files{folder.write("scene.gltf", bytes_of_text(builder.root.dump()))};
    Issues issues;
    auto bytes = files.read_asset();
    REQUIRE(bytes.ok());
    auto scene = import_gltf(files, std::move(*bytes), issues);
    REQUIRE(scene.ok());
    CHECK(scene->meshes[0].primitives[0].positions.size() == 3);
    REQUIRE(files.read_files().size() == 2);
    CHECK(files.read_files()[0].name == "scene.gltf");
    CHECK(files.read_files()[1].name == "d\xC3\xA4ten/\xE2\x9D\xA4 100%.bin");
    CHECK(files.read_files()[1].bytes == builder.bin.size());
}

TEST_CASE("A missing buffer file, an absolute path and a web address end with the buffer's pointer",
          "[gltf]") {
    GltfBuilder builder;
    builder.triangle();
    const Folder folder;
    const auto error_for = [&](const std::string& uri) {
        builder.root["buffers"] = Json::array({{{"byteLength", builder.bin.size()}, {"uri", uri}}});
        auto scene = import_bytes(bytes_of_text(builder.root.dump()), *std::make_unique<Issues>(),
                                  folder.write("scene.gltf", {}).string());
        REQUIRE_FALSE(scene.ok());
        CHECK(scene.error().where == "scene.gltf: /buffers/0/uri");
        return scene.error();
    };
    CHECK(error_for("nowhere.bin").kind == ErrorKind::Io);
    CHECK(error_for("/etc/passwd").kind == ErrorKind::Unsupported);
    CHECK(error_for("%2Fetc%2Fpasswd").kind == ErrorKind::Unsupported);
    CHECK(error_for("http://example.org/a.bin").kind == ErrorKind::Unsupported);
    CHECK(error_for("file:///etc/passwd").kind == ErrorKind::Unsupported);
    CHECK(error_for("").kind == ErrorKind::InvalidInput);
    CHECK(error_for("a%00b").kind == ErrorKind::InvalidInput);
    CHECK(error_for("../../../../../../../../../dev/zero").kind == ErrorKind::Io);
    CHECK(error_for("data:application/octet-stream;base64,@@@@").kind == ErrorKind::InvalidInput);
    CHECK(error_for("data:application/octet-stream,AAAA").kind == ErrorKind::InvalidInput);
    CHECK(error_for("data:;base64,AAAAA").kind == ErrorKind::InvalidInput);
}

TEST_CASE("SourceFiles keeps the SHA-256 of what it read", "[source_files]") {
    const Folder folder;
    SourceFiles files{folder.write("abc.txt", bytes_of_text("abc"))};
    auto bytes = files.read_asset();
    REQUIRE(bytes.ok());
    CHECK(*bytes == bytes_of_text("abc"));
    // FIPS 180-2, appendix B.1
    constexpr std::array<std::uint8_t, 32> kAbc = {
        0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
        0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    CHECK(files.read_files().at(0).sha256 == kAbc);
    CHECK(files.sibling_exists("abc.txt"));
    CHECK_FALSE(files.sibling_exists("/etc/passwd"));
    CHECK_FALSE(files.sibling_exists("."));
    CHECK(files.read_files().size() == 1);
    const Bytes large(3'000'000, std::byte{7});
    SourceFiles big{folder.write("big.bin", large)};
    auto read = big.read_asset();
    REQUIRE(read.ok());
    CHECK(*read == large);
}

}  // namespace sinter::test
