// The glTF files of the corpus against index.json, whose facts come from the files' own JSON and buffers.
#include "tests/support/gltf_builder.hpp"

#include "cooker/import/check.hpp"
#include "tests/paths.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

namespace sinter::test {
namespace {

using Catch::Matchers::WithinAbs;

const std::filesystem::path kCorpus = sinter::test::corpus_folder();

Json corpus_index() {
    std::ifstream file(kCorpus / "index.json");
    if (!file) SKIP("the corpus is not there (" + kCorpus.string() + "): its files were not tried");
    return Json::parse(file);
}

Result<Scene> import_corpus(const std::string& name, Issues& issues) {
    SourceFiles files{kCorpus / name};
    auto bytes = files.read_asset();
    if (!bytes) return std::move(bytes).error();
    return import_gltf(files, std::move(*bytes), issues);
}

Scene import_corpus_ok(const std::string& name) {
    if (!std::filesystem::exists(kCorpus))
        SKIP("the corpus is not there (" + kCorpus.string() + "): " + name);
    Issues issues;
    auto scene = import_corpus(name, issues);
    if (!scene) FAIL(scene.error().line());
    return std::move(*scene);
}

bool is_gltf(const std::string& name) {
    const std::string extension = std::filesystem::path(name).extension().string();
    return extension == ".gltf" || extension == ".glb";
}

template <typename T>
T sum_over(const std::vector<Mesh>& meshes, T Mesh::* field) {
    T sum = 0;
    for (const Mesh& mesh : meshes) sum += mesh.*field;
    return sum;
}

std::set<std::int32_t> joints_of(const Scene& scene) {
    std::set<std::int32_t> joints;
    for (const Skin& skin : scene.skins) joints.insert(skin.joints.begin(), skin.joints.end());
    return joints;
}

// The world transform of a node, down from its root.
Mat3x4 world_from_node(const Scene& scene, std::int32_t node) {
    Mat3x4 out;
    for (std::int32_t at = node; at != kNone; at = scene.nodes[static_cast<std::size_t>(at)].parent) {
        const Node& n = scene.nodes[static_cast<std::size_t>(at)];
        out = n.local_matrix.value_or(matrix_of(n.local)) * out;
    }
    return out;
}

struct Box {
    Float3 min{1e30F, 1e30F, 1e30F}, max{-1e30F, -1e30F, -1e30F};
    void add(Float3 p) {
        min = {std::min(min.x, p.x), std::min(min.y, p.y), std::min(min.z, p.z)};
        max = {std::max(max.x, p.x), std::max(max.y, p.y), std::max(max.z, p.z)};
    }
};

// Bounds of the skinned rest pose: what is seen, whatever space the mesh is stored in.
Box skinned_bounds(const Scene& scene) {
    Box box;
    for (const Node& node : scene.nodes) {
        if (node.mesh == kNone || node.skin == kNone) continue;
        const Skin& skin = scene.skins[static_cast<std::size_t>(node.skin)];
        for (const Primitive& primitive : scene.meshes[static_cast<std::size_t>(node.mesh)].primitives) {
            for (std::size_t v = 0; v < primitive.vertex_count(); ++v) {
                Float3 sum;
                for (std::size_t k = primitive.influence_offsets[v]; k < primitive.influence_offsets[v + 1];
                     ++k) {
                    const Influence& influence = primitive.influences[k];
                    const Mat3x4 m = world_from_node(scene, skin.joints[influence.joint]) *
                                     skin.bone_from_mesh[influence.joint];
                    sum = sum + transform_point(m, primitive.positions[v]) * influence.weight;
                }
                box.add(sum);
            }
        }
    }
    return box;
}

void check_morphs(const Scene& scene, const Json& expected) {
    std::size_t sum = 0, named = 0;
    for (const Mesh& mesh : scene.meshes) {
        sum += mesh.shapes.size();
        for (const BlendShape& shape : mesh.shapes) named += shape.name.empty() ? 0U : 1U;
    }
    CHECK(sum == expected["morph_targets_sum_over_meshes"].get<std::size_t>());
    CHECK(named == expected["morph_names"].get<std::size_t>());
}

void check_clips(const Scene& scene, const Json& expected) {
    const Json& list = expected["clip_list"];
    REQUIRE(scene.clips.size() == list.size());
    for (std::size_t c = 0; c < list.size(); ++c) {
        INFO("clip " << c);
        const Json& name = list[c]["name"];
        CHECK(scene.clips[c].name == (name.is_string() ? name.get<std::string>() : std::string()));
        CHECK(scene.clips[c].channels.size() == list[c]["channels"].get<std::size_t>());
        CHECK_THAT(scene.clips[c].start_s, WithinAbs(list[c]["start_s"].get<double>(), 0.001));
        CHECK_THAT(scene.clips[c].end_s, WithinAbs(list[c]["end_s"].get<double>(), 0.001));
    }
}

std::size_t max_influences(const Scene& scene) {
    std::size_t most = 0;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) {
            for (std::size_t v = 0; v + 1 < p.influence_offsets.size(); ++v) {
                most = std::max<std::size_t>(most, p.influence_offsets[v + 1] - p.influence_offsets[v]);
            }
        }
    }
    return most;
}

