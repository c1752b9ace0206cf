#include "runtime/bench.hpp"

#include "runtime/gpu/commands.hpp"
#include "runtime/shaders/spirv.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace sinter {
namespace {

constexpr std::uint32_t kMaxMarks = 32;
constexpr std::uint32_t kWarmUpRuns = 3;

// Timestamps of one submission.
class Clock {
public:
    static Result<Clock> create(Device& device) {
        if (device.properties.limits.timestampComputeAndGraphics == VK_FALSE)
            return Error{ErrorKind::Unsupported, device.properties.deviceName, "the device has no clock", {}};
        Clock out;
        out.device_ = &device;
        const VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .pNext = nullptr,
                                         .flags = 0,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = kMaxMarks,
                                         .pipelineStatistics = 0};
        SINTER_VK(vkCreateQueryPool, device.device, &info, nullptr, &out.pool_);
        return out;
    }
    Clock(Clock&& other) noexcept
        : device_(other.device_),
          pool_(std::exchange(other.pool_, VK_NULL_HANDLE)),
          names_(std::move(other.names_)) {}
    Clock& operator=(Clock&&) = delete;
    ~Clock() {
        if (pool_ != VK_NULL_HANDLE) vkDestroyQueryPool(device_->device, pool_, nullptr);
    }

    void start(VkCommandBuffer commands) {
        vkCmdResetQueryPool(commands, pool_, 0, kMaxMarks);
        names_.clear();
        mark(commands, "start");
    }
    void mark(VkCommandBuffer commands, std::string_view name) {
        const auto query = static_cast<std::uint32_t>(names_.size());
        vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool_, query);
        names_.emplace_back(name);
    }
    // Milliseconds from each mark to the next, by the name of the later one.
    Result<std::vector<std::pair<std::string, double>>> read() const {
        std::vector<std::uint64_t> ticks(names_.size());
        SINTER_VK(vkGetQueryPoolResults, device_->device, pool_, 0, static_cast<std::uint32_t>(ticks.size()),
                  ticks.size() * sizeof(std::uint64_t), ticks.data(), sizeof(std::uint64_t),
                  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
        std::vector<std::pair<std::string, double>> out;
        const double ms = static_cast<double>(device_->properties.limits.timestampPeriod) * 1e-6;
        for (std::size_t i = 1; i < ticks.size(); ++i)
            out.emplace_back(names_[i], static_cast<double>(ticks[i] - ticks[i - 1]) * ms);
        return out;
    }

private:
    Clock() = default;
    Device* device_ = nullptr;
    VkQueryPool pool_ = VK_NULL_HANDLE;
    std::vector<std::string> names_;
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// What each pass must read and write of its own records: what many threads share (matrices, meshes) is not counted.
std::uint64_t bytes_of(const Stage& stage, const BenchReport& report, std::optional<ClipTime> clip,
                       std::string_view pass) {
    const SceneMotion& motion = stage.motion;
    if (pass == "clips" && clip) {
        std::uint64_t bytes = 0;
        const Range tracks = motion.clips[clip->clip].tracks;
        for (std::uint32_t t = tracks.first; t < tracks.end(); ++t) {
            const std::uint64_t values = motion.tracks[t].path == gpu::kPathRotation ? 16 : 12;
            bytes += sizeof(gpu::Track) + (motion.tracks[t].constant != 0 ? 1 : 2) * values + values;
        }
        return bytes;
    }
    if (pass == "skeleton")
        return motion.path_nodes.size() * (4 + sizeof(gpu::Local)) +
               motion.rest.size() * sizeof(gpu::Transform);
    if (pass == "bounds") return motion.joints.size() * (sizeof(gpu::Joint) + 2 * sizeof(gpu::Transform));
    if (pass != "skinning") return 0;
    std::uint64_t record = 0;
    for (const gpu::SkinnedInstance& skin : motion.skins)
        record = std::max(record, std::uint64_t{skin.stride} * (2 + skin.weight_bits / 8));
    constexpr std::uint64_t kPositionAndNormal = 12;
    return report.skinned_vertices * (kPositionAndNormal + record + sizeof(gpu::SkinnedVertex));
}

// The better of two ways: the driver's copy, and a shader that copies.
Result<double> measure_copy(Device& device, Clock& clock) {
    constexpr std::uint32_t kWorkgroups = 4096;
    const std::uint64_t bytes = device.is_cpu() ? 64U << 20U : 1024U << 20U;
    SINTER_TRY_ASSIGN(const Buffer from, Buffer::create(device, bytes, BufferUse::Storage));
    SINTER_TRY_ASSIGN(const Buffer to, Buffer::create(device, bytes, BufferUse::Storage));
    SINTER_TRY_ASSIGN(const Pipeline shader,
                      Pipeline::compute(device, spirv::copy_comp(), sizeof(gpu::CopyPush)));
    std::vector<double> times[2];
    for (int i = 0; i < 8; ++i) {
        SINTER_TRY(submit(device, [&](VkCommandBuffer commands) {
            clock.start(commands);
            const VkBufferCopy all{.srcOffset = 0, .dstOffset = 0, .size = bytes};
            vkCmdCopyBuffer(commands, from.handle(), to.handle(), 1, &all);
            barrier(commands, Access::CopyWrite, Access::ComputeWrite);
            clock.mark(commands, "copy");
            shader.bind(commands, gpu::CopyPush{from.address(), to.address(),
                                                static_cast<std::uint32_t>(bytes / 16), 0});
            vkCmdDispatch(commands, kWorkgroups, 1, 1);
            clock.mark(commands, "shader");
        }));
        SINTER_TRY_ASSIGN(const auto marks, clock.read());
        for (std::size_t way = 0; i >= 2 && way < 2; ++way) times[way].push_back(marks[way].second);
    }
    return 2 * static_cast<double>(bytes) / std::min(median(times[0]), median(times[1]));
}

Result<Unit> count_work(const Stage& stage, BenchReport& out) {
    SINTER_TRY_ASSIGN(
        const auto skins,
        read_records<gpu::SkinCount>(*stage.device, stage.device_motion.counts, stage.motion.skins.size()));
    for (const gpu::SkinCount& count : skins) out.skinned_vertices += count.vertex_count;
    SINTER_TRY_ASSIGN(const auto draws,
                      read_records<std::uint32_t>(*stage.device, stage.selection.draw_count, 1));
    SINTER_TRY_ASSIGN(const auto commands,
                      read_records<VkDrawIndirectCommand>(*stage.device, stage.selection.commands, draws[0]));
    for (const VkDrawIndirectCommand& command : commands) out.drawn_triangles += command.vertexCount / 3;
    return Unit{};
}

}  // namespace

