// The device of the tests: Mesa's CPU driver under the validation layers.
#pragma once

#include "runtime/gpu/device.hpp"

#include <memory>

namespace sinter::test {

// Opens it; a test fails where it is not there. Its destructor is no check: call require_no_messages().
[[nodiscard]] std::unique_ptr<Device> open_test_device();

// Fails with the first message, if the validation layers said anything.
void require_no_messages(Device& device);

}  // namespace sinter::test
