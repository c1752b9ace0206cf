// The public assets of the corpus against the facts of its index, which never come from Assimp.
#include "cooker/import/check.hpp"
#include "cooker/import/gltf/gltf.hpp"
#include "import_text.hpp"
#include "pose_scene.hpp"
#include "tests/paths.hpp"

#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <nlohmann/json.hpp>

#include <set>

using namespace sinter;
using namespace sinter::test;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

const std::filesystem::path kCorpus = sinter::test::corpus_folder();

void need_corpus() {
    if (!std::filesystem::exists(kCorpus / "index.json"))
        SKIP("the corpus is not there: " << kCorpus.string());
}

Scene import_file(const std::filesystem::path& path, Issues& issues) {
    SourceFiles files(path);
    Result<std::vector<std::byte>> bytes = files.read_asset();
    REQUIRE(bytes.ok());
    Result<Scene> scene =
        import_assimp(files, *std::move(bytes), path.extension().string().substr(1), ImportOptions{}, issues);
    if (!scene) FAIL(scene.error().line());
    return *std::move(scene);
}

Scene import_file(std::string_view relative) {
    Issues issues;
    return import_file(kCorpus / relative, issues);
}

nlohmann::json index_of(const std::filesystem::path& corpus) {
    std::ifstream file(corpus / "index.json");
    return nlohmann::json::parse(file);
}

struct Facts {
    std::uint64_t triangles = 0, source_vertices = 0, shapes = 0, most_shapes = 0;
    std::size_t most_influences = 0;
    std::set<std::int32_t> bones, weighted_bones;
    // Source vertices whose weights miss 1 by more than 0.01 (the index's threshold), told apart by mesh and place.
    std::set<std::array<float, 4>> off_sums;
};

Facts facts_of(const Scene& scene) {
    Facts facts;
    for (const Mesh& mesh : scene.meshes) {
        facts.triangles += mesh.source_triangles;
        facts.source_vertices += mesh.source_vertices;
        facts.shapes += mesh.shapes.size();
        facts.most_shapes = std::max<std::uint64_t>(facts.most_shapes, mesh.shapes.size());
    }
    for (const Skin& skin : scene.skins) facts.bones.insert(skin.joints.begin(), skin.joints.end());
    for (const Node& node : scene.nodes) {
        if (node.mesh < 0 || node.skin < 0) continue;
        const Skin& skin = scene.skins[static_cast<std::size_t>(node.skin)];
        for (const Primitive& primitive : scene.meshes[static_cast<std::size_t>(node.mesh)].primitives) {
            for (std::size_t v = 0; v < primitive.vertex_count(); ++v) {
                std::size_t count = 0;
                double sum = 0;
                for (auto i = primitive.influence_offsets[v]; i < primitive.influence_offsets[v + 1]; ++i) {
                    if (primitive.influences[i].weight == 0) continue;
                    ++count;
                    sum += static_cast<double>(primitive.influences[i].weight);
                    facts.weighted_bones.insert(skin.joints[primitive.influences[i].joint]);
                }
                facts.most_influences = std::max(facts.most_influences, count);
                const Float3 p = primitive.positions[v];
                if (count != 0 && std::abs(sum - 1) > 0.01) {
                    facts.off_sums.insert({static_cast<float>(node.mesh), p.x, p.y, p.z});
                }
            }
        }
    }
    return facts;
}

