// Clips of real files: durations from index.json, poses in closed form, sampled curves against curves.hpp.
#include "cooker/animation/evaluate.hpp"
#include "cooker/animation/pose.hpp"
#include "cooker/animation/sample.hpp"
#include "cooker/import/check.hpp"

#include "tests/animation/curves.hpp"
#include "tests/support/corpus_scene.hpp"

#include <catch2/catch_approx.hpp>

#include <algorithm>

using namespace sinter;

namespace {

std::vector<SampledClip> sampled(const Scene& scene, double rate = 0) {
    Issues issues;
    auto clips = sample_clips(scene, {rate}, issues);
    REQUIRE(clips.ok());
    CHECK(issues.list().empty());
    return std::move(clips).value();
}

// All vertices of a mesh under its first node with a skin.
std::vector<Point> skinned(const Scene& scene, std::size_t mesh, std::span<const PoseMatrix> world) {
    for (const Node& node : scene.nodes) {
        if (node.mesh != static_cast<std::int32_t>(mesh) || node.skin == kNone) continue;
        const auto matrices = skinning_matrices(scene.skins[static_cast<std::size_t>(node.skin)], world);
        std::vector<Point> out;
        for (const Primitive& p : scene.meshes[mesh].primitives) {
            for (std::size_t v = 0; v < p.vertex_count(); ++v) {
                const std::span<const Influence> own(p.influences.data() + p.influence_offsets[v],
                                                     p.influence_offsets[v + 1] - p.influence_offsets[v]);
                const Float3 at = p.positions[v];
                out.push_back(skin_point(
                    matrices, own,
                    {static_cast<double>(at.x), static_cast<double>(at.y), static_cast<double>(at.z)}));
            }
        }
        return out;
    }
    return {};
}

// Half the angle between two rotations, or the largest difference of a component.
double difference(TrackPath path, const std::vector<double>& a, const std::vector<double>& b) {
    double same = 0, opposite = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        same = std::max(same, std::abs(a[i] - b[i]));
        opposite = std::max(opposite, std::abs(a[i] + b[i]));
    }
    return path == TrackPath::Rotation ? std::min(same, opposite) : same;
}

}  // namespace

TEST_CASE("B17: clips stand in file order with the durations of the index, within 1 ms") {
    test::skip_without_corpus();
    std::size_t clips = 0;
    for (const auto& record : test::corpus_index()) {
        const std::string file = record.at("file");
        if (record.at("class") != "valid" || file.find(".gl") == std::string::npos) continue;
        const auto& facts = record.at("expected").at("clip_list");
        if (facts.empty()) continue;
        Issues issues;
        const Scene scene = test::corpus_scene(file, issues);
        INFO(file);
        REQUIRE(scene.clips.size() == facts.size());
        for (std::size_t c = 0; c < facts.size(); ++c, ++clips) {
            const double start = facts[c].at("start_s"), end = facts[c].at("end_s");
            CHECK(scene.clips[c].name ==
                  (facts[c].at("name").is_null() ? "" : facts[c].at("name").get<std::string>()));
            CHECK(scene.clips[c].start_s == Catch::Approx(start).margin(1e-3));
            CHECK(scene.clips[c].end_s - scene.clips[c].start_s == Catch::Approx(end - start).margin(1e-3));
            CHECK(scene.clips[c].channels.size() == facts[c].at("channels").get<std::size_t>());
        }
    }
    CHECK(clips == 146);  // all of them in the valid glTF files
}

TEST_CASE("B04: at 1 s the bar with its own joint bends, the other one stays") {
    test::skip_without_corpus();
    Issues issues;
    const Scene scene = test::corpus_scene("skinned/synth_dup_joint_names.glb", issues);
    const auto clips = sampled(scene);
    const auto rest = world_from_nodes(scene.nodes, nullptr, 0);
    for (const auto& world :
         {world_from_nodes(scene.nodes, scene.clips.data(), 1), world_from_nodes(scene.nodes, clips[0], 1)}) {
        CHECK(skinned(scene, 0, world) == skinned(scene, 0, rest));
        const auto bent = skinned(scene, 1, world);
        bool found = false;
        const auto& positions = scene.meshes[1].primitives[0].positions;
        for (std::size_t v = 0; v < positions.size(); ++v) {
            if (length(positions[v] - Float3{0.1F, 2, 0.1F}) > 1e-6F) continue;
            found = true;
            CHECK(bent[v][0] == Catch::Approx(4.0).margin(1e-4));
            CHECK(bent[v][1] == Catch::Approx(1.1).margin(1e-4));
            CHECK(bent[v][2] == Catch::Approx(0.1).margin(1e-4));
        }
        CHECK(found);
    }
}

