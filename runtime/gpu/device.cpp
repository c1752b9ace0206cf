#include "runtime/gpu/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#ifdef SINTER_SANITIZED
// Drivers and layers keep memory until the program ends. The leak checker knows whose it is only while they are loaded.
extern "C" int dlclose(void* /*library*/) { return 0; }
#endif

namespace sinter {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr std::string_view kDriverRemedy = "install a Vulkan driver (mesa-vulkan-drivers has one for the "
                                           "CPU); vulkaninfo --summary lists what the system has";

// A message of the loader or of a driver is no finding of the validation layer.
VkBool32 VKAPI_PTR keep_message(VkDebugUtilsMessageSeverityFlagBitsEXT /*severity*/,
                                VkDebugUtilsMessageTypeFlagsEXT types,
                                const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
    if ((types & (VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                  VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT)) != 0) {
        auto* log = static_cast<ValidationLog*>(user);
        const std::lock_guard lock(log->mutex);
        log->messages.emplace_back(data->pMessage);
    }
    return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(ValidationLog& log) {
    return {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
            .pNext = nullptr,
            .flags = 0,
            .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                               VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
            .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
            .pfnUserCallback = keep_message,
            .pUserData = &log};
}

bool has_layer(std::string_view name) {
    std::uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    vkEnumerateInstanceLayerProperties(&count, layers.data());
    return std::ranges::any_of(layers, [&](const VkLayerProperties& l) { return name == l.layerName; });
}

Result<Unit> create_instance(Device& out, bool validation) {
    if (validation && !has_layer(kValidationLayer)) {
        return Error{ErrorKind::Unsupported,
                     {},
                     fmt::format("the Vulkan layer {} is not there", kValidationLayer),
                     "install vulkan-validationlayers"};
    }
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .pNext = nullptr,
                                        .pApplicationName = "sinter",
                                        .applicationVersion = 0,
                                        .pEngineName = nullptr,
                                        .engineVersion = 0,
                                        .apiVersion = VK_API_VERSION_1_3};
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(out.validation);
    const VkValidationFeatureEnableEXT synchronisation =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const VkValidationFeaturesEXT features{.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                           .pNext = &messenger,
                                           .enabledValidationFeatureCount = 1,
                                           .pEnabledValidationFeatures = &synchronisation,
                                           .disabledValidationFeatureCount = 0,
                                           .pDisabledValidationFeatures = nullptr};
    const std::array<const char*, 1> layers{kValidationLayer};
    const std::array<const char*, 1> extensions{VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pNext = validation ? &features : nullptr,
                                    .flags = 0,
                                    .pApplicationInfo = &application,
                                    .enabledLayerCount = validation ? 1U : 0U,
                                    .ppEnabledLayerNames = layers.data(),
                                    .enabledExtensionCount = validation ? 1U : 0U,
                                    .ppEnabledExtensionNames = extensions.data()};
    const VkResult result = vkCreateInstance(&info, nullptr, &out.instance);
    if (result != VK_SUCCESS) {
        return Error{ErrorKind::Unsupported,
                     {},
                     fmt::format("Vulkan 1.3 cannot be started: {}", vulkan_result_name(result)),
                     std::string(kDriverRemedy)};
    }
    if (!validation) return Unit{};
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(out.instance, "vkCreateDebugUtilsMessengerEXT"));
    SINTER_VK(create, out.instance, &messenger, nullptr, &out.messenger);
    return Unit{};
}

// --- the choice of a device ---

struct Candidate {
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkPhysicalDeviceProperties properties{};
};

std::vector<Candidate> candidates(VkInstance instance) {
    std::uint32_t count = 0;
    vkEnumeratePhysicalDevices(instance, &count, nullptr);
    std::vector<VkPhysicalDevice> devices(count);
    vkEnumeratePhysicalDevices(instance, &count, devices.data());
    std::vector<Candidate> out;
    for (VkPhysicalDevice physical : devices) {
        out.push_back({physical, {}});
        vkGetPhysicalDeviceProperties(physical, &out.back().properties);
    }
    return out;
}

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

// Lower is better; nothing where the device is not asked for.
std::optional<int> rank_of(const Candidate& candidate, std::string_view wanted) {
    const bool cpu = candidate.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (wanted == "cpu") return cpu ? std::optional(0) : std::nullopt;
    if (wanted == "gpu" && cpu) return std::nullopt;
    if (!wanted.empty() && wanted != "gpu" &&
        lower_case(candidate.properties.deviceName).find(lower_case(wanted)) == std::string::npos)
        return std::nullopt;
    switch (candidate.properties.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return 2;
    default: return 3;
    }
}

Result<Candidate> choose_device(VkInstance instance, std::string_view wanted) {
    std::optional<Candidate> best;
    std::string names;
    for (const Candidate& candidate : candidates(instance)) {
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", candidate.properties.deviceName);
        const auto rank = rank_of(candidate, wanted);
        if (rank && (!best || *rank < *rank_of(*best, wanted))) best = candidate;
    }
    if (best) return *best;
    if (names.empty())
        return Error{ErrorKind::Unsupported, {}, "there is no Vulkan device", std::string(kDriverRemedy)};
    return Error{ErrorKind::Unsupported, "--device",
                 fmt::format("no device is '{}'; there is {}", wanted, names),
                 "name one of these, or cpu or gpu"};
}

// --- features ---

// All feature structures that are used, chained.
struct Features {
    VkPhysicalDeviceVulkan13Features v13{};
    VkPhysicalDeviceVulkan12Features v12{};
    VkPhysicalDeviceVulkan11Features v11{};
    VkPhysicalDeviceFeatures2 core{};
    Features() {
        v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
        v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
        v12.pNext = &v13;
        v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
        v11.pNext = &v12;
        core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
        core.pNext = &v11;
    }
    Features(const Features&) = delete;
    Features& operator=(const Features&) = delete;
};

