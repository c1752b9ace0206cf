#include "runtime/gpu/image.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace sinter {
namespace {

// Where an image is and what was done there.
struct ImageUse {
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
    VkPipelineStageFlags2 stages = 0;
    VkAccessFlags2 access = 0;
};

constexpr VkPipelineStageFlags2 kDepthStages =
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
constexpr ImageUse kColorDrawn{VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                               VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                               VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
constexpr ImageUse kDepthDrawn{VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL, kDepthStages,
                               VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                   VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT};
constexpr ImageUse kCopied{VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_PIPELINE_STAGE_2_COPY_BIT,
                           VK_ACCESS_2_TRANSFER_READ_BIT};

// What was there before may be lost (undefined layout), but not overtaken: the stages of all uses wait.
constexpr ImageUse unused_by(const ImageUse& drawn) {
    return {VK_IMAGE_LAYOUT_UNDEFINED, drawn.stages | VK_PIPELINE_STAGE_2_COPY_BIT, 0};
}

VkImageMemoryBarrier2 transition(const Image& image, VkImageAspectFlags aspect, const ImageUse& before,
                                 const ImageUse& after) {
    return {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
            .pNext = nullptr,
            .srcStageMask = before.stages,
            .srcAccessMask = before.access,
            .dstStageMask = after.stages,
            .dstAccessMask = after.access,
            .oldLayout = before.layout,
            .newLayout = after.layout,
            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .image = image.handle(),
            .subresourceRange = {aspect, 0, 1, 0, 1}};
}

void change_both(VkCommandBuffer commands, const RenderTarget& target, const std::array<ImageUse, 2>& before,
                 const std::array<ImageUse, 2>& after) {
    const std::array barriers{transition(target.color, VK_IMAGE_ASPECT_COLOR_BIT, before[0], after[0]),
                              transition(target.depth, VK_IMAGE_ASPECT_DEPTH_BIT, before[1], after[1])};
    const VkDependencyInfo info{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                .pNext = nullptr,
                                .dependencyFlags = 0,
                                .memoryBarrierCount = 0,
                                .pMemoryBarriers = nullptr,
                                .bufferMemoryBarrierCount = 0,
                                .pBufferMemoryBarriers = nullptr,
                                .imageMemoryBarrierCount = static_cast<std::uint32_t>(barriers.size()),
                                .pImageMemoryBarriers = barriers.data()};
    vkCmdPipelineBarrier2(commands, &info);
}

VkRenderingAttachmentInfo attachment(VkImageView view, VkImageLayout layout) {
    VkRenderingAttachmentInfo out{};
    out.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
    out.imageView = view;
    out.imageLayout = layout;
    out.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    out.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    return out;  // cleared to zeros: transparent black, far
}

void copy_image(VkCommandBuffer commands, const RenderTarget& target, const Image& image,
                VkImageAspectFlags aspect, VkBuffer to) {
    const VkBufferImageCopy region{.bufferOffset = 0,
                                   .bufferRowLength = 0,
                                   .bufferImageHeight = 0,
                                   .imageSubresource = {aspect, 0, 0, 1},
                                   .imageOffset = {0, 0, 0},
                                   .imageExtent = {target.width, target.height, 1}};
    vkCmdCopyImageToBuffer(commands, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to, 1, &region);
}

}  // namespace

Result<Image> Image::create(Device& device, std::uint32_t width, std::uint32_t height, VkFormat format,
                            VkImageUsageFlags usage, VkImageAspectFlags aspect) {
    Image out;
    out.device_ = device.device;
    VkImageCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {width, height, 1};
    info.mipLevels = 1;
    info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = usage;
    SINTER_VK(vkCreateImage, device.device, &info, nullptr, &out.image_);
    VkMemoryRequirements need{};
    vkGetImageMemoryRequirements(device.device, out.image_, &need);
    VkMemoryAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = nullptr,
                                    .allocationSize = need.size,
                                    .memoryTypeIndex = 0};
    SINTER_TRY_ASSIGN(allocation.memoryTypeIndex,
                      memory_type(device, need.memoryTypeBits, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT));
    SINTER_VK(vkAllocateMemory, device.device, &allocation, nullptr, &out.memory_);
    SINTER_VK(vkBindImageMemory, device.device, out.image_, out.memory_, 0);
    VkImageViewCreateInfo view{};
    view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
    view.image = out.image_;
    view.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view.format = format;
    view.subresourceRange = {aspect, 0, 1, 0, 1};
    SINTER_VK(vkCreateImageView, device.device, &view, nullptr, &out.view_);
    return out;
}

