// Buffers that shaders reach by address, and data on its way there and back.
#pragma once

#include "runtime/gpu/device.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace sinter {

enum class BufferUse : std::uint8_t {
    Storage,  // on the device, for shaders, copies and indirect commands
    Upload,   // mapped; copies read it
    Readback  // mapped; copies write it
};

// Move-only owner of a buffer and its memory. A buffer of 0 bytes has 16, so that it has an address.
class Buffer {
public:
    // Errors: Limit (too little memory), Internal.
    [[nodiscard]] static Result<Buffer> create(Device& device, std::uint64_t bytes, BufferUse use);

    Buffer() = default;
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer();

    [[nodiscard]] VkBuffer handle() const { return buffer_; }
    [[nodiscard]] std::uint64_t address() const { return address_; }  // Storage only
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] std::span<std::byte> mapped() const { return mapped_; }  // empty for Storage

private:
    void release();
    VkDevice device_ = VK_NULL_HANDLE;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    std::uint64_t bytes_ = 0, address_ = 0;
    std::span<std::byte> mapped_;
};

// Memory of a type of these bits that has `wanted` where one has, else `needed`. Errors: Internal.
[[nodiscard]] Result<std::uint32_t> memory_type(const Device& device, std::uint32_t type_bits,
                                                VkMemoryPropertyFlags needed, VkMemoryPropertyFlags wanted);

// A storage buffer that holds these bytes when the call returns.
[[nodiscard]] Result<Buffer> upload(Device& device, std::span<const std::byte> bytes);
template <typename Record>
[[nodiscard]] Result<Buffer> upload_records(Device& device, std::span<const Record> records) {
    static_assert(std::is_trivially_copyable_v<Record>);
    return upload(device, std::as_bytes(records));
}

// The first `bytes` bytes of a storage buffer, after all that was submitted.
[[nodiscard]] Result<std::vector<std::byte>> read_back(Device& device, const Buffer& buffer,
                                                       std::uint64_t bytes);
template <typename Record>
[[nodiscard]] Result<std::vector<Record>> read_records(Device& device, const Buffer& buffer,
                                                       std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Record>);
    SINTER_TRY_ASSIGN(const std::vector<std::byte> bytes, read_back(device, buffer, count * sizeof(Record)));
    std::vector<Record> out(count);
    if (count != 0) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
}

}  // namespace sinter
