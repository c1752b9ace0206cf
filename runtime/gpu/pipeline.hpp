// Pipelines without descriptors: shaders get all they need by push constants, which hold addresses of buffers.
#pragma once

#include "runtime/gpu/device.hpp"

#include <cstdint>
#include <span>

namespace sinter {

using Spirv = std::span<const std::uint32_t>;

// Move-only owner of a pipeline and its layout.
class Pipeline {
public:
    // `push_bytes`: size of the push constants, at most 128.
    [[nodiscard]] static Result<Pipeline> compute(Device& device, Spirv shader, std::uint32_t push_bytes);

    // Triangles without vertex buffers and culling, depth test "nearer wins" with reversed depth (0 = far), onto one
    // colour and one depth attachment of these formats.
    [[nodiscard]] static Result<Pipeline> graphics(Device& device, Spirv vertex, Spirv fragment,
                                                   std::uint32_t push_bytes, VkFormat color, VkFormat depth);

    Pipeline() = default;
    Pipeline(Pipeline&& other) noexcept;
    Pipeline& operator=(Pipeline&& other) noexcept;
    ~Pipeline();

    // Binds it and pushes its constants.
    template <typename Push>
    void bind(VkCommandBuffer commands, const Push& push) const {
        static_assert(sizeof(Push) <= 128);
        bind_bytes(commands, &push, sizeof(Push));
    }

private:
    void bind_bytes(VkCommandBuffer commands, const void* push, std::uint32_t bytes) const;
    void release();
    VkDevice device_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    VkShaderStageFlags stages_ = 0;
    VkPipelineBindPoint bind_point_ = VK_PIPELINE_BIND_POINT_COMPUTE;
};

}  // namespace sinter
