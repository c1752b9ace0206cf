// Vulkan's header and its results as errors. Only runtime/ includes it.
#pragma once

#include <sinter/formats/result.hpp>

#include <vulkan/vulkan.h>

#include <string_view>

namespace sinter {

// The name of a result ("VK_ERROR_DEVICE_LOST").
[[nodiscard]] std::string_view vulkan_result_name(VkResult result);

// The error of a call that did not succeed. Limit where memory ran out, else Internal.
[[nodiscard]] Error vulkan_error(std::string_view call, VkResult result);

}  // namespace sinter

// Returns the error of a Vulkan call from the enclosing function, if it has one.
#define SINTER_VK(function, ...)                                                                             \
    do {                                                                                                     \
        const VkResult sinter_vk_result = function(__VA_ARGS__);                                             \
        if (sinter_vk_result != VK_SUCCESS) return ::sinter::vulkan_error(#function, sinter_vk_result);      \
    } while (false)