TEST_CASE("B05: at 1 s the lips are 0.6 apart along the seam") {
    test::skip_without_corpus();
    Issues issues;
    const Scene scene = test::corpus_scene("skinned/synth_lips_skin.glb", issues);
    const auto world = world_from_nodes(scene.nodes, sampled(scene)[0], 1);
    const auto& positions = scene.meshes[0].primitives[0].positions;
    const auto moved = skinned(scene, 0, world);
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < positions.size(); ++a) {
        for (std::size_t b = a + 1; b < positions.size(); ++b) {
            if (!(positions[a] == positions[b])) continue;
            ++pairs;
            CHECK(std::abs(moved[a][1] - moved[b][1]) == Catch::Approx(0.6).margin(1e-6));
        }
    }
    CHECK(pairs == 33);
}

TEST_CASE("B14: STEP, LINEAR and CUBICSPLINE differ as they should") {
    test::skip_without_corpus();
    Issues issues;
    const Scene scene = test::corpus_scene("tricky/InterpolationTest.gltf", issues);
    REQUIRE(scene.clips.size() == 9);
    const auto clips = sampled(scene);
    // As the file's samplers say; the clip that is called "Linear Scale" is a cubic one there.
    using enum Interpolation;
    constexpr Interpolation kModes[9] = {Step,   CubicSpline, CubicSpline, Step,  CubicSpline,
                                         Linear, Step,        CubicSpline, Linear};
    for (std::size_t c = 0; c < 9; ++c) {
        const Channel& channel = scene.clips[c].channels[0];
        INFO(scene.clips[c].name << " at " << clips[c].sample_rate_hz << " Hz");
        CHECK(channel.interpolation == kModes[c]);
        double worst = 0, worst_source = 0;
        std::vector<double> mine(channel.components), source(channel.components);
        for (double t = clips[c].start_s; t <= clips[c].start_s + clips[c].duration_s; t += 1.0 / 611) {
            const auto other = test::evaluate(channel, t);
            evaluate_channel(channel, t, source);
            worst_source = std::max(worst_source, difference(channel.path, source, other));
            bool near_step = false;  // within a microsecond of a jump the two may stand on either side of it
            for (const float key : channel.times)
                near_step = near_step || std::abs(static_cast<double>(key) - t) < 1e-5;
            if (channel.interpolation == Interpolation::Step && near_step) continue;
            evaluate_sampled_track(clips[c], clips[c].tracks[0], t, mine);
            worst = std::max(worst, difference(channel.path, mine, other));
        }
        CHECK(worst_source < 1e-9);
        INFO("worst " << worst);
        // The keys lie on a 24 Hz grid: STEP and LINEAR are met. A cubic between keys 4 m and 5/12 s apart
        // without tangents has a second derivative of at most 6 * 4 / (5/12)^2 = 138 m/s^2, which a chord of
        // 1/60 s misses by an eighth of 138 / 3600 m; the other two change by less than 1.
        CHECK(worst < (channel.interpolation != CubicSpline     ? 2e-5
                       : channel.path == TrackPath::Translation ? 4.8e-3
                                                                : 2e-3));
        CHECK(clips[c].max_step_error_s < 1e-5F);
        const bool step = channel.interpolation == Interpolation::Step;
        CHECK(clips[c].tracks[0].step == step);
    }
}

