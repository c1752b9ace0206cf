#include "runtime/gpu/buffer.hpp"
#include "runtime/gpu/commands.hpp"
#include "test_device.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <numeric>

namespace sinter::test {
namespace {

TEST_CASE("a device that is not there is an error that names those that are") {
    const auto device = open_device({.device = "no such device", .validation = false});
    REQUIRE_FALSE(device);
    CHECK(device.error().kind == ErrorKind::Unsupported);
    CHECK(device.error().message.find("llvmpipe") != std::string::npos);
    CHECK(device.error().remedy.find("cpu") != std::string::npos);
}

TEST_CASE("the CPU driver is found by kind and by a part of its name") {
    for (const char* name : {"cpu", "LLVMpipe"}) {
        const auto device = open_device({.device = name, .validation = false});
        REQUIRE(device);
        CHECK((*device)->is_cpu());
        CHECK((*device)->description().find("Mesa") != std::string::npos);
    }
}

TEST_CASE("what is uploaded comes back, whatever its size") {
    const auto device = open_test_device();
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000003}}) {
        std::vector<std::uint32_t> values(count);
        std::iota(values.begin(), values.end(), 7U);
        const auto buffer = upload_records<std::uint32_t>(*device, values);
        REQUIRE(buffer);
        const auto back = read_records<std::uint32_t>(*device, *buffer, count);
        REQUIRE(back);
        CHECK(*back == values);
    }
    require_no_messages(*device);
}

TEST_CASE("the validation layers see a missing barrier") {
    // Without this, "no messages" would prove nothing.
    const auto device = open_test_device();
    auto a = Buffer::create(*device, 1024, BufferUse::Storage);
    auto b = Buffer::create(*device, 1024, BufferUse::Storage);
    REQUIRE(a);
    REQUIRE(b);
    REQUIRE(submit(*device, [&](VkCommandBuffer commands) {
        vkCmdFillBuffer(commands, a->handle(), 0, 1024, 1);
        const VkBufferCopy region{.srcOffset = 0, .dstOffset = 0, .size = 1024};
        vkCmdCopyBuffer(commands, a->handle(), b->handle(), 1, &region);
    }));
    const std::lock_guard lock(device->validation.mutex);
    CHECK(std::ranges::any_of(device->validation.messages, [](const std::string& message) {
        return message.find("READ_AFTER_WRITE") != std::string::npos ||
               message.find("READ-AFTER-WRITE") != std::string::npos;
    }));
}

}  // namespace
}  // namespace sinter::test