void check_bounds(const Scene& scene, const Json& expected) {
    if (!expected["bbox"].is_array()) return;
    Box box;
    for (const Mesh& mesh : scene.meshes) {
        for (const Primitive& p : mesh.primitives) {
            for (const Float3& position : p.positions) box.add(position);
        }
    }
    const float low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
    for (std::size_t c = 0; c < 3; ++c) {
        // index.json has six decimals
        CHECK_THAT(static_cast<double>(low[c]), WithinAbs(expected["bbox"][0][c].get<double>(), 1e-6));
        CHECK_THAT(static_cast<double>(high[c]), WithinAbs(expected["bbox"][1][c].get<double>(), 1e-6));
    }
}

}  // namespace

TEST_CASE("Every valid glTF file of the corpus has the facts of index.json", "[gltf][corpus][B12][B17]") {
    std::size_t tried = 0;
    const Json index = corpus_index();
    for (const Json& file : index["files"]) {
        const std::string name = file["file"];
        if (!is_gltf(name) || file["class"] != "valid") continue;
        INFO(name);
        ++tried;
        const Json& expected = file["expected"];
        Issues issues;
        auto imported = import_corpus(name, issues);
        if (!imported) FAIL(imported.error().line());
        const Scene& scene = *imported;
        CHECK(scene.source.format == expected["format"].get<std::string>());
        CHECK(scene.meshes.size() == expected["meshes"].get<std::size_t>());
        CHECK(sum_over(scene.meshes, &Mesh::source_triangles) == expected["triangles"].get<std::uint64_t>());
        CHECK(sum_over(scene.meshes, &Mesh::source_vertices) == expected["vertices"].get<std::uint64_t>());
        CHECK(scene.nodes.size() == expected["nodes"].get<std::size_t>());
        CHECK(scene.materials.size() == expected["materials"].get<std::size_t>());
        CHECK(scene.skins.size() == expected["skins"].get<std::size_t>());
        CHECK(joints_of(scene).size() == expected["bones"].get<std::size_t>());
        const Json& joints = expected["joints_per_skin"];
        for (std::size_t s = 0; s < scene.skins.size(); ++s)
            CHECK(scene.skins[s].joints.size() == joints[s].get<std::size_t>());
        if (expected["unreadable"].is_null())
            CHECK(max_influences(scene) == expected["max_influences"].get<std::size_t>());
        check_morphs(scene, expected);
        check_clips(scene, expected);
        check_bounds(scene, expected);
    }
    CHECK(tried == 35);
}

