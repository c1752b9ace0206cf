// The decoders in GLSL against those in C++, on the device.
#include "runtime/gpu/buffer.hpp"
#include "runtime/gpu/commands.hpp"
#include "runtime/gpu/pipeline.hpp"
#include "test_device.hpp"

#include <sinter/formats/vertex_codec.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

namespace sinter::spirv {
std::span<const std::uint32_t> decode_comp();
}  // namespace sinter::spirv

namespace sinter::test {
namespace {

struct Code {
    std::array<std::int32_t, 3> grid{};
    std::array<std::int32_t, 2> normal{};
    std::uint32_t tangent = 0;
};
struct Decoded {
    std::array<float, 3> position{}, normal{};
    std::array<float, 4> tangent{};
    std::array<std::int32_t, 2> square{};
};
struct Push {
    std::uint64_t codes = 0, decoded = 0;
    std::array<float, 3> center{};
    float step = 0;
    std::uint32_t count = 0, padding = 0;
};

// Every tangent code once; normals and positions at random and at all that is special about them.
std::vector<Code> all_codes() {
    std::mt19937 random(7);
    const auto normal = [&] { return static_cast<std::int32_t>(random() % 65536) - 32768; };
    std::vector<Code> out;
    for (std::uint32_t t = 0; t < 65536; ++t) {
        out.push_back({{normal(), normal(), static_cast<std::int32_t>(random())}, {normal(), normal()}, t});
    }
    constexpr std::array<std::int32_t, 9> kSpecial{-32768, -32767, -16384, -1, 0, 1, 16383, 16384, 32767};
    for (const std::int32_t u : kSpecial) {
        for (const std::int32_t v : kSpecial) {
            for (const std::uint32_t t : {0U, 1U, 8191U, 8192U, 16384U, 24576U, 32767U, 32768U, 65535U})
                out.push_back({{u, v, u + v}, {u, v}, t});
        }
    }
    return out;
}

// Distance in units in the last place of the larger one, at least of 2^-20: next to zero the error of a sum of larger
// numbers remains.
double ulps_apart(float a, float b) {
    const double size =
        std::max({std::abs(static_cast<double>(a)), std::abs(static_cast<double>(b)), 0x1p-20});
    const double ulp = std::exp2(std::floor(std::log2(size)) - 23);
    return std::abs(static_cast<double>(a) - static_cast<double>(b)) / ulp;
}

std::vector<Decoded> decode_on_device(Device& device, const std::vector<Code>& codes, Push push) {
    const auto pipeline = Pipeline::compute(device, spirv::decode_comp(), sizeof(Push));
    REQUIRE(pipeline);
    const auto in = upload_records<Code>(device, codes);
    const auto out = Buffer::create(device, codes.size() * sizeof(Decoded), BufferUse::Storage);
    REQUIRE(in);
    REQUIRE(out);
    push.codes = in->address();
    push.decoded = out->address();
    push.count = static_cast<std::uint32_t>(codes.size());
    REQUIRE(submit(device, [&](VkCommandBuffer commands) {
        pipeline->bind(commands, push);
        vkCmdDispatch(commands, (push.count + 63) / 64, 1, 1);
        barrier(commands, Access::ComputeWrite, Access::CopyRead);
    }));
    auto decoded = read_records<Decoded>(device, *out, codes.size());
    REQUIRE(decoded);
    return *std::move(decoded);
}

TEST_CASE("the decoders of vertices are the same in GLSL and in C++") {
    const auto device = open_test_device();
    const std::vector<Code> codes = all_codes();
    Push push;
    push.center = {0.1F, -7.25F, 1234.5F};
    push.step = 0.0123F;
    const std::vector<Decoded> decoded = decode_on_device(*device, codes, push);
    double normal_ulps = 0;
    double tangent_ulps = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const Code& code = codes[i];
        const OctNormal normal{static_cast<std::int16_t>(code.normal[0]),
                               static_cast<std::int16_t>(code.normal[1])};
        CAPTURE(i, code.normal[0], code.normal[1], code.tangent);
        // Integers and multiplications: bit by bit.
        REQUIRE(decoded[i].position == grid_decode(push.center, push.step, code.grid));
        REQUIRE(std::abs(decoded[i].square[0]) + std::abs(decoded[i].square[1]) == 8192);
        // After a division and a square root: two units in the last place.
        const auto n = oct_decode(normal);
        const DecodedTangent t = tangent_decode(normal, {static_cast<std::uint16_t>(code.tangent)});
        for (std::size_t c = 0; c < 3; ++c) {
            normal_ulps = std::max(normal_ulps, ulps_apart(decoded[i].normal[c], n[c]));
            tangent_ulps = std::max(tangent_ulps, ulps_apart(decoded[i].tangent[c], t.tangent[c]));
        }
        REQUIRE(decoded[i].tangent[3] == t.sign);
    }
    CHECK(normal_ulps <= 2);
    CHECK(tangent_ulps <= 2);
    require_no_messages(*device);
}

}  // namespace
}  // namespace sinter::test
