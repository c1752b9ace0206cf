// A whole package checked on a device, and that each of the checks can fail: on a stage that was changed after loading.
#include "cooked_package.hpp"
#include "runtime/check_package.hpp"
#include "test_device.hpp"
#include "tests/paths.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numbers>

namespace sinter::test {
namespace {

constexpr std::uint32_t kRings = 48;
constexpr std::uint32_t kSegments = 64;

// A sphere as OBJ, closed: one vertex at each pole and one ring of vertices a circle. `drop`: triangles left out at the end.
std::string sphere_obj(std::size_t drop = 0) {
    std::string out = "v 0 1 0\nv 0 -1 0\n";
    for (std::uint32_t r = 1; r < kRings; ++r) {
        const double polar = std::numbers::pi * r / kRings;
        for (std::uint32_t s = 0; s < kSegments; ++s) {
            const double turn = 2 * std::numbers::pi * s / kSegments;
            out += fmt::format("v {:.7f} {:.7f} {:.7f}\n", std::sin(polar) * std::sin(turn), std::cos(polar),
                               std::sin(polar) * std::cos(turn));
        }
    }
    const auto at = [](std::uint32_t ring, std::uint32_t segment) {
        return 3 + (ring - 1) * kSegments + segment % kSegments;
    };
    std::vector<std::string> faces;
    for (std::uint32_t s = 0; s < kSegments; ++s) {
        faces.push_back(fmt::format("f 1 {} {}\n", at(1, s), at(1, s + 1)));
        for (std::uint32_t r = 1; r + 1 < kRings; ++r) {
            faces.push_back(fmt::format("f {} {} {}\n", at(r, s), at(r + 1, s), at(r + 1, s + 1)));
            faces.push_back(fmt::format("f {} {} {}\n", at(r, s), at(r + 1, s + 1), at(r, s + 1)));
        }
        faces.push_back(fmt::format("f 2 {} {}\n", at(kRings - 1, s + 1), at(kRings - 1, s)));
    }
    faces.resize(faces.size() - drop);
    for (const std::string& face : faces) out += face;
    return out;
}

// Nothing but the rest pose; each control adds what it needs.
constexpr GpuCheckOptions kNothing{
    .poses = 0, .views = 0, .far_views = 0, .width = 192, .height = 108, .select_views = 0};

GpuReport report_of(const Stage& stage, const GpuCheckOptions& options) {
    auto report = check_package(stage, options);
    if (!report) FAIL(report.error().line());
    return *std::move(report);
}

// The breaches, one a line, each with the number of its pass.
std::string breaches_of(const GpuReport& report) {
    std::string out;
    for (const GpuBreach& breach : report.breaches)
        out += fmt::format("{}: {}\n", static_cast<unsigned>(breach.pass), breach.message);
    return out;
}

bool fails(const GpuReport& report, GpuPass pass, std::string_view words) {
    return std::ranges::any_of(report.breaches, [&](const GpuBreach& breach) {
        return breach.pass == pass && breach.message.find(words) != std::string::npos;
    });
}

// Another table on the device; the references keep theirs.
template <typename Record>
void replace(Stage& stage, Buffer& buffer, const std::vector<Record>& records) {
    auto changed = upload_records<Record>(*stage.device, records);
    REQUIRE(changed);
    buffer = *std::move(changed);
}

// What is drawn of the rest pose at one pixel of error, all around the scene.
std::vector<gpu::VisibleCluster> drawn_at_one_pixel(const Stage& stage) {
    Shot shot;
    shot.camera =
        frame_spheres(scene_bounds(stage, std::nullopt), {0, 0, 1}, kNothing.width, kNothing.height);
    shot.detail.pixels = 1;
    shot.cull = 0;
    auto taken = take(stage, shot);
    REQUIRE(taken);
    REQUIRE_FALSE(taken->visible.empty());
    return taken->visible;
}

const ClusterRecord& record_of(const Stage& stage, const gpu::VisibleCluster& cluster) {
    return stage.scene.clusters[stage.scene.pages[cluster.page].first_cluster + cluster.cluster];
}

TEST_CASE("every check passes on the fixtures, with no validation message") {
    for (const char* name :
         {"fixtures/creature.glb", "fixtures/prop.glb", "fixtures/foliage.glb", "fixtures/cloth.glb"}) {
        CAPTURE(name);
        const CookedPackage cooked = cook_package(repository(name));
        const Stage stage = stage_of(cooked);
        const GpuReport report = report_of(
            stage, {.poses = 1, .views = 4, .far_views = 4, .width = 192, .height = 108, .select_views = 6});
        CHECK(breaches_of(report).empty());
        CHECK(report.device.find("llvmpipe") != std::string::npos);
        CHECK(report.poses == 1 + stage.motion.clips.size());
        CHECK(report.select.clusters > 0);
        CHECK(report.lod.views == 4);
        CHECK(report.lod.far_views == 4);
        CHECK(report.lod.moving_views == (stage.motion.clips.empty() ? 0 : 4));
        CHECK(report.lod.cut_triangles < report.lod.full_triangles);
        require_no_messages(*stage.device);
    }
}

TEST_CASE("a mesh is closed when each edge has a partner, and open when one triangle is missing") {
    for (const std::size_t missing : {0U, 1U}) {
        const CookedPackage cooked = cook_obj(sphere_obj(missing));
        const Stage stage = stage_of(cooked);
        CHECK(is_closed(stage.scene, 0) == (missing == 0));
    }
}

TEST_CASE("a closed mesh passes; with a cluster left out of the drawing cracks are found") {
    const CookedPackage cooked = cook_obj(sphere_obj());
    Stage stage = stage_of(cooked);
    GpuCheckOptions options = kNothing;
    options.views = options.far_views = 8;
    options.select_views = 4;
    const GpuReport before = report_of(stage, options);
    CHECK(breaches_of(before).empty());
    CHECK(before.lod.closed);
    CHECK(before.lod.cut_triangles * 4 < before.lod.full_triangles);

    // One of a coarser level: full detail stays whole.
    const auto drawn = drawn_at_one_pixel(stage);
    const auto coarse = std::ranges::find_if(
        drawn, [&](const gpu::VisibleCluster& c) { return record_of(stage, c).child_group >= 0; });
    REQUIRE(coarse != drawn.end());
    std::vector<std::byte> heap = stage.scene.heap;
    std::byte* page = &heap[std::size_t{stage.scene.pages[coarse->page].offset16} * 16];
    PageHeader header;
    std::memcpy(&header, page, sizeof header);
    page[header.clusters_offset + coarse->cluster * sizeof(ClusterRecord) +
         offsetof(ClusterRecord, triangle_count)] = std::byte{0};
    replace(stage, stage.device_scene.heap, heap);
    const GpuReport after = report_of(stage, options);
    CHECK(after.lod.crack_pixels > 0);
    CHECK(fails(after, GpuPass::Levels, "show what is behind their surface"));
    CHECK_FALSE(fails(after, GpuPass::Selection, ""));
    require_no_messages(*stage.device);
}

TEST_CASE(
    "an error in the package that is too small looks different, though the device chooses as the twin does") {
    const CookedPackage cooked = cook_obj(sphere_obj());
    Stage stage = stage_of(cooked);
    for (ClusterGroupRecord& group : stage.scene.groups) {
        if (group.lod_error < kNoReplacementError) group.lod_error /= 1000;
    }
    replace(stage, stage.device_scene.groups, stage.scene.groups);
    GpuCheckOptions options = kNothing;
    options.views = options.select_views = 4;
    const GpuReport report = report_of(stage, options);
    CHECK(fails(report, GpuPass::Levels, "mean FLIP"));
    CHECK_FALSE(fails(report, GpuPass::Selection, ""));
}

TEST_CASE("the error of one group, other on the device, makes another choice than the twin's") {
    const CookedPackage cooked = cook_obj(sphere_obj());
    Stage stage = stage_of(cooked);
    const gpu::VisibleCluster drawn = drawn_at_one_pixel(stage).front();
    std::vector<ClusterGroupRecord> groups = stage.scene.groups;
    groups[record_of(stage, drawn).group].lod_error = 0;
    replace(stage, stage.device_scene.groups, groups);
    GpuCheckOptions options = kNothing;
    options.select_views = 12;
    const GpuReport report = report_of(stage, options);
    CHECK(report.select.differences > 0);
    CHECK(fails(report, GpuPass::Selection, "differ"));
}

TEST_CASE("the prefixes, other on the device, are not the twin's and too short for what is drawn") {
    const CookedPackage cooked = cook_package(repository("fixtures/creature.glb"));
    Stage stage = stage_of(cooked);
    std::vector<gpu::Prefix> prefixes = stage.motion.prefixes;
    for (gpu::Prefix& prefix : prefixes) prefix.vertex_count /= 2;
    replace(stage, stage.device_motion.prefixes, prefixes);
    GpuCheckOptions options = kNothing;
    options.select_views = 4;
    const GpuReport report = report_of(stage, options);
    CHECK(report.select.wrong_prefixes == report.select.prefixes);
    CHECK(fails(report, GpuPass::Selection, "prefixes of skinned vertices"));
    CHECK(fails(report, GpuPass::Selection, "beyond the prefix"));
}

TEST_CASE("a clip and a node that are other on the device are off where the references have them") {
    const CookedPackage cooked = cook_package(repository("fixtures/creature.glb"));
    Stage stage = stage_of(cooked);
    GpuCheckOptions options = kNothing;
    options.poses = 1;
    std::vector<float> values = stage.motion.values;
    for (float& value : values) value *= 1.001F;  // rotations stay unit quaternions
    replace(stage, stage.device_motion.values, values);
    const GpuReport clips = report_of(stage, options);
    CHECK(fails(clips, GpuPass::Clips, "a translation is"));
    CHECK(fails(clips, GpuPass::Skeleton, "a node is"));

    replace(stage, stage.device_motion.values, stage.motion.values);
    CHECK(breaches_of(report_of(stage, options)).empty());
    std::vector<gpu::Local> rest = stage.motion.rest;
    rest.back().rotation = {0, 0, 0.0002F, 1};
    replace(stage, stage.device_motion.rest, rest);
    const GpuReport skeleton = report_of(stage, kNothing);
    CHECK(fails(skeleton, GpuPass::Clips, "a rotation is"));
    CHECK(fails(skeleton, GpuPass::Skeleton, "a node is"));
}

TEST_CASE("one vertex that hangs on another bone on the device is off its place") {
    const CookedPackage cooked = cook_package(repository("fixtures/creature.glb"));
    Stage stage = stage_of(cooked);
    GpuCheckOptions options = kNothing;
    options.poses = 1;
    CHECK(breaches_of(report_of(stage, options)).empty());
    const gpu::SkinnedInstance& skin = stage.motion.skins.front();
    constexpr std::size_t kVertex = 1000;
    std::vector<std::byte> influences = stage.motion.influences;
    std::byte* slot = &influences[skin.first_influence + kVertex * skin.stride * (2 + skin.weight_bits / 8)];
    std::uint16_t joint = 0;
    std::memcpy(&joint, slot, sizeof joint);
    joint = static_cast<std::uint16_t>((joint + skin.joint_count / 2) % skin.joint_count);
    std::memcpy(slot, &joint, sizeof joint);
    replace(stage, stage.device_motion.influences, influences);
    const GpuReport report = report_of(stage, options);
    CHECK(report.pose.position_steps > kMaxPositionSteps);
    CHECK(fails(report, GpuPass::Skinning, "steps of its grid off"));
}

TEST_CASE("the box of one bone, too small on the device, leaves vertices outside of the bounds") {
    const CookedPackage cooked = cook_package(repository("fixtures/creature.glb"));
    Stage stage = stage_of(cooked);
    // Boxes of bones overlap, so not every one of them is missed: the last bone of a limb is.
    bool missed = false;
    for (std::size_t j = 0; j < stage.motion.joints.size() && !missed; ++j) {
        std::vector<gpu::Joint> joints = stage.motion.joints;
        joints[j].high = joints[j].low;
        replace(stage, stage.device_motion.joints, joints);
        const GpuReport report = report_of(stage, kNothing);
        missed = fails(report, GpuPass::Bounds, "outside of the bounds");
        CHECK(missed == (report.pose.outside_bounds > 0));
    }
    CHECK(missed);
}

}  // namespace
}  // namespace sinter::test
