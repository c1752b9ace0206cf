#include "runtime/gpu/buffer.hpp"

#include "runtime/gpu/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sinter {
namespace {

constexpr VkMemoryPropertyFlags kMapped =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

struct MemoryWish {
    VkBufferUsageFlags usage = 0;
    VkMemoryPropertyFlags needed = 0, wanted = 0;
    VkMemoryAllocateFlags allocation = 0;
};

MemoryWish wish_of(BufferUse use) {
    switch (use) {
    case BufferUse::Upload: return {VK_BUFFER_USAGE_TRANSFER_SRC_BIT, kMapped, kMapped, 0};
    case BufferUse::Readback:
        return {VK_BUFFER_USAGE_TRANSFER_DST_BIT, kMapped, kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 0};
    case BufferUse::Storage: break;
    }
    return {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
            0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
}

}  // namespace

Result<std::uint32_t> memory_type(const Device& device, std::uint32_t type_bits, VkMemoryPropertyFlags needed,
                                  VkMemoryPropertyFlags wanted) {
    for (const VkMemoryPropertyFlags flags : {needed | wanted, needed}) {
        for (std::uint32_t i = 0; i < device.memory.memoryTypeCount; ++i) {
            const bool allowed = (type_bits >> i & 1U) != 0;
            if (allowed && (device.memory.memoryTypes[i].propertyFlags & flags) == flags) return i;
        }
    }
    return Error{ErrorKind::Internal,
                 {},
                 fmt::format("no memory type of bits {:#x} has properties {:#x}", type_bits, needed),
                 {}};
}

Result<Buffer> Buffer::create(Device& device, std::uint64_t bytes, BufferUse use) {
    const MemoryWish wish = wish_of(use);
    const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .pNext = nullptr,
                                  .flags = 0,
                                  .size = std::max<std::uint64_t>(bytes, 16),
                                  .usage = wish.usage,
                                  .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                  .queueFamilyIndexCount = 0,
                                  .pQueueFamilyIndices = nullptr};
    Buffer out;
    out.device_ = device.device;
    out.bytes_ = bytes;
    SINTER_VK(vkCreateBuffer, device.device, &info, nullptr, &out.buffer_);
    VkMemoryRequirements need{};
    vkGetBufferMemoryRequirements(device.device, out.buffer_, &need);
    const VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                          .pNext = nullptr,
                                          .flags = wish.allocation,
                                          .deviceMask = 0};
    VkMemoryAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = &flags,
                                    .allocationSize = need.size,
                                    .memoryTypeIndex = 0};
    SINTER_TRY_ASSIGN(allocation.memoryTypeIndex,
                      memory_type(device, need.memoryTypeBits, wish.needed, wish.wanted));
    SINTER_VK(vkAllocateMemory, device.device, &allocation, nullptr, &out.memory_);
    SINTER_VK(vkBindBufferMemory, device.device, out.buffer_, out.memory_, 0);
    if (use == BufferUse::Storage) {
        const VkBufferDeviceAddressInfo address{
            .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .pNext = nullptr, .buffer = out.buffer_};
        out.address_ = vkGetBufferDeviceAddress(device.device, &address);
    } else {
        void* data = nullptr;
        SINTER_VK(vkMapMemory, device.device, out.memory_, 0, VK_WHOLE_SIZE, 0, &data);
        out.mapped_ = {static_cast<std::byte*>(data), static_cast<std::size_t>(bytes)};
    }
    return out;
}

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    device_ = std::exchange(other.device_, VK_NULL_HANDLE);
    buffer_ = std::exchange(other.buffer_, VK_NULL_HANDLE);
    memory_ = std::exchange(other.memory_, VK_NULL_HANDLE);
    bytes_ = std::exchange(other.bytes_, 0);
    address_ = std::exchange(other.address_, 0);
    mapped_ = std::exchange(other.mapped_, {});
    return *this;
}

Buffer::~Buffer() { release(); }

void Buffer::release() {
    if (device_ == VK_NULL_HANDLE) return;
    vkDestroyBuffer(device_, buffer_, nullptr);
    vkFreeMemory(device_, memory_, nullptr);
    device_ = VK_NULL_HANDLE;
}

Result<Buffer> upload(Device& device, std::span<const std::byte> bytes) {
    SINTER_TRY_ASSIGN(Buffer out, Buffer::create(device, bytes.size(), BufferUse::Storage));
    if (bytes.empty()) return out;
    SINTER_TRY_ASSIGN(const Buffer staging, Buffer::create(device, bytes.size(), BufferUse::Upload));
    std::ranges::copy(bytes, staging.mapped().begin());
    SINTER_TRY(submit(device, [&](VkCommandBuffer commands) {
        const VkBufferCopy region{.srcOffset = 0, .dstOffset = 0, .size = bytes.size()};
        vkCmdCopyBuffer(commands, staging.handle(), out.handle(), 1, &region);
    }));
    return out;
}

Result<std::vector<std::byte>> read_back(Device& device, const Buffer& buffer, std::uint64_t bytes) {
    if (bytes == 0) return std::vector<std::byte>();
    SINTER_TRY_ASSIGN(const Buffer staging, Buffer::create(device, bytes, BufferUse::Readback));
    SINTER_TRY(submit(device, [&](VkCommandBuffer commands) {
        const VkBufferCopy region{.srcOffset = 0, .dstOffset = 0, .size = bytes};
        vkCmdCopyBuffer(commands, buffer.handle(), staging.handle(), 1, &region);
        barrier(commands, Access::CopyWrite, Access::HostRead);
    }));
    return std::vector<std::byte>(staging.mapped().begin(), staging.mapped().end());
}

}  // namespace sinter