Image::Image(Image&& other) noexcept { *this = std::move(other); }

Image& Image::operator=(Image&& other) noexcept {
    if (this == &other) return *this;
    release();
    device_ = std::exchange(other.device_, VK_NULL_HANDLE);
    image_ = std::exchange(other.image_, VK_NULL_HANDLE);
    memory_ = std::exchange(other.memory_, VK_NULL_HANDLE);
    view_ = std::exchange(other.view_, VK_NULL_HANDLE);
    return *this;
}

Image::~Image() { release(); }

void Image::release() {
    if (device_ == VK_NULL_HANDLE) return;
    vkDestroyImageView(device_, view_, nullptr);
    vkDestroyImage(device_, image_, nullptr);
    vkFreeMemory(device_, memory_, nullptr);
    device_ = VK_NULL_HANDLE;
}

Result<RenderTarget> create_target(Device& device, std::uint32_t width, std::uint32_t height) {
    const std::uint32_t most = device.properties.limits.maxImageDimension2D;
    if (width > most || height > most) {
        return Error{ErrorKind::Limit,
                     device.properties.deviceName,
                     fmt::format("{} x {} pixels, at most {} a side are possible", width, height, most),
                     {}};
    }
    RenderTarget out{.width = width, .height = height, .color = {}, .depth = {}};
    constexpr VkImageUsageFlags kCopy = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    SINTER_TRY_ASSIGN(out.color,
                      Image::create(device, width, height, kColorFormat,
                                    VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | kCopy, VK_IMAGE_ASPECT_COLOR_BIT));
    SINTER_TRY_ASSIGN(out.depth, Image::create(device, width, height, kDepthFormat,
                                               VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | kCopy,
                                               VK_IMAGE_ASPECT_DEPTH_BIT));
    return out;
}

void begin_rendering(VkCommandBuffer commands, const RenderTarget& target) {
    change_both(commands, target, {unused_by(kColorDrawn), unused_by(kDepthDrawn)},
                {kColorDrawn, kDepthDrawn});
    const VkRenderingAttachmentInfo color = attachment(target.color.view(), kColorDrawn.layout);
    const VkRenderingAttachmentInfo depth = attachment(target.depth.view(), kDepthDrawn.layout);
    const VkRect2D area{{0, 0}, {target.width, target.height}};
    VkRenderingInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
    info.renderArea = area;
    info.layerCount = 1;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &color;
    info.pDepthAttachment = &depth;
    vkCmdBeginRendering(commands, &info);
    const VkViewport viewport{.x = 0,
                              .y = 0,
                              .width = static_cast<float>(target.width),
                              .height = static_cast<float>(target.height),
                              .minDepth = 0,
                              .maxDepth = 1};
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &area);
}

void end_rendering(VkCommandBuffer commands, const RenderTarget& target) {
    vkCmdEndRendering(commands);
    change_both(commands, target, {kColorDrawn, kDepthDrawn}, {kCopied, kCopied});
}

void copy_color(VkCommandBuffer commands, const RenderTarget& target, VkBuffer to) {
    copy_image(commands, target, target.color, VK_IMAGE_ASPECT_COLOR_BIT, to);
}

void copy_depth(VkCommandBuffer commands, const RenderTarget& target, VkBuffer to) {
    copy_image(commands, target, target.depth, VK_IMAGE_ASPECT_DEPTH_BIT, to);
}

}  // namespace sinter