TEST_CASE("Every malformed glTF file of the corpus is refused, or left to a check that repairs it",
          "[gltf][corpus][B48]") {
    std::size_t tried = 0;
    const Json index = corpus_index();
    for (const Json& file : index["files"]) {
        const std::string name = file["file"];
        if (!is_gltf(name) || file["class"] != "malformed") continue;
        INFO(name);
        ++tried;
        Issues issues;
        auto scene = import_corpus(name, issues);
        const bool may_repair =
            file["expected_action"].get<std::string>().find("repair") != std::string::npos;
        if (scene) {
            REQUIRE(may_repair);
            auto checked = check_scene(std::move(*scene), issues);
            if (checked) CHECK(issues.has_warnings());
            continue;
        }
        CHECK(scene.error().kind == ErrorKind::InvalidInput);
        CHECK(scene.error().where.rfind(std::filesystem::path(name).filename().string() + ": ", 0) == 0);
    }
    CHECK(tried == 7);
}

TEST_CASE("B01: bytes as normalised weights are read as fractions", "[gltf][corpus][B01]") {
    const Scene scene = import_corpus_ok("tricky/weights_u8_normalised.gltf");
    const Primitive& primitive = scene.meshes.at(0).primitives.at(0);
    REQUIRE(primitive.vertex_count() == 6);
    for (std::size_t v = 0; v < 6; ++v) {
        REQUIRE(primitive.influence_offsets[v + 1] - primitive.influence_offsets[v] == 1);
        CHECK(primitive.influences[primitive.influence_offsets[v]].weight == 1.0F);
    }
    const Scene mirrored = import_corpus_ok("morph/synth_morph_skin_mirror.glb");
    const Primitive& second = mirrored.meshes.at(0).primitives.at(0);
    REQUIRE(second.vertex_count() == 576);
    for (std::size_t v = 0; v < 576; ++v) {
        double sum = 0;
        for (std::size_t k = second.influence_offsets[v]; k < second.influence_offsets[v + 1]; ++k) {
            sum += static_cast<double>(second.influences[k].weight);
        }
        REQUIRE_THAT(sum, WithinAbs(1.0, 1.0 / 255));
    }
}

TEST_CASE("B02: the quantised, the meshopt and the Draco fox are the fox", "[gltf][corpus][B02]") {
    const Box fox = skinned_bounds(import_corpus_ok("skinned/Fox.glb"));
    for (const char* name :
         {"tricky/fox_gltfpack_quant.glb", "tricky/fox_gltfpack_meshopt.glb", "tricky/fox_draco.glb"}) {
        INFO(name);
        const Scene scene = import_corpus_ok(name);
        const Box box = skinned_bounds(scene);
        const auto same = [](float a, float b, float extent) {
            CHECK_THAT(static_cast<double>(a),
                       WithinAbs(static_cast<double>(b), 0.001 * static_cast<double>(extent)));
        };
        same(box.min.x, fox.min.x, fox.max.x - fox.min.x);
        same(box.max.x, fox.max.x, fox.max.x - fox.min.x);
        same(box.min.y, fox.min.y, fox.max.y - fox.min.y);
        same(box.max.y, fox.max.y, fox.max.y - fox.min.y);
        same(box.min.z, fox.min.z, fox.max.z - fox.min.z);
        same(box.max.z, fox.max.z, fox.max.z - fox.min.z);
        CHECK(scene.clips.size() == 3);
        for (const Clip& clip : scene.clips) {
            for (const Channel& channel : clip.channels) {
                if (channel.path != TrackPath::Rotation) continue;
                for (std::size_t k = 0; k < channel.values.size(); k += 4) {
                    double sum = 0;
                    for (std::size_t c = 0; c < 4; ++c) {
                        sum += static_cast<double>(channel.values[k + c]) *
                               static_cast<double>(channel.values[k + c]);
                    }
                    REQUIRE_THAT(std::sqrt(sum),
                                 WithinAbs(1.0, 1e-4));  // 16-bit components miss 1 by 4 / 65534
                }
            }
        }
    }
}

TEST_CASE("B03: a skin without inverse bind matrices has identities", "[gltf][corpus][B03]") {
    const Scene scene = import_corpus_ok("tricky/skin_no_ibm.gltf");
    REQUIRE(scene.skins.at(0).joints.size() == 2);
    for (const Mat3x4& matrix : scene.skins[0].bone_from_mesh) CHECK(matrix == Mat3x4{});
    CHECK(scene.meshes.at(0).source_triangles == 4);
}