void check_file(const nlohmann::json& entry) {
    const auto& expected = entry["expected"];
    Issues issues;
    const Scene scene = import_file(kCorpus / entry["file"].get<std::string>(), issues);
    const Facts facts = facts_of(scene);
    CHECK(facts.triangles == expected["triangles"].get<std::uint64_t>());
    CHECK(issues.count_of(IssueCode::IgnoredContent) == 0);
    const auto equals = [&](const char* key, std::uint64_t value) {
        if (!expected.contains(key)) return;
        CAPTURE(key);
        CHECK(value == expected[key].get<std::uint64_t>());
    };
    equals("meshes", scene.meshes.size());
    equals("positions", facts.source_vertices);
    equals("vertices", facts.source_vertices);
    equals("vertices_unwelded", facts.source_vertices);
    equals("control_points", facts.source_vertices);
    equals("bones", facts.bones.size());
    equals("bones_with_weights", facts.weighted_bones.size());
    equals("max_influences", facts.most_influences);
    // COLLADA positions may coincide, which hides one of two from a count by place.
    if (expected["format"] == "fbx") equals("weight_sum_off", facts.off_sums.size());
    equals("morph_channels", facts.shapes);
    equals("morph_max", facts.most_shapes);
    if (expected.contains("clips")) equals("clips", scene.clips.size());
    // What comes out passes the checks that every scene passes.
    Issues check_issues;
    const Result<Scene> checked = check_scene(scene, check_issues);
    if (!checked) FAIL_CHECK(checked.error().line());
    if (!expected.contains("clip_list")) return;
    REQUIRE(scene.clips.size() == expected["clip_list"].size());
    for (std::size_t i = 0; i < scene.clips.size(); ++i) {
        const auto& clip = expected["clip_list"][i];
        CHECK(scene.clips[i].name == clip["name"].get<std::string>());
        const double frame = 1.0 / expected["fps"].get<double>();
        // The index stores six digits; one frame is what an FBX clip may be off by.
        CHECK(std::abs(scene.clips[i].start_s - clip["begin"].get<double>()) < frame);
        CHECK(std::abs(scene.clips[i].end_s - scene.clips[i].start_s -
                       (clip["end"].get<double>() - clip["begin"].get<double>())) < frame);
        CHECK_THAT(scene.clips[i].source_rate_hz, WithinRel(expected["fps"].get<double>(), 1e-6));
    }
}

void check_format(std::string_view extension) {
    need_corpus();
    std::size_t files = 0;
    const nlohmann::json index = index_of(kCorpus);
    for (const auto& entry : index["files"]) {
        const auto file = entry["file"].get<std::string>();
        if (entry["class"] != "valid" || !file.ends_with(extension)) continue;
        CAPTURE(file);
        check_file(entry);
        ++files;
    }
    CHECK(files > 0);
}

}  // namespace

TEST_CASE("corpus FBX files have the triangles, bones, clips, shapes and control points of the index") {
    check_format(".fbx");
}
TEST_CASE("corpus COLLADA files have the facts of the index") { check_format(".dae"); }
TEST_CASE("corpus OBJ files have the facts of the index") { check_format(".obj"); }
TEST_CASE("corpus PLY files have the facts of the index") { check_format(".ply"); }
TEST_CASE("corpus STL files have the facts of the index") { check_format(".stl"); }

TEST_CASE("bones that the file lists without weights are kept (barbarian: 19 clusters, 17 with weights)") {
    need_corpus();
    // A separate script found 38 Cluster objects in the file, driven by 19 different Models.
    CHECK(facts_of(import_file("fbx/blender293_barbarian.fbx")).bones.size() == 19);
}

TEST_CASE("B07 and B08: all 14 influences and the unnormalised sums of the stegosaurus survive import") {
    need_corpus();
    const Scene scene = import_file("fbx/Stegosaurus_blender279.fbx");
    CHECK(facts_of(scene).off_sums.size() == 669);
    CHECK(facts_of(scene).most_influences == 14);
}

