#include "test_device.hpp"

#include <catch2/catch_test_macros.hpp>

namespace sinter::test {

std::unique_ptr<Device> open_test_device() {
    Result<std::unique_ptr<Device>> device = open_device({.device = "cpu", .validation = true});
    if (!device) FAIL(device.error().line());
    return *std::move(device);
}

void require_no_messages(Device& device) {
    const std::lock_guard lock(device.validation.mutex);
    if (!device.validation.messages.empty()) FAIL(device.validation.messages.front());
}

}  // namespace sinter::test