TEST_CASE("gltfpack's quantised texture coordinates span what those of the asset that it packed do",
          "[gltf][corpus]") {
    const auto range_of = [](const std::string& name) {
        std::array<float, 4> range = {1e30F, 1e30F, -1e30F, -1e30F};
        const Scene scene = import_corpus_ok(name);
        for (const Float2& uv : scene.meshes.at(0).primitives.at(0).uv_sets.at(0)) {
            range = {std::min(range[0], uv.x), std::min(range[1], uv.y), std::max(range[2], uv.x),
                     std::max(range[3], uv.y)};
        }
        return range;
    };
    const auto source = range_of("skinned/Fox.glb");
    for (const std::string name : {"tricky/fox_gltfpack_quant.glb", "tricky/fox_gltfpack_meshopt.glb"}) {
        const auto packed = range_of(name);
        INFO(name);
        // The transform starts at the smallest value and ends at the largest one, up to rounding of floats near 1.
        for (std::size_t i = 0; i < 4; ++i)
            CHECK_THAT(static_cast<double>(packed[i]), WithinAbs(static_cast<double>(source[i]), 1e-6));
    }
}

TEST_CASE("B04: joints of the same name stay apart", "[gltf][corpus][B04]") {
    const Scene scene = import_corpus_ok("skinned/synth_dup_joint_names.glb");
    CHECK(joints_of(scene).size() == 4);
    REQUIRE(scene.clips.size() == 1);
    const std::set<std::int32_t> second(scene.skins.at(1).joints.begin(), scene.skins.at(1).joints.end());
    for (const Channel& channel : scene.clips[0].channels) CHECK(second.contains(channel.node));
}

TEST_CASE("B10: bones that move no vertex keep their place and bind pose", "[gltf][corpus][B10]") {
    const Scene scene = import_corpus_ok("skinned/George_mech.glb");
    const Skin& skin = scene.skins.at(0);
    REQUIRE(skin.joints.size() == 47);
    REQUIRE(skin.bone_from_mesh.size() == 47);
    // Where a bone moves nothing, its matrices must still be there and invertible.
    for (const Mat3x4& matrix : skin.bone_from_mesh) CHECK(std::abs(determinant3(matrix)) > 1e-12F);
}

TEST_CASE("B12: eight influences on every vertex of the centipede", "[gltf][corpus][B12]") {
    const Scene scene = import_corpus_ok("skinned/synth_centipede_8inf.glb");
    const Primitive& primitive = scene.meshes.at(0).primitives.at(0);
    REQUIRE(primitive.vertex_count() == 17325);
    for (std::size_t v = 0; v < primitive.vertex_count(); ++v) {
        REQUIRE(primitive.influence_offsets[v + 1] - primitive.influence_offsets[v] == 8);
    }
}

TEST_CASE("B14: the nine interpolations of InterpolationTest are kept", "[gltf][corpus][B14]") {
    const Scene scene = import_corpus_ok("tricky/InterpolationTest.gltf");
    std::vector<std::pair<std::string, Interpolation>> got;
    for (const Clip& clip : scene.clips) got.emplace_back(clip.name, clip.channels.at(0).interpolation);
    using I = Interpolation;
    // As the file's samplers say, which is not what the second clip's name says.
    const std::vector<std::pair<std::string, Interpolation>> wanted = {
        {"Step Scale", I::Step},
        {"Linear Scale", I::CubicSpline},
        {"CubicSpline Scale", I::CubicSpline},
        {"Step Rotation", I::Step},
        {"CubicSpline Rotation", I::CubicSpline},
        {"Linear Rotation", I::Linear},
        {"Step Translation", I::Step},
        {"CubicSpline Translation", I::CubicSpline},
        {"Linear Translation", I::Linear}};
    CHECK(got == wanted);
}

}  // namespace sinter::test