TEST_CASE("B30: blend shapes hang on their own meshes, in-betweens on their channel") {
    need_corpus();
    const Scene barbarian = import_file("fbx/blender293_barbarian.fbx");
    std::vector<std::string> owners;
    for (const Mesh& mesh : barbarian.meshes) {
        for (const BlendShape& shape : mesh.shapes) owners.push_back(mesh.name + "/" + shape.name);
    }
    CHECK(owners == std::vector<std::string>{"Sphere/Left", "Sphere/Right", "Cube/Mouth"});
    const Scene between = import_file("fbx/maya_blend_inbetween.fbx");
    REQUIRE(between.meshes.size() == 1);
    REQUIRE(between.meshes[0].shapes.size() == 2);
    // FullWeights of the file: 50, 100 and -49.9, -24.9, 100 per cent.
    CHECK(between.meshes[0].shapes[0].frame_weights == std::vector<float>{0.5F, 1.0F});
    CHECK(between.meshes[0].shapes[1].frame_weights == std::vector<float>{-0.499F, -0.249F, 1.0F});
    CHECK(between.meshes[0].primitives[0].shape_frames.size() == 5);
    // Keys -100 to 200 and 200 to -100 per cent over the clip, one channel with both weights.
    REQUIRE(between.clips.size() == 1);
    REQUIRE(between.clips[0].channels.size() == 1);
    const Channel& weights = between.clips[0].channels[0];
    CHECK(weights.components == 2);
    CHECK(sample(weights, 0)[0] == -1);
    CHECK(sample(weights, 0)[1] == 2);
    CHECK(sample(weights, 5)[0] == 2);
    CHECK(sample(weights, 5)[1] == -1);
}

TEST_CASE("B49: mesh, skeleton and clips of an FBX in centimetres are all in metres") {
    need_corpus();
    const Scene scene = import_file("fbx/hand_fbxsdk2020.fbx");
    const Box box = world_bounds(scene);
    // A man with his arms out: about 1.83 m high.
    CHECK_THAT(box.high.y - box.low.y, WithinAbs(1.83, 0.01));
    // The bones lie inside the man, at rest and in every key.
    for (const Clip& clip : scene.clips) {
        for (const double time : {clip.start_s, clip.end_s}) {
            const Scene at = posed(scene, clip, time);
            for (const std::int32_t joint : scene.skins.at(0).joints) {
                const Vec p = place(world_of(at, joint), {});
                CHECK(p.y > -0.1);
                CHECK(p.y < 1.9);
                CHECK(std::abs(p.x) < 1.0);
            }
        }
    }
    // Bind matrices are in metres too: a joint's bind position is where the mesh is.
    for (const Mat3x4& m : scene.skins[0].bone_from_mesh) CHECK(std::abs(m.at(0, 3)) < 2.0F);
}

TEST_CASE("B50: a COLLADA file with +Z up stands upright") {
    need_corpus();
    const Scene scene = import_file("dae/CesiumMan.dae");
    const Box box = world_bounds(scene);
    CHECK_THAT(box.high.y - box.low.y, WithinAbs(1.5, 0.02));
    CHECK(box.low.y > -0.01);
    // The mesh itself too, not only its node.
    Box mesh;
    for (const Float3& p : scene.meshes.at(0).primitives.at(0).positions) mesh.add(vec(p));
    CHECK_THAT(mesh.high.y - mesh.low.y, WithinAbs(1.5, 0.02));
    CHECK(facts_of(scene).most_influences == 8);
}

TEST_CASE("B50: pivots and mirrored nodes end up where a separate reading of the file puts them") {
    need_corpus();
    const Scene scene = import_file("fbx/mirror_and_pivot.fbx");
    // Bounds in metres of each node's mesh, from a script that multiplied the ten matrices of every Model as the
    // FBX SDK's documentation of transformations gives them, in double precision, over the text of the file.
    const std::array<std::array<double, 6>, 4> expected{
        {{-0.0604023898, -0.0400171119, -0.0604375958, 0.0395976102, 0.0599828881, 0.0395624042},
         {0.0436215079, 0.0598117691, 0.0439383626, 0.1436215079, 0.1598117691, 0.1439383626},
         {-0.0606711769, -0.0400171119, 0.0439023495, 0.0393288231, 0.0599828881, 0.1439023495},
         {0.0380490122, -0.1451497015, 0.1566660486, 0.1486564293, -0.0345422844, 0.2672734656}}};
    REQUIRE(scene.nodes.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CAPTURE(i, scene.nodes[i].name);
        Box box;
        const Matrix world = world_of(scene, static_cast<std::int32_t>(i));
        for (const Float3& p :
             scene.meshes[static_cast<std::size_t>(scene.nodes[i].mesh)].primitives[0].positions) {
            box.add(place(world, vec(p)));
        }
        const std::array<double, 6> got{box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z};
        // Floats of this size are good to 1e-8; pivots cancel a few bits more.
        for (std::size_t k = 0; k < 6; ++k) CHECK_THAT(got[k], WithinAbs(expected[i][k], 2e-7));
    }
    // "Cube2" is mirrored in Y, and keeps that.
    CHECK(scene.nodes[0].local.scale == Float3{0.1F, -0.1F, 0.1F});
}