TEST_CASE("B22: blend-shape weights at 60 Hz equal the source within 1e-3") {
    test::skip_without_corpus();
    for (const std::string file : {"skinned/RobotExpressive.glb", "morph/MorphStressTest.gltf",
                                   "morph/ict_face_arkit52.glb", "morph/AnimatedMorphSphere.glb"}) {
        Issues issues;
        const Scene scene = test::corpus_scene(file, issues);
        const auto clips = sampled(scene);
        std::size_t tracks = 0;
        for (std::size_t c = 0; c < clips.size(); ++c) {
            for (std::size_t i = 0; i < clips[c].tracks.size(); ++i) {
                const SampledTrack& track = clips[c].tracks[i];
                if (track.path != TrackPath::Weights) continue;
                ++tracks;
                double worst = 0;
                std::vector<double> mine(track.components);
                for (std::uint32_t k = 0; k <= static_cast<std::uint32_t>(clips[c].duration_s * 60) + 1;
                     ++k) {
                    const double t = clips[c].start_s + k / 60.0;
                    evaluate_sampled_track(clips[c], track, t, mine);
                    worst = std::max(
                        worst, difference(track.path, mine, test::evaluate(scene.clips[c].channels[i], t)));
                }
                INFO(file << " clip " << c << " worst " << worst << " stored " << clips[c].max_weight_error);
                CHECK(worst <= 1e-3);
                CHECK(static_cast<double>(clips[c].max_weight_error) <= 1e-3);
            }
        }
        CHECK(tracks > 0);
    }
}

TEST_CASE("B19: under a node of scale 1e-4 the Fox keeps its tracks and its relative motion") {
    test::skip_without_corpus();
    Issues issues;
    Scene scene = test::corpus_scene("skinned/Fox.glb", issues);
    const auto large = sampled(scene);
    // A root in front of all nodes; every index moves up by one.
    Node root;
    root.local.scale = {1e-4F, 1e-4F, 1e-4F};
    for (Node& node : scene.nodes) node.parent = node.parent == kNone ? 0 : node.parent + 1;
    scene.nodes.insert(scene.nodes.begin(), root);
    for (Skin& skin : scene.skins) {
        for (std::int32_t& joint : skin.joints) ++joint;
    }
    for (Clip& clip : scene.clips) {
        for (Channel& channel : clip.channels) ++channel.node;
    }
    const auto small = sampled(check_scene(scene, issues).value());
    REQUIRE(small.size() == 3);
    for (std::size_t c = 0; c < 3; ++c) {
        REQUIRE(small[c].tracks.size() == large[c].tracks.size());
        CHECK(small[c].sample_rate_hz == large[c].sample_rate_hz);
        for (std::size_t i = 0; i < small[c].tracks.size(); ++i) {
            CHECK(small[c].tracks[i].constant == large[c].tracks[i].constant);
            CHECK(small[c].tracks[i].samples == large[c].tracks[i].samples);
        }
    }
    // And where the small size is in the keys themselves: translations times 2^-14 (exact) keep every track.
    Scene tiny = test::corpus_scene("skinned/Fox.glb", issues);
    for (Clip& clip : tiny.clips) {
        for (Channel& channel : clip.channels) {
            if (channel.path != TrackPath::Translation) continue;
            for (float& value : channel.values) value *= 0x1p-14F;
        }
    }
    const auto scaled = sampled(tiny);
    std::size_t moving = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < scaled[c].tracks.size(); ++i) {
            CHECK(scaled[c].tracks[i].constant == large[c].tracks[i].constant);
            if (scaled[c].tracks[i].path != TrackPath::Translation) continue;
            moving += scaled[c].tracks[i].constant ? 0U : 1U;
            for (std::size_t k = 0; k < scaled[c].tracks[i].samples.size(); ++k) {
                // Rounded after scaling: half a unit in the last place of either side.
                CHECK(scaled[c].tracks[i].samples[k] * 0x1p14F ==
                      Catch::Approx(large[c].tracks[i].samples[k]).epsilon(1e-6));
            }
        }
    }
    CHECK(moving > 0);
}

TEST_CASE("every glTF clip sampled at its own rate stays within its stored errors, which are small") {
    test::skip_without_corpus();
    for (const auto& record : test::corpus_index()) {
        const std::string file = record.at("file");
        if (record.at("class") != "valid" || file.find(".gl") == std::string::npos) continue;
        Issues issues;
        const Scene scene = test::corpus_scene(file, issues);
        const auto clips = sampled(scene);
        for (std::size_t c = 0; c < clips.size(); ++c) {
            INFO(file << ", clip " << c << " '" << clips[c].name << "', " << clips[c].sample_rate_hz
                      << " Hz, rotation " << clips[c].max_rotation_error_deg << ", translation "
                      << clips[c].max_translation_error << ", scale " << clips[c].max_scale_error);
            // Files whose keys lie on no grid are sampled at 60 Hz, a fifth of a degree at most.
            CHECK(clips[c].max_rotation_error_deg < 0.2F);
            CHECK(clips[c].tracks.size() == scene.clips[c].channels.size());
        }
    }
}
