// What draws draw on: a colour and a depth image, and the way of their pixels back.
#pragma once

#include "runtime/gpu/buffer.hpp"

#include <cstdint>
#include <vector>

namespace sinter {

// Move-only owner of an image of one mip level, its memory and view.
class Image {
public:
    [[nodiscard]] static Result<Image> create(Device& device, std::uint32_t width, std::uint32_t height,
                                              VkFormat format, VkImageUsageFlags usage,
                                              VkImageAspectFlags aspect);
    Image() = default;
    Image(Image&& other) noexcept;
    Image& operator=(Image&& other) noexcept;
    ~Image();

    [[nodiscard]] VkImage handle() const { return image_; }
    [[nodiscard]] VkImageView view() const { return view_; }

private:
    void release();
    VkDevice device_ = VK_NULL_HANDLE;
    VkImage image_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    VkImageView view_ = VK_NULL_HANDLE;
};

inline constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

// A colour and a depth image of one size.
struct RenderTarget {
    std::uint32_t width = 0, height = 0;
    Image color, depth;
};

// Pre: 1 <= width, height. Errors: Limit where the device has no images of that size.
[[nodiscard]] Result<RenderTarget> create_target(Device& device, std::uint32_t width, std::uint32_t height);

// Begins rendering with a cleared target (depth 0 = far); viewport and scissor are the whole of it.
void begin_rendering(VkCommandBuffer commands, const RenderTarget& target);
// Ends it; what was drawn may then be copied.
void end_rendering(VkCommandBuffer commands, const RenderTarget& target);
// Copies after end_rendering(): rows from the top, four bytes a pixel.
void copy_color(VkCommandBuffer commands, const RenderTarget& target, VkBuffer to);
void copy_depth(VkCommandBuffer commands, const RenderTarget& target, VkBuffer to);

}  // namespace sinter
