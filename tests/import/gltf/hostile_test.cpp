// Broken and hostile input: each is refused with the pointer of what is wrong, or imported; nothing else.
#include "tests/fuzz/gltf_fuzz.hpp"
#include "tests/paths.hpp"
#include "tests/support/gltf_builder.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

namespace sinter::test {
namespace {

// A small asset that uses most of the standard.
GltfBuilder rich_asset() {
    GltfBuilder b;
    Json& primitive = b.triangle();
    primitive["indices"] = b.accessor(std::vector<std::uint16_t>{0, 1, 2}, "SCALAR");
    primitive["material"] = 0;
    Json& attributes = b.attributes();
    attributes["NORMAL"] = b.accessor(std::vector<float>{0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
    attributes["TEXCOORD_0"] = b.accessor(std::vector<std::uint16_t>{0, 0, 65535, 0, 0, 65535}, "VEC2", true);
    attributes["COLOR_0"] =
        b.accessor(std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, "VEC4", true);
    attributes["JOINTS_0"] =
        b.accessor(std::vector<std::uint8_t>{0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
    attributes["WEIGHTS_0"] =
        b.accessor(std::vector<float>{0.5F, 0.5F, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
    const std::size_t delta = b.accessor(std::vector<float>(9, 0.0F), "VEC3");
    b.make_sparse(delta, std::vector<std::uint8_t>{0, 2}, std::vector<float>{1, 2, 3, 4, 5, 6}, true);
    primitive["targets"] = Json::array({{{"POSITION", delta}}});
    b.root["meshes"][0]["weights"] = {0.5};
    b.root["nodes"] =
        Json::array({{{"name", "root"}, {"children", {1, 2}}, {"mesh", 0}, {"skin", 0}},
                     {{"name", "a"}, {"translation", {0, 1, 0}}},
                     {{"name", "b"}, {"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}}});
    std::vector<float> bind(32, 0.0F);
    for (const std::size_t i : {0U, 5U, 10U, 15U, 16U, 21U, 26U, 31U}) bind[i] = 1;
    b.add("skins", {{"joints", {1, 2}}, {"inverseBindMatrices", b.accessor(bind, "MAT4")}});
    b.root["scenes"] = Json::array({{{"nodes", {0}}}});
    b.root["scene"] = 0;
    b.root["images"] = Json::array({{{"uri", "a.png"}}});
    b.root["textures"] = Json::array({{{"source", 0}}});
    const Json transform = {{"offset", {0.5, 0}}, {"rotation", 1}, {"scale", {2, 2}}, {"texCoord", 0}};
    b.root["materials"] = Json::array(
        {{{"pbrMetallicRoughness",
           {{"baseColorTexture", {{"index", 0}, {"extensions", {{"KHR_texture_transform", transform}}}}}}}}});
    const std::size_t times = b.accessor(std::vector<float>{0, 1}, "SCALAR");
    b.animation("rotation", "LINEAR", times, b.accessor(std::vector<float>{0, 0, 0, 1, 0, 0, 1, 0}, "VEC4"));
    b.animation("weights", "STEP", times, b.accessor(std::vector<float>{0, 1}, "SCALAR"));
    b.root["buffers"] = Json::array({{{"byteLength", b.bin.size()}}});
    return b;
}

std::string index_text(const Json& index) { return std::to_string(index.get<std::size_t>()); }

struct HostileCase {
    std::string name;
    std::string where;  // pointer; '#' stands for the index of the accessor that was changed
    std::function<void(GltfBuilder&)> change;
    ErrorKind kind = ErrorKind::InvalidInput;
};

Json& accessor_of(GltfBuilder& b, const char* attribute) {
    return b.root["accessors"][b.attributes()[attribute].get<std::size_t>()];
}
std::string pointer_of(const char* attribute) {
    GltfBuilder b = rich_asset();
    return "/accessors/" + index_text(b.attributes()[attribute]);
}
std::string view_pointer_of(const char* attribute) {
    GltfBuilder b = rich_asset();
    return "/bufferViews/" + index_text(accessor_of(b, attribute)["bufferView"]);
}
Json& view_of(GltfBuilder& b, const char* attribute) {
    return b.root["bufferViews"][accessor_of(b, attribute)["bufferView"].get<std::size_t>()];
}
Json& target_accessor(GltfBuilder& b) {
    return b
        .root["accessors"][b.root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"].get<std::size_t>()];
}
std::string target_pointer() {
    GltfBuilder b = rich_asset();
    return "/accessors/" + index_text(b.root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"]);
}

std::vector<HostileCase> document_cases() {
    return {
        {"no asset", "/asset", [](GltfBuilder& b) { b.root.erase("asset"); }},
        {"asset is a number", "/asset", [](GltfBuilder& b) { b.root["asset"] = 2; }},
        {"glTF 1.0", "/asset/version", [](GltfBuilder& b) { b.root["asset"]["version"] = "1.0"; },
         ErrorKind::Unsupported},
        {"glTF 3", "/asset/version", [](GltfBuilder& b) { b.root["asset"]["version"] = "3.0"; },
         ErrorKind::Unsupported},
        {"version as a number", "/asset/version", [](GltfBuilder& b) { b.root["asset"]["version"] = 2.0; }},
        {"minVersion 2.1", "/asset/minVersion", [](GltfBuilder& b) { b.root["asset"]["minVersion"] = "2.1"; },
         ErrorKind::Unsupported},
        {"unknown required extension", "/extensionsRequired/1",
         [](GltfBuilder& b) { b.root["extensionsRequired"] = {"KHR_materials_unlit", "ACME_cubes"}; },
         ErrorKind::Unsupported},
        {"extension name is a number", "/extensionsUsed/0",
         [](GltfBuilder& b) { b.root["extensionsUsed"] = {1}; }},
        {"meshes is an object", "/meshes", [](GltfBuilder& b) { b.root["meshes"] = Json::object(); }},
        {"a mesh is a string", "/meshes/0", [](GltfBuilder& b) { b.root["meshes"][0] = "mesh"; }},
        {"a name is a number", "/nodes/1/name", [](GltfBuilder& b) { b.root["nodes"][1]["name"] = 5; }},
        {"buffer without data", "/buffers/1",
         [](GltfBuilder& b) {
             b.root["buffers"].push_back({{"byteLength", 100}});
             view_of(b, "NORMAL")["buffer"] = 1;
         }},
        {"buffer longer than BIN", "/buffers/0/byteLength",
         [](GltfBuilder& b) { b.root["buffers"][0]["byteLength"] = 1 << 20; }},
        {"buffer length negative", "/buffers/0/byteLength",
         [](GltfBuilder& b) { b.root["buffers"][0]["byteLength"] = -1; }},
        {"buffer without length", "/buffers/0",
         [](GltfBuilder& b) { b.root["buffers"][0].erase("byteLength"); }},
        {"view of a missing buffer", view_pointer_of("NORMAL") + "/buffer",
         [](GltfBuilder& b) { view_of(b, "NORMAL")["buffer"] = 7; }},
        {"view past its buffer", view_pointer_of("NORMAL"),
         [](GltfBuilder& b) { view_of(b, "NORMAL")["byteLength"] = 1 << 20; }},
        {"view offset past its buffer", view_pointer_of("NORMAL"),
         [](GltfBuilder& b) { view_of(b, "NORMAL")["byteOffset"] = 9007199254740992U; }},
        {"view offset too large for a number", view_pointer_of("NORMAL") + "/byteOffset",
         [](GltfBuilder& b) { view_of(b, "NORMAL")["byteOffset"] = 18446744073709551615U; }},
        {"stride below the element", view_pointer_of("NORMAL") + "/byteStride",
         [](GltfBuilder& b) { view_of(b, "NORMAL")["byteStride"] = 4; }},
    };
}

std::vector<HostileCase> accessor_cases() {
    return {
        {"accessor out of range", "/meshes/0/primitives/0/attributes/NORMAL",
         [](GltfBuilder& b) { b.attributes()["NORMAL"] = 999; }},
        {"accessor index negative", "/meshes/0/primitives/0/attributes/NORMAL",
         [](GltfBuilder& b) { b.attributes()["NORMAL"] = -1; }},
        {"accessor index a fraction", "/meshes/0/primitives/0/attributes/NORMAL",
         [](GltfBuilder& b) { b.attributes()["NORMAL"] = 0.5; }},
        {"accessor without count", pointer_of("NORMAL"),
         [](GltfBuilder& b) { accessor_of(b, "NORMAL").erase("count"); }},
        {"count past the view", pointer_of("POSITION"),
         [](GltfBuilder& b) { accessor_of(b, "POSITION")["count"] = 1431655766; }},
        {"count of 2^53", pointer_of("POSITION") + "/count",
         [](GltfBuilder& b) { accessor_of(b, "POSITION")["count"] = 9007199254740992U; }},
        {"count of 2^32 without a view", pointer_of("POSITION"),
         [](GltfBuilder& b) {
             accessor_of(b, "POSITION")["count"] = 4294967290U;
             accessor_of(b, "POSITION").erase("bufferView");
         },
         ErrorKind::Limit},
        {"offset past the view", pointer_of("NORMAL"),
         [](GltfBuilder& b) { accessor_of(b, "NORMAL")["byteOffset"] = 4; }},
        {"unknown component type", pointer_of("NORMAL") + "/componentType",
         [](GltfBuilder& b) { accessor_of(b, "NORMAL")["componentType"] = 5124; }},
        {"unknown type", pointer_of("NORMAL") + "/type",
         [](GltfBuilder& b) { accessor_of(b, "NORMAL")["type"] = "VEC5"; }},
        {"normals of two components", pointer_of("NORMAL") + "/type",
         [](GltfBuilder& b) { accessor_of(b, "NORMAL")["type"] = "VEC2"; }},
        {"joints as floats", pointer_of("WEIGHTS_0") + "/componentType",
         [](GltfBuilder& b) { b.attributes()["JOINTS_0"] = b.attributes()["WEIGHTS_0"]; }},
        {"weights missing", "/meshes/0/primitives/0/attributes",
         [](GltfBuilder& b) { b.attributes().erase("WEIGHTS_0"); }},
        {"fewer normals than positions", "/meshes/0/primitives/0/attributes/NORMAL",
         [](GltfBuilder& b) { accessor_of(b, "NORMAL")["count"] = 2; }},
        {"fewer deltas than positions", "/meshes/0/primitives/0/targets/0/POSITION",
         [](GltfBuilder& b) {
             b.root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"] =
                 b.accessor(std::vector<float>(6, 0.0F), "VEC3");
         }},
        {"sparse index past the count", target_pointer() + "/sparse/indices",
         [](GltfBuilder& b) {
             b.make_sparse(b.root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"].get<std::size_t>(),
                           std::vector<std::uint8_t>{0, 3}, std::vector<float>(6, 0.0F), true);
             b.root["buffers"][0]["byteLength"] = b.bin.size();
         }},
        {"sparse indices unsorted", target_pointer() + "/sparse/indices",
         [](GltfBuilder& b) {
             b.make_sparse(b.root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"].get<std::size_t>(),
                           std::vector<std::uint8_t>{2, 1}, std::vector<float>(6, 0.0F), true);
             b.root["buffers"][0]["byteLength"] = b.bin.size();
         }},
        {"sparse indices repeated", target_pointer() + "/sparse/indices",
         [](GltfBuilder& b) {
             b.make_sparse(b.root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"].get<std::size_t>(),
                           std::vector<std::uint8_t>{1, 1}, std::vector<float>(6, 0.0F), true);
             b.root["buffers"][0]["byteLength"] = b.bin.size();
         }},
        {"sparse count above the count", target_pointer() + "/sparse/count",
         [](GltfBuilder& b) { target_accessor(b)["sparse"]["count"] = 4; }},
        {"sparse without values", target_pointer() + "/sparse",
         [](GltfBuilder& b) { target_accessor(b)["sparse"].erase("values"); }},
        {"sparse without indices", target_pointer() + "/sparse",
         [](GltfBuilder& b) { target_accessor(b)["sparse"].erase("indices"); }},
        {"sparse indices of floats", target_pointer() + "/sparse/indices/componentType",
         [](GltfBuilder& b) { target_accessor(b)["sparse"]["indices"]["componentType"] = 5126; }},
        {"sparse values past their view", target_pointer() + "/sparse/values",
         [](GltfBuilder& b) { target_accessor(b)["sparse"]["values"]["byteOffset"] = 8; }},
    };
}

std::vector<HostileCase> scene_cases() {
    return {
        {"mesh out of range", "/nodes/0/mesh", [](GltfBuilder& b) { b.root["nodes"][0]["mesh"] = 1; }},
        {"skin out of range", "/nodes/0/skin", [](GltfBuilder& b) { b.root["nodes"][0]["skin"] = 1; }},
        {"child out of range", "/nodes/0/children/1",
         [](GltfBuilder& b) { b.root["nodes"][0]["children"][1] = 3; }},
        {"material out of range", "/meshes/0/primitives/0/material",
         [](GltfBuilder& b) { b.root["meshes"][0]["primitives"][0]["material"] = 1; }},
        {"texture out of range", "/materials/0/pbrMetallicRoughness/baseColorTexture/index",
         [](GltfBuilder& b) {
             b.root["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"] = 4;
         }},
        {"image out of range", "/textures/0/source",
         [](GltfBuilder& b) { b.root["textures"][0]["source"] = 4; }},
        {"alpha mode unknown", "/materials/0/alphaMode",
         [](GltfBuilder& b) { b.root["materials"][0]["alphaMode"] = "GLASS"; }},
        {"factor too large", "/materials/0/emissiveFactor/1",
         [](GltfBuilder& b) { b.root["materials"][0]["emissiveFactor"] = {0, 1e300, 0}; }},
        {"primitive mode 7", "/meshes/0/primitives/0/mode",
         [](GltfBuilder& b) { b.root["meshes"][0]["primitives"][0]["mode"] = 7; }},
        {"node is its own child", "/nodes/1",
         [](GltfBuilder& b) {
             b.root["nodes"][1]["children"] = {1};
             b.root["nodes"][0]["children"] = {2};
         }},
        {"node with two parents", "/nodes/1/children/0",
         [](GltfBuilder& b) { b.root["nodes"][1]["children"] = {2}; }},
        {"cycle of two", "/nodes/1",
         [](GltfBuilder& b) {
             b.root["nodes"][0].erase("children");
             b.root["nodes"][1]["children"] = {2};
             b.root["nodes"][2]["children"] = {1};
         }},
        {"rotation of three numbers", "/nodes/1/rotation",
         [](GltfBuilder& b) { b.root["nodes"][1]["rotation"] = {0, 0, 1}; }},
        {"translation of text", "/nodes/1/translation/2",
         [](GltfBuilder& b) { b.root["nodes"][1]["translation"] = {0, 0, "up"}; }},
        {"projective matrix", "/nodes/2/matrix",
         [](GltfBuilder& b) { b.root["nodes"][2]["matrix"][3] = 0.5; }},
        {"joint out of range", "/skins/0/joints/1",
         [](GltfBuilder& b) { b.root["skins"][0]["joints"][1] = 77; }},
        {"skin without joints", "/skins/0", [](GltfBuilder& b) { b.root["skins"][0].erase("joints"); }},
        {"too few bind matrices", "/skins/0/inverseBindMatrices",
         [](GltfBuilder& b) { b.root["skins"][0]["joints"] = {0, 1, 2}; }},
        {"scene out of range", "/scene", [](GltfBuilder& b) { b.root["scene"] = 1; }},
        {"root out of range", "/scenes/0/nodes/0",
         [](GltfBuilder& b) { b.root["scenes"][0]["nodes"] = {12}; }},
        {"sampler out of range", "/animations/0/channels/0/sampler",
         [](GltfBuilder& b) { b.root["animations"][0]["channels"][0]["sampler"] = 3; }},
        {"target node out of range", "/animations/0/channels/0/target/node",
         [](GltfBuilder& b) { b.root["animations"][0]["channels"][0]["target"]["node"] = 3; }},
        {"interpolation unknown", "/animations/0/samplers/0/interpolation",
         [](GltfBuilder& b) { b.root["animations"][0]["samplers"][0]["interpolation"] = "BEZIER"; }},
        {"fewer values than keys", "/animations/0/samplers/0/output",
         [](GltfBuilder& b) { b.root["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"; }},
        {"weights for another number of targets", "/animations/1/samplers/0/output",
         [](GltfBuilder& b) {
             auto& t = b.root["meshes"][0]["primitives"][0]["targets"];
             t.push_back(t[0]);
         }},
        {"targets that differ", "/meshes/0/primitives/1/targets",
         [](GltfBuilder& b) {
             auto& list = b.root["meshes"][0]["primitives"];
             list.push_back(list[0]);
             list[1]["targets"].push_back(list[0]["targets"][0]);
         }},
    };
}

}  // namespace

TEST_CASE("Every broken asset is refused with the pointer of what is wrong", "[gltf][hostile][B48]") {
    REQUIRE(import_bytes(rich_asset().glb()).ok());
    for (const auto& cases : {document_cases(), accessor_cases(), scene_cases()}) {
        for (const HostileCase& hostile : cases) {
            INFO(hostile.name);
            GltfBuilder builder = rich_asset();
            hostile.change(builder);
            if (builder.root["buffers"][0].value("byteLength", 0) < 1 << 19 &&
                builder.root["buffers"].size() == 1 && builder.root["buffers"][0].contains("byteLength") &&
                builder.root["buffers"][0]["byteLength"] >= 0) {
                builder.root["buffers"][0]["byteLength"] = builder.bin.size();
            }
            Issues issues;
            auto scene = import_bytes(builder.glb(), issues);
            REQUIRE_FALSE(scene.ok());
            CHECK(scene.error().where == "test.glb: " + hostile.where);
            CHECK(scene.error().kind == hostile.kind);
            CHECK_FALSE(scene.error().message.empty());
        }
    }
}

TEST_CASE("Vertex indices past the vertices are refused with their value and place", "[gltf][hostile]") {
    GltfBuilder builder = rich_asset();
    builder.root["meshes"][0]["primitives"][0]["indices"] =
        builder.accessor(std::vector<std::uint16_t>{0, 1, 65535}, "SCALAR");
    builder.root["buffers"][0]["byteLength"] = builder.bin.size();
    auto scene = import_bytes(builder.glb());
    REQUIRE_FALSE(scene.ok());
    CHECK(scene.error().where == "test.glb: /meshes/0/primitives/0/indices");
    CHECK(scene.error().message.find("65535 at place 2") != std::string::npos);
    CHECK(scene.error().code == static_cast<std::uint16_t>(IssueCode::IndexOutOfRange));
}

TEST_CASE("Node cycles carry their number", "[gltf][hostile]") {
    GltfBuilder builder = rich_asset();
    builder.root["nodes"][1]["children"] = {0};
    auto scene = import_bytes(builder.glb());
    REQUIRE_FALSE(scene.ok());
    CHECK(scene.error().code == static_cast<std::uint16_t>(IssueCode::NodeCycle));
}

TEST_CASE("A few bytes that unfold to gigabytes meet a limit", "[gltf][hostile]") {
    GltfBuilder builder;
    Json& primitive = builder.triangle();
    const std::size_t large = builder.accessor(std::vector<float>(30000, 0.0F), "VEC3");
    builder.attributes()["POSITION"] = large;
    Json& list = builder.root["meshes"][0]["primitives"];
    const Json copy = primitive;
    for (int i = 0; i < 20000; ++i) list.push_back(copy);  // 2.4 GB of positions out of 2 MB
    auto scene = import_bytes(builder.glb());
    REQUIRE_FALSE(scene.ok());
    CHECK(scene.error().kind == ErrorKind::Limit);
}

TEST_CASE("A GLB that is cut off at any byte is refused", "[gltf][hostile]") {
    const Bytes whole = rich_asset().glb();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        auto scene = import_bytes(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
        INFO(length);
        REQUIRE_FALSE(scene.ok());
        REQUIRE(scene.error().where.rfind("test.glb: ", 0) == 0);
    }
}

TEST_CASE("Wrong GLB headers and chunks are refused with their byte", "[gltf][hostile]") {
    const auto error_with = [](std::size_t offset, std::uint32_t value) {
        Bytes bytes = rich_asset().glb();
        std::memcpy(bytes.data() + offset, &value, 4);
        auto scene = import_bytes(bytes);
        REQUIRE_FALSE(scene.ok());
        return scene.error();
    };
    CHECK(error_with(4, 1).kind == ErrorKind::Unsupported);
    CHECK(error_with(8, 11).where == "test.glb: byte 8");
    CHECK(error_with(8, 0xFFFFFFFF).where == "test.glb: byte 8");
    CHECK(error_with(8, 14).where == "test.glb: byte 12");
    CHECK(error_with(12, 0xFFFFFFFF).where == "test.glb: byte 12");
    CHECK(error_with(16, 0x004E4942).where == "test.glb: byte 16");
}

TEST_CASE("Text that is no JSON is refused with its place", "[gltf][hostile]") {
    for (const std::string_view text :
         {"", "   ", "{", "{\"asset\":", "[1,2", "{\"asset\":{\"version\":\"2.0\"},}", "{\"a\":NaN}",
          "{\"a\":1e999}", "{\"a\":\"\xFF\xFE\"}", "nonsense", "{} {}"}) {
        INFO(text);
        auto scene = import_bytes(bytes_of_text(text));
        REQUIRE_FALSE(scene.ok());
        CHECK(scene.error().where.rfind("test.glb: JSON byte ", 0) == 0);
        CHECK(scene.error().kind == ErrorKind::InvalidInput);
    }
    for (const std::string_view text : {"[]", "7", "\"text\"", "null"}) {
        auto scene = import_bytes(bytes_of_text(text));
        REQUIRE_FALSE(scene.ok());
        CHECK(scene.error().where == "test.glb: /");
    }
    CHECK_FALSE(import_bytes(bytes_of_text(std::string(1'000'000, '['))).ok());
    CHECK_FALSE(import_bytes(bytes_of_text(std::string(500'000, '[') + std::string(500'000, ']'))).ok());
}

namespace {

// Calls `visit` with the path of every value below `json`.
void for_each_path(const Json& json, const Json::json_pointer& path,
                   const std::function<void(const Json::json_pointer&)>& visit) {
    if (json.is_object()) {
        for (const auto& [key, value] : json.items()) for_each_path(value, path / key, visit);
    } else if (json.is_array()) {
        for (std::size_t i = 0; i < json.size(); ++i) for_each_path(json[i], path / i, visit);
    }
    if (!path.empty()) visit(path);
}

}  // namespace

TEST_CASE("Every value of an asset replaced by every hostile value is imported or refused by name",
          "[gltf][hostile]") {
    const GltfBuilder asset = rich_asset();
    const std::vector<Json> hostile = {nullptr,
                                       true,
                                       -1,
                                       0,
                                       1,
                                       2,
                                       3,
                                       200,
                                       5126,
                                       65536,
                                       2147483648U,
                                       4294967295U,
                                       9007199254740993U,
                                       18446744073709551615U,
                                       -9223372036854775807,
                                       0.5,
                                       1e308,
                                       -1e-320,
                                       "",
                                       "x",
                                       Json::array(),
                                       Json::object(),
                                       Json::array({0}),
                                       Json::array({nullptr}),
                                       Json::array({Json::object()})};
    std::size_t refused = 0, imported = 0;
    for_each_path(asset.root, Json::json_pointer(), [&](const Json::json_pointer& path) {
        for (const Json& value : hostile) {
            GltfBuilder broken = asset;
            broken.root[path] = value;
            auto scene = import_bytes(broken.glb());
            ++(scene ? imported : refused);
            if (!scene) REQUIRE(scene.error().where.rfind("test.glb: ", 0) == 0);
        }
        GltfBuilder broken = asset;
        if (path.back() != "-" && broken.root[path.parent_pointer()].is_object()) {
            broken.root[path.parent_pointer()].erase(path.back());
            static_cast<void>(import_bytes(broken.glb()));
        }
    });
    // neither everything is let in nor everything refused
    CHECK(refused > 1000);
    CHECK(imported > 100);
}

TEST_CASE("Every byte of a GLB changed is imported or refused", "[gltf][hostile]") {
    const Bytes whole = rich_asset().glb();
    std::size_t refused = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (const unsigned flip : {0x01U, 0x80U}) {
            Bytes changed = whole;
            changed[i] ^= static_cast<std::byte>(flip);
            refused += import_bytes(changed).ok() ? 0U : 1U;
        }
    }
    CHECK(refused > 500);
}

TEST_CASE("The fuzzing corpus, and each of its bytes changed, keeps the promises of a scene",
          "[gltf][hostile]") {
    std::size_t files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(sinter::test::repository("tests/fuzz/corpus/gltf"))) {
        INFO(entry.path().string());
        ++files;
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const Bytes seed = bytes_of_text(text);
        fuzz_gltf(seed);
        for (std::size_t i = 0; i < seed.size(); ++i) {
            Bytes changed = seed;
            changed[i] ^= static_cast<std::byte>(1U << (i % 8));
            fuzz_gltf(changed);  // aborts where a promise is broken
        }
    }
    CHECK(files >= 6);
}

}  // namespace sinter::test