TEST_CASE("segment scale compensation: the slime's joints lie on the controls that they were snapped to") {
    need_corpus();
    const Scene scene = import_file("fbx/maya_slime_7500_ascii.fbx");
    // The rig constrains each joint to a control curve; both are in the file with their own transforms.
    for (const std::string_view part : {"bottom", "middle", "top"}) {
        const std::int32_t joint = node_named(scene, "Slime_002:bnd_" + std::string(part));
        const std::int32_t control = node_named(scene, "Slime_002:Ctrl_" + std::string(part));
        REQUIRE(joint >= 0);
        REQUIRE(control >= 0);
        const Matrix a = world_of(scene, joint);
        const Matrix b = world_of(scene, control);
        for (std::size_t r = 0; r < 3; ++r) {
            // The file holds 15 digits, the scene floats: positions of about 1 m, matrices of about 1.
            for (std::size_t c = 0; c < 4; ++c) CHECK_THAT(a[r][c], WithinAbs(b[r][c], 1e-6));
        }
    }
}

TEST_CASE("B11: CesiumMan from COLLADA and from GLB has the same bounds in the middle of its walk") {
    need_corpus();
    const Scene dae = import_file("dae/CesiumMan.dae");
    SourceFiles files(kCorpus / "skinned/CesiumMan.glb");
    Issues issues;
    Result<Scene> glb = import_gltf(files, *files.read_asset(), issues);
    REQUIRE(glb.ok());
    const Box a = world_bounds(posed(dae, dae.clips.at(0), 1.0));
    const Box b = world_bounds(posed(*glb, glb->clips.at(0), 1.0));
    // The glTF twin was cut to four influences: 1 % of the height is what that may move.
    const double allowed = 0.01 * (b.high.y - b.low.y);
    CHECK(distance(a.low, b.low) < allowed);
    CHECK(distance(a.high, b.high) < allowed);
}

TEST_CASE("malformed corpus files of these formats are refused with file, place and cause") {
    need_corpus();
    SourceFiles deep(kCorpus / "broken/synthetic_id_collision_7500_ascii.fbx");
    Issues issues;
    const Result<Scene> fbx = import_assimp(deep, *deep.read_asset(), "fbx", {}, issues);
    REQUIRE_FALSE(fbx.ok());
    CHECK(fbx.error().kind == ErrorKind::InvalidInput);
    CHECK(fbx.error().where.starts_with("synthetic_id_collision_7500_ascii.fbx"));
    SourceFiles x(kCorpus / "broken/malformed_skinweights_oob.x");
    const Result<Scene> directx = import_assimp(x, *x.read_asset(), "x", {}, issues);
    REQUIRE_FALSE(directx.ok());
    CHECK(directx.error().kind == ErrorKind::Unsupported);
}

TEST_CASE("a COLLADA file that Assimp 5.2 refuses is read, with its two declared clips") {
    need_corpus();
    const Scene scene = import_file("dae/library_animation_clips.dae");
    REQUIRE(scene.clips.size() == 2);
    CHECK(scene.clips[0].name == "bend");
    CHECK(scene.clips[1].name == "turn");
    // Last input minus first input of the samplers in the file.
    CHECK_THAT(scene.clips[0].end_s - scene.clips[0].start_s, WithinAbs(0.5833333333, 1e-6));
    CHECK_THAT(scene.clips[1].end_s - scene.clips[1].start_s, WithinAbs(0.8333333333, 1e-6));
    CHECK(facts_of(scene).bones.size() == 5);
}
