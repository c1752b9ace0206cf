#include <sinter/formats/hash.hpp>

#include <openssl/evp.h>
#include <xxhash.h>

#include <cstring>
#include <new>
#include <utility>

namespace sinter {

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    State() {
        if (context == nullptr || EVP_DigestInit_ex(context, EVP_sha256(), nullptr) != 1) {
            EVP_MD_CTX_free(context);
            throw std::bad_alloc();
        }
    }
    ~State() { EVP_MD_CTX_free(context); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
    EVP_DigestUpdate(state_->context, bytes.data(), bytes.size());
}

Digest Sha256::finish() {
    Digest digest{};
    EVP_DigestFinal_ex(state_->context, digest.data(), nullptr);
    return digest;
}

Digest sha256(std::span<const std::byte> bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.finish();
}

Hash128 xxh3_128(std::span<const std::byte> bytes) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
    Hash128 hash{};
    static_assert(sizeof(canonical.digest) == sizeof(hash));
    std::memcpy(hash.data(), canonical.digest, hash.size());
    return hash;
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const std::uint8_t byte : bytes) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

}  // namespace sinter
