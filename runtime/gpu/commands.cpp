#include "runtime/gpu/commands.hpp"

#include <limits>

namespace sinter {
namespace {

struct Scope {
    VkPipelineStageFlags2 stages = 0;
    VkAccessFlags2 access = 0;
};

Scope scope_of(Access access) {
    switch (access) {
    case Access::CopyRead: return {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT};
    case Access::CopyWrite:
        return {VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT};
    case Access::ComputeRead:
        return {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_READ_BIT};
    case Access::ComputeWrite:
        return {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
    case Access::IndirectRead:
        return {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT};
    case Access::DrawRead:
        return {VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                VK_ACCESS_2_SHADER_STORAGE_READ_BIT};
    case Access::HostRead: break;
    }
    return {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT};
}

Result<Unit> submit_and_wait(Device& device, VkCommandBuffer commands) {
    const std::uint64_t value = ++device.submitted;
    const VkCommandBufferSubmitInfo buffer{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .pNext = nullptr,
                                           .commandBuffer = commands,
                                           .deviceMask = 0};
    const VkSemaphoreSubmitInfo signal{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                       .pNext = nullptr,
                                       .semaphore = device.timeline,
                                       .value = value,
                                       .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                       .deviceIndex = 0};
    const VkSubmitInfo2 info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                             .pNext = nullptr,
                             .flags = 0,
                             .waitSemaphoreInfoCount = 0,
                             .pWaitSemaphoreInfos = nullptr,
                             .commandBufferInfoCount = 1,
                             .pCommandBufferInfos = &buffer,
                             .signalSemaphoreInfoCount = 1,
                             .pSignalSemaphoreInfos = &signal};
    SINTER_VK(vkQueueSubmit2, device.queue, 1, &info, VK_NULL_HANDLE);
    const VkSemaphoreWaitInfo wait{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                   .pNext = nullptr,
                                   .flags = 0,
                                   .semaphoreCount = 1,
                                   .pSemaphores = &device.timeline,
                                   .pValues = &value};
    SINTER_VK(vkWaitSemaphores, device.device, &wait, std::numeric_limits<std::uint64_t>::max());
    return Unit{};
}

Result<Unit> record_and_run(Device& device, VkCommandBuffer commands,
                            const std::function<void(VkCommandBuffer)>& record) {
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .pNext = nullptr,
                                         .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
                                         .pInheritanceInfo = nullptr};
    SINTER_VK(vkBeginCommandBuffer, commands, &begin);
    record(commands);
    SINTER_VK(vkEndCommandBuffer, commands);
    return submit_and_wait(device, commands);
}

}  // namespace

Result<Unit> submit(Device& device, const std::function<void(VkCommandBuffer)>& record) {
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .pNext = nullptr,
                                           .commandPool = device.command_pool,
                                           .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                           .commandBufferCount = 1};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    SINTER_VK(vkAllocateCommandBuffers, device.device, &info, &commands);
    Result<Unit> result = record_and_run(device, commands, record);
    vkFreeCommandBuffers(device.device, device.command_pool, 1, &commands);
    return result;
}

void barrier(VkCommandBuffer commands, Access before, Access after) {
    const Scope source = scope_of(before);
    const Scope target = scope_of(after);
    const VkMemoryBarrier2 memory{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                  .pNext = nullptr,
                                  .srcStageMask = source.stages,
                                  .srcAccessMask = source.access,
                                  .dstStageMask = target.stages,
                                  .dstAccessMask = target.access};
    const VkDependencyInfo info{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                .pNext = nullptr,
                                .dependencyFlags = 0,
                                .memoryBarrierCount = 1,
                                .pMemoryBarriers = &memory,
                                .bufferMemoryBarrierCount = 0,
                                .pBufferMemoryBarriers = nullptr,
                                .imageMemoryBarrierCount = 0,
                                .pImageMemoryBarriers = nullptr};
    vkCmdPipelineBarrier2(commands, &info);
}

}  // namespace sinter
