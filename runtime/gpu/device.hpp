// A Vulkan 1.3 device without a window: one queue that computes, draws and copies. Everything that the runtime makes on
// a device refers to its Device and must be gone before it.
//
// Used of Vulkan: buffer device address (no descriptors at all), scalar block layout, synchronization2, dynamic
// rendering, timeline semaphores, indirect count. Mesa's lavapipe 22.3 has all of it.
#pragma once

#include "runtime/gpu/vulkan.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sinter {

struct DeviceOptions {
    // "gpu": a GPU; "cpu": a driver on the CPU; "": a GPU, or else the CPU; anything else: the first device whose name
    // contains it, whatever the case.
    std::string device{};
    // Validation layer with synchronisation checks; its messages go to Device::validation. An error where it is missing.
    bool validation = false;
};

// What the validation layer said. Messages of the loader and of drivers are not among them.
struct ValidationLog {
    std::mutex mutex;
    std::vector<std::string> messages;
};

// Move-only owner of instance, device and queue.
struct Device {
    Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    ~Device();

    VkInstance instance = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    VkCommandPool command_pool = VK_NULL_HANDLE;
    VkSemaphore timeline = VK_NULL_HANDLE;  // counts submissions
    std::uint64_t submitted = 0;
    std::uint32_t queue_family = 0;
    VkPhysicalDeviceMemoryProperties memory{};
    VkPhysicalDeviceProperties properties{};
    ValidationLog validation;

    [[nodiscard]] bool is_cpu() const { return properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }
    // "llvmpipe (LLVM 15.0.6, 256 bits), Mesa 22.3.6": name and driver, for reports.
    [[nodiscard]] std::string description() const;
    std::string driver;  // name and version as the driver says them
};

// Opens a device. Errors: Unsupported where there is no Vulkan, no such device, or one that lacks a feature (all are
// named, with what to do); Internal and Limit from Vulkan.
[[nodiscard]] Result<std::unique_ptr<Device>> open_device(const DeviceOptions& options);

}  // namespace sinter