// One list for what is asked about and what is switched on.
template <typename Visit>
void each_feature(Features& f, const Visit& visit) {
    visit("shaderInt64", f.core.features.shaderInt64);
    visit("shaderInt16", f.core.features.shaderInt16);
    visit("multiDrawIndirect", f.core.features.multiDrawIndirect);
    visit("drawIndirectFirstInstance", f.core.features.drawIndirectFirstInstance);
    visit("storageBuffer16BitAccess", f.v11.storageBuffer16BitAccess);
    visit("storageBuffer8BitAccess", f.v12.storageBuffer8BitAccess);
    visit("bufferDeviceAddress", f.v12.bufferDeviceAddress);
    visit("scalarBlockLayout", f.v12.scalarBlockLayout);
    visit("timelineSemaphore", f.v12.timelineSemaphore);
    visit("drawIndirectCount", f.v12.drawIndirectCount);
    visit("shaderInt8", f.v12.shaderInt8);
    visit("synchronization2", f.v13.synchronization2);
    visit("dynamicRendering", f.v13.dynamicRendering);
    visit("maintenance4", f.v13.maintenance4);
}

Result<Unit> check_features(const Candidate& candidate) {
    const std::uint32_t api = candidate.properties.apiVersion;
    const auto too_old = [&](std::string message) {
        return Error{ErrorKind::Unsupported,
                     {},
                     fmt::format("the device '{}' {}", candidate.properties.deviceName, message),
                     "choose another by --device, or a newer driver"};
    };
    if (api < VK_API_VERSION_1_3) {
        return too_old(fmt::format("has Vulkan {}.{}, at least 1.3 is needed", VK_API_VERSION_MAJOR(api),
                                   VK_API_VERSION_MINOR(api)));
    }
    Features have;
    vkGetPhysicalDeviceFeatures2(candidate.physical, &have.core);
    std::string missing;
    each_feature(have, [&](const char* name, VkBool32 value) {
        if (value == VK_FALSE) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", name);
    });
    if (!missing.empty()) return too_old("lacks " + missing);
    return Unit{};
}

Result<std::uint32_t> choose_queue_family(const Candidate& candidate) {
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(candidate.physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(candidate.physical, &count, families.data());
    for (std::uint32_t i = 0; i < count; ++i) {
        const VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
        if ((families[i].queueFlags & needed) == needed) return i;
    }
    return Error{
        ErrorKind::Unsupported,
        {},
        fmt::format("the device '{}' has no queue that draws and computes", candidate.properties.deviceName),
        "choose another by --device"};
}

Result<Unit> create_device(Device& out) {
    Features features;
    each_feature(features, [](const char* /*name*/, VkBool32& value) { value = VK_TRUE; });
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                        .pNext = nullptr,
                                        .flags = 0,
                                        .queueFamilyIndex = out.queue_family,
                                        .queueCount = 1,
                                        .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &features.core,
                                  .flags = 0,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue,
                                  .enabledLayerCount = 0,
                                  .ppEnabledLayerNames = nullptr,
                                  .enabledExtensionCount = 0,
                                  .ppEnabledExtensionNames = nullptr,
                                  .pEnabledFeatures = nullptr};
    SINTER_VK(vkCreateDevice, out.physical, &info, nullptr, &out.device);
    vkGetDeviceQueue(out.device, out.queue_family, 0, &out.queue);
    const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                       .pNext = nullptr,
                                       .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                       .queueFamilyIndex = out.queue_family};
    SINTER_VK(vkCreateCommandPool, out.device, &pool, nullptr, &out.command_pool);
    const VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                         .pNext = nullptr,
                                         .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                         .initialValue = 0};
    const VkSemaphoreCreateInfo semaphore{
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type, .flags = 0};
    SINTER_VK(vkCreateSemaphore, out.device, &semaphore, nullptr, &out.timeline);
    return Unit{};
}

}  // namespace

Device::~Device() {
    if (device != VK_NULL_HANDLE) {
        vkDeviceWaitIdle(device);
        vkDestroySemaphore(device, timeline, nullptr);
        vkDestroyCommandPool(device, command_pool, nullptr);
        vkDestroyDevice(device, nullptr);
    }
    if (messenger != VK_NULL_HANDLE) {
        const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
            vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"));
        destroy(instance, messenger, nullptr);
    }
    if (instance != VK_NULL_HANDLE) vkDestroyInstance(instance, nullptr);
}

std::string Device::description() const { return fmt::format("{}, {}", properties.deviceName, driver); }

Result<std::unique_ptr<Device>> open_device(const DeviceOptions& options) {
    auto out = std::make_unique<Device>();
    SINTER_TRY(create_instance(*out, options.validation));
    SINTER_TRY_ASSIGN(const Candidate candidate, choose_device(out->instance, options.device));
    SINTER_TRY(check_features(candidate));
    SINTER_TRY_ASSIGN(out->queue_family, choose_queue_family(candidate));
    out->physical = candidate.physical;
    out->properties = candidate.properties;
    vkGetPhysicalDeviceMemoryProperties(out->physical, &out->memory);
    VkPhysicalDeviceDriverProperties driver{};
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &driver;
    vkGetPhysicalDeviceProperties2(out->physical, &properties);
    out->driver = fmt::format("{} {}", driver.driverName, driver.driverInfo);
    SINTER_TRY(create_device(*out));
    return out;
}

}  // namespace sinter