Result<BenchReport> bench_package(const Stage& stage, std::uint32_t runs) {
    Device& device = *stage.device;
    BenchReport out;
    out.device = device.description();
    out.instances = static_cast<std::uint32_t>(stage.scene.instances.size());
    out.runs = runs;
    SINTER_TRY_ASSIGN(Clock clock, Clock::create(device));
    SINTER_TRY_ASSIGN(out.copy_bytes_per_ms, measure_copy(device, clock));
    Shot shot;
    shot.detail.pixels = 1;
    if (!stage.motion.clips.empty())
        shot.clip = ClipTime{0, stage.motion.clips[0].start_s + 0.5 * stage.motion.clips[0].duration_s};
    shot.camera =
        frame_spheres(scene_bounds(stage, shot.clip ? std::optional(0U) : std::nullopt), {}, 1920, 1080);
    SINTER_TRY_ASSIGN(const RenderTarget target, create_target(device, 1920, 1080));
    SINTER_TRY_ASSIGN(const ShotInput input, prepare_shot(stage, shot));
    const gpu::Frame frame = frame_of({.camera = shot.camera, .instances = &input.device_instances},
                                      stage.device_scene, stage.device_motion, stage.selection);
    SINTER_TRY_ASSIGN(const Buffer device_frame, upload_records<gpu::Frame>(device, {&frame, 1}));
    std::vector<std::pair<std::string, std::vector<double>>> times;
    for (std::uint32_t run = 0; run < kWarmUpRuns + runs; ++run) {
        SINTER_TRY(submit(device, [&](VkCommandBuffer commands) {
            clock.start(commands);
            record_pose(commands, stage.pose_passes, stage.device_scene, stage.motion, stage.device_motion,
                        shot.clip, input.device_cuts,
                        [&](VkCommandBuffer list, std::string_view name) { clock.mark(list, name); });
            record_selection(commands, stage.select_passes, stage.selection, input.device_selection);
            clock.mark(commands, "selection");
            record_draw(commands, stage.draw_pass, stage.selection, target, device_frame);
            clock.mark(commands, "draw");
        }));
        SINTER_TRY_ASSIGN(const auto marks, clock.read());
        if (times.empty()) {
            for (const auto& [name, ms] : marks) times.push_back({name, {}});
        }
        for (std::size_t i = 0; run >= kWarmUpRuns && i < marks.size(); ++i)
            times[i].second.push_back(marks[i].second);
    }
    SINTER_TRY(count_work(stage, out));
    for (const auto& [name, values] : times)
        out.passes.push_back({name, median(values), bytes_of(stage, out, shot.clip, name)});
    return out;
}

}  // namespace sinter
