// Bug reports that must not be ours, over the whole cook: corpus file -> package bytes -> what a reader of the package
// sees, evaluated by the tests' own code.
#include "cooker/cook.hpp"
#include "cooker/package/assemble.hpp"

#include "tests/animation/curves.hpp"
#include "tests/import/assimp/pose_scene.hpp"
#include "tests/support/corpus_scene.hpp"
#include "tests/support/gltf_builder.hpp"

#include <sinter/formats/codecs.hpp>
#include <sinter/formats/mesh_arrays.hpp>
#include <sinter/formats/reader.hpp>
#include <sinter/formats/verify.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace sinter {
namespace {

using test::Matrix;
using test::Vec;

std::vector<std::byte> cooked(const std::filesystem::path& file) {
    SourceFiles files(file);
    Issues issues;
    const Result<CookedAsset> asset = cook_asset(files, {}, issues);
    INFO(file << (asset.ok() ? std::string() : ": " + asset.error().line()));
    REQUIRE(asset.ok());
    Result<std::vector<std::byte>> bytes = assemble_package(*asset);
    REQUIRE(bytes.ok());
    CHECK(verify_package(*bytes).ok());
    return std::move(bytes).value();
}

template <typename Record>
std::vector<Record> records(const PackageView& view, SectionType type, std::uint64_t id) {
    const auto raw = view.decode(type, id);
    REQUIRE(raw.ok());
    std::vector<Record> out(raw->size() / sizeof(Record));
    std::memcpy(out.data(), raw->data(), raw->size());
    return out;
}

void read_influences(const PackageView& view, std::uint64_t mesh, const manifest::InfluencesT& info,
                     Primitive& out) {
    REQUIRE(info.weight_bits == 16);
    const auto codes = records<std::uint16_t>(view, SectionType::MeshInfluences, mesh);
    out.influence_offsets.push_back(0);
    for (std::size_t first = 0; first < codes.size(); first += std::size_t{info.stride} * 2) {
        for (std::size_t slot = 0; slot < info.stride; ++slot) {
            const std::uint16_t weight = codes[first + info.stride + slot];
            if (weight != 0)
                out.influences.push_back({codes[first + slot], static_cast<float>(weight) / 65535.0F});
        }
        out.influence_offsets.push_back(static_cast<std::uint32_t>(out.influences.size()));
    }
}

Mesh read_mesh(const PackageView& view, std::uint64_t id, const manifest::MeshT& info) {
    REQUIRE(info.grid->bits == 16);
    Mesh mesh;
    mesh.name = info.name;
    Primitive& primitive = mesh.primitives.emplace_back();
    const auto& center = *info.grid->center;
    const auto manifest = view.read_manifest();
    REQUIRE(manifest.ok());
    const auto arrays = read_mesh_arrays(view, **manifest, static_cast<std::uint32_t>(id));
    REQUIRE(arrays.ok());
    for (const auto& p : arrays->grid_positions) {
        const auto at = grid_decode({center.x(), center.y(), center.z()}, info.grid->step, p);
        primitive.positions.push_back({at[0], at[1], at[2]});
    }
    if (info.influences) read_influences(view, id, *info.influences, primitive);
    return mesh;
}

Clip read_clip(const PackageView& view, std::uint64_t id, const manifest::ClipT& info) {
    const auto samples = records<float>(view, SectionType::ClipSamples, id);
    Clip clip;
    clip.name = info.name;
    clip.start_s = info.start_s;
    clip.end_s = info.start_s + info.duration_s;
    for (const auto& track : info.tracks) {
        Channel& channel = clip.channels.emplace_back();
        channel.node = track->node;
        channel.path = static_cast<TrackPath>(track->path);
        channel.interpolation = track->step ? Interpolation::Step : Interpolation::Linear;
        channel.components = track->components;
        const std::uint32_t frames = track->constant ? 1 : info.frame_count;
        for (std::uint32_t k = 0; k < frames; ++k) {
            const double time =
                k > 0 && k + 1 == frames ? clip.end_s : clip.start_s + k / info.sample_rate_hz;
            channel.times.push_back(static_cast<float>(time));
        }
        const auto first = samples.begin() + static_cast<std::ptrdiff_t>(track->first_value);
        channel.values.assign(first,
                              first + static_cast<std::ptrdiff_t>(std::size_t{frames} * channel.components));
    }
    return clip;
}

Node read_node(const manifest::NodeT& info) {
    REQUIRE(info.matrix.empty());
    Node node;
    node.name = info.name;
    node.parent = info.parent;
    node.mesh = info.mesh;
    node.skin = info.skin;
    node.local = {{info.translation->x(), info.translation->y(), info.translation->z()},
                  {info.rotation->x(), info.rotation->y(), info.rotation->z(), info.rotation->w()},
                  {info.scale->x(), info.scale->y(), info.scale->z()}};
    return node;
}

// What a package says of motion, by docs/package-format.md, in the struct that the tests' evaluator poses.
Scene read_package(std::span<const std::byte> bytes) {
    const auto view = PackageView::open(bytes);
    REQUIRE(view.ok());
    const auto opened = view->read_manifest();
    REQUIRE(opened.ok());
    const manifest::ManifestT& manifest = **opened;
    Scene scene;
    for (const auto& node : manifest.nodes) scene.nodes.push_back(read_node(*node));
    for (std::size_t i = 0; i < manifest.meshes.size(); ++i)
        scene.meshes.push_back(read_mesh(*view, i, *manifest.meshes[i]));
    for (std::size_t i = 0; i < manifest.clips.size(); ++i)
        scene.clips.push_back(read_clip(*view, i, *manifest.clips[i]));
    for (std::size_t i = 0; i < manifest.skins.size(); ++i) {
        Skin& skin = scene.skins.emplace_back();
        const auto& bones = manifest.skeletons.at(manifest.skins[i]->skeleton)->bones;
        for (const std::uint32_t bone : manifest.skins[i]->bone_of_joint)
            skin.joints.push_back(bones.at(bone)->node);
        skin.bone_from_mesh = records<Mat3x4>(*view, SectionType::SkinInverseBinds, i);
    }
    return scene;
}

// World positions of all vertices of a mesh under the first node that shows it, in a clip at a time.
std::vector<Vec> vertices_at(const Scene& scene, std::size_t mesh, const Clip& clip, double time) {
    const Scene now = test::posed(scene, clip, time);
    for (std::size_t n = 0; n < now.nodes.size(); ++n) {
        const Node& node = now.nodes[n];
        if (node.mesh != static_cast<std::int32_t>(mesh)) continue;
        const Matrix world = test::world_of(now, static_cast<std::int32_t>(n));
        const auto palette = test::palette_of(now, now.skins.at(static_cast<std::size_t>(node.skin)));
        const Primitive& primitive = now.meshes[mesh].primitives[0];
        std::vector<Vec> out;
        for (std::size_t v = 0; v < primitive.vertex_count(); ++v)
            out.push_back(test::world_vertex(now, node, world, palette, primitive, v));
        return out;
    }
    FAIL("no node shows mesh " << mesh);
    return {};
}

std::size_t mesh_named(const Scene& scene, std::string_view name) {
    const auto found = std::ranges::find(scene.meshes, name, &Mesh::name);
    REQUIRE(found != scene.meshes.end());
    return static_cast<std::size_t>(found - scene.meshes.begin());
}

// A copy of a GLB whose nodes all hang under one more, with this scale; removed at the end.
class WrappedGlb {
public:
    WrappedGlb(const std::filesystem::path& source, double scale)
        : path_(std::filesystem::temp_directory_path() /
                ("sinter_wrapped_" + std::to_string(::getpid()) + ".glb")) {
        SourceFiles files(source);
        const auto bytes = files.read_asset();
        REQUIRE(bytes.ok());
        // Header of 12 bytes, then the JSON chunk and the binary one, 8 bytes before each (glTF 2.0, section 4.4).
        const auto length_at = [&](std::size_t at) {
            std::uint32_t length = 0;
            std::memcpy(&length, bytes->data() + at, 4);
            return std::size_t{length};
        };
        const std::size_t json_bytes = length_at(12), bin = 20 + json_bytes;
        test::Json json = test::Json::parse(
            std::string_view(reinterpret_cast<const char*>(bytes->data()) + 20, json_bytes));
        test::Json& roots = json["scenes"][json.value("scene", std::size_t{0})]["nodes"];
        json["nodes"].push_back({{"name", "wrap"}, {"scale", {scale, scale, scale}}, {"children", roots}});
        roots = {json["nodes"].size() - 1};
        const auto begin = bytes->begin() + static_cast<std::ptrdiff_t>(bin + 8);
        const test::Bytes out = test::GltfBuilder::glb_of(
            json.dump(), test::Bytes(begin, begin + static_cast<std::ptrdiff_t>(length_at(bin))));
        std::ofstream(path_, std::ios::binary)
            .write(reinterpret_cast<const char*>(out.data()), static_cast<std::streamsize>(out.size()));
    }
    WrappedGlb(const WrappedGlb&) = delete;
    WrappedGlb& operator=(const WrappedGlb&) = delete;
    ~WrappedGlb() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("B04: cooked, the bars whose joints have the same names move by their own", "[B04]") {
    test::skip_without_corpus();
    const auto bytes = cooked(test::corpus_folder() / "skinned/synth_dup_joint_names.glb");
    const Scene scene = read_package(bytes);
    std::set<std::int32_t> joints;
    for (const Skin& skin : scene.skins) joints.insert(skin.joints.begin(), skin.joints.end());
    CHECK(joints.size() == 4);
    const std::size_t bar_a = mesh_named(scene, "BarA"), bar_b = mesh_named(scene, "BarB");
    const auto a_before = vertices_at(scene, bar_a, {}, 0),
               a_after = vertices_at(scene, bar_a, scene.clips.at(0), 1);
    for (std::size_t v = 0; v < a_before.size(); ++v) CHECK(test::distance(a_before[v], a_after[v]) < 1e-9);
    const auto b_after = vertices_at(scene, bar_b, scene.clips[0], 1);
    bool found = false;
    const std::vector<Float3>& positions = scene.meshes[bar_b].primitives[0].positions;
    for (std::size_t v = 0; v < positions.size(); ++v) {
        // On a grid of the mesh's radius (about 1 m) / 32767.
        if (test::distance(test::vec(positions[v]), {0.1, 2, 0.1}) > 1e-4) continue;
        found = true;
        test::check_point(b_after[v], {4.0, 1.1, 0.1}, 1e-4);
    }
    CHECK(found);
}

TEST_CASE("B19: cooked under a node of scale 1e-4, the Fox keeps its tracks and its relative motion",
          "[B19]") {
    test::skip_without_corpus();
    const std::filesystem::path fox = test::corpus_folder() / "skinned/Fox.glb";
    const WrappedGlb wrapped(fox, 1e-4);
    const auto large_bytes = cooked(fox), small_bytes = cooked(wrapped.path());
    const Scene large = read_package(large_bytes), small = read_package(small_bytes);
    REQUIRE(small.nodes.size() == large.nodes.size() + 1);
    REQUIRE(large.clips.size() == 3);
    REQUIRE(small.clips.size() == 3);
    for (std::size_t c = 0; c < 3; ++c) {
        const auto moving = [](const Clip& clip) {
            return std::ranges::count_if(clip.channels, [](const Channel& t) { return t.times.size() > 1; });
        };
        CHECK(small.clips[c].channels.size() == large.clips[c].channels.size());
        CHECK(moving(small.clips[c]) == moving(large.clips[c]));
        CHECK(moving(large.clips[c]) > 0);
        for (const double part : {0.0, 0.3, 0.77}) {
            const double time =
                large.clips[c].start_s + part * (large.clips[c].end_s - large.clips[c].start_s);
            const auto big = vertices_at(large, 0, large.clips[c], time);
            const auto tiny = vertices_at(small, 0, small.clips[c], time);
            REQUIRE(big.size() == tiny.size());
            double worst = 0;
            for (std::size_t v = 0; v < big.size(); ++v) {
                worst = std::max(worst,
                                 test::distance(big[v], {tiny[v].x * 1e4, tiny[v].y * 1e4, tiny[v].z * 1e4}));
            }
            // The Fox is about 150 units long. Posed in doubles from the same floats; only 1e-4 itself is rounded
            // (6e-8 of the distance from the origin).
            CHECK(worst < 1e-4);
        }
    }
}

TEST_CASE("B22: cooked, the blend-shape weights of all 14 clips equal the source at 60 Hz within 1e-3",
          "[B22]") {
    test::skip_without_corpus();
    Issues issues;
    const Scene source = test::corpus_scene("skinned/RobotExpressive.glb", issues);
    const auto bytes = cooked(test::corpus_folder() / "skinned/RobotExpressive.glb");
    const Scene package = read_package(bytes);
    REQUIRE(source.clips.size() == 14);
    REQUIRE(package.clips.size() == 14);
    std::size_t compared = 0;
    for (std::size_t c = 0; c < 14; ++c) {
        CHECK(package.clips[c].name == source.clips[c].name);
        for (const Channel& wanted : source.clips[c].channels) {
            if (wanted.path != TrackPath::Weights) continue;
            const auto same = [&](const Channel& t) {
                return t.path == wanted.path && t.node == wanted.node;
            };
            const auto found = std::ranges::find_if(package.clips[c].channels, same);
            REQUIRE(found != package.clips[c].channels.end());
            ++compared;
            double worst = 0;
            for (double t = source.clips[c].start_s; t < source.clips[c].end_s; t += 1.0 / 60) {
                const auto got = test::evaluate(*found, t), right = test::evaluate(wanted, t);
                REQUIRE(got.size() == right.size());
                for (std::size_t i = 0; i < got.size(); ++i)
                    worst = std::max(worst, std::abs(got[i] - right[i]));
            }
            INFO("clip " << package.clips[c].name << ", worst " << worst);
            CHECK(worst <= 1e-3);
        }
    }
    CHECK(compared > 0);
}

}  // namespace sinter
