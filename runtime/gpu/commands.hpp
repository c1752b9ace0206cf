// Work for the queue: recorded, submitted and awaited in one call, and the barriers between its parts.
#pragma once

#include "runtime/gpu/device.hpp"

#include <cstdint>
#include <functional>

namespace sinter {

// Records commands, submits them and waits until they are done: nothing here is in a hurry, and what is done can be read
// back and freed. Memory that an earlier submit() wrote is visible to the next one. Errors: Internal (device lost), Limit.
[[nodiscard]] Result<Unit> submit(Device& device, const std::function<void(VkCommandBuffer)>& record);

// What a step does with memory.
enum class Access : std::uint8_t {
    CopyRead,
    CopyWrite,
    ComputeRead,
    ComputeWrite,
    IndirectRead,
    DrawRead,  // shaders of a draw
    HostRead,
};

// All memory that `before` wrote is seen by `after`.
void barrier(VkCommandBuffer commands, Access before, Access after);

}  // namespace sinter
