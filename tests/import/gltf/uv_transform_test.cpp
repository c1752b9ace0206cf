// KHR_texture_transform: closed-form values, and which UVs it reaches.
#include "tests/import/gltf/import_ok.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace sinter::test {
namespace {

using Catch::Matchers::WithinAbs;

// UVs of about 1, computed in double and rounded once (6e-8); the angle is a float itself, within 1.2e-7 of its number.
constexpr double kUvRounding = 3e-7;

// The triangle's UVs are (0,0), (1,0), (0,1) in each set: the images of the origin and of both axes.
GltfBuilder textured_triangle(int sets = 1) {
    GltfBuilder builder;
    Json& primitive = builder.triangle();
    primitive["material"] = 0;
    for (int set = 0; set < sets; ++set) {
        builder.attributes()["TEXCOORD_" + std::to_string(set)] =
            builder.accessor(std::vector<float>{0, 0, 1, 0, 0, 1}, "VEC2");
    }
    builder.root["textures"] = Json::array({Json::object()});
    builder.root["extensionsUsed"] = {"KHR_texture_transform"};
    builder.root["extensionsRequired"] = {"KHR_texture_transform"};
    builder.root["materials"] = Json::array({{{"name", "cloth"}}});
    return builder;
}

Json texture_info(const Json& transform, int set = 0) {
    return {{"index", 0}, {"texCoord", set}, {"extensions", {{"KHR_texture_transform", transform}}}};
}

Json& base_color(GltfBuilder& builder) {
    return builder.root["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
}

std::vector<Float2> uvs_of(const Scene& scene, std::size_t set = 0, std::size_t primitive = 0) {
    return scene.meshes.at(0).primitives.at(primitive).uv_sets.at(set);
}

void check_uvs(const std::vector<Float2>& got, const std::array<std::pair<double, double>, 3>& expected) {
    REQUIRE(got.size() == 3);
    for (std::size_t v = 0; v < 3; ++v) {
        INFO("vertex " << v);
        CHECK_THAT(static_cast<double>(got[v].x), WithinAbs(expected[v].first, kUvRounding));
        CHECK_THAT(static_cast<double>(got[v].y), WithinAbs(expected[v].second, kUvRounding));
    }
}

constexpr std::array<std::pair<double, double>, 3> kUntouched = {{{0, 0}, {1, 0}, {0, 1}}};

}  // namespace

TEST_CASE("The extension's examples: the lower left quadrant turned clockwise, and t pointing up", "[gltf]") {
    GltfBuilder builder = textured_triangle();
    base_color(builder) =
        texture_info({{"offset", {0, 1}}, {"rotation", 1.57079632679}, {"scale", {0.5, 0.5}}});
    Issues issues;
    const Scene scene = import_ok(builder, issues);
    // v points down: the lower left quadrant is u in [0, 1/2], v in [1/2, 1]. The triangle's upper left corner shows the
    // quadrant's lower left one, and its upper right corner the quadrant's upper left one: the picture is turned clockwise.
    check_uvs(uvs_of(scene), {{{0, 1}, {0, 0.5}, {0.5, 1}}});
    CHECK(issues.count_of(IssueCode::UnknownOptionalExtension) == 0);
    base_color(builder) = texture_info({{"offset", {0, 1}}, {"scale", {1, -1}}});
    check_uvs(uvs_of(import_ok(builder)), {{{0, 1}, {1, 1}, {0, 0}}});
}

TEST_CASE("UVs are scaled first, then turned, then moved", "[gltf]") {
    GltfBuilder builder = textured_triangle();
    const double angle = std::numbers::pi / 6;
    base_color(builder) = texture_info({{"offset", {0.25, -0.5}}, {"rotation", angle}, {"scale", {2, 3}}});
    // T * R * S by hand, with cos 30 = sqrt(3) / 2 and sin 30 = 1/2: the u axis becomes 2 (cos, -sin), the v axis
    // 3 (sin, cos). In another order the scales would sit on the rows.
    const double cosine = std::sqrt(3.0) / 2;
    check_uvs(uvs_of(import_ok(builder)),
              {{{0.25, -0.5}, {0.25 + 2 * cosine, -0.5 - 1}, {0.25 + 1.5, -0.5 + 3 * cosine}}});
}

TEST_CASE("Quantised UVs get their range back from the transform that all textures of the material share",
          "[gltf]") {
    GltfBuilder builder = textured_triangle();
    builder.attributes()["TEXCOORD_0"] =
        builder.accessor(std::vector<std::uint16_t>{0, 65535, 65535, 0, 13107, 0}, "VEC2", true);
    const Json info = texture_info({{"offset", {-1.5, 0.125}}, {"scale", {4, 0.5}}});
    base_color(builder) = info;
    builder.root["materials"][0]["normalTexture"] = info;
    builder.root["materials"][0]["emissiveTexture"] = info;
    builder.attributes()["TANGENT"] =
        builder.accessor(std::vector<float>{1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}, "VEC4");
    const Scene scene = import_ok(builder);
    check_uvs(uvs_of(scene), {{{-1.5, 0.625}, {2.5, 0.125}, {-1.5 + 4 * 0.2, 0.125}}});
    CHECK(scene.meshes[0].primitives[0].tangents.size() == 3);  // the axes did not turn
}

TEST_CASE("The transform reaches the UV set that its texCoord names, and no other", "[gltf]") {
    GltfBuilder builder = textured_triangle(3);
    base_color(builder) = texture_info({{"offset", {1, 2}}, {"texCoord", 2}});
    builder.root["materials"][0]["occlusionTexture"] = texture_info({{"scale", {2, 2}}}, 1);
    builder.root["materials"][0]["emissiveTexture"] = texture_info({{"offset", {5, 5}}}, 7);  // not there
    const Scene scene = import_ok(builder);
    check_uvs(uvs_of(scene, 0), kUntouched);
    check_uvs(uvs_of(scene, 1), {{{0, 0}, {2, 0}, {0, 2}}});
    check_uvs(uvs_of(scene, 2), {{{1, 2}, {2, 2}, {1, 3}}});
    CHECK(scene.materials[0].textures.at(0).uv_set == 2);
}

TEST_CASE("A UV set that a material's textures read through different transforms stays as it is, and is told",
          "[gltf]") {
    GltfBuilder builder = textured_triangle(2);
    base_color(builder) = texture_info({{"offset", {1, 0}}});
    builder.root["materials"][0]["normalTexture"] = {{"index", 0}};  // the same set without a transform
    builder.root["materials"][0]["occlusionTexture"] = texture_info({{"scale", {2, 2}}}, 1);
    Issues issues;
    const Scene scene = import_ok(builder, issues);
    check_uvs(uvs_of(scene, 0), kUntouched);
    check_uvs(uvs_of(scene, 1), {{{0, 0}, {2, 0}, {0, 2}}});
    REQUIRE(issues.count_of(IssueCode::UnknownOptionalExtension) == 1);
    for (const Issue& issue : issues.list()) {
        if (issue.code == IssueCode::UnknownOptionalExtension) CHECK(issue.where == "material 0 'cloth'");
    }
}

TEST_CASE("Primitives that share UVs each get the transform of their own material", "[gltf]") {
    GltfBuilder builder = textured_triangle();
    base_color(builder) = texture_info({{"offset", {1, 0}}});
    builder.add("materials",
                {{"pbrMetallicRoughness", {{"baseColorTexture", texture_info({{"scale", {3, 4}}})}}}});
    Json& primitives = builder.root["meshes"][0]["primitives"];
    Json other = primitives[0];
    other["material"] = 1;
    primitives.push_back(other);
    other.erase("material");
    primitives.push_back(other);
    const Scene scene = import_ok(builder);
    check_uvs(uvs_of(scene, 0, 0), {{{1, 0}, {2, 0}, {1, 1}}});
    check_uvs(uvs_of(scene, 0, 1), {{{0, 0}, {3, 0}, {0, 4}}});
    check_uvs(uvs_of(scene, 0, 2), kUntouched);
}

TEST_CASE("Tangents are left out where the normal texture's UVs turn or mirror, and kept where others do",
          "[gltf]") {
    GltfBuilder builder = textured_triangle(2);
    builder.attributes()["TANGENT"] =
        builder.accessor(std::vector<float>{1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}, "VEC4");
    builder.root["materials"][0]["normalTexture"] = texture_info({{"scale", {-1, 1}}}, 1);
    Issues issues;
    CHECK(import_ok(builder, issues).meshes[0].primitives[0].tangents.empty());
    CHECK(issues.count_of(IssueCode::IgnoredContent) == 1);
    builder.root["materials"][0]["normalTexture"] = {{"index", 0}, {"texCoord", 1}};
    base_color(builder) = texture_info({{"rotation", 1}});
    CHECK(import_ok(builder).meshes[0].primitives[0].tangents.size() == 3);
}

TEST_CASE("A transform that is no transform is refused with its place", "[gltf]") {
    GltfBuilder builder = textured_triangle();
    base_color(builder) = texture_info({{"scale", {1, 2, 3}}});
    const auto scene = import_bytes(builder.glb());
    REQUIRE_FALSE(scene.ok());
    CHECK(scene.error().where ==
          "test.glb: "
          "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/scale");
}

}  // namespace sinter::test
