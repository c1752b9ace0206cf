// The resident vertex, 12 bytes: grid position and tangent in 8, octahedral normal in 4. Pure functions, no allocation;
// integers, additions, multiplications, divisions and square roots only, so that results are the same on every machine
// that rounds by IEEE 754, and that a GLSL twin is a translation line by line.
//
// The tangent is an angle in the plane across the *decoded* normal, counted from a frame that follows from the normal's
// code. The one branch of that frame is taken on integers: float noise never swaps it between CPU and GPU.
#pragma once

#include <sinter/formats/codecs.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace sinter {

// Bits 0 to 14: angle; bit 15: 1 where the bitangent is -cross(normal, tangent), 0 where it is +cross.
struct TangentCode {
    std::uint16_t bits = 0;
    bool operator==(const TangentCode&) const = default;
};

// As in mesh_positions, with the tangent in the place of the fourth value. Without tangents: 0.
struct ResidentVertex16 {
    std::int16_t x = 0, y = 0, z = 0;
    TangentCode tangent{};
    bool operator==(const ResidentVertex16&) const = default;
};
static_assert(sizeof(ResidentVertex16) == 8 && offsetof(ResidentVertex16, tangent) == 6 &&
              std::is_trivially_copyable_v<ResidentVertex16>);

struct ResidentVertex32 {
    std::int32_t x = 0, y = 0, z = 0;
    TangentCode tangent{};
    std::uint16_t reserved = 0;
    bool operator==(const ResidentVertex32&) const = default;
};
static_assert(sizeof(ResidentVertex32) == 16 && offsetof(ResidentVertex32, tangent) == 12 &&
              std::is_trivially_copyable_v<ResidentVertex32>);

// --- tangents ---

// Two unit vectors across a normal; with it they are right-handed: cross(s, t) = normal.
struct TangentFrame {
    std::array<float, 3> s{}, t{};
};

// The frame of a normal code (Duff, Burgess, Christensen, Hery, Kensler, Liani, Villemin: "Building an Orthonormal Basis,
// Revisited", JCGT 2017), its branch "z < 0" taken as 32767 < |u| + |v|. Codes below -32767 count as -32767.
[[nodiscard]] TangentFrame tangent_frame(OctNormal code);

// The largest angle, in degrees, between a tangent projected onto the plane across the decoded normal and what
// tangent_decode(code, tangent_encode(code, it, ..)) gives. The angle is stored as a position on the square |c| + |s| = 1,
// 2^13 steps a side. A step turns by most in the middle of a side, by 2 / 2^13 radians; half of it is 0.006994 degrees,
// and 0.000006 are left for the float arithmetic of the decoder.
inline constexpr float kMaxTangentErrorDeg = 0.0070F;

// The code whose direction is nearest to the tangent's projection (ties: the lower step); angle 0 where the projection
// vanishes. Pre: finite.
[[nodiscard]] TangentCode tangent_encode(OctNormal normal, std::array<float, 3> tangent,
                                         bool negative_bitangent);

struct DecodedTangent {
    std::array<float, 3> tangent{};  // unit, across the decoded normal
    float sign = 1;                  // bitangent = sign * cross(normal, tangent)
};

// Every code is valid.
[[nodiscard]] DecodedTangent tangent_decode(OctNormal normal, TangentCode code);

// --- normals in 20 bits ---

// Two components in [-511, 511].
struct OctNormal20 {
    std::int16_t u = 0, v = 0;
    bool operator==(const OctNormal20&) const = default;
};
inline constexpr std::int32_t kOct20Max = 511;

// The largest angle between a unit vector and the decoded direction of oct20_expand(oct20_encode(it)), in degrees. Proved
// over all cells of the code grid (vertex_codec_test.cpp): 0.15579, reached next to the middle of an octant's face.
// Evenly spaced codes would have sqrt(2) / 511 radians there, 0.15857.
inline constexpr float kMaxOct20ErrorDeg = 0.1558F;

// The 16-bit code of a 10-bit one, for each component: odd, strictly rising, 0 to 0, 511 to 32767. Codes lie 65 apart near
// the square's middle lines and edges, 63 around the middles of the octants' faces (1/3 and 2/3), where the octahedral
// map stretches most, else 64. Pre: in [-511, 511].
[[nodiscard]] constexpr std::int32_t oct20_expand(std::int32_t component) {
    const std::int32_t a = component < 0 ? -component : component;
    const auto over = [a](std::int32_t from, std::int32_t most) {
        const std::int32_t n = a > from ? a - from : 0;
        return n < most ? n : most;
    };
    const std::int32_t out = 64 * a + over(0, 95) - over(139, 64) - over(309, 64) + over(415, 96);
    return component < 0 ? -out : out;
}
[[nodiscard]] constexpr OctNormal oct20_expand(OctNormal20 code) {
    return {static_cast<std::int16_t>(oct20_expand(std::int32_t{code.u})),
            static_cast<std::int16_t>(oct20_expand(std::int32_t{code.v}))};
}

// The largest 10-bit component whose 16-bit code is not above this one. Pre: in [-32767, 32767].
[[nodiscard]] constexpr std::int32_t oct20_floor(std::int32_t component) {
    std::int32_t a = component / 64;
    if (a > kOct20Max) a = kOct20Max;
    if (a < -kOct20Max) a = -kOct20Max;
    while (oct20_expand(a) > component) --a;
    while (a < kOct20Max && oct20_expand(a + 1) <= component) ++a;
    return a;
}

// The 20-bit code of which a 32-bit one is the exact image, or nothing.
[[nodiscard]] constexpr std::optional<OctNormal20> oct20_of(OctNormal code) {
    if (code.u < -32767 || code.v < -32767) return std::nullopt;
    const OctNormal20 low{static_cast<std::int16_t>(oct20_floor(code.u)),
                          static_cast<std::int16_t>(oct20_floor(code.v))};
    if (oct20_expand(low) == code) return low;
    return std::nullopt;
}

// Of the four codes around the exact point the one whose decoded direction is nearest (ties: the one with floor in u,
// then in v). A mesh cooked with 20-bit normals holds oct20_expand() of these, so that 20 bits on disk lose nothing.
// Pre: finite and not zero; the length does not matter.
[[nodiscard]] OctNormal20 oct20_encode(std::array<float, 3> direction);

}  // namespace sinter
