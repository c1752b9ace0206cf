// The two hashes of a package. XXH3-128 finds damage of stored bytes cheaply; SHA-256 names content.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sinter {

// SHA-256 (FIPS 180-4), bytes in the order of the standard.
using Digest = std::array<std::uint8_t, 32>;

// XXH3-128 with seed 0, in xxHash's canonical form (big endian, as `xxhsum -H2` prints it).
using Hash128 = std::array<std::uint8_t, 16>;

[[nodiscard]] Digest sha256(std::span<const std::byte> bytes);
[[nodiscard]] Hash128 xxh3_128(std::span<const std::byte> bytes);

// SHA-256 over bytes that come in pieces: update() any number of times, then finish() once.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    void update(std::span<const std::byte> bytes);
    [[nodiscard]] Digest finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Lower-case hexadecimal, two digits a byte.
[[nodiscard]] std::string to_hex(std::span<const std::uint8_t> bytes);

}  // namespace sinter
