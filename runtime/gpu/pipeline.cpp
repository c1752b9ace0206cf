#include "runtime/gpu/pipeline.hpp"

#include <array>
#include <utility>

namespace sinter {
namespace {

// A shader module while a pipeline is made from it.
class Module {
public:
    Module(const Device& device, Spirv code) : device_(device.device) {
        const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                            .pNext = nullptr,
                                            .flags = 0,
                                            .codeSize = code.size_bytes(),
                                            .pCode = code.data()};
        result_ = vkCreateShaderModule(device_, &info, nullptr, &module_);
    }
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;
    ~Module() { vkDestroyShaderModule(device_, module_, nullptr); }

    [[nodiscard]] VkResult result() const { return result_; }
    [[nodiscard]] VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits stage) const {
        return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .pNext = nullptr,
                .flags = 0,
                .stage = stage,
                .module = module_,
                .pName = "main",
                .pSpecializationInfo = nullptr};
    }

private:
    VkDevice device_;
    VkShaderModule module_ = VK_NULL_HANDLE;
    VkResult result_ = VK_SUCCESS;
};

VkResult create_layout(VkDevice device, VkShaderStageFlags stages, std::uint32_t push_bytes,
                       VkPipelineLayout* out) {
    const VkPushConstantRange range{.stageFlags = stages, .offset = 0, .size = push_bytes};
    const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .pNext = nullptr,
                                          .flags = 0,
                                          .setLayoutCount = 0,
                                          .pSetLayouts = nullptr,
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range};
    return vkCreatePipelineLayout(device, &info, nullptr, out);
}

// The state of every draw here, in one piece; refers to itself, so it stays where it is.
struct GraphicsState {
    VkPipelineVertexInputStateCreateInfo vertices{};
    VkPipelineInputAssemblyStateCreateInfo assembly{};
    VkPipelineViewportStateCreateInfo viewport{};
    VkPipelineRasterizationStateCreateInfo raster{};
    VkPipelineMultisampleStateCreateInfo samples{};
    VkPipelineDepthStencilStateCreateInfo depth{};
    VkPipelineColorBlendAttachmentState attachment{};
    VkPipelineColorBlendStateCreateInfo blend{};
    std::array<VkDynamicState, 2> dynamic_states{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamic{};

    GraphicsState() {
        vertices.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
        assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
        assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
        viewport.viewportCount = 1;
        viewport.scissorCount = 1;
        raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
        raster.polygonMode = VK_POLYGON_MODE_FILL;
        raster.cullMode = VK_CULL_MODE_NONE;
        raster.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
        raster.lineWidth = 1;
        samples.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
        samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
        depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
        depth.depthTestEnable = VK_TRUE;
        depth.depthWriteEnable = VK_TRUE;
        depth.depthCompareOp = VK_COMPARE_OP_GREATER;
        attachment.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                                    VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
        blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
        blend.attachmentCount = 1;
        blend.pAttachments = &attachment;
        dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
        dynamic.dynamicStateCount = static_cast<std::uint32_t>(dynamic_states.size());
        dynamic.pDynamicStates = dynamic_states.data();
    }
    GraphicsState(const GraphicsState&) = delete;
    GraphicsState& operator=(const GraphicsState&) = delete;
};

}  // namespace

Result<Pipeline> Pipeline::compute(Device& device, Spirv shader, std::uint32_t push_bytes) {
    const Module module(device, shader);
    if (module.result() != VK_SUCCESS) return vulkan_error("vkCreateShaderModule", module.result());
    Pipeline out;
    out.device_ = device.device;
    out.stages_ = VK_SHADER_STAGE_COMPUTE_BIT;
    SINTER_VK(create_layout, device.device, out.stages_, push_bytes, &out.layout_);
    const VkComputePipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                           .pNext = nullptr,
                                           .flags = 0,
                                           .stage = module.stage(VK_SHADER_STAGE_COMPUTE_BIT),
                                           .layout = out.layout_,
                                           .basePipelineHandle = VK_NULL_HANDLE,
                                           .basePipelineIndex = -1};
    SINTER_VK(vkCreateComputePipelines, device.device, VK_NULL_HANDLE, 1, &info, nullptr, &out.pipeline_);
    return out;
}

Result<Pipeline> Pipeline::graphics(Device& device, Spirv vertex, Spirv fragment, std::uint32_t push_bytes,
                                    VkFormat color, VkFormat depth) {
    const Module vertex_module(device, vertex);
    const Module fragment_module(device, fragment);
    for (const Module* module : {&vertex_module, &fragment_module})
        if (module->result() != VK_SUCCESS) return vulkan_error("vkCreateShaderModule", module->result());
    Pipeline out;
    out.device_ = device.device;
    out.stages_ = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    out.bind_point_ = VK_PIPELINE_BIND_POINT_GRAPHICS;
    SINTER_VK(create_layout, device.device, out.stages_, push_bytes, &out.layout_);
    const GraphicsState state;
    const std::array stages{vertex_module.stage(VK_SHADER_STAGE_VERTEX_BIT),
                            fragment_module.stage(VK_SHADER_STAGE_FRAGMENT_BIT)};
    VkPipelineRenderingCreateInfo rendering{};
    rendering.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachmentFormats = &color;
    rendering.depthAttachmentFormat = depth;
    VkGraphicsPipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.pNext = &rendering;
    info.stageCount = static_cast<std::uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &state.vertices;
    info.pInputAssemblyState = &state.assembly;
    info.pViewportState = &state.viewport;
    info.pRasterizationState = &state.raster;
    info.pMultisampleState = &state.samples;
    info.pDepthStencilState = &state.depth;
    info.pColorBlendState = &state.blend;
    info.pDynamicState = &state.dynamic;
    info.layout = out.layout_;
    SINTER_VK(vkCreateGraphicsPipelines, device.device, VK_NULL_HANDLE, 1, &info, nullptr, &out.pipeline_);
    return out;
}

Pipeline::Pipeline(Pipeline&& other) noexcept { *this = std::move(other); }

Pipeline& Pipeline::operator=(Pipeline&& other) noexcept {
    if (this == &other) return *this;
    release();
    device_ = std::exchange(other.device_, VK_NULL_HANDLE);
    layout_ = std::exchange(other.layout_, VK_NULL_HANDLE);
    pipeline_ = std::exchange(other.pipeline_, VK_NULL_HANDLE);
    stages_ = other.stages_;
    bind_point_ = other.bind_point_;
    return *this;
}

Pipeline::~Pipeline() { release(); }

void Pipeline::release() {
    if (device_ == VK_NULL_HANDLE) return;
    vkDestroyPipeline(device_, pipeline_, nullptr);
    vkDestroyPipelineLayout(device_, layout_, nullptr);
    device_ = VK_NULL_HANDLE;
}

void Pipeline::bind_bytes(VkCommandBuffer commands, const void* push, std::uint32_t bytes) const {
    vkCmdBindPipeline(commands, bind_point_, pipeline_);
    vkCmdPushConstants(commands, layout_, stages_, 0, bytes, push);
}

}  // namespace sinter
